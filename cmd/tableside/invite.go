package main

import (
	"errors"
	"flag"
	"io/fs"
	"path/filepath"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/invite"
)

// An invitation is the command "hall invite".
type invitation struct {
	*program
	remove, again          bool
	files, into, discovery string

	config config.Config
	list   *invite.List
	before string // how the hall was called; "" before the first change
}

func (v *invitation) flags(flags *flag.FlagSet) {
	flags.BoolVar(&v.remove, "remove", false, "invite: take these tables off the list")
	flags.BoolVar(&v.again, "again", false, "invite: give these tables other passwords")
	flags.StringVar(&v.files, "files", "", "invite: the broker's files are in this `DIR`, from now on")
	flags.StringVar(&v.into, "out", "", "invite: write what tables need into files in this `DIR`")
	flags.StringVar(&v.discovery, "discovery", "", "invite: Home Assistant's `PREFIX`, such as homeassistant")
}

// used reports whether a flag of the command is given.
func (v *invitation) used() bool { return v.remove || v.again || v.files+v.into+v.discovery != "" }

func (v *invitation) run(tables []string, file, brokers, http, data string) error {
	if err := v.check(tables, http); err != nil {
		return err
	}
	if err := v.load(file, brokers, data); err != nil {
		return err
	}
	list, err := invite.Open(v.config.Hall.Data)
	if err != nil {
		return listFailed(err)
	}
	defer list.Close()
	v.list = list
	if len(tables) == 0 && v.files == "" {
		return v.show()
	}
	v.call(file != "")
	switch {
	case v.remove:
		return v.takeOff(tables)
	case len(tables) > 0:
		return v.invite(tables)
	}
	return v.save()
}

// check returns what is wrong with the arguments.
func (v *invitation) check(tables []string, http string) error {
	const command = "hall invite"
	switch {
	case http != "":
		return wrong(command, "--http belongs to hall, which shows the page", "")
	case v.remove && (v.again || v.into != "" || v.discovery != ""):
		return wrong(command, "--remove excludes --again, --out and --discovery", "")
	case len(tables) == 0 && (v.remove || v.again || v.into != "" || v.discovery != ""):
		return wrong(command, "the names of the tables are missing", "tableside hall invite one two")
	case v.remove:
		return nil // what is in the list can be taken off
	}
	if err := invite.CheckDiscovery(v.discovery); err != nil {
		return wrong("--discovery", err.Error(), "")
	}
	for _, name := range tables {
		if err := invite.CheckName(name); err != nil {
			return err
		}
	}
	return nil
}

// load reads the configuration of the hall: its folder, its name, and its brokers for the tables.
func (v *invitation) load(file, brokers, data string) (err error) {
	v.config = config.New(v.env)
	if file != "" {
		v.config, err = config.Load(file, v.env)
	}
	c := &v.config
	if data != "" {
		c.Hall.Data = data
	}
	// The password that the configuration names may be the one to be made.
	var missing *config.Error
	if errors.As(err, &missing) && missing.Key == "mqtt.password_file" && c.Hall.Data != "" &&
		c.MQTT.PasswordFile == filepath.Join(c.Hall.Data, invite.PasswordName) {
		err = nil
	}
	if err != nil {
		return err
	}
	if brokers != "" {
		c.MQTT.Broker, c.MQTT.Brokers = "", strings.Split(brokers, ",")
		if why := c.CheckBrokers(); why != "" {
			return wrong("--broker", why, config.BrokerHint)
		}
	}
	switch {
	case c.MQTT.Embedded != "":
		return wrong("mqtt.embedded", "the table's own broker has one user for all, and no access list: it can invite nobody",
			"give all tables its mqtt.user and password, or use mosquitto or nats-server (docs/hall.md)")
	case c.Hall.Data == "":
		return wrong("hall invite", "there is no folder for the list of those who are invited",
			"name the hall's: --data DIR, or hall.data in --config")
	}
	if c.Hall.Data, err = filepath.Abs(c.Hall.Data); err != nil {
		return wrong("--data", err.Error(), "")
	}
	for _, dir := range []*string{&v.files, &v.into} {
		if *dir == "" {
			continue
		}
		if *dir, err = filepath.Abs(*dir); err != nil {
			return wrong("hall invite", err.Error(), "")
		}
	}
	return nil
}

// call sets the hall's name, and whether it is beside a table, from its configuration:
// the list remembers both.
func (v *invitation) call(configured bool) {
	l := v.list
	v.before = l.Hall
	if configured || l.Hall == "" {
		l.Hall, l.Beside = v.config.Hall.Name, ""
		if v.config.Hall.Listen != "" {
			l.Beside = v.config.Table.Name
		}
	}
	if v.files != "" {
		l.Files = v.files
	}
}

// listFailed returns the failure for an error of the list, whose files an error names.
func listFailed(err error) error {
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
	return no(path.Path, config.Reason(err), hint)
}
