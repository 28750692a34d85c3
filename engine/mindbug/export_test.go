package mindbug

import "tableside/engine/cardfile"

// EffectsOnCreatures writes every effect that names creatures, for each count that it takes.
func EffectsOnCreatures() []string {
	var all []string
	for _, f := range effectForms.Phrases {
		for _, count := range countsOf[f.Value] {
			all = append(all, effectForms.Write(f.Value, &Step{N: 2, Creatures: Creatures{Count: count, N: 2}}))
		}
	}
	return all
}

// Printed reads the statements about the real boxes.
func Printed() []Statement { return printed() }

// ParseStatement reads one line. The text of an empty one is "".
func ParseStatement(file string, line int, text string) (Statement, error) {
	return cardfile.ReadOne(file, line, text, readStatement)
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
