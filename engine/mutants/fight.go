package mutants

import "tableside/engine"

// Against a boss nobody scores. FR "But du jeu": each point that the hero
// gains is one health that the boss loses, and at zero or below the hero has
// won, at once.

// health stands on the score track.
func (s *state) health() int { return s.score.space(s.boss.index) }

// fight is what points do in the Uprising. FR "Écraser l'adversaire": the
// boss's own are health that it gains.
func (s *state) fight(p *player, points int) {
	if p == s.boss {
		s.heal(points)
	} else {
		s.hurt(points)
	}
}

// hurt is a step of its own, so that nothing follows when the match is won.
func (s *state) hurt(n int) { s.do(func() { s.lose(n) }) }

func (s *state) lose(n int) {
	s.tell("boss-loses-health", s.boss, n)
	s.setHealth(s.health() - n)
}

func (s *state) heal(n int) {
	s.tell("boss-gains-health", s.boss, n)
	s.setHealth(s.health() + n)
}

// setHealth moves the marker; one that does not move has nothing to tell.
func (s *state) setHealth(n int) {
	s.score.land(s.boss.index, max(0, n))
	s.judge()
}

// judge finds who has won. A correction may take the match up again.
func (s *state) judge() {
	over := len(s.winners) > 0
	s.winners = nil
	switch {
	case s.health() == 0:
		s.winners = []int{s.hero().index}
	case s.phase == "over":
		s.winners = []int{s.boss.index}
	}
	if !over && len(s.winners) > 0 {
		s.emit(engine.Event{Name: "wins", Seat: s.players[s.winners[0]].seat, N: s.health()})
	}
}

// strikeFrozen: FR "2. Tour du joueur", "Gel". The boss loses at once what the
// card is worth now, itself and all that was frozen before counted.
func (s *state) strikeFrozen(c *card) {
	if s.worth(c.kind).Unknown {
		s.askFreezeValue(c, func() { s.strikeFrozen(c) })
		return
	}
	if n := s.freezeValue(c.player, c); n > 0 {
		s.hurt(n)
	}
}

// handFight is what players do for a boss's ability that nobody has entered.
// It reports whether the word means anything of that kind.
func (s *state) handFight(word string) bool {
	hero := s.hero()
	switch word {
	case "plus":
		s.gainPower(s.boss, 1)
	case "minus":
		s.losePower(s.boss, 1)
	case "gain":
		s.gainPower(hero, 1)
	case "lose":
		s.losePower(hero, 1)
	case "heal":
		s.heal(1)
	case "hurt":
		s.lose(1)
	default:
		return false
	}
	return true
}

var bossByHand = []answer{
	{verb: engine.Key, word: "plus", label: "boss-gain-one"},
	{verb: engine.Key, word: "minus", label: "boss-lose-one"},
	{verb: engine.Choose, word: "gain", label: "hero-gain-one"},
	{verb: engine.Choose, word: "lose", label: "hero-lose-one"},
	{verb: engine.Choose, word: "heal", label: "boss-heal-one"},
	{verb: engine.Choose, word: "hurt", label: "boss-hurt-one"},
	{verb: engine.Key, word: "yes", label: "done"},
}
