package mindbug

import "strings"

// String writes an ability in words that read back as the same ability.
func (a Ability) String() string {
	switch {
	case a.Unknown:
		return "?"
	case len(a.Steps) == 0:
		return "none"
	}
	var parts []string
	for _, s := range a.Steps {
		parts = append(parts, s.String())
	}
	return strings.Join(parts, ", then ")
}

func (s Step) String() string {
	words := effectForms.Write(s.Do, &s)
	if s.Do == ThisTurn {
		words = s.Gift.String() + " this turn"
	}
	if s.Or != nil {
		words += " or " + s.Or.String()
	}
	if s.May {
		words = "may " + words
	}
	if s.If != Always {
		words = "if " + conditionForms.Write(s.If) + ": " + words
	}
	return words
}

func (r Rule) String() string {
	words := ruleForms.Write(r.Ruling, &r)
	switch {
	case r.Ruling == Have && r.Creatures.Side != This:
		words = strings.Replace(words, " has ", " have ", 1)
	case r.Ruling == CannotBlock && r.Creatures.Side != This && r.Creatures.Side != AnySide:
		words = r.subject() + " cannot block"
	}
	if r.While != Always {
		words = "while " + conditionForms.Write(r.While) + ": " + words
	}
	return words
}
