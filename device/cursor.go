package device

import (
	"slices"

	"tableside/engine"
)

// A prompt whose answers no key stands for is answered with a cursor: left
// and right, and where words or numbers are chosen minus and plus, move it over
// the answers that are whole inputs, and yes gives the one it points at. The cursor is no part of the
// match; only the answer it gives is.

// pointable are the answers of a prompt that the cursor may point at: those
// whose input needs no card. None where keys of their own answer the prompt.
func pointable(p engine.Prompt) []int {
	var at []int
	for i, o := range p.Options {
		if o.Zone != "" {
			continue
		}
		in, err := engine.ParseInput(o.Input)
		if err != nil {
			continue
		}
		if in.Verb == engine.Key && in.Seat == p.Seat && slices.Contains([]string{"left", "right", "yes"}, in.Arg(0)) {
			return nil
		}
		at = append(at, i)
	}
	return at
}

// point returns where the cursor stands in a view: at cursor if it may, else
// at the first answer it may point at, -1 for none.
func point(v engine.View, cursor int) int {
	if len(v.Prompts) == 0 {
		return -1
	}
	at := pointable(v.Prompts[0])
	switch {
	case len(at) == 0:
		return -1
	case slices.Contains(at, cursor):
		return cursor
	default:
		return at[0]
	}
}

// steer takes a key to the cursor. It returns where the cursor stands then
// and, unless the key only moved it, the input to go on with: the answer that
// yes gave, or the input itself when it does not concern the cursor.
func steer(v engine.View, cursor int, in engine.Input) (at int, out engine.Input, moved bool) {
	at = point(v, cursor)
	if at < 0 || in.Verb != engine.Key {
		return at, in, false
	}
	p := v.Prompts[0]
	if in.Seat != p.Seat && in.Seat != engine.Table && p.Seat != engine.Table {
		return at, in, false
	}
	own := func(key string) bool { // whether the prompt has an answer for this key itself
		return slices.ContainsFunc(p.Options, func(o engine.Answer) bool { return o.Input == string(p.Seat)+" key "+key })
	}
	counts := slices.ContainsFunc(p.Options, func(o engine.Answer) bool { // words or numbers to go up and down
		answer, err := engine.ParseInput(o.Input)
		return err == nil && answer.Verb == engine.Choose
	})
	answers := pointable(p)
	i := slices.Index(answers, at)
	switch key := in.Arg(0); {
	case key == "yes":
		answer, err := engine.ParseInput(p.Options[at].Input)
		if err != nil {
			return at, in, false
		}
		answer.At = in.At
		return at, answer, false
	case own(key):
	case key == "right" || key == "plus" && counts:
		return answers[(i+1)%len(answers)], in, true
	case key == "left" || key == "minus" && counts:
		return answers[(i+len(answers)-1)%len(answers)], in, true
	}
	return at, in, false
}

// samePrompt tells whether the first prompts of two views ask the same: only
// then does the cursor stay where it is.
func samePrompt(a, b engine.View) bool {
	if len(a.Prompts) == 0 || len(b.Prompts) == 0 {
		return len(a.Prompts) == len(b.Prompts)
	}
	p, q := a.Prompts[0], b.Prompts[0]
	return p.Seat == q.Seat && p.Key == q.Key && slices.EqualFunc(p.Options, q.Options, func(x, y engine.Answer) bool {
		return x.Input == y.Input && x.Zone == y.Zone
	})
}
