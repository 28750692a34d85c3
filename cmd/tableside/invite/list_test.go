package invite

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"tableside/cmd/tableside/config"
)

// openList reads the list in a folder as the command does.
func openList(t *testing.T, data string) *list {
	t.Helper()
	l, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// files returns the texts of all files below a folder, by their names.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil { // else it is a folder
			all[filepath.Base(name)] = string(text)
		}
	}
	return all
}

// TestNothingChanges checks that a file that cannot be made leaves all others as they are, at the
// first invitation and later.
func TestNothingChanges(t *testing.T) {
	data, target := t.TempDir(), t.TempDir()
	try := func(name string) {
		t.Helper()
		_, err := order(data, Order{files: target}, name)
		if err == nil || !strings.Contains(err.Error(), filepath.Join(target, "users.conf")) {
			t.Errorf("the error is %v", err)
		}
	}
	obstacle := filepath.Join(target, "users.conf")
	if err := os.MkdirAll(filepath.Join(obstacle, "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	try("one")
	if left := len(files(t, data)) + len(files(t, target)); left != 0 {
		t.Errorf("%d files are left: %v %v", left, files(t, data), files(t, target))
	}
	if err := os.RemoveAll(obstacle); err != nil {
		t.Fatal(err)
	}
	if _, err := order(data, Order{files: target}, "one"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(obstacle); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(obstacle, "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	before, brokers := files(t, data), files(t, target)
	try("two")
	if !maps.Equal(files(t, data), before) || !maps.Equal(files(t, target), brokers) {
		t.Errorf("the files are\n%v\n%v\nand were\n%v\n%v", files(t, data), files(t, target), before, brokers)
	}
}

// order runs the command for a folder, and returns what it prints.
func order(data string, o Order, tables ...string) (string, error) {
	club := config.New(func(string) string { return "" })
	club.Hall.Name = "club"
	return orderFor(club, data, o, tables...)
}

func orderFor(hall config.Config, data string, o Order, tables ...string) (string, error) {
	var out strings.Builder
	o.Out, o.Err, hall.Hall.Data = &out, io.Discard, data
	err := o.Run(tables, hall, false)
	return out.String(), err
}

// TestBrokerFileFails checks that a file of the broker that fails only while it is written, as on a
// full disk, keeps nobody from knowing a new password, and that the list restores the file.
func TestBrokerFileFails(t *testing.T) {
	data := t.TempDir()
	if _, err := order(data, Order{}, "one"); err != nil {
		t.Fatal(err)
	}
	broker := filepath.Join(data, "broker")
	file := filepath.Join(broker, "users.conf")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/proc/version", file); err != nil { // nobody can make a file there
		t.Fatal(err)
	}
	told, err := order(data, Order{renew: true}, "one")
	if wrong, ok := errors.AsType[*config.Error](err); !ok || wrong.Key != file ||
		!strings.Contains(wrong.Hint, "tableside hall invite --files "+broker) {
		t.Errorf("the error is %#v", err)
	}
	if !regexp.MustCompile(`(?m)^[A-Z2-7]{26}$`).MatchString(told) {
		t.Errorf("no password is shown:\n%s", told)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := order(data, Order{files: broker}); err != nil {
		t.Fatal(err)
	}
	have := files(t, broker)
	want, err := openList(t, data).brokerFiles()
	if err != nil || len(want) != 3 {
		t.Fatal(want, err)
	}
	for _, f := range want {
		if have[filepath.Base(f.name)] != f.text {
			t.Errorf("the files are not those of the list:\n%v", have)
		}
	}
}

// TestTwoAtOnce checks that commands that run at the same time all change the list, the first time
// and later.
func TestTwoAtOnce(t *testing.T) {
	data := filepath.Join(t.TempDir(), "hall")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if _, err := order(data, Order{}, fmt.Sprintf("table-%d", i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if l := openList(t, data); len(l.Guests) != 9 {
		t.Errorf("the guests are\n%s", l)
	}
	if lines := strings.Count(files(t, filepath.Join(data, "broker"))["passwords"], "\ntable-"); lines != 8 {
		t.Errorf("%d tables have a password at the broker", lines)
	}
}

// TestBeside checks that the user of a hall beside a table has the rights of both, and keeps
// them when only the folder is named.
func TestBeside(t *testing.T) {
	data := t.TempDir()
	hall := config.New(func(string) string { return "" })
	hall.Hall.Name, hall.Hall.Listen, hall.Table.Name = "club", "127.0.0.1:0", "bar"
	for _, bad := range []string{"bar", "hall"} {
		if _, err := orderFor(hall, data, Order{}, bad); err == nil {
			t.Errorf("%s is invited", bad)
		}
	}
	said, err := orderFor(hall, data, Order{discovery: "ha"}, "one")
	if err != nil || !strings.Contains(said, "The hall and its table bar need, in their configuration:") {
		t.Fatal(said, err)
	}
	if _, err := order(data, Order{}, "two"); err != nil {
		t.Fatal(err)
	}
	list := files(t, filepath.Join(data, "broker"))["access"]
	for _, line := range []string{"topic read tableside/+/state", "topic write tableside-hall/club/#",
		"topic readwrite tableside/bar/#", "topic read tableside-hall/club/bar/#",
		"topic readwrite ha/device/tableside_bar/config", "topic readwrite ha/device/tableside_one/config"} {
		if !strings.Contains(list, line+"\n") {
			t.Errorf("%q is missing:\n%s", line, list)
		}
	}
	if _, err := order(data, Order{renew: true}, "two"); err != nil {
		t.Fatal(err)
	}
	_, err = order(data, Order{renew: true}, "one")
	if l := openList(t, data); err != nil || l.Guests[1].Discovery != "ha" {
		t.Errorf("%v, %+v", err, l.Guests)
	}
}

// TestDamaged checks that a list which would put something else into the broker's files is
// refused.
func TestDamaged(t *testing.T) {
	data := t.TempDir()
	if _, err := order(data, Order{discovery: "ha"}, "one"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(data, listName)
	sound, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for old, damage := range map[string]string{
		`"name": "one"`: `"name": "one\nuser two"`, `"name": "hall"`: `"name": "one"`, `"ha"`: `"ha\ntopic write #"`,
		`"hall": "club"`: `"hall": "#"`, `$7$`: `$6$`, `$2a$`: `\"$2a$`, `"guests"`: `"visitors"`, `{`: ``,
		`"files": "/`: `"files": "`, "\n}\n": "\n}{}\n",
	} {
		text := strings.Replace(string(sound), old, damage, 1)
		if text == string(sound) {
			t.Fatalf("%q is not in the list", old)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := open(data); err == nil || !strings.Contains(err.Error(), "the list of who is invited is damaged: ") {
			t.Errorf("%q: %v", damage, err)
		}
		if now, err := os.ReadFile(file); err != nil || string(now) != text {
			t.Errorf("%q: the file is %s, %v", damage, now, err)
		}
	}
}
