package device

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
)

// A lineBox is a game whose owner's file is a list of lines.
type lineBox struct{}

func (lineBox) Define(_, source string) (lines []string, faults []*engine.SyntaxError) {
	for line := range strings.FieldsSeq(source) {
		if line == "bad" {
			faults = append(faults, &engine.SyntaxError{Reason: "bad line"})
		} else {
			lines = append(lines, line)
		}
	}
	return lines, faults
}

// TestOwner tests that what is learnt is appended to what the owner wrote, once, and
// read back for every edition, and that a game without card data has no file.
func TestOwner(t *testing.T) {
	o := Owner{Dir: t.TempDir(), Box: func(game string) Box {
		if game == "plain" {
			return nil
		}
		return lineBox{}
	}}
	expect := func(game string, want ...string) {
		t.Helper()
		if got, _, err := o.Read(game); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", game, got, err, want)
		}
	}
	learn := func(define string) {
		t.Helper()
		if err := o.Learn("count/first", []string{define}); err != nil {
			t.Fatal(err)
		}
	}
	expect("count/first")
	learn("one")
	learn("one")
	expect("count/second", "one")
	if err := os.WriteFile(o.File("count/first"), []byte("one\nopen"), 0o600); err != nil {
		t.Fatal(err)
	}
	learn("two")
	expect("count/first", "one", "open", "two")
	learn("bad")
	expect("count/first", "one", "open", "two")
	if _, faults, err := o.Read("count/first"); err != nil || len(faults) != 1 {
		t.Errorf("a mistake in the file: got %v, %v", faults, err)
	}
	if err := os.WriteFile(o.File("plain"), []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect("plain")
}

// TestOwnerLearnsWhole tests that the file as it was stays whole until the longer
// one takes its place, and that a link to it remains one.
func TestOwnerLearnsWhole(t *testing.T) {
	o := Owner{Dir: t.TempDir(), Box: func(string) Box { return lineBox{} }}
	file, before := o.File("count/first"), filepath.Join(t.TempDir(), "before")
	if err := o.Learn("count/first", []string{"one"}); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(file, before); err != nil {
		t.Fatal(err)
	}
	if err := o.Learn("count/first", []string{"two"}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, before) + read(t, file); got != "one\none\ntwo\n" {
		t.Errorf("got %q", got)
	}
	moved := errors.Join(os.Rename(file, before), os.Symlink(before, file))
	if err := errors.Join(moved, o.Learn("count/first", []string{"three"})); err != nil {
		t.Fatal(err)
	}
	if got := read(t, before); got != "one\ntwo\nthree\n" {
		t.Errorf("behind a link: got %q", got)
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 2 {
		t.Errorf("got %v, %v, want the file and its history alone", left, err)
	}
	if got := read(t, filepath.Join(o.History("count/first"), "0001.txt")) +
		read(t, filepath.Join(o.History("count/first"), "0002.txt")); got != "one\none\ntwo\n" {
		t.Errorf("history: got %q", got)
	}
}

// TestOwnerLearnsAtOnce tests that several lines are one change of the file, and that it
// does not grow without end.
func TestOwnerLearnsAtOnce(t *testing.T) {
	o := Owner{Dir: t.TempDir(), Box: func(string) Box { return lineBox{} }}
	for range 2 {
		if err := o.Learn("count/first", []string{"one", "two", "one", "three"}); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, o.File("count/first")); got != "one\ntwo\nthree\n" {
		t.Errorf("got %q", got)
	}
	if versions, err := o.Versions("count/first", -1); err != nil || len(versions) != 0 {
		t.Errorf("got %v, %v, want one change", versions, err)
	}
	if err := o.Learn("count/first", []string{strings.Repeat("x", maxOwnerFile)}); err == nil {
		t.Error("a longer file is kept")
	}
	if got := read(t, o.File("count/first")); got != "one\ntwo\nthree\n" {
		t.Errorf("got %.40q", got)
	}
}

// TestOwnerVersions tests that old versions are listed by their numbers, the newest
// first, whatever else lies in the folder.
func TestOwnerVersions(t *testing.T) {
	o := Owner{Dir: t.TempDir(), Box: func(string) Box { return lineBox{} }}
	for _, line := range []string{"one", "two", "three", "four"} {
		if err := o.Learn("count/first", []string{line}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(o.History("count/first"), "12 copy.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int]string{-1: "one\ntwo\nthree\n|one\ntwo\n|one\n|", 2: "one\ntwo\nthree\n|one\ntwo\n|"} {
		versions, err := o.Versions("count/first", most)
		got := ""
		for i, v := range versions {
			if got += v.Text + "|"; v.N != 3-i || v.Time.IsZero() {
				t.Errorf("got %+v", v)
			}
		}
		if err != nil || got != want {
			t.Errorf("%d: got %q, %v, want %q", most, got, err, want)
		}
	}
}
