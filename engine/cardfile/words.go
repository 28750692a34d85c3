package cardfile

import (
	"fmt"
	"strings"

	"tableside/engine"
)

// A place is where a statement stands.
type place struct {
	file   string
	number int // of the line
}

// Position returns the file and the line.
func (p place) Position() (file string, line int) { return p.file, p.number }

// FailAt is a mistake in the word that begins at a column.
func (p place) FailAt(column int, format string, args ...any) error {
	return &engine.SyntaxError{File: p.file, Line: p.number, Column: column, Reason: fmt.Sprintf(format, args...)}
}

// words are those of a statement or of an ability, taken one by one.
type words struct {
	place
	source string
	list   []engine.Token
	at     int
	end    int // the column behind the last word
}

// Done reports whether all words are taken.
func (w *words) Done() bool { return w.at >= len(w.list) }

// Peek is the next word, "" behind the last one.
func (w *words) Peek() string {
	if w.Done() {
		return ""
	}
	return w.list[w.at].Text
}

// Column is where the next word begins, from 1 and in bytes.
func (w *words) Column() int {
	if w.Done() {
		return w.end
	}
	return w.list[w.at].Column
}

// Fail is a mistake in the next word.
func (w *words) Fail(format string, args ...any) error { return w.FailAt(w.Column(), format, args...) }

// Expected says which words could stand here.
func (w *words) Expected(what string, known ...string) error {
	got := w.Peek()
	near := engine.Nearest(got, known)
	switch {
	case w.Done():
		return w.Fail("%s is missing: expected %s", what, OneOf(known))
	case near != "":
		return w.Fail("%q is not %s; did you mean %q?", got, what, near)
	}
	return w.Fail("%q is not %s: expected %s", got, what, OneOf(known))
}

// OneOf lists words that could stand somewhere.
func OneOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
