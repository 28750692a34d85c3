package cardgame

import (
	"slices"

	"tableside/engine"
)

// A Guide explains step by step what players do by hand before a match. Nobody needs to answer
// it: any input that is not an answer to it ends it. The zero value explains nothing.
type Guide struct {
	steps []string // keys of the prompts
	done  int
}

// NewGuide returns a guide with these steps, which are keys of prompts.
func NewGuide(steps ...string) Guide { return Guide{steps: steps} }

var guideAnswers = []Answer{Key("yes", "set-up-done"), Key("no", "set-up-over")}

// Over reports whether nothing is explained any more.
func (g *Guide) Over() bool { return g.done == len(g.steps) }

// Takes reports whether an input answers the guide.
func (g *Guide) Takes(in engine.Input) bool { return g.answer(in) >= 0 }

func (g *Guide) answer(in engine.Input) int {
	if g.Over() {
		return -1
	}
	return slices.IndexFunc(guideAnswers, func(a Answer) bool {
		return in.Verb == a.Verb && len(in.Args) == 1 && in.Arg(0) == a.Word
	})
}

// Take applies an answer to the guide. It reports whether the input was such an answer.
func (g *Guide) Take(in engine.Input) bool {
	switch g.answer(in) {
	case 0:
		g.done++
	case 1:
		g.End()
	default:
		return false
	}
	return true
}

// End ends the guide.
func (g *Guide) End() { g.done = len(g.steps) }

// Replies appends the answers to the present step to a list.
func (g *Guide) Replies(list []engine.Reply) []engine.Reply {
	if g.Over() {
		return list
	}
	for i := range guideAnswers {
		list = append(list, guideAnswers[i].reply(engine.Table))
	}
	return list
}

// Prompts returns the prompt of the present step, or nil when the guide is over. Without args,
// the arguments of its text are the number of the step and how many there are. The callback
// returns the arguments for the text of an answer. It may be nil.
func (g *Guide) Prompts(args engine.Args, said func(*Answer) engine.Args) []engine.Prompt {
	if g.Over() {
		return nil
	}
	if args == nil {
		args = engine.Args{"n": g.done + 1, "of": len(g.steps)}
	}
	p := engine.Prompt{Seat: engine.Table, Key: g.steps[g.done], Args: args}
	for i := range guideAnswers {
		a, text := &guideAnswers[i], engine.Args(nil)
		if said != nil {
			text = said(a)
		}
		p.Options = append(p.Options, a.View(engine.Table, text))
	}
	return []engine.Prompt{p}
}
