// Package advice imagines how a match may go on, and finds an answer.
//
// It knows no game. A search deals the cards that a seat cannot see in a new way for each imagined match, from
// what the table believes of them, and plays that match to its end. What won most often is best. This is
// single-observer information set Monte Carlo tree search (Cowling, Powley and Whitehouse, "Information Set
// Monte Carlo Tree Search", 2012).
package advice

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"tableside/engine"
)

// A Search imagines how a match goes on, from what one seat knows of it. One goroutine uses it.
type Search struct {
	seat   engine.Seat // "" for what everybody can see
	seats  []engine.Seat
	again  func() (engine.State, error)
	piles  []engine.Pile // "" is a card that the seat does not know
	unseen []engine.Unseen
	look   string // what everybody sees
	seq    int
	chance *rand.Rand
	Pause  func() // called between imagined inputs; nil for no pause

	root     node
	playouts int
	shares   map[engine.Seat]float64 // of the wins
}

// ErrBlind is the error of a game whose answers, or whose hidden cards, nobody can list.
var ErrBlind = errors.New("advice: this game does not tell what may be played")

// At returns a search that has imagined nothing yet, from a match as a seat knows it: with the cards of the piles that
// it has seen. For the seat "", it is what everybody can see. The match may go on meanwhile. The same chance leads to
// the same matches.
func At(m *engine.Match, seat engine.Seat, seen []engine.Pile, chance *rand.Rand) (s *Search, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in the rules: %v", p)
		}
	}()
	believer, ok := m.State().(engine.Believer)
	if !ok {
		return nil, ErrBlind
	}
	view := m.View()
	view.Seq = 0
	s = &Search{seat: seat, again: m.Again(), look: view.Hash(), seq: m.Seq(), chance: chance,
		root: node{}, shares: map[engine.Seat]float64{}}
	for _, player := range view.Seats {
		s.seats = append(s.seats, player.ID)
	}
	s.piles, s.unseen = believer.Believes()
	for _, pile := range seen {
		s.See(pile)
	}
	return s, nil
}

// Cards returns the cards of a place, with "" for each that the seat does not know.
func (s *Search) Cards(place string) []string { return engine.CardsIn(s.piles, place) }

// See takes the cards of a pile for known, but for those that are "".
func (s *Search) See(pile engine.Pile) {
	if known := engine.PileAt(&s.piles, pile.Place); known.Cards == nil || len(known.Cards) == len(pile.Cards) {
		known.Cards = pile.Cards
	}
	for _, card := range pile.Cards {
		best := slices.IndexFunc(s.unseen, func(u engine.Unseen) bool { return u.MayBe(card, pile.Place) && u.Card == card })
		if best < 0 {
			best = slices.IndexFunc(s.unseen, func(u engine.Unseen) bool { return u.MayBe(card, pile.Place) })
		}
		if best < 0 {
			continue
		}
		for i := range s.unseen { // the table took another card for this copy
			if s.unseen[i].Card == card {
				s.unseen[i].Card = s.unseen[best].Card
			}
		}
		s.unseen = slices.Delete(s.unseen, best, best+1)
	}
}

// deal gives every card without a name one of the unseen cards that may lie there. If the beliefs contradict
// each other, some stay without.
func deal(piles []engine.Pile, unseen []engine.Unseen, chance *rand.Rand) {
	type slot struct {
		card  *string
		place string
	}
	var slots []slot
	for _, pile := range piles {
		for i, card := range pile.Cards {
			if card == "" {
				slots = append(slots, slot{&pile.Cards[i], pile.Place})
			}
		}
	}
	chance.Shuffle(len(slots), func(i, j int) { slots[i], slots[j] = slots[j], slots[i] })
	order := chance.Perm(len(unseen))
	dealt := make([]*slot, len(unseen)) // where a card lies, if it does
	tried := make([]bool, len(unseen))
	var fill func(*slot) bool // augments a bipartite matching
	fill = func(s *slot) bool {
		for _, c := range order {
			if tried[c] || !slices.Contains(unseen[c].Places, s.place) {
				continue
			}
			tried[c] = true
			if dealt[c] == nil || fill(dealt[c]) {
				dealt[c], *s.card = s, unseen[c].Card
				return true
			}
		}
		return false
	}
	for i := range slots {
		clear(tried)
		fill(&slots[i])
	}
}

// A world is a match that is imagined, with all its cards.
type world struct {
	state
	cards   *engine.Dealer
	chance  *rand.Rand
	replies []engine.Reply
	moves   []move
}

type state interface {
	engine.State
	engine.Believer
}

// A move is an answer that a player may give.
type move struct {
	in engine.Input
	at string // the place of a card that lies hidden
}

func (s *Search) world() (*world, error) {
	now, err := s.again()
	if err != nil {
		return nil, err
	}
	piles := engine.ClonePiles(s.piles)
	deal(piles, s.unseen, s.chance)
	return &world{state: now.(state), cards: engine.DealerOf(piles, s.chance), chance: s.chance}, nil
}

// takeable returns the cards that a player can take from a place. Of those that came into the match after it was
// dealt, such as a gene pool that was just chosen, it deals them first.
func (w *world) takeable(place string) []string {
	pile := engine.Pile{Place: place, Cards: w.cards.Cards(place)}
	if slices.Contains(pile.Cards, "") {
		piles := w.cards.Piles()
		_, unseen := w.Believes()
		deal(piles, slices.DeleteFunc(unseen, func(u engine.Unseen) bool {
			return slices.ContainsFunc(piles, func(p engine.Pile) bool { return slices.Contains(p.Cards, u.Card) })
		}), w.chance)
	}
	return pile.Takeable()
}

// list fills w.moves with the answers to the prompts, legal or not, and reports whether there are any: a match
// that is over asks nothing. Cards that are resolved by hand are done at once.
func (w *world) list() bool {
	w.replies, w.moves = w.Replies(w.replies[:0]), w.moves[:0]
	for _, r := range w.replies {
		m := move{r.Input, r.Zone}
		switch {
		case r.Deed: // nobody knows what it would be
		case r.Zone != "":
			for _, card := range w.takeable(r.Zone) {
				m.in.Args = []string{card}
				w.moves = append(w.moves, m)
			}
		case r.Roll != nil:
			for range r.Roll.N {
				m.in.Args = append(m.in.Args, r.Roll.Faces[w.chance.IntN(len(r.Roll.Faces))])
			}
			slices.Sort(m.in.Args)
			fallthrough
		default:
			w.moves = append(w.moves, m)
		}
	}
	return len(w.moves) > 0
}

// pick is the verb of a move that only chooses the card to lay face down.
const pick engine.Verb = "pick"

// listPicks fills w.moves with the cards of a seat's hand if events lay one of them face down, and reports whether they
// do. The rules do not see which: see engine.Dealer.Pick.
func (w *world) listPicks(events []engine.Event, seat engine.Seat) bool {
	hand := string(seat) + "/hand"
	laid := func(e engine.Event) bool { return e.From == hand && e.Card == "" && e.N == 1 && len(e.Unseen) == 0 }
	if w.moves = w.moves[:0]; slices.ContainsFunc(events, laid) {
		for _, card := range w.cards.Cards(hand) {
			w.moves = append(w.moves, move{engine.Input{Seat: seat, Verb: pick, Args: []string{card}}, hand})
		}
	}
	return len(w.moves) > 0
}
