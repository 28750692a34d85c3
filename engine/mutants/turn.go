package mutants

import "tableside/engine"

// beginRound: EN "Game flow", FR "Déroulement du jeu".
func (s *state) beginRound() {
	s.phase = "turn"
	s.ongoing = true
	s.active = s.first
	for _, p := range s.players {
		p.finished = false
	}
	s.emit(engine.Event{Name: "round", Seat: s.players[s.first].seat, N: s.round})
	s.do(s.turn)
}

// turn: EN "Turn sequence", FR "Tour de jeu".
func (s *state) turn() {
	p := s.players[s.active]
	if s.rules.cards && p.hand == 0 {
		p.finished = true
		s.tell("skipped", p, 0)
		s.do(s.nextTurn)
		return
	}
	s.do(s.crush, s.moveActive, s.takeAction, s.nextTurn)
}

// nextTurn: clockwise, to the next seat that has not run out of cards. A seat
// that has stays out for the round, even if it gets a card again.
func (s *state) nextTurn() {
	p := s.players[s.active]
	if s.rules.cards && p.hand == 0 {
		p.finished = true
	}
	waiting := false
	for _, p := range s.players {
		waiting = waiting || !p.finished && (p.hand > 0 || !s.rules.cards)
	}
	if !waiting {
		s.do(s.endOfRound)
		return
	}
	for {
		s.active = s.clockwise(s.active, 1).index
		if !s.players[s.active].finished {
			s.do(s.turn)
			return
		}
	}
}

// crush: EN "1. Crush the Competition", FR "1. Écraser la compétition".
func (s *state) crush() {
	p := s.players[s.active]
	if s.power.space(p.index) != s.rules.board.Spaces {
		return
	}
	low := 0
	for _, o := range s.players {
		if o != p && s.inRedZone(o) {
			low++
		}
	}
	switch {
	case low == 0:
	case !s.rules.crushEndsRound:
		s.do(func() { s.needPoints(false, true) }, func() {
			s.tell("crushes", p, s.points().Black)
			s.scores(p, s.points().Black)
		})
	case low == len(s.players)-1:
		s.crusher = p.index
		s.tell("crushes-all", p, 0)
		for i := range s.players {
			s.thrownAway(s.clockwise(s.active, i))
		}
		s.agenda = s.agenda[:0]
		s.do(s.endOfRound)
	}
}

func (s *state) inRedZone(p *player) bool {
	return s.power.space(p.index) <= s.rules.board.RedZone
}

// moveActive: EN "2. Move Active Mutant", FR "2. Déplacer le mutant actif".
// It is repeated until the active slot is empty.
func (s *state) moveActive() {
	p := s.players[s.active]
	if p.slots[activeSlot].card == nil {
		return
	}
	left, right := p.slots[leftSlot].card == nil, p.slots[rightSlot].card == nil
	switch {
	case left != right && left:
		s.do(func() { s.shift(p, leftSlot) }, s.moveActive)
	case left != right:
		s.do(func() { s.shift(p, rightSlot) }, s.moveActive)
	default:
		s.chooseFlank(p, !left)
	}
}

// chooseFlank asks for the side to which the active mutant moves; where both
// are taken, the mutant there leaves first.
func (s *state) chooseFlank(p *player, taken bool) {
	key := "choose-flank"
	if taken {
		key = "choose-leaving"
	}
	move := func(sl slot) {
		if taken {
			s.do(func() { s.leave(p, sl) }, func() { s.shift(p, sl) }, s.moveActive)
		} else {
			s.do(func() { s.shift(p, sl) }, s.moveActive)
		}
	}
	q := question{player: p, key: key, card: p.slots[activeSlot].card, fixed: flanks, chosen: func(a answer) {
		if a.word == "left" {
			move(leftSlot)
		} else {
			move(rightSlot)
		}
	}}
	if taken {
		q.zones = InLeft | InRight
		q.tap = func(c *card) { move(slotOf(c.where)) }
	}
	s.ask(q)
}

var flanks = []answer{
	{verb: engine.Key, word: "left", label: "flank-left"},
	{verb: engine.Key, word: "right", label: "flank-right"},
}

// shift moves the active mutant to a flank, as it lies, if it is still there
// and the flank is free.
func (s *state) shift(p *player, to slot) {
	m := p.slots[activeSlot]
	if m.card == nil || p.slots[to].card != nil {
		return
	}
	s.move("moves", m.card, InActive, slotZone[to])
	p.slots[to].down = m.down
}

// leave: "Whenever a mutant leaves", in order: it is removed, its Leave
// ability resolves completely, it goes to the discard pile. A knocked-down
// mutant has no Leave ability.
func (s *state) leave(p *player, sl slot) {
	m := p.slots[sl]
	if m.card == nil {
		return
	}
	s.move("leaves", m.card, slotZone[sl], InLeaving)
	s.do(func() {
		if !m.down {
			s.resolveAbility(source{p, m.card, sl, nil}, &m.kind.Leave, "leave")
		}
	}, func() {
		if m.where == InLeaving {
			s.move("discarded", m.card, InLeaving, InDiscard)
		}
	})
}

// takeAction: EN "3. Take Action", FR "3. Jouer une action".
func (s *state) takeAction() {
	p := s.players[s.active]
	if !s.rules.cards {
		s.freeTurn(p)
		return
	}
	if p.hand == 0 {
		return
	}
	s.ask(question{
		player: p, key: "action", n: p.hand,
		zones: InHand | inPool,
		fits:  func(c *card) error { return s.actionRefusal(p, c) },
		tap: func(c *card) {
			if c.where&inPool != 0 {
				s.usePool(p, c)
			} else {
				s.deploy(p, c, InHand)
			}
		},
	})
}

// freeTurn is a turn without tagged cards: markers are moved by hand.
func (s *state) freeTurn(p *player) {
	s.ask(question{player: p, key: "free-turn", fixed: freeAnswers, chosen: func(a answer) {
		switch a.word {
		case "plus":
			s.gainPower(p, 1)
			s.freeTurn(p)
		case "minus":
			s.losePower(p, 1)
			s.freeTurn(p)
		case "no":
			p.finished = true
			s.tell("finished", p, 0)
		}
	}})
}

var freeAnswers = []answer{
	{verb: engine.Key, word: "plus", label: "gain-one"},
	{verb: engine.Key, word: "minus", label: "lose-one"},
	{verb: engine.Key, word: "next", label: "end-turn"},
	{verb: engine.Key, word: "no", label: "out-of-cards"},
}

// actionRefusal says why a pool card can neither be bred nor incubated.
func (s *state) actionRefusal(p *player, c *card) error {
	if c.where&inPool == 0 || p.canBreed() || p.canIncubate() {
		return nil
	}
	return engine.Refuse("refusal.no-breed-no-incubate", "card", engine.CardWord(c.kind.ID))
}

func (p *player) canBreed() bool    { return p.hand >= 2 }
func (p *player) canIncubate() bool { return p.hand >= 1 && p.incubator == nil }

// usePool asks what a tapped card of the gene pool is for, where both are
// possible.
func (s *state) usePool(p *player, c *card) {
	switch {
	case !p.canBreed():
		s.incubate(p, c)
	case !p.canIncubate():
		s.breed(p, c, nil)
	default:
		s.ask(question{player: p, key: "breed-or-incubate", card: c, fixed: poolAnswers, chosen: func(a answer) {
			switch a.word {
			case "breed":
				s.breed(p, c, nil)
			case "incubate":
				s.incubate(p, c)
			default:
				s.takeAction()
			}
		}})
	}
}

var poolAnswers = []answer{
	{verb: engine.Choose, word: "breed", label: "breed"},
	{verb: engine.Choose, word: "incubate", label: "incubate"},
	{verb: engine.Key, word: "no", label: "something-else"},
}

// breed: EN "B Breed", FR "Engendrer un mutant". Two cards are discarded,
// both genes among theirs; two like genes need one. Nothing has moved until
// the second card is known.
func (s *state) breed(p *player, c *card, first *card) {
	n := 2
	if first != nil {
		n = 1
	}
	s.ask(question{
		player: p, key: "breed-discard", card: c, n: n,
		zones: InHand,
		fits: func(d *card) error {
			switch {
			case d == first:
				return engine.Refuse("refusal.same-card", "card", engine.CardWord(d.kind.ID))
			case first != nil && !carries(c.kind, first.kind, d.kind):
				return engine.RefuseUnless("refusal.genes", "card", engine.CardWord(c.kind.ID))
			}
			return nil
		},
		tap: func(d *card) {
			if first == nil {
				s.breed(p, c, d)
				return
			}
			s.move("discards", first, InHand, InDiscard)
			s.move("discards", d, InHand, InDiscard)
			s.emit(engine.Event{Name: "breeds", Seat: p.seat, Card: c.id()})
			s.do(func() { s.deploy(p, c, c.where) }, func() { s.triggered(p, EachBreed) })
		},
		fixed: noOne, chosen: func(answer) { s.takeAction() },
	})
}

// carries reports whether both genes of a mutant appear on the cards.
func carries(wanted *Kind, cards ...*Kind) bool {
	var have [geneCount]bool
	for _, k := range cards {
		for _, g := range k.Genes {
			have[g] = true
		}
	}
	for _, g := range wanted.Genes {
		if !have[g] {
			return false
		}
	}
	return true
}

// incubate: EN "C Incubate", FR "Incuber un mutant".
func (s *state) incubate(p *player, c *card) {
	s.ask(question{
		player: p, key: "incubate-discard", card: c, n: 1,
		zones: InHand,
		tap: func(d *card) {
			s.move("discards", d, InHand, InDiscard)
			s.move("incubates", c, c.where, InIncubator)
			s.triggered(p, EachIncubate)
		},
		fixed: noOne, chosen: func(answer) { s.takeAction() },
	})
}

// deploy: EN "A Deploy Mutant". The card comes into the active slot and its
// Deploy ability resolves.
func (s *state) deploy(p *player, c *card, from Zone) {
	s.move("deploys", c, from, InActive)
	s.do(
		func() { s.resolveAbility(source{p, c, activeSlot, nil}, &c.kind.Deploy, "deploy") },
		func() { s.triggered(p, EachDeploy) },
	)
}
