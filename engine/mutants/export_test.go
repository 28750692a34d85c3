package mutants

// Definitions returns the lines of an owner's file, as the games do.
func Definitions(file, source string) ([]string, error) {
	lines, faults := owners.Define(file, source)
	if len(faults) > 0 {
		return lines, faults[0]
	}
	return lines, nil
}
