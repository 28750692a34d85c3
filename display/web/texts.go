package web

import (
	"net/http"
	"slices"

	"tableside/engine"
)

// openCard is a kind of card that lies open somewhere, with its text.
type openCard struct {
	Card string `json:"card"`
	Name string `json:"name"`
	Does string `json:"does"` // line by line; "" where nothing is known
}

// texts serves the texts of the cards that lie open, to everybody: at a
// simulated table there are no cards to read them from.
func (s *Server) texts(w http.ResponseWriter, r *http.Request) {
	if s.config.Simulated == nil {
		fail(w, http.StatusNotFound, "this table has real hardware: its players read the cards")
		return
	}
	f, _ := s.current(langOf(r))
	cards := []openCard{}
	for _, kind := range openKinds(f.View) {
		cards = append(cards, openCard{Card: kind, Name: cardName(f, kind), Does: s.does(f, kind)})
	}
	reply(w, http.StatusOK, cards)
}

func cardName(f engine.Frame, card string) string {
	if word := engine.CardWord(card); f.Words.Has(string(word)) {
		return f.Words.Say(f.Lang, engine.Text{Key: string(word)}, nil)
	}
	return card
}

// does returns what a card does, line by line.
func (s *Server) does(f engine.Frame, card string) string {
	if s.config.Simulated.Describe == nil {
		return ""
	}
	return sayLines(f, s.config.Simulated.Describe(card))
}

// openKinds returns the kinds of the cards that lie open, each once, in the
// order of the view. A card that lies face down is left out, though its owner
// may have named it.
func openKinds(v engine.View) []string {
	var kinds []string
	var see func(cards []engine.Card)
	see = func(cards []engine.Card) {
		for _, c := range cards {
			kind := string(c.Kind)
			if kind != "" && !slices.Contains(c.State, "face-down") && !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			see(c.Under)
			see(c.Attached)
		}
	}
	for _, zone := range v.Zones {
		see(zone.Cards)
	}
	for _, seat := range v.Seats {
		for _, zone := range seat.Zones {
			see(zone.Cards)
		}
	}
	return kinds
}
