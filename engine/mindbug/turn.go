package mindbug

import (
	"slices"

	"tableside/engine"
)

// beginTurn puts a turn on the agenda. Rules that held only for the previous turn are dropped.
// The player may buy cards at the beginning of the turn, before anything else (002 "Acheter
// des cartes Énergie").
func (s *state) beginTurn() {
	s.turns++
	s.market = s.rules.energy && s.rules.cards
	s.dice, s.turnRules = nil, nil
	for _, p := range s.players {
		for _, c := range p.play {
			c.condition = condition{tilted: c.tilted}
		}
	}
	s.Do(s.takeAction, s.endTurn)
}

// takeAction asks for the action of a turn (001 "Jouer votre tour", 002 "action joueur"). The
// action is to play a card or to attack. A player who can neither act nor buy a card has lost.
func (s *state) takeAction() {
	p := s.players[s.active]
	switch {
	case !s.rules.cards:
		s.freeTurn(p)
	case !s.canAct(p) && !s.canBuy(p):
		s.stuck(p)
	default:
		s.askAction()
	}
}

// askAction asks for the action of a turn. Sometimes, perhaps after a correction, a player can
// neither play a card nor use a creature. That player loses only after confirming the loss,
// and may buy a card instead. The question also leaves time for another correction.
func (s *state) askAction() {
	p := s.players[s.active]
	q := question{
		Seat: p.seat, Key: s.actions(p), N: p.hand,
		In:   p.placeOf(inHand) | p.placeOf(inPlay),
		Fits: s.mayAct, Tap: s.performDeed,
		LabelFor: s.actionWith, Hidden: "play",
		Again: s.askAction,
	}
	if s.rules.energy {
		q.In |= inEnergyRow
	}
	if prey := s.obliged(p); prey != nil {
		q.Key, q.About = "must-hunt", prey
		q.In, q.Unlisted = q.In&^p.placeOf(inHand), p.placeOf(inHand)
	}
	if !s.canAct(p) {
		q.Fixed, q.Chosen = giveUp, func(answer) { s.stuck(p) }
	}
	s.Ask(q)
}

// deed is the action that a player takes by tapping a card, when the game asks the player for
// an action.
type deed struct {
	label string // label of the answer that offers it
	do    func(*state, *player, *card)
}

// deedOf returns what a tapped card does, such as an attack. If the tap is refused, deedOf
// returns the reason. If a hunter has to attack a certain creature before anything else, the
// argument prey is that creature. Otherwise it is nil.
func (s *state) deedOf(p *player, c, prey *card) (deed, unfit) {
	switch {
	case c.Where == inEnergyRow:
		return deed{"buy", (*state).buy}, s.tooDear(p, c)
	case prey != nil && (c.Where != p.placeOf(inPlay) || s.mustFirst(p, c) == nil):
		return deed{}, unfit{Key: "refusal.must-hunt", Card: prey}
	case c.Where != p.placeOf(inPlay):
		return deed{"play", (*state).playCard}, unfit{}
	}
	switch attacks, used := s.canAttack(c), prey == nil && s.canUse(c); {
	case attacks && used:
		return deed{"attack-or-use", (*state).attackOrAction}, unfit{}
	case attacks:
		return deed{"attack", (*state).attackWith}, unfit{}
	case used:
		return deed{"use", (*state).useAction}, unfit{}
	}
	return deed{}, unfit{Key: "refusal.cannot-attack", Card: c}
}

// pendingDeed returns what a card would do as the answer to the pending question. If the
// answer would be refused, pendingDeed returns the reason. If a hunter has to attack a
// creature first, the question is about that creature.
func (s *state) pendingDeed(c *card) (deed, unfit) {
	return s.deedOf(s.players[s.active], c, s.Question.About)
}

func (s *state) mayAct(c *card) unfit      { _, why := s.pendingDeed(c); return why }
func (s *state) actionWith(c *card) string { does, _ := s.pendingDeed(c); return does.label }

func (s *state) performDeed(c *card) {
	p := s.players[s.active]
	does, _ := s.deedOf(p, c, s.obliged(p))
	does.do(s, p, c)
}

func (s *state) actions(p *player) string {
	key := "turn"
	if s.canBuy(p) {
		key += "-buy"
	}
	if slices.ContainsFunc(p.play, s.canUse) {
		key += "-action"
	}
	return key
}

func (s *state) stuck(p *player) {
	s.Tell("stuck", p.seat, 0)
	s.win(s.opponentOf(p))
}

func (s *state) canAct(p *player) bool {
	able := func(c *card) bool { return s.canAttack(c) || s.canUse(c) }
	return p.hand > 0 || slices.ContainsFunc(p.play, able)
}

// endTurn decides who acts next. Usually the opponent has the next turn. If a Mindbug took the
// player's card, the player has another turn or another action. The rulebook 001 gives a turn,
// 002 gives an action, and the option "mindbug" may choose either.
func (s *state) endTurn() {
	p, again := s.players[s.active], s.playsAgain
	s.playsAgain = false
	switch {
	case again && s.rules.extraAction:
		s.Tell("extra-action", p.seat, 0)
		s.Do(s.takeAction, s.endTurn)
	case again:
		s.Tell("extra-turn", p.seat, 0)
		s.beginTurn()
	default:
		s.active = s.opponentOf(p).index
		s.Tell("turn", s.players[s.active].seat, 0)
		s.beginTurn()
	}
}

// playCard plays a card (001 "Jouer une carte"). The player fills up the hand before the
// opponent decides whether to use a Mindbug ("Piocher des cartes").
func (s *state) playCard(p *player, c *card) {
	s.market = false
	s.move("plays", p.seat, c, onStage)
	s.drawUp(p)
	s.Do(s.settle)
	s.offer(p, c)
}

// offer asks the opponent whether to use a Mindbug on a card that is being played. If the
// opponent has no Mindbug left, the card enters without a question. If a correction has taken
// the card back into the hand, the player is asked for another action. If a correction has put
// the card elsewhere, nothing happens.
func (s *state) offer(p *player, c *card) {
	o := s.opponentOf(p)
	switch {
	case c.Where != onStage && c.Open:
		return
	case c.Where != onStage:
		s.takeAction()
		return
	case o.mindbugs == 0:
		s.enter(p, c)
		return
	}
	q := question{Seat: o.seat, Key: "mindbug", About: c, Other: p.seat, N: o.mindbugs, Fixed: mindbugAnswers,
		Chosen: func(a answer) {
			if a.Word == "no" {
				s.enter(p, c)
				return
			}
			o.mindbugs--
			s.playsAgain = true
			s.Emit(engine.Event{Name: "mindbug", Seat: o.seat, Other: p.seat, Card: c.Name, N: o.mindbugs})
			s.enter(o, c)
		},
		Again: func() { s.offer(p, c) },
	}
	if s.rules.silentNo {
		q = s.addNextTurnTaps(q)
	}
	s.Ask(q)
}

// enter brings a card into play for a player. The card's Play effect is triggered, no matter
// how the card came into play (001 "Déclencheurs", Jouer). Rules before 4 could read a permanent
// ability or an Action that is only words today.
func (s *state) enter(p *player, c *card) {
	s.move("enters", p.seat, c, p.placeOf(inPlay))
	if words := c.kind.unread(); words != "" && !s.rules.rows {
		s.Do(func() { s.askFirst(source{p, c}, words) })
	}
	s.triggerPlay(c)
}

// attackOrAction asks whether a tapped creature attacks or uses its Action (001
// "Déclencheurs", Action). It is for creatures that can do both. The player may also choose to
// do something else.
func (s *state) attackOrAction(p *player, c *card) {
	s.Ask(question{Seat: p.seat, Key: "attack-or-action", About: c, Fixed: actionAnswers,
		Chosen: func(a answer) {
			switch a.Word {
			case "attack":
				s.attackWith(p, c)
			case "action":
				s.useAction(p, c)
			default:
				s.askAction()
			}
		}, Again: s.askAction})
}

// canUse reports whether a creature has an Action that would do something or is unknown.
func (s *state) canUse(c *card) bool {
	a := &c.kind.Action
	return !a.isNone() && (a.Unknown || s.doesAnything(source{s.controller(c), c}, a.Steps))
}

func (s *state) useAction(p *player, c *card) {
	s.market = false
	s.trigger(p, c, "action")
	s.Do(s.settle)
}
