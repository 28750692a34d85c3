package genegrafter

import (
	"slices"

	"tableside/engine/cardfile"
)

// A Statement is one line of a card file, as "card super-punch super 2": it
// sets one field of a card, or says how a category looks or how many cards the
// box has. Later statements win, but a "?" takes nothing away.
// docs/genegrafter-cards.md describes the format.
type Statement struct {
	Line int
	Text string // without comment: as a journal keeps it after "define"
	made bool   // made up for this project

	line    *cardfile.Line
	column  int    // of the id
	id      string // of the card; "" for what is said of the whole box
	field   string
	fieldAt int         // its column
	set     func(*Kind) // nil for "?"
	ofBox   func(*Data) // nil for "?", and for a card
}

const (
	maxDice   = 20
	maxCopies = 9
	mostCards = 99 // of a box
	maxSteps  = 6
)

var (
	cardFields = slices.Concat(cardfile.LanguageFields, fieldNames)
	places     = []string{"head", "torso", "arms", "hands", "legs", "feet"}
	colours    = []string{"red", "blue", "green", "yellow", "orange", "purple", "white", "black"}
)

// parseData reads a card file. An error is an *engine.SyntaxError with file,
// line and column.
func parseData(file, source string) ([]Statement, error) {
	var all []Statement
	err := cardfile.Read(file, source, func(l *cardfile.Line) error {
		s, err := parseStatement(l)
		all = append(all, s)
		return err
	})
	return all, err
}

// ParseStatement reads one line. The text of an empty one is "".
func ParseStatement(file string, line int, text string) (s Statement, err error) {
	err = cardfile.ReadLine(file, line, text, func(l *cardfile.Line) error {
		s, err = parseStatement(l)
		return err
	})
	return s, err
}

func (s *Statement) fail(column int, format string, args ...any) error {
	return s.line.FailAt(column, format, args...)
}

func parseStatement(l *cardfile.Line) (Statement, error) {
	s := Statement{Text: l.Text(), line: l}
	_, s.Line = l.Position()
	what, err := l.Among("what a line begins with", []string{"card", "category", "box"})
	if err != nil {
		return s, err
	}
	s.column = l.Column()
	switch what {
	case "category":
		return s, s.category(l)
	case "box":
		return s, s.size(l)
	}
	if s.id, err = l.Identifier("a card", "super-punch"); err != nil {
		return s, err
	}
	s.fieldAt = l.Column()
	if s.field, err = l.Among("a field of a card", cardFields); err != nil {
		return s, err
	}
	if l.Peek() == "?" {
		l.Next()
		return s, nil
	}
	if i := slices.Index(fieldNames, s.field); i >= 0 {
		s.set, err = fields[i].read(l)
		return s, err
	}
	title, err := l.Title("Super Punch")
	s.set = func(k *Kind) { k.Names[s.field] = title }
	return s, err
}

// category reads "mental colour red", or "?" for the colour.
func (s *Statement) category(l *cardfile.Line) error {
	name, err := l.Among("a category", categoryNames)
	if err != nil {
		return err
	}
	if _, err := l.Among("a field of a category", []string{"colour"}); err != nil {
		return err
	}
	colour, err := l.Among("a colour", append(colours, "?"))
	if colour != "?" {
		s.ofBox = func(d *Data) { d.Colours[slices.Index(categoryNames, name)] = colour }
	}
	return err
}

// size reads "cards 59", or "?" for the number.
func (s *Statement) size(l *cardfile.Line) (err error) {
	s.fieldAt = l.Column()
	if s.field, err = l.Among("a field of the box", []string{"cards"}); err != nil {
		return err
	}
	if l.Peek() == "?" {
		l.Next()
		return nil
	}
	n, err := l.Number("the number of cards", boxSize, mostCards)
	s.ofBox = func(d *Data) { d.counted = n }
	return err
}

func powerNamed(word string) Powers { return 1 << max(0, slices.Index(powerNames, word)) }
