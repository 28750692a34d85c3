package history

import (
	"fmt"
	"strings"
)

// An interner lets entries share equal words, such as games, players and options, so that each
// word is in memory only once. It copies every word that it takes from an entry. Otherwise a
// word of a journal that has just been read would keep the whole journal in memory.
type interner struct {
	words   map[string]string
	options map[string]map[string]string
}

func newCommon() interner { return interner{map[string]string{}, map[string]map[string]string{}} }

// share makes an entry use the same words in memory as earlier entries. If no earlier entry
// had a word, share makes a copy of the word.
func (c interner) share(e *Entry) {
	e.Game, e.State, e.Counter = shared(c, e.Game), shared(c, e.State), shared(c, e.Counter)
	e.Table, e.First, e.Options = shared(c, e.Table), shared(c, e.First), c.sharedOptions(e.Options)
	for i := range e.Seats {
		p := &e.Seats[i]
		p.Seat, p.Name, p.Colour = shared(c, p.Seat), shared(c, p.Name), shared(c, p.Colour)
		for j := range p.Figures {
			p.Figures[j].Name = shared(c, p.Figures[j].Name)
		}
	}
}

func shared[S ~string](c interner, word S) S {
	same, known := c.words[string(word)]
	if !known {
		same = strings.Clone(string(word))
		c.words[same] = same
	}
	return S(same)
}

func (c interner) sharedOptions(options map[string]string) map[string]string {
	if options == nil {
		return nil
	}
	key := fmt.Sprintf("%q", options) // sorted by name
	same, known := c.options[key]
	if !known {
		same = make(map[string]string, len(options))
		for name, value := range options {
			same[shared(c, name)] = shared(c, value)
		}
		c.options[key] = same
	}
	return same
}
