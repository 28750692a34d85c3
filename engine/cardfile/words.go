package cardfile

import (
	"fmt"
	"strings"

	"tableside/engine"
)

// A place holds the position of a statement.
type place struct {
	file   string
	number int // of the line
}

// Position returns the file and the line of the statement.
func (p place) Position() (file string, line int) { return p.file, p.number }

// FailAt returns an *engine.SyntaxError at a column, which counts bytes from 1. If the format
// ends with "; did you mean %q?", the error suggests the last argument.
func (p place) FailAt(column int, format string, args ...any) error {
	e := &engine.SyntaxError{File: p.file, Line: p.number, Column: column, Reason: fmt.Sprintf(format, args...),
		Format: format, Args: args}
	if strings.HasSuffix(format, suggestion) {
		e.Suggest = fmt.Sprint(args[len(args)-1])
	}
	return e
}

const suggestion = "; did you mean %q?"

// addSuggestion adds a suggestion to a syntax error that has no suggestion yet. The suggestion
// is a text that would be understood. Any other error is returned unchanged.
func addSuggestion(err error, suggest string) error {
	if e, ok := err.(*engine.SyntaxError); ok && e.Suggest == "" {
		e.Suggest = suggest
	}
	return err
}

// words holds the words of a statement or an ability, taken one by one.
type words struct {
	place
	source string
	list   []engine.Token
	pos    int
	end    int // the column after the last word
}

// Done reports whether all words are taken.
func (w *words) Done() bool { return w.pos >= len(w.list) }

// Peek returns the next word, or "" after the last one.
func (w *words) Peek() string {
	if w.Done() {
		return ""
	}
	return w.list[w.pos].Text
}

// Column returns the column where the next word begins, in bytes from 1. After the last word,
// Column returns the column where the words end.
func (w *words) Column() int {
	if w.Done() {
		return w.end
	}
	return w.list[w.pos].Column
}

// Fail returns an error at the next word.
func (w *words) Fail(format string, args ...any) error { return w.FailAt(w.Column(), format, args...) }

// expected returns an error that lists the words allowed here, or suggests the one that was
// probably meant. label names the kind of word.
func (w *words) expected(label string, known []string) error {
	near := engine.Nearest(w.Peek(), known)
	switch {
	case w.Done():
		return w.Fail("%s is missing: expected %s", label, engine.OneOf(known))
	case near != "":
		return w.Fail("%q is not %s; did you mean %q?", w.Peek(), label, near)
	}
	return w.Fail("%q is not %s: expected %s", w.Peek(), label, engine.OneOf(known))
}
