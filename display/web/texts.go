package web

import (
	"net/http"
	"slices"

	"tableside/engine"
)

// openCard describes a kind of card that lies face up on the table.
type openCard struct {
	Card string `json:"card"`
	Name string `json:"name"`
	Does string `json:"does"` // its text, line by line; "" if unknown
}

// serveTexts serves the texts of the face-up cards to everybody. The players of a simulated
// table need the texts, because they have no real cards to read. A table that is not simulated
// answers 404.
func (s *Server) serveTexts(w http.ResponseWriter, r *http.Request) {
	if s.config.Simulated == nil {
		s.failf(w, r, http.StatusNotFound, "this table has real hardware: its players read the cards")
		return
	}
	f, _ := s.currentFrame(langOf(r))
	cards := []openCard{}
	for _, kind := range openKinds(f.View) {
		cards = append(cards, openCard{Card: kind, Name: cardName(f, kind), Does: s.cardText(f, kind)})
	}
	reply(w, http.StatusOK, cards)
}

func cardName(f engine.Frame, card string) string {
	if word := engine.CardWord(card); f.Words.Has(string(word)) {
		return f.Words.Say(f.Lang, engine.Text{Key: string(word)}, nil)
	}
	return card
}

// cardText returns a card's text, line by line. If the table cannot describe cards, it
// returns "".
func (s *Server) cardText(f engine.Frame, card string) string {
	if s.config.Simulated.Describe == nil {
		return ""
	}
	return sayLines(f, s.config.Simulated.Describe(card))
}

// openKinds returns the kinds of the face-up cards in the order of the view. It returns each
// kind once. It leaves out face-down cards, even if their owner has named them.
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
