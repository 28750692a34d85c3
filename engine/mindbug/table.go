package mindbug

import (
	"cmp"
	"math/rand/v2"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// Place is where a card lies, or a set of places where it may lie.
type Place = cardgame.Place

// The places of the first seat. The places of the second seat are seatBits bits higher.
const (
	inHand Place = 1 << iota
	inDeck
	inPlay
	inDiscard
	inBoosts // under a creature in play
	inHeap   // in a discard pile, and not named
	seatBits = iota
)

// The places that belong to the table instead of a seat.
const (
	inUnused   Place = 1 << (cardgame.FirstOfTable + iota) // 002 "Pile inutilisée"
	inRevealed                                             // shown to find the first player
	onStage                                                // played, before it is clear who gets it
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
		{Name: "deck", Sight: cardgame.Hidden, TapKey: "tap-deck"},
		{Name: "play"},
		{Name: "discard"},
		{Name: "boosts", EventName: "play"}, // boosts lie in play with their creature
		{Name: "heap", EventName: "discard", Sight: cardgame.Hidden, TapKey: "tap-heap"},
	},
	Table: []cardgame.Spot{
		{Name: "unused", Sight: cardgame.Hidden, TapKey: "tap-deck"},
		{Name: "revealed"},
		{Name: "stage"},
		{Name: "energy-deck", Sight: cardgame.Sorted, TapKey: "tap-deck"},
		{Name: "energy-row"},
		{Name: "energy-discard"},
	},
}

// layCards tells the embedded Table where the cards of each place are counted or listed. Each
// creature lists its own boosts.
func (s *state) layCards(cards []*card) {
	s.Lay(s.rules.layout, cards)
	for _, p := range s.players {
		s.Counts(p.placeOf(inHand), &p.hand)
		s.Counts(p.placeOf(inDeck), &p.deck)
		s.Counts(p.placeOf(inHeap), &p.heap)
		s.Lists(p.placeOf(inPlay), &p.play)
		s.Lists(p.placeOf(inDiscard), &p.discard)
	}
	s.Counts(inUnused, &s.unused)
	s.Counts(inEnergyDeck, &s.energyDeck)
	s.Lists(inRevealed, &s.revealed)
	s.Lists(onStage, &s.stage)
	s.Lists(inEnergyRow, &s.energyRow)
	s.Lists(inEnergyDiscard, &s.energyGone)
}

func (p *player) placeOf(z Place) Place { return z << (seatBits * p.index) }

// card is one physical card.
type card struct {
	cardgame.Card
	kind       *Kind // the present level of an evolved creature
	playedFrom uint8 // the number of the place from which it was played
	condition
	boosts []*card // 001 lexicon, "Renforcer"
	under  *card   // the creature that a boost lies under
}

// condition is the state of a creature that lasts while it is in play: 001 "état actuel".
type condition struct {
	tilted       bool
	noBlock      bool  // cannot block this turn
	undefeatable bool  // cannot be defeated this turn
	growth       int16 // 002 "Symbole de Lancer de dé", Croissance: power this turn
}

// Card returns the card with the given name. If there is no such card, Card returns a refusal
// that says why.
//
// The name may also be the name of a higher level of a creature. If the creature has evolved,
// Card returns the creature. If the creature has not evolved yet, Card returns both the
// creature and a refusal.
func (s *state) Card(name string) (*card, error) {
	c := s.cardNamed(name)
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

func (s *state) cardNamed(name string) *card {
	if i, ok := s.rules.index[name]; ok && len(s.Cards) > 0 {
		return s.Cards[i]
	}
	return nil
}

// deal lays the cards out (001 and 002 "Mise en place", Étapes 3 and 4). At this time nobody
// knows which creatures lie in which hand or pile. If the sets have too few cards, deal
// returns an error.
func (s *state) deal() error {
	all, cards := make([]card, len(s.rules.names)), make([]*card, len(s.rules.names))
	for i, name := range s.rules.names {
		c := &all[i]
		cards[i] = c
		c.kind, c.Name, c.Where = s.rules.cardKinds[i], name, hidden
		if c.kind.Energy {
			c.Where = inEnergyDeck
			s.energyDeck++
		}
	}
	for _, p := range s.players {
		p.hand, p.deck = handSize, deckSize-handSize
	}
	s.unused = len(all) - s.energyDeck - 2*deckSize
	if s.unused < 0 {
		return engine.NewSetupError("setup.too-few-cards", "n", len(all)-s.energyDeck, "least", 2*deckSize)
	}
	s.layCards(cards)
	s.Exclude()
	return nil
}

// Box shuffles and deals the physical cards of a simulated table. If the match has no tagged
// cards, Box returns nil.
func (s *state) Box(chance *rand.Rand) []engine.Pile {
	if !s.rules.cards {
		return nil
	}
	names, energy := make([]string, 0, len(s.Cards)), []string(nil)
	for _, c := range s.Cards {
		if c.kind.Energy {
			energy = append(energy, c.Name)
		} else {
			names = append(names, c.Name)
		}
	}
	chance.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	chance.Shuffle(len(energy), func(i, j int) { energy[i], energy[j] = energy[j], energy[i] })
	piles := make([]engine.Pile, 0, 2*len(s.players)+3)
	add := func(place string, cards []string) { piles = append(piles, engine.Pile{Place: place, Cards: cards}) }
	for _, p := range s.players {
		add(s.PlaceName(p.placeOf(inHand)), names[:handSize:handSize])
		add(s.PlaceName(p.placeOf(inDeck)), names[handSize:deckSize:deckSize])
		names = names[deckSize:]
	}
	add(s.PlaceName(inUnused), names)
	var aside []string
	for _, l := range s.rules.levels {
		aside = append(aside, l.name)
	}
	if len(aside) > 0 {
		add(setAside, aside)
	}
	if len(energy) > 0 {
		add(s.PlaceName(inEnergyDeck), energy)
	}
	return piles
}

// chooseFirst lets the players find out who begins, unless the first player is known (001
// "Jouer votre tour"). Each player reveals a card of the unused pile, and the player of the
// card with the greater power begins. After a tie, both players reveal another card. The
// revealed cards stay visible, as 002 says.
//
// The players may also just enter who begins. Without tagged cards or an unused pile, they
// have to.
func (s *state) chooseFirst() {
	if !s.begun {
		s.revealPair([2]*card{})
	}
}

// revealPair asks each player who has not revealed a card yet to reveal one, in any order. The
// argument holds the card that each player has already revealed, or nil.
func (s *state) revealPair(pair [2]*card) {
	q := question{Key: "first-player", Fixed: s.eitherSeat("begins"),
		Chosen: func(a answer) { s.begin(s.playerAt(a.Seat)) }}
	if s.rules.cards && s.unused > 0 {
		q.Key, q.In, q.Hidden = "reveal", inUnused, "reveal-unused"
		p := s.players[0]
		switch {
		case pair[0] != nil:
			p, q.Seat = s.players[1], s.players[1].seat
		case pair[1] != nil:
			q.Seat = p.seat
		}
		q.Tap = func(c *card) {
			p := cmp.Or(s.playerAt(s.Actor), p)
			s.move(engine.EventReveals, p.seat, c, inRevealed)
			s.Exclude()
			pair[p.index] = c
			s.compare(pair)
		}
	}
	s.Ask(q)
}

func (s *state) compare(shown [2]*card) {
	a, b := shown[0], shown[1]
	switch {
	case a == nil || b == nil:
		s.revealPair(shown)
	case a.kind.Power > b.kind.Power:
		s.begin(s.players[0])
	case a.kind.Power < b.kind.Power:
		s.begin(s.players[1])
	default:
		s.Emit(engine.Event{Name: "tie"})
		s.revealPair([2]*card{})
	}
}

func (s *state) begin(p *player) {
	s.active, s.begun = p.index, true
	s.Tell("begins", p.seat, 0)
}
