// Package invite is the command "hall invite". It keeps the list of the tables that a hall has
// invited to its broker, and writes the files from which the broker knows them.
package invite

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tableside/cmd/tableside/config"
	"tableside/device/disk"
	"tableside/engine"
	"tableside/mqtt"
)

// An Order is what the command is asked for, and where it answers.
type Order struct {
	Out, Err io.Writer

	remove, renew            bool
	files, outDir, discovery string
}

// Flags adds the flags of the command.
func (o *Order) Flags(flags *flag.FlagSet) {
	flags.BoolVar(&o.remove, "remove", false, "invite: take these tables off the list")
	flags.BoolVar(&o.renew, "again", false, "invite: give these tables other passwords")
	flags.StringVar(&o.files, "files", "", "invite: the broker's files are in this `DIR`, from now on")
	flags.StringVar(&o.outDir, "out", "", "invite: write what tables need into files in this `DIR`")
	flags.StringVar(&o.discovery, "discovery", "", "invite: Home Assistant's `PREFIX`, such as homeassistant")
}

// IsGiven reports whether one of the flags is given.
func (o *Order) IsGiven() bool { return o.remove || o.invites() || o.files != "" }

func (o *Order) invites() bool { return o.renew || o.outDir+o.discovery != "" }

// Run invites the tables or removes them; without tables it lists who is invited. The hall has the
// name in c if the list is new, or if isNamed says that people named the file of c.
func (o *Order) Run(tables []string, c config.Config, isNamed bool) (err error) {
	for _, dir := range []*string{&o.files, &o.outDir} {
		if *dir != "" && err == nil {
			*dir, err = filepath.Abs(*dir)
		}
	}
	why := c.CheckBrokers()
	switch {
	case err != nil:
		return err
	case len(c.MQTT.Addresses()) > 0 && why != "": // those of a file are checked
		return config.Wrong("--broker", why, config.BrokerHint)
	case c.MQTT.Embedded != "":
		return config.Wrong("mqtt.embedded",
			"the table's own broker has one user for all, and no access list: it can invite nobody",
			"give all tables its mqtt.user and password, or use mosquitto or nats-server (docs/hall.md)")
	case c.Hall.Data == "":
		return config.Wrong("hall invite", "there is no folder for the list of those who are invited",
			"name the hall's: --data DIR, or hall.data in --config")
	case !isDiscovery(o.discovery):
		return config.Errorf("--discovery", "", "got %q, want a topic such as homeassistant, of letters, digits and hyphens",
			o.discovery)
	case o.remove && o.invites():
		return config.Wrong("hall invite", "--remove excludes --again, --out and --discovery", "")
	case len(tables) == 0 && (o.remove || o.invites()):
		return config.Wrong("hall invite", "the names of the tables are missing", "tableside hall invite one two")
	case len(tables) == 0 && o.files == "":
		l, err := open(c.Hall.Data)
		if err == nil {
			fmt.Fprint(o.Out, l)
		}
		return err
	}
	folder, err := lock(c.Hall.Data)
	if err != nil {
		return failed(c.Hall.Data, err)
	}
	defer folder.Close()
	l, err := open(c.Hall.Data)
	if err != nil {
		return err
	}
	before := l.Hall
	if isNamed || l.Hall == "" {
		l.Hall, l.Beside = c.Hall.Name, ""
		if c.Hall.Listen != "" {
			l.Beside = c.Table.Name
		}
	}
	l.Files = cmp.Or(o.files, l.Files)
	if err = o.change(l, tables); err != nil {
		return err
	}
	return o.save(l, before, c.MQTT)
}

// change removes tables, or adds them without a password. With renew it takes the passwords of
// guests.
func (o *Order) change(l *list, tables []string) error {
	for i, name := range tables {
		at := l.find(name)
		switch {
		case slices.Contains(tables[:i], name):
			return config.Wrong(name, "named twice", "")
		case o.remove && at < 0:
			return config.Wrong(fmt.Sprintf("%q", name), "this table is not invited", "tableside hall invite says who is")
		case o.remove && name == hallUser:
			return config.Wrong(name, "this is the hall's own user: without it the hall hears nobody", "")
		case o.remove:
			l.Guests = slices.Delete(l.Guests, at, at+1)
			continue
		case o.renew && at < 0:
			return config.Wrong(name, "this table is not invited yet", "without --again it is invited")
		case o.renew:
			l.Guests[at].Hashes = mqtt.Hashes{}
			continue
		case !engine.IsWord(name):
			return config.Wrong(fmt.Sprintf("%q", name), "this cannot name a table",
				"small letters, digits and single hyphens, such as table-1: as in [table] name")
		case name == hallUser:
			return config.Wrong(name, "this is the hall's own user", "give the table another [table] name")
		case at >= 0:
			return config.Wrong(name, "this table is invited already",
				"--again gives it another password, --remove takes it off the list")
		case name == l.Beside:
			return config.Wrong(name, "the hall is beside this table", "it uses the hall's user: user = \""+hallUser+"\"")
		}
		for _, g := range append(slices.Clone(l.Guests), guest{Name: l.Beside}) {
			if mqtt.SameTopics(g.Name, name) {
				return config.Wrong(name, "Home Assistant cannot tell this table from "+g.Name, "give one of them another name")
			}
		}
		l.Guests = append(l.Guests, guest{Name: name})
	}
	return nil
}

// tablePassword is the file in which a table has its password, as docs/install.md says.
const tablePassword = "/etc/tableside/mqtt-password"

// admit gives a password to each guest without one. It returns the files for passwords, and what
// those guests need in their configurations.
func (o *Order) admit(l *list, m config.MQTT) (files []file, told string, err error) {
	for i := range l.Guests {
		g := &l.Guests[i]
		if g.Hashes != (mqtt.Hashes{}) {
			continue
		}
		var password string
		if password, g.Hashes, err = mqtt.NewPassword(); err != nil {
			return nil, "", err
		}
		g.Since = time.Now().UTC().Truncate(time.Second)
		if g.Name != hallUser || l.Beside != "" {
			g.Discovery = cmp.Or(o.discovery, g.Discovery)
		}
		name, lines := filepath.Join(o.outDir, g.Name), l.tableLines(*g, m)
		switch {
		case g.Name == hallUser:
			name = filepath.Join(l.data, PasswordName)
			files = append(files, file{name, password + "\n"})
			who := "The hall needs, in its"
			if l.Beside != "" {
				who = "The hall and its table " + l.Beside + " need, in their"
			}
			told += fmt.Sprintf("%s configuration:\n\n[mqtt]\nuser = %q\npassword_file = %q\n\n", who, hallUser, name)
		case o.outDir != "":
			files = append(files, file{name + ".toml", lines}, file{name + ".password", password + "\n"})
			told += fmt.Sprintf("%s is invited. %s.toml has the lines for its configuration,\n", g.Name, name) +
				fmt.Sprintf("%s.password its password, for %s there.\n\n", name, tablePassword)
		default:
			told += fmt.Sprintf("%s is invited. It needs, in its configuration:\n\n%s\n", g.Name, lines) +
				fmt.Sprintf("and in the file %s, which only the table reads,\n", tablePassword) +
				fmt.Sprintf("this password, which is not shown again:\n\n%s\n\n", password)
		}
	}
	return files, told, nil
}

// save writes new passwords and the list, tells the passwords and whether the hall had another name
// before, and writes the broker's files. It writes nothing if one has no folder, or one in which it
// may not write. A full disk shows only later: then --files writes the broker's files from the list.
func (o *Order) save(l *list, before string, m config.MQTT) error {
	private, told, err := o.admit(l, m)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	private = append(private, file{filepath.Join(l.data, listName), string(text) + "\n"})
	public, err := l.brokerFiles()
	if err != nil {
		return err
	}
	if l.Files == filepath.Join(l.data, "broker") { // another may be named wrongly
		if err := makeFolder(l.Files); err != nil {
			return failed(l.Files, err)
		}
	}
	for _, f := range slices.Concat(private, public) {
		err := unix.Access(filepath.Dir(f.name)+"/.", unix.W_OK)
		if info, is := os.Stat(f.name); err == nil && is == nil && info.IsDir() {
			err = syscall.EISDIR
		}
		if err != nil {
			return failed(f.name, err)
		}
	}
	for _, f := range private {
		if err := disk.ReplacePrivate(f.name, f.text); err != nil {
			return failed(f.name, err)
		}
	}
	if before != "" && before != l.Hall {
		fmt.Fprintf(o.Err, "the hall is called %s now: tables that were invited need hall = %[1]q\n", l.Hall)
	}
	fmt.Fprint(o.Out, told)
	for _, f := range public {
		if err := disk.Replace(f.name, f.text); err != nil {
			return config.Failed(f.name, config.Reason(err), "the list is written; when this is mended, "+
				"tableside hall invite --files "+l.Files+" writes the broker's files from it")
		}
	}
	fmt.Fprintf(o.Out, `mosquitto needs, once, in mosquitto.conf:

allow_anonymous false
password_file %s
acl_file %s

which the user mosquitto has to be able to read (--files puts them elsewhere), and
"sudo systemctl reload mosquitto" after each change. nats-server needs, once, in
nats-server.conf:

authorization { include "users.conf" }

and after each change a copy of %s
beside that file on each machine, and there "nats-server --signal reload".
`, public[0].name, public[1].name, public[2].name)
	return nil
}

var onThisMachine = regexp.MustCompile(`^([a-z]+://)?(localhost|127\.[0-9.]+|\[::1\])(:|/|$)`)

// tableLines returns the lines of a configuration with which a table uses the hall's brokers.
func (l *list) tableLines(g guest, m config.MQTT) string {
	brokers := m.Addresses()
	broker := `broker = "tcp://HOST:1883"    # where the broker is`
	if len(brokers) == 1 {
		broker = fmt.Sprintf("broker = %q", brokers[0])
	} else if len(brokers) > 1 {
		broker = `brokers = ["` + strings.Join(brokers, `", "`) + `"]`
	}
	if slices.ContainsFunc(brokers, onThisMachine.MatchString) {
		broker += "    # write this machine's address instead"
	}
	if m.CA != "" {
		broker += fmt.Sprintf("\nca = %q    # copy this file, too", m.CA)
	}
	return fmt.Sprintf("[table]\nname = %q\n\n[mqtt]\n%s\nuser = %q\npassword_file = %q\nhall = %q\ndiscovery = %q\n",
		g.Name, broker, g.Name, tablePassword, l.Hall, g.Discovery)
}
