package web

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"

	"tableside/display/web/core"
	"tableside/engine"
)

// simulate serves requests to operate the simulated hardware, with two values from the JSON
// object or form in the request, whose keys the caller gives. If the second value is the tag of a
// real card, the method arrive serves the request instead. It needs the right to make the input
// that the operation causes.
//
// Status 202 means only that the operation was done. The receipt comes with the next frame.
func (s *Server) simulate(verb engine.Verb, first, second string) core.Handler {
	return func(w http.ResponseWriter, r *http.Request) (any, error) {
		hw := s.config.Simulated
		network := verb == engine.Tap || verb == engine.Lift
		if hw == nil && !network {
			return nil, core.Failf(http.StatusNotFound, "this table has real hardware: nothing is simulated")
		}
		var a, b string
		if core.IsJSON(r) {
			body := map[string]string{}
			if err := core.Decode(w, r, &body); err != nil {
				return nil, err
			}
			a, b = body[first], body[second]
		} else {
			r.Body = http.MaxBytesReader(w, r.Body, core.MaxBody)
			if err := r.ParseForm(); err != nil {
				return nil, core.Failf(http.StatusBadRequest, "the form cannot be read")
			}
			a, b = r.Form.Get(first), r.Form.Get(second)
		}
		if a == "" || b == "" || len(a) > 200 || len(b) > 200 {
			return nil, core.Failf(http.StatusBadRequest, "%q and %q are needed, each at most 200 long: as a form, or as JSON "+
				"with Content-Type: application/json", first, second)
		}
		// The text of a real tag names no simulated card.
		if network && (hw == nil || strings.HasPrefix(b, cardScheme)) {
			return s.arrive(r, verb, a, b)
		}
		if err := s.MayInput(r, inputAt(a, verb, b)); err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(r.Context(), core.DoLimit)
		defer cancel()
		err := s.operate(ctx, verb, a, b)
		if errors.Is(err, ErrNoSuchPlace) {
			return nil, core.FailWith(http.StatusNotFound, err)
		}
		return core.WithStatus(http.StatusAccepted, struct{}{}), err
	}
}

// operate operates the simulated hardware at a place.
func (s *Server) operate(ctx context.Context, verb engine.Verb, place, what string) error {
	hw := s.config.Simulated
	switch {
	case verb == engine.Tap:
		return hw.Tap(ctx, place, what)
	case verb == engine.Choose:
		return hw.Pick(place, what)
	case verb == engine.Lift:
		err := hw.Lift(ctx, place, what)
		f, _ := s.currentFrame("")
		seated := slices.ContainsFunc(f.View.Seats, func(v engine.SeatView) bool { return string(v.ID) == place })
		if errors.Is(err, ErrNoSuchPlace) && seated {
			return nil // late: the reader holds another card already, or none
		}
		return err
	case !slices.Contains(engine.Keys, what) && what != string(engine.Redo):
		return engine.FaultOf(ErrNoSuchPlace, "there is no key %s", core.Printable(what))
	}
	return hw.Press(ctx, engine.Seat(place), what)
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

// piles serves the hidden cards that this browser may see. A browser without the right to play
// may see nobody's hand.
func (s *Server) piles(w http.ResponseWriter, r *http.Request) (any, error) {
	f, _ := s.currentFrame(core.LangOf(r))
	return s.pilesFor(f, s.RightsOf(r)), nil
}

// pilesFor returns the hidden cards that a browser may see, in the frame's language.
func (s *Server) pilesFor(f engine.Frame, has core.Rights) []core.HiddenPile {
	piles := []core.HiddenPile{}
	for _, p := range s.config.Simulated.Piles() {
		if has.SeesPile(f.View, p.Place) {
			piles = append(piles, core.SpokenPile(f, p, func(id string) string { return s.cardText(f, id) }))
		}
	}
	return piles
}

// hint serves the best answers of a seat that is asked, and in how many of some imagined matches each won, to those
// who may see its hand.
func (s *Server) hint(_ http.ResponseWriter, r *http.Request) (any, error) {
	seat := engine.Seat(r.URL.Query().Get("seat"))
	f, _ := s.currentFrame(core.LangOf(r))
	switch {
	case !s.RightsOf(r).EverySeat() && s.RightsOf(r).Seat != seat:
		return nil, core.Failf(http.StatusForbidden, "a hint for %s would betray its hand", seat)
	case s.config.Simulated.Hint == nil || f.Status.Hall != "" || f.Status.Helped == seat || slices.Contains(f.Status.Computer, seat):
		return nil, core.Failf(http.StatusNotFound, "there are no hints for this seat")
	}
	choices, err := s.config.Simulated.Hint(r.Context(), seat)
	if err != nil {
		return nil, core.Failf(http.StatusServiceUnavailable, "the match cannot be imagined to its end: %s", err)
	}
	all := []map[string]any{}
	for _, c := range choices {
		text, may := c.Say(f.View, f.Words, f.Lang)
		if len(all) < 3 && !may {
			all = append(all, map[string]any{"text": text, "won": math.Round(c.Chance * float64(c.Visits)), "of": c.Visits})
		}
	}
	return all, nil
}
