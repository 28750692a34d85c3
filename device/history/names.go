package history

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// NameKey returns a text that is the same for all spellings of a person's name: with letters and
// accents in one piece or in two (NFC or NFD), and whatever its capitals, apostrophes, hyphens and
// spaces. The text is for comparing only. People are shown what they typed.
func NameKey(name string) string {
	return norm.NFC.String(strings.Map(foldLetter, norm.NFC.String(strings.Join(strings.Fields(name), " "))))
}

func foldLetter(r rune) rune {
	switch r {
	case '’', '‘', 'ʼ', '′', '`', '´':
		return '\''
	case '‐', '‑', '‒', '–', '—', '−':
		return '-'
	}
	return unicode.ToLower(unicode.ToUpper(r)) // as ſ and s
}

// SameName reports whether two names are spellings of one name. See NameKey.
func SameName(a, b string) bool { return NameKey(a) == NameKey(b) }
