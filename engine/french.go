package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// frenchSpaces makes spaces non-breaking before French punctuation and inside guillemets.
var frenchSpaces = strings.NewReplacer(" ;", "\u00a0;", " :", "\u00a0:", " !", "\u00a0!", " ?", "\u00a0?", "« ",
	"«\u00a0", " »", "\u00a0»")

// frenchElided holds the words that lose their last letter before a vowel. A
// template has them in full, "le tour de {seat}", and Say elides them: "le tour
// d'Alice".
var frenchElided = map[string]bool{
	"de": true, "je": true, "jusque": true, "la": true, "le": true, "lorsque": true,
	"ne": true, "puisque": true, "que": true, "se": true,
}

// elide returns the words of a template before a value. It elides the last of these words if
// the value needs that. person says whether the value names a player or a seat.
func elide(before, value string, person bool) string {
	stem, spaced := strings.CutSuffix(before, " ")
	ahead := strings.TrimRightFunc(stem, unicode.IsLetter)
	word := stem[len(ahead):]
	if !spaced || !frenchElided[strings.ToLower(word)] || !beginsAsVowel(value, person) {
		return before
	}
	if strings.HasSuffix(ahead, "-") {
		return before // "prends-le": a pronoun after its verb stays whole
	}
	return stem[:len(stem)-1] + "'"
}

// isTitle reports whether a value comes from a catalogue: only then is a "le" at its beginning
// an article. In a player's own name, Le Gall, it belongs to the name.
func isTitle(value any, names map[Seat]string) bool {
	switch v := value.(type) {
	case Word, Text:
		return true
	case Seat:
		return names[v] == ""
	}
	return false
}

// contract returns the words before a title and the title, with "de" or "à" joined to the
// article of the title: "le tour du Dévoreur", "des Jumelles". The articles "La" and "L'" are
// not joined but written small: "à l'Œil". If the words end with neither "de" nor "à", or the
// title has no article, both stay as they are.
func contract(before, value string) (string, string) {
	stem, spaced := strings.CutSuffix(before, " ")
	ahead := strings.TrimRightFunc(stem, unicode.IsLetter)
	word := strings.ToLower(stem[len(ahead):])
	if !spaced || word != "de" && word != "à" {
		return before, value
	}
	lower := strings.ToLower(value)
	title := value[strings.IndexAny(value, " '\u2019")+1:]
	first, _ := utf8.DecodeRuneInString(stem[len(ahead):])
	joined := ahead + string(first)
	if word == "à" {
		joined = ahead + map[rune]string{'à': "a", 'À': "A"}[first]
	}
	switch {
	case strings.HasPrefix(lower, "le "):
		return joined + "u ", title
	case strings.HasPrefix(lower, "les ") && word == "de":
		return joined + "es ", title
	case strings.HasPrefix(lower, "les "):
		return joined + "ux ", title
	case strings.HasPrefix(lower, "la "), strings.HasPrefix(lower, "l'"), strings.HasPrefix(lower, "l\u2019"):
		return before, "l" + value[1:]
	}
	return before, value
}

// frenchVowels lists vowels, with the accents found in European names.
const frenchVowels = "aáàâäãåāæeéèêëēėęěiíìîïīoóòôöõøōőœuúùûüūůű"

// frenchHiatus holds the words before which nothing is elided, though they begin
// with a vowel.
var frenchHiatus = map[string]bool{"onze": true, "onzième": true, "oui": true}

// beginsAsVowel reports whether French elides before a value. Y counts as a vowel before a
// consonant: d'Yves, but de Yann. H counts as silent only at the beginning of a person's name:
// d'Hélène. Too many other words with h do not elide, and the titles of cards are often
// English.
func beginsAsVowel(value string, person bool) bool {
	value = strings.ToLower(value)
	word := value[:len(value)-len(strings.TrimLeftFunc(value, unicode.IsLetter))]
	first, size := utf8.DecodeRuneInString(value)
	second, _ := utf8.DecodeRuneInString(value[size:])
	switch {
	case frenchHiatus[word]:
		return false
	case first == 'h':
		return person
	case first == 'y' || first == 'ý' || first == 'ÿ':
		return !strings.ContainsRune(frenchVowels, second)
	}
	return strings.ContainsRune(frenchVowels, first)
}
