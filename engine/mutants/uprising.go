package mutants

import (
	"strconv"

	"tableside/engine"
)

// The Uprising, FR "La Révolte": one player against a boss.
//
// The boss is a player who is the table. It has a marker, an arena, a deck and
// a discard pile, and is an opponent like any other. Its hand, incubator and
// gene pool are empty, so effects on those find nothing. Other differences:
//
//   - its turns, how a round ends, and how it is seen: in this file;
//   - its choices, which the player makes: decider;
//   - points, which are its health, the price of freezing, the weaknesses of
//     its cards, and what players do for it by hand: fight.go;
//   - what the gene pool may hold: boss.go.

// joinBoss adds the boss and its cards to the match.
func (s *state) joinBoss() {
	boss := s.rules.boss
	b := &player{seat: engine.Table, index: len(s.players)}
	b.bossCard = &card{player: b, name: boss.ID, zone: OnBoard, kind: &Kind{
		ID: boss.ID, Names: boss.Names, Deploy: boss.SetUp, Ongoing: boss.Power,
	}}
	for i := range s.rules.data.Kinds {
		kind := s.rules.kinds[s.rules.data.Kinds[i].ID]
		if kind.Action == nil || kind.Action.Boss != boss.ID {
			continue
		}
		for range kind.Action.Copies {
			b.cards = append(b.cards, &card{kind: kind, player: b, zone: InDeck})
			b.deck++
		}
	}
	s.boss, s.first, s.active = b, b.index, b.index
	s.After = s.watchWeaknesses
	s.players = append(s.players, b)
}

func (s *state) hero() *player { return s.players[0] }

// decider returns the player who makes the choices of p (FR "Prise de décision"). The hero
// makes the boss's choices. Any other player makes their own choices.
func (s *state) decider(p *player) *player {
	if p != nil && p == s.boss {
		return s.hero()
	}
	return p
}

func (s *state) ofBoss(name string) string {
	id, _ := engine.SplitCopy(name)
	if kind := s.rules.kinds[id]; kind != nil && kind.Action != nil {
		return kind.Action.Boss
	}
	return ""
}

// placeHealth shows the boss's health with the boss's score marker (FR "Mise en place"). If
// nobody has entered the health, the players are asked for it.
func (s *state) placeHealth() {
	boss := s.rules.boss
	if boss.Health > 0 {
		s.score.land(s.boss.index, boss.Health+s.rules.extraHealth)
		return
	}
	s.askNumber("boss-health", s.boss.bossCard, 1, maxHealth, func(n int) {
		boss.Health = n
		s.learn("boss " + boss.ID + " health " + strconv.Itoa(n))
		s.Do(s.placeHealth)
	})
}

// setUpBoss follows FR "Mise en place": it resolves the instructions on the boss's set-up
// face.
func (s *state) setUpBoss() {
	s.resolveAbility(source{p: s.boss, card: s.boss.bossCard}, s.boss.bossCard, "set-up")
}

// moveAction moves the boss's active card (FR "Déplacer la carte active"). The card goes to
// the flank to which its arrow points. If another card lies there, that card leaves first.
func (s *state) moveAction() {
	c := s.boss.mutantIn(InActive)
	if c == nil {
		return
	}
	flank := c.kind.Action.Arrow
	if flank == 0 {
		s.askArrow(c)
		return
	}
	s.Do(func() {
		if there := s.boss.mutantIn(flank); there != nil {
			s.removeMutant(there)
		}
	}, func() { s.shift(s.boss, flank) }, s.moveAction)
}

func (s *state) askArrow(c *card) {
	s.Ask(question{Seat: s.boss.seat, Key: "boss-arrow", About: c, Fixed: flanks, Chosen: func(a answer) {
		c.kind.Action.Arrow = zonesByName[a.Word]
		s.learn("action " + c.kind.ID + " arrow " + a.Word)
		s.Do(s.moveAction)
	}, Again: s.moveAction})
}

// playAction deploys the top card of the boss's deck (FR "Jouer une carte"). If the deck is
// empty, the discard pile first becomes the deck. A boss freezes no card when this happens.
func (s *state) playAction() {
	if s.boss.deck == 0 {
		s.shuffleDiscard(s.boss)
	}
	s.deployTop(s.boss)
}

// bossStands ends the match after the fifth round (FR "Progression du marqueur Manche"). The
// boss wins, because it has health left.
func (s *state) bossStands() {
	s.phase = "over"
	s.judge()
}

// endOfUprising ends a round of the Uprising (FR "3. Fin de manche"). Comparing power comes
// first, then incubation, drawing and resetting the markers. Then the next round begins.
func (s *state) endOfUprising() {
	s.phase = "end-of-round"
	s.Do(
		s.comparePower,
		func() { s.advanceRound(s.bossStands) },
		s.incubation,
		s.draw,
		s.placePowerMarkers,
		s.beginRound,
	)
}

// comparePower compares the power of the hero and the boss (FR "Décompte de la Force"). If the
// hero is ahead of the boss, the hero gains the red number. Otherwise nobody gains anything.
func (s *state) comparePower() {
	hero := s.hero()
	if !s.power.isAhead(hero.index, s.boss.index) {
		return
	}
	s.Do(func() { s.needPoints(true, false) }, func() {
		s.tell("round-score", hero, s.points().Red)
		s.scores(hero, s.points().Red)
	})
}

// addBoss adds the boss to the view v, in which the boss's phase and counters are those
// of the whole table.
func (s *state) addBoss(v *engine.View) {
	b := s.boss
	switch {
	case len(s.Winners) > 0:
		v.Phase = "over"
	case s.phase == "turn" && s.active == b.index:
		v.Phase = "boss"
	}
	if s.score.placed(b.index) {
		v.Counters = engine.Counters{{Name: "health", Value: s.health()}, {Name: "power", Value: s.power.space(b.index)}}
	}
	v.Counters = append(v.Counters, engine.Counter{Name: "deck", Value: b.deck})
}

// bossNotices lists the notices of the Uprising. A notice may say that the boss is made up,
// that its special power is unknown, or that only players can check the genes of the gene
// pool.
func (s *state) bossNotices() []string {
	var notices []string
	if s.rules.boss.StandIn {
		notices = append(notices, "stand-in-boss")
	}
	if s.rules.boss.Power.Unknown {
		notices = append(notices, "boss-power-by-hand")
	}
	for _, c := range s.hero().cards {
		if c.kind.advanced() && c.kind.Inferred && s.rules.barred(c.kind) {
			return append(notices, "pool-genes")
		}
	}
	return notices
}

func (s *state) asks(q *question) engine.Seat {
	if p := s.decider(s.playerAsked(q)); p != nil {
		return p.seat
	}
	return s.sharedSeat()
}

// sharedSeat returns the seat for questions that no particular player has to answer. Usually
// this is the seat of the table. In the Uprising it is the hero's seat, because there the
// table is the boss.
func (s *state) sharedSeat() engine.Seat {
	if s.boss != nil {
		return s.hero().seat
	}
	return engine.Table
}

// anyTimePrompts returns the prompts that are shown beside every question. One prompt lists
// the weaknesses that the players may say they have exploited. The other is for an unknown
// special power.
func (s *state) anyTimePrompts() []engine.Prompt {
	var prompts []engine.Prompt
	seat := s.hero().seat
	var weak []engine.Answer
	for _, c := range s.claimable() {
		weak = append(weak, engine.Answer{
			Key: "tap-card", Args: engine.Args{"card": engine.CardWord(c.kind.ID)},
			Input: string(seat) + " choose weakness " + c.name,
		})
	}
	if len(weak) > 0 {
		prompts = append(prompts, engine.Prompt{Seat: seat, Key: "boss-weakness", Args: engine.Args{}, Options: weak, May: true})
	}
	if s.appliesPower() {
		power := s.prompt(question{Key: "boss-power", Fixed: fightByHand})
		power.May = true
		prompts = append(prompts, power)
	}
	return prompts
}
