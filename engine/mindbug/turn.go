package mindbug

import (
	"slices"

	"tableside/engine"
)

// beginTurn: 002 "Acheter des cartes Énergie": at the beginning of a turn,
// before anything else. What held for a turn is over.
func (s *state) beginTurn() {
	s.market = s.rules.energy && s.rules.cards
	s.dice, s.lasting, s.stale = nil, nil, true
	for _, p := range s.players {
		for _, c := range p.play {
			c.wear = wear{tilted: c.tilted}
		}
	}
	s.do(s.steps.takeAction, s.steps.endTurn)
}

// takeAction: 001 "Jouer votre tour", 002 "action joueur": play a card or
// attack. Who can do neither has lost.
func (s *state) takeAction() {
	p := s.players[s.active]
	if !s.rules.cards {
		s.freeTurn(p)
		return
	}
	if !s.canAct(p) && !s.canBuy(p) {
		s.stuck(p)
		return
	}
	s.askAction()
}

// askAction asks for the action. Who can do nothing, as after a correction,
// says so: the table may not be done with correcting.
func (s *state) askAction() {
	p := s.players[s.active]
	q := question{
		player: p, key: s.actions(p), n: p.hand,
		places: p.of(inHand) | p.of(inPlay),
		fits:   s.steps.mayAct, tap: s.steps.act,
		opens: s.steps.actionWith, hidden: "play",
		again: s.steps.askAction,
	}
	if s.rules.energy {
		q.places |= inEnergyRow
	}
	if prey := s.obliged(p); prey != nil {
		q.key, q.card, q.shut = "must-hunt", prey, p.of(inHand)
	}
	if !s.canAct(p) {
		q.fixed, q.chosen = giveUp, func(answer) { s.stuck(p) }
	}
	s.ask(q)
}

// mayAct says why nothing can be done with a card while the action is asked
// for. What a hunter has to attack is what the question is about.
func (s *state) mayAct(c *card) reason {
	p := s.players[s.active]
	switch prey := s.question.card; {
	case c.where == inEnergyRow:
		return s.tooDear(p, c)
	case prey != nil && (c.where != p.of(inPlay) || s.mustFirst(p, c) == nil):
		return reason{key: "refusal.must-hunt", card: prey.kind}
	case c.where == p.of(inPlay) && !s.canAttack(c) && !s.canUse(c):
		return reason{key: "refusal.cannot-attack", card: c.kind}
	}
	return reason{}
}

// act is what a tapped card is for.
func (s *state) act(c *card) {
	p := s.players[s.active]
	switch {
	case c.where == inEnergyRow:
		s.buy(p, c)
	case c.where == p.of(inHand):
		s.playCard(p, c)
	case s.obliged(p) == nil && s.canUse(c):
		s.attackOrAction(p, c)
	default:
		s.attack(c)
	}
}

// actions is the prompt that names what the player may do.
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

// actionWith is the answer that says what comes of a tapped card.
func (s *state) actionWith(c *card) string { return s.actionOf(c, s.question.card != nil) }

// actionOf says the same where a hunter has to attack, or not.
func (s *state) actionOf(c *card, hunts bool) string {
	switch {
	case c.where == inEnergyRow:
		return "buy"
	case hunts || !s.canUse(c):
		return "attack"
	case !s.canAttack(c):
		return "use"
	}
	return "attack-or-use"
}

var giveUp = []answer{key("no", "give-up")}

func (s *state) stuck(p *player) {
	s.tell("stuck", p, 0)
	s.win(s.other(p))
}

func (s *state) canAct(p *player) bool {
	if p.hand > 0 {
		return true
	}
	for _, c := range p.play {
		if s.canAttack(c) || s.canUse(c) {
			return true
		}
	}
	return false
}

// endTurn: after a Mindbug 001 gives the player another turn, 002 another
// action; else it is the opponent's turn.
func (s *state) endTurn() {
	p := s.players[s.active]
	again := s.again
	s.again = false
	switch {
	case again && s.rules.extraAction:
		s.tell("extra-action", p, 0)
		s.do(s.steps.takeAction, s.steps.endTurn)
	case again:
		s.tell("extra-turn", p, 0)
		s.beginTurn()
	default:
		s.active = s.other(p).index
		s.tell("turn", s.players[s.active], 0)
		s.beginTurn()
	}
}

// playCard: 001 "Jouer une carte". The hand is drawn up before the opponent
// decides: "Piocher des cartes".
func (s *state) playCard(p *player, c *card) {
	s.market = false
	s.move("plays", p.seat, c, onStage)
	s.drawUp(p)
	s.do(func() { s.offer(p, c) }, s.steps.settle)
}

// offer: the opponent may use a Mindbug. Where a correction has taken the card
// back into the hand, another action is asked for.
func (s *state) offer(p *player, c *card) {
	switch {
	case c.where == onStage:
	case c.open():
		return
	default:
		s.takeAction()
		return
	}
	o := s.other(p)
	if o.mindbugs == 0 {
		s.enter(p, c)
		return
	}
	q := question{player: o, key: "mindbug", card: c, n: o.mindbugs, fixed: mindbugAnswers,
		chosen: func(a answer) {
			if a.word == "no" {
				s.enter(p, c)
				return
			}
			o.mindbugs--
			s.again = true
			s.emit(engine.Event{Name: "mindbug", Seat: o.seat, Other: p.seat, Card: c.name, N: o.mindbugs})
			s.enter(o, c)
		},
		again: func() { s.offer(p, c) },
	}
	if s.rules.silentNo {
		q = s.silently(q)
	}
	s.ask(q)
}

var mindbugAnswers = []answer{key("yes", "use-mindbug"), key("no", "no-mindbug")}

// enter brings a card into play for a player: 001 "Déclencheurs", Jouer, no
// matter how it came.
func (s *state) enter(p *player, c *card) {
	s.move("enters", p.seat, c, p.of(inPlay))
	if !s.silenced(p) {
		s.trigger(p, c, "play")
	}
}

// attackOrAction asks what a tapped creature does, where it can do both: 001
// "Déclencheurs", Action.
func (s *state) attackOrAction(p *player, c *card) {
	if !s.canAttack(c) {
		s.useAction(p, c)
		return
	}
	s.ask(question{player: p, key: "attack-or-action", card: c, fixed: actionAnswers,
		chosen: func(a answer) {
			switch a.word {
			case "attack":
				s.attack(c)
			case "action":
				s.useAction(p, c)
			default:
				s.askAction()
			}
		}, again: s.steps.askAction})
}

var actionAnswers = []answer{
	choose("attack", "attack-with"),
	choose("action", "action"),
	key("no", "something-else"),
}

// canUse reports whether an Action would do anything: else it may not be
// used.
func (s *state) canUse(c *card) bool {
	a := &c.kind.Action
	return a.Unknown || s.doesAnything(source{s.controller(c), c}, a.Steps)
}

func (s *state) useAction(p *player, c *card) {
	s.market = false
	s.trigger(p, c, "action")
	s.do(s.steps.settle)
}
