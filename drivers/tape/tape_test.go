package tape

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const head = `{"tape":3,"version":"0.3.0","model":"Pi","kernel":"Linux","config":["dtparam=spi=on"],"wiring":["[[readers]]"]}` + "\n"

const text = head + `{"t":10,"part":"reader-red","call":["poll"],"io":[` +
	`{"t":20,"bus":"spi","w":"4000","r":"0000","n":4},{"t":40,"bus":"spi","w":"0200","err":"broken pipe"},` +
	`{"t":45,"bus":"i2c","r":"01"},{"t":46,"bus":"tx","w":"5555"},{"t":47,"bus":"rx","r":"0000ff00ff00"},` +
	`{"t":48,"bus":"in","pin":"GPIO17","high":true}],"end":50,"err":"no \"answer\""}
{"t":60,"part":"reader-red","again":1,"n":7}
{"t":65,"part":"keys","call":["run","10s"],"io":[{"t":68,"bus":"edge","pin":"17","seq":4294967295},` +
	`{"t":69,"bus":"event","words":["press","red plus"]}],"end":70,"cut":true}
{"t":70,"last":"end"}
`

func TestRead(t *testing.T) {
	read, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	wiring := []string{"[[readers]]"}
	if !read.Whole || read.Model != "Pi" || !reflect.DeepEqual(read.Wiring, wiring) || len(read.Parts) != 2 {
		t.Fatalf("%+v", read)
	}
	calls := read.Parts[0].Calls
	if len(calls) != 2 || calls[0].Words[0] != "poll" || calls[0].N != 1 || calls[1].N != 7 || calls[1].Line != 2 ||
		calls[0].Err != `no "answer"` || calls[0].End != 50 {
		t.Fatalf("%+v", calls)
	}
	io := calls[1].IO
	if len(io) != 6 || io[0].N != 4 || io[1].Err != "broken pipe" || io[4].R[2] != 0xFF || !io[5].High {
		t.Errorf("%+v", io)
	}
	if run := read.Parts[1].Calls[0]; !run.Cut || run.Arg(0) != "10s" || run.Arg(1) != "" || run.IO[0].Seq != 1<<32-1 {
		t.Errorf("%+v", run)
	}
}

// TestReadRefuses checks that a malformed tape is refused with line and reason.
func TestReadRefuses(t *testing.T) {
	call := head + `{"t":1,"part":"a","call":["poll"],"end":2}` + "\n"
	for text, want := range map[string]string{
		"":                                      `line 1: got "", want the first line of a tape`,
		"{}\n":                                  `line 1: got "{}\n", want the first line of a tape`,
		"{\"tape\":4}\n":                        `line 1: this is a tape of format 4, and this version of tableside replays format 3`,
		"tableside-tape 2\n\n":                  `line 1: recorded by an earlier version of tableside: replay it with that version`,
		head + "x\n":                            `line 2: invalid character 'x' looking for beginning of value`,
		head + `{"of":2}` + "\n":                `line 2: json: unknown field "of"`,
		head + `{"t":1,"call":["poll"]}` + "\n": `line 2: got no part, or a number that no recording has`,
		head + `{"t":1,"part":"a"}` + "\n":      `line 2: got neither a call nor the number of an earlier one`,
		call + `{"t":1,"part":"a","again":2,"n":1}` + "\n":                   `line 3: got neither a call nor the number of an earlier one`,
		call + `{"t":1,"part":"a","again":-1,"n":1}` + "\n":                  `line 3: got neither a call nor the number of an earlier one`,
		call + `{"t":1,"part":"a","again":1,"n":-1}` + "\n":                  `line 3: got no part, or a number that no recording has`,
		call + `{"t":1,"part":"a","call":["x"],"end":9999999999999}` + "\n":  `line 3: got no part, or a number that no recording has`,
		call + `{"t":1,"last":"end"}` + "\n" + `{"t":1,"last":"end"}` + "\n": `line 4: got a line behind the last one`,
		call + `{"t":1,"part":"a","call":["x"],"io":[{"w":"0"}]}` + "\n":     `line 3: encoding/hex: odd length hex string`,
		call + `{"t":1,"part":"a","call":["x"],"io":[{"seq":1e12}]}` + "\n":  `line 3: json: cannot unmarshal number 1e12 into Go struct field IO.io.seq of type uint32`,
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestReadCut checks that a tape that a power cut tore is read as far as it goes.
func TestReadCut(t *testing.T) {
	for cut := len(head); cut < len(text); cut++ {
		read, err := Read(strings.NewReader(text[:cut]))
		if err != nil || read.Whole {
			t.Fatalf("cut at %d: %+v, %v", cut, read, err)
		}
	}
}

// TestReadMailed checks that line ends changed by a mail program do not matter.
func TestReadMailed(t *testing.T) {
	read, err := Read(strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")))
	if err != nil || !read.Whole || len(read.Parts) != 2 {
		t.Errorf("%+v, %v", read, err)
	}
}

// FuzzRead checks that any file is a tape or leads to an error, and that a tape plays
// without a panic.
func FuzzRead(f *testing.F) {
	f.Add(text)
	f.Fuzz(func(t *testing.T, text string) {
		read, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, part := range read.Parts {
			p := NewPlayer()
			for i := range part.Calls {
				p.Begin(&part.Calls[i])
				for _, o := range part.Calls[i].IO {
					_ = p.do(&IO{Bus: o.Bus, W: o.W, R: make([]byte, len(o.R)), Pin: o.Pin, High: o.High}, nil)
				}
				_ = p.End(nil)
			}
		}
	})
}

// record records calls of one part, and returns the tape.
func record(t *testing.T, h Header, limit int, calls func(*Track)) string {
	t.Helper()
	var b bytes.Buffer
	r := NewRecorder(&b, h, limit)
	calls(r.Part("reader-red", true))
	if _, err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func transfer(t *Track, w, r string) {
	out, _ := hex.DecodeString(w)
	in, _ := hex.DecodeString(r)
	_ = t.do(&IO{Bus: SPIBus, W: out, R: in}, func() error { return nil })
}

// TestRecord checks that what is recorded is read again.
func TestRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := record(t, Header{Model: "Pi\x00\x9b"}, MaxSize, func(track *Track) {
			_ = track.Do(func() error {
				time.Sleep(time.Millisecond)
				transfer(track, "4000", "0000")
				transfer(track, "4000", "0000")
				transfer(track, "4000", "0080")
				return errors.New("no <answer>")
			}, "poll")
		})
		if want := `{"t":0,"part":"reader-red","call":["poll"],"io":[{"t":1000,"bus":"spi","w":"4000","r":"0000","n":2},` +
			`{"t":1000,"bus":"spi","w":"4000","r":"0080"}],"end":1000,"err":"no <answer>"}`; !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant\n%s", text, want)
		}
		if read, err := Read(strings.NewReader(text)); err != nil || len(read.Parts[0].Calls) != 1 || !read.Whole {
			t.Errorf("%+v, %v", read, err)
		}
	})
}

// TestLimit checks that a tape has no more bytes than allowed, that its last line
// says so, and that it can be read.
func TestLimit(t *testing.T) {
	var b bytes.Buffer
	r := NewRecorder(&b, Header{}, 2000)
	track := r.Part("lights", false)
	for i := range 100 {
		_ = track.Do(func() error { transfer(track, hex.EncodeToString([]byte{byte(i), 1}), ""); return nil }, "draw")
	}
	if full, err := r.Close(); !full || err != nil {
		t.Errorf("full: %t, %v", full, err)
	}
	text := b.String()
	if len(text) > 2000+100 || !strings.HasSuffix(text, `"last":"full"}`+"\n") {
		t.Errorf("%d bytes, and at the end %q", len(text), text[len(text)-30:])
	}
	read, err := Read(strings.NewReader(text))
	if err != nil || !read.Whole || len(read.Parts[0].Calls) < 10 {
		t.Errorf("%+v, %v", read, err)
	}
}

// TestEndlessCall checks that a call with more than any driver does ends the tape.
func TestEndlessCall(t *testing.T) {
	text := record(t, Header{}, MaxSize, func(track *Track) {
		_ = track.Do(func() error {
			for range maxIO + 10 {
				transfer(track, "00", "")
			}
			return nil
		}, "run")
	})
	if !strings.Contains(text, `"last":"full"`) {
		t.Errorf("it goes on: %d bytes", len(text))
	}
}

// TestSame checks that equal calls are counted, and that "not ready" answers and the
// pieces of bytes over a serial line do not make them differ.
func TestSame(t *testing.T) {
	text := record(t, Header{}, MaxSize, func(track *Track) {
		for i := range 50 {
			_ = track.Do(func() error {
				for range i % 3 {
					transfer(track, "4000", "0000")
				}
				transfer(track, "4000", "0080")
				for rest := []byte("answer"); len(rest) > 0; rest = rest[min(len(rest), 1+i%4):] {
					_ = track.do(&IO{Bus: receive, R: rest[:min(len(rest), 1+i%4)]}, func() error { return nil })
				}
				return nil
			}, "poll")
		}
		_ = track.Do(func() error { return errors.New("no answer") }, "halt")
	})
	if strings.Count(text, "\n") != 5 || !strings.Contains(text, `"again":1,"n":49}`) {
		t.Errorf("%s", text)
	}
}

// TestTurns checks that alternating calls are written in full once and read in their
// order.
func TestTurns(t *testing.T) {
	var want []int // transfers of each poll
	text := record(t, Header{}, MaxSize, func(track *Track) {
		for i := range 400 {
			n := 1
			if i%20 == 19 {
				n = 2
			}
			want = append(want, n)
			_ = track.Do(func() error {
				for range n {
					transfer(track, "820c", "")
				}
				return nil
			}, "poll")
		}
	})
	if n := strings.Count(text, "poll"); n != 2 || len(text) > 3500 {
		t.Errorf("%d polls are written out, and the tape has %d bytes", n, len(text))
	}
	read, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, call := range read.Parts[0].Calls {
		for range call.N {
			got = append(got, len(call.IO))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got polls of %v transfers, want %v", got, want)
	}
}

// TestHide checks what is left of a reader's traffic on a tape without tags.
func TestHide(t *testing.T) {
	text := record(t, Header{Hidden: true}, MaxSize, func(track *Track) {
		_ = track.Do(func() error {
			transfer(track, "120004a1b2c3d4e5f6", "")           // MFRC522, to a tag
			transfer(track, "929200", "0004a1")                 // from it
			transfer(track, "800000ffd02fd40204a1b2c3d4e5", "") // PN532
			transfer(track, "c0000000", "000004a1")
			return errors.New("tag 04A1B2C3D4E5F6 is gone")
		}, "select", "04A1B2C3D4E5F6")
	})
	for _, want := range []string{`"hidden":true`, `"call":["select"]`, `"w":"120004000000000000"`, `"w":"929200","r":"000000"`,
		`"w":"800000ffd02fd402040000000000"`, `"w":"c0000000","r":"00000000"`, `tag … is gone`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestFailingFile checks that a full disk ends the tape and does not stop the table.
func TestFailingFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "a.tape"))
	if err != nil {
		t.Fatal(err)
	}
	r := NewRecorder(f, Header{}, MaxSize)
	f.Close()
	track := r.Part("lights", false)
	for range 10 {
		if err := track.Do(func() error { transfer(track, "00", ""); return nil }, "draw"); err != nil {
			t.Error(err)
		}
	}
	if _, err := r.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("%v", err)
	}
}

// BenchmarkRecord measures one transfer: a poll of an MFRC522 with a tag has about
// twenty, and one of a PN532 eight.
func BenchmarkRecord(b *testing.B) {
	track := NewRecorder(new(bytes.Buffer), Header{}, math.MaxInt).Part("a", false)
	o := IO{Bus: SPIBus, W: []byte{0x88, 0x8c, 0x94, 0x98, 0x9c, 0}, R: []byte{0, 0x64, 0, 5, 0x10, 0x20}}
	b.ReportAllocs()
	for b.Loop() {
		_ = track.Do(func() error {
			for range 20 {
				_ = track.do(&o, func() error { return nil })
			}
			return nil
		}, "poll")
	}
}
