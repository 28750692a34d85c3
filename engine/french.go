package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// frenchSpaces makes spaces non-breaking before French punctuation and inside guillemets.
var frenchSpaces = strings.NewReplacer(" ;", "\u00a0;", " :", "\u00a0:", " !", "\u00a0!", " ?", "\u00a0?", "« ",
	"«\u00a0", " »", "\u00a0»")

// frenchElided holds the French words that lose their last letter before a vowel. A template
// has the full word, such as "le tour de {seat}". The method Words.Say shortens the word, as
// in "le tour d'Alice".
var frenchElided = map[string]bool{
	"de": true, "je": true, "jusque": true, "la": true, "le": true, "lorsque": true,
	"ne": true, "puisque": true, "que": true, "se": true,
}

// elide returns the words of a template that stand before a value. If the value demands it,
// the last of these words loses its last letter. If person is true, the value is the name of a
// player or a seat.
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

func isTitle(value any, names map[Seat]string) bool {
	switch v := value.(type) {
	case Word, Text:
		return true
	case Seat:
		return names[v] == ""
	}
	return false
}

// contract joins the word "de" or "à" to the article of the title that follows it. It returns
// the words before the title, and the title. Examples are "le tour du Dévoreur" and "des
// Jumelles". The articles "La" and "L'" are not joined but get a small letter, as in "à
// l'Œil". If the words do not end with "de" or "à", or if the title has no article, contract
// changes nothing.
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

// beginsAsVowel reports whether French elides a word before a value. The letter Y counts as a
// vowel before a consonant, as in d'Yves, but not in de Yann. The letter H counts as a vowel
// only at the beginning of a person's name, as in d'Hélène. It does not count in any other
// value, because French elides nothing before many words with H, and because the titles of
// cards are often English.
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
