package web

import (
	"net/http"
	"slices"

	"tableside/display/web/core"
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
func (s *Server) serveTexts(w http.ResponseWriter, r *http.Request) (any, error) {
	f, _ := s.currentFrame(core.LangOf(r))
	cards := []openCard{}
	for _, kind := range openKinds(f.View) {
		cards = append(cards, openCard{Card: kind, Name: f.Words.Card(f.Lang, kind), Does: s.cardText(f, kind)})
	}
	return cards, nil
}

func (s *Server) cardText(f engine.Frame, card string) string {
	return core.SayLines(f, s.config.Simulated.Describe(card))
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
