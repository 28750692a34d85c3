package catalogue

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device"
	"tableside/device/disk"
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
	c, err := Open(file)
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
			"undo": "tags:3:1: the tag 04A1B2C3D4E5F6 is already in line 1, which counts",
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
		_, faults := Parse("tags", source)
		if len(faults) != 1 || faults[0].Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", source, faults, want)
		}
	}
	if _, err := Open(t.TempDir()); err == nil {
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
	again, err := Open(file)
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
	c, err := Open(file)
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
	c, err := Open(filepath.Join(dir, "tags"))
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

// TestBadLines checks that a damaged file loses its damaged lines only, says so, and keeps
// these lines when a tag is learnt.
func TestBadLines(t *testing.T) {
	const good = "04000000000001 mutants/bat.1\n"
	for name, test := range map[string]struct{ bad, fault string }{
		"torn":    {"04000000000002 mutants/zomb", `tags:2:16: "zomb" is not a copy of a card, such as "zombie.2"`},
		"zeros":   {"\x00\x00\x00\x00", "tags:2:1: unprintable character in a word"},
		"flipped": {"04000000000002 mutants/zombi%.2\n", `tags:2:16: "zombi%.2" is not a copy of a card, such as "zombie.2"`},
		"doubled": {"04000000000001 mutants/bat.2\n", "tags:2:1: the tag 04000000000001 is already in line 1, which counts"},
	} {
		t.Run(name, func(t *testing.T) {
			c, file := open(t, good+test.bad)
			var watched []error
			c.Watch(func(faults []error) { watched = faults })
			if len(watched) != 1 || !strings.HasSuffix(watched[0].Error(), test.fault) {
				t.Errorf("got %v, want %s", watched, test.fault)
			}
			if _, err := c.Learn("04000000000009", meaning(t, "key/undo")); err != nil {
				t.Error(err)
			}
			want := good + strings.TrimSuffix(test.bad, "\n") + "\n04000000000009 key undo\n"
			if got := read(t, file); got != want {
				t.Errorf("the file is now\n%q", got)
			}
			if got := said(c, "04000000000001", ""); got != "mutants/bat.1" {
				t.Errorf("the good line is %q", got)
			}
			write(t, file, good)
			if c.Entries(); watched != nil {
				t.Errorf("after the line was mended: %v", watched)
			}
		})
	}
	c, file := open(t, "")
	write(t, file, "")
	if got := c.Faults(); len(got) != 1 || got[0].Error() != "the file is empty" {
		t.Errorf("an empty file: %v", got)
	}
	if _, err := c.Learn("04000000000001", meaning(t, "key/undo")); err != nil || c.Faults() != nil {
		t.Error(err, c.Faults())
	}
	if err := c.Forget("04000000000001"); err != nil || c.Faults() != nil {
		t.Error(err, c.Faults())
	}
}

// TestLearnUnread checks that a tag is learnt once the disk has it, even if the file cannot be
// read again.
func TestLearnUnread(t *testing.T) {
	c, file := open(t, "04000000000001 mutants/bat.1\n")
	c.read = func(string) ([]byte, os.FileInfo, error) { return nil, nil, syscall.EIO }
	if _, err := c.Learn("04000000000002", meaning(t, "mutants/bat.2")); err != nil {
		t.Error(err)
	}
	if got, want := read(t, file), "04000000000001 mutants/bat.1\n04000000000002 mutants/bat.2\n"; got != want {
		t.Errorf("the file is\n%s", got)
	}
	if got := said(c, "04000000000002", ""); got != "mutants/bat.2" {
		t.Errorf("it means %q", got)
	}
	c.read = readFile
	if c.Faults() != nil {
		t.Error(c.Faults())
	}
}

// TestEdited checks that the owner may edit the file while the table runs.
func TestEdited(t *testing.T) {
	c, file := open(t, written)
	var watched []error // what was wrong, each time
	c.Watch(func(faults []error) { watched = append(watched, errors.Join(faults...)) })
	write(t, file, strings.Replace(written, "zombie.2", "zombie.7", 1))
	if got := said(c, "04A1B2C3D4E5F7", ""); got != "mutants/zombie.7" {
		t.Errorf("after an edit it is %q", got)
	}
	write(t, file, written+" oops\n")
	for range 3 {
		if got := said(c, "04A1B2C3D4E5F7", ""); got != "mutants/zombie.2" {
			t.Errorf("after an edit with a bad line it is %q", got)
		}
	}
	if len(watched) != 1 || !strings.Contains(watched[0].Error(), "tags:7:30:") {
		t.Errorf("told %v", watched)
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
	if e, err := Parse(file, read(t, file)); len(err) > 0 || len(e) != 85 {
		t.Errorf("%d entries, %v", len(e), err)
	}
}

// While the disk hangs that gets a tag, the other tags still have their meanings.
func TestTapsGoOnWhileATagIsWritten(t *testing.T) {
	c, file := open(t, written)
	hangs, gate := make(chan struct{}), make(chan struct{})
	c.put = func(file, text string) error {
		close(hangs)
		<-gate
		return disk.Replace(file, text)
	}
	learnt := make(chan error, 1)
	go func() {
		_, err := c.Learn("04A1B2C3D4E5AA", device.Meaning{Box: "mutants", Name: "bat.1"})
		learnt <- err
	}()
	<-hangs
	if got := said(c, "04A1B2C3D4E5F7", ""); got != "mutants/zombie.2" {
		t.Errorf("a tag that is known is %q", got)
	}
	close(gate)
	if err := <-learnt; err != nil || said(c, "04A1B2C3D4E5AA", "") != "mutants/bat.1" {
		t.Errorf("%v\n%s", err, read(t, file))
	}
}

// While the disk hangs that has the file, the table goes on with what it has read, and knows the
// file once the disk answers.
func TestTapsGoOnWhileTheFileIsRead(t *testing.T) {
	c, file := open(t, written)
	write(t, file, strings.Replace(written, "zombie.2", "zombie.7", 1))
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		c.read = func(file string) ([]byte, os.FileInfo, error) {
			<-gate
			return readFile(file)
		}
		began := time.Now()
		for range 3 {
			if got := said(c, "04A1B2C3D4E5F7", ""); got != "mutants/zombie.2" || len(c.Entries()) != 5 || c.Faults() != nil {
				t.Errorf("while the disk hangs it is %q", got)
			}
		}
		if took := time.Since(began); took != readLimit {
			t.Errorf("three taps waited %v", took)
		}
		close(gate)
		synctest.Wait()
		if got := said(c, "04A1B2C3D4E5F7", ""); got != "mutants/zombie.7" {
			t.Errorf("afterwards it is %q", got)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(written)
	f.Add("04A1B2C3D4E5F6 key undo\r\n\r\n#")
	f.Add("\ufeff04A1B2C3D4E5F6 roll 6")
	f.Fuzz(func(t *testing.T, source string) {
		entries, faults := Parse("tags", source)
		for _, err := range faults {
			var syntax *engine.SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Column < 1 || syntax.File != "tags" {
				t.Fatalf("%v does not say where", err)
			}
		}
		var b strings.Builder
		for _, e := range entries {
			b.WriteString(e.String() + "\n")
		}
		again, faults := Parse("tags", b.String())
		if len(faults) > 0 || len(again) != len(entries) {
			t.Fatalf("written again: %v\n%s", faults, b.String())
		}
		for i := range again {
			if again[i].Tag != entries[i].Tag || again[i].Meaning != entries[i].Meaning {
				t.Fatalf("%+v is written as %+v", entries[i], again[i])
			}
		}
	})
}
