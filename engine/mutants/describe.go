package mutants

import "tableside/engine"

// Describe tells what a card is and does.
func (s *state) Describe(card string) []engine.Text {
	id, _ := engine.SplitCopy(card)
	if b := s.rules.boss; b != nil && b.ID == id {
		return b.Lines()
	}
	if k := s.rules.kinds[id]; k != nil {
		return k.Lines()
	}
	return nil
}

func cardLine(field string, text engine.Text) engine.Text {
	return engine.T("card-line", "field", engine.Word("field."+field), "text", text)
}

// Lines tell a card: its genes, a line for each of its abilities, and what it
// is worth frozen; of a boss's card its arrow and its weakness instead.
func (k *Kind) Lines() []engine.Text {
	if k.Action != nil {
		return k.actionLines()
	}
	return append(append([]engine.Text{k.genesText()}, k.abilityLines()...), engine.T("card-worth", "text", k.Freeze.Text()))
}

func (k *Kind) abilityLines() []engine.Text {
	var lines []engine.Text
	for _, a := range []struct {
		field string
		does  *Ability
	}{{"deploy", &k.Deploy}, {"leave", &k.Leave}, {"block", &k.Block}} {
		if a.does.Unknown || len(a.does.Steps) > 0 {
			lines = append(lines, cardLine(a.field, a.does.Text()))
		}
	}
	if k.Ongoing.Unknown || k.Trigger != NoTrigger {
		lines = append(lines, cardLine("ongoing", k.OngoingText()))
	}
	return lines
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
