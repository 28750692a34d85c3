package enginetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// Expect checks a sentence about a view. If the sentence is true, Expect returns nil.
// Otherwise the error says what the view has instead.
//
// If the first word is "no", the rest of the sentence must be false. If a sentence names a
// seat, counter or zone that the view lacks, Expect always returns an error. The pseudo-seat
// "table" has the shared counters and zones.
func Expect(v engine.View, words ...string) error {
	if len(words) > 0 && words[0] == "no" {
		err := Expect(v, words[1:]...)
		if err == nil {
			return errors.New("it holds")
		}
		if _, isFalse := err.(untrueError); isFalse {
			return nil
		}
		return err
	}
	if len(words) < 2 {
		return errors.New("nothing is expected")
	}
	rest := words[1:]
	switch words[0] {
	case "stack":
		return expectStack(v, rest)
	case "zone":
		return expectZone(v, rest)
	case "prompt", "answer":
		return expectPrompt(v, words[0], rest)
	case "die":
		return expectDie(v, rest)
	case "cell":
		return expectCell(v, rest)
	case "state":
		return expectState(v, rest)
	case "clock":
		return expectClock(v, rest)
	case "winners":
		return cmp.Or(seated(v, rest...), checkEqual(" "+strings.Join(rest, " "), list(v.Winners)))
	case "turn", "first", "phase", "round", "notice":
		if len(rest) != 1 {
			return wrote(false, words[0]+" "+rest[0])
		}
		return expectMatch(v, words[0], rest[0])
	}
	return expectCounter(v, words)
}

// An untrueError means that a sentence is well formed but false. It says what the view has
// instead.
type untrueError string

func (u untrueError) Error() string { return string(u) }

func untruef(format string, args ...any) error { return untrueError(fmt.Sprintf(format, args...)) }

func checkEqual(want, got string) error {
	if want != got {
		return untruef("it is %q", strings.TrimSpace(got))
	}
	return nil
}

func sameNumber(want string, got float64) error {
	if _, err := strconv.ParseFloat(want, 64); err != nil {
		return fmt.Errorf("%q is no number", want)
	}
	return checkEqual(want, strconv.FormatFloat(got, 'f', -1, 64))
}

func seated(v engine.View, names ...string) error {
	for _, name := range names {
		if name != string(engine.Table) && v.Seat(engine.Seat(name)) == nil {
			return fmt.Errorf("nobody sits at %s", name)
		}
	}
	return nil
}

func expectMatch(v engine.View, what, want string) error {
	switch what {
	case "turn":
		return cmp.Or(seated(v, want), checkEqual(want, string(v.Turn)))
	case "first":
		return cmp.Or(seated(v, want), checkEqual(want, string(v.First)))
	case "phase":
		return checkEqual(want, v.Phase)
	case "round":
		return sameNumber(want, float64(v.Round))
	}
	if !slices.Contains(v.Notices, want) {
		return untruef("the notices are %v", v.Notices)
	}
	return nil
}

func expectDie(v engine.View, words []string) error {
	if len(words) != 2 {
		return wrote(false, "die red-1 growth-2")
	}
	i := slices.IndexFunc(v.Dice, func(d engine.Die) bool { return d.ID == words[0] })
	if i < 0 {
		return fmt.Errorf("there is no die %s", words[0])
	}
	return checkEqual(words[1], string(v.Dice[i].Face))
}

func place(v engine.View, name string) (engine.Counters, engine.Zones, error) {
	if name == string(engine.Table) {
		return v.Counters, v.Zones, nil
	}
	if s := v.Seat(engine.Seat(name)); s != nil {
		return s.Counters, s.Zones, nil
	}
	return nil, nil, fmt.Errorf("nobody sits at %s", name)
}

func expectCounter(v engine.View, words []string) error {
	counters, _, err := place(v, words[0])
	if err != nil || len(words) != 3 {
		return errors.Join(err, wrote(len(words) == 3, "red score 7"))
	}
	n, ok := counters.Get(words[1])
	if !ok {
		return fmt.Errorf("%s has no counter %s", words[0], words[1])
	}
	return sameNumber(words[2], float64(n))
}

func wrote(well bool, as string) error {
	if !well {
		return fmt.Errorf("want a line such as %q", "expect "+as)
	}
	return nil
}

func expectStack(v engine.View, words []string) error {
	if len(words) < 2 {
		return wrote(false, "stack power 9 blue red")
	}
	i := slices.IndexFunc(v.Tracks, func(t engine.Track) bool { return t.ID == words[0] })
	space, err := strconv.Atoi(words[1])
	if i < 0 || err != nil {
		return fmt.Errorf("there is no track %s with a space %s", words[0], words[1])
	}
	want := ""
	for _, seat := range words[2:] {
		want += " " + seat
	}
	if err := seated(v, words[2:]...); err != nil {
		return err
	}
	if got := list(v.Tracks[i].Stacks[space]); got != want {
		return untruef("the stack is %q; %s", strings.TrimSpace(got), stacks(v.Tracks[i]))
	}
	return nil
}

func expectCell(v engine.View, words []string) error {
	if len(words) != 3 {
		return wrote(false, "cell round-2 red 15")
	}
	row := v.Sheet.Row(words[0])
	if row == nil {
		return fmt.Errorf("there is no row %s", words[0])
	}
	return cmp.Or(seated(v, words[1]), checkEqual(words[2], cmp.Or(cellText(*row, words[1]), "empty")))
}

func expectState(v engine.View, words []string) error {
	if len(words) != 2 {
		return wrote(false, "state red last-turn")
	}
	s := v.Seat(engine.Seat(words[0]))
	if s == nil {
		return fmt.Errorf("there is no seat %s", words[0])
	}
	if !slices.Contains(s.State, words[1]) {
		return untruef("%s is %s", words[0], cmp.Or(strings.Join(s.State, ", "), "nothing"))
	}
	return nil
}

func expectClock(v engine.View, words []string) error {
	s, runs := v.Clock.Seat(engine.Seat(words[0]))
	if s == nil {
		return fmt.Errorf("there is no clock of %s", words[0])
	}
	if len(words) == 2 && words[1] == "runs" {
		if !runs {
			return untrueError("it stands still")
		}
		return nil
	}
	times := map[string]*int64{"used": &s.Used, "left": s.Left, "turn": s.Turn}
	if len(words) != 3 || times[words[1]] == nil {
		return wrote(false, "clock red left 587.5")
	}
	return sameNumber(words[2], float64(*times[words[1]])/1000)
}

func expectZone(v engine.View, words []string) error {
	if len(words) < 2 {
		return wrote(false, "zone red active zombie")
	}
	_, zones, err := place(v, words[0])
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(zones, func(z engine.Zone) bool { return z.Name == words[1] }) {
		return fmt.Errorf("%s has no zone %s", words[0], words[1])
	}
	cards, want := zones.Get(words[1]), words[2:]
	if !slices.EqualFunc(cards, want, isCard) {
		return untruef("there lie %s", cmp.Or(cardList(cards), "no cards"))
	}
	return nil
}

func isCard(c engine.Card, want string) bool {
	parts := strings.Split(want, ":")
	if name := parts[0]; name != cmp.Or(c.ID(), "?") && name != cmp.Or(string(c.Kind), "?") {
		return false
	}
	for _, state := range parts[1:] {
		if !slices.Contains(c.State, state) {
			return false
		}
	}
	return true
}

func expectPrompt(v engine.View, what string, words []string) error {
	if what == "prompt" && len(words) != 2 {
		return wrote(false, "prompt red choose-flank")
	}
	if what == "answer" && len(words) != 3 {
		return wrote(false, `answer red choose-flank "red key left"`)
	}
	if err := seated(v, words[0]); err != nil {
		return err
	}
	var asked []string
	for _, p := range v.Prompts {
		asked = append(asked, promptLine(p))
		if string(p.Seat) != words[0] || p.Key != words[1] {
			continue
		}
		if what == "prompt" || slices.ContainsFunc(p.Options, func(o engine.Answer) bool { return o.Input == words[2] }) {
			return nil
		}
	}
	return untruef("the prompts are %s", cmp.Or(strings.Join(asked, "; "), "none"))
}
