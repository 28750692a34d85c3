package cardfile

import (
	"slices"
	"strings"

	"tableside/engine"
)

// Phrases read, write and say values: a row for each value.
type Phrases[T comparable] []struct {
	Is T

	// Key is that of the catalogue in which the value is said, or what a game
	// adds to one.
	Key string

	// Words are those in which the value is written, and behind " / " others
	// that mean the same. In angle brackets stands a hole, "gain <n> life". A
	// word of the others may have alternatives, "a|one", and may be left out
	// where it stands in square brackets, "[the|your]".
	Words string
}

const or = " / "

// Holes say how each hole of a table is read.
type Holes map[string]func(*Parser) error

// Read takes the longest phrase that stands here. Where a phrase begins but
// does not go on, the error is at the word that breaks the one that went
// farthest.
func (all Phrases[T]) Read(p *Parser, what string) (T, error) { return all.Match(p, what, nil) }

// Take takes the longest phrase that stands here, if one does.
func (all Phrases[T]) Take(p *Parser) (value T, found bool) {
	before := p.at
	value, err := all.Read(p, "")
	if err != nil {
		p.at = before
	}
	return value, err == nil
}

// Match is Read for phrases with holes. Phrases that do not fit may have
// filled holes that the one that does has not: see Forms.
func (all Phrases[T]) Match(p *Parser, what string, holes Holes) (T, error) {
	return all.match(&matcher{p: p, holes: holes}, what)
}

func (all Phrases[T]) match(m *matcher, what string) (T, error) {
	p := m.p
	m.from, m.reach = p.at, p.at
	var best T
	var words string
	longest := p.at - 1
	try := func(value T, way string) {
		if m.fits(way) && p.at > longest {
			best, words, longest = value, way, p.at
		}
	}
	for _, row := range all { // errors name the words that are written before others
		way, _, _ := strings.Cut(row.Words, or)
		try(row.Is, way)
	}
	for _, row := range all {
		if _, others, more := strings.Cut(row.Words, or); more {
			for way := range strings.SplitSeq(others, or) {
				try(row.Is, way)
			}
		}
	}
	p.at = m.from
	if longest < p.at || m.reach > longest {
		var none T
		var whole []string
		if m.holes == nil {
			whole = all.Written()
		}
		return none, m.failure(what, whole)
	}
	m.fits(words) // once more: later phrases may have filled the holes anew
	return best, nil
}

// Write returns the words of a value.
func (all Phrases[T]) Write(value T) string {
	for _, row := range all {
		if row.Is == value {
			words, _, _ := strings.Cut(row.Words, or)
			return words
		}
	}
	return ""
}

// Key returns what a value is said with.
func (all Phrases[T]) Key(value T) string {
	for _, row := range all {
		if row.Is == value {
			return row.Key
		}
	}
	return ""
}

// Written lists how the values are written.
func (all Phrases[T]) Written() []string {
	var list []string
	for _, row := range all {
		if words := all.Write(row.Is); !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	return list
}

// Only keeps the rows of some values.
func (all Phrases[T]) Only(values ...T) Phrases[T] {
	var kept Phrases[T]
	for _, row := range all {
		if slices.Contains(values, row.Is) {
			kept = append(kept, row)
		}
	}
	return kept
}

// A matcher tries phrases, and remembers how far those went that broke.
type matcher struct {
	p     *Parser
	from  int
	holes Holes
	begin func() // before a phrase is tried; nil for nothing

	reach int      // the word that broke those that went farthest
	next  []string // what could have stood there
	hole  error    // what a hole said of it
}

// fits reads a phrase.
func (m *matcher) fits(words string) bool {
	m.p.at = m.from
	if m.begin != nil {
		m.begin()
	}
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
		return p.Fail("nothing follows %q: expected %s", p.list[m.reach-1].Text, OneOf(m.next))
	}
	return p.Fail("%q cannot follow %q: expected %s", got, p.list[m.reach-1].Text, OneOf(m.next))
}

// Number is a hole for a number from 1.
func Number(into *int, high int) func(*Parser) error {
	return func(p *Parser) (err error) {
		*into, err = p.Number(high)
		return err
	}
}

// Forms are phrases with holes that are fields of an S: of an effect with
// "gain <n> life" its number.
type Forms[T comparable, S any] struct {
	Phrases Phrases[T]
	Holes   map[string]Hole[S] // by how phrases have them: "<n>"
}

// A Hole reads, writes and says a field.
type Hole[S any] struct {
	Read  func(p *Parser, into *S) error
	Write func(of *S) string
	Say   func(of *S) any // an argument of a text, "n" of "<n>"; nil for none
}

// Read takes the longest phrase that stands here, as Phrases.Read does, and
// fills its holes. All else of s stays as it is.
func (f Forms[T, S]) Read(p *Parser, what string, s *S) (T, error) {
	trial := *s
	m := &matcher{p: p, holes: Holes{}, begin: func() { trial = *s }}
	for name, hole := range f.Holes {
		m.holes[name] = func(p *Parser) error { return hole.Read(p, &trial) }
	}
	value, err := f.Phrases.match(m, what)
	if err == nil {
		*s = trial
	}
	return value, err
}

// Write returns the words of a value, with those of its holes.
func (f Forms[T, S]) Write(value T, s *S) string {
	words := strings.Fields(f.Phrases.Write(value))
	for i, word := range words {
		if hole, found := f.Holes[word]; found {
			words[i] = hole.Write(s)
		}
	}
	return strings.Join(words, " ")
}

// Say returns a value for people.
func (f Forms[T, S]) Say(value T, s *S) engine.Text {
	text := engine.Text{Key: f.Phrases.Key(value), Args: engine.Args{}}
	for word := range strings.FieldsSeq(f.Phrases.Write(value)) {
		if hole := f.Holes[word]; hole.Say != nil {
			text.Args[strings.Trim(word, "<>")] = hole.Say(s)
		}
	}
	return text
}
