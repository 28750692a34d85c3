package cardfile

import (
	"cmp"
	"slices"
	"strings"
)

// Phrases is a table with a row for each value. The row holds the phrases from which the value
// is read, and the one with which it is written.
type Phrases[T comparable] []struct {
	Value T

	Key string // of the catalogue, or a part of such a key, which the game completes

	// Words holds the phrases for the value, divided by " / ". Write returns the first phrase,
	// and the other phrases mean the same. "<n>" is a hole. In the other phrases, "a|one"
	// stands for either word, and "[the|your]" stands for one of these words or no word.
	Words string
}

const phraseSep = " / "

// Read takes the longest phrase that fits the next words, and returns its value. If no phrase
// fits, Read returns an error. A phrase may also match only in its first words. If such a
// phrase matches more words than the longest phrase that fits, Read returns an error, too. The
// error is at the first wrong word of the phrase that matched most. In the error, label names
// the kind of phrase.
func (all Phrases[T]) Read(p *Parser, label string) (T, error) {
	return all.match(&matcher{p: p}, label)
}

// Take takes the longest phrase that fits the next words, and returns its value and true. If
// no phrase fits, Take takes no word and returns false. A phrase may also match only in its
// first words. If such a phrase matches more words than the longest phrase that fits, Take
// returns false, too.
func (all Phrases[T]) Take(p *Parser) (value T, found bool) {
	m := &matcher{p: p}
	value, found = all.takeLongest(m)
	if !found {
		p.pos = m.start
	}
	return value, found
}

func (all Phrases[T]) match(m *matcher, label string) (T, error) {
	value, found := all.takeLongest(m)
	if found {
		return value, nil
	}
	var whole []string
	if m.holes == nil {
		whole = all.Written()
	}
	return value, m.failure(label, whole)
}

// takeLongest takes the longest phrase that fits the next words, and returns its value and
// true. If no phrase fits, takeLongest takes no word and returns false. A phrase may also
// match only in its first words. If such a phrase matches more words than the longest phrase
// that fits, takeLongest returns false, too.
func (all Phrases[T]) takeLongest(m *matcher) (best T, found bool) {
	p := m.p
	m.start, m.farthest = p.pos, p.pos
	var words string
	longest := p.pos - 1
	try := func(value T, way string) {
		if m.matchPhrase(way) && p.pos > longest {
			best, words, longest = value, way, p.pos
		}
	}
	for _, row := range all { // first phrases before others, so that errors name them first
		way, _, _ := strings.Cut(row.Words, phraseSep)
		try(row.Value, way)
	}
	for _, row := range all {
		if _, others, more := strings.Cut(row.Words, phraseSep); more {
			for way := range strings.SplitSeq(others, phraseSep) {
				try(row.Value, way)
			}
		}
	}
	p.pos = m.start
	if longest < p.pos || m.farthest > longest {
		var none T
		return none, false
	}
	m.matchPhrase(words) // again: later phrases may have overwritten the holes
	return best, true
}

func (all Phrases[T]) find(value T) (key, words string) {
	for _, row := range all {
		if row.Value == value {
			words, _, _ = strings.Cut(row.Words, phraseSep)
			return row.Key, words
		}
	}
	return "", ""
}

// Write returns the words of a value, or "" if the table lacks the value.
func (all Phrases[T]) Write(value T) string { _, words := all.find(value); return words }

// Key returns the catalogue key of a value, or "" if the table lacks the value.
func (all Phrases[T]) Key(value T) string { key, _ := all.find(value); return key }

// Written returns the phrases as Write writes them, each once.
func (all Phrases[T]) Written() (list []string) {
	for _, row := range all {
		if words := all.Write(row.Value); !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	return list
}

// First lists the first words of all phrases. If several phrases have the same meaning, it
// includes the first word of each.
func (all Phrases[T]) First() (list []string) {
	for _, row := range all {
		for way := range strings.SplitSeq(row.Words, phraseSep) {
			first, _, _ := strings.Cut(way, " ")
			list = append(list, strings.Split(strings.Trim(first, "[]"), "|")...)
		}
	}
	return list
}

// Only returns a table of the rows whose values are given.
func (all Phrases[T]) Only(values ...T) (kept Phrases[T]) {
	for _, row := range all {
		if slices.Contains(values, row.Value) {
			kept = append(kept, row)
		}
	}
	return kept
}

// A matcher tries phrases at one place of a text. It remembers the farthest word at which a
// phrase failed, and what was expected there.
type matcher struct {
	p     *Parser
	start int
	holes map[string]func(*Parser) error
	reset func() // called before each phrase; may be nil

	farthest int      // the index of the word at which these phrases failed
	expected []string // the words that could stand there
	holeErr  error    // the error of a hole there
}

// matchPhrase reads a phrase and reports whether it comes next.
func (m *matcher) matchPhrase(words string) bool {
	m.p.pos = m.start
	if m.reset != nil {
		m.reset()
	}
	for word := range strings.FieldsSeq(words) {
		if hole := m.holes[word]; hole != nil {
			if err := hole(m.p); err != nil {
				return m.fail("", err)
			}
		} else if optional, found := strings.CutPrefix(word, "["); found {
			m.takeOneOf(strings.TrimSuffix(optional, "]"))
		} else if !m.takeOneOf(word) {
			first, _, _ := strings.Cut(word, "|")
			return m.fail(first, nil)
		}
	}
	return true
}

func (m *matcher) takeOneOf(words string) bool {
	for word := range strings.SplitSeq(words, "|") {
		if m.p.Take(word) {
			return true
		}
	}
	return false
}

// fail records that a word was expected, or that a hole has failed. If an earlier phrase has
// got farther, fail records nothing. The result is always false.
func (m *matcher) fail(word string, holeErr error) bool {
	at := m.p.pos
	if at < m.farthest {
		return false
	}
	if at > m.farthest {
		m.farthest, m.expected, m.holeErr = at, nil, nil
	}
	if m.holeErr == nil || holeErr != nil && hasSuggestion(holeErr) && !hasSuggestion(m.holeErr) {
		m.holeErr = holeErr
	}
	if word != "" && !slices.Contains(m.expected, word) {
		m.expected = append(m.expected, word)
	}
	return false
}

func hasSuggestion(err error) bool { return strings.Contains(err.Error(), "; did you mean ") }

// failure returns the error for phrases that do not match. The error is at the first wrong
// word of the phrases that got farthest. It suggests the word that was meant, or lists the
// words expected there. If a hole failed there, failure may return the error of the hole. In
// the error, label names the kind of phrase. If not even the first word was right, the error
// lists the given phrases, unless they are nil.
func (m *matcher) failure(label string, phrases []string) error {
	p := m.p
	p.pos = m.farthest
	near := p.nearestWord(m.expected)
	if m.holeErr != nil && (len(m.expected) == 0 || m.farthest > m.start && near == "") {
		return m.holeErr
	}
	if m.farthest == m.start && phrases != nil {
		m.expected = phrases
	}
	if near != "" || m.farthest == m.start {
		return p.expected(label, near, m.expected)
	}
	before := p.list[m.farthest-1]
	written := cmp.Or(p.originals[before.Column], before.Text)
	switch {
	case p.Done():
		return p.Fail("nothing follows %q: expected %s", written, p.oneOf(m.expected...))
	case before.Column == p.Column(): // both are of one phrase that was translated
		return p.expected(label, "", m.expected)
	}
	return p.Fail("%q cannot follow %q: expected %s", p.Written(), written, p.oneOf(m.expected...))
}

// A Forms is a table of phrases whose holes fill fields of an S. For example, "gain <n> life"
// fills the number of an effect.
type Forms[T comparable, S any] struct {
	Phrases Phrases[T]
	Holes   map[string]Hole[S] // by their words in the phrases: "<n>"
}

// A Hole reads and writes the field that a hole in a phrase stands for.
type Hole[S any] struct {
	Read  func(p *Parser, into *S) error
	Write func(of *S) string
}

// Read takes a phrase and returns its value, or an error: see Phrases.Read. The holes of the
// phrase fill fields of s. Read changes no other field of s. On an error, Read changes no
// field at all.
func (f Forms[T, S]) Read(p *Parser, label string, s *S) (T, error) {
	trial := *s
	m := &matcher{p: p, holes: map[string]func(*Parser) error{}, reset: func() { trial = *s }}
	for name, hole := range f.Holes {
		m.holes[name] = func(p *Parser) error { return hole.Read(p, &trial) }
	}
	value, err := f.Phrases.match(m, label)
	if err == nil {
		*s = trial
	}
	return value, err
}

// Write returns the words of a value, with its holes filled from s.
func (f Forms[T, S]) Write(value T, s *S) string {
	words := strings.Fields(f.Phrases.Write(value))
	for i, word := range words {
		if hole, found := f.Holes[word]; found {
			words[i] = hole.Write(s)
		}
	}
	return strings.Join(words, " ")
}
