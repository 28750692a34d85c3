package mindbug

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// die is one of the dice that a player throws: the player's own, or the opponent's.
type die struct {
	id   string
	seat engine.Seat // who throws it
	face string      // "" until it is thrown
	kept bool        // it is not thrown again
}

// faces6 lists the faces of the die, each with a different result: 002 "Symbole de Lancer de
// dé".
var faces6 = []string{"growth-1", "growth-2", "growth-3", "energy-1", "energy-2", "discard"}

var growthDie = cardgame.Die{Kind: "kot", Faces: faces6}

// These maps hold how much growth or energy each face of a die gives.
var (
	growths  = map[string]int{"growth-1": 1, "growth-2": 2, "growth-3": 3}
	energies = map[string]int{"energy-1": 1, "energy-2": 2}
)

// rollDice lets the attacker's player throw dice (002 "Symbole de Lancer de dé"). The throw
// comes before the block and before any other effect. There is one reroll, of one die or of
// both. Some creatures allow more rerolls.
func (s *state) rollDice() {
	n := 0
	if s.rules.energy && s.attacking() {
		n = s.diceOf(s.battle.attacker)
	}
	s.castDice(s.battle.p, n)
}

// castDice removes the dice of the last throw and lets a player throw n dice, at most two. The
// first die is the player's own, and the second is the opponent's. If n is 0, nothing is
// thrown.
func (s *state) castDice(p *player, n int) {
	s.dice, s.thrower, s.rerolls = nil, p, 1
	if n == 0 {
		return
	}
	for _, owner := range []*player{p, s.opponentOf(p)}[:n] {
		s.dice = append(s.dice, die{id: string(owner.seat) + "-1", seat: p.seat})
	}
	for f := range s.inForce {
		if f.rule.Ruling == RollMore && f.p == p && s.holds(f.rule.While, p) {
			s.rerolls++
		}
	}
	s.Do(s.throw, s.reroll, s.resolveDice)
}

// throw asks the player to throw those dice that have not been thrown yet.
func (s *state) throw() {
	n := 0
	for _, d := range s.dice {
		if d.face == "" {
			n++
		}
	}
	if n > 0 {
		s.Ask(question{Seat: s.thrower.seat, Key: "roll", N: n, Roll: n, Die: &growthDie, Rolled: s.rolled})
	}
}

func (s *state) rolled(faces []string) {
	for _, face := range faces {
		i := slices.IndexFunc(s.dice, func(d die) bool { return d.face == "" })
		s.dice[i].face = face
		s.Emit(engine.Event{Name: "rolls", Seat: s.thrower.seat, Word: "face." + face})
	}
	s.Do(s.throw)
}

// reroll asks whether to throw dice again. After each new throw, reroll asks again as long as
// rerolls are left.
func (s *state) reroll() {
	if s.rerolls == 0 || len(s.dice) == 0 {
		return
	}
	q := question{Seat: s.thrower.seat, Key: "reroll", N: s.rerolls,
		Fixed: []answer{cardgame.Key("no", "keep"), cardgame.Key("yes", "reroll-all")}}
	if len(s.dice) > 1 {
		for _, d := range s.dice {
			q.Fixed = append(q.Fixed, answer{Verb: engine.Choose, Word: d.id, Label: "reroll-one",
				About: engine.Word("face." + d.face)})
		}
	}
	q.Chosen = func(a answer) {
		if a.Word == "no" {
			return
		}
		s.rerolls--
		for i := range s.dice {
			d := &s.dice[i]
			if a.Word == "yes" || a.Word == d.id {
				d.face = ""
			}
			d.kept = d.face != ""
		}
		s.Do(s.throw, s.reroll)
	}
	s.Ask(q)
}

// resolveDice resolves all results of a throw for the player who has thrown. The order of the
// results does not matter. In a match without tagged cards, only energy counts. Effects that
// the results trigger also come before any other effect.
func (s *state) resolveDice() {
	p := s.thrower
	var steps []func()
	for i := range s.dice {
		s.dice[i].kept = true
		face := s.dice[i].face
		if n := growths[face]; n > 0 && s.rules.cards && s.attacking() {
			s.battle.attacker.growth += int16(n)
			s.Emit(engine.Event{Name: "grows", Seat: p.seat, Card: s.battle.attacker.Name, N: n})
		}
		s.gainEnergy(p, energies[face])
		if face == "discard" && s.rules.cards {
			steps = append(steps, func() { s.discardCards(s.opponentOf(p), 1) })
		}
	}
	s.Do(append(steps, s.settle)...)
}

// diceView returns the dice that lie on the table.
func (s *state) diceView() (list []engine.Die) {
	for _, d := range s.dice {
		state := "rolled"
		switch {
		case d.face == "":
			state = "rolling"
		case d.kept:
			state = "kept"
		}
		list = append(list, engine.Die{ID: d.id, Seat: d.seat, Kind: "kot", Face: engine.Null(d.face), State: state})
	}
	return list
}

// rowSize is the number of Energy cards that lie face up: 002 "Mise en place", Étape 2.
const rowSize = 3

// fillRow asks for the cards that complete the row, one by one as they are turned over.
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
		s.Tell("gains-energy", p.seat, n)
	}
}

// canBuy reports whether the player may buy a card at this point of the turn. The player must
// be able to pay for a card of the row.
func (s *state) canBuy(p *player) bool {
	return s.market && slices.ContainsFunc(s.energyRow, func(c *card) bool { return c.kind.Price <= p.energy })
}

// tooDear returns the reason why a card cannot be bought. Either it is too late in the turn,
// or the player has too few cubes. If the card can be bought, tooDear returns the zero
// value.
func (s *state) tooDear(p *player, c *card) unfit {
	switch {
	case !s.market:
		return unfit{Key: "refusal.market", Card: c}
	case c.kind.Price > p.energy:
		return unfit{Key: "refusal.price", Card: c, N: int32(c.kind.Price)}
	}
	return unfit{}
}

// buy lets a player buy a card of the row (002 "Acheter des cartes Énergie"). The player pays
// the price, and the row is completed. The bought card is then resolved and discarded. After
// that, the player buys another card or takes an action.
func (s *state) buy(p *player, c *card) {
	p.energy -= c.kind.Price
	s.Emit(engine.Event{Name: "buys", Seat: p.seat, Card: c.Name, N: c.kind.Price})
	s.Do(s.settle, s.takeAction)
	s.useEnergy(p, c, true)
}

// useEnergy lets a player take an Energy card. The card is immediately resolved and discarded.
// If an effect makes the player take the card, the card is resolved as a part of that effect.
// If fill is true, the row is completed before the card is resolved.
func (s *state) useEnergy(p *player, c *card, fill bool) {
	s.move("takes-energy", p.seat, c, onStage)
	s.Do(func() {
		if does := &c.kind.Effect; !does.isNone() {
			s.Emit(engine.Event{Name: "triggers", Seat: p.seat, Card: c.Name, Word: "trigger.effect"})
			s.carryOut(source{p, c}, does)
		}
	}, func() {
		if c.Where == onStage {
			s.move("energy-used", engine.Table, c, inEnergyDiscard)
		}
	})
	if fill {
		s.fillRow()
	}
}

// takeEnergyCard lets the source's player take a card of the row free of charge. A single card
// is taken without a question.
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

func (s *state) takeTopEnergy(src source) {
	if s.energyDeck == 0 {
		return
	}
	s.Ask(question{Seat: src.p.seat, Key: "top-energy", About: src.card, In: inEnergyDeck, Hidden: "reveal-energy",
		Tap:   func(c *card) { s.useEnergy(src.p, c, false) },
		Again: func() { s.takeTopEnergy(src) },
	})
}
