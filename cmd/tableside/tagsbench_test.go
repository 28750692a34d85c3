package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/device/catalogue"
	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/engine"
)

// A transcript holds the output of a command so far.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
	read int
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

// next waits for a line with these words, after the lines that it has returned
// before.
func (t *transcript) next(test *testing.T, words string) {
	test.Helper()
	for range 2000 {
		t.mu.Lock()
		rest := t.text.String()[t.read:]
		if i := strings.Index(rest, words); i >= 0 {
			if end := strings.IndexByte(rest[i:], '\n'); end >= 0 {
				t.read += i + end + 1
				t.mu.Unlock()
				return
			}
		}
		t.mu.Unlock()
		time.Sleep(10 * time.Millisecond)
	}
	test.Fatalf("nobody said %q; but\n%s", words, &t.text)
}

// A classroom is cards learn or cards write on a bench, with an emulated user, who
// lays down tags and types.
type classroom struct {
	*transcript
	t     *testing.T
	bench *bench.Bench
	data  string
	field *nfctest.Field
	types io.Writer
	ended chan error
}

func openClassroom(t *testing.T, data string, args ...string) *classroom {
	bench, reader := bench.NewTagBench()
	return teachOn(t, bench, bench.Fields[reader.Name], fmt.Sprintf("spi = %q", reader.SPI), data, args...)
}

func teachOn(t *testing.T, bench *bench.Bench, field *nfctest.Field, bus, data string, args ...string) *classroom {
	c := teachWith(t, bench, fmt.Sprintf("[[readers]]\nname = \"desk\"\nchip = \"pn532\"\n%s\npoll = \"10ms\"\n", bus),
		data, args...)
	c.field = field
	return c
}

// teachWith opens a classroom with this reader of the bench.
func teachWith(t *testing.T, bench *bench.Bench, section, data string, args ...string) *classroom {
	config := filepath.Join(t.TempDir(), "tableside.toml")
	toml := fmt.Sprintf("[table]\ndata = %q\n%s", data, section)
	if err := os.WriteFile(config, []byte(toml), 0o600); err != nil {
		t.Fatal(err)
	}
	in, types, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := &classroom{transcript: &transcript{}, t: t, bench: bench, data: data, types: types,
		ended: make(chan error, 1)}
	p := &program{in: in, out: c, err: c, lang: engine.English, env: func(string) string { return "" }, games: allGames}
	job := &cards{program: p, ports: bench, config: config}
	ctx, cancel := context.WithCancel(t.Context())
	if i := len(args) - 1; i > 0 {
		job.card = args[1]
	}
	go func() {
		err := job.run(ctx, []string{args[0], "mutants"})
		if err != nil {
			fmt.Fprintln(c, err)
		}
		in.Close()
		c.ended <- err
	}()
	t.Cleanup(func() { cancel(); types.Close() })
	return c
}

func (c *classroom) end() error {
	fmt.Fprintln(c.types, "q")
	return <-c.ended
}

func uid(t *testing.T, s string) nfc.UID {
	u, err := nfc.ParseUID(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestWriteOnBench tests that the real driver learns and writes tags on an emulated
// chip, also when that fails and recovers.
func TestWriteOnBench(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	c := openClassroom(t, data, "write")
	first := nfctest.NewNTAG213(uid(t, "04000000000001"))
	foreign := nfctest.NewNTAG215(uid(t, "04000000000002"))
	if err := foreign.SetText("hello"); err != nil {
		t.Fatal(err)
	}
	plain := nfctest.NewClassic(uid(t, "AABBCCDD"))
	lay := func(tag *nfctest.Tag, words string) {
		t.Helper()
		c.field.Put(tag)
		c.next(t, words)
		c.field.Take(tag)
	}
	text := func(tag *nfctest.Tag) string {
		got, err := tag.Text()
		if err != nil {
			t.Error(err)
		}
		return got
	}
	c.next(t, "Lay down mutants/robot.1")
	lay(first, "04000000000001 is mutants/robot.1, with its name on it")
	if got := text(first); got != "tableside:mutants/robot.1" {
		t.Errorf("the tag says %q", got)
	}
	c.next(t, "Lay down mutants/robot.2")
	c.field.Put(foreign)
	c.next(t, `04000000000002 has another text, "hello"`)
	if got := text(foreign); got != "hello" {
		t.Errorf("unasked, the tag says %q", got)
	}
	fmt.Fprintln(c.types, "y")
	c.next(t, "04000000000002 is mutants/robot.2, with its name on it")
	if got := text(foreign); got != "tableside:mutants/robot.2" {
		t.Errorf("the tag says %q", got)
	}
	c.field.Take(foreign)
	c.next(t, "Lay down mutants/robot.3")
	lay(plain, "AABBCCDD could not be written")

	c.bench.Chips["bench"].Kill()
	c.next(t, "reader desk: failed")
	c.bench.Chips["bench"].Revive()
	c.next(t, "reader desk: ok")
	lay(first, "04000000000001 is mutants/robot.1, with its name on it")
	if err := c.end(); err != nil {
		t.Error(err)
	}
	c.next(t, "3 of 120 copies have a tag; the same command goes on from here")
}

// TestLearnBehindMultiplexer tests a reader behind a multiplexer.
func TestLearnBehindMultiplexer(t *testing.T) {
	chips, err := bench.NewChips([]engine.Seat{"red", "blue", "yellow"})
	if err != nil {
		t.Fatal(err)
	}
	c := teachOn(t, chips.Bench, chips.Bench.Fields["yellow"],
		fmt.Sprintf("i2c = %q\nmux = %d\nchannel = 3", bench.I2CBus, bench.MuxAddress), t.TempDir(), "learn")
	c.next(t, "Lay down mutants/robot.1")
	c.field.Put(nfctest.NewNTAG213(uid(t, "04000000000001")))
	c.next(t, "04000000000001 is mutants/robot.1")
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestLearnOnBench tests that a table knows what was learnt in the same catalogue.
func TestLearnOnBench(t *testing.T) {
	data := t.TempDir()
	c := openClassroom(t, data, "learn")
	c.next(t, "Lay down mutants/robot.1")
	for n := range 3 {
		tag := nfctest.NewNTAG213(uid(t, fmt.Sprintf("0400000000000%d", n)))
		c.field.Put(tag)
		c.next(t, fmt.Sprintf("0400000000000%d is mutants/robot.%d", n, n+1))
		c.field.Take(tag)
	}
	fmt.Fprintln(c.types, "u")
	c.next(t, "04000000000002 is mutants/robot.3 no longer")
	if err := c.end(); err != nil {
		t.Error(err)
	}
	written, err := os.ReadFile(filepath.Join(data, catalogue.FileName))
	if err != nil || string(written) != "04000000000000 mutants/robot.1\n04000000000001 mutants/robot.2\n" {
		t.Errorf("catalogue %q, %v", written, err)
	}
	var heard device.Meaning
	w := &rig.Rig{Ports: c.bench, Wiring: &config.Wiring{}}
	config := device.Config{Dir: data}
	if err := w.Configure(&config); err != nil {
		t.Fatal(err)
	}
	if heard, _ = config.Tags("04000000000001", ""); heard.String() != "mutants/robot.2" {
		t.Errorf("the table knows it as %+v", heard)
	}
	// A single key is learnt, and the command ends by itself.
	c = openClassroom(t, data, "learn", "key/undo")
	c.next(t, "Lay down key/undo")
	c.field.Put(nfctest.NewNTAG213(uid(t, "04000000000009")))
	c.next(t, "04000000000009 is key/undo")
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}
