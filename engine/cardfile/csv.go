package cardfile

import (
	"encoding/csv"
	"errors"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// A spreadsheet has a row for each card and a column for each of its fields:
//
//	line,id,kind,en,power
//	card,bat,creature,The Bat,3

var csvHead = []string{"line", "id"}

// Owners reads the owner's files of a game, and turns them into spreadsheets and back.
type Owners interface {
	Define(file, source string) (lines []string, faults []*engine.SyntaxError)
	CSV(source string) string
	FromCSV(file, sheet string) (source string, rows []int, err error)
	Forms() []Form
	Things(own string) []*Thing
}

// CSV returns the statements of a file as a spreadsheet, without comments. Lines with a fault
// are left out. Define reports only the first faults of a file (see maxFaults). After the
// last reported fault, CSV leaves out only lines that cannot be read on their own.
func (r Source[S]) CSV(source string) string {
	type card struct {
		subject, id string
		values      map[string]string
	}
	var cards []*card
	fields := slices.Clone(csvHead)
	_, faults := r.Define("", source)
	for number, line := range slices.Collect(strings.Lines(source)) {
		words, _ := splitStatement(line)
		bad := func(e *engine.SyntaxError) bool { return e.Line == number+1 }
		if words == "" || slices.ContainsFunc(faults, bad) {
			continue
		}
		of, err := r.readStatement(words)
		if err != nil { // after its last fault, Define has read no further
			continue
		}
		subject, id, field, value := divide(of, words)
		i := slices.IndexFunc(cards, func(c *card) bool { return c.subject == subject && c.id == id })
		if i < 0 {
			i = len(cards)
			cards = append(cards, &card{subject, id, map[string]string{}})
		}
		cards[i].values[field] = value
		if !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(fields) // a strings.Builder takes everything
	for _, c := range cards {
		row := []string{c.subject, c.id}
		for _, field := range fields[len(csvHead):] {
			row = append(row, asCell(c.values[field]))
		}
		_ = w.Write(row)
	}
	w.Flush()
	return b.String()
}

// formulaSigns holds the signs that begin a formula in a spreadsheet. A spreadsheet would show an
// error in place of "+1 attack", and other formulas could do harm. If an apostrophe stands
// before the sign, the cell stays a text.
const formulaSigns = "=+-@'"

func asCell(value string) string {
	if value != "" && strings.Contains(formulaSigns, value[:1]) {
		return "'" + value
	}
	return value
}

func fromCell(cell string) string {
	if len(cell) > 1 && cell[0] == '\'' && strings.Contains(formulaSigns, cell[1:2]) {
		return cell[1:]
	}
	return cell
}

// divide returns the parts of a statement that was read without an error. The given text is
// the same statement as an owner wrote it. If this text names no field, the field is "cards".
// If the text has an edition, the field ends with the edition, as in "leave@first-edition".
// The value has no quotes. If the field takes no value, the value is "yes".
func divide(stmt *Statement, text string) (subject, id, field, value string) {
	raw := strings.Fields(text)
	subject, value = stmt.Subject, strings.TrimSpace(text[min(stmt.ValueAt-1, len(text)):])
	if len(raw) > 1 && stmt.ID != "" {
		id = strings.ToLower(raw[1])
	}
	field = stmt.Field
	switch name := strings.TrimSpace(text[min(stmt.FieldAt-1, len(text)):]); {
	case field == "":
		field = "cards"
	case len(strings.Fields(name)) > 0 && strings.Contains(strings.Fields(name)[0], "@"):
		_, edition, _ := strings.Cut(strings.Fields(name)[0], "@")
		field += "@" + edition
	case subject == "category" && len(raw) > 1:
		id = strings.ToLower(raw[1])
	}
	if value == "" {
		value = "yes" // a field without a value, such as "draft"
	}
	if plain, err := strconv.Unquote(value); err == nil {
		value = plain
	}
	return subject, id, field, value
}

// FromCSV turns a spreadsheet into a card file. For each line of the card file, FromCSV also
// returns the number of the line in the spreadsheet from which it comes. Semicolons may divide
// the columns, and values need no quotes of their own. The lines of the card file may still
// have faults. See InRows for these faults. The error is an *engine.SyntaxError.
func (r Source[S]) FromCSV(file, sheet string) (source string, rows []int, err error) {
	sheet = strings.TrimPrefix(sheet, "\ufeff")
	reader := csv.NewReader(strings.NewReader(sheet))
	if head, _, _ := strings.Cut(sheet, "\n"); strings.Count(head, ";") > strings.Count(head, ",") {
		reader.Comma = ';'
	}
	reader.FieldsPerRecord = -1
	var head []string
	var b strings.Builder
	for {
		row, err := reader.Read()
		line := 1
		if len(row) > 0 {
			line, _ = reader.FieldPos(0)
		}
		var bad *csv.ParseError
		switch {
		case errors.As(err, &bad):
			return "", nil, withFrench(place{file, bad.Line}.FailAt(bad.Column, "a quote is out of place in this row"))
		case err != nil && head != nil: // the end
			return b.String(), rows, nil
		case head == nil && (len(row) < len(csvHead) || strings.ToLower(strings.TrimSpace(row[0])) != csvHead[0]):
			return "", nil, withFrench(place{file, line}.FailAt(1, "the first row must begin with the columns %s",
				strings.Join(csvHead, ", ")))
		case head == nil:
			head = row
			continue
		}
		for i := len(csvHead); i < min(len(row), len(head)); i++ {
			value := fromCell(strings.Join(strings.Fields(row[i]), " "))
			if value == "" {
				continue
			}
			if len(rows) == maxStatements {
				return "", nil, withFrench(place{file, line}.FailAt(1, "a file has at most %d statements", maxStatements))
			}
			words := strings.Join(strings.Fields(strings.Join([]string{row[0], row[1], head[i]}, " ")), " ")
			b.WriteString(r.writeStatement(words, value) + "\n")
			rows = append(rows, line)
		}
	}
}

// InRows returns the faults of a file that FromCSV has made. Each fault is placed at the start
// of its row in the spreadsheet.
func InRows(faults []*engine.SyntaxError, rows []int) []*engine.SyntaxError {
	var placed []*engine.SyntaxError
	for _, e := range faults {
		moved := *e
		if e.Line >= 1 && e.Line <= len(rows) {
			moved.Line, moved.Column, moved.Length = rows[e.Line-1], 1, 0
		}
		placed = append(placed, &moved)
	}
	return placed
}

// writeStatement joins a line and its value into a statement that can be read. The value is
// quoted only if necessary. The value "yes" is left out if the field takes no value. If the
// statement cannot be read in any of these forms, the value is added without quotes.
func (r Source[S]) writeStatement(line, value string) string {
	head := strings.TrimSuffix(line, " cards")
	for _, try := range []string{line + " " + value, line + " " + strconv.Quote(value), line, head + " " + value} {
		read := r.Reader()
		err := ReadLine("", 1, try, func(l *Line) error {
			_, err := read(l)
			return err
		})
		if err == nil && (try != line || value == "yes") {
			return try
		}
	}
	return line + " " + value
}
