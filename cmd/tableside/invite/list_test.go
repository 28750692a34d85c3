package invite

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tableside/mqtt"
)

// open reads the list in a folder as the command does.
func open(t *testing.T, data string) *List {
	t.Helper()
	l, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if l.Hall == "" {
		l.Hall = "club"
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

// TestNothingChanges checks that a file that cannot be written leaves all others as they are, at
// the first invitation and later.
func TestNothingChanges(t *testing.T) {
	data, target := t.TempDir(), t.TempDir()
	try := func(name string) {
		t.Helper()
		l := open(t, data)
		defer l.Close()
		tickets, err := l.Invite([]string{name}, "", false)
		if err != nil {
			t.Fatal(err)
		}
		l.Files = target
		err = l.Save(File{Name: l.PasswordFile(), Text: tickets[0].Password, Private: true})
		if err == nil || !strings.Contains(err.Error(), filepath.Join(target, natsUsersName)) {
			t.Errorf("the error is %v", err)
		}
	}
	obstacle := filepath.Join(target, natsUsersName)
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
	l := open(t, data)
	l.Files = target
	if _, err := l.Invite([]string{"one"}, "", false); err != nil {
		t.Fatal(err)
	}
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	l.Close()
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

// TestBeside checks that the user of a hall beside a table has the rights of both, and keeps
// them when only the folder is named.
func TestBeside(t *testing.T) {
	data := t.TempDir()
	l := open(t, data)
	l.Beside = "bar"
	for _, bad := range []string{"bar", "hall"} {
		if _, err := l.Invite([]string{bad}, "", false); err == nil {
			t.Errorf("%s is invited", bad)
		}
		l.Guests = nil // an error leaves a list that is not to be saved
	}
	if _, err := l.Invite([]string{"one"}, "ha", false); err != nil {
		t.Fatal(err)
	}
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	l.Close()
	again := open(t, data)
	if _, err := again.Invite([]string{"two"}, "", false); err != nil {
		t.Fatal(err)
	}
	list := mqtt.AccessList(again.users(), "")
	for _, line := range []string{"topic read tableside/+/state", "topic write tableside-hall/club/#",
		"topic readwrite tableside/bar/#", "topic read tableside-hall/club/bar/#",
		"topic readwrite ha/device/tableside_bar/config", "topic readwrite ha/device/tableside_one/config"} {
		if !strings.Contains(list, line+"\n") {
			t.Errorf("%q is missing:\n%s", line, list)
		}
	}
	if _, err := again.Invite([]string{"two"}, "", true); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Invite([]string{"one"}, "", true); err != nil || again.Guests[1].Discovery != "ha" {
		t.Errorf("%v, %+v", err, again.Guests)
	}
}

// TestDamaged checks that a list which would put something else into the broker's files is
// refused.
func TestDamaged(t *testing.T) {
	data := t.TempDir()
	l := open(t, data)
	if _, err := l.Invite([]string{"one"}, "ha", false); err != nil {
		t.Fatal(err)
	}
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	l.Close()
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
		if _, err := Open(data); err == nil || !strings.Contains(err.Error(), "the list of who is invited is damaged: ") {
			t.Errorf("%q: %v", damage, err)
		}
		if now, err := os.ReadFile(file); err != nil || string(now) != text {
			t.Errorf("%q: the file is %s, %v", damage, now, err)
		}
	}
}
