package mutants

import (
	"cmp"
	"strings"

	"tableside/engine"
)

// Tap checks an input that reports the tap of a card.
func (s *state) Tap(in engine.Input) (act func(), err error) {
	if !s.rules.cards {
		return nil, engine.Refuse("refusal.no-cards")
	}
	if s.playersAsked() != nil {
		return s.tapDrafted(in)
	}
	name := in.Arg(0)
	p, err := s.tapper(in.Seat, name)
	if err != nil {
		return nil, err
	}
	if p.constructs {
		return s.tapConstructed(p, name)
	}
	for _, check := range []func(*player, string, bool) (func(), error){s.inferList, s.correctPool, s.reveal} {
		if act, err := check(p, name, in.Confirmed()); act != nil || err != nil {
			return act, err
		}
	}
	q := &s.Question
	if s.playerAsked(q) != p || q.In == 0 {
		return nil, s.tapRefusal(p, name)
	}
	c, where, err := s.find(p, name, q.In, in.Confirmed())
	if err != nil {
		return nil, err
	}
	was := c.zone
	c.zone = where // for the question
	err = s.Refusal(c, in.Confirmed())
	c.zone = was
	return func() {
		s.place(c, name, where)
		s.Accept(c)
	}, err
}

// tapRefusal returns a refusal that says why a tap means nothing now. The refusal does not
// name the card, because the card may be in a hand.
func (s *state) tapRefusal(p *player, name string) error {
	if _, err := s.copyOf(name); err != nil {
		return err
	}
	q := &s.Question
	switch {
	case s.boss != nil && s.playerAsked(q) == s.boss:
		return engine.RefuseReach("refusal.boss-card-asked")
	case p == s.boss:
		return engine.RefuseReach("refusal.no-boss-card-asked")
	case p.list != nil && p.owed() > 0:
		return engine.RefuseReach("refusal.not-in-list", "seat", p.seat, "list", p.list.Word())
	case p.owed() > 0: // the top of one of its piles is asked for
		return engine.RefuseReach("refusal.not-in-pool", "seat", p.seat)
	case q.Seat != "" && s.playerAsked(q) != p:
		return engine.RefuseReach("refusal.not-asked", "seat", q.Seat)
	}
	return engine.RefuseReach("refusal.no-card-asked")
}

// tapper returns the player whose card is tapped. A boss's card belongs to the boss, whichever
// reader it is tapped on.
func (s *state) tapper(seat engine.Seat, name string) (*player, error) {
	if s.boss != nil {
		switch boss := s.ofBoss(name); boss {
		case "":
		case s.rules.boss.ID:
			return s.boss, nil
		default:
			return nil, engine.Refuse("refusal.other-boss", "boss", engine.CardWord(boss))
		}
	}
	if p := s.playerAt(seat); p != nil {
		return p, nil
	}
	return s.ownerOf(name)
}

// ownerOf returns the player to whom a tap on a shared reader belongs. If the owner of the
// card is known, it is that player. If not, it is the player who still has to reveal a pile
// top that can be this card. If this is true of two players, ownerOf returns a refusal.
//
// If it is true of no player, the tap belongs to the player who is asked. While no question is
// pending, it belongs to the player whose turn it is.
func (s *state) ownerOf(name string) (*player, error) {
	if c := s.tapped[name]; c != nil {
		return c.player, nil
	}
	if p := s.playerAsked(&s.Question); s.Question.Key == "show-pool" && s.listWith(p, name) != nil {
		return p, nil // it shows the first card of its list
	}
	var owner *player
	for _, p := range s.players {
		if p.owed() == 0 || !p.hidden(name) && s.listWith(p, name) == nil {
			continue
		}
		if owner != nil {
			return nil, engine.Refuse("refusal.whose", "seat", owner.seat, "other", p.seat)
		}
		owner = p
	}
	return s.decider(cmp.Or(owner, s.playerAsked(&s.Question), s.players[s.active])), nil
}

// maxCorrection is the greatest number that a correction may set.
const maxCorrection = 999

// Set corrects by hand what the engine believes, because the table is always right. Examples
// of corrections are:
//
//	red set score 12          red set power 5       (the marker lands on top)
//	red set hand 4            red set deck 6
//	red set zombie.1 left     red set zombie.1 left face-down
//	red set freeze-points 9   (when they were counted)
//	red set pool mosh-pit     (another ready-made list, as long as the gene pool is whole)
//	table set round 3         table set turn blue   (which restarts that turn)
//	table set krunk "freeze 2 | leave gain 2 power"  (what is printed on a card)
//	table set health 12       table set heat-death.1 removed   (of a boss)
func (s *state) Set(in engine.Input) error {
	if s.first < 0 || s.rules.board.Spaces == 0 || s.boss != nil && !s.score.placed(s.boss.index) {
		return engine.Refuse("refusal.not-yet")
	}
	k := s.rules.kinds[in.Arg(0)]
	if k != nil && k.Action == nil && s.rules.revision >= rules2 && len(in.Args) == 2 && strings.Contains(in.Arg(1), " ") {
		return s.setForm(k.ID, in.Arg(1))
	}
	p, err := s.correctedPlayer(in)
	if err != nil {
		return err
	}
	if p == nil || in.Arg(0) == "round" || in.Arg(0) == "turn" {
		return s.setTable(in)
	}
	if list := s.rules.precon(in.Arg(1)); list != nil && in.Arg(0) == "pool" && len(in.Args) == 2 && s.rules.cards {
		return s.setList(p, list)
	}
	if to, known := zonesByName[in.Arg(1)]; known && s.rules.cards && s.mayLie(p, to) {
		if s.draft != nil || p.constructs {
			return engine.Refuse("refusal.draft-first")
		}
		return s.setCard(p, in)
	}
	n, isNumber := engine.Whole(in.Arg(1), 0, maxCorrection)
	if !isNumber || len(in.Args) > 2 || !s.setCounter(p, in.Arg(0), n) {
		return engine.RefuseSet(in)
	}
	s.Emit(engine.Event{Name: "set", Seat: p.seat, N: n, Word: "counter." + in.Arg(0)})
	if s.boss != nil {
		s.judge()
	} else if len(s.Winners) > 0 {
		s.declareWinner()
	}
	return nil
}

// correctedPlayer returns the player whose counter or card is corrected. For a correction of
// the table, it returns nil.
//
// Against a boss, a correction of health is always for the boss, whatever the seat of the
// input. A card is the boss's or the hero's according to its kind, and the seat does not
// matter here either. Any other correction with the seat engine.Table is for the boss. For a
// card of another boss, correctedPlayer returns a refusal.
func (s *state) correctedPlayer(in engine.Input) (*player, error) {
	p, what := s.playerAt(in.Seat), in.Arg(0)
	if s.boss == nil {
		return p, nil
	}
	id, _ := engine.SplitCopy(what)
	switch boss := s.ofBoss(what); {
	case boss == s.rules.boss.ID, what == "health":
		return s.boss, nil
	case boss != "":
		return nil, engine.Refuse("refusal.other-boss", "boss", engine.CardWord(boss))
	case s.rules.kinds[id] != nil:
		return s.hero(), nil
	}
	return cmp.Or(p, s.boss), nil
}

func (s *state) mayLie(p *player, to Zone) bool {
	if p == s.boss {
		return to&(inArena|InDeck|InDiscard|InBox) != 0
	}
	return to&(InLeaving|OnBoard|InBox) == 0
}

func (s *state) setCounter(p *player, what string, n int) bool {
	switch {
	case what == "health" && p == s.boss:
		s.score.land(p.index, n)
	case what == "score" && s.boss == nil:
		s.score.land(p.index, n)
	case what == "power" && n >= 1 && n <= s.rules.board.Spaces:
		s.power.land(p.index, n)
	case what == "freeze-points" && len(s.Winners) > 0 && s.boss == nil:
		s.score.land(p.index, max(0, s.score.space(p.index)-p.freezePoints+n))
		p.freezePoints = n
	case what == "hand" && n <= len(p.cards) && s.rules.cards && p != s.boss:
		p.hand = n
		p.finished, p.usedLast = p.finished && n == 0, p.usedLast && n == 0
		p.miscounted(InHand, n)
		s.AskAgain()
	case what == "deck" && n <= len(p.cards) && s.rules.cards:
		p.deck = n
		p.miscounted(InDeck, n)
		s.AskAgain()
	default:
		return false
	}
	return true
}

// miscounted widens the beliefs about hidden cards after the number of cards in a zone was
// corrected. The zone z has n cards, but they may be other cards than the table believed.
func (p *player) miscounted(z Zone, n int) {
	p.unsettle(0)
	p.excludeEmpty(z, n)
}

func (s *state) setTable(in engine.Input) error {
	n, isNumber := engine.Whole(in.Arg(1), 0, maxCorrection)
	p := s.playerAt(engine.Seat(in.Arg(1)))
	if p == nil && in.Arg(1) == string(engine.Table) {
		p = s.boss
	}
	switch {
	case len(in.Args) > 2 || s.phase != "turn" || len(s.Winners) > 0:
	case in.Arg(0) == "round" && isNumber && n >= 1 && n <= len(s.rules.board.Rounds):
		s.round = n
		s.Emit(engine.Event{Name: "set", Seat: s.sharedSeat(), N: n, Word: "counter.round"})
		return nil
	case in.Arg(0) == "turn" && p != nil:
		s.setTurn(p)
		return nil
	}
	return engine.RefuseSet(in)
}

// setTurn drops everything in progress and begins the turn of a player. Cards that were
// leaving the arena are discarded.
func (s *state) setTurn(p *player) {
	s.dropAll()
	for _, o := range s.players {
		for _, c := range o.cards {
			if c.zone == InLeaving {
				s.move("discarded", c, InLeaving, InDiscard)
			}
		}
	}
	s.active, p.finished = p.index, false
	s.Emit(engine.Event{Name: "turn-set", Seat: p.seat})
	s.Do(s.turn)
}

// setCard puts a copy of a card into a zone, face-up or face-down. If the zone is a pile of
// the gene pool, the card goes on top, face-up.
func (s *state) setCard(p *player, in engine.Input) error {
	name, to, down := in.Arg(0), zonesByName[in.Arg(1)], in.Arg(2) == "face-down"
	if len(in.Args) > 2 && !(len(in.Args) == 3 && down && to&inArena != 0) {
		return engine.RefuseSet(in)
	}
	if there := p.occupant(to); there != nil && there.name != name {
		return engine.Refuse("refusal.slot-taken", "zone", zoneWord(to), "card", engine.CardWord(there.kind.ID))
	}
	c, where, err := s.find(p, name, ^Zone(0), true)
	if err != nil {
		return err
	}
	s.place(c, name, where)
	s.move("put", c, p.originZone(c, to), to)
	c.down = down
	s.AskAgain()
	return nil
}

func (p *player) occupant(z Zone) *card {
	switch z {
	case InLeft, InRight:
		return p.mutantIn(z)
	case InIncubator:
		return p.incubator
	}
	return nil
}

var zonesByName = func() map[string]Zone {
	zones := map[string]Zone{}
	for z, name := range zoneNames {
		zones[name] = z
	}
	return zones
}()
