package core

import (
	"strings"

	"tableside/engine"
)

// hiddenCard describes a card of a hidden pile.
type hiddenCard struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Does string `json:"does,omitempty"` // its text, line by line

	Picked bool `json:"picked,omitempty"` // played next when the table does not ask which card
}

type HiddenPile struct {
	Place string       `json:"place"`
	Title string       `json:"title"`
	Cards []hiddenCard `json:"cards"` // the top card first
}

// SpokenPile returns a pile of hidden cards. Each card has its name and, from the function
// describe, the text that says what it does.
func SpokenPile(f engine.Frame, p engine.Pile, describe func(id string) string) HiddenPile {
	zone := p.Place[strings.Index(p.Place, "/")+1:]
	title := zone
	for _, key := range []string{"counter." + zone, "zone." + zone} {
		if f.Words.Has(key) {
			title = f.Words.Say(f.Lang, engine.T(key), nil)
		}
	}
	pile := HiddenPile{Place: p.Place, Title: title, Cards: []hiddenCard{}}
	for _, id := range p.Cards {
		card := hiddenCard{ID: id, Name: f.Words.Card(f.Lang, id), Does: describe(id), Picked: id == p.Picked}
		pile.Cards = append(pile.Cards, card)
	}
	return pile
}

func SayLines(f engine.Frame, texts []engine.Text) string {
	lines := make([]string, len(texts))
	for i, t := range texts {
		lines[i] = f.Words.Say(f.Lang, t, nil)
	}
	return strings.Join(lines, "\n")
}
