package mindbug

import "tableside/engine"

// maxCorrection is the greatest number that a correction may set.
const maxCorrection = 99

// Set corrects by hand what the engine believes, because the table is always right. Examples
// of corrections are:
//
//	red set life 2         red set mindbugs 1
//	red set hand 4         red set deck 3         red set energy 2
//	red set killer-bee.1 play          red set killer-bee.1 play tilted
//	red set catalisk.1 under sea-rex.1 red set frog-prophet.1 play
//	table set killer-bee.1 unused      table set railgun.1 energy-row
//	table set turn blue   (blue's turn begins again)
func (s *state) Set(in engine.Input) error {
	if !s.begun {
		return engine.Refuse("refusal.not-yet")
	}
	p := s.playerAt(in.Seat)
	what, value := in.Arg(0), in.Arg(1)
	if o := s.playerAt(engine.Seat(value)); what == "turn" && o != nil && len(in.Args) == 2 {
		return s.setTurn(o)
	}
	if c := s.cardNamed(what); c != nil && len(s.Winners) == 0 {
		return s.setCard(p, c, in)
	}
	n, isNumber := engine.Whole(value, 0, maxCorrection)
	if p == nil || !isNumber || len(in.Args) != 2 || !s.setCounter(p, what, n) {
		return engine.RefuseSet(in)
	}
	s.Emit(engine.Event{Name: "set", Seat: p.seat, N: n, Word: "counter." + what})
	s.setOver()
	return nil
}

func (s *state) setCounter(p *player, what string, n int) bool {
	switch {
	case what == "life":
		p.life = n
	case what == "mindbugs":
		p.mindbugs = n
	case what == "energy" && s.rules.energy:
		p.energy = n
	case !s.rules.cards || len(s.Winners) > 0 || n > len(s.Cards)-s.energyDeck-len(s.energyRow)-len(s.energyGone):
		return false
	case what == "hand":
		p.hand = n
		s.Unsettle()
	case what == "deck":
		p.deck = n
		s.Unsettle()
	default:
		return false
	}
	if len(s.Winners) == 0 {
		s.AskAgain()
	}
	return true
}

// setOver ends the match if a correction has left a player without life. If a correction gives
// life back after the end of the match, the match resumes. It resumes with a turn of the
// active player.
func (s *state) setOver() {
	alive := s.players[0].life > 0 && s.players[1].life > 0
	switch {
	case alive && len(s.Winners) > 0 && s.Question.Key == "":
		s.Winners = nil
		s.restart()
	case !alive:
		s.Winners = nil
		for _, p := range s.players {
			if s.opponentOf(p).life == 0 {
				s.wins(p)
			}
		}
	}
}

// setTurn drops everything in progress and begins the turn of a player. If either player has
// no life left, setTurn returns a refusal.
func (s *state) setTurn(p *player) error {
	if s.players[0].life == 0 || s.players[1].life == 0 {
		return engine.Refuse("refusal.over")
	}
	s.Winners = nil
	for len(s.stage) > 0 {
		c, back := s.stage[0], Place(1)<<s.stage[0].playedFrom
		if c.kind.Energy {
			back = inEnergyDiscard
		}
		s.move(byHand, engine.Table, c, back)
	}
	s.active = p.index
	s.Tell("turn-set", p.seat, 0)
	s.restart()
	return nil
}

func (s *state) restart() {
	s.BreakOff()
	s.battle, s.playsAgain = nil, false
	s.Do(s.fillRow, s.beginTurn)
}

// setCard puts a copy of a card into a place. A creature that is put into play is tilted if
// the input says so, and upright otherwise. The name in the input also says which level the
// creature gets.
func (s *state) setCard(p *player, c *card, in engine.Input) error {
	if in.Arg(1) == "under" {
		return s.setUnder(p, c, in)
	}
	to := s.placeNamed(p, in.Arg(1))
	tilted := in.Arg(2) == "tilted"
	if to == 0 || c.kind.Energy != (to&energyPlaces != 0) ||
		len(in.Args) > 2 && (!tilted || to&plays == 0 || len(in.Args) > 3) {
		return engine.RefuseSet(in)
	}
	s.origin(p, c, to)
	s.move(byHand, in.Seat, c, to)
	c.tilted = tilted
	id, _ := engine.SplitCopy(in.Arg(0))
	s.setLevel(c, s.rules.kinds[id])
	s.Exclude()
	s.AskAgain()
	return nil
}

// setUnder lays a copy under a creature, as a boost.
func (s *state) setUnder(p *player, c *card, in engine.Input) error {
	onto, err := s.Card(in.Arg(2))
	if err != nil || onto.Where&plays == 0 || c == onto || c.kind.Energy || len(in.Args) > 3 {
		return engine.RefuseSet(in)
	}
	s.origin(p, c, boosts)
	if c.Where&plays != 0 {
		s.move(byHand, in.Seat, c, s.controller(c).placeOf(inDiscard)) // remove the cards under it first
	}
	s.putUnder(byHand, in.Seat, c, onto)
	s.Exclude()
	s.AskAgain()
	return nil
}

func (s *state) placeNamed(p *player, name string) Place {
	switch z := spots.SeatPlace(name); {
	case p == nil && name != "stage":
		return spots.TablePlace(name)
	case p == nil || z&(inBoosts|inHeap) != 0:
		return 0
	default:
		return p.placeOf(z)
	}
}

// origin decides in which place a hidden card lay before a correction puts it down. The player
// who corrects has most likely played the card from the hand without a tap. Therefore origin
// tries the hand of that player before most other places. If the table corrects, origin tries
// the hand of the active player.
func (s *state) origin(p *player, c *card, to Place) {
	if p == nil {
		p = s.players[s.active]
	}
	o := s.opponentOf(p)
	order := [...]Place{0, p.placeOf(inHand), p.placeOf(inDeck), inUnused,
		o.placeOf(inHand), o.placeOf(inDeck), p.placeOf(inHeap), o.placeOf(inHeap)}
	if to == p.placeOf(inDiscard) {
		order[0] = p.placeOf(inHeap) // it was there, unnamed
	}
	s.Origin(&c.Card, to, order[:]...)
}
