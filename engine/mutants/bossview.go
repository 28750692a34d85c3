package mutants

import (
	"tableside/engine"
)

// viewBoss shows the boss as what belongs to the table.
func (s *state) viewBoss(v *engine.View) {
	b := s.boss
	switch {
	case len(s.Winners) > 0:
		v.Phase = "over"
	case s.phase == "turn" && s.active == b.index:
		v.Phase = "boss"
	}
	if s.score.placed(b.index) {
		v.Counters = engine.Counters{{Name: "health", Value: s.health()}, {Name: "power", Value: s.power.space(b.index)}}
	}
	v.Counters = append(v.Counters, engine.Counter{Name: "deck", Value: b.deck})
	lead := faces(b.lead)
	lead[0].State = []string{"special-power"}
	if s.phase == "set-up" {
		lead[0].State = []string{"set-up"}
	}
	zone := func(z Zone, cards []engine.Card) {
		v.Zones = append(v.Zones, engine.Zone{Name: zoneNames[z], Cards: cards})
	}
	zone(OnBoard, lead)
	for _, slot := range slots {
		zone(slot, b.lying(slot))
	}
	if leaving := b.leaving(); leaving != nil {
		zone(InLeaving, faces(leaving...))
	}
	zone(InDiscard, faces(b.discard...))
	if len(b.removed) > 0 {
		zone(InBox, faces(b.removed...))
	}
	v.Notices = append(v.Notices, s.bossNotices()...)
}

// bossNotices say what is made up, what nobody has entered, and what only
// players can check.
func (s *state) bossNotices() []string {
	var notices []string
	if s.rules.boss.StandIn {
		notices = append(notices, "stand-in-boss")
	}
	if s.rules.boss.Power.Unknown {
		notices = append(notices, "boss-power-by-hand")
	}
	for _, c := range s.hero().cards {
		if c.kind.advanced() && c.kind.Inferred && s.rules.barred(c.kind) {
			return append(notices, "pool-genes")
		}
	}
	return notices
}

// scoreTrack: FR "Mise en place", REMARQUE. It shows the boss's health.
func (s *state) scoreTrack() string {
	if s.boss != nil {
		return "health"
	}
	return "score"
}

// asks is the seat that a question is for.
func (s *state) asks(q question) engine.Seat {
	if p := s.mind(s.whom(q)); p != nil {
		return p.seat
	}
	return s.anybody()
}

// anybody is the seat of what is nobody's in particular. In the Uprising that
// is the hero's: the table is the boss.
func (s *state) anybody() engine.Seat {
	if s.boss != nil {
		return s.hero().seat
	}
	return engine.Table
}

// anyTimePrompts stand beside every question: what nobody has entered of the
// boss's weaknesses and of its special power.
func (s *state) anyTimePrompts() []engine.Prompt {
	var prompts []engine.Prompt
	seat := s.hero().seat
	var weak []engine.Answer
	for _, c := range s.claimable() {
		weak = append(weak, engine.Answer{
			Key: "tap-card", Args: engine.Args{"card": engine.CardWord(c.kind.ID)},
			Input: string(seat) + " choose weakness " + c.name,
		})
	}
	if len(weak) > 0 {
		prompts = append(prompts, engine.Prompt{Seat: seat, Key: "boss-weakness", Args: engine.Args{}, Options: weak})
	}
	if s.appliesPower() {
		prompts = append(prompts, s.prompt(question{Key: "boss-power", Fixed: fightByHand}))
	}
	return prompts
}
