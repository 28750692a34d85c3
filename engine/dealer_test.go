package engine

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

type boxState struct{ penState }

func (*boxState) Box(*rand.Rand) []Pile {
	return []Pile{{Place: "red/deck", Cards: []string{"a.1", "b.1", "c.1"}},
		{Place: "red/hand", Cards: []string{"d.1", "e.1"}}}
}

func newDealer() *Dealer { return NewDealer(&boxState{}, rand.New(rand.NewPCG(1, 2))) }

func next(d *Dealer, e Event) Step { return Step{Events: []Event{e}, Position: d.position + 1} }

func undone(d *Dealer) Step { return Step{Input: Input{Verb: Undo}, Position: d.position - 1} }

func piles(d *Dealer) string {
	var all []string
	for _, p := range d.Piles() {
		all = append(all, fmt.Sprintf("%s %s", p.Place, strings.Join(p.Cards, " ")))
	}
	return strings.Join(all, " | ")
}

func TestDealerMoves(t *testing.T) {
	for _, c := range []struct {
		name  string
		event Event
		want  string
		err   string
	}{
		{"draws the top cards", Event{From: "red/deck", To: "red/hand", N: 2}, "red/deck c.1 | red/hand b.1 a.1 d.1 e.1", ""},
		{"plays a named card", Event{Card: "e.1", From: "red/hand", To: "red/active"},
			"red/deck a.1 b.1 c.1 | red/hand d.1 | red/active e.1", ""},
		{"puts under its own pile", Event{Card: "a.1", From: "red/deck", To: "red/deck"},
			"red/deck b.1 c.1 a.1 | red/hand d.1 e.1", ""},
		{"finds a card from anywhere", Event{Card: "b.1", To: "table"}, "red/deck a.1 c.1 | red/hand d.1 e.1 | table b.1",
			""},
		{"moves no card without To", Event{Card: "b.1", From: "red/deck"}, "red/deck a.1 b.1 c.1 | red/hand d.1 e.1", ""},
		{"moves nothing", Event{Seat: "red", N: 2}, "red/deck a.1 b.1 c.1 | red/hand d.1 e.1", ""},
		{"is told of the wrong place", Event{Name: "play", Card: "a.1", From: "red/hand", To: "table"},
			"red/deck d.1 b.1 c.1 | red/hand e.1 | table a.1",
			"event play moves a.1 from red/hand, where [d.1 e.1] lie"},
		{"moves what nobody sees", Event{Name: "takes", Unseen: []string{"d.1", "e.1"}, From: "red/hand", To: "red/pool"},
			"red/deck a.1 b.1 c.1 | red/hand  | red/pool e.1 d.1", ""},
		{"is told the wrong place of what nobody sees",
			Event{Name: "takes", Unseen: []string{"a.1"}, From: "red/hand", To: "red/pool"},
			"red/deck d.1 b.1 c.1 | red/hand e.1 | red/pool a.1",
			"event takes moves a.1 unseen from red/hand, where [d.1 e.1] lie"},
		{"puts cards away", Event{From: "red/deck", To: Away, N: 2}, "red/deck c.1 | red/hand d.1 e.1", ""},
		{"is shown the top of a pile", Event{Name: "reveals", Card: "b.1", From: "red/deck"},
			"red/deck b.1 a.1 c.1 | red/hand d.1 e.1", ""},
		{"is shown a top that was dealt elsewhere", Event{Name: "reveals", Card: "e.1", From: "red/deck"},
			"red/deck e.1 b.1 c.1 | red/hand d.1 a.1", ""},
		{"is told of a strange card", Event{Name: "play", Card: "x.1", From: "red/hand", To: "red/hand"},
			"red/deck a.1 b.1 c.1 | red/hand d.1 e.1",
			"event play moves x.1 from red/hand, where [d.1 e.1] lie"},
		{"is told of too many", Event{Name: "draw", From: "red/deck", To: "red/hand", N: 4},
			"red/deck  | red/hand c.1 b.1 a.1 d.1 e.1",
			"event draw moves 4 cards from red/deck, where 3 lie"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDealer()
			err := d.Follow(next(d, c.event))
			if piles(d) != c.want || message(err) != c.err {
				t.Errorf("%s, %q\nwant %s, %q", piles(d), message(err), c.want, c.err)
			}
		})
	}
}

// TestDealerTakesAnyOfAHand checks that a hand has no top: a card without a name
// may be any of it.
func TestDealerTakesAnyOfAHand(t *testing.T) {
	taken := map[string]bool{}
	d := newDealer()
	for range 50 {
		d.Follow(next(d, Event{From: "red/hand", To: "red/discard", N: 1}))
		taken[d.Cards("red/discard")[0]] = true
		d.Follow(undone(d))
	}
	if !taken["d.1"] || !taken["e.1"] {
		t.Errorf("only %v was taken", taken)
	}
}

// TestDealerTakesThePickedCard checks that the card that its player has picked
// goes first, once.
func TestDealerTakesThePickedCard(t *testing.T) {
	d := newDealer()
	for range 20 {
		if !d.Pick("red/hand", "d.1") || !d.Pick("red/hand", "e.1") {
			t.Fatal("a card of the hand cannot be picked")
		}
		d.Follow(next(d, Event{From: "red/hand", To: "red/battle", N: 1}))
		if got := d.Cards("red/battle"); !slices.Equal(got, []string{"e.1"}) {
			t.Fatalf("%v was taken", got)
		}
		d.Follow(next(d, Event{From: "red/battle", To: "red/hand", N: 1}))
		if picked := d.Piles()[1].Picked; picked != "" {
			t.Fatalf("%s came back and is picked", picked)
		}
		d.Follow(undone(d))
		d.Follow(undone(d))
		if picked := d.Piles()[1].Picked; picked != "e.1" {
			t.Fatalf("after an undo %q is picked", picked)
		}
		d.Pick("red/hand", "e.1")
	}
	if picked := d.Piles()[1].Picked; picked != "" {
		t.Errorf("%s is picked, though it was twice", picked)
	}
	for _, c := range [][2]string{{"red/deck", "a.1"}, {"red/hand", "a.1"}, {"nowhere/hand", "d.1"}} {
		if d.Pick(c[0], c[1]) {
			t.Errorf("%s was picked of %s", c[1], c[0])
		}
	}
}

func TestDealerShuffles(t *testing.T) {
	d := newDealer()
	orders := map[string]bool{}
	for range 50 {
		if err := d.Follow(next(d, Event{Name: "shuffle", From: "red/hand", To: "red/deck"})); err != nil {
			t.Fatal(err)
		}
		cards := d.Cards("red/deck")
		orders[strings.Join(cards, " ")] = true
		if sorted := slices.Sorted(slices.Values(cards)); !slices.Equal(sorted,
			[]string{"a.1", "b.1", "c.1", "d.1", "e.1"}) || len(d.Cards("red/hand")) > 0 {
			t.Fatalf("%s", piles(d))
		}
		d.Follow(undone(d))
	}
	if len(orders) < 10 {
		t.Errorf("50 shuffles gave %d orders", len(orders))
	}
}

// TestDealerUndo checks that undo and redo put every card back where it was,
// although the source of chance has moved on.
func TestDealerUndo(t *testing.T) {
	d := newDealer()
	seen := [][]Pile{d.Piles()}
	moves := []Event{
		{From: "red/hand", To: "red/deck", N: 1}, {Name: "shuffle", From: "red/deck", To: "red/deck"},
		{}, {From: "red/deck", To: "red/hand", N: 2},
	}
	for _, e := range moves {
		d.Follow(next(d, e))
		seen = append(seen, d.Piles())
	}
	for i := range slices.Backward(moves) {
		d.Follow(undone(d))
		if !reflect.DeepEqual(d.Piles(), seen[i]) {
			t.Errorf("undo of %d: %v, want %v", i, d.Piles(), seen[i])
		}
	}
	for i, e := range moves {
		d.Follow(Step{Input: Input{Verb: Redo}, Events: []Event{{Name: EventRedo}, e}, Position: i + 1})
		if !reflect.DeepEqual(d.Piles(), seen[i+1]) {
			t.Errorf("redo of %d: %v, want %v", i, d.Piles(), seen[i+1])
		}
	}
}

// TestDealerWithoutCards follows a match without hidden cards.
func TestDealerWithoutCards(t *testing.T) {
	d := NewDealer(&penState{}, rand.New(rand.NewPCG(1, 2)))
	if err := d.Follow(next(d, Event{Card: "a.1", From: "red/hand", To: "table"})); err != nil ||
		len(d.Cards("table")) != 0 {
		t.Errorf("%v, %v", err, d.Piles())
	}
}
