package cardfile

import (
	"strings"

	"tableside/engine"
)

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
