package reader

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/device"
	"tableside/engine"
)

// An environment is a chip with tags of several kinds, and what a catalogue knows of them: D… is a
// die, K… a key, N… answers only the third time, L… and E… after it was given up, E… as a blank one,
// S… never answers, and M… is on another reader.
type environment struct {
	Chip
	known map[string]int // how often the catalogue was asked
	asked map[string]int // how often the tag was
}

func (e *environment) know(tag, text string) (device.Meaning, bool) {
	kind, unknown := device.CardTag, strings.ContainsAny(tag[:1], "NLES")
	switch tag[0] {
	case 'D':
		kind = device.DieTag
	case 'K':
		kind = device.KeyTag
	}
	e.known[tag]++
	return device.Meaning{Kind: kind}, !unknown || text != ""
}

func (e *environment) Text(_ context.Context, tag string) (string, error) {
	e.asked[tag]++
	switch n := e.asked[tag]; {
	case tag[0] == 'N' && n > 2, tag[0] == 'L' && n > maxTextTries:
		return "text", nil
	case tag[0] == 'E' && n > maxTextTries:
		return "", ErrNoText
	}
	return "", errors.New("nothing was read")
}

// A player plays on a reader of a board, and hears what that tells the table.
type player struct {
	*Reader
	environment
	heard []string
	laid  map[string]string // texts of tags that were reported as laid
}

func newPlayer() *player {
	p := &player{environment: environment{known: map[string]int{}, asked: map[string]int{}}, laid: map[string]string{}}
	p.Reader = New(Config{Chip: &p.environment, Know: p.know})
	p.ctx = context.Background()
	p.emit = func(s device.Signal) <-chan engine.Receipt {
		switch s := s.(type) {
		case device.TagOn:
			p.say("+"+s.Tag, s.Text)
		case device.TagOff:
			p.say("-"+s.Tag, s.Text)
		}
		return nil
	}
	return p
}

func (p *player) say(what, text string) {
	if text != "" {
		what += "(" + text + ")"
	}
	p.heard = append(p.heard, what)
}

// see is a poll. What it finds laid is heard after what it finds lifted.
func (p *player) see(outcome Outcome, found ...string) {
	p.Board.see(p.Reader, outcome, found)
	for _, t := range p.lying {
		if text, known := p.laid[t.tag]; t.initial && t.reported && (!known || text != t.text) {
			p.laid[t.tag] = t.text
			p.say("="+t.tag, t.text)
		}
	}
}

// play feeds polls to a board. A poll lists the tags found, "A,B", or "-" for
// none, with "?" after it if it was blurred, or is "!" if it failed. play returns
// each poll with its changes: + tapped, = laid, - lifted.
func (p *player) play(polls string) string {
	var b strings.Builder
	for poll := range strings.FieldsSeq(polls) {
		outcome, tags := Clean, poll
		if rest, ok := strings.CutSuffix(poll, "?"); ok {
			outcome, tags = Blurred, rest
		}
		if poll == "!" {
			outcome = Failed
		}
		var found []string
		if tags != "-" && tags != "" && tags != "!" {
			found = strings.Split(tags, ",")
		}
		if slices.Contains(found, "M") {
			p.Board.tags["M"] = &lyingTag{tag: "M", reader: &Reader{}, lastSeen: time.Now()}
		}
		p.see(outcome, found...)
		b.WriteString(strings.Join(append([]string{poll}, p.heard...), " ") + "\n")
		p.heard = nil
	}
	return b.String()
}

func TestRules(t *testing.T) {
	for _, c := range []struct{ name, polls, want string }{
		{"a tag is tapped once, however long it lies there",
			"- A A A A A A A A A A", "+A"},
		{"it was lifted after four clean polls",
			"- A - - - A - - - -", "+A -A"},
		{"and then it is new",
			"- A - - - - A A", "+A -A +A"},
		{"an error is no removal",
			"- A ! ! ! ! ! ! ! ! A", "+A"},
		{"nor is something that cannot be read",
			"- A ? ? ? ? ? ? ? ? A", "+A"},
		{"both start the count again",
			"- A - - - ! - - - ? - - - - A", "+A -A +A"},
		{"nor are an error and an empty poll together",
			"- A ! ! ! ! - A", "+A"},
		{"nor are empty polls that do not follow each other",
			"- A - - - A - A - - - ! - A - - - ? - A", "+A"},
		{"an error is no tap",
			"- ! A ! A ! - ! A", "+A"},
		{"what lies there at first was put there before",
			"A A A - - - - A", "=A -A +A"},
		{"also when the first look is hard",
			"! ? A? A,B - - - - B", "=A =B -A -B +B"},
		{"but what cannot be read for ever hides nothing",
			"? ? ? ? ? ? ? ? ? ? A?", "+A"},
		{"two at once are both tapped, by UID",
			"- B,A", "+A +B"},
		{"found earlier is tapped earlier",
			"- B A,B", "+B +A"},
		{"each is lifted by itself",
			"- A,B B B B B - - - -", "+A +B -A -B"},
		{"a swap is one lift and one tap",
			"- A B B B B B", "+A +B -A"},
		{"lifted comes before tapped",
			"- A - - - B", "+A -A +B"},
		{"of two, one that cannot be read is not lifted",
			"- A,B A? A? A? A? A? A,B", "+A +B"},
		{"a die has to settle",
			"- D1 D1 D2 D3 D3 D3 D3 D3", "+D3"},
		{"and is lifted as a card is",
			"- D1 D1 D1 D1 - D1 - - - -", "+D1 -D1"},
		{"a blurred poll settles no die",
			"- D1 D1 D1 ? D1 D1 D1 D1", "+D1"},
		{"a key stays away for longer before it acts again",
			"- K - - - - - - K - - - - - - - - K", "+K -K +K"},
		{"a tag is asked for its name again",
			"- N N N N", "+N(text)"},
		{"and says it when it is lifted too",
			"- N N N - - - -", "+N(text) -N(text)"},
		{"until it is given up",
			"- S S S S S S", "+S"},
		{"but it is tapped again when it can be read at last",
			"-" + strings.Repeat(" L", 3*retryEvery) + " - - - -", "+L +L(text) -L(text)"},
		{"unless it was there before",
			strings.Repeat("L ", 3*retryEvery), "=L =L(text)"},
		{"or is blank",
			"-" + strings.Repeat(" E", 3*retryEvery), "+E"},
		{"or taken away",
			"- S - - - -", "+S -S"},
		{"a neighbour's tag is not tapped here",
			"- M M M - - - - M", ""},
		{"the same tag twice is one tag",
			"- A,A A,A", "+A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := newPlayer().play(c.polls)
			var changes []string
			for line := range strings.Lines(got) {
				changes = append(changes, strings.Fields(line)[1:]...)
			}
			if strings.Join(changes, " ") != c.want {
				t.Errorf("want %s; got\n%s", c.want, got)
			}
		})
	}
}

// TestWhen checks which poll leads to a change.
func TestWhen(t *testing.T) {
	for polls, want := range map[string]string{
		"- A,D A,D A,D A,D - - - - -": "-\nA,D +A\nA,D\nA,D\nA,D +D\n-\n-\n-\n- -A -D\n-\n",
		"- S S S S S S":               "-\nS\nS\nS\nS\nS +S\nS\n",
		"- D D - D D ! D D ? D D D D": "-\nD\nD\n-\nD\nD\n!\nD\nD\n?\nD\nD\nD\nD +D\n",
		"- A - ! - - - ? - - - -":     "-\nA +A\n-\n!\n-\n-\n-\n?\n-\n-\n-\n- -A\n",
	} {
		if got := newPlayer().play(polls); got != want {
			t.Errorf("got\n%s", got)
		}
	}
}

func TestTapInitial(t *testing.T) {
	p := newPlayer()
	p.TapInitial = true
	if got := p.play("A A"); got != "A +A\nA\n" {
		t.Errorf("got\n%s", got)
	}
}

func TestTakenOver(t *testing.T) {
	p := newPlayer()
	if got := p.play("- A,B"); got != "-\nA,B +A +B\n" {
		t.Errorf("got\n%s", got)
	}
	other := &lyingTag{tag: "A", reader: &Reader{}, lastSeen: time.Now()}
	p.Board.tags["A"] = other
	if got := p.play("A,B - - - - B"); got != "A,B\n-\n-\n-\n- -B\nB +B\n" {
		t.Errorf("A lies elsewhere: got\n%s", got)
	}
	other.lastSeen, other.reported = time.Now().Add(-takeOverAfter), true
	if got := p.play("A,B"); got != "A,B -A +A\n" {
		t.Errorf("A is back: got\n%s", got)
	}
}

// TestSteady checks that no tag is identified twice.
func TestSteady(t *testing.T) {
	p := newPlayer()
	p.play("- A,B A,B A? ! A,B")
	if p.known["A"] != 1 {
		t.Errorf("A was asked %d times", p.known["A"])
	}
}
