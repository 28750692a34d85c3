package cardfile

import (
	"slices"

	"tableside/engine"
)

// A Schema is what can be said of one kind of thing: a row for each field, in
// the order in which they are listed.
type Schema[T any] []Field[T]

// A Field is a row of a Schema. Without a name it is read where no other field
// is named.
type Field[T any] struct {
	Name     string
	Example  string // of a value
	Required bool   // there is none without it; of titles one is enough

	// Read takes the value, and returns what sets it: see Value.
	Read func(*Line) (set func(*T), err error)

	// Show says the value for people, and reports whether there is something
	// to say. It is nil for a field that has no line of its own.
	Show func(*T) (text engine.Text, says bool)

	// Gap reports whether nobody knows the value yet. It is nil for a field
	// that is never missed.
	Gap func(*T) bool
}

// Value makes a Field.Read of how a value is read, and how it is set.
func Value[T, V any](read func(*Line) (V, error), set func(*T, V)) func(*Line) (func(*T), error) {
	return func(l *Line) (func(*T), error) {
		value, err := read(l)
		return func(t *T) { set(t, value) }, err
	}
}

// Title is the field of a thing's name in a language.
func Title[T any](lang engine.Lang, example string, names func(*T) *engine.Wording) Field[T] {
	return Field[T]{
		Name: string(lang), Example: `"…"`, Required: true,
		Read: Value(func(l *Line) (string, error) { return l.Title(example) },
			func(t *T, title string) { names(t).Set(lang, title) }),
		Gap: func(t *T) bool { return names(t).In(lang) == "" },
	}
}

// Names lists the fields.
func (schema Schema[T]) Names() []string {
	var names []string
	for _, f := range schema {
		if f.Name != "" {
			names = append(names, f.Name)
		}
	}
	return names
}

// Read takes a field and its value.
func (schema Schema[T]) Read(l *Line, s *Statement, what string) (err error) {
	s.FieldAt = l.Column()
	names := schema.Names()
	hasUnnamed := len(names) < len(schema)
	if !hasUnnamed || slices.Contains(names, l.Peek()) {
		if s.Field, err = l.Among(what, names); err != nil {
			return err
		}
	}
	s.ValueAt = l.Column()
	s.Unknown = l.Peek() == "?" && l.at == len(l.list)-1
	f := schema[slices.IndexFunc(schema, func(f Field[T]) bool { return f.Name == s.Field })]
	s.set, err = f.Read(l)
	return err
}

// Lines tell what there is to say of a thing, as a Sheet has it.
func (schema Schema[T]) Lines(t *T) []engine.Text {
	var lines []engine.Text
	for _, f := range schema {
		if f.Show == nil {
			continue
		}
		if text, says := f.Show(t); says {
			lines = append(lines, engine.T("card-line", "field", engine.Word("field."+f.Name), "text", text))
		}
	}
	return lines
}

// Gaps lists the fields whose value nobody knows.
func (schema Schema[T]) Gaps(t *T) []string {
	var names []string
	for _, f := range schema {
		if f.Gap != nil && f.Gap(t) {
			names = append(names, f.Name)
		}
	}
	return names
}

// A Statement is one line of a card file: it sets one field of a thing.
type Statement struct {
	Text    string // without comment: as a journal keeps it after "define"
	Subject string // the word with which it begins: "card"
	ID      string // of the card; "" where there is only one such thing
	Field   string
	StandIn bool // made up; not what the box says
	Unknown bool // it only says "?"

	IDAt, FieldAt, ValueAt int // columns, for what is wrong with it

	place
	set any // a func(*T), of the field's Schema[T]
}

// Statement begins the statement of a line.
func (l *Line) Statement() Statement { return Statement{Text: l.Text(), place: l.place} }

// Set puts what the statement says into a thing of its schema.
func Set[T any](t *T, s *Statement) { s.set.(func(*T))(t) }

// An Entry is a thing that is put together from statements.
type Entry[T any] struct {
	Is    T
	Noun  string     // what it is called: "action card"
	First *Statement // the first that names it

	schema Schema[T]
	last   []*Statement // of each field, the one that counts
}

// NewEntry begins with a thing of which nothing is said.
func NewEntry[T any](schema Schema[T], noun string, is T) *Entry[T] {
	return &Entry[T]{Is: is, Noun: noun, schema: schema, last: make([]*Statement, 0, len(schema))}
}

// Add takes a statement in. Later ones win over earlier ones, but a "?" takes
// nothing away.
func (e *Entry[T]) Add(s *Statement) {
	i := e.index(s.Field)
	if i >= 0 && s.Unknown {
		return
	}
	if i < 0 {
		e.last = append(e.last, s)
	} else {
		e.last[i] = s
	}
	Set(&e.Is, s)
}

func (e *Entry[T]) index(field string) int {
	return slices.IndexFunc(e.last, func(s *Statement) bool { return s.Field == field })
}

// Last is the statement that counts for a field, or nil.
func (e *Entry[T]) Last(field string) *Statement {
	if i := e.index(field); i >= 0 {
		return e.last[i]
	}
	return nil
}

// says reports whether a field has a value.
func (e *Entry[T]) says(field string) bool {
	s := e.Last(field)
	return s != nil && !s.Unknown
}

// StandIns lists the fields whose value is made up.
func (e *Entry[T]) StandIns() []string {
	var fields []string
	for _, f := range e.schema {
		if s := e.Last(f.Name); s != nil && s.StandIn {
			fields = append(fields, f.Name)
		}
	}
	return fields
}

// lacks finds a required field that has no value, titles after all others, and
// reports whether it is the first of all.
func (e *Entry[T]) lacks() (lacking *Field[T], first bool) {
	var title *Field[T]
	named, before := false, 0
	for i := range e.schema {
		f := &e.schema[i]
		switch {
		case slices.Contains(LanguageFields, f.Name):
			named = named || e.says(f.Name)
			if title == nil && f.Required {
				title = f
			}
		case f.Required && !e.says(f.Name):
			return f, before == 0
		case f.Required:
			before++
		}
	}
	if named || title == nil {
		return nil, false
	}
	return title, before == 0
}

// A Book puts things together that have an id, in the order in which they are
// first named.
type Book[T any] struct {
	entries []*Entry[T]
	ids     map[string]*Entry[T]
}

// Find is the entry of an id, or nil.
func (b *Book[T]) Find(id string) *Entry[T] { return b.ids[id] }

// All are the entries, in their order.
func (b *Book[T]) All() []*Entry[T] { return b.entries }

// Begin puts an entry for what a statement names into the book.
func (b *Book[T]) Begin(s *Statement, e *Entry[T]) *Entry[T] {
	if b.ids == nil {
		b.ids = map[string]*Entry[T]{}
	}
	e.First = s
	b.entries, b.ids[s.ID] = append(b.entries, e), e
	return e
}

// Drop takes entries out.
func (b *Book[T]) Drop(which func(*Entry[T]) bool) {
	b.entries = slices.DeleteFunc(b.entries, func(e *Entry[T]) bool {
		drop := which(e)
		if drop {
			delete(b.ids, e.First.ID)
		}
		return drop
	})
}

// Near is the id of another entry that may have been meant, "" where none is
// like it.
func (b *Book[T]) Near(id string) string {
	var others []string
	for _, e := range b.entries {
		if _, first := e.lacks(); e.First.ID != id && !first {
			others = append(others, e.First.ID)
		}
	}
	return engine.Nearest(id, others)
}

// Check finds a required field that an entry lacks. Where it lacks the first,
// its id may be misspelt.
func (b *Book[T]) Check(e *Entry[T]) error {
	f, first := e.lacks()
	if f == nil {
		return nil
	}
	s, what := e.First, f.Name
	if near := b.Near(s.ID); near != "" && first {
		return s.FailAt(s.IDAt, "there is no %s %q; did you mean %q?", e.Noun, s.ID, near)
	}
	if slices.Contains(LanguageFields, what) {
		what = "name"
	}
	return s.FailAt(s.IDAt, "%s %q has no %s; a line is missing: %s %s %s %s",
		e.Noun, s.ID, what, s.Subject, s.ID, f.Name, f.Example)
}
