package host

import "tableside/engine"

// journalFinder returns a function that finds the journal of a match. This function calls load
// to get the text of the journal, and returns the game and the parsed journal. If the journal
// is damaged, the function returns both the part before the damage and an error.
func journalFinder(games []engine.Game, load func(match string) ([]byte, error),
) func(match string) (engine.Game, *engine.Journal, error) {
	return func(match string) (engine.Game, *engine.Journal, error) {
		data, err := load(match)
		if err != nil {
			return nil, nil, err
		}
		journal, err := engine.ParseJournal(match+".journal", data)
		if journal == nil {
			return nil, nil, err
		}
		game := engine.Find(games, journal.Setup.Game)
		if game == nil {
			return nil, nil, engine.Faultf(0, "there is no game %q in this program", journal.Setup.Game)
		}
		return game, journal, err
	}
}
