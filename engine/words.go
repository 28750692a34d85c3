package engine

import _ "embed"

//go:embed words.txt
var coreWords string

// CoreWords is what the table itself says, whatever the game.
func CoreWords() Words { return MustWords("engine/words.txt", coreWords) }

// MustWords is ParseWords for a catalogue inside the program; a malformed one
// is a bug.
func MustWords(file, source string) Words {
	words, err := ParseWords(file, source)
	if err != nil {
		panic(err)
	}
	return words
}
