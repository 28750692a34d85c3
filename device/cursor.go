package device

import (
	"slices"

	"tableside/engine"
)

// A cursor lets players give the answers that have no key of their own. The keys "left" and
// "right" move the cursor over the answers that need no card. The key "yes" gives the answer
// at which the cursor points. If words or numbers can be chosen, the keys "plus" and "minus"
// move the cursor, too.
//
// The cursor is no part of the match. Only the answer that it gives is an input of the match.
type cursor struct {
	at     int         // the index of an answer in the first prompt; -1 for none
	view   engine.View // the view to which the position belongs
	number typedNumber // being typed
}

func (c *cursor) follow(v engine.View) {
	if !samePrompt(v, c.view) {
		c.at, c.number = -1, typedNumber{}
	}
	c.at, c.view = point(v, c.at), v
}

// selectable returns the indexes of the answers of a prompt at which the cursor may point.
// These are the answers whose input needs no card. There are none if the key "left" or the key
// "right" is itself an answer. There are also none if the key "yes" is an answer and all the
// others are keys, too.
func selectable(p engine.Prompt) []int {
	var at []int
	yes, words := false, false
	for i, o := range p.Options {
		if o.Zone != "" {
			continue
		}
		in, err := engine.ParseInput(o.Input)
		if err != nil {
			continue
		}
		if in.Verb == engine.Key && in.Seat == p.Seat {
			switch in.Arg(0) {
			case "left", "right":
				return nil
			case "yes":
				yes = true
			}
		}
		words = words || in.Verb != engine.Key
		at = append(at, i)
	}
	if yes && !words {
		return nil
	}
	return at
}

// startPosition returns the position at which the cursor starts. answers must be the result of
// selectable, and not empty.
//
// If the prompt has the answer "key yes", the cursor starts there. Otherwise, if a card may be
// tapped, the cursor starts nowhere, and startPosition returns -1. An answer without a card is
// then the exception, and nobody should give it by accident with the key "yes". In all other
// cases the cursor starts at the first of the answers.
func startPosition(p engine.Prompt, answers []int) int {
	for _, i := range answers {
		if p.Options[i].Input == string(p.Seat)+" key yes" {
			return i
		}
	}
	if slices.ContainsFunc(p.Options, func(o engine.Answer) bool { return o.Zone != "" }) {
		return -1
	}
	return answers[0]
}

// point returns the position of the cursor in a view. If the view does not allow the given
// position, point returns the position at which the cursor starts. The result is -1 if the
// cursor points at nothing.
func point(v engine.View, cursor int) int {
	if len(v.Prompts) == 0 {
		return -1
	}
	at := selectable(v.Prompts[0])
	switch {
	case len(at) == 0:
		return -1
	case slices.Contains(at, cursor):
		return cursor
	default:
		return startPosition(v.Prompts[0], at)
	}
}

// steer applies a key to the cursor. It returns the cursor's new position, and the input that
// follows from the key. For the key "yes", this input is the answer at which the cursor
// points. For any other key, the input is the key itself. If moved is true, the key has only
// moved the cursor, and there is no input to apply.
func steer(v engine.View, cursor int, in engine.Input) (at int, out engine.Input, moved bool) {
	at = point(v, cursor)
	if len(v.Prompts) == 0 || in.Verb != engine.Key {
		return at, in, false
	}
	p := v.Prompts[0]
	answers := selectable(p)
	if len(answers) == 0 {
		return at, in, false
	}
	if in.Seat != p.Seat && in.Seat != engine.Table && p.Seat != engine.Table {
		return at, in, false
	}
	own := func(key string) bool { // whether the prompt has an answer for this key itself
		return slices.ContainsFunc(p.Options, func(o engine.Answer) bool { return o.Input == string(p.Seat)+" key "+key })
	}
	counts := slices.ContainsFunc(p.Options, func(o engine.Answer) bool { // plus and minus move it, too
		answer, err := engine.ParseInput(o.Input)
		return err == nil && answer.Verb == engine.Choose
	})
	i := slices.Index(answers, at) // -1 if it points at nothing yet
	switch key := in.Arg(0); {
	case key == "yes" && at >= 0:
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
		return answers[(max(i, 0)+len(answers)-1)%len(answers)], in, true
	}
	return at, in, false
}

func samePrompt(a, b engine.View) bool {
	if len(a.Prompts) == 0 || len(b.Prompts) == 0 {
		return len(a.Prompts) == len(b.Prompts)
	}
	p, q := a.Prompts[0], b.Prompts[0]
	return p.Seat == q.Seat && p.Key == q.Key && slices.EqualFunc(p.Options, q.Options, func(x, y engine.Answer) bool {
		return x.Input == y.Input && x.Zone == y.Zone
	})
}
