package mindbug

import (
	"tableside/engine"
	"tableside/engine/cardgame"
)

// Place is where a card lies; a set of them is where it may lie.
type Place = cardgame.Place

// The places of the first seat; those of the second are seatBits higher.
const (
	inHand Place = 1 << iota
	inDeck
	inPlay
	inDiscard
	inBoosts // under a creature in play
	inHeap   // in a discard pile, and not named
	seatBits = iota
)

// The places of the table.
const (
	inUnused   Place = 1 << (cardgame.FirstOfTable + iota) // 002 "Pile inutilisée"
	inRevealed                                             // of it, to find the first player
	onStage                                                // played, before it is known for whom
	inEnergyDeck
	inEnergyRow // face up: to be bought
	inEnergyDiscard
)

const (
	hidden   = inHand | inDeck | (inHand|inDeck)<<seatBits | heaps | inUnused
	plays    = inPlay | inPlay<<seatBits
	discards = inDiscard | inDiscard<<seatBits
	boosts   = inBoosts | inBoosts<<seatBits
	heaps    = inHeap | inHeap<<seatBits

	energyPlaces = inEnergyDeck | inEnergyRow | inEnergyDiscard
)

// spots describes the places, in the order of their constants.
var spots = cardgame.Spots{
	Seat: []cardgame.Spot{
		{Name: "hand", Sight: cardgame.Hidden},
		{Name: "deck", Sight: cardgame.Hidden, Tap: "tap-deck"},
		{Name: "play"},
		{Name: "discard"},
		{Name: "boosts", Said: "play"}, // they lie there with their creature
		{Name: "heap", Said: "discard", Sight: cardgame.Hidden, Tap: "tap-heap"},
	},
	Table: []cardgame.Spot{
		{Name: "unused", Sight: cardgame.Hidden, Tap: "tap-deck"},
		{Name: "revealed"},
		{Name: "stage"},
		{Name: "energy-deck", Sight: cardgame.Sorted, Tap: "tap-deck"},
		{Name: "energy-row"},
		{Name: "energy-discard"},
	},
}

// layCards says where the cards of each place are counted or listed. Boosts are
// listed by their creatures.
func (s *state) layCards(cards []*card) {
	s.Lay(s.rules.layout, cards)
	for _, p := range s.players {
		s.Counts(p.of(inHand), &p.hand)
		s.Counts(p.of(inDeck), &p.deck)
		s.Counts(p.of(inHeap), &p.heap)
		s.Lists(p.of(inPlay), &p.play)
		s.Lists(p.of(inDiscard), &p.discard)
	}
	s.Counts(inUnused, &s.unused)
	s.Counts(inEnergyDeck, &s.energyDeck)
	s.Lists(inRevealed, &s.revealed)
	s.Lists(onStage, &s.stage)
	s.Lists(inEnergyRow, &s.energyRow)
	s.Lists(inEnergyDiscard, &s.energyGone)
}

// of is the place of a player.
func (p *player) of(z Place) Place { return z << (seatBits * p.index) }

// A card is one physical card.
type card struct {
	cardgame.Card
	kind *Kind // of an evolved creature the level that is in force
	hand Place // from which it came on the stage
	condition
	boosts []*card // 001 lexicon, "Renforcer"
	under  *card   // the creature that a boost lies under
}

// condition is what has happened to a creature in play: 001 "état actuel".
type condition struct {
	tilted  bool
	noBlock bool  // this turn
	lasts   bool  // cannot be defeated this turn
	grown   int32 // 002 "Symbole de Lancer de dé", Croissance: power this turn
}

// Card returns the card of a name. The name of a higher level is that of the
// creature once it has evolved; until then it lies set aside.
func (s *state) Card(name string) (*card, error) {
	c := s.named(name)
	if c != nil && c.Name == name {
		return c, nil
	}
	id, _ := engine.SplitCopy(name)
	switch kind := s.rules.kinds[id]; {
	case c != nil && kind.Level > 1 && c.kind.Level < 2:
		return c, engine.Refuse("refusal.card-elsewhere", "zone", engine.Word("zone."+setAside))
	case c != nil:
		return c, nil
	case kind != nil:
		return nil, engine.Refuse("refusal.no-such-copy", "card", engine.CardWord(id), "n", kind.Copies, "name", name)
	}
	return nil, engine.Refuse("refusal.unknown-card", "name", name)
}

// named finds a card by its name, or nil.
func (s *state) named(name string) *card {
	if i, ok := s.rules.index[name]; ok && len(s.Cards) > 0 {
		return s.Cards[i]
	}
	return nil
}
