package catalogue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device"
	"tableside/engine"
)

// A school is a lesson with an emulated user, who lays down tags and types.
type school struct {
	t     *testing.T
	file  string
	write func(ctx context.Context, tag, text string) error
	only  string
	lang  engine.Lang
}

func newSchool(t *testing.T, catalogue string) *school {
	s := &school{t: t, file: filepath.Join(t.TempDir(), "tags"), lang: engine.English}
	if err := os.WriteFile(s.file, []byte(catalogue), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

func smallDeck() Deck {
	return NewDeck("mutants/second-edition", []Kind{{ID: "zombie", Title: "Zombie", Copies: 2},
		{ID: "bat", Title: "Bat", Copies: 1}})
}

// teach plays a script: a line is "04…01 text" for a tag with its text, several
// tags with "+" between them, "type y", "file …" for what somebody writes into the
// catalogue, or "folder" for one in its place. It returns the output.
func (s *school) teach(script string) string {
	var out bytes.Buffer
	synctest.Test(s.t, func(t *testing.T) {
		tags, err := Open(s.file)
		if err != nil {
			t.Fatal(err)
		}
		l := &Lesson{Deck: smallDeck(), Tags: tags, Out: &out, Lang: s.lang, Write: s.write,
			Dealt: func() {}}
		if s.only != "" {
			m, err := device.ParseMeaning(s.only)
			if err != nil {
				t.Fatal(err)
			}
			l.Only = &m
		}
		ctx, cancel := context.WithCancel(t.Context())
		signals, lines, ended := make(chan device.Signal), make(chan string), make(chan struct{})
		go func() {
			defer close(ended)
			l.Run(ctx, signals, lines)
		}()
		for line := range strings.Lines(script) {
			line = strings.TrimSpace(line)
			time.Sleep(time.Second)
			synctest.Wait()
			if typed, ok := strings.CutPrefix(line, "type "); ok {
				fmt.Fprintf(&out, "> %s\n", line)
				send(lines, typed, ended)
			} else if line == "folder" {
				if err := errors.Join(os.Remove(s.file), os.Mkdir(s.file, 0o700)); err != nil {
					t.Fatal(err)
				}
			} else if text, ok := strings.CutPrefix(line, "file "); ok {
				if err := errors.Join(os.Remove(s.file), os.WriteFile(s.file, []byte(text+"\n"), 0o600)); err != nil {
					t.Fatal(err)
				}
			} else if line != "" {
				fmt.Fprintf(&out, "> %s\n", line)
				for tag := range strings.SplitSeq(line, "+") {
					uid, text, _ := strings.Cut(tag, " ")
					send(signals, device.Signal(device.TagOn{Tag: uid, Text: text}), ended)
				}
			}
		}
		time.Sleep(time.Second)
		synctest.Wait()
		select {
		case <-ended:
		default:
			out.WriteString("> interrupted\n")
		}
		cancel()
		<-ended
	})
	return out.String()
}

func send[T any](to chan T, what T, ended chan struct{}) {
	select {
	case to <- what:
	case <-ended:
	}
}

func (s *school) expect(script, want string) {
	s.t.Helper()
	if got := s.teach(script); got != want {
		s.t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func (s *school) kept(want string) {
	s.t.Helper()
	data, err := os.ReadFile(s.file)
	if err != nil || string(data) != want {
		s.t.Errorf("the catalogue is\n%s%v\nwant\n%s", data, err, want)
	}
}

const keysLine = "u takes the last one back, s skips one, y takes a tag that was something else, q ends; each " +
	"with Enter\n"

func TestLearnDeck(t *testing.T) {
	s := newSchool(t, "")
	s.expect(`04000000000001
		04000000000002
		04000000000003`, `mutants: 0 of 3 copies have a tag
`+keysLine+`Lay down mutants/zombie.1 (Zombie, 1/2)
> 04000000000001
04000000000001 is mutants/zombie.1
Lay down mutants/zombie.2 (Zombie, 2/2)
> 04000000000002
04000000000002 is mutants/zombie.2
Lay down mutants/bat.1 (Bat, 1/1)
> 04000000000003
04000000000003 is mutants/bat.1
mutants: all 3 copies have a tag
`)
	s.kept("04000000000001 mutants/zombie.1\n04000000000002 mutants/zombie.2\n04000000000003 mutants/bat.1\n")
}

// TestLearnGoesOn tests that an interrupted lesson goes on where it was, and that u
// and a tag that means undo take back the last step.
func TestLearnGoesOn(t *testing.T) {
	s := newSchool(t, "04000000000009 key undo\n")
	s.expect(`04000000000001
		04000000000002
		04000000000009
		type u
		type u
		04000000000001`, `mutants: 0 of 3 copies have a tag
`+keysLine+`Lay down mutants/zombie.1 (Zombie, 1/2)
> 04000000000001
04000000000001 is mutants/zombie.1
Lay down mutants/zombie.2 (Zombie, 2/2)
> 04000000000002
04000000000002 is mutants/zombie.2
Lay down mutants/bat.1 (Bat, 1/1)
> 04000000000009
04000000000002 is mutants/zombie.2 no longer
Lay down mutants/zombie.2 (Zombie, 2/2)
> type u
04000000000001 is mutants/zombie.1 no longer
Lay down mutants/zombie.1 (Zombie, 1/2)
> type u
There is nothing to take back
> 04000000000001
04000000000001 is mutants/zombie.1
Lay down mutants/zombie.2 (Zombie, 2/2)
> interrupted
mutants: 1 of 3 copies have a tag; the same command goes on from here
`)
	s.expect(`type s
		04000000000003
		type u
		type u
		type q`, `mutants: 1 of 3 copies have a tag
`+keysLine+`Lay down mutants/zombie.2 (Zombie, 2/2)
> type s
Lay down mutants/bat.1 (Bat, 1/1)
> 04000000000003
04000000000003 is mutants/bat.1
mutants: 2 of 3 copies have a tag; the same command goes on from here
> type u
> type u
> type q
`)
	s.kept("04000000000009 key undo\n04000000000001 mutants/zombie.1\n04000000000003 mutants/bat.1\n")
}

// TestLearnUndoFails tests that a step that could not be taken back can be taken back later.
func TestLearnUndoFails(t *testing.T) {
	s := newSchool(t, "")
	s.expect(`04000000000001
		folder
		type u
		file 04000000000001 mutants/zombie.1
		type u`, `mutants: 0 of 3 copies have a tag
`+keysLine+`Lay down mutants/zombie.1 (Zombie, 1/2)
> 04000000000001
04000000000001 is mutants/zombie.1
Lay down mutants/zombie.2 (Zombie, 2/2)
> type u
04000000000001 could not be kept: read `+s.file+`: is a directory
Lay down mutants/zombie.2 (Zombie, 2/2)
> type u
04000000000001 is mutants/zombie.1 no longer
Lay down mutants/zombie.1 (Zombie, 1/2)
> interrupted
mutants: 0 of 3 copies have a tag; the same command goes on from here
`)
	s.kept("# no tags\n")
}

// TestLearnKnown tests that the tag of another card becomes that of this one only
// after a question.
func TestLearnKnown(t *testing.T) {
	s := newSchool(t, "04000000000001 mutants/zombie.1\n04000000000008 mindbug/fox.1\n04000000000009 key yes\n")
	s.expect(`04000000000001
		04000000000008
		04000000000009
		type y
		04000000000007 tableside:mindbug/fox.2
		type x
		type y
		04000000000001
		type y
		type u
		type u
		type s
		04000000000006 tableside:mutants/bat.1`, `mutants: 1 of 3 copies have a tag
`+keysLine+`Lay down mutants/zombie.2 (Zombie, 2/2)
> 04000000000001
04000000000001 is mutants/zombie.1 already; lay down another one, or y makes it mutants/zombie.2
> 04000000000008
04000000000008 is mindbug/fox.1 already; lay down another one, or y makes it mutants/zombie.2
> 04000000000009
04000000000009 is key/yes already; lay down another one, or y makes it mutants/zombie.2
> type y
04000000000009 is mutants/zombie.2
Lay down mutants/bat.1 (Bat, 1/1)
> 04000000000007 tableside:mindbug/fox.2
04000000000007 says that it is mindbug/fox.2; lay down another one, or y makes it mutants/bat.1
> type x
`+keysLine+`> type y
> 04000000000001
04000000000001 is mutants/zombie.1 already; lay down another one, or y makes it mutants/bat.1
> type y
04000000000001 is mutants/bat.1
Lay down mutants/zombie.1 (Zombie, 1/2)
> type u
04000000000001 is mutants/bat.1 no longer
Lay down mutants/bat.1 (Bat, 1/1)
> type u
04000000000009 is mutants/zombie.2 no longer
Lay down mutants/zombie.2 (Zombie, 2/2)
> type s
Lay down mutants/bat.1 (Bat, 1/1)
> 04000000000006 tableside:mutants/bat.1
04000000000006 is mutants/bat.1
mutants: 2 of 3 copies have a tag; the same command goes on from here
`)
	s.kept("04000000000001 mutants/zombie.1\n04000000000008 mindbug/fox.1\n04000000000009 key yes\n04000000000006 " +
		"mutants/bat.1\n")
}

// TestLearnDoubtful tests that two tags at once are refused, because nobody can tell
// which was meant, and that a phone is no tag.
func TestLearnDoubtful(t *testing.T) {
	s := newSchool(t, "")
	s.expect(`04000000000001+04000000000002
		08A1B2C3
		04000000000002`, `mutants: 0 of 3 copies have a tag
`+keysLine+`Lay down mutants/zombie.1 (Zombie, 1/2)
> 04000000000001+04000000000002
Several tags came at once: lay down one at a time
> 08A1B2C3
08A1B2C3 could not be kept: 08A1B2C3 is a random number, as a phone or a bank card gives another each time
> 04000000000002
04000000000002 is mutants/zombie.1
Lay down mutants/zombie.2 (Zombie, 2/2)
> interrupted
mutants: 1 of 3 copies have a tag; the same command goes on from here
`)
}

// TestLearnFrench tests that a lesson in French also says in French what is wrong with a tag.
func TestLearnFrench(t *testing.T) {
	s := newSchool(t, "")
	s.lang = engine.French
	if got, want := s.teach("08A1B2C3"), "08A1B2C3 est un numéro au hasard"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant %q", got, want)
	}
}

// TestLearnOne tests that --card learns one card or key, whose tag from before becomes
// unknown.
func TestLearnOne(t *testing.T) {
	s := newSchool(t, "04000000000001 mutants/zombie.1\n")
	s.only = "mutants/zombie.1"
	s.expect("04000000000002", `Lay down mutants/zombie.1 (Zombie, 1/2)
> 04000000000002
04000000000002 is mutants/zombie.1
`)
	s.only = "key/undo"
	s.expect("04000000000003", `Lay down key/undo (undo)
> 04000000000003
04000000000003 is key/undo
`)
	s.kept("04000000000002 mutants/zombie.1\n04000000000003 key undo\n")
	s.only = "key/undo"
	s.expect("04000000000003", `Lay down key/undo (undo)
> 04000000000003
04000000000003 is key/undo
`)
}

// TestWriteDeck tests that a name is written on each tag, that known cards may come in
// any order, and that a foreign text is overwritten only after a question.
func TestWriteDeck(t *testing.T) {
	s := newSchool(t, "04000000000001 mutants/zombie.2\n")
	broken := true
	var written []string
	s.write = func(_ context.Context, tag, text string) error {
		if tag == "04000000000002" && broken {
			broken = false
			return errors.New("the tag is not there")
		}
		written = append(written, tag+" "+text)
		return nil
	}
	s.expect(`04000000000001
		04000000000002
		04000000000002
		04000000000003 https://example.org/
		type y
		04000000000001`, `mutants: 1 of 3 copies have a tag
`+keysLine+`Lay down mutants/zombie.1 (Zombie, 1/2)
> 04000000000001
04000000000001 is mutants/zombie.2, with its name on it
> 04000000000002
04000000000002 could not be written: the tag is not there. Take it off and lay it down again
Lay down mutants/bat.1 (Bat, 1/1)
> 04000000000002
04000000000002 is mutants/zombie.1, with its name on it
> 04000000000003 https://example.org/
04000000000003 has another text, "https://example.org/"; y writes mutants/bat.1 over it
> type y
04000000000003 is mutants/bat.1, with its name on it
mutants: all 3 copies have a tag
> 04000000000001
`)
	if got := strings.Join(written, "\n"); got != `04000000000001 tableside:mutants/zombie.2
04000000000002 tableside:mutants/zombie.1
04000000000003 tableside:mutants/bat.1` {
		t.Errorf("written\n%s", got)
	}
	// Again: all are known, and some have their names on them already.
	written = nil
	s.expect(`04000000000003 tableside:mutants/bat.1
		04000000000009
		04000000000001 tableside:mutants/bat.1
		type y
		04000000000002 tableside:mutants/zombie.1`, `mutants: 3 of 3 copies have a tag
`+keysLine+`Lay the cards down in any order; 3 are to come
> 04000000000003 tableside:mutants/bat.1
04000000000003 is mutants/bat.1, with its name on it
> 04000000000009
04000000000009 is not in the catalogue, and no card waits for a tag
> 04000000000001 tableside:mutants/bat.1
04000000000001 has another text, "tableside:mutants/bat.1"; y writes mutants/zombie.2 over it
> type y
04000000000001 is mutants/zombie.2, with its name on it
> 04000000000002 tableside:mutants/zombie.1
04000000000002 is mutants/zombie.1, with its name on it
mutants: all 3 copies have a tag
`)
	if len(written) != 1 {
		t.Errorf("written %q", written)
	}
}
