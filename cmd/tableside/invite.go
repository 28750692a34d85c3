package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/invite"
)

// An invitation is the command "hall invite".
type invitation struct {
	*program
	remove, renew            bool
	files, outDir, discovery string

	config  config.Config
	list    *invite.List
	oldName string // of the hall, before this command; "" for a new list
}

func (v *invitation) flags(flags *flag.FlagSet) {
	flags.BoolVar(&v.remove, "remove", false, "invite: take these tables off the list")
	flags.BoolVar(&v.renew, "again", false, "invite: give these tables other passwords")
	flags.StringVar(&v.files, "files", "", "invite: the broker's files are in this `DIR`, from now on")
	flags.StringVar(&v.outDir, "out", "", "invite: write what tables need into files in this `DIR`")
	flags.StringVar(&v.discovery, "discovery", "", "invite: Home Assistant's `PREFIX`, such as homeassistant")
}

// used reports whether a flag of the command is given.
func (v *invitation) used() bool { return v.remove || v.renew || v.files+v.outDir+v.discovery != "" }

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
	v.recordNames(file != "")
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
		return usageFailure(command, "--http belongs to hall, which shows the page", "")
	case v.remove && (v.renew || v.outDir != "" || v.discovery != ""):
		return usageFailure(command, "--remove excludes --again, --out and --discovery", "")
	case len(tables) == 0 && (v.remove || v.renew || v.outDir != "" || v.discovery != ""):
		return usageFailure(command, "the names of the tables are missing", "tableside hall invite one two")
	case v.remove:
		return nil // what is in the list can be taken off
	}
	if err := invite.CheckDiscovery(v.discovery); err != nil {
		return usageFailure("--discovery", err.Error(), "")
	}
	for _, name := range tables {
		if err := invite.CheckName(name); err != nil {
			return err
		}
	}
	return nil
}

// load reads the configuration of the hall: its folder, its name, and its brokers for the
// tables.
func (v *invitation) load(file, brokers, data string) (err error) {
	v.config = config.New(v.env)
	if file != "" {
		v.config, err = config.Load(file, v.env)
	}
	c := &v.config
	if data != "" {
		c.Hall.Data = data
	}
	// The password file that the configuration names may be the one that this command makes.
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
			return usageFailure("--broker", why, config.BrokerHint)
		}
	}
	switch {
	case c.MQTT.Embedded != "":
		return usageFailure("mqtt.embedded",
			"the table's own broker has one user for all, and no access list: it can invite nobody",
			"give all tables its mqtt.user and password, or use mosquitto or nats-server (docs/hall.md)")
	case c.Hall.Data == "":
		return usageFailure("hall invite", "there is no folder for the list of those who are invited",
			"name the hall's: --data DIR, or hall.data in --config")
	}
	if c.Hall.Data, err = filepath.Abs(c.Hall.Data); err != nil {
		return usageFailure("--data", err.Error(), "")
	}
	for _, dir := range []*string{&v.files, &v.outDir} {
		if *dir == "" {
			continue
		}
		if *dir, err = filepath.Abs(*dir); err != nil {
			return usageFailure("hall invite", err.Error(), "")
		}
	}
	return nil
}

// recordNames records two names in the list: the name of the hall, and the name of the table
// beside the hall. If there is no table beside the hall, the second name is "". If the user
// gave no configuration (configured is false) and the list already has a name of the hall,
// recordNames changes neither name. If --files names a folder, recordNames also records the
// folder.
func (v *invitation) recordNames(configured bool) {
	l := v.list
	v.oldName = l.Hall
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

// invite invites tables, saves the list, and prints what the tables and the broker need.
func (v *invitation) invite(tables []string) error {
	tickets, err := v.list.Invite(tables, v.discovery, v.renew)
	if err != nil {
		return err
	}
	var files []invite.File
	for _, t := range tickets {
		switch {
		case t.Name == invite.HallUser:
			files = append(files, invite.File{Name: v.list.PasswordFile(), Text: t.Password + "\n", Private: true})
		case v.outDir != "":
			lines := v.list.TableLines(t.Guest, v.config.MQTT)
			files = append(files, invite.File{Name: v.outFile(t.Name, "toml"), Text: lines, Private: true},
				invite.File{Name: v.outFile(t.Name, "password"), Text: t.Password + "\n", Private: true})
		}
	}
	if err := v.write(files...); err != nil {
		return err
	}
	for _, t := range tickets {
		v.tell(t)
	}
	fmt.Fprint(v.out, v.list.BrokerLines())
	return nil
}

func (v *invitation) outFile(table, ending string) string {
	return filepath.Join(v.outDir, table+"."+ending)
}

// tell prints what an invited table, or the hall itself, needs in its configuration.
func (v *invitation) tell(t invite.Ticket) {
	switch {
	case t.Name == invite.HallUser && v.list.Beside != "":
		fmt.Fprintf(v.out, "The hall and its table %s need, in their configuration:\n\n%s\n", v.list.Beside,
			v.list.HallLines())
	case t.Name == invite.HallUser:
		fmt.Fprintf(v.out, "The hall needs, in its configuration:\n\n%s\n", v.list.HallLines())
	case v.outDir != "":
		fmt.Fprintf(v.out, "%s is invited. %s has the lines for its configuration,\n", t.Name, v.outFile(t.Name, "toml"))
		fmt.Fprintf(v.out, "%s its password, for %s there.\n\n", v.outFile(t.Name, "password"), invite.TablePasswordFile)
	default:
		fmt.Fprintf(v.out, "%s is invited. It needs, in its configuration:\n\n%s\n", t.Name,
			v.list.TableLines(t.Guest, v.config.MQTT))
		fmt.Fprintf(v.out, "and in the file %s, which only the table reads,\n", invite.TablePasswordFile)
		fmt.Fprintf(v.out, "this password, which is not shown again:\n\n%s\n\n", t.Password)
	}
}

// takeOff takes tables off the list of guests.
func (v *invitation) takeOff(tables []string) error {
	if err := v.list.Remove(tables); err != nil {
		return err
	}
	return v.save()
}

// save writes the list and the broker's files, and prints what the broker needs.
func (v *invitation) save() error {
	if err := v.write(); err != nil {
		return err
	}
	fmt.Fprint(v.out, v.list.BrokerLines())
	return nil
}

// write saves the list, the broker's files and the given files. If the hall's name has
// changed, it prints that tables need the new name.
func (v *invitation) write(others ...invite.File) error {
	if err := v.list.Save(others...); err != nil {
		return listFailed(err)
	}
	if now := v.list.Hall; v.oldName != "" && v.oldName != now {
		fmt.Fprintf(v.err, "the hall is called %s now: tables that were invited need hall = %q\n", now, now)
	}
	return nil
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

// listFailed returns the failure for an error of the list. If the error is about a file, the
// failure names the file; any other error is returned as it is.
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
	return negativeFailure(path.Path, config.Reason(err), hint)
}
