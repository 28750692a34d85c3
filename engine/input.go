package engine

import (
	"strconv"
	"strings"
	"time"
)

// A Verb names an action at the table. All games share the verbs below.
type Verb string

const (
	Tap    Verb = "tap"    // a card was put on a reader: the copy, "zombie.2"
	Lift   Verb = "lift"   // a card was taken off a reader
	Key    Verb = "key"    // a key was pressed: yes no left right plus minus next roll
	Choose Verb = "choose" // one of the words or numbers that a prompt offers
	Roll   Verb = "roll"   // the faces of the dice
	Set    Verb = "set"    // a correction by hand: its name and value
	Undo   Verb = "undo"   // takes back the last input
	Redo   Verb = "redo"   // repeats the last undone input
)

// Keys lists the keys of the table. These keys suffice for every game. The key "undo" makes an
// input with the verb Undo.
var Keys = []string{"yes", "no", "left", "right", "plus", "minus", "next", "roll", "undo"}

// Anyway is the last argument of an input that players have forced. The engine first refused
// the input, in a Refusal that allows an override. Then the key "yes" confirmed the input.
const Anyway = "anyway"

// An Input is one action at the table and one line of a journal: "12.5s red tap
// zombie.1".
type Input struct {
	At   time.Duration // since the beginning of the match; the only clock a game has
	Seat Seat
	Verb Verb
	Args []string
}

// Arg returns the i-th argument, or "" when there are fewer.
func (in Input) Arg(i int) string {
	if i < len(in.Args) {
		return in.Args[i]
	}
	return ""
}

// Confirmed reports whether the key "yes" has confirmed the input after a refusal with
// Override.
func (in Input) Confirmed() bool {
	return len(in.Args) > 0 && in.Args[len(in.Args)-1] == Anyway
}

// Command returns the journal line of the input without its time. HTTP and MQTT accept this
// form.
func (in Input) Command() string {
	var b strings.Builder
	b.WriteString(string(in.Seat))
	b.WriteByte(' ')
	b.WriteString(string(in.Verb))
	for _, arg := range in.Args {
		b.WriteByte(' ')
		b.WriteString(Quote(arg))
	}
	return b.String()
}

// String returns the whole journal line.
func (in Input) String() string { return formatTime(in.At) + " " + in.Command() }

// ParseInput reads an input from a line. If the line has no time, the field At is 0. A result
// is well formed, but only a match knows whether it makes sense. The error is a *SyntaxError
// with a column.
func ParseInput(line string) (Input, error) {
	tokens, err := Tokens(line)
	if err != nil {
		return Input{}, err
	}
	return parseInput(tokens)
}

func parseInput(tokens []Token) (Input, error) {
	var in Input
	if len(tokens) == 0 {
		return in, malformed(1, "nothing here; an input is a seat, a verb and its arguments, as in %q", "red tap zombie.1")
	}
	if at, ok := parseTime(tokens[0].Text); ok {
		in.At, tokens = at, tokens[1:]
	} else if c := tokens[0].Text[:min(1, len(tokens[0].Text))]; c >= "0" && c <= "9" {
		return in, malformed(tokens[0].Column, "%q is not a time such as 12.5s", tokens[0].Text)
	}
	if len(tokens) < 2 {
		return in, malformed(1, "a seat and a verb are needed, as in %q", "red tap zombie.1")
	}
	if !IsWord(tokens[0].Text) {
		return in, malformed(tokens[0].Column, "%q cannot name a seat", tokens[0].Text)
	}
	in.Seat, in.Verb = Seat(tokens[0].Text), Verb(tokens[1].Text)
	for _, t := range tokens[2:] {
		in.Args = append(in.Args, t.Text)
	}
	return in, checkVerb(in, tokens[1].Column)
}

// verbArgs holds the least and the greatest number of arguments of each verb. The argument
// Anyway does not count.
var verbArgs = map[Verb][2]int{
	Tap: {1, 1}, Lift: {1, 1}, Key: {1, 1}, Choose: {1, 2}, Roll: {1, 12}, Set: {2, 7}, Undo: {0, 0}, Redo: {0, 0},
}

func checkVerb(in Input, column int) error {
	bounds, known := verbArgs[in.Verb]
	if in.Confirmed() && bounds[1] > 0 {
		bounds[1]++ // for Anyway: a confirmed input must read back from the journal
	}
	switch {
	case !known:
		return malformed(column, "%q is not a verb; the verbs are tap, lift, key, choose, roll, set, undo and redo", in.Verb)
	case len(in.Args) < bounds[0]:
		return malformed(column, "%s needs an argument", in.Verb)
	case len(in.Args) > bounds[1]:
		return malformed(column, "too many arguments: %s takes at most %d, got %d", in.Verb, bounds[1], len(in.Args))
	}
	return nil
}

// IsWord reports whether s may be the name of a seat, a card, a counter or a preset. Such a
// name begins with a small letter and consists of small letters, digits, - and _. The name
// does not end with - or _, and has at most 40 bytes.
func IsWord(s string) bool {
	if s == "" || len(s) > 40 {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9' && i > 0:
		case (c == '-' || c == '_') && i > 0 && i < len(s)-1:
		default:
			return false
		}
	}
	return true
}

// formatTime writes seconds with up to three decimals.
func formatTime(at time.Duration) string {
	s := strconv.FormatFloat(at.Round(time.Millisecond).Seconds(), 'f', 3, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	return s + "s"
}

// maxAt is the latest time of an input: ten years at the table. It keeps times far from
// overflow.
const maxAt = 10 * 365 * 24 * time.Hour

func parseTime(s string) (time.Duration, bool) {
	digits, ok := strings.CutSuffix(s, "s")
	if !ok || digits == "" || len(digits) > 16 {
		return 0, false
	}
	whole, fraction, dotted := strings.Cut(digits, ".")
	if whole == "" || dotted && (fraction == "" || len(fraction) > 3) {
		return 0, false
	}
	seconds, err := strconv.ParseUint(whole, 10, 40)
	if err != nil || seconds > uint64(maxAt/time.Second) {
		return 0, false
	}
	var millis uint64
	if dotted {
		if millis, err = strconv.ParseUint((fraction + "000")[:3], 10, 16); err != nil {
			return 0, false
		}
	}
	return time.Duration(seconds)*time.Second + time.Duration(millis)*time.Millisecond, true
}
