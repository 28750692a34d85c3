package mindbug

import (
	"cmp"
	"math/rand/v2"

	"tableside/engine"
)

// deal: 001 and 002 "Mise en place", Étapes 3 and 4. Nobody knows where any
// card lies.
func (s *state) deal() error {
	all, cards := make([]card, len(s.rules.names)), make([]*card, len(s.rules.names))
	for i, name := range s.rules.names {
		c := &all[i]
		cards[i] = c
		c.kind, c.Name, c.Where = s.rules.of[i], name, hidden
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

// Box shuffles and deals the physical cards of a table that is only
// simulated.
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
	for _, p := range s.players {
		piles = append(piles,
			engine.Pile{Place: s.PlaceName(p.of(inHand)), Cards: names[:handSize:handSize]},
			engine.Pile{Place: s.PlaceName(p.of(inDeck)), Cards: names[handSize:deckSize:deckSize]})
		names = names[deckSize:]
	}
	piles = append(piles, engine.Pile{Place: s.PlaceName(inUnused), Cards: names})
	if len(s.rules.levels) > 0 {
		var names []string
		for _, l := range s.rules.levels {
			names = append(names, l.name)
		}
		piles = append(piles, engine.Pile{Place: setAside, Cards: names})
	}
	if len(energy) > 0 {
		piles = append(piles, engine.Pile{Place: s.PlaceName(inEnergyDeck), Cards: energy})
	}
	return piles
}

// chooseFirst: 001 "Jouer votre tour": each reveals a card of the unused
// pile, the greater power begins, ties are repeated. The revealed cards stay
// visible, as 002 says. A table that has found the first player otherwise
// says so.
func (s *state) chooseFirst() {
	if s.begun {
		return
	}
	s.revealPair([2]*card{})
}

// revealPair asks those who have not revealed a card yet, in any order.
func (s *state) revealPair(shown [2]*card) {
	q := question{Key: "first-player", Fixed: s.eitherSeat("begins"), Chosen: func(a answer) { s.begin(s.at(a.Seat)) }}
	if s.rules.cards && s.unused > 0 {
		q.Key, q.In, q.Hidden = "reveal", inUnused, "reveal-unused"
		p := s.players[0]
		switch {
		case shown[0] != nil:
			p, q.Seat = s.players[1], s.players[1].seat
		case shown[1] != nil:
			q.Seat = p.seat
		}
		q.Tap = func(c *card) {
			p := cmp.Or(s.at(s.By), p)
			s.move(engine.EventReveals, p.seat, c, inRevealed)
			s.Exclude()
			shown[p.index] = c
			s.compare(shown)
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
