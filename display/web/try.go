package web

import (
	"cmp"
	"context"
	"net/http"

	"tableside/display/web/core"
	"tableside/engine"
)

// maxTries is the largest number of inputs that one request may try. It is enough for a page
// that asks to which places a card may go.
const maxTries = 64

// tryCorrections answers with the results that some corrections would have. Thus the page can
// offer only those corrections that the game accepts, and say what a form of a score sheet would
// bring. If an input is anything else, tryCorrections refuses it, because nobody may learn what a
// move would do before the move is made.
func (s *Server) tryCorrections(w http.ResponseWriter, r *http.Request) (any, error) {
	var body struct {
		Inputs []string `json:"inputs"`
	}
	if err := core.Decode(w, r, &body); err != nil {
		return nil, err
	}
	if len(body.Inputs) > maxTries {
		return nil, core.Failf(http.StatusBadRequest, "got %d inputs, want at most %d", len(body.Inputs), maxTries)
	}
	var inputs []engine.Input
	for _, line := range body.Inputs {
		in, err := engine.ParseInput(line)
		if err != nil {
			return nil, core.FailWith(http.StatusBadRequest, err)
		}
		if in.Verb != engine.Set && (in.Verb != engine.Choose || in.Arg(0) != "deal") {
			return nil, core.Failf(http.StatusBadRequest, "got %q, want only corrections with set, or a deal", line)
		}
		if err := s.MayInput(r, in); err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	ctx, cancel := context.WithTimeout(r.Context(), core.DoLimit)
	defer cancel()
	now, trials := s.config.Try(ctx, inputs)
	answer := struct {
		Now     string                `json:"now"`
		Results []string              `json:"results"`
		Gains   []map[engine.Seat]int `json:"gains"`
		Texts   []string              `json:"texts"`
	}{Now: now, Results: []string{}}
	for _, t := range trials {
		text := ""
		if f, _ := s.currentFrame(""); t.Why.Key != "" && f.Words != nil {
			text = f.Words.Say(cmp.Or(core.LangOf(r), f.Lang), t.Why, f.View.Names())
		}
		answer.Results, answer.Texts = append(answer.Results, t.Hash), append(answer.Texts, text)
		answer.Gains = append(answer.Gains, t.Gains)
	}
	return answer, nil
}
