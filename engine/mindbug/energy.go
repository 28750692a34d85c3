package mindbug

import "tableside/engine"

// rowSize: 002 "Mise en place", Étape 2: three Energy cards lie face up.
const rowSize = 3

// fillRow asks for the cards that complete the row, as they are turned over.
func (s *state) fillRow() {
	if !s.rules.cards || len(s.energyRow) >= rowSize || s.energyDeck == 0 {
		return
	}
	s.ask(question{key: "energy-row", n: rowSize - len(s.energyRow), places: inEnergyDeck, hidden: "reveal-energy",
		tap: func(c *card) {
			s.move("energy-row", engine.Table, c, inEnergyRow)
			s.fillRow()
		},
		again: s.fillRow,
	})
}

func (s *state) gainEnergy(p *player, n int) {
	if n > 0 {
		p.energy += n
		s.tell("gains-energy", p, n)
	}
}

// canBuy reports whether the player can afford a card now.
func (s *state) canBuy(p *player) bool {
	if !s.market {
		return false
	}
	for _, c := range s.energyRow {
		if c.kind.Price <= p.energy {
			return true
		}
	}
	return false
}

// tooDear says why a card cannot be bought.
func (s *state) tooDear(p *player, c *card) reason {
	switch {
	case !s.market:
		return reason{key: "refusal.market", card: c.kind}
	case c.kind.Price > p.energy:
		return reason{key: "refusal.price", card: c.kind, n: c.kind.Price}
	}
	return reason{}
}

// buy: 002 "Acheter des cartes Énergie": the price is paid, the card is
// replaced, its effect resolves, and it is discarded. Then another one may be
// bought, or an action is taken.
func (s *state) buy(p *player, c *card) {
	p.energy -= c.kind.Price
	s.emit(engine.Event{Name: "buys", Seat: p.seat, Card: c.name, N: c.kind.Price})
	s.do(func() { s.useEnergy(p, c, true) }, s.steps.settle, s.steps.takeAction)
}

// useEnergy takes a card from where it lies and resolves it at once: where an
// effect takes it, as a part of that effect.
func (s *state) useEnergy(p *player, c *card, fill bool) {
	s.move("takes-energy", p.seat, c, onStage)
	steps := []func(){}
	if fill {
		steps = append(steps, s.fillRow)
	}
	steps = append(steps,
		func() { s.resolveEnergy(source{p, c}) },
		func() { s.discardEnergy(c) })
	s.do(steps...)
}

func (s *state) resolveEnergy(src source) {
	if does := &src.card.kind.Effect; !does.none() {
		s.emit(engine.Event{Name: "triggers", Seat: src.p.seat, Card: src.card.name, Word: "trigger.effect"})
		s.carryOut(src, does)
	}
}

func (s *state) discardEnergy(c *card) {
	if c.where == onStage {
		s.move("energy-used", engine.Table, c, inEnergyDiscard)
	}
}

// takeEnergyCard takes a card of the row for nothing.
func (s *state) takeEnergyCard(src source) {
	switch len(s.energyRow) {
	case 0:
		return
	case 1:
		s.useEnergy(src.p, s.energyRow[0], true)
		return
	}
	s.ask(question{player: src.p, key: "take-energy", card: src.card, places: inEnergyRow, open: "take",
		tap:   func(c *card) { s.useEnergy(src.p, c, true) },
		again: func() { s.takeEnergyCard(src) },
	})
}

// takeTopEnergy turns the top card of the deck over and takes it.
func (s *state) takeTopEnergy(src source) {
	if s.energyDeck == 0 {
		return
	}
	s.ask(question{player: src.p, key: "top-energy", card: src.card, places: inEnergyDeck, hidden: "reveal-energy",
		tap:   func(c *card) { s.useEnergy(src.p, c, false) },
		again: func() { s.takeTopEnergy(src) },
	})
}
