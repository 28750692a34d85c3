// Package invite is the command "hall invite". It keeps the list of the tables that a hall has
// invited to its broker, and writes the files from which the broker knows them.
package invite

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
)

// An Order is what the command is asked for, and where it answers.
type Order struct {
	Env      func(string) string
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

// Run invites the tables or removes them; without tables it lists who is invited. The other
// arguments are those of the command hall.
func (o *Order) Run(tables []string, file, brokers, http, data string) error {
	const command = "hall invite"
	switch {
	case http != "":
		return config.Wrong(command, "--http belongs to hall, which shows the page", "")
	case o.remove && o.invites():
		return config.Wrong(command, "--remove excludes --again, --out and --discovery", "")
	case len(tables) == 0 && (o.remove || o.invites()):
		return config.Wrong(command, "the names of the tables are missing", "tableside hall invite one two")
	}
	c, err := o.load(file, brokers, data)
	if err != nil {
		return err
	}
	changes := len(tables) > 0 || o.files != ""
	if changes {
		folder, err := lock(c.Hall.Data)
		if err != nil {
			return explain(err)
		}
		defer folder.Close()
	}
	l, err := open(c.Hall.Data)
	if err != nil {
		return explain(err)
	}
	if !changes {
		fmt.Fprint(o.Out, l)
		return nil
	}
	before := l.Hall
	if file != "" || l.Hall == "" {
		l.Hall, l.Beside = c.Hall.Name, ""
		if c.Hall.Listen != "" {
			l.Beside = c.Table.Name
		}
	}
	l.Files = cmp.Or(o.files, l.Files)
	if o.remove {
		err = l.remove(tables)
	} else if len(tables) > 0 {
		err = l.invite(tables, o.discovery, o.renew)
	}
	if err == nil {
		err = l.save(o.outDir, c.MQTT)
	}
	if !l.isSaved {
		return explain(err)
	}
	if before != "" && before != l.Hall {
		fmt.Fprintf(o.Err, "the hall is called %s now: tables that were invited need hall = %[1]q\n", l.Hall)
	}
	l.tell(o.Out, o.outDir, c.MQTT)
	return err
}

// load reads the configuration of the hall: its folder, its name, and its brokers for the tables.
func (o *Order) load(file, brokers, data string) (c config.Config, err error) {
	c = config.New(o.Env)
	if file != "" {
		c, err = config.Load(file, o.Env)
	}
	c.Hall.Data = cmp.Or(data, c.Hall.Data)
	// The password file that the configuration names may be the one that this command makes.
	if missing, only := err.(*config.Error); only && missing.Key == "mqtt.password_file" && c.Hall.Data != "" &&
		c.MQTT.PasswordFile == filepath.Join(c.Hall.Data, passwordName) {
		err = nil
	}
	if err != nil {
		return c, err
	}
	if brokers != "" {
		c.MQTT.Broker, c.MQTT.Brokers = "", strings.Split(brokers, ",")
		if why := c.CheckBrokers(); why != "" {
			return c, config.Wrong("--broker", why, config.BrokerHint)
		}
	}
	switch {
	case c.MQTT.Embedded != "":
		return c, config.Wrong("mqtt.embedded",
			"the table's own broker has one user for all, and no access list: it can invite nobody",
			"give all tables its mqtt.user and password, or use mosquitto or nats-server (docs/hall.md)")
	case c.Hall.Data == "":
		return c, config.Wrong("hall invite", "there is no folder for the list of those who are invited",
			"name the hall's: --data DIR, or hall.data in --config")
	}
	for _, dir := range []*string{&c.Hall.Data, &o.files, &o.outDir} {
		if *dir != "" && err == nil {
			*dir, err = filepath.Abs(*dir)
		}
	}
	return c, err
}

// explain adds to an error about a file what to do.
func explain(err error) error {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return err
	}
	hint := ""
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = "sudo tableside hall invite may write everywhere, and leaves files to whom the folder belongs"
	case errors.Is(err, fs.ErrNotExist):
		hint = "make the folder first"
	}
	return config.Failed(path.Path, config.Reason(err), hint)
}

// String says who is invited.
func (l *list) String() string {
	if len(l.Guests) == 0 {
		return "Nobody is invited yet: tableside hall invite one two\n"
	}
	var b strings.Builder
	for _, g := range l.Guests {
		also := ""
		if g.Name == hallUser {
			also = ", the hall " + l.Hall
			if l.Beside != "" {
				also += " and its table " + l.Beside
			}
		}
		if g.Discovery != "" {
			also += ", announced below " + g.Discovery + "/"
		}
		fmt.Fprintf(&b, "%-20s since %s%s\n", g.Name, g.Since.Format("2006-01-02 15:04 UTC"), also)
	}
	fmt.Fprintf(&b, "\nThe broker's files are in %s.\n", l.Files)
	return b.String()
}

// tablePassword is the file in which a table has its password, as docs/install.md says.
const tablePassword = "/etc/tableside/mqtt-password"

// tell prints what those who have a new password need in their configurations, and the broker.
func (l *list) tell(out io.Writer, outDir string, m config.MQTT) {
	for _, g := range l.Guests {
		switch {
		case g.password == "":
		case g.Name == hallUser:
			who := "The hall needs, in its"
			if l.Beside != "" {
				who = "The hall and its table " + l.Beside + " need, in their"
			}
			fmt.Fprintf(out, "%s configuration:\n\n[mqtt]\nuser = %q\npassword_file = %q\n\n", who, hallUser,
				filepath.Join(l.data, passwordName))
		case outDir != "":
			name := filepath.Join(outDir, g.Name)
			fmt.Fprintf(out, "%s is invited. %s.toml has the lines for its configuration,\n", g.Name, name)
			fmt.Fprintf(out, "%s.password its password, for %s there.\n\n", name, tablePassword)
		default:
			fmt.Fprintf(out, "%s is invited. It needs, in its configuration:\n\n%s\n", g.Name, l.tableLines(g, m))
			fmt.Fprintf(out, "and in the file %s, which only the table reads,\n", tablePassword)
			fmt.Fprintf(out, "this password, which is not shown again:\n\n%s\n\n", g.password)
		}
	}
	in := func(name string) string { return filepath.Join(l.Files, name) }
	fmt.Fprintf(out, `mosquitto needs, once, in mosquitto.conf:

allow_anonymous false
password_file %s
acl_file %s

which the user mosquitto has to be able to read (--files puts them elsewhere), and
"sudo systemctl reload mosquitto" after each change. nats-server needs, once, in
nats-server.conf:

authorization { include "users.conf" }

and after each change a copy of %s
beside that file on each machine, and there "nats-server --signal reload".
`, in("passwords"), in("access"), in("users.conf"))
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
