package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Pile holds the cards in a place ("red/hand", or a zone of the table), the
// top card first.
type Pile struct {
	Place string   `json:"place"`
	Cards []string `json:"cards"` // copies, "zombie.2"

	Picked string `json:"picked,omitempty"` // in a hand: the card chosen by Dealer.Pick; "" for none
}

// A Boxed state has physical cards that are dealt before the match. Box shuffles
// and deals them; nothing else in a game is random.
type Boxed interface {
	Box(chance *rand.Rand) []Pile
}

// A Describer state can tell what a card does, line by line, to players who
// have no card in their hands to read.
type Describer interface {
	Describe(card string) []Text
}

// A Dealer holds the cards of a simulated table and moves them as the steps of a match say. At
// a real table the players deal.
type Dealer struct {
	chance  *rand.Rand
	history [][]Pile // by position in the match, including positions that redo may reach
	now     int      // the match's position
}

// NewDealer deals the cards of a match that has just begun. The dealer of a state that is not
// Boxed holds none.
func NewDealer(state State, chance *rand.Rand) *Dealer {
	d := &Dealer{chance: chance, history: [][]Pile{nil}}
	if boxed, ok := state.(Boxed); ok {
		d.history[0] = boxed.Box(chance)
	}
	return d
}

// Follow moves the cards as the events of the next step say. Undo and redo put every card back
// where it was. If a named card is not in the place that it leaves, Follow first swaps it with
// a card from there, so that piles keep their sizes. Follow carries out all events even if it
// returns an error. The error, which a table may ignore, names the first event that moves
// cards from a place where they are not: the game is wrong, or the players hold other cards
// than were dealt, as in a script.
func (d *Dealer) Follow(s Step) error {
	if s.Input.Verb == Undo || s.Input.Verb == Redo {
		d.now = s.Position
		return nil
	}
	piles := d.history[d.now]
	var wrong error
	for _, e := range s.Events {
		if e.To == "" || e.From == "" && e.Card == "" && len(e.Unseen) == 0 {
			if e.Name == EventReveals {
				piles = revealCard(piles, e)
			}
			continue
		}
		if err := misplaced(piles, e); err != nil && wrong == nil {
			wrong = err
		}
		piles = d.move(piles, e)
	}
	d.history, d.now = append(d.history[:s.Position], piles), s.Position
	return wrong
}

// Pick lets a player choose which card of a hand to lay face down: it is the next card that
// leaves the hand in an event without its name. Picking the same card again takes the choice
// back. Pick reports whether the place is a hand that holds the card.
func (d *Dealer) Pick(place, card string) bool {
	if !IsHand(place) || !slices.Contains(d.Cards(place), card) {
		return false
	}
	piles := slices.Clone(d.Piles())
	p := &piles[pileIndex(&piles, place)]
	if p.Picked == card {
		card = ""
	}
	p.Picked = card
	d.history[d.now] = piles
	return true
}

// IsHand reports whether a place is a hand, or the cards of a draft that are
// passed on: the player may play any of them.
func IsHand(place string) bool {
	return strings.HasSuffix(place, "/hand") || strings.HasSuffix(place, "/draft")
}

// Away is the place of cards that return to the box for good.
const Away = "away"

// misplaced returns an error if an event moves cards from a place where they
// are not.
func misplaced(piles []Pile, e Event) error {
	if len(piles) == 0 {
		return nil // the dealer holds no cards in this match
	}
	var from []string
	for _, p := range piles {
		if p.Place == e.From {
			from = p.Cards
		}
	}
	switch {
	case len(e.Unseen) > 0:
		for _, card := range e.Unseen {
			if !slices.Contains(from, card) {
				return fmt.Errorf("event %s moves %s unseen from %s, where %v lie", e.Name, card, e.From, from)
			}
		}
	case e.Card != "" && e.From != "" && !slices.Contains(from, e.Card):
		return fmt.Errorf("event %s moves %s from %s, where %v lie", e.Name, e.Card, e.From, from)
	case e.Card == "" && e.N > len(from):
		return fmt.Errorf("event %s moves %d cards from %s, where %d lie", e.Name, e.N, e.From, len(from))
	}
	return nil
}

// move returns the piles after one event and leaves the given ones unchanged.
//
// A named card moves to the top of To, or to the bottom if From and To are the same pile. N
// cards without a name come from the top of From. From a hand, the picked card comes first,
// and the others are drawn at random. Unseen cards move as named ones do. EventShuffle moves
// all of From to To and shuffles To. Cards that go Away are put back into the box: no pile
// holds them.
func (d *Dealer) move(piles []Pile, e Event) []Pile {
	piles = slices.Clone(piles)
	if len(e.Unseen) > 0 {
		for _, card := range e.Unseen {
			piles = d.move(piles, Event{Name: e.Name, Card: card, From: e.From, To: e.To})
		}
		return piles
	}
	to := pileIndex(&piles, e.To)
	from := to // without From, findPile looks for the card
	if e.From != "" {
		from = pileIndex(&piles, e.From)
	}
	switch {
	case strings.HasPrefix(e.Name, EventShuffle):
		all := append(slices.Clone(piles[to].Cards), piles[from].Cards...)
		if from == to {
			all = slices.Clone(piles[to].Cards)
		}
		piles[from].Cards = nil
		d.chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		piles[to].Cards = all
	case e.Card != "":
		if e.From != "" {
			piles = exchange(piles, from, e.Card)
		}
		if from = findPile(piles, from, e.Card); from < 0 {
			return piles
		}
		piles[from].Cards = without(piles[from].Cards, e.Card)
		if from == to {
			piles[to].Cards = append(slices.Clone(piles[to].Cards), e.Card)
		} else {
			piles[to].Cards = append([]string{e.Card}, piles[to].Cards...)
		}
	default:
		for range e.N {
			cards := piles[from].Cards
			if len(cards) == 0 {
				break
			}
			i := 0
			if IsHand(e.From) {
				i = d.chance.IntN(len(cards))
			}
			if picked := slices.Index(cards, piles[from].Picked); picked >= 0 {
				i = picked
			}
			card := cards[i]
			piles[from].Cards = without(cards, card)
			piles[to].Cards = append([]string{card}, piles[to].Cards...)
		}
	}
	if !slices.Contains(piles[from].Cards, piles[from].Picked) {
		piles[from].Picked = "" // the picked card has left
	}
	return slices.DeleteFunc(piles, func(p Pile) bool { return p.Place == Away })
}

// revealCard moves the card that an event has revealed to the top of the pile e.From. If the card
// lies in another pile, show first exchanges it: see exchange.
func revealCard(piles []Pile, e Event) []Pile {
	piles = slices.Clone(piles)
	from := pileIndex(&piles, e.From)
	piles = exchange(piles, from, e.Card)
	if slices.Contains(piles[from].Cards, e.Card) {
		piles[from].Cards = append([]string{e.Card}, without(piles[from].Cards, e.Card)...)
	}
	return piles
}

// exchange moves a card to the pile with the index seen, where it has just been seen, if it
// lies in another pile. The card changes places with the top card of the pile seen, because
// players who follow a script hold other cards than were dealt. Nothing changes if no pile
// holds the card, or if the pile seen is empty.
func exchange(piles []Pile, seen int, card string) []Pile {
	lies := findPile(piles, seen, card)
	if lies < 0 || lies == seen || len(piles[seen].Cards) == 0 {
		return piles
	}
	other := piles[seen].Cards[0]
	piles[seen].Cards = append([]string{card}, piles[seen].Cards[1:]...)
	there := slices.Clone(piles[lies].Cards)
	there[slices.Index(there, card)] = other
	piles[lies].Cards = there
	return piles
}

// pileIndex returns the index of the pile of a place. If the place has no pile yet, at adds an empty
// one to piles.
func pileIndex(piles *[]Pile, place string) int {
	i := slices.IndexFunc(*piles, func(p Pile) bool { return p.Place == place })
	if i < 0 {
		*piles = append(*piles, Pile{Place: place})
		i = len(*piles) - 1
	}
	return i
}

// findPile returns the index of the pile that holds the card, or -1. It looks into the expected
// pile first.
func findPile(piles []Pile, expected int, card string) int {
	if slices.Contains(piles[expected].Cards, card) {
		return expected
	}
	return slices.IndexFunc(piles, func(p Pile) bool { return slices.Contains(p.Cards, card) })
}

func without(cards []string, card string) []string {
	i := slices.Index(cards, card)
	return append(slices.Clone(cards[:i]), cards[i+1:]...)
}

// Piles returns all piles as they are now.
func (d *Dealer) Piles() []Pile { return d.history[d.now] }

// Cards returns the cards of a place, the top card first, or nil for a place without a pile.
func (d *Dealer) Cards(place string) []string {
	for _, p := range d.Piles() {
		if p.Place == place {
			return p.Cards
		}
	}
	return nil
}
