package tape

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

const head = Magic + headRest

// head1 begins a tape of 0.2.0.
const head1 = "tableside-tape 1" + headRest

const headRest = "\nversion 0.2.0\nmodel Pi\nkernel Linux\nconfig dtparam=spi=on\nwiring [[readers]]\n\n"

func TestRead(t *testing.T) {
	text := head + `10 reader-red call poll
20 reader-red spi 4000 > 0000
30 reader-red again 3
40 reader-red spi 0200 | 087f | (92*18)00 > 00e1(00*17) ! "broken pipe"
45 reader-red i2c - > 01
46 reader-red tx 5555(00*14)
47 reader-red rx 0000ff00ff00
48 reader-red pin busy 1
50 reader-red failed "no \"answer\""
60 reader-red same 7
65 keys call run 0
66 keys lines 51200 17,18
67 keys levels 51201 10
68 keys edge 51300 17 0 4294967295
69 keys event press "red plus"
70 - end
`
	read, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	wiring := []string{"[[readers]]"}
	if !read.Whole || read.Model != "Pi" || !reflect.DeepEqual(read.Wiring, wiring) || len(read.Parts) != 2 {
		t.Fatalf("%+v", read)
	}
	calls := read.Parts[0].Calls
	if len(calls) != 1 || calls[0].Name != "poll" || calls[0].SameCount != 7 || calls[0].Result != Failed ||
		calls[0].Ended != 50*time.Microsecond {
		t.Fatalf("%+v", calls)
	}
	lines := calls[0].Lines
	if len(lines) != 8 || lines[0].RepeatCount != 3 || lines[3].Err != "broken pipe" ||
		len(lines[3].W) != 19 || len(lines[3].R) != 19 || lines[6].R[2] != 0xFF {
		t.Errorf("%+v", lines)
	}
	// Written again, the lines are the same as those read.
	var written []string
	for _, part := range read.Parts {
		for _, l := range part.Calls[0].Lines {
			written = append(written, l.String())
		}
	}
	if got, want := strings.Join(written, "\n"), `spi 4000 > 0000
spi 0200
spi 087f
spi (92*18)00 > 00e1(00*17) ! "broken pipe"
i2c - > 01
tx 5555(00*14)
rx 0000ff00ff00
pin busy 1
lines 51200 17,18
levels 51201 10
edge 51300 17 0 4294967295
event press "red plus"`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestReadFirstVersion checks that a tape of 0.2.0 is read, and that it may not
// have a line that 0.2.0 fails at.
func TestReadFirstVersion(t *testing.T) {
	text := head1 + "1 a call poll\n2 a spi 00\n3 a done\n4 a same 2\n"
	read, err := Read(strings.NewReader(text))
	if err != nil || read.Version != "0.2.0" || read.Parts[0].Calls[0].SameCount != 2 {
		t.Errorf("%+v, %v", read, err)
	}
	want := `12:5: got like in a tape that begins with "tableside-tape 1", want "tableside-tape 2"`
	if _, err := Read(strings.NewReader(text + "5 a like 1\n")); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestReadRefuses checks that a malformed tape is refused with line, column and
// reason.
func TestReadRefuses(t *testing.T) {
	call := head + "1 a call poll\n"
	for text, want := range map[string]string{
		"": `1:1: got an empty file, want "tableside-tape 2"`,
		"tableside-tape " +
			"3\n": `1:1: got "tableside-tape 3", want "tableside-tape 2" or "tableside-tape 1": this is no tape of this version`,
		Magic +
			"\ncolour red\n": `2:1: got "colour", want version, model, kernel, config, wiring or an empty line`,
		head + "x a call poll\n":             `8:1: got "x", want a number from 0 to 315360000000000`,
		head + "01 a call poll\n":            `8:1: got "01", want a number from 0 to 315360000000000`,
		head + "1 \n":                        `8:3: got no part`,
		head + "1 a spi 00\n":                `8:5: got "spi" outside a call`,
		head + "1 a same 2\n":                `8:5: got same without a call that is over`,
		head + "1 - stop\n":                  `8:5: got "stop", want end or full`,
		head + "1 - end\n2 a call poll\n":    `9:1: got a line behind the end of the tape`,
		call + "2 a call poll\n":             `9:5: got a call before the end of the one in line 8`,
		call + "2 a spy 00\n":                `9:5: got "spy", want a verb such as spi, i2c, tx, rx, pin, done or failed`,
		call + "2 a again 2\n":               `9:5: got again without a line before`,
		call + "2 a spi 0\n":                 `9:9: got half a byte, want two hexadecimal digits`,
		call + "2 a spi 00FF\n":              `9:11: got "FF", want two hexadecimal digits in lower case`,
		call + "2 a spi 00(ff*7)\n":          `9:15: got a run of "7" bytes, want 8 to 262144`,
		call + "2 a spi (ff*999999999999)\n": `9:13: got a run of "999999999999" bytes, want 8 to 262144`,
		call + "2 a spi (ff\n":               `9:9: got "(ff", want a run such as (00*16)`,
		call + "2 a spi (00*262144)00\n":     `9:20: got more than 262144 bytes`,
		call + "2 a spi 00 >\n":              `9:12: got ">" behind the end of the line`,
		call + "2 a spi 00 ! broken\n":       `9:14: got "broken", want a text in quotes`,
		call + "2 a pin dc 2\n":              `9:12: got "2", want 0 or 1`,
		call + "2 a levels 5 12\n":           `9:14: got "12", want up to 64 levels 0 or 1`,
		call + "2 a lines 5 1,x\n":           `9:13: got "1,x", want up to 64 numbers of lines with commas between`,
		call + "2 a done now\n":              `9:10: got "now" behind the end of the line`,
		head + "1 a\x1b[2J call poll\n":      `8:4: got '\x1b', want text`,
		head + "1 a\x9b2J call poll\n":       `8:4: got '\u009b', want text`,
		call + "2 a failed\n":                `9:11: got "", want a text in quotes`,
	} {
		_, err := Read(strings.NewReader(text))
		if syntax := (&SyntaxError{}); !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestReadCut checks that a tape that a power cut tore is read as far as it goes.
func TestReadCut(t *testing.T) {
	text := head + "1 a call poll\n2 a spi 00\n3 a done\n4 a call poll\n5 a spi 00"
	read, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	calls := read.Parts[0].Calls
	if read.Whole || len(calls) != 2 || calls[1].Result != Open || len(calls[1].Lines) != 0 {
		t.Errorf("%+v", calls)
	}
}

// TestReadMailed checks that line ends changed by a mail program do not matter.
func TestReadMailed(t *testing.T) {
	text := head + "1 a call poll\n2 a spi 00\n3 a done\n4 - end\n"
	read, err := Read(strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")))
	if err != nil || !read.Whole || len(read.Parts) != 1 || len(read.Parts[0].Calls[0].Lines) != 1 {
		t.Errorf("%+v, %v", read, err)
	}
}

// TestHeaderIsRead checks that the header of a tape can be read, whatever a
// computer's files about itself contain.
func TestHeaderIsRead(t *testing.T) {
	var b bytes.Buffer
	h := Header{Version: "1", Model: "Pi\x00", Kernel: "Linux", Config: []string{"a=\x9b\x1b\tb", "é=\n1"}}
	if err := NewRecorder(&b, &h, &Opts{}).Close(); err != nil {
		t.Fatal(err)
	}
	read, err := Read(&b)
	if err != nil || !slices.Equal(read.Config, []string{"a= b", "é= 1"}) {
		t.Errorf("%+v, %v", read, err)
	}
}

// FuzzRead checks that any file is a tape or leads to an error with a position, and
// that a tape plays without a panic.
func FuzzRead(f *testing.F) {
	f.Add(head + "1 a call poll\n2 a spi 00(ff*9) > 01 ! \"x\"\n3 a again 2\n4 a done\n5 a same 3\n6 - end\n")
	f.Add(head + "1 a call run\n2 a lines 0 1,2\n3 a edge 5 1 0 1\n4 a event press \"k\"\n5 a levels 1 10\n6 a cut\n")
	f.Add(head + "1 a call poll\n2 a rx 0000\n3 a pin busy 1\n4 a i2c - > 00\n4 a mux 08\n")
	f.Fuzz(func(t *testing.T, text string) {
		read, err := Read(strings.NewReader(text))
		if err != nil {
			if syntax := (&SyntaxError{}); !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("%v says not where", err)
			}
			return
		}
		for _, part := range read.Parts {
			for _, chip := range []Chip{Other, PN532, MFRC522} {
				p := NewPlayer(part, chip)
				for i := range part.Calls {
					p.Begin(&part.Calls[i])
					for _, l := range part.Calls[i].Lines {
						_ = p.exchange(l.Verb, l.W, make([]byte, len(l.R)))
					}
					_ = p.End(nil)
				}
			}
		}
	})
}

// FuzzMask checks that replacing UIDs in any bytes keeps their length, and does not
// panic.
func FuzzMask(f *testing.F) {
	f.Add([]byte{0, 0, 0xFF, 3, 0xFD, 0xD4, 0x4A, 2, 0, 0xE0, 0}, []byte{0x92, 0x92, 0}, byte(0))
	f.Add([]byte{0x12, 0x93, 0x70, 0x88, 4, 1, 2, 0x8F, 1, 2}, []byte{0x92, 0x92, 0}, byte(1))
	f.Fuzz(func(t *testing.T, first, second []byte, chip byte) {
		m := mask{salt: new([32]byte), keepPrefix: "tableside:"}
		for _, v := range []Verb{SPI, I2C, Send, Receive} {
			for _, b := range [][]byte{first, second, first} {
				c := Chip(chip % 3)
				if got := m.maskOut(c, v, b); len(got) != len(b) {
					t.Fatalf("%d bytes of %d", len(got), len(b))
				}
				if got := m.maskIn(c, v, b, second); len(got) != len(second) {
					t.Fatalf("%d bytes of %d", len(got), len(second))
				}
			}
		}
	})
}

// A wire has no device.
type wire struct{}

func (wire) String() string                                              { return "wire" }
func (w wire) Connect(physic.Frequency, spi.Mode, int) (spi.Conn, error) { return w, nil }
func (wire) Duplex() conn.Duplex                                         { return conn.Full }
func (wire) Tx(w, r []byte) error                                        { return nil }
func (wire) TxPackets([]spi.Packet) error                                { return nil }

// TestLimit checks that a tape has no more bytes than allowed, that its last line
// says so, and that it can be read.
func TestLimit(t *testing.T) {
	var b bytes.Buffer
	r := NewRecorder(&b, &Header{}, &Opts{Limit: 2000})
	track := r.Part("lights", Other)
	c, _ := track.SPI(wire{}).Connect(0, 0, 8)
	for i := range 100 {
		track.Call("draw")
		if err := c.Tx([]byte{byte(i), 1, 2, 3}, nil); err != nil {
			t.Fatal(err)
		}
		track.End(nil)
	}
	if !r.Full() {
		t.Error("it goes on")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if len(text) > 2000+100 || !strings.HasSuffix(text, " - full\n") {
		t.Errorf("%d bytes, and at the end %q", len(text), text[len(text)-30:])
	}
	read, err := Read(strings.NewReader(text))
	if err != nil || len(read.Parts[0].Calls) < 10 {
		t.Errorf("%+v, %v", read, err)
	}
}

// TestSame checks that equal calls are counted, and that "not ready" answers do not
// make them differ.
func TestSame(t *testing.T) {
	var b bytes.Buffer
	r := NewRecorder(&b, &Header{}, &Opts{})
	track := r.Part("reader-red", PN532)
	for i := range 50 {
		track.Call("poll")
		for range i % 3 {
			track.exchange(SPI, []byte{0x40, 0}, []byte{0, 0}, nil)
		}
		track.exchange(SPI, []byte{0x40, 0}, []byte{0, 0x80}, nil)
		track.End(nil)
	}
	track.Call("halt")
	track.End(errors.New("no answer from 04A1B2C3D4E5F6"))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if strings.Count(text, "\n") != 12 || !strings.Contains(text, "reader-red same 49\n") ||
		strings.Contains(text, "04A1B2C3D4E5F6") {
		t.Errorf("%s", text)
	}
}

// TestTurns checks that alternating calls are written in full once and read in their
// order.
func TestTurns(t *testing.T) {
	var b bytes.Buffer
	r := NewRecorder(&b, &Header{}, &Opts{})
	track := r.Part("reader-red", MFRC522)
	var want []int // transfers of each poll
	for i := range 400 {
		n := 1
		if i%20 == 19 {
			n = 2
		}
		want = append(want, n)
		track.Call("poll")
		for range n {
			track.exchange(SPI, []byte{0x82, 0x0c}, nil, nil)
		}
		track.End(nil)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "call poll"); n != 2 || b.Len() > 2500 {
		t.Errorf("%d polls are written out, and the tape has %d bytes", n, b.Len())
	}
	read, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, call := range read.Parts[0].Calls {
		for range 1 + call.SameCount {
			got = append(got, len(call.Lines))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got polls of %v transfers, want %v", got, want)
	}
}

// TestHostileRepeats checks that lines that claim millions of repeats are played a
// bounded number of times, and that no sum of such claims overflows.
func TestHostileRepeats(t *testing.T) {
	call := head + "1 a call poll\n2 a spi 00\n3 a done\n"
	read, err := Read(strings.NewReader(call + "4 a same 16777216\n"))
	if err != nil {
		t.Fatal(err)
	}
	if played, left := read.Parts[0].Calls[0].Repeats(); played != MaxRepeats || played+left != 16777216 {
		t.Errorf("%d repeats are played and %d left out", played, left)
	}
	open := head + "1 a call poll\n2 a spi 00\n3 a again 16777216\n"
	for text, want := range map[string]string{
		call + "4 a same 16777216\n5 a same 1\n": "12:5: got a call more than 16777216 times",
		open + "4 a again 1\n":                   "11:5: got a line more than 16777216 times",
		call + "4 a like 0\n":                    "11:5: got like without a call that is over",
		call + "4 a like 2\n":                    "11:10: got \"2\", want a number from 0 to 1",
		open + "4 a like 1\n":                    "11:5: got like without a call that is over",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

// endless repeats a text forever.
type endless struct{ text, rest string }

func (e *endless) Read(b []byte) (int, error) {
	if e.rest == "" {
		e.rest = e.text
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestHostileSize checks that no tape takes more memory than allowed, however short
// its lines.
func TestHostileSize(t *testing.T) {
	const room = 4 << 20
	open := head + "1 a call poll\n"
	for _, c := range []struct{ name, begin, more string }{
		{"transfers", open, "2 a spi -" + strings.Repeat(" | -", 1000) + "\n"},
		{"runs", open, "2 a tx (00*262144)\n"},
		{"pins", open, "2 a pin a 1\n"},
		{"calls", open + "2 a done\n", "3 a call b\n4 a done\n"},
		{"words", open + "2 a done\n", "3 a call b" + strings.Repeat(" ", 10000) + "\n4 a done\n"},
		{"repeated calls", open + "2 a done\n", "3 a like 1\n"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read(io.MultiReader(strings.NewReader(c.begin), &endless{text: c.more}), room)
		runtime.ReadMemStats(&after)
		if syntax := (&SyntaxError{}); !errors.As(err, &syntax) || !strings.Contains(err.Error(), "got more than") {
			t.Errorf("%s: %v", c.name, err)
		}
		// This includes garbage from growing slices.
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 16*room {
			t.Errorf("%s: %d MB were allocated for %d MB", c.name, taken>>20, room>>20)
		}
	}
	var parts strings.Builder
	for i := range maxParts + 1 {
		fmt.Fprintf(&parts, "1 p%d call poll\n", i)
	}
	if _, err := Read(strings.NewReader(head + parts.String())); err == nil ||
		!strings.Contains(err.Error(), "more than 1000 parts") {
		t.Errorf("parts: %v", err)
	}
}

// TestFailingFile checks that a full disk ends the tape and does not stop the table.
func TestFailingFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "a.tape"))
	if err != nil {
		t.Fatal(err)
	}
	r := NewRecorder(f, &Header{}, &Opts{})
	f.Close()
	track := r.Part("lights", Other)
	for range 10 {
		track.Call("draw")
		track.exchange(SPI, make([]byte, 1<<16), nil, nil)
		track.End(nil)
	}
	if err := r.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("%v", err)
	}
}

// BenchmarkRecord measures one transfer: a poll of an MFRC522 with a tag has about
// twenty, and one of a PN532 eight.
func BenchmarkRecord(b *testing.B) {
	for name, c := range map[string]struct {
		chip Chip
		w, r []byte
	}{
		"registers": {MFRC522, []byte{0x88, 0x8c, 0x94, 0x98, 0x9c, 0}, []byte{0, 0x64, 0, 5, 0x10, 0x20}},
		"frame":     {PN532, []byte{0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, []byte{0, 0, 0, 0xff, 0x40, 0x7f, 0xab, 0xcc, 0x1f, 0}},
		"strip":     {Other, bytes.Repeat([]byte{0x88, 0x8c, 0xc8, 0xcc}, 240), nil},
	} {
		b.Run(name, func(b *testing.B) {
			r := NewRecorder(new(bytes.Buffer), &Header{}, &Opts{Limit: 1 << 40})
			track := r.Part("a", c.chip)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if n%20 == 0 {
					track.Call("poll")
				}
				track.exchange(SPI, c.w, c.r, nil)
				if n++; n%20 == 0 {
					track.End(nil)
				}
			}
		})
	}
}
