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
func Title[T any](lang engine.Lang, example string, names func(*T) map[string]string) Field[T] {
	return Field[T]{
		Name: string(lang), Example: `"…"`, Required: true,
		Read: Value(func(l *Line) (string, error) { return l.Title(example) },
			func(t *T, title string) { names(t)[string(lang)] = title }),
		Gap: func(t *T) bool { return names(t)[string(lang)] == "" },
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
	unnamed := !slices.Contains(names, l.Peek()) && slices.ContainsFunc(schema, func(f Field[T]) bool { return f.Name == "" })
	if !unnamed {
		if s.Field, err = l.Among(what, names); err != nil {
			return err
		}
	}
	s.ValueAt = l.Column()
	s.Unknown = l.Peek() == "?" && l.at == len(l.tokens)-1
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
