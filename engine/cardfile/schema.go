package cardfile

import (
	"cmp"
	"slices"
	"strings"

	"tableside/engine"
)

// A Schema lists the fields of one kind of thing, in the order in which they
// are shown.
type Schema[T any] []Field[T]

// A Field is a row of a Schema. If a line names no field, the field without a name is read.
type Field[T any] struct {
	Name     string
	Example  string // of a value
	Required bool   // every thing must have it; of the titles, one is enough
	Control  Control

	// Read takes the value and returns the function that sets it: see Value.
	Read func(*Line) (set func(*T), err error)

	// Show returns the value as a text and whether there is one to show. It is
	// nil for a field without a line of its own.
	Show func(*T) (text engine.Text, says bool)

	// Gap reports whether the value is still unknown. It is nil for a field
	// that may be left out.
	Gap func(*T) bool
}

// Value returns a Field.Read that reads a value and sets it.
func Value[T, V any](read func(*Line) (V, error), set func(*T, V)) func(*Line) (func(*T), error) {
	return func(l *Line) (func(*T), error) {
		value, err := read(l)
		return func(t *T) { set(t, value) }, err
	}
}

const anyTitle = `"…"`

// Title returns the field for the name of a thing in a language. If a line has a name of
// several words without quotes, reading the field returns an error that shows the example.
func Title[T any](lang engine.Lang, example string, names func(*T) *engine.Wording) Field[T] {
	return Field[T]{
		Name: string(lang), Example: anyTitle, Required: true, Control: Control{Kind: Quoted, High: maxTitle},
		Read: Value(func(l *Line) (string, error) { return l.Title(example) },
			func(t *T, title string) { names(t).Set(lang, title) }),
		Gap: func(t *T) bool { return names(t).In(lang) == "" },
	}
}

// Names returns the names of the fields. It leaves out a field without a name.
func (schema Schema[T]) Names() []string {
	return schema.names(func(f *Field[T]) bool { return f.Name != "" })
}

func (schema Schema[T]) names(match func(*Field[T]) bool) (names []string) {
	for i := range schema {
		if match(&schema[i]) {
			names = append(names, schema[i].Name)
		}
	}
	return names
}

// Read reads the name and the value of a field from a line. It adds both to the statement s.
// In errors, label names the kind of field expected.
func (schema Schema[T]) Read(l *Line, s *Statement, label string) (err error) {
	s.FieldAt = l.Column()
	names := schema.Names()
	hasUnnamed := len(names) < len(schema)
	if !hasUnnamed || l.nextKnownWord(names) != "" {
		if s.Field, err = l.Among(label, names); err != nil {
			return err
		}
	}
	s.ValueAt = l.Column()
	s.Unknown = l.isUnknown()
	f := schema[slices.IndexFunc(schema, func(f Field[T]) bool { return f.Name == s.Field })]
	if s.set, err = f.Read(l); err != nil && f.Example != anyTitle {
		err = addSuggestion(err, f.Example)
	}
	s.NoRow = l.noRow
	return err
}

// Lines returns the fields of a thing as the lines of a Sheet.
func (schema Schema[T]) Lines(t *T) (lines []engine.Text) {
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

// Gaps lists the fields of a thing whose value is unknown.
func (schema Schema[T]) Gaps(t *T) []string {
	return schema.names(func(f *Field[T]) bool { return f.Gap != nil && f.Gap(t) })
}

// A Statement holds one line of a card file, which sets one field of a thing.
type Statement struct {
	Text    string // as Line.Text returns it
	Subject string // its first word: "card"
	ID      string // of the card; "" if there is only one such thing
	Field   string
	Edition string // in which it counts; "" for all
	StandIn bool   // made up, not from the box
	Unknown bool   // the value is "?"
	NoRow   error  // why its sentence is kept as words: no row of a Table has it; nil otherwise

	IDAt, FieldAt, ValueAt int // columns, for errors

	place
	set any // a func(*T), for a field of a Schema[T]
}

// Statement returns a Statement with the text and the position of the line, for Schema.Read to
// complete.
func (l *Line) Statement() Statement { return Statement{Text: l.Text(), place: l.place} }

// Set sets a field of a thing to the value that Schema.Read has read into the statement. T
// must be the type of this Schema. With any other type, Set panics.
func Set[T any](t *T, s *Statement) { s.set.(func(*T))(t) }

// An Entry holds a thing and the statements that have set its fields.
type Entry[T any] struct {
	Value T
	Noun  string     // for errors: "action card"
	First *Statement // the first that names it

	schema Schema[T]
	last   []*Statement // for each field, the statement in force
}

// NewEntry returns an Entry for a thing, without statements. In errors, noun says what the
// thing is, such as "card".
func NewEntry[T any](schema Schema[T], noun string, thing T) *Entry[T] {
	return &Entry[T]{Value: thing, Noun: noun, schema: schema, last: make([]*Statement, 0, len(schema))}
}

// Add applies a statement. Later ones win over earlier ones, but a "?" removes
// nothing.
func (e *Entry[T]) Add(s *Statement) {
	switch i := e.index(s.Field); {
	case i < 0:
		e.last = append(e.last, s)
	case s.Unknown:
		return
	default:
		e.last[i] = s
	}
	Set(&e.Value, s)
}

func (e *Entry[T]) index(field string) int {
	return slices.IndexFunc(e.last, func(s *Statement) bool { return s.Field == field })
}

// Last returns the statement in force for a field, or nil.
func (e *Entry[T]) Last(field string) *Statement {
	if i := e.index(field); i >= 0 {
		return e.last[i]
	}
	return nil
}

func (e *Entry[T]) has(field string) bool {
	s := e.Last(field)
	return s != nil && !s.Unknown
}

// StandIns lists the fields whose value is made up.
func (e *Entry[T]) StandIns() []string {
	return e.schema.names(func(f *Field[T]) bool { s := e.Last(f.Name); return s != nil && s.StandIn })
}

// missingField returns the first required field without a value, or nil if there is no such
// field. A title in one language is enough. If no language has a title, the field of the first
// title is missing, but missingField returns it only if no other field is missing. The second
// result is true if a field is missing and no required field, apart from titles, has a value.
func (e *Entry[T]) missingField() (field *Field[T], none bool) {
	var title *Field[T]
	named, none := false, true
	for i := range e.schema {
		f := &e.schema[i]
		switch {
		case !f.Required:
		case slices.Contains(LanguageFields, f.Name):
			// Old journals have "?" as a title: it is a name to show if the game keeps it.
			named, title = named || e.has(f.Name) || !f.Gap(&e.Value), cmp.Or(title, f)
		case e.has(f.Name):
			none = false
		default:
			field = cmp.Or(field, f)
		}
	}
	if !named {
		field = cmp.Or(field, title)
	}
	return field, none && field != nil
}

// A Book holds entries by their ids, in the order in which they were first
// named.
type Book[T any] struct {
	entries []*Entry[T]
	ids     map[string]*Entry[T]
}

// Find returns the entry with an id, or nil.
func (b *Book[T]) Find(id string) *Entry[T] { return b.ids[id] }

// All returns the entries in their order.
func (b *Book[T]) All() []*Entry[T] { return b.entries }

// Begin adds an entry for the id that a statement names, and returns it.
func (b *Book[T]) Begin(s *Statement, e *Entry[T]) *Entry[T] {
	if b.ids == nil {
		b.ids = map[string]*Entry[T]{}
	}
	e.First = s
	b.entries, b.ids[s.ID] = append(b.entries, e), e
	return e
}

// Drop removes the entries for which match returns true.
func (b *Book[T]) Drop(match func(*Entry[T]) bool) {
	b.entries = slices.DeleteFunc(b.entries, func(e *Entry[T]) bool {
		drop := match(e)
		if drop {
			delete(b.ids, e.First.ID)
		}
		return drop
	})
}

// Near returns the id of another entry that may have been meant, or "".
func (b *Book[T]) Near(id string) string { return b.similarID(id, "") }

func (b *Book[T]) similarID(id, file string) string {
	var others []string
	for _, e := range b.entries {
		if _, none := e.missingField(); e.First.ID != id && !none && (file == "" || e.First.file != file) {
			others = append(others, e.First.ID)
		}
	}
	return engine.Nearest(id, others)
}

// Check returns an error if an entry has no value for a required field. If all required fields
// except titles lack a value, the id may be misspelt. In this case, the error suggests a
// similar id. The suggestion is never an id that the same file adds.
func (b *Book[T]) Check(e *Entry[T]) error {
	f, none := e.missingField()
	if f == nil {
		return nil
	}
	s, what := e.First, f.Name
	if near := b.similarID(s.ID, s.file); near != "" && none {
		return s.FailAt(s.IDAt, "there is no %s %q; did you mean %q?", e.Noun, s.ID, near)
	}
	if slices.Contains(LanguageFields, what) {
		what = "name"
	}
	line := strings.Join([]string{s.Subject, s.ID, f.Name, f.Example}, " ")
	return addSuggestion(s.FailAt(s.IDAt, "%s %q has no %s; a line is missing: %s", e.Noun, s.ID, what, line), line)
}
