package genegrafter

import (
	"math/bits"

	"tableside/engine"
)

// A Place is where a card lies; a set of them is where it may lie.
type Place uint32

// The places of the first seat; those of each other are four bits higher.
const (
	inHand Place = 1 << iota
	inBattle
	inPlay
	inPool
)

// The places of the table.
const (
	inDeck Place = 1 << (16 + iota)
	inDiscard
	inDNA
	aside // event cards that are not in this match
)

const (
	everyHand  = inHand | inHand<<4 | inHand<<8 | inHand<<12
	everyPlay  = everyHand << 2
	everyPool  = everyHand << 3
	shown      = everyPlay | everyPool | inDNA
	placeCount = 20 // how many there are
)

// of is the place of a player.
func (p *player) of(z Place) Place { return z << (4 * p.index) }

// A card is one physical card. What is known of a hidden one is where it may
// lie: draws, cards that are laid face down or thrown away widen that, a tap
// narrows it to one place. Only what lies outside is refused, and where it is
// only belief the players may insist.
type card struct {
	kind  *Kind
	name  string // "super-punch.2"
	where Place

	open     bool // everybody sees where it lies
	wounded  bool // 004 "Combattre", 8: turned by 90 degrees
	tired    bool // came into play this turn: 004 "Jouer un personnage"
	fought   bool // attacked this turn
	infinite bool // the special die gave it infinite power
	given    bool // the special die gave its markers to its host

	host   *card   // of a graft or a gear
	grafts []*card // 004 "Phase de Genegrafter": under it
	gear   []*card
}

var (
	seatPlaces  = []string{"hand", "battle", "play", "pool"}
	tablePlaces = []string{"deck", "discard", "dna", "aside"}
)

// place is how events name a place; "" where it is not known.
func (s *state) place(z Place) string {
	p, name := s.owner(z), placeName(z)
	if p == nil {
		return name
	}
	return string(p.seat) + "/" + name
}

func placeName(z Place) string {
	if bits.OnesCount32(uint32(z)) != 1 {
		return ""
	}
	i := bits.TrailingZeros32(uint32(z))
	if i < 16 {
		return seatPlaces[i%4]
	}
	return tablePlaces[i-16]
}

// owner is the player of a place, nil for one of the table.
func (s *state) owner(z Place) *player {
	if i := bits.TrailingZeros32(uint32(z)) / 4; bits.OnesCount32(uint32(z)) == 1 && i < len(s.players) {
		return s.players[i]
	}
	return nil
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
			return nil, &engine.Refusal{Override: there != 0, Text: s.elsewhere(c, places)}
		}
		s.unsettle()
		c.where = there
	}
	c.where &= places // the tap has shown it
	s.exclude()
	return c, nil
}

// copyOf is a card of the box by its name.
func (s *state) copyOf(name string) (*card, error) {
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
		return s.cards[i]
	}
	return nil
}

// elsewhere says where a card should be, or that no hidden one is asked for.
func (s *state) elsewhere(c *card, places Place) engine.Text {
	zone := engine.Word("zone." + placeName(c.where))
	switch p := s.owner(c.where); {
	case !c.open && places&^shown == 0:
		return engine.T("refusal.open-asked")
	case zone == "zone.":
		return engine.T("refusal.card-hidden")
	case p != nil:
		return engine.T("refusal.card-of", "seat", p.seat, "zone", zone)
	}
	return engine.T("refusal.card-elsewhere", "zone", zone)
}

// mistaken is the place in which the players may insist that a card lies.
// What lies open in front of everybody is no belief; undo and set are for
// that.
func (s *state) mistaken(c *card, places Place) Place {
	if c.open {
		return 0
	}
	for z := inHand; z <= inDeck; z <<= 1 {
		if places&z != 0 && z&shown == 0 && s.hiddenIn(z) > 0 {
			return z
		}
	}
	return 0
}

// hiddenIn counts the cards of a place that nobody has named.
func (s *state) hiddenIn(z Place) int {
	switch p := s.owner(z); {
	case z == inDeck:
		return s.deck
	case z == inDiscard:
		return unnamed(s.discard)
	case p == nil:
		return 0
	case z == p.of(inHand):
		return p.hand
	case z == p.of(inBattle):
		return unnamed(p.battle)
	}
	return 0
}

func unnamed(cards []*card) int {
	n := 0
	for _, c := range cards {
		if c == nil {
			n++
		}
	}
	return n
}

// unsettle forgets all beliefs: the table was wrong.
func (s *state) unsettle() {
	for _, c := range s.cards {
		if !c.open {
			c.where = s.anywhere()
		}
	}
	s.exclude()
}

// anywhere are the places in which cards are hidden.
func (s *state) anywhere() Place {
	seats := Place(1)<<(4*len(s.players)) - 1
	return inDeck | inDiscard | aside | (everyHand|everyHand<<1)&seats
}

// mayHaveMoved widens what is known: cards that may lie in one place may now
// lie in another.
func (s *state) mayHaveMoved(from, to Place) {
	for _, c := range s.cards {
		if c.where&from != 0 && !c.open {
			c.where |= to
		}
	}
	s.exclude()
}

// exclude removes a hidden place from where a card may be, once as many cards
// are known to lie there as there are. Nobody counts the events that are
// aside.
func (s *state) exclude() {
	var known [placeCount]int
	for _, c := range s.cards {
		if !c.open && c.where&(c.where-1) == 0 && c.where != 0 {
			known[bits.TrailingZeros32(uint32(c.where))]++
		}
	}
	full := Place(0)
	for hidden := s.anywhere() &^ aside; hidden != 0; hidden &= hidden - 1 {
		i := bits.TrailingZeros32(uint32(hidden))
		if z := Place(1) << i; s.hiddenIn(z) <= known[i] {
			full |= z
		}
	}
	for _, c := range s.cards {
		if left := c.where &^ full; left != 0 {
			c.where = left
		}
	}
}
