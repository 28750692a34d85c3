package mindbug

import (
	"math/bits"
	"slices"

	"tableside/engine"
)

// A Place is where a card lies; a set of them is where it may lie.
type Place uint32

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
	inUnused   Place = 1 << (2*seatBits + iota) // 002 "Pile inutilisée"
	inRevealed                                  // of it, to find the first player
	onStage                                     // played, before it is known for whom
	inEnergyDeck
	inEnergyRow // face up: to be bought
	inEnergyDiscard
)

const (
	hidden   = inHand | inDeck | (inHand|inDeck)<<seatBits | heaps | inUnused
	plays    = inPlay | inPlay<<seatBits
	hands    = inHand | inHand<<seatBits
	discards = inDiscard | inDiscard<<seatBits
	boosts   = inBoosts | inBoosts<<seatBits
	heaps    = inHeap | inHeap<<seatBits

	energyPlaces = inEnergyDeck | inEnergyRow | inEnergyDiscard
)

// of is the place of a player.
func (p *player) of(z Place) Place { return z << (seatBits * p.index) }

// A card is one physical card. What is known of a hidden one is where it may
// lie: draws, stolen cards and corrections widen that, a tap narrows it to
// one place. Only what lies outside is refused, and where it is only belief
// the players may insist.
type card struct {
	kind  *Kind  // of an evolved creature the level that is in force
	name  string // "killer-bee.2"
	where Place
	hand  Place // from which it came on the stage
	wear
	boosts []*card // 001 lexicon, "Renforcer"
	under  *card   // the creature that a boost lies under
}

// Wear is what has become of a creature in play: 001 "état actuel".
type wear struct {
	tilted  bool
	noBlock bool  // this turn
	lasts   bool  // cannot be defeated this turn
	grown   int32 // 002 "Symbole de Lancer de dé", Croissance: power this turn
}

// open reports whether everybody sees where the card lies.
func (c *card) open() bool { return c.where&(hidden|inEnergyDeck) == 0 }

var (
	seatPlaces  = []string{"hand", "deck", "play", "discard", "boosts", "heap"}
	tablePlaces = [...]string{"unused", "revealed", "stage", "energy-deck", "energy-row", "energy-discard"}
)

// place is how events name a place; "" where it is not known.
func (s *state) place(z Place) string {
	if bits.OnesCount32(uint32(z)) != 1 {
		return ""
	}
	return s.places[bits.TrailingZeros32(uint32(z))]
}

// namePlaces finds the names that place says.
func (s *state) namePlaces() {
	for i, p := range s.players {
		for j, name := range seatPlaces {
			switch Place(1) << j {
			case inBoosts:
				name = "play" // it lies there with its creature
			case inHeap: // a part of the discard pile
				s.places[i*seatBits+j] = s.places[i*seatBits+slices.Index(seatPlaces, "discard")]
				continue
			}
			s.places[i*seatBits+j] = string(p.seat) + "/" + name
		}
	}
	copy(s.places[2*seatBits:], tablePlaces[:])
}

// find returns a card that may lie in one of the places, or a refusal that
// says where it should be. Refusals never name a card that may be hidden.
func (s *state) find(name string, places Place, confirmed bool) (*card, error) {
	c, err := s.copyOf(name)
	if err != nil {
		return nil, err
	}
	if c.where&places == 0 {
		there := s.mistaken(c, places)
		if !confirmed || there == 0 {
			return nil, &engine.Refusal{Override: there != 0, Text: s.elsewhere(c)}
		}
		s.unsettle()
		c.where = there
	}
	c.where &= places // the tap has shown it
	return c, nil
}

// copyOf is a card of the box by its name. The name of a higher level is that
// of the creature once it has evolved; until then it lies set aside.
func (s *state) copyOf(name string) (*card, error) {
	c := s.named(name)
	if c != nil && c.name == name {
		return c, nil
	}
	id, _ := engine.SplitCopy(name)
	switch kind := s.rules.kinds[id]; {
	case c != nil && kind.Level > 1 && c.kind.Level < 2:
		return nil, engine.Refuse("refusal.card-elsewhere", "zone", engine.Word("zone."+setAside))
	case c != nil:
		return c, nil
	case kind != nil:
		return nil, engine.Refuse("refusal.no-such-copy", "card", engine.CardWord(id), "n", kind.Copies, "name", name)
	}
	return nil, engine.Refuse("refusal.unknown-card", "name", name)
}

// named finds a card by its name, or nil.
func (s *state) named(name string) *card {
	if i, ok := s.rules.index[name]; ok && len(s.cards) > 0 {
		return &s.cards[i]
	}
	return nil
}

// elsewhere says where a card should be.
func (s *state) elsewhere(c *card) engine.Text {
	if s.place(c.where) == "" {
		return engine.T("refusal.card-hidden")
	}
	i := bits.TrailingZeros32(uint32(c.where))
	if i >= 2*seatBits {
		return engine.T("refusal.card-elsewhere", "zone", engine.Word("zone."+tablePlaces[i-2*seatBits]))
	}
	return engine.T("refusal.card-of", "seat", s.players[i/seatBits].seat, "zone", engine.Word("zone."+seatPlaces[i%seatBits]))
}

// mistaken is the place in which the players may insist that a card lies.
// What lies open in front of everybody is no belief; undo and set are for
// that.
func (s *state) mistaken(c *card, places Place) Place {
	if c.open() || c.kind.Energy {
		return 0
	}
	for _, p := range s.players {
		for _, z := range [...]Place{p.of(inHand), p.of(inDeck), p.of(inHeap)} {
			if places&z != 0 && s.count(z) > 0 {
				return z
			}
		}
	}
	if places&inUnused != 0 && s.unused > 0 {
		return inUnused
	}
	return 0
}

// unsettle forgets all beliefs: the table was wrong.
func (s *state) unsettle() {
	for i := range s.cards {
		c := &s.cards[i]
		if !c.open() && !c.kind.Energy {
			c.where = hidden
		}
	}
	s.exclude()
}

// mayHaveMoved widens what is known: cards that may lie in one place may now
// lie in another.
func (s *state) mayHaveMoved(from, to Place) {
	for i := range s.cards {
		c := &s.cards[i]
		if c.where&from != 0 {
			c.where |= to
		}
	}
	s.exclude()
}

// exclude removes a hidden place from where a card may be, once as many cards
// are known to lie there as there are.
func (s *state) exclude() {
	var sure [2*seatBits + 1]int // how many are known to lie in each
	count := func(c *card) {
		if z := c.where & hidden; z != 0 && c.where&(c.where-1) == 0 {
			sure[bits.TrailingZeros32(uint32(z))]++
		}
	}
	for i := range s.cards {
		c := &s.cards[i]
		count(c)
	}
	for i := range sure {
		z := Place(1) << i
		if z&hidden == 0 || s.count(z) > sure[i] {
			continue
		}
		for i := range s.cards {
			c := &s.cards[i]
			if c.where&z != 0 && c.where != z {
				c.where &^= z
				count(c)
			}
		}
	}
}

// count is how many cards lie in a hidden place.
func (s *state) count(z Place) int {
	switch z {
	case inUnused:
		return s.unused
	case inEnergyDeck:
		return s.energyDeck
	}
	return *s.players[bits.TrailingZeros32(uint32(z))/seatBits].pile(z)
}
