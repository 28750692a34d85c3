package mindbug

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tableside/engine"
)

// A form is one way to say something: words, and holes in angle brackets
// that are filled by a fill of that name. The first form of a value is how it
// is written.
type form[T comparable] struct {
	words string
	is    T
}

// A fill reads what stands in a hole.
type fill func(p *parser) error

// fills are the holes of a table of forms.
type fills map[string]fill

type lexeme struct {
	text   string
	column int
}

// lex divides words at spaces, commas and colons.
func lex(words string, column int) []lexeme {
	var all []lexeme
	start := -1
	end := func(i int) {
		if start >= 0 {
			text := strings.ReplaceAll(strings.ToLower(words[start:i]), "’", "'")
			all = append(all, lexeme{text, column + start})
			start = -1
		}
	}
	for i, r := range words {
		switch {
		case unicode.IsSpace(r):
			end(i)
		case r == ',' || r == ':':
			end(i)
			all = append(all, lexeme{string(r), column + i})
		case start < 0:
			start = i
		}
	}
	end(len(words))
	return all
}

// A parser goes through the words of an ability.
type parser struct {
	words []lexeme
	at    int
	end   int // the column behind the last word
}

func newParser(words string, column int) *parser {
	trimmed := strings.TrimRightFunc(words, unicode.IsSpace)
	return &parser{words: lex(words, column), end: column + len(trimmed)}
}

func (p *parser) peek() string {
	if p.at < len(p.words) {
		return p.words[p.at].text
	}
	return ""
}

func (p *parser) column() int {
	if p.at < len(p.words) {
		return p.words[p.at].column
	}
	return p.end
}

func (p *parser) take(word string) bool {
	if p.peek() != word || p.at == len(p.words) {
		return false
	}
	p.at++
	return true
}

func (p *parser) fail(format string, args ...any) error {
	return &engine.SyntaxError{Column: p.column(), Reason: fmt.Sprintf(format, args...)}
}

// expected says which words could stand here.
func (p *parser) expected(what string, words []string) error {
	got := p.peek()
	near := engine.Nearest(got, words)
	switch {
	case got == "":
		return p.fail("%s is missing: expected %s", what, oneOf(words))
	case near != "":
		return p.fail("%q is not %s; did you mean %q?", got, what, near)
	}
	return p.fail("%q is not %s: expected %s", got, what, oneOf(words))
}

// match takes the form that goes farthest. Where none goes to its end, the
// error is at the word that breaks those that went farthest.
func match[T comparable](p *parser, what string, forms []form[T], holes fills) (T, error) {
	begin, best, reach := p.at, -1, -1
	var failure error
	var next []string
	var none T
	fails := func(at int, err error, word string) {
		if at > reach {
			reach, failure, next = at, nil, nil
		}
		if at < reach {
			return
		}
		if err != nil && failure == nil {
			failure = err
		}
		if word != "" && !slices.Contains(next, word) {
			next = append(next, word)
		}
	}
	longest := begin - 1
	for i := range forms {
		p.at = begin
		ok := true
		for word := range strings.FieldsSeq(forms[i].words) {
			if hole := holes[word]; hole != nil {
				if err := hole(p); err != nil {
					fails(p.at, err, "")
					ok = false
					break
				}
			} else if !p.take(word) {
				fails(p.at, nil, word)
				ok = false
				break
			}
		}
		if ok && p.at > longest {
			best, longest = i, p.at
		}
	}
	if best < 0 {
		p.at = reach
		if failure != nil && (len(next) == 0 || reach > begin && engine.Nearest(p.peek(), next) == "") {
			return none, failure
		}
		if reach > begin {
			what = fmt.Sprintf("what follows %q", p.words[reach-1].text)
		}
		return none, p.expected(what, next)
	}
	p.at = begin // once more, as later forms may have filled the holes anew
	for word := range strings.FieldsSeq(forms[best].words) {
		if hole := holes[word]; hole != nil {
			_ = hole(p)
		} else {
			p.at++
		}
	}
	return forms[best].is, nil
}

// number fills a hole with a number from 1.
func number(into *int, high int) fill {
	return func(p *parser) error {
		t := p.peek()
		n, err := strconv.Atoi(strings.TrimPrefix(t, "+"))
		switch {
		case t == "":
			return p.fail("a number from 1 to %d is missing", high)
		case err != nil || n < 1 || n > high || strconv.Itoa(n) != strings.TrimPrefix(t, "+"):
			return p.fail("%q is not a number from 1 to %d", t, high)
		}
		*into = n
		p.at++
		return nil
	}
}

// written is how a value is written.
func written[T comparable](forms []form[T], value T) string {
	for _, f := range forms {
		if f.is == value {
			return f.words
		}
	}
	return ""
}

// oneOf lists words that could stand somewhere.
func oneOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
