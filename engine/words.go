package engine

import _ "embed"

//go:embed words.txt
var coreWords string

// CoreWords returns the catalogue of the table itself, without any game's.
func CoreWords() Words { return MustWords("engine/words.txt", coreWords) }

// MustWords parses a catalogue of the program. It panics if that is malformed,
// which is a bug.
func MustWords(file, source string) Words {
	words, err := ParseWords(file, source)
	if err != nil {
		panic(err)
	}
	return words
}
