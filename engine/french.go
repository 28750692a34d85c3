package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// frenchSpaces makes the spaces before French punctuation non-breaking.
var frenchSpaces = strings.NewReplacer(" ;", "\u00a0;", " :", "\u00a0:", " !", "\u00a0!", " ?", "\u00a0?", "« ",
	"«\u00a0", " »", "\u00a0»")

// frenchElided holds the words that lose their last letter before a vowel. A
// template has them in full, "le tour de {seat}", and Say elides them: "le tour
// d'Alice".
var frenchElided = map[string]bool{
	"de": true, "je": true, "jusque": true, "la": true, "le": true, "lorsque": true,
	"ne": true, "puisque": true, "que": true, "se": true,
}

// elide returns the words of a template before a value, elided if the value
// needs it.
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

// frenchVowels lists vowels, with the accents found in European names.
const frenchVowels = "aáàâäãåāæeéèêëēėęěiíìîïīoóòôöõøōőœuúùûüūůű"

// frenchHiatus holds the words before which nothing is elided, though they begin
// with a vowel.
var frenchHiatus = map[string]bool{"onze": true, "onzième": true, "oui": true}

// beginsAsVowel reports whether French elides before a value. Y counts before a
// consonant: d'Yves, de Yann. H counts at the beginning of a person's name,
// d'Hélène; too many other words with h do not elide, and the titles of cards
// are often English.
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
