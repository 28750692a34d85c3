package engine

import _ "embed"

//go:embed words.txt
var coreWords string

// CoreWords returns the catalogue of the table itself, whatever the game.
func CoreWords() Words { return MustWords("engine/words.txt", coreWords) }

// MustWords parses a catalogue inside the program; it panics at a malformed one,
// which is a bug.
func MustWords(file, source string) Words {
	words, err := ParseWords(file, source)
	if err != nil {
		panic(err)
	}
	return words
}
