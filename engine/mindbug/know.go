package mindbug

import (
	"math/bits"
	"slices"
	"strconv"

	"tableside/engine"
)

// A Place is where a card lies; a set of them is where it may lie.
type Place uint16

// The places of the first seat; those of the second are four bits higher.
const (
	inHand Place = 1 << iota
	inDeck
	inPlay
	inDiscard
)

// The places of the table.
const (
	inUnused   Place = 1 << (8 + iota) // 002 "Pile inutilisée"
	inRevealed                         // of it, to find the first player
	onStage                            // played, before it is known for whom
	inEnergyDeck
	inEnergyRow // face up: to be bought
	inEnergyDiscard
)

const (
	hidden = inHand | inDeck | inHand<<4 | inDeck<<4 | inUnused
	plays  = inPlay | inPlay<<4
)

// of is the place of a player.
func (p *player) of(z Place) Place { return z << (4 * p.index) }

// A card is one physical card. What is known of a hidden one is where it may
// lie: draws, stolen cards and corrections widen that, a tap narrows it to
// one place. Only what lies outside is refused, and where it is only belief
// the players may insist.
type card struct {
	kind    *Kind
	name    string // "killer-bee.2"
	where   Place
	tilted  bool
	noBlock bool // this turn
	grown   int  // 002 "Symbole de Lancer de dé", Croissance: power this turn
}

// open reports whether everybody sees where the card lies.
func (c *card) open() bool { return c.where&(hidden|inEnergyDeck) == 0 }

var (
	seatPlaces  = []string{"hand", "deck", "play", "discard"}
	tablePlaces = []string{"unused", "revealed", "stage", "energy-deck", "energy-row", "energy-discard"}
)

// place is how events name a place; "" where it is not known.
func (s *state) place(z Place) string {
	if bits.OnesCount16(uint16(z)) != 1 {
		return ""
	}
	switch i := bits.TrailingZeros16(uint16(z)); {
	case i < 4:
		return string(s.players[0].seat) + "/" + seatPlaces[i]
	case i < 8:
		return string(s.players[1].seat) + "/" + seatPlaces[i-4]
	default:
		return tablePlaces[i-8]
	}
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

// copyOf is a card of the box by its name.
func (s *state) copyOf(name string) (*card, error) {
	if c := s.named(name); c != nil {
		return c, nil
	}
	id, _ := engine.SplitCopy(name)
	if kind := s.rules.kinds[id]; kind != nil {
		return nil, engine.Refuse("refusal.no-such-copy", "card", engine.CardWord(id), "n", kind.Copies, "name", name)
	}
	return nil, engine.Refuse("refusal.unknown-card", "name", name)
}

// named finds a card by its name, or nil.
func (s *state) named(name string) *card {
	if i, ok := s.rules.index[name]; ok && len(s.cards) > 0 {
		return s.cards[i]
	}
	return nil
}

// elsewhere says where a card should be.
func (s *state) elsewhere(c *card) engine.Text {
	if s.place(c.where) == "" {
		return engine.T("refusal.card-hidden")
	}
	i := bits.TrailingZeros16(uint16(c.where))
	if i >= 8 {
		return engine.T("refusal.card-elsewhere", "zone", engine.Word("zone."+tablePlaces[i-8]))
	}
	return engine.T("refusal.card-of", "seat", s.players[i/4].seat, "zone", engine.Word("zone."+seatPlaces[i%4]))
}

// mistaken is the place in which the players may insist that a card lies.
// What lies open in front of everybody is no belief; undo and set are for
// that.
func (s *state) mistaken(c *card, places Place) Place {
	if c.open() || c.kind.Energy {
		return 0
	}
	for _, p := range s.players {
		if hand := p.of(inHand); places&hand != 0 && p.hand > 0 {
			return hand
		}
	}
	if places&inUnused != 0 && s.unused > 0 {
		return inUnused
	}
	return 0
}

// unsettle forgets all beliefs: the table was wrong.
func (s *state) unsettle() {
	for _, c := range s.cards {
		if !c.open() && !c.kind.Energy {
			c.where = hidden
		}
	}
	s.exclude()
}

// mayHaveMoved widens what is known: cards that may lie in one place may now
// lie in another.
func (s *state) mayHaveMoved(from, to Place) {
	for _, c := range s.cards {
		if c.where&from != 0 {
			c.where |= to
		}
	}
	s.exclude()
}

// exclude removes a hidden place from where a card may be, once as many cards
// are known to lie there as there are.
func (s *state) exclude() {
	for z := inHand; z <= inUnused; z <<= 1 {
		if z&hidden == 0 {
			continue
		}
		left := s.count(z)
		for _, c := range s.cards {
			if c.where == z {
				left--
			}
		}
		if left > 0 {
			continue
		}
		for _, c := range s.cards {
			if c.where != z && c.where&^z != 0 {
				c.where &^= z
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
	p := s.players[bits.TrailingZeros16(uint16(z))/4]
	if z == p.of(inHand) {
		return p.hand
	}
	return p.deck
}

// move takes a card from where it is known to be and puts it elsewhere; on
// top where order counts.
func (s *state) move(event string, seat engine.Seat, c *card, to Place) {
	from := c.where
	s.lift(c)
	s.lay(c, to)
	s.emit(engine.Event{Name: event, Seat: seat, Card: c.name, From: s.place(from), To: s.place(to)})
}

func (s *state) lift(c *card) {
	from := c.where
	c.where = 0
	switch from {
	case inUnused:
		s.unused--
	case inRevealed:
		s.revealed = without(s.revealed, c)
	case onStage:
		s.stage = without(s.stage, c)
	case inEnergyDeck:
		s.energyDeck--
	case inEnergyRow:
		s.energyRow = without(s.energyRow, c)
	case inEnergyDiscard:
		s.energyGone = without(s.energyGone, c)
	default:
		for _, p := range s.players {
			switch from {
			case p.of(inHand):
				p.hand--
			case p.of(inDeck):
				p.deck--
			case p.of(inPlay):
				p.play = without(p.play, c)
			case p.of(inDiscard):
				p.discard = without(p.discard, c)
			}
		}
	}
}

// lay puts a card into a place. A creature that stays in play stays as it is:
// 001 lexicon, "Prendre le contrôle d'une créature".
func (s *state) lay(c *card, to Place) {
	c.where = to
	if to&plays == 0 {
		c.tilted, c.grown, c.noBlock = false, 0, false
	}
	switch to {
	case inUnused:
		s.unused++
	case inRevealed:
		s.revealed = append(s.revealed, c)
	case onStage:
		s.stage = append(s.stage, c)
	case inEnergyDeck:
		s.energyDeck++
	case inEnergyRow:
		s.energyRow = append(s.energyRow, c)
	case inEnergyDiscard:
		s.energyGone = append(s.energyGone, c)
	}
	for _, p := range s.players {
		switch to {
		case p.of(inHand):
			p.hand++
		case p.of(inDeck):
			p.deck++
		case p.of(inPlay):
			p.play = append(p.play, c)
		case p.of(inDiscard):
			p.discard = append(p.discard, c)
		}
	}
	if to&hidden != 0 {
		s.exclude()
	}
}

func without(cards []*card, c *card) []*card {
	if i := slices.Index(cards, c); i >= 0 {
		return slices.Delete(cards, i, i+1)
	}
	return cards
}

// drawUp: 001 "Piocher des cartes": up to five cards in hand, at once, as far
// as the deck goes.
func (s *state) drawUp(p *player) {
	n := min(handSize-p.hand, p.deck)
	if n <= 0 {
		s.exclude()
		return
	}
	p.deck -= n
	p.hand += n
	s.mayHaveMoved(p.of(inDeck), p.of(inHand))
	s.emit(engine.Event{Name: "draws", Seat: p.seat, N: n, From: s.place(p.of(inDeck)), To: s.place(p.of(inHand))})
}

// steal: 001 lexicon, "Voler". Nobody names the cards.
func (s *state) steal(p *player, n int) {
	o := s.other(p)
	if n = min(n, o.hand); n == 0 {
		return
	}
	o.hand -= n
	p.hand += n
	s.mayHaveMoved(o.of(inHand), p.of(inHand))
	s.emit(engine.Event{Name: "steals", Seat: p.seat, Other: o.seat, N: n, From: s.place(o.of(inHand)), To: s.place(p.of(inHand))})
	s.drawUp(o)
}

// copies are the names of all cards of a kind.
func (k *Kind) copies() []string {
	var names []string
	for n := range k.Copies {
		names = append(names, k.ID+"."+strconv.Itoa(n+1))
	}
	return names
}
