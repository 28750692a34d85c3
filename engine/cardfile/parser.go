package cardfile

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tableside/engine"
)

// A Parser takes the words of an ability one by one, in small letters. A comma or a colon is a
// word of its own.
type Parser struct {
	words
	column int // where source begins
}

// NewParser returns a Parser of source, which begins at a column of its line.
func NewParser(source string, column int) *Parser {
	source = strings.TrimRightFunc(source, unicode.IsSpace)
	list := separateStops(lex(source, column))
	return &Parser{words{source: source, list: list, end: column + len(source)}, column}
}

// lex splits a text at spaces, commas and colons.
func lex(text string, column int) (all []engine.Token) {
	ends := func(r rune) bool { return r == ',' || r == ':' || unicode.IsSpace(r) }
	for at, n := 0, 0; at < len(text); at += n {
		switch n = strings.IndexFunc(text[at:], ends); n {
		case -1:
			n = len(text) - at
		case 0:
			_, n = utf8.DecodeRuneInString(text[at:])
		}
		if word := strings.TrimSpace(text[at : at+n]); word != "" {
			word = strings.ReplaceAll(strings.ToLower(word), "’", "'")
			all = append(all, engine.Token{Text: word, Column: column + at})
		}
	}
	return all
}

var initials = regexp.MustCompile(`^\pL(\.\pL)+$`)

// separateStops separates a full stop or semicolon from the word before it. Each such sign becomes
// the word ".". The sign that ends the ability is dropped. An abbreviation, such as "K.O", has its
// last full stop.
func separateStops(list []engine.Token) (all []engine.Token) {
	for _, w := range list {
		text := strings.TrimRight(w.Text, ".;")
		if initials.MatchString(text) {
			all = append(all, engine.Token{Text: text + ".", Column: w.Column})
			continue
		}
		if text != "" {
			all = append(all, engine.Token{Text: text, Column: w.Column})
		}
		if len(text) < len(w.Text) && len(all) > 0 {
			all = append(all, engine.Token{Text: ".", Column: w.Column + len(text)})
		}
	}
	if n := len(all); n > 1 && all[n-1].Text == "." {
		all = all[:n-1]
	}
	return all
}

// Left returns the words that are not taken yet, as they were written.
func (p *Parser) Left() string { return strings.TrimSpace(p.source[p.Column()-p.column:]) }

// Take takes a word if it comes next, and reports whether it did.
func (p *Parser) Take(word string) bool {
	if p.Peek() != word {
		return false
	}
	p.pos++
	return true
}

// nothing holds the words that say that an ability does nothing.
var nothing = []string{"none", "rien", "aucun", "aucune"}

// TakeNone takes the word "none", in either language, or "?". The word "none" says that an ability does
// nothing. The word "?" says that the ability is unknown. After either word, the second result
// is true. After "?", the first result is true as well. If another word comes next, it is not
// taken, and both results are false. Any word after "none" or "?" leads to an error.
func (p *Parser) TakeNone() (unknown, none bool, err error) {
	word := p.Peek()
	unknown = p.Take("?")
	none = unknown || slices.Contains(nothing, word) && (word == "none" || p.pos+1 == len(p.list)) // "aucun adversaire"
	if none && !unknown {
		p.pos++
	}
	if none && !p.Done() {
		err = p.Fail("nothing can follow %q", word)
	}
	return unknown, none, err
}
