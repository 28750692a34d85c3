package genegrafter

import (
	"math/rand/v2"
	"slices"

	"tableside/engine"
)

// deal lays the cards out (004 "Débuter"). Nobody knows where any card lies. Event cards that
// are not chosen stay aside. If the box has too few cards, deal returns an error.
func (s *state) deal() error {
	cards, all := slices.Clone(s.rules.cards), make([]*card, len(s.rules.cards))
	hands, events := Place(0), 0
	for _, p := range s.players {
		hands |= p.placeOf(inHand)
		p.hand = handSize
	}
	for i := range cards {
		c := &cards[i]
		switch c.Where = hands | inDeck; c.kind.Type {
		case UnknownType:
			c.Where |= setAside
		case Event:
			c.Where = inDeck | setAside
			events++
		case DNA:
			c.Where = inDeck
		}
		all[i] = c
	}
	s.deck = len(cards) - len(s.players)*handSize - max(0, events-s.rules.events)
	s.layOut(all)
	s.Exclude()
	if least := handSize + strandCount; s.deck < least {
		return engine.NewSetupError("setup.too-few-cards", "n", len(cards), "least", len(cards)+least-s.deck)
	}
	return nil
}

// Box shuffles and deals the physical cards of a simulated table. Each third of the deck has
// its DNA strand and its share of the event cards.
func (s *state) Box(chance *rand.Rand) []engine.Pile {
	var rest, events, strands []string
	for _, c := range s.Cards {
		switch c.kind.Type {
		case Event:
			events = append(events, c.Name)
		case DNA:
			strands = append(strands, c.Name)
		default:
			rest = append(rest, c.Name)
		}
	}
	shuffle(chance, rest)
	shuffle(chance, events)
	events = events[:min(len(events), s.rules.events)]
	turn := chance.IntN(strandCount) // no third is always the one with fewer events
	var piles []engine.Pile
	for _, p := range s.players {
		piles = append(piles, engine.Pile{Place: s.PlaceName(p.placeOf(inHand)), Cards: rest[:handSize:handSize]})
		rest = rest[handSize:]
	}
	var deck []string
	for i := range strandCount {
		third := slices.Concat(share(rest, i), share(events, (i+turn)%strandCount), share(strands, i))
		shuffle(chance, third)
		deck = append(deck, third...)
	}
	return append(piles, engine.Pile{Place: s.PlaceName(inDeck), Cards: deck})
}

// share divides cards into three nearly equal parts and returns part i, counted from 0.
func share(cards []string, i int) []string {
	n := len(cards)
	return cards[i*n/strandCount : (i+1)*n/strandCount]
}

func shuffle(chance *rand.Rand, cards []string) {
	chance.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
}

// guideSteps returns the steps that players carry out by hand before the first die is thrown
// (004 "Débuter", 1 to 7).
func (r *rules) guideSteps() []string {
	steps := []string{"set-up-1", "set-up-2", "set-up-3", "set-up-4", "set-up-5", "set-up-6"}
	if r.fullBox != r.box {
		steps[2] += "-gear"
	}
	if r.events == 0 {
		steps[4] += "-no-events"
	}
	return steps
}

// chooseFirst lets a die decide who begins (004 "Débuter", 7). The players may also choose the
// first player in another way, and enter who it is.
func (s *state) chooseFirst() {
	if !s.begun {
		s.rollOff("first-player", s.players, func(p *player) {
			s.first, s.active, s.begun = p.index, p.index, true
			s.Tell("begins", p.seat, 0)
		})
	}
}

// rollOff lets each player of a list throw a die. It passes the player with the greatest
// number to the callback. Players who tie throw again. Instead of a throw, the players may
// name one player of the list. The question has the given prompt as its key.
func (s *state) rollOff(prompt string, list []*player, then func(*player)) {
	for _, p := range list {
		p.roll = 0
	}
	s.Do(func() { s.throwOff(prompt, list, then) })
}

func (s *state) throwOff(prompt string, list []*player, then func(*player)) {
	if i := slices.IndexFunc(list, func(p *player) bool { return p.roll == 0 }); i >= 0 {
		p := list[i]
		s.Ask(question{Seat: p.seat, Key: prompt, Roll: 1, Die: plainDie, Rolled: func(faces []string) {
			p.roll = pips(faces[0])
			s.Tell("rolls-off", p.seat, p.roll)
			s.Do(func() { s.throwOff(prompt, list, then) })
		}, Fixed: seatAnswers(list), Chosen: func(a answer) { then(s.playerAt(a.Seat)) }})
		return
	}
	best := highest(list, func(p *player) int { return p.roll })
	if len(best) == 1 {
		then(best[0])
		return
	}
	s.Emit(engine.Event{Name: "tie"})
	s.rollOff(prompt, best, then)
}
