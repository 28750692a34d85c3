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

// A Wording is what a key says, or a card is called, in each language: "" where
// it has no words. A field for each is a tenth of a map, and a program holds
// thousands.
type Wording struct{ en, fr string }

// Worded makes a Wording of what say returns for each language.
func Worded(say func(Lang) string) Wording {
	var w Wording
	for _, lang := range Languages {
		w.Set(lang, say(lang))
	}
	return w
}

// In returns the words in a language, "" where there are none.
func (w Wording) In(lang Lang) string { return *w.at(lang) }

// Set takes the words in a language.
func (w *Wording) Set(lang Lang, words string) { *w.at(lang) = words }

// at is the only place where a language is matched with its field.
func (w *Wording) at(lang Lang) *string {
	if lang == French {
		return &w.fr
	}
	return &w.en
}
