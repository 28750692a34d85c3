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

// A Boxed is a State with physical cards that are dealt before the match. Box shuffles and
// deals the cards. Nothing else in a game is random.
type Boxed interface {
	Box(chance *rand.Rand) []Pile
}

// A Believer is a Judge that tells what the table knows of cards that nobody sees.
type Believer interface {
	Judge
	// Believes returns the piles, with "" for each card of which the table only knows that it lies there, and
	// those cards.
	Believes() ([]Pile, []Unseen)
}

// An Unseen is a card that lies in one of some places.
type Unseen struct {
	Card   string
	Places []string
}

// MayBe reports whether it may be a copy of the same kind as a card that lies in a place.
func (u Unseen) MayBe(card, place string) bool {
	return SameKind(u.Card, card) && slices.Contains(u.Places, place)
}

// A Describer is a State that can tell what a card does, line by line. Players without a
// physical card in their hands need this description.
type Describer interface {
	Describe(card string) []Text
}

// A Dealer holds the cards of a simulated table. It moves the cards as the steps of a match
// say. At a real table, the players move the cards themselves.
type Dealer struct {
	chance   *rand.Rand
	history  [][]Pile // by position in the match, including positions that redo may reach
	position int      // in the match
}

// NewDealer deals the cards of a match that has just begun. If the state is not a Boxed, the
// Dealer holds no cards.
func NewDealer(state State, chance *rand.Rand) *Dealer {
	d := &Dealer{chance: chance, history: [][]Pile{nil}}
	if boxed, ok := state.(Boxed); ok {
		d.history[0] = boxed.Box(chance)
	}
	return d
}

// Follow moves the cards as the events of the next step say. An undo or a redo puts every card
// back where it was. If a named card is not in the place that it should leave, Follow first
// exchanges it for a card from that place. So the piles keep their sizes.
//
// Follow carries out all events even if it returns an error. The error names the first event
// whose cards are not in the place that they should leave. Either the game is wrong, or the
// players hold other cards than were dealt, as in a script. A table may ignore the error.
func (d *Dealer) Follow(s Step) error {
	if s.Input.Verb == Undo || s.Input.Verb == Redo {
		d.position = s.Position
		return nil
	}
	d.history, d.position = append(d.history[:s.Position], ClonePiles(d.Piles())), s.Position
	return d.Carry(s.Events)
}

// DealerOf returns a Dealer with these piles, which become its own.
func DealerOf(piles []Pile, chance *rand.Rand) *Dealer {
	return &Dealer{chance: chance, history: [][]Pile{piles}}
}

// Carry moves the cards as events say, for good: it is Follow for a Dealer that never needs to put
// a card back.
func (d *Dealer) Carry(events []Event) error {
	var wrong error
	piles := d.Piles()
	for _, e := range events {
		switch {
		case e.To != "" && (e.From != "" || e.Card != "" || len(e.Unseen) > 0):
			if err := misplaced(piles, e); err != nil && wrong == nil {
				wrong = err
			}
			piles = d.move(piles, e)
		case e.Name == EventReveals:
			at := pileIndex(&piles, e.From)
			exchange(piles, at, e.Card)
			if cards := piles[at].Cards; slices.Contains(cards, e.Card) {
				piles[at].Cards = slices.Insert(removeCard(cards, e.Card), 0, e.Card)
			}
		}
	}
	d.history[d.position] = piles
	return wrong
}

// ClonePiles copies piles and their cards.
func ClonePiles(piles []Pile) []Pile {
	piles = slices.Clone(piles)
	for i := range piles {
		piles[i].Cards = slices.Clone(piles[i].Cards)
	}
	return piles
}

// Pick lets a player choose the card of a hand that the player will lay face down. The picked
// card is the next card to leave the hand in an event without a card name. To take the choice
// back, pick the same card again. Pick reports whether the place is a hand that holds the
// card.
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
	d.history[d.position] = piles
	return true
}

// IsHand reports whether a player may play any of the cards in a place. Such a place is a
// hand, or the cards that players pass on in a draft.
func IsHand(place string) bool {
	return strings.HasSuffix(place, "/hand") || strings.HasSuffix(place, "/draft")
}

// IsSeenBy reports whether the player of a seat sees all cards of a place, which nobody else does: a hand,
// cards that were picked in a draft or laid face down for a battle.
func IsSeenBy(place string, seat Seat) bool {
	of, zone, _ := strings.Cut(place, "/")
	return of == string(seat) && (IsHand(place) || zone == "drafted" || zone == "battle")
}

// Away is the place of cards that return to the box for good.
const Away = "away"

// misplaced returns an error if an event moves cards from a place where they do not lie.
func misplaced(piles []Pile, e Event) error {
	if len(piles) == 0 {
		return nil // the dealer holds no cards in this match
	}
	from := CardsIn(piles, e.From)
	switch {
	case strings.HasPrefix(e.Name, EventShuffle) && len(e.Unseen) > 0: // the players say what lies there
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

// move returns the piles after one event, which it changes in place.
//
// The event moves cards from the pile e.From to the pile e.To, here called the old pile and
// the new pile. Without e.From, the old pile is the pile that holds the named card. A named
// card moves to the top of the new pile. If the two piles are the same, the card moves to the
// bottom. Cards without a name come from the top of the old pile; e.N is their number. If the
// old pile is a hand, the picked card comes first, and the other cards are drawn at random.
// Unseen cards move like named cards. EventShuffle moves all cards of the old pile to the new
// pile and shuffles the new pile. If it has Unseen cards, these cards change places with those
// of the pile, or come out of the box. Cards that move to Away return to the box, so that no
// pile holds them.
func (d *Dealer) move(piles []Pile, e Event) []Pile {
	shuffles := strings.HasPrefix(e.Name, EventShuffle)
	if len(e.Unseen) > 0 && !shuffles {
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
	if e.Card != "" && !shuffles {
		if e.From != "" {
			exchange(piles, from, e.Card)
		}
		if from = findPile(piles, from, e.Card); from < 0 {
			return piles
		}
	}
	old, now := &piles[from], &piles[to]
	switch {
	case shuffles:
		for i, card := range e.Unseen[:min(len(e.Unseen), len(old.Cards))] {
			put(piles, from, i, card)
		}
		if from != to {
			now.Cards, old.Cards = append(now.Cards, old.Cards...), nil
		}
		d.chance.Shuffle(len(now.Cards), func(i, j int) { now.Cards[i], now.Cards[j] = now.Cards[j], now.Cards[i] })
	case e.Card != "":
		old.Cards = removeCard(old.Cards, e.Card)
		if from == to {
			now.Cards = append(now.Cards, e.Card)
		} else {
			now.Cards = slices.Insert(now.Cards, 0, e.Card)
		}
	default:
		for range min(e.N, len(old.Cards)) {
			i := 0
			if IsHand(e.From) {
				i = d.chance.IntN(len(old.Cards))
			}
			if picked := slices.Index(old.Cards, old.Picked); picked >= 0 {
				i = picked
			}
			card := old.Cards[i]
			old.Cards = slices.Delete(old.Cards, i, i+1)
			now.Cards = slices.Insert(now.Cards, 0, card)
		}
	}
	if !slices.Contains(old.Cards, old.Picked) {
		old.Picked = "" // the picked card has left
	}
	return slices.DeleteFunc(piles, func(p Pile) bool { return p.Place == Away })
}

// exchange puts a card that lies in another pile on top of the pile where the players have just
// seen the card. This is necessary because players who follow a script hold other cards than
// were dealt.
func exchange(piles []Pile, seen int, card string) {
	if lies := findPile(piles, seen, card); lies >= 0 && lies != seen && len(piles[seen].Cards) > 0 {
		put(piles, seen, 0, card)
	}
}

// put puts a card into a pile in the place of its card i, which goes to where the new card lay. If
// no pile holds the new card, it comes out of the box, and card i returns there.
func put(piles []Pile, at, i int, card string) {
	if lies := findPile(piles, at, card); lies >= 0 {
		there := piles[lies].Cards
		there[slices.Index(there, card)] = piles[at].Cards[i]
	}
	piles[at].Cards[i] = card
}

// PileAt returns the pile of a place, which it adds if there is none.
func PileAt(piles *[]Pile, place string) *Pile { return &(*piles)[pileIndex(piles, place)] }

func pileIndex(piles *[]Pile, place string) int {
	i := slices.IndexFunc(*piles, func(p Pile) bool { return p.Place == place })
	if i < 0 {
		*piles = append(*piles, Pile{Place: place})
		i = len(*piles) - 1
	}
	return i
}

func findPile(piles []Pile, expected int, card string) int {
	if slices.Contains(piles[expected].Cards, card) {
		return expected
	}
	return slices.IndexFunc(piles, func(p Pile) bool { return slices.Contains(p.Cards, card) })
}

func removeCard(cards []string, card string) []string {
	i := slices.Index(cards, card)
	return slices.Delete(cards, i, i+1)
}

// Piles returns all piles as they are now.
func (d *Dealer) Piles() []Pile { return d.history[d.position] }

// Cards returns the cards of a place, the top card first, or nil for a place without a pile.
func (d *Dealer) Cards(place string) []string { return CardsIn(d.Piles(), place) }

// CardsIn returns the cards of a place, or nil for a place without a pile.
func CardsIn(piles []Pile, place string) []string {
	if i := slices.IndexFunc(piles, func(p Pile) bool { return p.Place == place }); i >= 0 {
		return piles[i].Cards
	}
	return nil
}

// Takeable returns the cards that a player can take from a pile: all of a hand or a discard pile, of any other
// pile the top one.
func (p Pile) Takeable() []string {
	if len(p.Cards) > 1 && !IsHand(p.Place) && !strings.HasSuffix(p.Place, "discard") {
		return p.Cards[:1]
	}
	return p.Cards
}
