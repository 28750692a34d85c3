package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// Place is where a card lies, or a set of places where it may lie.
type Place = cardgame.Place

// The places of the first seat. The places of each further seat are seatBits bits higher.
const (
	inHand Place = 1 << iota
	inBattle
	inPlay
	inPool
	seatBits = iota
)

// The places that belong to the table instead of a seat.
const (
	inDeck Place = 1 << (cardgame.FirstOfTable + iota)
	inDiscard
	inDNA
	setAside // event cards that are not in this match
)

const (
	everyHand  = inHand | inHand<<seatBits | inHand<<(2*seatBits) | inHand<<(3*seatBits)
	everyPlay  = everyHand << 2
	everyPool  = everyHand << 3
	openPlaces = everyPlay | everyPool | inDNA
)

// spots describes the places, in the order of their constants.
var spots = cardgame.Spots{
	Seat: []cardgame.Spot{
		{Name: "hand", Sight: cardgame.Hidden},
		{Name: "battle", Sight: cardgame.Hidden},
		{Name: "play"},
		{Name: "pool"},
	},
	Table: []cardgame.Spot{
		{Name: "deck", Sight: cardgame.Hidden},
		{Name: "discard", Sight: cardgame.Mixed},
		{Name: "dna"},
		{Name: "aside", Sight: cardgame.Outside},
	},
	Eager: true,
}

// layOut tells the embedded Table which variables count or list the cards of each place.
// Characters themselves list their grafts and gear.
func (s *state) layOut(cards []*card) {
	s.Lay(s.rules.layout, cards)
	for _, p := range s.players {
		s.Counts(p.placeOf(inHand), &p.hand)
		s.Lists(p.placeOf(inBattle), &p.battle)
		s.Lists(p.placeOf(inPlay), &p.play)
		s.Lists(p.placeOf(inPool), &p.pool)
	}
	s.Counts(inDeck, &s.deck)
	s.Lists(inDiscard, &s.discard)
	s.Lists(inDNA, &s.dna)
}

func (p *player) placeOf(z Place) Place { return z << (seatBits * p.index) }

func (s *state) move(event string, seat engine.Seat, c *card, to Place) {
	c.detach()
	c.condition = condition{}
	s.Move(event, seat, c, to)
}

func (c *card) detach() {
	if c.host != nil {
		c.host.grafts, c.host.gear = cardgame.Without(c.host.grafts, c), cardgame.Without(c.host.gear, c)
		c.host = nil
	}
}

// put lays a gear beside a character, or a graft under it.
func (s *state) put(event string, p *player, c, host *card) {
	from := c.Where
	c.detach()
	s.TakeOut(c)
	c.Where, c.Open, c.host, c.gaveMarkers = p.placeOf(inPlay), true, host, false
	if c.kind.Type == Gear {
		host.gear = append(host.gear, c)
	} else {
		host.grafts = append(host.grafts, c)
	}
	s.Exclude()
	s.Emit(engine.Event{Name: event, Seat: p.seat, Card: c.Name, Word: string(host.Word()),
		From: s.PlaceName(from), To: s.PlaceName(c.Where)})
}

// leave takes a character out of play. Its grafts go to the same place, as cards of their own.
// Its gear is discarded, because gear stays only until the bearer dies (004 "Règle Bonus
// Kickstart").
func (s *state) leave(event string, seat engine.Seat, c *card, to Place) {
	for len(c.gear) > 0 {
		s.move("gear-lost", seat, c.gear[0], inDiscard)
	}
	for len(c.grafts) > 0 {
		s.move("graft-leaves", seat, c.grafts[0], to)
	}
	s.move(event, seat, c, to)
}

func (s *state) shift(event string, p *player, from, to Place, n int) {
	if n > 0 {
		s.Shift(engine.Event{Name: event, Seat: p.seat}, from, to, n)
	}
}

func (s *state) reshuffle() {
	if s.deck == 0 {
		s.shuffleIn()
	}
}

func (s *state) heldBack() (stay []*card) {
	for _, c := range s.discard {
		if c != nil && slices.Contains(s.heldEvents, c) {
			stay = append(stay, c)
		}
	}
	return stay
}

// shuffleIn shuffles the discard pile into the deck. An event stays on the discard pile until
// the draw in which it came up is over. Otherwise its own effect, or the card that is drawn for
// it, could be the same event, without an end.
func (s *state) shuffleIn() {
	stay := s.heldBack()
	n := len(s.discard) - len(stay)
	if n == 0 {
		return
	}
	for _, c := range s.discard {
		if c != nil && !slices.Contains(stay, c) {
			c.Where, c.Open = inDeck, false
		}
	}
	s.deck, s.discard = s.deck+n, nil
	s.MayHaveMoved(inDiscard, inDeck)
	s.Emit(engine.Event{Name: engine.EventShuffle, N: n, From: s.PlaceName(inDiscard), To: s.PlaceName(inDeck)})
	for _, c := range stay {
		c.Where, s.discard = inDiscard, append(s.discard, c)
		s.Emit(engine.Event{Name: "stays-out", Card: c.Name, From: s.PlaceName(inDeck), To: s.PlaceName(inDiscard)})
	}
}

func (s *state) throwAway(p *player) { s.shift("throws-away", p, p.placeOf(inHand), inDiscard, p.hand) }
