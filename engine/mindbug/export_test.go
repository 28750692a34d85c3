package mindbug

import "tableside/engine/cardfile"

// EffectsOnCreatures writes every effect that names creatures, with each count that it takes.
func EffectsOnCreatures() (all []string) {
	for _, s := range everyStep() {
		c := s.Creatures
		plain := Creatures{Count: c.Count, N: c.N, Side: AnySide, Trait: "none"}
		if c == plain && c != (Creatures{Count: Some, N: 1, Side: AnySide, Trait: "none"}) && s.N < 3 && c.N < 3 {
			all = append(all, Ability{Steps: []Step{s}}.String())
		}
	}
	return all
}

// Printed reads the statements about the real boxes.
func Printed() []Statement { return printed() }

// ParseStatement reads one line. The text of an empty one is "".
func ParseStatement(file string, line int, text string) (Statement, error) {
	s, err := cardfile.ReadOne(file, line, text, readStatement)
	if noRow := s.NoRow; noRow != nil {
		s.NoRow = cardfile.ReadLine(file, line, text, func(*cardfile.Line) error { return noRow })
	}
	return s, err
}

// ParseAbility reads an ability in the card language, which docs/mindbug-cards.md describes. The error is an
// *engine.SyntaxError whose column is that of the wrong word.
func ParseAbility(words string) (Ability, error) {
	return parseAbility(cardfile.NewParser(words, 1))
}

// Definitions returns the lines of an owner's file, as the games do.
func Definitions(file, source string) ([]string, error) {
	lines, faults := new(game).Owners().Define(file, source)
	if len(faults) > 0 {
		return lines, faults[0]
	}
	return lines, nil
}
