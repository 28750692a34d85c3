package cardfile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
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

// FailAt returns an error at a column. A format that ends with meant suggests its
// last argument.
func (p place) FailAt(column int, format string, args ...any) error {
	e := &engine.SyntaxError{File: p.file, Line: p.number, Column: column, Reason: fmt.Sprintf(format, args...),
		Format: format, Args: args}
	if strings.HasSuffix(format, meant) {
		e.Suggest = fmt.Sprint(args[len(args)-1])
	}
	return e
}

const meant = "; did you mean %q?"

// suggesting adds what would be understood to an error that does not say it.
func suggesting(err error, suggest string) error {
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
	at     int
	end    int // the column after the last word

	written map[int]string // the phrases that were translated, by their columns

	french   map[string]string // the English of French phrases, if any are understood
	inFrench bool              // whether such a phrase was found
}

// Done reports whether all words are taken.
func (w *words) Done() bool { return w.at >= len(w.list) }

// Peek returns the next word, or "" after the last one.
func (w *words) Peek() string {
	if w.Done() {
		return ""
	}
	return w.list[w.at].Text
}

// Written returns the next word, or the whole phrase that was translated there, for
// messages.
func (w *words) Written() string {
	if w.Done() {
		return ""
	}
	next := w.list[w.at]
	return cmp.Or(w.written[next.Column], next.Text)
}

// Column returns where the next word begins, in bytes from 1.
func (w *words) Column() int {
	if w.Done() {
		return w.end
	}
	return w.list[w.at].Column
}

// Fail returns an error at the next word.
func (w *words) Fail(format string, args ...any) error { return w.FailAt(w.Column(), format, args...) }

// Expected returns an error that lists the words allowed here.
func (w *words) Expected(what string, known ...string) error {
	return w.expected(what, w.nearest(known), known)
}

func (w *words) expected(what, near string, known []string) error {
	switch {
	case w.Done():
		return w.Fail("%s is missing: expected %s", what, w.oneOf(known))
	case near != "":
		return w.Fail("%q is not %s; did you mean %q?", w.Written(), what, near)
	}
	return w.Fail("%q is not %s: expected %s", w.Written(), what, w.oneOf(known))
}

// nearest returns the allowed word, or the French for one, that is most likely meant by
// the next word, or "".
func (w *words) nearest(known []string) string {
	if !w.mayBeFrench() {
		return engine.Nearest(w.Peek(), known)
	}
	var all []string // the first of two that are equally near is meant: imperatives, see frenchFor
	for _, phrase := range slices.Backward(slices.Sorted(maps.Keys(w.french))) {
		if slices.ContainsFunc(known, func(word string) bool { return begins(w.french[phrase], word) }) {
			all = append(all, phrase)
		}
	}
	if w.inFrench {
		return engine.Nearest(w.Peek(), append(all, known...))
	}
	return engine.Nearest(w.Peek(), slices.Concat(known, all))
}

// mayBeFrench reports whether the next word can be French: that of a sentence which began
// in English is not.
func (w *words) mayBeFrench() bool { return w.inFrench || w.french != nil && w.at == 0 }

// begins reports whether a phrase is this word, or goes on after it.
func begins(phrase, word string) bool { return phrase == word || strings.HasPrefix(phrase, word+" ") }

// oneOf lists the words allowed here for an error; in French it lists the French for them,
// where the next word may be French.
func (w *words) oneOf(known []string) fmt.Stringer {
	if w.mayBeFrench() {
		return translated{known, w.french}
	}
	return engine.OneOf(known)
}

// A translated list of words has French for some of them.
type translated struct {
	words  engine.OneOf
	french map[string]string
}

func (t translated) String() string { return t.words.String() }

// Join lists the words in French: the reasons of errors call it in that language only. A
// word without French stays English.
func (t translated) Join(or string) string {
	var list engine.OneOf
	for _, word := range t.words {
		if french := frenchFor(word, t.french); !slices.Contains(list, french) {
			list = append(list, french)
		}
	}
	return list.Join(or)
}

// frenchFor returns a French phrase for a word, the shortest that means it alone, or else
// goes on after it. Of two, the one ending like an imperative (-z) is later in the alphabet
// than an infinitive (-r).
func frenchFor(word string, french map[string]string) (best string) {
	for phrase, means := range french {
		if begins(means, word) && (best == "" || cmp.Or(
			cmp.Compare(len(means), len(french[best])), cmp.Compare(len(phrase), len(best)), cmp.Compare(best, phrase)) < 0) {
			best = phrase
		}
	}
	return cmp.Or(best, word)
}
