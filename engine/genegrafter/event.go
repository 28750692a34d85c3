package genegrafter

// isShown reports whether a card is shown as soon as it is drawn: 004
// "Piochez trois carte".
func isShown(c *card) bool { return c.kind.Type == Event || c.kind.Type == DNA }

// show shows a card. An event is resolved. A DNA strand begins a graft round, or ends the
// match.
func (s *state) show(p *player, c *card) {
	if c.kind.Type == DNA {
		s.showStrand(p, c)
		return
	}
	s.move("event", p.seat, c, inDiscard)
	if s.rules.eventsFirst {
		s.heldEvents = append(s.heldEvents, c)
	}
	if c.kind.unknownFields()&FieldDoes != 0 {
		s.Do(func() { s.resolveByHand(p, c) })
		return
	}
	s.resolveThose(p, nil, c, func(Step) bool { return true })
}
