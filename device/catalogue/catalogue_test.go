package catalogue

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"tableside/device"
	"tableside/engine"
)

const written = `# the starter decks
04A1B2C3D4E5F6 mutants/zombie.1   # torn

04:a1:b2:c3:d4:e5:f7	mutants/zombie.2
04-A1-B2-C3-D4-E5-F8 key undo
  12ab34cd roll growth-2
04A1B2C3D4E5F6A7B8C9 key/yes`

func open(t *testing.T, source string) (*Catalogue, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "data", "tags")
	if source != "" {
		write(t, file, source)
	}
	c, err := Open(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, file
}

func write(t *testing.T, file, source string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		t.Fatal(err)
	}
	// Write a new file, as editors do, so that a change within one tick of the
	// file system's clock is noticed.
	if err := os.WriteFile(file+"~", []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+"~", file); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func meaning(t *testing.T, s string) device.Meaning {
	t.Helper()
	m, err := device.ParseMeaning(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func said(c *Catalogue, tag, text string) string {
	m, ok := c.Meaning(tag, text)
	if !ok {
		return ""
	}
	return m.String()
}

func TestMeaning(t *testing.T) {
	c, _ := open(t, written)
	for tag, want := range map[string]string{
		"04A1B2C3D4E5F6": "mutants/zombie.1", "04A1B2C3D4E5F7": "mutants/zombie.2", "04A1B2C3D4E5F8": "key/undo",
		"12AB34CD": "roll/growth-2", "04A1B2C3D4E5F6A7B8C9": "key/yes", "04FFFFFFFFFFFF": "",
	} {
		if got := said(c, tag, ""); got != want {
			t.Errorf("%s is %q", tag, got)
		}
	}
	if got := said(c, "04FFFFFFFFFFFF", "tableside:mutants/bat.1"); got != "mutants/bat.1" {
		t.Errorf("a tag that names itself is %q", got)
	}
	if got := said(c, "04A1B2C3D4E5F6", "tableside:mutants/bat.1"); got != "mutants/zombie.1" {
		t.Errorf("the catalogue comes first, but the tag is %q", got)
	}
	if e := c.Entries(); len(e) != 5 || e[1].Line != 4 || e[1].Tag != "04A1B2C3D4E5F7" {
		t.Errorf("entries %+v", e)
	}
}

func TestParseErrors(t *testing.T) {
	for source, want := range map[string]string{
		"04A1B2C3D4E5F6 mutants/zombie.1\n\n 04a1b2c3d4e5f6 key " +
			"undo": "tags:3:1: the tag 04A1B2C3D4E5F6 is already in line 1",
		"# x\r\n04A1B2C3D4E5 " +
			"mutants/zombie.1": `tags:2:1: "04A1B2C3D4E5" is not the UID of a tag: 8, 14 or 20 hexadecimal digits`,
		" 04A1B2C3D4E5FG " +
			"mutants/zombie.1": `tags:1:2: "04A1B2C3D4E5FG" is not the UID of a tag: 8, 14 or 20 hexadecimal digits`,
		"04:A1:B2C3:D4 " +
			"mutants/zombie.1": `tags:1:1: "04:A1:B2C3:D4" is not the UID of a tag: 8, 14 or 20 hexadecimal digits`,
		"08A1B2C3 mutants/zombie.1": `tags:1:1: 08A1B2C3 is a random number, as a phone or a bank card gives another each time`,
		"04A1B2C3D4E5F6":            `tags:1:15: what the tag means is missing, such as "mutants/zombie.2" or "key undo"`,
		"04A1B2C3D4E5F6 " +
			"zombie.1": `tags:1:16: got "zombie.1", want a meaning such as "mutants/zombie.2", "key/undo" or "roll/growth-2"`,
		"04A1B2C3D4E5F6 mutants " +
			"zombie.1": `tags:1:16: got "mutants", want a meaning such as "mutants/zombie.2", "key/undo" or "roll/growth-2"`,
		"04A1B2C3D4E5F6 mutants/zombie":            `tags:1:16: "zombie" is not a copy of a card, such as "zombie.2"`,
		"04A1B2C3D4E5F6 mutants/zombie.1 zombie.2": `tags:1:33: unexpected "zombie.2" at end of line`,
		"04A1B2C3D4E5F6 " +
			"key": `tags:1:16: got "key", want a meaning such as "mutants/zombie.2", "key/undo" or "roll/growth-2"`,
		"04A1B2C3D4E5F6 key undo now": `tags:1:25: unexpected "now" at end of line`,
		"04A1B2C3D4E5F6 key " +
			"jump": `tags:1:16: "jump" is not a key; there are yes, no, left, right, plus, minus, next, roll, undo and redo`,
		"04A1B2C3D4E5F6 \"key":       `tags:1:16: quoted word has no end`,
		"04A1B2C3D4E5F6 key\x00undo": `tags:1:16: unprintable character in a word`,
	} {
		_, err := Parse("tags", source)
		var syntax *engine.SyntaxError
		if err == nil || err.Error() != want || !errors.As(err, &syntax) {
			t.Errorf("%q:\n got %v\nwant %s", source, err, want)
		}
	}
	file := filepath.Join(t.TempDir(), "tags")
	write(t, file, "nonsense")
	if _, err := Open(file, nil); err == nil || !strings.HasPrefix(err.Error(), file+":1:1:") {
		t.Errorf("a wrong file: %v", err)
	}
	if _, err := Open(t.TempDir(), nil); err == nil {
		t.Error("a folder is a catalogue")
	}
}

// TestLearn checks that learning a tag changes its line in the file and nothing
// else.
func TestLearn(t *testing.T) {
	c, file := open(t, written)
	learn := func(tag, card, before string) {
		t.Helper()
		if got, err := c.Learn(tag, meaning(t, card)); err != nil || got != before {
			t.Errorf("learn %s %s: %q, %v", tag, card, got, err)
		}
	}
	learn("04-00-00-00-00-00-01", "mutants/bat.1", "")            // a new one
	learn("04A1B2C3D4E5F7", "mutants/zombie.3", "")               // known as another card
	learn("04000000000002", "mutants/zombie.1", "04A1B2C3D4E5F6") // a card that had another tag
	learn("04000000000003", "key/undo", "")                       // two keys may do the same
	learn("04000000000003", "key/undo", "")                       // again
	if err := c.Forget("12AB34CD"); err != nil {
		t.Error(err)
	}
	if err := c.Forget("04999999999999"); err != nil {
		t.Error(err)
	}
	want := `# the starter decks

04A1B2C3D4E5F7 mutants/zombie.3
04-A1-B2-C3-D4-E5-F8 key undo
04A1B2C3D4E5F6A7B8C9 key/yes
04000000000001 mutants/bat.1
04000000000002 mutants/zombie.1
04000000000003 key undo
`
	if got := read(t, file); got != want {
		t.Errorf("the file is now\n%s", got)
	}
	if got := said(c, "04000000000001", ""); got != "mutants/bat.1" {
		t.Errorf("learnt %q", got)
	}
	if got := said(c, "04A1B2C3D4E5F6", ""); got != "" {
		t.Errorf("forgotten, it is %q", got)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	for _, tag := range []string{"x", "", "0401"} {
		var syntax *engine.SyntaxError
		if _, err := c.Learn(tag, meaning(t, "mutants/bat.2")); !errors.As(err, &syntax) {
			t.Errorf("learnt a tag %q: %v", tag, err)
		}
	}
	again, err := Open(file, nil)
	if err != nil || !slices.Equal(again.Entries(), c.Entries()) {
		t.Errorf("read again it is %+v, %v", again.Entries(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// TestLearnFirst checks that a missing file is created, with its folder.
func TestLearnFirst(t *testing.T) {
	c, file := open(t, "")
	if e := c.Entries(); len(e) != 0 {
		t.Errorf("entries %+v", e)
	}
	if _, err := c.Learn("04000000000001", meaning(t, "mutants/bat.1")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, file); got != "04000000000001 mutants/bat.1\n" {
		t.Errorf("the file is %q", got)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}

// TestLearnKeepsTheOwner checks that root, by sudo, leaves the file to its owner.
func TestLearnKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	const table, other = 4711, 4712
	dir := t.TempDir()
	if err := os.Chown(dir, table, table); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "tags")
	c, err := Open(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []uint32{table, other} {
		if _, err := c.Learn(fmt.Sprintf("0400000000000%d", n), meaning(t, "mutants/zombie.1")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Sys().(*syscall.Stat_t); got.Uid != want || got.Gid != want {
			t.Errorf("it belongs to %d:%d, not to %d", got.Uid, got.Gid, want)
		}
		if err := os.Chown(file, other, other); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLearnFails checks that the file and the catalogue are unchanged if it
// cannot be written.
func TestLearnFails(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "data"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Open(filepath.Join(dir, "tags"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.file = filepath.Join(dir, "data", "tags") // below a file
	if _, err := c.Learn("04000000000001", meaning(t, "mutants/bat.1")); err == nil {
		t.Error("it was written")
	}
	if got := said(c, "04000000000001", ""); got != "" {
		t.Errorf("it is known as %q", got)
	}
}

// TestEdited checks that the owner may edit the file while the table runs.
func TestEdited(t *testing.T) {
	var log bytes.Buffer
	c, file := open(t, written)
	c.log = slog.New(slog.NewTextHandler(&log, nil))
	write(t, file, strings.Replace(written, "zombie.2", "zombie.7", 1))
	if got := said(c, "04A1B2C3D4E5F7", ""); got != "mutants/zombie.7" {
		t.Errorf("after an edit it is %q", got)
	}
	write(t, file, written+" oops\n")
	for range 3 {
		if got := said(c, "04A1B2C3D4E5F7", ""); got != "mutants/zombie.7" {
			t.Errorf("after a bad edit it is %q", got)
		}
	}
	if n := strings.Count(log.String(), "ERROR"); n != 1 || !strings.Contains(log.String(), "tags:7:30:") {
		t.Errorf("log\n%s", &log)
	}
	if _, err := c.Learn("04000000000001", meaning(t, "mutants/bat.1")); err == nil {
		t.Error("learnt over a bad edit")
	}
	if err := c.Forget("04A1B2C3D4E5F7"); err == nil {
		t.Error("forgotten over a bad edit")
	}
	if got := read(t, file); got != written+" oops\n" {
		t.Errorf("the edit is lost:\n%s", got)
	}
	write(t, file, "04A1B2C3D4E5F7 mutants/bat.1\n")
	if _, err := c.Learn("04000000000001", meaning(t, "mutants/bat.2")); err != nil {
		t.Error(err)
	}
	if got := read(t, file); got != "04A1B2C3D4E5F7 mutants/bat.1\n04000000000001 mutants/bat.2\n" {
		t.Errorf("the file is\n%s", got)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got := said(c, "04A1B2C3D4E5F7", ""); got != "" || len(c.Entries()) != 0 {
		t.Errorf("without a file it is %q", got)
	}
	write(t, file, "04A1B2C3D4E5F7 mutants/bat.1\n")
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 {
		if got := said(c, "04A1B2C3D4E5F7", ""); got != "" {
			t.Errorf("unreadable it is %q", got)
		}
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := said(c, "04A1B2C3D4E5F7", ""); got != "mutants/bat.1" {
		t.Errorf("readable again it is %q", got)
	}
}

func TestConcurrent(t *testing.T) {
	c, file := open(t, written)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 10 {
				tag := fmt.Sprintf("04%012X", i*10+j)
				if _, err := c.Learn(tag, device.Meaning{Box: "mutants", Name: fmt.Sprintf("bat.%d", i*10+j+1)}); err != nil {
					t.Error(err)
				}
				if said(c, tag, "") == "" || len(c.Entries()) < 5 {
					t.Errorf("%s is lost", tag)
				}
			}
		})
	}
	all.Wait()
	if e, err := Parse(file, read(t, file)); err != nil || len(e) != 85 {
		t.Errorf("%d entries, %v", len(e), err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(written)
	f.Add("04A1B2C3D4E5F6 key undo\r\n\r\n#")
	f.Add("\ufeff04A1B2C3D4E5F6 roll 6")
	f.Fuzz(func(t *testing.T, source string) {
		entries, err := Parse("tags", source)
		if err != nil {
			var syntax *engine.SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Column < 1 || syntax.File != "tags" {
				t.Fatalf("%v does not say where", err)
			}
			return
		}
		var b strings.Builder
		for _, e := range entries {
			b.WriteString(e.String() + "\n")
		}
		again, err := Parse("tags", b.String())
		if err != nil || len(again) != len(entries) {
			t.Fatalf("written again: %v\n%s", err, b.String())
		}
		for i := range again {
			if again[i].Tag != entries[i].Tag || again[i].Meaning != entries[i].Meaning {
				t.Fatalf("%+v is written as %+v", entries[i], again[i])
			}
		}
	})
}
