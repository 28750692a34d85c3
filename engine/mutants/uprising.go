package mutants

import (
	"strconv"

	"tableside/engine"
)

// The Uprising, FR "La Révolte": one player against a boss.
//
// The boss is a player who is the table. It has a marker, an arena, a deck and
// a discard pile, and is an opponent like any other. Its hand, incubator and
// gene pool are empty, so effects on those find nothing. What else differs:
//
//   - its turns, and how a round ends: in this file;
//   - its choices, which the player makes: mind;
//   - points, which are its health, the price of freezing, and what players do
//     for it by hand: fight.go;
//   - the weaknesses of its cards: weakness.go;
//   - how it is seen, and what is asked at any time: bossview.go;
//   - what the gene pool may hold: solopool.go.
//
// The rules of all modes turn to these where a match begins (New, dealCards),
// a turn and a round end (turn, endOfRound, scores), a card is frozen, knocked
// down, or triggers something (effect.go, ongoing.go), and an input has to
// find whose it is (tap.go, set.go, takeAnswer).

// joinBoss sits the boss down with its cards.
func (s *state) joinBoss() {
	boss := s.rules.boss
	b := newPlayer(engine.Table, len(s.players))
	b.lead = &card{player: b, name: boss.ID, where: OnBoard, kind: &Kind{
		ID: boss.ID, Names: boss.Names, Deploy: boss.SetUp, Ongoing: boss.Power,
	}}
	for i := range s.rules.data.Kinds {
		kind := s.rules.kinds[s.rules.data.Kinds[i].ID]
		if kind.Action == nil || kind.Action.Boss != boss.ID {
			continue
		}
		for range kind.Action.Copies {
			b.cards = append(b.cards, &card{kind: kind, player: b, where: InDeck})
			b.deck++
		}
	}
	s.boss, s.first, s.active = b, b.index, b.index
	s.After = s.watchWeaknesses
	s.players = append(s.players, b)
}

// hero is the one who plays against the boss.
func (s *state) hero() *player { return s.players[0] }

// mind is who decides for a player: FR "Prise de décision". The boss's choices
// are the hero's.
func (s *state) mind(p *player) *player {
	if p != nil && p == s.boss {
		return s.hero()
	}
	return p
}

// ofBoss is whose card a copy is, if it is a boss's: the id of the boss.
func (s *state) ofBoss(name string) string {
	id, _ := engine.SplitCopy(name)
	if kind := s.rules.kinds[id]; kind != nil && kind.Action != nil {
		return kind.Action.Boss
	}
	return ""
}

// placeHealth: FR "Mise en place". The boss's score marker shows its health.
func (s *state) placeHealth() {
	boss := s.rules.boss
	if boss.Health > 0 {
		s.score.land(s.boss.index, boss.Health+s.rules.tough)
		return
	}
	s.askNumber("boss-health", s.boss.lead, 1, mostHealth, func(n int) {
		boss.Health = n
		s.learn("boss " + boss.ID + " health " + strconv.Itoa(n))
		s.Do(s.placeHealth)
	})
}

// setUpBoss: FR "Mise en place", the instructions on the set-up face.
func (s *state) setUpBoss() {
	lead := s.boss.lead
	s.resolveAbility(source{p: s.boss, card: lead}, lead, "set-up")
}

// bossTurn: FR "La Révolte", "Écraser l'adversaire", "Déplacer la carte
// active", "Jouer une carte".
func (s *state) bossTurn() {
	s.Do(s.crush, s.moveAction, s.playAction, s.nextTurn)
}

// moveAction: FR "Déplacer la carte active". It goes where its arrow points,
// whether that flank is empty or not; what lies there leaves.
func (s *state) moveAction() {
	c := s.boss.in(InActive)
	if c == nil {
		return
	}
	flank := c.kind.Action.Arrow
	if flank == 0 {
		s.askArrow(c)
		return
	}
	s.Do(func() {
		if there := s.boss.in(flank); there != nil {
			s.leave(there)
		}
	}, func() { s.shift(s.boss, flank) }, s.moveAction)
}

// askArrow asks for the arrow of a card that has to move.
func (s *state) askArrow(c *card) {
	s.Ask(question{Seat: s.boss.seat, Key: "boss-arrow", About: c, Fixed: flanks, Chosen: func(a answer) {
		c.kind.Action.Arrow = InLeft
		if a.Word == "right" {
			c.kind.Action.Arrow = InRight
		}
		s.learn("action " + c.kind.ID + " arrow " + a.Word)
		s.Do(s.moveAction)
	}, Again: s.moveAction})
}

// playAction: FR "Jouer une carte", the top card of the boss's deck. A boss
// freezes no card when it shuffles.
func (s *state) playAction() {
	if s.boss.deck == 0 {
		s.shuffled(s.boss)
	}
	s.deployTop(s.boss, "boss-card")
}

// endOfUprising: FR "3. Fin de manche", in this order.
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

// comparePower: FR "Décompte de la Force". Ahead of the boss, the hero gains
// the red number; the boss gains nothing.
func (s *state) comparePower() {
	hero := s.hero()
	if !s.power.ahead(hero.index, s.boss.index) {
		return
	}
	s.Do(func() { s.needPoints(true, false) }, func() {
		s.tell("round-score", hero, s.points().Red)
		s.scores(hero, s.points().Red)
	})
}

// bossStands: FR "Progression du marqueur Manche", after the fifth round.
func (s *state) bossStands() {
	s.phase = "over"
	s.judge()
}
