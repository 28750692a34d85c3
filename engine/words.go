package engine

import _ "embed"

//go:embed words.txt
var coreWords string

// CoreWords returns the catalogue of the table itself. It does not include the catalogue of
// any game.
func CoreWords() Words { return MustWords("engine/words.txt", coreWords) }

// MustWords parses a catalogue of the program. It panics if the catalogue is malformed, which
// is a bug.
func MustWords(file, source string) Words {
	words, err := ParseWords(file, source)
	if err != nil {
		panic(err)
	}
	return words
}

// A Wording holds a text or the title of a card in each language. If there is no text in a
// language, the field of this language is "". A map in place of these fields would take ten
// times the memory, and the program holds thousands of texts.
type Wording struct{ en, fr string }

// Worded returns a Wording with the text that the given function returns for each language.
func Worded(say func(Lang) string) Wording {
	var w Wording
	for _, lang := range Languages {
		w.Set(lang, say(lang))
	}
	return w
}

// In returns the text in a language, or "" if there is none.
func (w Wording) In(lang Lang) string { return *w.textPointer(lang) }

// MarshalText returns the English text.
func (w Wording) MarshalText() ([]byte, error) { return []byte(w.en), nil }

// Set sets the text in a language.
func (w *Wording) Set(lang Lang, words string) { *w.textPointer(lang) = words }

func (w *Wording) textPointer(lang Lang) *string {
	if lang == French {
		return &w.fr
	}
	return &w.en
}
