package mutants

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// Against a boss nobody scores. FR "But du jeu": each point that the hero
// gains is one health that the boss loses, and at zero or below the hero has
// won, at once.

// health stands on the score track.
func (s *state) health() int { return s.score.space(s.boss.index) }

// fight is what points do in the Uprising. FR "Écraser l'adversaire": the
// boss's own are health that it gains.
func (s *state) fight(p *player, points int) {
	if p == s.boss {
		s.gainHealth(points)
	} else {
		s.loseHealth(points)
	}
}

func (s *state) gainHealth(n int) {
	s.tell("boss-gains-health", s.boss, n)
	s.score.land(s.boss.index, s.health()+n)
}

// loseHealth may win the match: then no other step is taken.
func (s *state) loseHealth(n int) {
	s.tell("boss-loses-health", s.boss, n)
	s.score.land(s.boss.index, max(0, s.health()-n))
	s.judge()
}

// judge finds who has won. A correction may take the match up again.
func (s *state) judge() {
	before := s.Winners
	s.Winners = nil
	switch {
	case s.health() == 0:
		s.Winners = []engine.Seat{s.hero().seat}
	case s.phase == "over":
		s.Winners = []engine.Seat{s.boss.seat}
	}
	if len(s.Winners) > 0 && !slices.Equal(s.Winners, before) {
		s.Emit(engine.Event{Name: "wins", Seat: s.Winners[0], N: s.health()})
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
		s.loseHealth(n)
	}
}

// anyTime is what the hero may say beside every question: that a weakness was
// exploited, and what a special power does, where nobody has entered it. It
// reports whether the word means anything of that kind.
func (s *state) anyTime(word, card string) (bool, error) {
	switch {
	case word == "weakness":
		return true, s.exploitByHand(card)
	case s.appliesPower():
		return s.fightOneByHand(word), nil
	}
	return false, nil
}

// appliesPower reports whether the players apply the boss's special power.
// Beside an ability that is resolved by hand they are asked for that already.
func (s *state) appliesPower() bool { return s.rules.boss.Power.Unknown && !s.resolvesByHand() }

// fightOneByHand is what players do to the boss for an ability that nobody has
// entered. It reports whether the word means anything of that kind.
func (s *state) fightOneByHand(word string) bool {
	switch word {
	case "boss-gain":
		s.gainPower(s.boss, 1)
	case "boss-lose":
		s.losePower(s.boss, 1)
	case "heal":
		s.gainHealth(1)
	case "hurt":
		s.loseHealth(1)
	default:
		return false
	}
	return true
}

// fightByHand stands beside every ability that is resolved by hand, and at any
// time for a special power. The keys plus and minus are the marker of whom the
// ability belongs to.
var fightByHand = []answer{
	cardgame.Choose("boss-gain", ""),
	cardgame.Choose("boss-lose", ""),
	cardgame.Choose("heal", ""),
	cardgame.Choose("hurt", ""),
}

var (
	heroByHand = slices.Concat(ownByHand[:2], fightByHand, ownByHand[2:])
	bossByHand = []answer{
		cardgame.Key("plus", "boss-gain"),
		cardgame.Key("minus", "boss-lose"),
		cardgame.Choose("heal", ""),
		cardgame.Choose("hurt", ""),
		cardgame.Choose("gain", ""),
		cardgame.Choose("lose", ""),
		cardgame.Key("yes", "done"),
	}
)
