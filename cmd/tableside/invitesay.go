package main

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tableside/cmd/tableside/invite"
)

// passwordFile is where a table has its password, as docs/install.md says.
const passwordFile = "/etc/tableside/mqtt-password"

// invite invites tables, and says what they need.
func (v *invitation) invite(tables []string) error {
	tickets, err := v.list.Invite(tables, v.discovery, v.again)
	if err != nil {
		return err
	}
	var files []invite.File
	for _, t := range tickets {
		switch {
		case t.Name == invite.HallUser:
			files = append(files, invite.File{Name: v.list.PasswordFile(), Text: t.Password + "\n", Private: true})
		case v.into != "":
			files = append(files, invite.File{Name: v.outFile(t.Name, "toml"), Text: v.tableLines(t.Guest), Private: true},
				invite.File{Name: v.outFile(t.Name, "password"), Text: t.Password + "\n", Private: true})
		}
	}
	if err := v.write(files...); err != nil {
		return err
	}
	for _, t := range tickets {
		v.tell(t)
	}
	v.tellBroker()
	return nil
}

func (v *invitation) outFile(table, ending string) string {
	return filepath.Join(v.into, table+"."+ending)
}

// tell prints what a guest needs.
func (v *invitation) tell(t invite.Ticket) {
	switch {
	case t.Name == invite.HallUser && v.list.Beside != "":
		fmt.Fprintf(v.out, "The hall and its table %s need, in their configuration:\n\n%s\n", v.list.Beside, v.hallLines())
	case t.Name == invite.HallUser:
		fmt.Fprintf(v.out, "The hall needs, in its configuration:\n\n%s\n", v.hallLines())
	case v.into != "":
		fmt.Fprintf(v.out, "%s is invited. %s has the lines for its configuration,\n", t.Name, v.outFile(t.Name, "toml"))
		fmt.Fprintf(v.out, "%s its password, for %s there.\n\n", v.outFile(t.Name, "password"), passwordFile)
	default:
		fmt.Fprintf(v.out, "%s is invited. It needs, in its configuration:\n\n%s\n", t.Name, v.tableLines(t.Guest))
		fmt.Fprintf(v.out, "and in the file %s, which only the table reads,\n", passwordFile)
		fmt.Fprintf(v.out, "this password, which is not shown again:\n\n%s\n\n", t.Password)
	}
}

// hallLines returns what the hall's own configuration needs.
func (v *invitation) hallLines() string {
	return fmt.Sprintf("[mqtt]\nuser = %q\npassword_file = %q\n", invite.HallUser, v.list.PasswordFile())
}

// tableLines returns what the configuration of a table needs.
func (v *invitation) tableLines(table invite.Guest) string {
	var b strings.Builder
	line := func(key, value string) { fmt.Fprintf(&b, "%s = %s\n", key, value) }
	quoted := strconv.Quote
	line("[table]\nname", quoted(table.Name))
	b.WriteString("\n[mqtt]\n")
	m := v.config.MQTT
	here := ""
	if slices.ContainsFunc(m.Addresses(), isHere) {
		here = "    # write this machine's address instead"
	}
	switch brokers := m.Addresses(); len(brokers) {
	case 0:
		line("broker", `"tcp://HOST:1883"    # where the broker is`)
	case 1:
		line("broker", quoted(brokers[0])+here)
	default:
		line("brokers", `["`+strings.Join(brokers, `", "`)+`"]`+here)
	}
	if m.CA != "" {
		line("ca", quoted(m.CA)+"    # copy this file, too")
	}
	line("user", quoted(table.Name))
	line("password_file", quoted(passwordFile))
	line("hall", quoted(v.list.Hall))
	line("discovery", quoted(table.Discovery))
	return b.String()
}

// isHere reports whether an address is one that only this machine reaches.
func isHere(broker string) bool {
	_, address, found := strings.Cut(broker, "://")
	if !found {
		address = broker // a lone host:port
	}
	u, err := url.Parse("tcp://" + address)
	return err == nil && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback())
}

// takeOff takes tables off the list.
func (v *invitation) takeOff(tables []string) error {
	if err := v.list.Remove(tables); err != nil {
		return err
	}
	return v.save()
}

// save writes the files, and says what the broker needs.
func (v *invitation) save() error {
	if err := v.write(); err != nil {
		return err
	}
	v.tellBroker()
	return nil
}

// write writes the files, others with them, and says so if the hall has another name from
// now on.
func (v *invitation) write(others ...invite.File) error {
	if err := v.list.Save(others...); err != nil {
		return listFailed(err)
	}
	if now := v.list.Hall; v.before != "" && v.before != now {
		fmt.Fprintf(v.err, "the hall is called %s now: tables that were invited need hall = %q\n", now, now)
	}
	return nil
}

// tellBroker prints how a broker takes its files.
func (v *invitation) tellBroker() {
	in := func(name string) string { return filepath.Join(v.list.Files, name) }
	fmt.Fprintf(v.out, `mosquitto needs, once, in mosquitto.conf:

allow_anonymous false
password_file %s
acl_file %s

which the user mosquitto has to be able to read (--files puts them elsewhere), and
"sudo systemctl reload mosquitto" after each change. nats-server needs, once, in
nats-server.conf:

authorization { include %q }

and after each change a copy of %s
beside that file on each machine, and there "nats-server --signal reload".
`, in(invite.PasswordsName), in(invite.AccessListName), invite.NATSUsersName, in(invite.NATSUsersName))
}

// show lists who is invited.
func (v *invitation) show() error {
	guests := v.list.Guests
	if len(guests) == 0 {
		fmt.Fprintln(v.out, "Nobody is invited yet: tableside hall invite one two")
		return nil
	}
	for _, g := range guests {
		also := ""
		switch {
		case g.Name == invite.HallUser && v.list.Beside != "":
			also = ", the hall " + v.list.Hall + " and its table " + v.list.Beside
		case g.Name == invite.HallUser:
			also = ", the hall " + v.list.Hall
		}
		if g.Discovery != "" {
			also += ", announced below " + g.Discovery + "/"
		}
		fmt.Fprintf(v.out, "%-20s since %s%s\n", g.Name, g.Since.Format("2006-01-02 15:04 UTC"), also)
	}
	fmt.Fprintf(v.out, "\nThe broker's files are in %s.\n", v.list.Files)
	return nil
}
