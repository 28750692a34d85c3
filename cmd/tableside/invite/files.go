package invite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/engine"
	"tableside/mqtt"
)

// These are the files and the folder in the hall's folder.
const (
	listName     = "invited.json"
	PasswordName = "hall-password" // of the hall's own user
	brokerFolder = "broker"        // where the broker's files are, unless somebody names another folder
)

// These are the names of the broker's files.
const (
	passwordsName  = "passwords"  // mosquitto's password_file
	accessListName = "access"     // mosquitto's acl_file
	natsUsersName  = "users.conf" // what nats-server includes
)

// ownSuffix is the end of the name of a file that the hall's owner writes. The file holds
// further users of the broker. The broker's file has the same name without the suffix. Save
// copies the lines of the owner's file into the broker's file.
const ownSuffix = ".own"

// A File holds the name and the text of a file that is to be written. If Private is set, only
// the file's owner will be able to read the file.
type File struct {
	Name, Text string
	Private    bool
}

// Open reads the list in a hall's folder. It also locks the folder until Close is called. If
// somebody else holds the lock, Open waits. If the folder holds no list, Open returns an empty
// list. If there is no folder, Open also returns an empty list, and locks nothing.
func Open(data string) (*List, error) {
	l := &List{data: data, Files: filepath.Join(data, brokerFolder)}
	dir, err := os.Open(data)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	l.lockedDir = dir
	if err := l.read(); err != nil {
		dir.Close()
		return nil, err
	}
	return l, nil
}

// Close unlocks the folder, so that others can change the list.
func (l *List) Close() error {
	if l.lockedDir == nil {
		return nil
	}
	return l.lockedDir.Close()
}

func (l *List) read() error {
	if err := syscall.Flock(int(l.lockedDir.Fd()), syscall.LOCK_EX); err != nil {
		return &fs.PathError{Op: "lock", Path: l.data, Err: err}
	}
	file := filepath.Join(l.data, listName)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := l.decode(text); err != nil {
		return config.Errorf(file, "bring it back from a backup, or delete it and invite all tables once more",
			"the list of who is invited is damaged: %v", err)
	}
	return nil
}

// decode reads a list from its text. It checks everything in the list, because all of it goes
// into the files of a broker.
func (l *List) decode(text []byte) error {
	from := json.NewDecoder(bytes.NewReader(text))
	from.DisallowUnknownFields()
	if err := from.Decode(l); err != nil {
		return err
	}
	if _, err := from.Token(); err != io.EOF {
		return errors.New("something follows the list")
	}
	if !engine.IsWord(l.Hall) || l.Beside != "" && !engine.IsWord(l.Beside) || !filepath.IsAbs(l.Files) {
		return errors.New("the hall, the table beside it or the folder cannot be called so")
	}
	for i, g := range l.Guests {
		switch {
		case !engine.IsWord(g.Name) || l.find(g.Name) != i || (g.Name == HallUser) != (i == 0):
			return fmt.Errorf("%q is not the name of a guest", g.Name)
		case !g.Hashes.Valid():
			return fmt.Errorf("%s has no such password", g.Name)
		case CheckDiscovery(g.Discovery) != nil:
			return CheckDiscovery(g.Discovery)
		}
	}
	return nil
}

// Save writes the given files, then the broker's files, then the list. It writes either all of
// these files or none.
func (l *List) Save(others ...File) error {
	text, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	if err := makeFolder(l.data); err != nil {
		return err
	}
	if l.Files == filepath.Join(l.data, brokerFolder) {
		if err := makeFolder(l.Files); err != nil {
			return err
		}
	}
	files, users := slices.Clone(others), l.users()
	for _, broker := range []struct {
		name string
		text func(users []mqtt.User, own string) string
	}{
		{passwordsName, mqtt.PasswordFile}, {accessListName, mqtt.AccessList}, {natsUsersName, mqtt.NATSUsers},
	} {
		name := filepath.Join(l.Files, broker.name)
		own, err := l.readOwnUsers(name + ownSuffix)
		if err != nil {
			return err
		}
		files = append(files, File{Name: name, Text: broker.text(users, own)})
	}
	return writeAll(append(files, File{Name: filepath.Join(l.data, listName), Text: string(text) + "\n", Private: true}))
}

// userOfNATS matches a user in the configuration of nats-server, and finds the name of the
// user. For example, it matches { user: one, … }.
var userOfNATS = regexp.MustCompile(`\buser\s*[:=]?\s*["']?([^\s"',}]+)`)

// readOwnUsers returns the lines of a file with further users, which the hall's owner has
// listed. If there is no such file, readOwnUsers returns "". If one of the users is also a
// guest, readOwnUsers fails, because brokers differ in which of the user's two entries they
// believe.
func (l *List) readOwnUsers(file string) (string, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "", nil // the folder that is missing is reported where it is written to
	}
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "user "), ":")
		names := []string{strings.TrimSpace(name)}
		if filepath.Base(file) == natsUsersName+ownSuffix {
			names = nil
			for _, found := range userOfNATS.FindAllStringSubmatch(line, -1) {
				names = append(names, found[1])
			}
		}
		for _, name := range names {
			if l.find(name) >= 0 {
				return "", config.Errorf(file, "take it out, or --remove the table", "%s is invited, too", name)
			}
		}
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return string(text), nil
}

// PasswordFile returns the path of the file that holds the hall's own password.
func (l *List) PasswordFile() string { return filepath.Join(l.data, PasswordName) }

// writeAll writes each file as a whole. If a file cannot be written, writeAll gives the
// earlier files their old content back, and returns an error.
func writeAll(files []File) error {
	var undo []func()
	for _, f := range files {
		before, err := os.ReadFile(f.Name)
		isNew := errors.Is(err, fs.ErrNotExist)
		if err == nil || isNew {
			err = f.write()
		}
		if err != nil {
			for _, back := range slices.Backward(undo) {
				back()
			}
			return &fs.PathError{Op: "write", Path: f.Name, Err: config.Cause(err)}
		}
		undo = append(undo, func() {
			if isNew {
				_ = os.Remove(f.Name) // the error to report is the first
			} else {
				_ = File{f.Name, string(before), f.Private}.write()
			}
		})
	}
	return nil
}

func (f File) write() error {
	if _, err := os.Stat(filepath.Dir(f.Name)); err != nil {
		return err // a folder that somebody named, perhaps wrongly
	}
	if f.Private {
		return device.ReplacePrivate(f.Name, f.Text)
	}
	return device.Replace(f.Name, f.Text)
}

// makeFolder makes a folder if the folder is missing. The parent of the folder must exist. The
// folder gets the owner of its parent, so that "sudo tableside hall invite" does not take the
// folder from the hall.
func makeFolder(dir string) error {
	if err := os.Mkdir(dir, 0o750); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	info, err := os.Stat(filepath.Dir(dir))
	if err != nil {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		_ = os.Chown(dir, int(stat.Uid), int(stat.Gid)) // some file systems have no owners
	}
	return nil
}
