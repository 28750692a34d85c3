package mutants

import "tableside/engine"

// Lines tell a boss: its health, its set-up and its power.
func (b *Boss) Lines() []engine.Text {
	health := engine.T("does.unknown")
	if b.Health > 0 {
		health = engine.T("card-number", "n", b.Health)
	}
	power := Kind{Ongoing: b.Power, Trigger: b.Trigger}
	return []engine.Text{
		cardLine("health", health), cardLine("set-up", b.SetUp.Text()), cardLine("power", power.OngoingText()),
	}
}

func (k *Kind) actionLines() []engine.Text {
	a := k.Action
	arrow := engine.T("does.unknown")
	if a.Arrow != 0 {
		arrow = engine.T("arrow." + zoneNames[a.Arrow])
	}
	lines := []engine.Text{cardLine("boss", engine.T("card."+a.Boss)), cardLine("arrow", arrow)}
	lines = append(lines, k.abilityLines()...)
	if a.Weakness != (Weakness{}) {
		lines = append(lines, cardLine("weakness", a.Weakness.Text()))
	}
	return lines
}

// Text is a weakness for people.
func (w Weakness) Text() engine.Text {
	number, when := engine.T("card-number", "n", w.N), engine.T("weak."+whenPhrases.Key(w.When))
	if w.N < 0 {
		number = engine.T("does.unknown")
	}
	return engine.T("card-weakness", "number", number, "when", when)
}
