package mutants

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// Against a boss there is no score. FR "But du jeu": each point that the hero
// gains costs the boss one health, and at zero or below the hero wins at once.

func (s *state) health() int { return s.score.space(s.boss.index) }

// applyPoints turns points into health in the Uprising (FR "Écraser l'adversaire"). The boss
// loses as much health as the hero gains points. If the boss gains points, it gains as much
// health.
func (s *state) applyPoints(p *player, points int) {
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

func (s *state) loseHealth(n int) {
	s.tell("boss-loses-health", s.boss, n)
	s.score.land(s.boss.index, max(0, s.health()-n))
	s.judge()
}

// judge sets the winner of the match, or clears it if nobody has won, because a correction may
// have reopened the match.
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

// strikeFrozen takes health from the boss for a frozen card (FR "2. Tour du joueur", "Gel").
// The boss immediately loses as much health as the card is worth now. A variable value counts
// the card itself and all cards frozen before.
func (s *state) strikeFrozen(c *card) {
	if s.freezeValueOf(c.kind).Unknown {
		s.askFreezeValue(c, func() { s.strikeFrozen(c) })
		return
	}
	if n := s.freezeValue(c.player, c); n > 0 {
		s.loseHealth(n)
	}
}

func (s *state) anyTime(word, card string) (act func(), err error) {
	switch {
	case word == "weakness":
		return s.exploitNamed(card)
	case s.appliesPower() && slices.ContainsFunc(fightByHand, func(a answer) bool { return a.Word == word }):
		return func() { s.fightOneByHand(word) }, nil
	}
	return nil, nil
}

// appliesPower reports whether the players apply the boss's special power themselves, because
// nobody has entered the power. While an ability is resolved by hand, appliesPower returns
// false, because the prompt for that ability already offers the same answers.
func (s *state) appliesPower() bool { return s.rules.boss.Power.Unknown && !s.resolvesByHand() }

// fightOneByHand changes the boss's power or health by one, as the given word says. The words are
// those in fightByHand. Players give such a word for an unknown ability.
func (s *state) fightOneByHand(word string) {
	switch word {
	case "boss-gain":
		s.gainPower(s.boss, 1)
	case "boss-lose":
		s.losePower(s.boss, 1)
	case "heal":
		s.gainHealth(1)
	case "hurt":
		s.loseHealth(1)
	}
}

// fightByHand lists the answers that change the boss's power or health by one. The answers are
// offered beside an ability of the hero that is resolved by hand. They are also offered beside
// every other question while the boss's special power is unknown.
var fightByHand = []answer{
	cardgame.Choose("boss-gain", ""),
	cardgame.Choose("boss-lose", ""),
	cardgame.Choose("heal", ""),
	cardgame.Choose("hurt", ""),
}

// heroByHand and bossByHand list the answers beside an ability that is resolved by hand. The
// first list is for the hero's abilities, and the second for the boss's. The keys "plus" and
// "minus" move the hero's marker in the first list, and the boss's marker in the second.
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

// FR "Faiblesses". A weakness must be exploited as soon as its event happens: the
// boss loses health and the card is out of the game. That does not count as
// leaving: a Leave ability belongs to cards that are discarded.

// exploit exploits the weakness of a card in the arena. If nobody has entered how much health
// the weakness costs the boss, the players are asked first.
func (s *state) exploit(c *card) {
	if c.zone&inArena == 0 {
		return
	}
	w := &c.kind.Action.Weakness
	if w.N < 0 {
		s.askNumber(weaknessHealth, c, 1, maxWeakness, func(n int) {
			w.N = n
			s.learnWeakness(c)
			s.Do(func() { s.exploit(c) })
		})
		s.Question.Again = func() { s.exploit(c) }
		return
	}
	s.Emit(engine.Event{Name: "weakness", Seat: s.boss.seat, Card: c.id()})
	s.loseHealth(w.N)
	s.move("out-of-game", c, c.zone, InBox)
}

// weaknessHealth is the key of the question that asks how much health a weakness costs.
// Nothing interrupts that question, because a weakness is already being exploited.
const weaknessHealth = "weakness-health"

func (s *state) learnWeakness(c *card) {
	s.learn("action " + c.kind.ID + " weakness " + c.kind.Action.Weakness.String())
}

// watchWeaknesses exploits the weaknesses whose condition holds. The rulebook says
// "immédiatement". Therefore a pending question waits until this is done.
func (s *state) watchWeaknesses() {
	if s.Question.Key == weaknessHealth {
		return
	}
	var steps []func()
	for _, c := range s.boss.arena {
		if exploit := c.kind.Action.Weakness.Exploit; c.isUp() && exploit.If != Always && s.holds(s.hero(), exploit.If) {
			steps = append(steps, func() { s.exploit(c) })
		}
	}
	if len(steps) > 0 {
		s.interrupt(steps...)
	}
}

// interrupt puts steps on the agenda, to run before the current question is answered. After
// these steps, the question is asked again.
func (s *state) interrupt(steps ...func()) {
	asked := s.Question
	s.Question = question{}
	if asked.Key != "" {
		steps = append(steps, func() {
			if asked.Again != nil {
				asked.Again()
			} else {
				s.Question = asked
			}
		})
	}
	s.Do(steps...)
}

func (s *state) weakTo(p *player, t Trigger) {
	if s.boss == nil || p == s.boss {
		return
	}
	for _, c := range slices.Backward(s.boss.arena) {
		if c.isUp() && c.kind.Action.Weakness.Exploit.Trigger == t {
			s.Do(func() { s.exploit(c) })
		}
	}
}

// weakDown handles the weakness of a boss's card that was knocked down (FR "Faiblesses",
// IMPORTANT). If knocking the card down is what exploits the weakness, weakDown exploits the
// weakness. If something else exploits it, nothing happens. If nobody has entered what
// exploits it, the players are asked, and their answer is kept.
func (s *state) weakDown(c *card) {
	w := &c.kind.Action.Weakness
	switch {
	case c.zone&inArena == 0:
	case w.Exploit.Down:
		s.exploit(c)
	case w.Exploit.Unknown:
		s.Ask(question{Seat: s.boss.seat, Key: "weakness-down", About: c, Fixed: weakDownAnswers, Chosen: func(a answer) {
			switch a.Word {
			case "yes":
				w.Exploit = Exploit{Down: true}
			case "no":
				w.Exploit = Exploit{Other: true}
			default:
				*w = Weakness{}
			}
			if !w.Exploit.Down || w.N > 0 { // else together with the number
				s.learnWeakness(c)
			}
			s.Do(func() { s.weakDown(c) })
		}, Again: func() { s.weakDown(c) }})
	}
}

var weakDownAnswers = slices.Concat(yesNo, []answer{cardgame.Choose("none", "no-weakness")})

func (s *state) claimable() []*card {
	if s.Question.Key == weaknessHealth {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.boss.arena), func(c *card) bool {
		exploit := c.kind.Action.Weakness.Exploit
		return !c.hasWeakness() || !s.resolvesByHand() && (c.down || !exploit.Unknown && !exploit.Other)
	})
}

func (c *card) hasWeakness() bool { return c.kind.Action.Weakness != Weakness{} }

// exploitNamed checks that players exploit the weakness of a card by hand. The card has the given
// name. It may be any card of the boss in the arena that has a weakness, because the table is
// always right. While another weakness is being exploited, it is refused.
func (s *state) exploitNamed(name string) (act func(), err error) {
	for _, c := range s.boss.arena {
		if c.name == name && c.hasWeakness() && s.Question.Key != weaknessHealth {
			return func() { s.interrupt(func() { s.exploit(c) }) }, nil
		}
	}
	return nil, engine.Refuse("refusal.no-weakness")
}
