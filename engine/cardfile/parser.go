package cardfile

import (
	"regexp"
	"slices"
	"strconv"
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
	return &Parser{words{source: source, list: lex(source, column), end: column + len(source)}, column}
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

// Sentences separates a full stop or semicolon from the word before it. Each such sign becomes
// the word ".". The sign that ends the ability is dropped. An abbreviation, such as "K.O", has its
// last full stop.
func (p *Parser) Sentences() {
	var all []engine.Token
	for _, w := range p.list {
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
	p.list = all
}

// Replace replaces single words by other words with the same meaning. So a game has to read
// only one of the words. Call Replace before any word is taken.
func (p *Parser) Replace(words map[string]string) {
	for i, w := range p.list {
		if other, found := words[w.Text]; found {
			p.list[i].Text = other
		}
	}
}

// longestPhrase is the most words that a phrase for Translate may have.
const longestPhrase = 9

// Translate replaces phrases by other phrases with the same meaning. So a game has to read
// only one of the phrases. If several phrases begin at a word, Translate replaces the longest
// phrase. Call Translate before any word is taken. Errors show the original phrase.
func (p *Parser) Translate(phrases map[string]string) {
	var list []engine.Token
	var phrase []byte
	for at := 0; at < len(p.list); {
		words, other := 0, ""
		phrase = phrase[:0]
		for n, w := range p.list[at:min(at+longestPhrase, len(p.list))] {
			if n > 0 {
				phrase = append(phrase, ' ')
			}
			phrase = append(phrase, w.Text...)
			if means, found := phrases[string(phrase)]; found {
				words, other = n+1, means
			}
		}
		if words == 0 {
			list = append(list, p.list[at])
			at++
			continue
		}
		p.remember(at, words)
		for word := range strings.FieldsSeq(other) {
			list = append(list, engine.Token{Text: word, Column: p.list[at].Column})
		}
		at += words
	}
	p.pos, p.list = 0, list
}

// TranslateFrench translates French phrases into English ones. After that, errors about a
// French sentence offer French phrases.
func (p *Parser) TranslateFrench(french *French) {
	before := len(p.originals)
	p.Translate(french.english)
	p.french, p.foundFrench = french, len(p.originals) > before
}

// remember keeps the original words of a phrase that will be translated. The phrase has n
// words, and its first word has the given index. If a phrase that begins at the same word was
// kept before, the earlier phrase stays.
func (p *Parser) remember(start, n int) {
	first := p.list[start].Column
	if p.originals[first] != "" {
		return
	}
	var phrase []string
	for _, w := range p.list[start : start+n] {
		phrase = append(phrase, w.Text)
	}
	if p.originals == nil {
		p.originals = map[int]string{}
	}
	p.originals[first] = strings.Join(phrase, " ")
}

// Left returns the words that are not taken yet, as they were written.
func (p *Parser) Left() string { return strings.TrimSpace(p.source[p.Column()-p.column:]) }

// Take takes a word if it comes next, and reports whether it did.
func (p *Parser) Take(word string) bool { return p.TakeAll(word) }

// TakeAll takes the given words if all these words come next, in this order. Otherwise it
// takes no word. TakeAll reports whether it took the words.
func (p *Parser) TakeAll(words ...string) bool {
	for i, word := range words {
		if p.pos+i >= len(p.list) || p.list[p.pos+i].Text != word {
			return false
		}
	}
	p.pos += len(words)
	return true
}

// TakeAny takes the next word if it is one of the given words, and reports whether it did.
func (p *Parser) TakeAny(words ...string) bool { return slices.ContainsFunc(words, p.Take) }

// Need takes the given word or sign. If another word comes next, Need returns an error. The
// error includes the context, such as "after a condition".
func (p *Parser) Need(word, context string) error {
	switch {
	case p.Take(word):
		return nil
	case p.Done():
		return p.Fail("%q is missing %s", p.oneOf(word), context)
	}
	if near := p.nearestWord([]string{word}); near != "" {
		return p.Fail("got %q %s; did you mean %q?", p.Written(), context, near)
	}
	return p.Fail("got %q, want %q %s", p.Written(), p.oneOf(word), context)
}

// Number takes a number from 1 to high.
func (p *Parser) Number(high int) (int, error) { return p.number(p.Peek(), high) }

// More takes a number from 1 to high that may have a plus sign, as in "+2".
func (p *Parser) More(high int) (int, error) {
	return p.number(strings.TrimPrefix(p.Peek(), "+"), high)
}

func (p *Parser) number(digits string, high int) (int, error) {
	n, err := strconv.Atoi(digits)
	switch {
	case p.Done():
		return 0, p.Fail("a number from 1 to %d is missing", high)
	case err != nil || n < 1 || n > high || strconv.Itoa(n) != digits:
		return 0, p.Fail("%q is not a number from 1 to %d", p.Written(), high)
	}
	p.pos++
	return n, nil
}

// TakeNone takes the word "none" or "?". The word "none" says that an ability does
// nothing. The word "?" says that the ability is unknown. After either word, the second result
// is true. After "?", the first result is true as well. If another word comes next, it is not
// taken, and both results are false. Any word after "none" or "?" leads to an error.
func (p *Parser) TakeNone() (unknown, nothing bool, err error) {
	word := p.Written()
	unknown = p.Take("?")
	nothing = unknown || p.Take("none")
	if nothing && !p.Done() {
		err = p.Fail("nothing can follow %q", word)
	}
	return unknown, nothing, err
}

// Parts calls readPart for each part of an ability, and stops at the first error. For example,
// "gain 2 life, then draw a card" has two parts. If an ability has more parts than the limit,
// Parts returns an error. If Sentences was called before, a full stop also divides parts.
func (p *Parser) Parts(limit int, readPart func() error) error {
	for n := 0; ; n++ {
		if n == limit {
			return p.Fail("an ability has at most %d parts", limit)
		}
		if err := readPart(); err != nil {
			return err
		}
		comma, then := p.Take(",") || p.Take("."), p.Take("then")
		switch {
		case p.Done() && !comma && !then:
			return nil
		case !comma && !then:
			if near := p.nearestWord([]string{"then"}); near != "" {
				return p.Fail("%q does not follow here; did you mean %q?", p.Written(), ", "+near)
			}
			return p.Fail("%q does not follow here: the ability ends, or goes on with %q", p.Written(), p.oneOf(", then"))
		}
	}
}
