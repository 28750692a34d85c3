package invite

import (
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

	"tableside/cmd/tableside/config"
	"tableside/engine"
	"tableside/mqtt"
)

const (
	listName = "invited.json"
	hallUser = "hall" // the hall's own user

	// PasswordName is the file in the hall's folder with the password of the hall's own user.
	PasswordName = "hall-password"
)

// A guest is a user of the broker: a table, or the hall.
type guest struct {
	Name      string      `json:"name"`
	Discovery string      `json:"discovery,omitempty"` // its prefix in Home Assistant, if any
	Since     time.Time   `json:"since"`
	Hashes    mqtt.Hashes `json:"hashes"` // of its password; none until it gets one
}

// A list holds the users of a broker.
type list struct {
	Hall   string  `json:"hall"`             // the hall's name; "" in a new list
	Beside string  `json:"beside,omitempty"` // the table beside the hall, which uses its user
	Files  string  `json:"files"`            // folder of the broker's files
	Guests []guest `json:"guests"`           // the hall first, then the tables as they came

	data string // the hall's folder
}

// lock makes a hall's folder if it is missing, and locks it until the result is closed. If another
// command changes the list, lock waits. A running hall locks a file in the folder instead.
func lock(data string) (folder *os.File, err error) {
	if err = makeFolder(data); err == nil {
		folder, err = os.Open(data)
	}
	if err == nil {
		err = syscall.Flock(int(folder.Fd()), syscall.LOCK_EX)
	}
	return folder, err
}

// open reads the list in a hall's folder. A new list has the hall, without a password.
func open(data string) (*list, error) {
	l := &list{Files: filepath.Join(data, "broker"), data: data}
	file := filepath.Join(data, listName)
	text, err := os.ReadFile(file)
	if err == nil {
		if err = engine.DecodeJSON(text, l); err == nil && !l.isSound() {
			err = errors.New("a name or a password in it cannot be one")
		}
		if err != nil {
			return nil, config.Errorf(file, "bring it back from a backup, or delete it and invite all tables once more",
				"the list of who is invited is damaged: %v", err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, failed(file, err)
	}
	if len(l.Guests) == 0 {
		l.Guests = []guest{{Name: hallUser}}
	}
	return l, nil
}

// isSound checks everything in a list, because all of it goes into the files of a broker.
func (l *list) isSound() bool {
	for i, g := range l.Guests {
		if !engine.IsWord(g.Name) || l.find(g.Name) != i || (g.Name == hallUser) != (i == 0) || !g.Hashes.Valid() ||
			!isDiscovery(g.Discovery) {
			return false
		}
	}
	return engine.IsWord(l.Hall) && (l.Beside == "" || engine.IsWord(l.Beside)) && filepath.IsAbs(l.Files)
}

// isDiscovery reports whether the broker's files can hold this prefix for Home Assistant.
var isDiscovery = regexp.MustCompile(`^([\pL\pN._-]+(/[\pL\pN._-]+)*)?$`).MatchString

func (l *list) find(name string) int {
	return slices.IndexFunc(l.Guests, func(g guest) bool { return g.Name == name })
}

// String says who is invited.
func (l *list) String() string {
	if l.Guests[0].Since.IsZero() {
		return "Nobody is invited yet: tableside hall invite one two\n"
	}
	var b strings.Builder
	for _, g := range l.Guests {
		also := ""
		if g.Name == hallUser {
			also = strings.TrimSuffix(", the hall "+l.Hall+" and its table "+l.Beside, " and its table ")
		}
		if g.Discovery != "" {
			also += ", announced below " + g.Discovery + "/"
		}
		fmt.Fprintf(&b, "%-20s since %s%s\n", g.Name, g.Since.Format("2006-01-02 15:04 UTC"), also)
	}
	fmt.Fprintf(&b, "\nThe broker's files are in %s.\n", l.Files)
	return b.String()
}

// A file is to be written.
type file struct{ name, text string }

// ownUsers finds the users in the lines of an owner: "one:hash", "user one", { user: one, … }.
var ownUsers = []*regexp.Regexp{regexp.MustCompile(`(?m)^\s*([^:\n]+?)\s*:`), regexp.MustCompile(`(?m)^user\s+(.*?)\s*$`),
	regexp.MustCompile(`\buser\s*[:=]?\s*["']?([^\s"',}]+)`)}

// brokerFiles returns what a broker reads, after the lines of the owner's files: mosquitto's
// password_file and acl_file, and what nats-server includes.
func (l *list) brokerFiles() (files []file, err error) {
	var users []mqtt.User
	for _, g := range l.Guests {
		u, table := mqtt.User{Name: g.Name, Hashes: g.Hashes}, g.Name
		if g.Name == hallUser {
			u.Rights, table = mqtt.HallRights(l.Hall), l.Beside
		}
		if table != "" {
			u.Rights = append(u.Rights, mqtt.TableRights(table, l.Hall, g.Discovery)...)
		}
		users = append(users, u)
	}
	text := []func(users []mqtt.User, own string) string{mqtt.PasswordFile, mqtt.AccessList, mqtt.NATSUsers}
	for i, name := range []string{"passwords", "access", "users.conf"} {
		name = filepath.Join(l.Files, name)
		own, err := os.ReadFile(name + ".own")
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return nil, failed(name+".own", err)
		}
		if len(own) > 0 && own[len(own)-1] != '\n' {
			own = append(own, '\n')
		}
		for _, user := range ownUsers[i].FindAllStringSubmatch(string(own), -1) {
			if l.find(user[1]) >= 0 { // brokers differ in which of the two entries they believe
				return nil, config.Wrong(name+".own", user[1]+" is invited, too", "take it out, or --remove the table")
			}
		}
		files = append(files, file{name, text[i](users, string(own))})
	}
	return files, nil
}

// failed returns an error about a file, and what to do.
func failed(name string, err error) error {
	hint := ""
	if errors.Is(err, fs.ErrPermission) {
		hint = "sudo tableside hall invite may write everywhere, and leaves files to whom the folder belongs"
	} else if errors.Is(err, fs.ErrNotExist) {
		hint = "make the folder first"
	}
	return config.Failed(name, config.Reason(err), hint)
}

// makeFolder makes a folder that is missing. It gets the owner of the folder that holds it, so that
// "sudo tableside hall invite" does not take it from the hall.
func makeFolder(dir string) error {
	err := os.Mkdir(dir, 0o750)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if parent, e := os.Stat(filepath.Dir(dir)); err == nil && e == nil {
		owner := parent.Sys().(*syscall.Stat_t)
		_ = os.Lchown(dir, int(owner.Uid), int(owner.Gid)) // some file systems have no owners
	}
	return err
}
