package mutants

import "tableside/engine/cardfile"

// Definitions returns the lines of an owner's file, as the games do.
func Definitions(file, source string) ([]string, error) {
	lines, faults := new(game).Define(file, source)
	return lines, cardfile.First(faults)
}
