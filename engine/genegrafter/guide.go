package genegrafter

import (
	"slices"
	"strconv"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// guideSteps are what players do with their hands before the first die: 004
// "Débuter", 1 to 7.
const guideSteps = 6

// guide is the prompt of the set-up step that is shown. Nothing waits for it:
// whoever plays on has passed it.
func (s *state) guide() engine.Prompt {
	p := engine.Prompt{Seat: engine.Table, Key: "set-up-" + strconv.Itoa(s.setUp), Args: engine.Args{"n": s.rules.events}}
	switch {
	case s.setUp == 3 && s.rules.whole != s.rules.box:
		p.Key += "-gear"
	case s.setUp == 5 && s.rules.events == 0:
		p.Key += "-no-events"
	}
	for _, a := range guideAnswers {
		p.Options = append(p.Options, a.View(engine.Table, args(&a)))
	}
	return p
}

var guideAnswers = []answer{cardgame.Key("yes", "set-up-done"), cardgame.Key("no", "set-up-over")}

// takeGuide takes an answer to it, and reports whether the input was one.
// Anything else ends the set-up.
func (s *state) takeGuide(in engine.Input) bool {
	if s.setUp == 0 {
		return false
	}
	i := slices.IndexFunc(guideAnswers, func(a answer) bool { return in.Verb == a.Verb && len(in.Args) == 1 && in.Arg(0) == a.Word })
	switch {
	case i == 0 && s.setUp < guideSteps:
		s.setUp++
	default:
		s.setUp = 0
	}
	return i >= 0
}
