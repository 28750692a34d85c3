package bench

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// TestComputerAtARealTable plays whole matches against the table with cards that lie face down before its seat. A
// person shows them to the reader and turns over those that it plays; another one answers by chance. Which card
// it is exactly is the matter of package simulated.
func TestComputerAtARealTable(t *testing.T) {
	turned := 0
	for _, game := range []string{"mindbug/first-contact", "mindbug/king-of-tokyo"} {
		t.Run(game, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { turned += playComputer(t, game) })
		})
	}
	if turned == 0 { // a match may end before the first
		t.Error("it has played no card")
	}
}

func playComputer(t *testing.T, game string) (turned int) {
	b := sit(t, engine.Setup{Game: game, Seats: enginetest.Seats(2), Options: map[string]string{"guide": "off"},
		Computer: map[engine.Seat]string{"blue": "easy"}, Begin: time.Now()})
	chance := rand.New(rand.NewPCG(1, 2))
	var row []string // the cards before blue, from the left
	hand := func() []string {
		for _, p := range b.cards.Piles() {
			if p.Place == "blue/hand" {
				return p.Cards
			}
		}
		return nil
	}
	tap := func(seat engine.Seat, card string) {
		t.Helper()
		r, _, err := b.Play(t.Context(), b.table, engine.Input{Seat: seat, Verb: engine.Tap, Args: []string{card}})
		if err != nil || r.Outcome != engine.Accepted && seat == "blue" { // red and everybody try any card
			t.Fatalf("%s taps %s: %+v, %v", seat, card, r, err)
		}
	}
	shown, waited := 0, 0
	for n := 0; len(b.table.Frame().View.Winners) == 0; n++ {
		if n > 20000 || waited > 1000 {
			t.Fatalf("no end: %+v", b.table.Frame().View.Prompts)
		}
		f := b.table.Frame()
		p := f.View.Prompts[0]
		row = slices.DeleteFunc(row, func(c string) bool { return !slices.Contains(hand(), c) })
		switch {
		case p.Key == "computer-show":
			waited = 0
			if len(row) == len(hand()) {
				row = nil // a card went that nobody saw: all are shown again
			}
			row = append(row, next(hand(), row))
			shown++
			tap("blue", row[len(row)-1])
			if read := b.table.LastTag(); slices.ContainsFunc(row, func(c string) bool { return strings.HasSuffix(read.Card, "/"+c) }) {
				t.Errorf("the page tells that %s was shown", read.Card)
			}
		case p.Key == "computer-turn":
			waited = 0
			turned++
			for len(row) < p.Args["of"].(int) {
				row = append(row, next(hand(), row)) // it came back, and everybody saw it
			}
			tap("blue", row[p.Args["n"].(int)-1])
		case slices.Contains(f.Status.Computer, p.Seat):
			waited++
			time.Sleep(100 * time.Millisecond)
		default:
			waited = 0
			o := p.Options[chance.IntN(len(p.Options))]
			if o.Zone != "" {
				for _, pile := range b.cards.Piles() {
					if pile.Place == o.Zone {
						tap(p.Seat, pile.Cards[chance.IntN(len(pile.Cards))])
					}
				}
				continue
			}
			words := strings.Fields(o.Input)
			in := engine.Input{Seat: engine.Seat(words[0]), Verb: engine.Verb(words[1]), Args: words[2:]}
			if r := b.table.Input(t.Context(), in); r.Outcome != engine.Accepted {
				t.Logf("%s: %+v", o.Input, r)
			}
		}
	}
	if shown < 5 {
		t.Error("it has seen few cards")
	}
	return turned
}

// next returns the card of a pile that has come first of those that do not lie in the row.
func next(pile, row []string) string {
	for _, card := range slices.Backward(pile) {
		if !slices.Contains(row, card) {
			return card
		}
	}
	return ""
}
