package device

import (
	"slices"
	"strings"
	"time"

	"tableside/engine"
)

const (
	maxDigitPause  = 5 * time.Second // the longest pause between two digits of a number
	maxTypedDigits = 4               // in a number
)

// A typedNumber holds the digits of a number that somebody types.
type typedNumber struct {
	digits string
	place  string // the keyboard
	at     time.Time
}

// take returns the digits that were typed at a keyboard, and forgets all typed digits. The
// result is "" if nothing was typed at this keyboard, or if more than maxDigitPause has passed
// since the last digit.
func (t *typedNumber) take(keyboard string, at time.Time) string {
	before := *t
	*t = typedNumber{}
	if before.place != keyboard || at.Sub(before.at) > maxDigitPause {
		return ""
	}
	return before.digits
}

func isDigit(key string) bool { return len(key) == 1 && key[0] >= '0' && key[0] <= '9' }

// press handles the press of a key. If a prompt asks for a number, press collects digits, the
// cursor shows the number, and the key "yes" enters it. If the prompt changes a counter, the
// key "plus" or "yes" adds the typed number to the counter, and the key "minus" subtracts it.
// In any other prompt a digit gives the answer with that number. A 0 that cannot be part of a
// number acts as the key "no".
//
// The keys "undo" and "redo" become the inputs with these names. Any other key is passed on
// unchanged.
func (l *loop) press(s Press, at time.Time) engine.Receipt {
	view, seat := l.view(), seatOr(s.Seat)
	before := l.game.cursor.number.take(s.Place, at)
	in := engine.Input{Seat: seat, Verb: engine.Key, Args: []string{s.Key}}
	i := promptIndex(view, seat)
	switch {
	case s.Key == string(engine.Undo) || s.Key == string(engine.Redo):
		in.Verb, in.Args = engine.Verb(s.Key), nil
		return l.input(in, s.Place, at)
	case isDigit(s.Key) && i >= 0:
		return l.digit(view, i, before, s, at)
	case isDigit(s.Key):
		return l.noAnswer(s)
	case before != "" && i >= 0:
		if number, ok := enter(view.Prompts[i], before, s.Key); ok {
			number.At = l.game.clock(at)
			return l.give(number, s.Place, at)
		}
	}
	return l.input(in, s.Place, at)
}

// digit handles the press of a digit for one prompt of the view. index is the index of the
// prompt. prefix holds the digits that were typed before.
func (l *loop) digit(view engine.View, index int, prefix string, s Press, at time.Time) engine.Receipt {
	p := &view.Prompts[index]
	digits, asked := p.Digits()
	text := prefix + s.Key
	if asked && !begins(digits, text) {
		text = s.Key
	}
	if asked && begins(digits, text) || p.Counts() && text != "0" && len(text) <= maxTypedDigits {
		l.game.cursor.number = typedNumber{text, s.Place, at}
		if i := slices.Index(digits, text); i >= 0 && index == 0 {
			l.game.cursor.at = i
		}
		return l.note(engine.Receipt{Outcome: engine.Accepted, Seat: seatOr(s.Seat), Place: s.Place})
	}
	if i := slices.Index(digits, s.Key); i >= 0 && !asked {
		if in, err := engine.ParseInput(p.Options[i].Input); err == nil {
			in.At = l.game.clock(at)
			return l.give(in, s.Place, at)
		}
	}
	if s.Key == "0" {
		return l.press(Press{Place: s.Place, Seat: s.Seat, Key: "no"}, at)
	}
	return l.noAnswer(s)
}

func (l *loop) noAnswer(s Press) engine.Receipt {
	r := refused("receipt.no-answer-number", "n", s.Key)
	r.Seat, r.Place = seatOr(s.Seat), s.Place
	return l.note(r)
}

func begins(digits []string, text string) bool {
	return slices.ContainsFunc(digits, func(d string) bool { return strings.HasPrefix(d, text) })
}

// enter ends the typing of a number. It returns the input that follows from the typed digits
// and the key pressed after them, such as "red choose +12". If the prompt accepts no such
// input, enter returns false.
func enter(p engine.Prompt, text, key string) (engine.Input, bool) {
	sign := map[string]string{"yes": "+", "plus": "+", "minus": "-"}[key]
	if p.Counts() {
		return engine.Input{Seat: p.Seat, Verb: engine.Choose, Args: []string{sign + text}}, sign != ""
	}
	digits, asked := p.Digits()
	i := slices.Index(digits, text)
	if !asked || i < 0 || key != "yes" {
		return engine.Input{}, false
	}
	in, err := engine.ParseInput(p.Options[i].Input)
	return in, err == nil
}

func promptIndex(v engine.View, seat engine.Seat) int {
	own := func(p engine.Prompt) bool { return p.Seat == seat || seat == engine.Table }
	if i := slices.IndexFunc(v.Prompts, own); i >= 0 {
		return i
	}
	return slices.IndexFunc(v.Prompts, func(p engine.Prompt) bool { return p.Seat == engine.Table })
}
