package mutants

// Definitions returns the lines of an owner's file, as the games do.
func Definitions(file, source string) ([]string, error) { return new(game).Define(file, source) }
