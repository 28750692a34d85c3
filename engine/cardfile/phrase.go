package cardfile

import (
	"slices"
	"strings"

	"tableside/engine"
)

// Phrases are the ways to write values: words, and holes in angle brackets,
// "gain <n> life". A word may have alternatives, "a|one", and may be left out
// where it stands in square brackets, "[the|your]". The first phrase of a value
// is the canonical one, of plain words.
type Phrases[T comparable] []struct {
	Words string
	Is    T
}

// Holes say how each hole of a table is read.
type Holes map[string]func(*Parser) error

// Match takes the longest phrase that stands here. Where a phrase begins but
// does not go on, the error is at the word that breaks the one that went
// farthest.
func Match[T comparable](p *Parser, what string, phrases Phrases[T], holes Holes) (T, error) {
	m := matcher{p: p, from: p.at, reach: p.at, holes: holes}
	best, longest := -1, p.at-1
	for i := range phrases {
		if m.fits(phrases[i].Words) && p.at > longest {
			best, longest = i, p.at
		}
	}
	p.at = m.from
	if best < 0 || m.reach > longest {
		var none T
		var whole []string
		if holes == nil {
			whole = Canonical(phrases)
		}
		return none, m.failure(what, whole)
	}
	m.fits(phrases[best].Words) // once more: later phrases may have filled the holes anew
	return phrases[best].Is, nil
}

// A matcher tries phrases, and remembers how far those went that broke.
type matcher struct {
	p     *Parser
	from  int
	holes Holes

	reach int      // the word that broke those that went farthest
	next  []string // what could have stood there
	hole  error    // what a hole said of it
}

// fits reads a phrase.
func (m *matcher) fits(words string) bool {
	m.p.at = m.from
	for word := range strings.FieldsSeq(words) {
		if hole := m.holes[word]; hole != nil {
			if err := hole(m.p); err != nil {
				m.broken("", err)
				return false
			}
		} else if optional, found := strings.CutPrefix(word, "["); found {
			m.takes(strings.TrimSuffix(optional, "]"))
		} else if !m.takes(word) {
			first, _, _ := strings.Cut(word, "|")
			m.broken(first, nil)
			return false
		}
	}
	return true
}

// takes takes a word that is one of the alternatives.
func (m *matcher) takes(alternatives string) bool {
	for word := range strings.SplitSeq(alternatives, "|") {
		if m.p.Take(word) {
			return true
		}
	}
	return false
}

func (m *matcher) broken(word string, hole error) {
	at := m.p.at
	if at < m.reach {
		return
	}
	if at > m.reach {
		m.reach, m.next, m.hole = at, nil, nil
	}
	if m.hole == nil {
		m.hole = hole
	}
	if word != "" && !slices.Contains(m.next, word) {
		m.next = append(m.next, word)
	}
}

// failure says what could stand at the word where it broke: at the first one
// the whole phrases, if they are plain words.
func (m *matcher) failure(what string, whole []string) error {
	p := m.p
	p.at = m.reach
	near := engine.Nearest(p.Peek(), m.next)
	if m.hole != nil && (len(m.next) == 0 || m.reach > m.from && near == "") {
		return m.hole
	}
	if m.reach == m.from && whole != nil {
		m.next = whole
	}
	got := p.Peek()
	switch {
	case near != "":
		return p.Fail("%q is not %s; did you mean %q?", got, what, near)
	case m.reach == m.from && p.Done():
		return p.Fail("%s is missing: expected %s", what, OneOf(m.next))
	case m.reach == m.from:
		return p.Fail("%q is not %s: expected %s", got, what, OneOf(m.next))
	case p.Done():
		return p.Fail("nothing follows %q: expected %s", p.words[m.reach-1].text, OneOf(m.next))
	}
	return p.Fail("%q cannot follow %q: expected %s", got, p.words[m.reach-1].text, OneOf(m.next))
}

// Number is a hole for a number from 1.
func Number(into *int, high int) func(*Parser) error {
	return func(p *Parser) (err error) {
		*into, err = p.Number(high)
		return err
	}
}

// Canonical is the first phrase of each value.
func Canonical[T comparable](phrases Phrases[T]) []string {
	var all []string
	for _, f := range phrases {
		if Written(phrases, f.Is) == f.Words {
			all = append(all, f.Words)
		}
	}
	return all
}

// Written is the canonical phrase of a value.
func Written[T comparable](phrases Phrases[T], value T) string {
	for _, f := range phrases {
		if f.Is == value {
			return f.Words
		}
	}
	return ""
}

// Only keeps the phrases of some values.
func Only[T comparable](phrases Phrases[T], values []T) Phrases[T] {
	var kept Phrases[T]
	for _, f := range phrases {
		if slices.Contains(values, f.Is) {
			kept = append(kept, f)
		}
	}
	return kept
}
