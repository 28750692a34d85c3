package invite

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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
	"tableside/mqtt/homeassistant"
)

const (
	listName     = "invited.json"
	passwordName = "hall-password" // of the hall's own user
	hallUser     = "hall"
)

// A guest is a user of the broker: a table, or the hall.
type guest struct {
	Name      string      `json:"name"`
	Discovery string      `json:"discovery,omitempty"` // its prefix in Home Assistant, if any
	Since     time.Time   `json:"since"`
	Hashes    mqtt.Hashes `json:"hashes"`

	password string // if it is new: it is not kept
}

// A list holds the users of a broker. After an error it may be half changed, and must not be saved.
type list struct {
	Hall   string  `json:"hall"`             // the hall's name
	Beside string  `json:"beside,omitempty"` // the table beside the hall, which uses its user
	Files  string  `json:"files"`            // folder of the broker's files
	Guests []guest `json:"guests"`           // the hall first, then the tables as they came

	data    string // the hall's folder
	isSaved bool   // what has changed is on the disk, and new passwords are those of the guests
}

// lock makes a hall's folder if it is missing, and locks it until the result is closed. If another
// command changes the list, lock waits. A running hall locks a file in the folder instead.
func lock(data string) (*os.File, error) {
	if err := makeFolder(data); err != nil {
		return nil, err
	}
	folder, err := os.Open(data)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX); err != nil {
		folder.Close()
		return nil, &fs.PathError{Op: "lock", Path: data, Err: err}
	}
	return folder, nil
}

// open reads the list in a hall's folder. A list that is missing is empty.
func open(data string) (*list, error) {
	l := &list{data: data, Files: filepath.Join(data, "broker")}
	file := filepath.Join(data, listName)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	if err = engine.DecodeJSON(text, l); err == nil {
		err = l.validate()
	}
	if err != nil {
		return nil, config.Errorf(file, "bring it back from a backup, or delete it and invite all tables once more",
			"the list of who is invited is damaged: %v", err)
	}
	return l, nil
}

// validate checks everything in a list, because all of it goes into the files of a broker.
func (l *list) validate() error {
	if !engine.IsWord(l.Hall) || l.Beside != "" && !engine.IsWord(l.Beside) || !filepath.IsAbs(l.Files) {
		return errors.New("the hall, the table beside it or the folder cannot be called so")
	}
	for i, g := range l.Guests {
		if !engine.IsWord(g.Name) || l.find(g.Name) != i || (g.Name == hallUser) != (i == 0) || !g.Hashes.Valid() {
			return fmt.Errorf("%q is not the name of a guest, or has no such password", g.Name)
		}
		if err := checkDiscovery(g.Discovery); err != nil {
			return err
		}
	}
	return nil
}

func (l *list) find(name string) int {
	return slices.IndexFunc(l.Guests, func(g guest) bool { return g.Name == name })
}

// invite adds tables, in an empty list the hall before them, with their prefix in Home Assistant.
// With renew it gives guests other passwords, and another prefix unless that is "".
func (l *list) invite(tables []string, discovery string, renew bool) error {
	if err := checkDiscovery(discovery); err != nil {
		return err
	}
	if len(l.Guests) == 0 && !renew {
		if err := l.admit(hallUser, discovery); err != nil {
			return err
		}
	}
	for i, name := range tables {
		if slices.Contains(tables[:i], name) {
			return config.Wrong(name, "named twice", "")
		}
		if err := l.check(name, renew); err != nil {
			return err
		}
		if err := l.admit(name, discovery); err != nil {
			return err
		}
	}
	return nil
}

// admit gives a user a password, and adds it where it is new.
func (l *list) admit(name, discovery string) (err error) {
	at := l.find(name)
	if at < 0 {
		at, l.Guests = len(l.Guests), append(l.Guests, guest{Name: name})
	}
	g := &l.Guests[at]
	if name != hallUser || l.Beside != "" {
		g.Discovery = cmp.Or(discovery, g.Discovery)
	}
	g.Since = time.Now().UTC().Truncate(time.Second)
	g.password, g.Hashes, err = mqtt.NewPassword()
	return err
}

// check returns why a table cannot be invited, or with renew be given another password.
func (l *list) check(name string, renew bool) error {
	at := l.find(name)
	switch {
	case renew && at < 0:
		return config.Wrong(name, "this table is not invited yet", "without --again it is invited")
	case renew:
		return nil
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
	return nil
}

// checkDiscovery returns an error if the broker's files cannot hold this prefix for Home Assistant.
func checkDiscovery(prefix string) error {
	for _, level := range strings.Split(prefix, "/") {
		if prefix != "" && !mqtt.IsTable(level) {
			return config.Errorf("--discovery", "", "got %q, want a topic such as %s, of letters, digits and hyphens", prefix,
				homeassistant.DefaultDiscovery)
		}
	}
	return nil
}

func (l *list) remove(tables []string) error {
	for _, name := range tables {
		at := l.find(name)
		switch {
		case at < 0:
			return config.Wrong(fmt.Sprintf("%q", name), "this table is not invited", "tableside hall invite says who is")
		case name == hallUser:
			return config.Wrong(name, "this is the hall's own user: without it the hall hears nobody", "")
		}
		l.Guests = slices.Delete(l.Guests, at, at+1)
	}
	return nil
}

// users returns the guests as users of the broker, with their rights.
func (l *list) users() []mqtt.User {
	var all []mqtt.User
	for _, g := range l.Guests {
		u, table := mqtt.User{Name: g.Name, Hashes: g.Hashes}, g.Name
		if g.Name == hallUser {
			u.Rights, table = mqtt.HallRights(l.Hall), l.Beside
		}
		if table != "" {
			u.Rights = append(u.Rights, mqtt.TableRights(table, l.Hall, g.Discovery)...)
		}
		all = append(all, u)
	}
	return all
}

// brokerFiles are what a broker reads: mosquitto's password_file and acl_file, and what nats-server
// includes. Each finds the users in the lines of an owner: "one:hash", "user one", { user: one, … }.
var brokerFiles = []struct {
	name string
	text func(users []mqtt.User, own string) string
	user *regexp.Regexp
}{
	{"passwords", mqtt.PasswordFile, regexp.MustCompile(`(?m)^\s*([^:\n]+?)\s*:`)},
	{"access", mqtt.AccessList, regexp.MustCompile(`(?m)^user\s+(.*?)\s*$`)},
	{"users.conf", mqtt.NATSUsers, regexp.MustCompile(`\buser\s*[:=]?\s*["']?([^\s"',}]+)`)},
}

// A file is to be written by disk.Replace, or by disk.ReplacePrivate.
type file struct {
	name, text string
	replace    func(name, text string) error
}

// save writes new passwords, with outDir also what tables need, then the list, and then the broker's
// files, with the lines of the owner's files beside them. It writes nothing if one has no folder, or
// one in which it may not write. A full disk shows only later: until the list is written the same
// command starts over, and then --files writes the broker's files from the list.
func (l *list) save(outDir string, m config.MQTT) error {
	var files []file
	for _, g := range l.Guests {
		switch name := filepath.Join(outDir, g.Name); {
		case g.password == "":
		case g.Name == hallUser:
			files = append(files, file{filepath.Join(l.data, passwordName), g.password + "\n", disk.ReplacePrivate})
		case outDir != "":
			files = append(files, file{name + ".toml", l.tableLines(g, m), disk.ReplacePrivate},
				file{name + ".password", g.password + "\n", disk.ReplacePrivate})
		}
	}
	text, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	listFile := filepath.Join(l.data, listName)
	files = append(files, file{listFile, string(text) + "\n", disk.ReplacePrivate})
	for _, broker := range brokerFiles {
		name := filepath.Join(l.Files, broker.name)
		own, err := os.ReadFile(name + ".own")
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return err
		}
		if len(own) > 0 && own[len(own)-1] != '\n' {
			own = append(own, '\n')
		}
		for _, user := range broker.user.FindAllStringSubmatch(string(own), -1) {
			if l.find(user[1]) >= 0 { // brokers differ in which of the two entries they believe
				return config.Wrong(name+".own", user[1]+" is invited, too", "take it out, or --remove the table")
			}
		}
		files = append(files, file{name, broker.text(l.users(), string(own)), disk.Replace})
	}
	if l.Files == filepath.Join(l.data, "broker") { // another may be named wrongly
		if err := makeFolder(l.Files); err != nil {
			return err
		}
	}
	for _, f := range files {
		err := unix.Access(filepath.Dir(f.name)+"/.", unix.W_OK)
		if info, is := os.Stat(f.name); err == nil && is == nil && info.IsDir() {
			err = syscall.EISDIR
		}
		if err != nil {
			return &fs.PathError{Op: "write", Path: f.name, Err: err}
		}
	}
	for _, f := range files {
		if err := f.replace(f.name, f.text); err != nil && l.isSaved {
			return config.Failed(f.name, config.Reason(err), "the list is written; when this is mended, "+
				"tableside hall invite --files "+l.Files+" writes the broker's files from it")
		} else if err != nil {
			return &fs.PathError{Op: "write", Path: f.name, Err: config.Cause(err)}
		}
		l.isSaved = l.isSaved || f.name == listFile
	}
	return nil
}

// makeFolder makes a folder that is missing. It gets the owner of the folder that holds it, so that
// "sudo tableside hall invite" does not take it from the hall.
func makeFolder(dir string) error {
	if err := os.Mkdir(dir, 0o750); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Dir(dir)); err == nil && os.Geteuid() == 0 {
		owner := info.Sys().(*syscall.Stat_t)
		_ = os.Lchown(dir, int(owner.Uid), int(owner.Gid)) // some file systems have no owners
	}
	return nil
}
