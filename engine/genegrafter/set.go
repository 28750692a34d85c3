package genegrafter

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// Set corrects by hand what the engine believes: the table is right.
//
//	red set health 4          red set attack-tokens 2      red set hand 5
//	red set special ready     table set deck 30            table set red-2 6   (a die)
//	red set anvil.1 play wounded      red set cinder.1 under anvil.1
//	table set anvil attack 3  (what is printed on a card)
//	table set card-7 en "El Zorro"
//	table set card-7 "kind character | attack 3"
//	table set turn blue       (blue's turn begins again)
func (s *state) Set(in engine.Input) error {
	if !s.begun {
		return engine.Refuse("refusal.not-yet")
	}
	what, value := in.Arg(0), in.Arg(1)
	id, _ := engine.SplitCopy(what)
	printed := slices.Contains(cardFields.Names(), value)
	switch {
	case what == "turn" && len(in.Args) == 2:
		return s.setTurn(in)
	case printed && s.rules.data.kind(id) != nil:
		return s.setField(id, in)
	case len(in.Args) == 2 && strings.Contains(value, " ") && s.rules.data.kind(id) != nil:
		return s.setForm(id, value)
	case s.cardNamed(what) != nil:
		return s.setCard(s.cardNamed(what), in)
	case printed:
		return engine.Refuse("refusal.unknown-card", "name", id)
	case (s.battle == nil || s.battle.decided) && s.dieNamed(what) != nil:
		return engine.Refuse("refusal.decided")
	}
	if len(in.Args) != 2 || !s.setSpecial(in) && !s.setDie(what, value) && !s.setCounter(in) {
		return engine.RefuseSet(in)
	}
	s.resume()
	return nil
}

// resume continues the match after a correction. Players without health are out. The pending
// question is asked again, with the cards and numbers as they are now.
//
// If the match was over, or if a tie-break was deciding it, there are two cases. If no turn is
// left to take, genes decide again who wins. Otherwise the active player begins a turn.
func (s *state) resume() {
	if len(s.Winners) > 0 || s.Question.Key == "tie-break" {
		if s.finished {
			s.startOver(s.finish)
		} else {
			s.startOver(s.endBattle, s.beginTurn)
		}
	}
	s.doFirst(s.bury)
}

func (s *state) startOver(steps ...func()) {
	s.BreakOff()
	s.Winners = nil
	s.Do(steps...)
}

func (s *state) setCounter(in engine.Input) bool {
	p, what := s.playerAt(in.Seat), in.Arg(0)
	n, err := strconv.Atoi(in.Arg(1))
	if err != nil || n < 0 || strconv.Itoa(n) != in.Arg(1) || p == nil && what != "deck" {
		return false
	}
	seat, counter, most := in.Seat, (*int)(nil), startTokens*len(s.players)
	switch what {
	case "deck":
		seat, counter, most = engine.Table, &s.deck, len(s.Cards)
	case "hand":
		counter, most = &p.hand, len(s.Cards)
	case "health":
		counter, most = &p.health, startHealth
	case "attack-tokens":
		counter = &p.tokens[attackSide]
	case "defence-tokens":
		counter = &p.tokens[defenceSide]
	}
	if counter == nil || n > most {
		return false
	}
	switch *counter = n; what {
	case "deck", "hand":
		s.Unsettle()
	case "health":
		p.out = p.out && n == 0
	}
	s.Emit(engine.Event{Name: "set", Seat: seat, N: n, Word: "counter." + what})
	return true
}

// setSpecial sets what a player's special die shows. It can also set that the die is ready to
// be thrown. setSpecial reports whether the input is such a correction.
func (s *state) setSpecial(in engine.Input) bool {
	p, value := s.playerAt(in.Seat), in.Arg(1)
	if in.Arg(0) != "special" || p == nil || value != "ready" && !slices.Contains(specialDie.Faces, value) {
		return false
	}
	p.special = value
	if value == "ready" {
		p.special = ""
	}
	s.Emit(engine.Event{Name: "special-set", Seat: p.seat, Word: "face." + value})
	return true
}

func (s *state) setDie(id, face string) bool {
	d := s.dieNamed(id)
	if d == nil || pips(face) == 0 {
		return false
	}
	d.pips = pips(face)
	s.Emit(engine.Event{Name: "die-set", Seat: d.f.p.seat, N: d.pips})
	return true
}

// setTurn breaks off everything in progress and begins the turn of a seat. If the match is
// over or the player is out, setTurn returns a refusal.
func (s *state) setTurn(in engine.Input) error {
	p := s.playerAt(engine.Seat(in.Arg(1)))
	if p == nil {
		return engine.RefuseSet(in)
	}
	if p.health == 0 || s.finished || len(s.opponents(p)) == 0 {
		return engine.Refuse("refusal.over")
	}
	s.active = p.index
	s.Tell("turn-set", p.seat, 0)
	s.startOver(s.endBattle, s.beginTurn)
	return nil
}

// setField sets a printed field of a card.
func (s *state) setField(id string, in engine.Input) error {
	value := strings.Join(in.Args[2:], " ")
	if len(in.Args) == 3 && (in.Arg(1) == "text" || slices.Contains(cardfile.LanguageFields, in.Arg(1))) {
		value = strconv.Quote(value)
	}
	if err := s.learn("card " + id + " " + in.Arg(1) + " " + value); err != nil {
		return owners.Refuse(err)
	}
	s.resume()
	return nil
}

// setCard puts a copy of a card into a place. In play, the copy becomes wounded or tired if
// the input says so. Otherwise it becomes upright.
func (s *state) setCard(c *card, in engine.Input) error {
	p := s.playerAt(in.Seat)
	place := in.Arg(1)
	if place == "on" || place == "under" {
		return s.setHost(p, c, in)
	}
	to := spots.TablePlace(place)
	if z := spots.SeatPlace(place); z != 0 && p != nil && place != "battle" {
		to = p.placeOf(z)
	}
	wounded, tired := in.Arg(2) == "wounded", in.Arg(2) == "tired"
	inFront := to&(everyPlay|everyPool) != 0
	switch {
	case to == 0, len(in.Args) > 3, len(in.Args) == 3 && !wounded && !tired, (wounded || tired) && to&everyPlay == 0:
		return engine.RefuseSet(in)
	case inFront && c.kind.Type == UnknownType:
		return engine.Refuse("refusal.kind-first", "name", c.kind.ID)
	case inFront && c.kind.Type != Character:
		return engine.Refuse("refusal.only-characters")
	case (c.kind.Type == DNA) != (to == inDNA) && to&openPlaces != 0:
		return engine.RefuseSet(in)
	}
	s.origin(p, c, to)
	if c.Where == to && c.host == nil && to&everyPlay != 0 {
		s.Emit(engine.Event{Name: "put", Seat: in.Seat, Card: c.Name, To: s.PlaceName(to)})
	} else {
		s.leave("put", in.Seat, c, to)
	}
	c.wounded, c.tired = wounded, tired
	s.countStrands()
	s.resume()
	return nil
}

// setHost puts a gear on a character, or a graft under a character. If the graft has a gear,
// the gear is discarded. If the graft has grafts of its own, they come along.
func (s *state) setHost(p *player, c *card, in engine.Input) error {
	host := s.cardNamed(in.Arg(2))
	wanted := map[string]Type{"on": Gear, "under": Character}[in.Arg(1)]
	if p == nil || host == nil || host == c || len(in.Args) != 3 || c.kind.Type != wanted ||
		host.host != nil || host.Where != p.placeOf(inPlay) {
		return engine.RefuseSet(in)
	}
	s.origin(p, c, p.placeOf(inPlay))
	for _, g := range slices.Clone(c.gear) {
		s.move("gear-lost", p.seat, g, inDiscard)
	}
	for _, g := range slices.Clone(c.grafts) {
		s.put("put", p, g, host)
	}
	s.put("put", p, c, host)
	s.resume()
	return nil
}

// origin decides from which place a hidden card came when a correction puts the card down. It
// first tries the hand of the player who corrects, and then the other hidden places.
func (s *state) origin(p *player, c *card, to Place) {
	var order []Place
	if p != nil {
		order = append(order, p.placeOf(inHand))
	}
	order = append(order, inDeck)
	for _, o := range s.players {
		order = append(order, o.placeOf(inHand), o.placeOf(inBattle))
	}
	s.Origin(&c.Card, to, append(order, inDiscard)...)
}

// countStrands applies a correction of the DNA strands. If all strands are shown, the last
// turns begin. In the first edition, the match ends instead. If not all strands are shown,
// there are no last turns, and a match that has already ended continues with the next turn.
func (s *state) countStrands() {
	switch {
	case len(s.dna) < strandCount:
		s.closing = false
		if s.finished {
			s.finished = false
			s.startOver(s.endTurn)
		}
	case !s.rules.endsAtOnce:
		s.lastTurns()
	case !s.finished:
		s.startOver(s.finish)
	}
}
