package mindbug

import "tableside/engine"

// rowSize: 002 "Mise en place", Étape 2: three Energy cards lie face up.
const rowSize = 3

// fillRow asks for the cards that complete the row, as they are turned over.
func (s *state) fillRow() {
	if !s.rules.cards || len(s.energyRow) >= rowSize || s.energyDeck == 0 {
		return
	}
	s.Ask(question{Key: "energy-row", N: rowSize - len(s.energyRow), In: inEnergyDeck, Hidden: "reveal-energy",
		Tap: func(c *card) {
			s.move("energy-row", engine.Table, c, inEnergyRow)
			s.fillRow()
		},
		Again: s.fillRow,
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
func (s *state) tooDear(p *player, c *card) unfit {
	switch {
	case !s.market:
		return unfit{Key: "refusal.market", Card: c}
	case c.kind.Price > p.energy:
		return unfit{Key: "refusal.price", Card: c, N: int32(c.kind.Price)}
	}
	return unfit{}
}

// buy: 002 "Acheter des cartes Énergie": the price is paid, the card is
// replaced, its effect resolves, and it is discarded. Then another one may be
// bought, or an action is taken.
func (s *state) buy(p *player, c *card) {
	p.energy -= c.kind.Price
	s.Emit(engine.Event{Name: "buys", Seat: p.seat, Card: c.Name, N: c.kind.Price})
	s.Do(s.steps.settle, s.steps.takeAction)
	s.useEnergy(p, c, true)
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
	s.Do(steps...)
}

func (s *state) resolveEnergy(src source) {
	if does := &src.card.kind.Effect; !does.none() {
		s.Emit(engine.Event{Name: "triggers", Seat: src.p.seat, Card: src.card.Name, Word: "trigger.effect"})
		s.carryOut(src, does)
	}
}

func (s *state) discardEnergy(c *card) {
	if c.Where == onStage {
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
	s.Ask(question{Seat: src.p.seat, Key: "take-energy", About: src.card, In: inEnergyRow, Label: "take",
		Tap:   func(c *card) { s.useEnergy(src.p, c, true) },
		Again: func() { s.takeEnergyCard(src) },
	})
}

// takeTopEnergy turns the top card of the deck over and takes it.
func (s *state) takeTopEnergy(src source) {
	if s.energyDeck == 0 {
		return
	}
	s.Ask(question{Seat: src.p.seat, Key: "top-energy", About: src.card, In: inEnergyDeck, Hidden: "reveal-energy",
		Tap:   func(c *card) { s.useEnergy(src.p, c, false) },
		Again: func() { s.takeTopEnergy(src) },
	})
}
