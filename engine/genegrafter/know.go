package genegrafter

import (
	"tableside/engine"
	"tableside/engine/cardgame"
)

// Place is where a card lies; a set of them is where it may lie.
type Place = cardgame.Place

// The places of the first seat; those of each other are seatBits higher.
const (
	inHand Place = 1 << iota
	inBattle
	inPlay
	inPool
	seatBits = iota
)

// The places of the table.
const (
	inDeck Place = 1 << (cardgame.FirstOfTable + iota)
	inDiscard
	inDNA
	aside // event cards that are not in this match
)

const (
	everyHand = inHand | inHand<<seatBits | inHand<<(2*seatBits) | inHand<<(3*seatBits)
	everyPlay = everyHand << 2
	everyPool = everyHand << 3
	shown     = everyPlay | everyPool | inDNA
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

// layOut says where the cards of each place are counted or listed. Grafts and
// gear are listed by their characters.
func (s *state) layOut(cards []*card) {
	s.Lay(s.rules.layout, cards)
	for _, p := range s.players {
		s.Counts(p.of(inHand), &p.hand)
		s.Lists(p.of(inBattle), &p.battle)
		s.Lists(p.of(inPlay), &p.play)
		s.Lists(p.of(inPool), &p.pool)
	}
	s.Counts(inDeck, &s.deck)
	s.Lists(inDiscard, &s.discard)
	s.Lists(inDNA, &s.dna)
}

// of is the place of a player.
func (p *player) of(z Place) Place { return z << (seatBits * p.index) }

// owner is the player of a place, nil for one of the table.
func (s *state) owner(z Place) *player {
	if i := s.rules.layout.SeatOf(z); i >= 0 {
		return s.players[i]
	}
	return nil
}

// A card is one physical card.
type card struct {
	cardgame.Card
	kind *Kind

	wounded  bool // 004 "Combattre", 8: turned by 90 degrees
	tired    bool // came into play this turn: 004 "Jouer un personnage"
	fought   bool // attacked this turn
	infinite bool // the special die gave it infinite power
	given    bool // the special die gave its markers to its host

	host   *card   // of a graft or a gear
	grafts []*card // 004 "Phase de Genegrafter": under it
	gear   []*card
}

// Card returns the card of a name.
func (s *state) Card(name string) (*card, error) {
	if c := s.named(name); c != nil {
		return c, nil
	}
	id, _ := engine.SplitCopy(name)
	if s.rules.kinds[id] == nil && s.rules.whole.kinds[id] != nil {
		return nil, engine.Refuse("refusal.no-gear")
	}
	if kind := s.rules.kinds[id]; kind != nil {
		return nil, engine.Refuse("refusal.no-such-copy", "card", engine.CardWord(id), "n", kind.Copies, "name", name)
	}
	return nil, engine.Refuse("refusal.unknown-card", "name", name)
}

// named finds a card by its name, or nil.
func (s *state) named(name string) *card {
	if i, ok := s.rules.index[name]; ok {
		return s.Cards[i]
	}
	return nil
}
