package mutants

import (
	"slices"

	"tableside/engine"
)

// awaited reports whether any card of the box waits for something: few do for
// most things, and then nothing has to be kept for them.
func (s *state) awaited(t Trigger) bool { return s.rules.waits&(1<<t) != 0 }

// triggered resolves the ongoing abilities of a seat that wait for something,
// then those of a boss that wait for the hero to do it.
func (s *state) triggered(p *player, t Trigger) { s.triggeredBy(p, t, cause{}) }

// A cause is what an ability that was set off may speak of.
type cause struct {
	by   *player // who attacked
	card *card   // what was frozen or gained
}

func (s *state) triggeredBy(p *player, t Trigger, by cause) {
	if !s.ongoing {
		return
	}
	steps := s.waiting(p, t, by)
	if s.boss != nil && p != s.boss {
		steps = append(steps, s.waiting(s.boss, OfHero|t, by)...)
	}
	s.Do(steps...)
	s.weakTo(p, t)
}

// waiting are the ongoing abilities of a seat that wait for something. FR
// "Permanent", REMARQUE: they are cumulative, two of the same resolve twice.
func (s *state) waiting(p *player, t Trigger, by cause) []func() {
	var steps []func()
	for _, c := range p.permanents() {
		if c.down || c.kind.Ongoing.Trigger != t || c.kind.Ongoing.Unknown {
			continue
		}
		resolve := func() {
			does := &c.kind.Ongoing
			s.resolve(source{p: p, card: c, slot: c.where, noted: does.notes(by)}, does.Steps)
		}
		steps = append(steps, func() {
			switch attack := t&^OfHero == EachAttacked || t&^OfHero == EachBlock; {
			case !c.up() && c != p.lead, attack && c.answering, c.ongoing:
				return
			case attack:
				s.answer(c, resolve)
			case t&^OfHero > EachAttacked:
				c.ongoing = true
				s.Do(resolve, func() { c.ongoing = false })
			default:
				s.Do(resolve)
			}
			s.Emit(engine.Event{Name: "ongoing", Seat: p.seat, Card: c.id()})
		})
	}
	return steps
}

// answer resolves an ability that an attack has set off. What comes of it does
// not set it off again: attacks that answer each other would never end.
func (s *state) answer(c *card, resolve func()) {
	c.answering = true
	s.Do(resolve, func() { c.answering = false })
}

// breakOff leaves all that was going on unfinished.
func (s *state) breakOff() {
	s.Question = question{}
	s.Clear()
	s.nested = 0
	for _, p := range s.players {
		for _, c := range slices.Concat(p.permanents(), p.cards) {
			c.answering, c.ongoing = false, false
		}
	}
}

// permanents are the cards whose ongoing abilities are active: those of the
// arena, and a boss's own, FR "Pouvoir Spécial".
func (p *player) permanents() []*card {
	if p.lead != nil {
		return append([]*card{p.lead}, p.arena...)
	}
	return p.arena
}
