package mutants

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// beginRound begins a round (EN "Game flow", FR "Déroulement du jeu"). The first player of the
// round takes a turn, and everybody may take turns again.
func (s *state) beginRound() {
	s.phase = "turn"
	s.ongoing = true
	s.active = s.first
	for _, p := range s.players {
		p.finished, p.usedLast = false, false
	}
	s.Emit(engine.Event{Name: "round", Seat: s.players[s.first].seat, N: s.round})
	s.Do(s.turn)
}

// turn carries out the phases of a turn in order (EN "Turn sequence", FR "Tour de jeu"). A
// seat without cards in hand is skipped and is out for the round.
func (s *state) turn() {
	p := s.players[s.active]
	if s.rules.cards && p != s.boss && p.hand == 0 {
		p.finished = true
		s.tell("skipped", p, 0)
		s.Do(s.nextTurn)
		return
	}
	s.turns++
	if p == s.boss {
		s.Do(s.crush, s.moveAction, s.playAction, s.nextTurn) // FR "La Révolte"
		return
	}
	s.Do(s.crush, s.startTurn, s.moveActive, s.takeAction, s.endTurn, s.nextTurn)
}

// Turns returns how many turns have begun. With this method the state is an
// engine.TurnCounter. The count is needed because a player who is the only one left with cards
// takes several turns in a row.
func (s *state) Turns() int { return s.turns }

// startTurn triggers the abilities that wait for the start of a turn. They are triggered only
// after the Crush (phase 1), because a Crush may end the round.
func (s *state) startTurn() { s.triggered(s.players[s.active], EachTurn) }

func (s *state) endTurn() { s.triggered(s.players[s.active], EachTurnEnd) }

// nextTurn gives the turn to the next seat clockwise that has not run out of cards. If no
// player has any cards, the round ends. A seat that has run out of cards stays out for the
// round, even if it gets a card again.
func (s *state) nextTurn() {
	p := s.players[s.active]
	if s.rules.cards && p.hasHand() && (p.hand == 0 || p.usedLast) {
		p.finished = true
	}
	p.mulligan = false
	waits := func(p *player) bool { return !p.finished && (p.hand > 0 || !s.rules.cards) }
	if !slices.ContainsFunc(s.players, waits) { // FR "Dernière carte": the boss's turns end, too
		s.Do(s.endOfRound)
		return
	}
	for {
		s.active = s.clockwise(s.active, 1).index
		if !s.players[s.active].finished {
			s.Do(s.turn)
			return
		}
	}
}

// crush lets the active player carry out a Crush (EN "1. Crush the Competition", FR "1.
// Écraser la compétition"). The active marker must be in the Top Space. In EN all opponents
// must be in the Red Zone, and the round ends. In FR one opponent in the Red Zone is enough,
// and the player scores the black number.
func (s *state) crush() {
	p := s.players[s.active]
	if s.power.space(p.index) != s.rules.board.Spaces {
		return
	}
	low := s.countOpponents(p, OpponentsInRedZone)
	switch {
	case low == 0:
	case !s.rules.crushEndsRound:
		s.Do(func() { s.needPoints(false, true) }, func() {
			s.tell("crushes", p, s.points().Black)
			s.scores(p, s.points().Black)
			s.crushed(p)
		})
	case low == len(s.players)-1:
		s.crusher = p.index
		s.tell("crushes-all", p, 0)
		for i := range s.players {
			s.discardHand(s.clockwise(s.active, i))
		}
		s.dropAll()
		s.Do(s.endOfRound)
	}
}

func (s *state) crushed(p *player) {
	for _, o := range slices.Backward(s.opponents(p)) {
		s.triggersLater(o, EachCrushed, cause{})
	}
	s.triggersLater(p, EachCrush, cause{})
}

// moveActive moves the active mutant to a flank (EN "2. Move Active Mutant", FR "2. Déplacer
// le mutant actif"). If both flanks are taken, the mutant on the chosen flank leaves. This is
// repeated until the active slot is empty (EN NOTE).
func (s *state) moveActive() {
	p := s.players[s.active]
	if p.mutantIn(InActive) == nil {
		return
	}
	left, right := p.mutantIn(InLeft) == nil, p.mutantIn(InRight) == nil
	switch {
	case left && !right:
		s.Do(func() { s.shift(p, InLeft) }, s.moveActive)
	case right && !left:
		s.Do(func() { s.shift(p, InRight) }, s.moveActive)
	case left:
		s.chooseFlank(p, "choose-flank", flanks, func(flank Zone) {
			s.Do(func() { s.shift(p, flank) }, s.moveActive)
		})
	default:
		s.chooseFlank(p, "choose-leaving", neighbours, func(flank Zone) {
			s.Do(func() { s.removeMutant(p.mutantIn(flank)) }, func() { s.shift(p, flank) }, s.moveActive)
		})
	}
}

func (s *state) chooseFlank(p *player, key string, sides []answer, then func(flank Zone)) {
	s.Ask(question{Seat: p.seat, Key: key, About: p.mutantIn(InActive), Fixed: sides, In: InLeft | InRight,
		Tap:    func(c *card) { then(c.zone) },
		Chosen: func(a answer) { then(zonesByName[a.Word]) },
		Again:  s.moveActive,
	})
}

var (
	flanks = []answer{cardgame.Key("left", "flank-left"), cardgame.Key("right", "flank-right")}

	// neighbours are the flanks, named by the mutants that lie there.
	neighbours = []answer{
		{Verb: engine.Key, Word: "left", Label: "mutant-left", About: InLeft},
		{Verb: engine.Key, Word: "right", Label: "mutant-right", About: InRight},
	}
)

// shift moves the active mutant to a flank, if the flank is free and the active slot still has
// a mutant. Moving does not turn the mutant over.
func (s *state) shift(p *player, flank Zone) {
	if p.mutantIn(flank) == nil {
		s.moveAcross(p.mutantIn(InActive), flank)
	}
}

// removeMutant takes a mutant out of the arena ("Whenever a mutant leaves"). First the mutant
// is removed, then its Leave ability resolves completely, and then it goes to the discard
// pile. A knocked-down mutant activates no Leave ability (EN "Knock Down", FR "K.O.").
func (s *state) removeMutant(c *card) {
	slot, down := c.zone, c.down
	s.move("leaves", c, slot, InLeaving)
	s.Do(func() {
		if !down {
			s.resolveAbility(source{p: c.player, card: c, slot: slot}, c, "leave")
		}
	}, func() {
		if c.zone == InLeaving {
			s.move("discarded", c, InLeaving, InDiscard)
		}
		s.triggered(c.player, EachLeave)
	})
}

// takeAction asks for the action of a turn (EN "3. Take Action", FR "3. Jouer une action"). If
// the seat has lost its last card meanwhile, it takes no action.
func (s *state) takeAction() {
	p := s.players[s.active]
	if !s.rules.cards {
		s.freeTurn(p)
	} else if p.hand > 0 {
		s.askAction(p)
	}
}

func (s *state) askAction(p *player) {
	s.Ask(question{
		Seat: p.seat, Key: "action", N: p.hand,
		In: InHand | inPool,
		Fits: func(c *card) unfit {
			neither := c.zone&inPool != 0 && !p.canBreed() && !p.canIncubate()
			return unfit{Key: "refusal.no-breed-no-incubate", Card: c}.If(neither)
		},
		Tap: func(c *card) {
			if c.zone&inPool != 0 {
				s.usePool(p, c)
			} else {
				s.deploy(c, InHand)
				s.recordAction(p)
			}
		},
		Again: func() { s.actionAgain(p) },
	})
}

// recordAction records that a player has taken an action. After an action, it is too late for
// a mulligan. Against a boss, recordAction also records whether the action took the last card
// of the hand (FR "Dernière carte").
func (s *state) recordAction(p *player) {
	p.mulligan = false
	p.usedLast = s.boss != nil && s.rules.revision >= rules2 && p.hand == 0
}

// actionAgain asks for the action again after a seat's cards were corrected. If the seat has
// no card left, its turn does not end by itself, because more corrections may follow. The seat
// then ends the turn by a key.
func (s *state) actionAgain(p *player) {
	if p.hand > 0 {
		s.askAction(p)
		return
	}
	s.Ask(question{Seat: p.seat, Key: "no-action", Fixed: []answer{cardgame.Key("next", "end-turn")},
		Chosen: func(answer) {}, Again: func() { s.actionAgain(p) }})
}

// freeTurn asks a player to take a turn in a match without tagged cards. In such a match, the
// players move the markers by hand.
func (s *state) freeTurn(p *player) {
	s.Ask(question{Seat: p.seat, Key: "free-turn", Fixed: freeAnswers, Chosen: func(a answer) {
		switch a.Word {
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
	cardgame.Key("plus", "gain-one"),
	cardgame.Key("minus", "lose-one"),
	cardgame.Key("next", "end-turn"),
	cardgame.Key("no", "out-of-cards"),
}

func (p *player) canBreed() bool    { return p.hand >= 2 }
func (p *player) canIncubate() bool { return p.hand >= 1 && p.incubator == nil }

// usePool asks whether a tapped card of the gene pool is bred or incubated, if
// both are possible.
func (s *state) usePool(p *player, c *card) {
	switch {
	case !p.canBreed():
		s.incubate(p, c)
	case !p.canIncubate():
		s.breed(p, c, nil)
	default:
		s.Ask(question{Seat: p.seat, Key: "breed-or-incubate", About: c, Fixed: poolAnswers, Chosen: func(a answer) {
			switch a.Word {
			case "breed":
				s.breed(p, c, nil)
			case "incubate":
				s.incubate(p, c)
			default:
				s.askAction(p)
			}
		}, Again: func() { s.actionAgain(p) }})
	}
}

var poolAnswers = []answer{
	cardgame.Choose("breed", "breed"),
	cardgame.Choose("incubate", "incubate"),
	cardgame.Key("no", "something-else"),
}

// breed asks a player which two cards to discard in order to get a mutant (EN "B Breed", FR
// "Engendrer un mutant"). Both genes of the mutant must appear on the two cards. If both genes
// are equal, it is enough that one of the cards has the gene.
//
// The last argument is the first of the two cards, or nil until that card is chosen. Nothing
// moves until the second card is known.
func (s *state) breed(p *player, c *card, discard *card) {
	n := 2
	if discard != nil {
		n = 1
	}
	s.Ask(question{
		Seat: p.seat, Key: "breed-discard", About: c, N: n,
		In: InHand,
		Fits: func(d *card) unfit {
			switch {
			case d == discard:
				return unfit{Key: "refusal.same-card"}
			case discard != nil && !carries(c.kind, discard.kind, d.kind):
				return unfit{Key: "refusal.genes", Card: c, Override: true}
			}
			return unfit{}
		},
		Tap: func(d *card) {
			if discard == nil {
				s.breed(p, c, d)
				return
			}
			s.Emit(engine.Event{Name: "breeds", Seat: p.seat, Card: c.id()}) // the deed before its cost
			s.move("discards", discard, InHand, InDiscard)
			s.move("discards", d, InHand, InDiscard)
			s.recordAction(p)
			s.Do(func() { s.deploy(c, c.zone) }, func() { s.triggered(p, EachBreed) })
		},
		Fixed: noOne, Chosen: func(answer) { s.askAction(p) }, Again: func() { s.actionAgain(p) },
	})
}

// Unpaid is the method of an engine.Payer. The table does not see whether a hand can pay for a
// mutant that is bred, but who sees the hand does.
func (s *state) Unpaid(in engine.Input, hand []string) error {
	q, c := &s.Question, s.tapped[in.Arg(0)]
	if q.Key == "breed-or-incubate" && in.Arg(0) == "breed" {
		c = q.About
	} else if q.Key != "action" || c == nil || c.zone&inPool == 0 || c.player.canIncubate() {
		return nil
	}
	var kinds []*Kind
	for _, name := range hand {
		kind, err := s.copyOf(name)
		if err != nil || slices.ContainsFunc(kinds, func(k *Kind) bool { return carries(c.kind, k, kind) }) {
			return nil
		}
		kinds = append(kinds, kind)
	}
	return engine.Refuse("refusal.unpayable", "card", c.Word())
}

func carries(wanted *Kind, cards ...*Kind) bool {
	for _, g := range wanted.Genes {
		if !slices.ContainsFunc(cards, func(k *Kind) bool { return slices.Contains(k.Genes, g) }) {
			return false
		}
	}
	return true
}

// incubate puts a card of the gene pool into the incubator (EN "C Incubate", FR "Incuber un
// mutant"). Before that, the player chooses a card of the hand to discard.
func (s *state) incubate(p *player, c *card) {
	s.Ask(question{
		Seat: p.seat, Key: "incubate-discard", About: c, N: 1,
		In: InHand,
		Tap: func(d *card) {
			s.move("incubates", c, c.zone, InIncubator) // the deed before its cost
			s.move("discards", d, InHand, InDiscard)
			s.recordAction(p)
			s.triggered(p, EachIncubate)
		},
		Fixed: noOne, Chosen: func(answer) { s.askAction(p) }, Again: func() { s.actionAgain(p) },
	})
}

// deploy deploys a mutant (EN "A Deploy Mutant"). The card comes into the active slot, and its
// Deploy ability resolves. If mutants deploy each other endlessly, Apply refuses the input.
func (s *state) deploy(c *card, from Zone) {
	s.move("deploys", c, from, InActive)
	s.nested++
	s.Do(
		func() { s.askUnread(c) },
		func() {
			if c.zone&inArena != 0 { // a weakness may have taken it out of the game
				s.resolveAbility(source{p: c.player, card: c, slot: InActive}, c, "deploy")
			}
		},
		func() { s.triggered(c.player, EachDeploy) },
		func() { s.nested = max(0, s.nested-1) },
	)
}

// maxNested is the greatest number of nested deployments. The printed cards do not lead to so
// many, but an owner's own cards may deploy each other without end.
const maxNested = 60
