package mindbug

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A match without tagged cards tracks only life, Mindbugs, cubes, dice and turns. Any
// seat may change its own life and cubes at any time.

// freeTurn asks the active player what has happened in the turn, until that player ends the
// turn. It is for matches without tagged cards.
func (s *state) freeTurn(p *player) {
	q := question{Seat: p.seat, Key: "free-turn", Again: func() { s.freeTurn(p) }}
	q.Fixed = []answer{{Verb: engine.Choose, Word: "hit", Label: "hit", Seat: s.opponentOf(p).seat},
		cardgame.Key("plus", "gain-one"), cardgame.Key("minus", "lose-one"), cardgame.Key("next", "end-turn")}
	if s.rules.energy {
		q.Fixed = append(q.Fixed, cardgame.Key("roll", "throw-die"), cardgame.Choose("dice", "throw-dice"))
	}
	q.Fixed = append(q.Fixed, s.cubeAnswers(p)...)
	q.Chosen = func(a answer) {
		if a.Word == "next" {
			return
		}
		s.Do(q.Again)
		switch a.Word {
		case "plus":
			s.gainLife(p, 1)
		case "minus":
			s.loseLife(p, 1)
		case "hit":
			s.loseLife(s.opponentOf(p), 1)
		case "roll":
			s.castDice(p, 1)
		case "dice":
			s.castDice(p, 2)
		default:
			if s.mayTakeCube(p, a.Word) { // a correction may have taken the last one
				s.takeCube(p, a.Word)
			}
		}
	}
	s.Ask(q)
}

// cubeAnswers returns the answers by which a player takes or pays a cube. If the match has
// tagged cards or does not use cubes, cubeAnswers returns nil.
func (s *state) cubeAnswers(p *player) []answer {
	switch {
	case s.rules.cards || !s.rules.energy:
		return nil
	case p.energy == 0:
		return []answer{cardgame.Choose("energy", "energy-plus")}
	}
	return []answer{cardgame.Choose("energy", "energy-plus"), cardgame.Choose("pay", "energy-minus")}
}

func (s *state) mayTakeCube(p *player, word string) bool {
	return slices.ContainsFunc(s.cubeAnswers(p), func(a answer) bool { return a.Word == word })
}

// takeCube lets a player take a cube or pay one, as the word of an answer says.
func (s *state) takeCube(p *player, word string) {
	if word == "energy" {
		s.gainEnergy(p, 1)
	} else {
		p.energy--
		s.Tell("pays-energy", p.seat, 1)
	}
}

// mindbugRefusal refuses a Mindbug on the card that the other player has just played. A player
// needs one that is left, and only one is used in a turn or extra action.
func (s *state) mindbugRefusal(o *player) error {
	switch {
	case o.mindbugs == 0:
		return engine.Refuse("refusal.no-mindbug", "seat", o.seat)
	case s.playsAgain:
		return engine.Refuse("refusal.mindbug-once")
	}
	return nil
}

func (s *state) freeMindbug(o *player) {
	o.mindbugs--
	s.playsAgain = true
	s.Emit(engine.Event{Name: "mindbug-free", Seat: o.seat, Other: s.opponentOf(o).seat, N: o.mindbugs})
}

// freePrompt returns the prompt of the player who waits for the other one's turn to end.
func (s *state) freePrompt() engine.Prompt {
	o := s.opponentOf(s.players[s.active])
	q := question{Seat: o.seat, Key: "free-count", N: o.mindbugs}
	if o.mindbugs > 0 && !s.playsAgain {
		q.Key, q.Fixed = "free-other", []answer{mindbugAnswers[0]}
	}
	q.Fixed = append(q.Fixed, cardgame.Key("plus", "gain-one"), cardgame.Key("minus", "lose-one"))
	q.Fixed = append(q.Fixed, s.cubeAnswers(o)...)
	prompt := q.Prompt(nil, func(a *answer) engine.Args {
		if a.Verb == engine.Choose {
			return nil
		}
		return engine.Args{"n": q.N}
	})
	prompt.May = true
	return prompt
}

// The option silent-no: if a player who is asked whether to use a Mindbug taps a card for the
// next turn, that declines the Mindbug. Both are one input, so that one undo takes both back.

// declinedMindbug records that a player declined a Mindbug by tapping a card for the next turn.
type declinedMindbug struct {
	question question
	card     *card
}

// addNextTurnTaps changes the question whether to use a Mindbug, and returns the new question.
// In the new question, a player may decline the Mindbug by tapping a card for the next turn.
// Such taps are listed as answers only if nothing will be asked before the next turn.
func (s *state) addNextTurnTaps(q question) question {
	o := s.playerAt(q.Seat)
	no, places := q.Chosen, o.placeOf(inHand)|o.placeOf(inPlay)
	if s.rules.energy {
		places |= inEnergyRow
	}
	q.Unlisted = places
	if s.silenced(s.opponentOf(o)) || q.About.kind.Play.quiet() {
		q.In, q.Hidden = places, "no-and-play"
	}
	q.LabelFor = func(c *card) string {
		d, _ := s.deedOf(o, c, nil)
		if d.do == nil || c.Where == inEnergyRow && c.kind.Price > o.energy {
			return ""
		}
		return "no-and-" + d.label
	}
	q.Tap = func(c *card) {
		s.declined = &declinedMindbug{q, c}
		no(yesNo[1])
	}
	return q
}

// tapNext repeats, in the next turn, the tap that has declined a Mindbug. If something else is
// asked before that turn, or if the match ends, the tap is refused and the Mindbug question
// remains open. The reason is that a tap must neither lose a match nor answer a question that
// nobody has seen yet.
func (s *state) tapNext() error {
	asked, c := s.declined.question, s.declined.card
	s.declined = nil
	next := s.Question
	if next.Seat != asked.Seat || s.phase() != "turn" || next.Places()&c.Where == 0 {
		s.Question = asked
		return s.NotAsked()
	}
	c.Where &= next.Places()
	if err := s.Refusal(c, false); err != nil {
		return err
	}
	s.Accept(c)
	return s.Run(s)
}

// quiet reports whether an ability asks no question.
func (a *Ability) quiet() bool {
	asks := func(step Step) bool {
		switch step.Do {
		case GainLife, LoseLife, OpponentLoses, OpponentKeeps, LifePerMindbug, LifeAsOpponent, Steal, DrawDiscard, GainEnergy,
			EnergyPerEnemy, ThisTurn:
			return step.May || step.Or != nil
		}
		return true
	}
	return !a.Unknown && !slices.ContainsFunc(a.Steps, asks)
}
