package reader

import (
	"strings"
	"testing"

	"tableside/device"
)

// An environment has tags of several kinds: D… is a die, K… a key, N… answers
// only the third time, L… and E… after it was given up, E… as a blank one, S… never answers, and M…
// is on another reader.
type environment struct{ asked map[string]int }

func (e *environment) Take(tag string) bool { return tag[0] != 'M' }

func (e *environment) Identify(tag string) (string, Policy, bool) {
	if e.asked == nil {
		e.asked = map[string]int{}
	}
	e.asked[tag]++
	switch tag[0] {
	case 'D':
		return "", PolicyOf(device.DieTag), true
	case 'K':
		return "", PolicyOf(device.KeyTag), true
	case 'N':
		return "text", PolicyOf(device.CardTag), e.asked[tag] > 2
	case 'L':
		return "text", PolicyOf(device.CardTag), e.asked[tag] > maxTextTries
	case 'E':
		return "", PolicyOf(device.CardTag), e.asked[tag] > maxTextTries
	case 'S':
		return "", Policy{}, false
	}
	return "", PolicyOf(device.CardTag), true
}

// play feeds polls to a presence. A poll lists the tags found, "A,B", or "-" for
// none, with "?" after it if it was blurred, or is "!" if it failed. play returns
// each poll with its changes: + tapped, = laid, - lifted.
func play(p *Presence, env Environment, polls string) string {
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
		b.WriteString(poll)
		for _, c := range p.See(outcome, found, env) {
			b.WriteString(map[ChangeKind]string{Tapped: " +", Laid: " =", Lifted: " -"}[c.Kind] + c.Tag)
			if c.Text != "" {
				b.WriteString("(" + c.Text + ")")
			}
		}
		b.WriteString("\n")
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
			got := play(&Presence{}, &environment{}, c.polls)
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
		if got := play(&Presence{}, &environment{}, polls); got != want {
			t.Errorf("got\n%s", got)
		}
	}
}

func TestTapInitial(t *testing.T) {
	if got := play(&Presence{TapInitial: true}, &environment{}, "A A"); got != "A +A\nA\n" {
		t.Errorf("got\n%s", got)
	}
}

// lies reports whether a tag lies there, as far as is known.
func (p *Presence) lies(tag string) bool {
	i := p.index(tag)
	return i >= 0 && p.tags[i].tapped
}

func TestForget(t *testing.T) {
	p := &Presence{}
	play(p, &environment{}, "- A,B")
	if !p.lies("A") || !p.lies("B") || p.lies("C") {
		t.Error("A and B lie there")
	}
	p.Forget("A")
	p.Forget("C")
	if p.lies("A") || !p.lies("B") {
		t.Error("only B lies there")
	}
	if got := play(p, &environment{}, "B A,B"); got != "B\nA,B +A\n" {
		t.Errorf("got\n%s", got)
	}
}

// TestSteady checks that no tag is identified twice, and that polls do not
// allocate.
func TestSteady(t *testing.T) {
	p, e := &Presence{}, &environment{}
	found := []string{"A", "B"}
	p.See(Clean, nil, e)
	p.See(Clean, found, e)
	if n := testing.AllocsPerRun(100,
		func() { p.See(Clean, found, e); p.See(Blurred, found[:1], e); p.See(Failed, nil, e) }); n != 0 {
		t.Errorf("%v allocations for three polls", n)
	}
	if e.asked["A"] != 1 {
		t.Errorf("A was asked %d times", e.asked["A"])
	}
}
