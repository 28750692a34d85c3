package mutants

import "tableside/engine"

// Describe tells what a card does, a line for each of its abilities, and what
// it is worth frozen.
func (s *state) Describe(card string) []engine.Text {
	id, _ := engine.SplitCopy(card)
	k := s.rules.kinds[id]
	if k == nil {
		return nil
	}
	line := func(field string, text engine.Text) engine.Text {
		return engine.T("card-line", "field", engine.Word("field."+field), "text", text)
	}
	var lines []engine.Text
	for _, a := range []struct {
		field string
		does  *Ability
	}{{"deploy", &k.Deploy}, {"leave", &k.Leave}, {"block", &k.Block}} {
		if a.does.Unknown || len(a.does.Steps) > 0 {
			lines = append(lines, line(a.field, a.does.Text()))
		}
	}
	if k.Ongoing.Unknown || k.Trigger != NoTrigger {
		lines = append(lines, line("ongoing", k.OngoingText()))
	}
	return append(lines, engine.T("card-worth", "text", k.Freeze.Text()))
}
