package cardfile

import (
	"errors"
	"strings"

	"tableside/engine"
)

// An ability that a game has no words for is kept as it is printed, as in text "Skip a
// turn", and shown where players resolve it by hand.

// printedWord is the word before a printed text. The text is a field of its own, or replaces
// the value of a field.
const printedWord = "text"

const maxPrinted = 400 // letters; more than any card has

// Printed takes the printed words of a value, if they come next.
func (l *Line) Printed() (words string, found bool, err error) {
	if l.pos+1 >= len(l.list) || l.nextKnownWord([]string{printedWord}) == "" || !l.list[l.pos+1].Quoted {
		return "", false, nil
	}
	l.pos++
	words, err = l.quoted()
	return words, true, err
}

// OrPrinted returns a function that reads a value, or else words that are resolved by hand:
// those of text "…", and those that are no sentence of a Table, for which noRow is true (see
// Statement.NoRow). A value without words is an error.
func OrPrinted[V any](read func(*Parser) (V, error), printed func(words string, noRow bool) V) func(*Line) (V, error) {
	return func(l *Line) (value V, err error) {
		if words, found, err := l.Printed(); found {
			return printed(words, false), err
		}
		p, err := l.Rest()
		if err != nil {
			return value, err
		}
		words := p.Left()
		value, err = read(p)
		e, _ := errors.AsType[*engine.SyntaxError](err)
		switch {
		case !errors.Is(err, ErrNoRow):
			return value, err
		case !isPrintable(strings.Trim(words, " .;")):
			e.Kind = nil
			return value, e
		}
		l.noRow = err
		return printed(words, true), nil
	}
}

func isPrintable(words string) bool {
	return strings.TrimSpace(words) != "" && !strings.ContainsAny(words, "{}") && len([]rune(words)) <= maxPrinted
}

// quoted takes the text printed on a card as a single word. A text of several words must be in
// quotes.
func (l *Line) quoted() (string, error) {
	words := l.Peek()
	switch {
	case l.Done():
		return "", l.Fail("the text is missing")
	case !isPrintable(words):
		return "", l.Fail("a text has 1 to %d letters, and neither { nor }", maxPrinted)
	}
	l.pos++
	return words, nil
}

// Text returns the Field that holds all the words printed on a card.
func Text[T any](of func(*T) *string) Field[T] {
	return Field[T]{Name: printedWord, Example: anyTitle, Control: Control{Kind: Prose, High: maxPrinted},
		Read: Value((*Line).quoted, func(t *T, words string) { *of(t) = words }),
		Show: func(t *T) (engine.Text, bool) { return engine.T("printed", "text", *of(t)), *of(t) != "" },
	}
}
