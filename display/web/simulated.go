package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"tableside/engine"
)

func (s *Server) tap(w http.ResponseWriter, r *http.Request) {
	s.simulate(w, r, engine.Tap, "place", "tag", func(ctx context.Context, hw *Simulated, place, tag string) error {
		return hw.Tap(ctx, place, tag)
	})
}

func (s *Server) lift(w http.ResponseWriter, r *http.Request) {
	s.simulate(w, r, engine.Lift, "place", "tag", func(ctx context.Context, hw *Simulated, place, tag string) error {
		err := hw.Lift(ctx, place, tag)
		f, _ := s.currentFrame("")
		seated := slices.ContainsFunc(f.View.Seats, func(v engine.SeatView) bool { return string(v.ID) == place })
		if errors.Is(err, ErrNoSuchPlace) && seated {
			return nil // late: the reader holds another card already, or none
		}
		return err
	})
}

func (s *Server) press(w http.ResponseWriter, r *http.Request) {
	s.simulate(w, r, engine.Key, "seat", "key", func(ctx context.Context, hw *Simulated, seat, key string) error {
		if !slices.Contains(engine.Keys, key) && key != "redo" {
			return engine.FaultOf(ErrNoSuchPlace, "there is no key %s", printable(key))
		}
		return hw.Press(ctx, engine.Seat(seat), key)
	})
}

func (s *Server) pick(w http.ResponseWriter, r *http.Request) {
	s.simulate(w, r, engine.Choose, "place", "card", func(_ context.Context, hw *Simulated, place, card string) error {
		return hw.Pick(place, card)
	})
}

// simulate serves a request to operate the simulated hardware. It reads two values, whose keys
// the caller gives, from the JSON object or form in the request. It passes these values to the
// given function, which operates the hardware. If the second value is the tag of a real card,
// simulate calls the method arrive instead. The request needs the right to make the input that
// the operation causes.
//
// Status 202 means only that the operation was done. The receipt comes with the next frame.
func (s *Server) simulate(w http.ResponseWriter, r *http.Request, verb engine.Verb, first, second string,
	do func(ctx context.Context, hw *Simulated, a, b string) error) {
	hw := s.config.Simulated
	network := s.config.Readers != nil && (verb == engine.Tap || verb == engine.Lift)
	if hw == nil && !network {
		s.failf(w, r, http.StatusNotFound, "this table has real hardware: nothing is simulated")
		return
	}
	var a, b string
	if isJSON(r) {
		body := map[string]string{}
		if !s.decode(w, r, &body) {
			return
		}
		a, b = body[first], body[second]
	} else {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if err := r.ParseForm(); err != nil {
			s.failf(w, r, http.StatusBadRequest, "the form cannot be read")
			return
		}
		a, b = r.Form.Get(first), r.Form.Get(second)
	}
	if a == "" || b == "" || len(a) > 200 || len(b) > 200 {
		s.failf(w, r, http.StatusBadRequest, "%q and %q are needed, each at most 200 long", first, second)
		return
	}
	// The text of a real tag names no simulated card.
	if network && (hw == nil || strings.HasPrefix(b, cardScheme)) {
		s.arrive(w, r, verb, a, b)
		return
	}
	if !s.mayInput(w, r, inputAt(a, verb, b)) {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), doLimit)
	defer cancel()
	switch err := do(ctx, hw, a, b); {
	case err == nil:
		reply(w, http.StatusAccepted, struct{}{})
	case errors.Is(err, ErrNoSuchPlace):
		fail(w, http.StatusNotFound, s.reason(r, err))
	default:
		fail(w, http.StatusInternalServerError, s.reason(r, err))
	}
}

// inputAt returns the input that somebody makes at a place. The place is a seat or, if the
// verb is Choose, a place of cards, such as "red/hand". If such a place belongs to no seat,
// the input has the table as its seat. The keys "undo" and "redo" become the verbs Undo and
// Redo.
func inputAt(place string, verb engine.Verb, what string) engine.Input {
	in := engine.Input{Seat: engine.Seat(place), Verb: verb, Args: []string{what}}
	if verb == engine.Choose {
		seat, _, owned := strings.Cut(place, "/")
		if in.Seat = engine.Seat(seat); !owned {
			in.Seat = engine.Table
		}
	}
	if verb == engine.Key && (what == string(engine.Undo) || what == string(engine.Redo)) {
		in.Verb, in.Args = engine.Verb(what), nil
	}
	return in
}

// hiddenCard describes a card of a hidden pile.
type hiddenCard struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Does string `json:"does,omitempty"` // its text, line by line

	Picked bool `json:"picked,omitempty"` // played next when the table does not ask which card
}

type hiddenPile struct {
	Place string       `json:"place"`
	Title string       `json:"title"`
	Cards []hiddenCard `json:"cards"` // the top card first
}

// piles serves the hidden cards that this browser may see. A browser without the right to play
// may see nobody's hand.
func (s *Server) piles(w http.ResponseWriter, r *http.Request) {
	if s.config.Simulated == nil {
		s.failf(w, r, http.StatusNotFound, "this table has real hardware: it does not know the hidden cards")
		return
	}
	f, _ := s.currentFrame(langOf(r))
	reply(w, http.StatusOK, s.pilesFor(f, s.rightsOf(r)))
}

// pilesFor returns the hidden cards that a browser may see, in the frame's language.
func (s *Server) pilesFor(f engine.Frame, has Rights) []hiddenPile {
	piles := []hiddenPile{}
	for _, p := range s.config.Simulated.Piles() {
		if has.seesPile(f.View, p.Place) {
			piles = append(piles, spokenPile(f, p, func(id string) string { return s.cardText(f, id) }))
		}
	}
	return piles
}

// sayLines returns the texts in the frame's language, one per line.
func sayLines(f engine.Frame, texts []engine.Text) string {
	lines := make([]string, len(texts))
	for i, t := range texts {
		lines[i] = f.Words.Say(f.Lang, t, nil)
	}
	return strings.Join(lines, "\n")
}
