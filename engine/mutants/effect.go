package mutants

import (
	"slices"

	"tableside/engine"
)

// A source is the mutant whose ability resolves, and for whom.
type source struct {
	p     *player // resolves it, and makes its choices
	card  *card
	slot  slot    // in which the mutant is, or was when it left
	chain []*card // whose abilities are being copied: none of them twice
}

// resolveAbility begins an ability. One that nobody has entered yet is
// resolved by hand.
func (s *state) resolveAbility(src source, a *Ability, when string) {
	if a.Unknown {
		s.byHandUntilDone(src.p, src.card, when)
		return
	}
	s.resolve(src, a.Steps)
}

// byHandUntilDone waits while the players move markers and cards themselves.
func (s *state) byHandUntilDone(p *player, c *card, when string) {
	s.ask(question{player: p, key: "by-hand-" + when, card: c, fixed: byHandAnswers, chosen: func(a answer) {
		switch a.word {
		case "plus":
			s.gainPower(p, 1)
		case "minus":
			s.losePower(p, 1)
		default:
			return
		}
		s.byHandUntilDone(p, c, when)
	}})
}

var byHandAnswers = []answer{
	{verb: engine.Key, word: "plus", label: "gain-one"},
	{verb: engine.Key, word: "minus", label: "lose-one"},
	{verb: engine.Key, word: "yes", label: "done"},
}

// resolve takes the steps of an ability in order. EN: it stops at the first
// that cannot be resolved. FR: as much as possible. To decline what a step
// says one may do ends the ability: what follows depends on it.
func (s *state) resolve(src source, steps []Step) {
	if len(steps) == 0 {
		return
	}
	step, rest := &steps[0], steps[1:]
	then := func() { s.resolve(src, rest) }
	switch {
	case !s.holds(src.p, step.If):
		then()
	case !s.possible(src, step):
		if s.rules.stopsAtFailure {
			s.emit(engine.Event{Name: "cannot", Seat: src.p.seat, Card: src.card.id()})
			return
		}
		then()
	case step.May:
		s.ask(question{player: src.p, key: mayKey(step), card: src.card, n: step.N, fixed: yesNo, chosen: func(a answer) {
			if a.word == "yes" {
				s.do(func() { s.perform(src, step) }, then)
			}
		}})
	default:
		s.do(func() { s.perform(src, step) }, then)
	}
}

func mayKey(step *Step) string {
	if step.Do == Freeze && step.What == This {
		return "may-freeze-this"
	}
	return "may-" + effectNames[step.Do]
}

var effectNames = map[Effect]string{
	GainPower: "gain-power", LosePower: "lose-power", Draw: "draw", Discard: "discard", Cycle: "cycle",
	Freeze: "freeze", KnockDown: "knock-down", FlipUp: "flip-up", GainCard: "gain-card", Take: "take",
	Deploy: "deploy", Transform: "transform", Copy: "copy", Attack: "attack",
}

// holds checks a condition.
func (s *state) holds(p *player, c Condition) bool {
	ahead, behind := false, false
	for _, o := range s.players {
		if o != p {
			ahead = ahead || s.power.ahead(p.index, o.index)
			behind = behind || s.power.ahead(o.index, p.index)
		}
	}
	switch c {
	case InTopSpace:
		return s.power.space(p.index) == s.rules.board.Spaces
	case IfInRedZone:
		return s.inRedZone(p)
	case IfDominated:
		return behind
	case IfDominating:
		return ahead
	case IfNotDominating:
		return !ahead
	case IfIncubating:
		return p.incubator != nil
	}
	return true
}

// possible reports whether a step can be resolved: EN at all of it, FR at
// any of it.
func (s *state) possible(src source, step *Step) bool {
	p := src.p
	enough := 1
	if s.rules.stopsAtFailure {
		enough = step.N
	}
	switch step.Do {
	case Draw, Cycle:
		return p.deck+len(p.discard) > 0
	case Discard:
		return p.hand >= max(enough, 1)
	case Freeze, Take, Deploy:
		return len(s.candidates(src, step)) > 0 || step.What == FromHand && p.hand > 0 || step.What == FromPool && p.pooled() > 0
	case KnockDown:
		return len(s.candidates(src, step)) > 0
	case FlipUp:
		return len(s.candidates(src, step)) > 0
	case GainCard:
		return p.pooled() > 0 && (step.To != InIncubator || p.incubator == nil)
	case Copy:
		return s.zonesOf(step) & ^(inArena) != 0 && s.copiesHidden(p, step) || len(s.copyable(src, step)) > 0
	case Attack:
		return len(s.targets(src, step)) > 0
	}
	return true
}

// pooled counts the cards left in the gene pool.
func (p *player) pooled() int { return p.piles[0].n + p.piles[1].n + p.piles[2].n }

// zonesOf is where the cards lie that a step takes hold of.
func (s *state) zonesOf(step *Step) Zone {
	switch step.What {
	case AMutant, AllMutants, AnotherInArena:
		return inArena
	case FromHand:
		return InHand
	case FromDiscard:
		return InDiscard
	case FromPool:
		return inPool
	case AnotherAnywhere:
		return inArena | InHand | InDiscard | inPool
	}
	if step.Do == Take {
		return InDiscard
	}
	return 0
}

// candidates are the known cards that a step could take hold of. Cards of the
// hand are never among them: only their owner sees those.
func (s *state) candidates(src source, step *Step) []*card {
	p := src.p
	switch step.What {
	case This:
		for _, m := range p.slots {
			if m.card == src.card && m.down == (step.Do == FlipUp) {
				return []*card{src.card}
			}
		}
		if src.card.where == InLeaving && step.Do == Freeze {
			return []*card{src.card}
		}
		return nil
	case SameSlot:
		if m := p.slots[src.slot]; m.up() {
			return []*card{m.card}
		}
		return nil
	}
	var found []*card
	zones := s.zonesOf(step)
	if zones&inArena != 0 {
		for _, m := range p.slots {
			if m.card != nil && m.down == (step.Do == FlipUp) {
				found = append(found, m.card)
			}
		}
	}
	if zones&InDiscard != 0 {
		found = append(found, p.discard...)
	}
	if zones&inPool != 0 {
		for _, pile := range p.piles {
			if pile.top != nil {
				found = append(found, pile.top)
			}
		}
	}
	return found
}

// perform resolves one step.
func (s *state) perform(src source, step *Step) {
	p := src.p
	switch step.Do {
	case GainPower:
		s.gainPower(p, step.N)
	case LosePower:
		s.losePower(p, step.N)
	case Draw:
		s.drawCards(p, step.N, nil)
	case Discard:
		s.discardCards(p, min(step.N, p.hand))
	case Cycle:
		s.drawCards(p, step.N, func(drawn int) { s.discardCards(p, drawn) })
	case Freeze:
		s.choose(src, step, "freeze-card", func(c *card) { s.freezeCard(c) })
	case KnockDown:
		s.eachOrOne(src, step, "knock-down-card", s.knockDown)
	case FlipUp:
		s.eachOrOne(src, step, "flip-up-card", s.flipUp)
	case GainCard:
		gain := Step{Do: GainCard, What: FromPool, To: step.To}
		s.choose(src, &gain, "gain-card", func(c *card) { s.gainCard(c, step.To) })
	case Take:
		s.choose(src, step, "take-card", func(c *card) { s.move("takes", c, InDiscard, step.To) })
	case Deploy:
		s.choose(src, step, "deploy-card", func(c *card) { s.deploy(p, c, known(c, s.zonesOf(step))) })
	case Transform:
		s.transform(src)
	case Copy:
		s.copyAbility(src, step)
	case Attack:
		s.attack(src, step)
	}
}

// known is the one zone in which a card turned out to lie.
func known(c *card, zones Zone) Zone {
	z := c.where & zones
	return z & (^z + 1)
}

// choose takes the only card there is, or asks for one.
func (s *state) choose(src source, step *Step, key string, then func(*card)) {
	list := s.candidates(src, step)
	zones := s.zonesOf(step)
	if zones&InHand == 0 && len(list) == 1 && list[0] != nil && (zones&inPool == 0 || src.p.owed() == 0) {
		then(list[0])
		return
	}
	s.ask(question{player: src.p, key: key, card: src.card, zones: zones,
		fits: func(c *card) error {
			if c.where&(InHand|InDiscard) == 0 && !slices.Contains(list, c) && !slices.Contains(s.candidates(src, step), c) {
				return engine.Refuse("refusal.not-this-one", "card", engine.CardWord(c.kind.ID))
			}
			return nil
		},
		tap: then,
	})
}

// eachOrOne is choose for steps that may mean every mutant in the arena.
func (s *state) eachOrOne(src source, step *Step, key string, then func(*card)) {
	if step.What != AllMutants {
		s.choose(src, step, key, then)
		return
	}
	for _, c := range s.candidates(src, step) {
		then(c)
	}
}

// gainPower: "Gain Power". At the Top Space each power that is left moves
// every opponent back one.
func (s *state) gainPower(p *player, n int) {
	space := s.power.space(p.index)
	steps := min(n, s.rules.board.Spaces-space)
	if steps > 0 {
		s.power.land(p.index, space+steps)
	}
	s.tell("gains-power", p, n)
	for range n - max(steps, 0) {
		for _, o := range s.opponents(p) {
			s.slideBack(o, 1)
		}
	}
}

// losePower: "Lose Power". At the far end no more is lost, and a marker that
// does not move stays where it is in its stack.
func (s *state) losePower(p *player, n int) {
	s.slideBack(p, n)
	s.tell("loses-power", p, n)
}

func (s *state) slideBack(p *player, n int) {
	if to := max(1, s.power.space(p.index)-n); to < s.power.space(p.index) {
		s.power.land(p.index, to)
	}
}

// drawCards draws n cards, as far as there are any. When the deck is empty a
// discarded mutant is frozen first and the rest shuffled: EN "4 Draw",
// IMPORTANT. then hears how many were drawn.
func (s *state) drawCards(p *player, n int, then func(drawn int)) {
	s.drawMore(p, n, 0, then)
}

func (s *state) drawMore(p *player, n, drawn int, then func(int)) {
	now := min(n-drawn, p.deck)
	s.drawn(p, now)
	drawn += now
	if drawn < n && len(p.discard) > 0 {
		s.do(func() { s.reshuffle(p) }, func() { s.drawMore(p, n, drawn, then) })
		return
	}
	if then != nil {
		then(drawn)
	}
}

// reshuffle freezes one card of the discard pile, the player's choice, and
// makes the rest the new deck.
func (s *state) reshuffle(p *player) {
	step := Step{Do: Freeze, What: FromDiscard, N: 1}
	s.do(func() {
		s.choose(source{p: p}, &step, "freeze-for-deck", func(c *card) { s.freezeCard(c) })
	}, func() { s.shuffled(p) })
}

// discardCards asks for n cards of the hand, one by one.
func (s *state) discardCards(p *player, n int) {
	if n == 0 || p.hand == 0 {
		return
	}
	s.ask(question{player: p, key: "discard", n: n, zones: InHand, tap: func(c *card) {
		s.move("discards", c, InHand, InDiscard)
		s.discardCards(p, n-1)
	}})
}

// freezeCard puts a card into its owner's freeze zone.
func (s *state) freezeCard(c *card) {
	from := known(c, InHand|InDiscard|inArena|inPool|InLeaving|InIncubator)
	s.move("freezes", c, from, InFreeze)
	s.triggered(c.player, EachFreeze)
}

// knockDown: "Knock Down". The mutant stays in its slot, face-down.
func (s *state) knockDown(c *card) {
	p := c.player
	if m := &p.slots[slotOf(c.where)]; m.up() {
		m.down = true
		s.emit(engine.Event{Name: "knocked-down", Seat: p.seat, Card: c.id()})
	}
}

// flipUp is the only way a knocked-down mutant comes back.
func (s *state) flipUp(c *card) {
	p := c.player
	p.slots[slotOf(c.where)].down = false
	s.emit(engine.Event{Name: "flipped-up", Seat: p.seat, Card: c.id()})
}

// gainCard: "Gain". A face-up mutant of the gene pool goes where the ability
// says.
func (s *state) gainCard(c *card, to Zone) {
	if to == InFreeze {
		s.freezeCard(c)
		return
	}
	s.move("gains-card", c, c.where, to)
}

// transform: "Transform". The mutant leaves, and when it has been discarded
// the top card of the deck is deployed.
func (s *state) transform(src source) {
	p := src.p
	s.do(func() {
		if m := p.slots[src.slot]; m.card == src.card {
			s.leave(p, src.slot)
		}
	}, func() {
		if p.deck == 0 && len(p.discard) > 0 {
			s.reshuffle(p)
		}
	}, func() { s.deployTop(p) })
}

// deployTop asks for the top card of the deck, which the table does not know.
func (s *state) deployTop(p *player) {
	if p.deck == 0 {
		return
	}
	s.ask(question{player: p, key: "deploy-top", zones: InDeck,
		fits: func(c *card) error {
			if n := len(p.deckTop); n > 0 && p.deckTop[n-1] != c {
				return engine.Refuse("refusal.not-deck-top", "card", engine.CardWord(c.kind.ID))
			}
			return nil
		},
		tap: func(c *card) { s.deploy(p, c, InDeck) },
	})
}

// triggered resolves the ongoing abilities of a seat that wait for something.
// They are cumulative: two of the same resolve twice.
func (s *state) triggered(p *player, t Trigger) {
	if !s.ongoing {
		return
	}
	var steps []func()
	for sl, m := range p.slots {
		if m.up() && m.kind.Trigger == t && !m.kind.Ongoing.Unknown {
			src := source{p, m.card, slot(sl), nil}
			steps = append(steps, func() {
				s.emit(engine.Event{Name: "ongoing", Seat: p.seat, Card: src.card.id()})
				s.resolve(src, src.card.kind.Ongoing.Steps)
			})
		}
	}
	s.do(steps...)
}
