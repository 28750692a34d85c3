package mutants

import "tableside/engine"

// Describe tells what a card is and does.
func (s *state) Describe(card string) []engine.Text {
	id, _ := engine.SplitCopy(card)
	if k := s.rules.kinds[id]; k != nil {
		return k.Lines()
	}
	return nil
}

// Lines tell a card: its genes, a line for each of its abilities, and what it
// is worth frozen.
func (k *Kind) Lines() []engine.Text {
	line := func(field string, text engine.Text) engine.Text {
		return engine.T("card-line", "field", engine.Word("field."+field), "text", text)
	}
	lines := []engine.Text{k.genesText()}
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

// genesText names the genes in their order, with a "?" where nobody has read
// them off the card.
func (k *Kind) genesText() engine.Text {
	text := engine.T(string(k.Genes[0].Word()))
	if len(k.Genes) > 1 {
		text = engine.T("card-genes", "first", text, "next", k.Genes[1].Word())
	}
	if k.Inferred {
		text = engine.T("card-inferred", "text", text)
	}
	return text
}
