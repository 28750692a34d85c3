package cardfile

import (
	"slices"
	"strings"
)

// A Thing holds what statements say about a card. It may also describe something of which
// there is only one, such as the board.
type Thing struct {
	Line, ID string // "card" and its id, which is "" for the board

	Box, StandIn map[string]string // real and made-up values, by field; without quotes
	Own          []OwnLine
}

// An OwnLine is a statement of the owner's file. If the statement cannot be read, Field is "".
type OwnLine struct {
	Text  string `json:"text"`
	Field string `json:"field"`
	Value string `json:"value"`
}

// Things returns what is known about each card, in the order of the box. It also returns the
// made-up values, and what the owner's file says about each card.
//
// If the box has several values for a field, the last value counts, but a "?" removes nothing.
// The same rule holds for made-up values. A thing without an id, such as the board, is always
// present if it has a form.
func (r *Owners) Things(own string) []*Thing {
	var all []*Thing
	find := func(line, id string) *Thing {
		for _, t := range all {
			if t.Line == line && t.ID == id {
				return t
			}
		}
		t := &Thing{Line: line, ID: id, Box: map[string]string{}, StandIn: map[string]string{}}
		all = append(all, t)
		return t
	}
	lists := [][]Statement{r.Known()}
	if r.MadeUp != nil {
		lists = append(lists, r.MadeUp())
	}
	for i, list := range lists {
		for _, s := range list {
			line, id, field, value := r.parts(&s, s.Text)
			t := find(line, id)
			if s.Unknown {
				continue
			}
			if into := t.Box; i == 0 {
				into[field] = value
			} else {
				t.StandIn[field] = value
			}
		}
	}
	for _, form := range r.Forms {
		if slices.Contains(withoutID, form.Line) {
			find(form.Line, "")
		}
	}
	for text := range strings.Lines(own) {
		words, _ := splitStatement(text)
		about := aboutOf(words)
		if about == "" {
			continue
		}
		read := OwnLine{Text: words}
		var line, id string
		if stmt, err := r.readStatement(words); err == nil {
			line, id, read.Field, read.Value = r.parts(stmt, words)
		} else if line = strings.ToLower(strings.Fields(words)[0]); about != line {
			id = about
		}
		t := find(line, id)
		t.Own = append(t.Own, read)
	}
	return all
}

// readStatement reads a statement. On an error, it returns the part that could be read.
func (r *Owners) readStatement(words string) (*Statement, error) {
	s, err := ReadOne("", 1, words, r.Reader())
	return &s, err
}

// parts is like divide, with one exception: the word after "category" becomes a part of the
// field's name.
func (r *Owners) parts(stmt *Statement, text string) (line, id, field, value string) {
	line, id, field, value = divide(stmt, text)
	if id != "" && slices.Contains(withoutID, line) {
		field, id = id+" "+field, ""
	}
	return line, id, field, value
}
