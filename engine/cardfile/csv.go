package cardfile

import (
	"cmp"
	"encoding/csv"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"tableside/engine"
)

// A spreadsheet has a row for each card and a column for each of its fields:
//
//	line,id,kind,en,power
//	card,bat,creature,The Bat,3

var csvHead = []string{"line", "id"}

// nameColumn holds the titles of the box, for people. FromCSV skips a column that begins with #.
const nameColumn = "# name"

// CSV returns the statements of a file as a spreadsheet, without comments. Lines with a fault
// are left out. Define reports only the first faults of a file (see maxFaults). After the
// last reported fault, CSV leaves out only lines that cannot be read on their own. If whole is
// true, each card of the box has a row, and each field of a card a column.
func (r *Owners) CSV(source string, whole bool) string {
	type card struct {
		subject, id string
		values      map[string]string
	}
	var cards []*card
	find := func(subject, id string) *card {
		for _, c := range cards {
			if c.subject == subject && c.id == id {
				return c
			}
		}
		c := &card{subject, id, map[string]string{}}
		cards = append(cards, c)
		return c
	}
	fields := slices.Clone(csvHead)
	_, faults := r.Define("", source)
	for number, line := range slices.Collect(strings.Lines(source)) {
		words, _ := splitStatement(line)
		bad := func(e *engine.SyntaxError) bool { return e.Line == number+1 && !errors.Is(e, ErrNoRow) }
		if words == "" || slices.ContainsFunc(faults, bad) {
			continue
		}
		of, err := r.readStatement(words)
		if err != nil { // after its last fault, Define has read no further
			continue
		}
		subject, id, field, value := divide(of, words)
		find(subject, id).values[field] = value
		if !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	if whole {
		fields = slices.Insert(fields, len(csvHead), nameColumn)
		for _, t := range r.Things("") {
			if t.ID != "" && t.Line == cardWord {
				find(t.Line, t.ID).values[nameColumn] = cmp.Or(t.Box["en"], t.Box["fr"])
			}
		}
		for _, form := range r.Forms {
			for _, row := range form.Rows {
				if form.Line == cardWord && !slices.Contains(fields, row.Field) {
					fields = append(fields, row.Field)
				}
			}
		}
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(fields) // a strings.Builder takes everything
	for _, c := range cards {
		row := []string{c.subject, c.id}
		for _, field := range fields[len(csvHead):] {
			row = append(row, AsCell(c.values[field]))
		}
		_ = w.Write(row)
	}
	w.Flush()
	return b.String()
}

// formulaSigns holds the signs that begin a formula in a spreadsheet. A spreadsheet would show an
// error in place of "+1 attack", and other formulas could do harm. If an apostrophe stands
// before the sign, the cell stays a text.
const formulaSigns = "=+-@＝＋－＠'"

func isFormula(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return strings.ContainsRune(formulaSigns, first)
}

// cardWord begins the lines about cards.
const cardWord = "card"

func (r *Owners) isByHand(row []string) bool {
	if len(row) < 2 || !slices.Contains([]string{cardWord, "id", "carte"}, strings.ToLower(strings.TrimSpace(row[0]))) {
		return false
	}
	field, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(row[1])), "@")
	return slices.ContainsFunc(r.Forms, func(f Form) bool {
		return slices.ContainsFunc(f.Rows, func(row Row) bool { return row.Field == field })
	})
}

// AsCell returns the text of a cell, which no spreadsheet takes for a formula.
func AsCell(value string) string {
	if isFormula(value) {
		return "'" + value
	}
	return value
}

// FromCell is the opposite of AsCell.
func FromCell(cell string) string {
	if text, found := strings.CutPrefix(cell, "'"); found && isFormula(text) {
		return text
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
	switch {
	case field == "":
		field = "cards"
	case stmt.Edition != "" && !strings.Contains(id, "/"): // "precon first-edition/cyber"
		field += "@" + stmt.Edition
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
// returns the number of the line in the spreadsheet from which it comes. Semicolons or tabs may
// divide the columns, the text may be UTF-16 as spreadsheet programs save "Unicode text", and
// values need no quotes of their own. The lines of the card file may still have faults. See
// InRows for these faults. The error is an *engine.SyntaxError.
func (r *Owners) FromCSV(file, sheet string) (source string, rows []int, err error) {
	reader, skipped := OpenSheet(sheet)
	var head, lead []string
	var b strings.Builder
	said := map[string]int{} // the line in which each value stands
	for {
		row, err := reader.Read()
		line := 1
		if len(row) > 0 {
			line, _ = reader.FieldPos(0)
		}
		line += skipped
		fail := func(format string, args ...any) (string, []int, error) {
			return "", nil, withFrench(place{file, line}.FailAt(1, format, args...))
		}
		var bad *csv.ParseError
		switch {
		case errors.As(err, &bad):
			return "", nil, withFrench(place{file, skipped + bad.Line}.FailAt(bad.Column, "a quote is out of place in this row"))
		case err != nil && head != nil: // the end
			return b.String(), rows, nil
		case head == nil:
			if r.isByHand(row) {
				lead, row = []string{cardWord}, slices.Concat(csvHead[:1], row)
			}
			if len(row) < len(csvHead) || strings.ToLower(strings.TrimSpace(row[0])) != csvHead[0] {
				return fail("the first row must begin with the columns %s", strings.Join(csvHead, ", "))
			}
			head = row
			continue
		}
		row = slices.Concat(lead, row)
		for i := len(csvHead); i < len(row); i++ {
			value := FromCell(strings.Join(strings.Fields(row[i]), " "))
			switch {
			case value == "" || i < len(head) && strings.HasPrefix(head[i], "#"):
				continue
			case i >= len(head) || strings.TrimSpace(head[i]) == "":
				return fail("%q stands beyond the last column: put a cell with %q inside in quotes", value, string(reader.Comma))
			case len(rows) == maxStatements:
				return fail("a file has at most %d statements", maxStatements)
			}
			words := strings.Join(strings.Fields(strings.Join([]string{row[0], row[1], head[i]}, " ")), " ")
			if before := said[strings.ToLower(words)]; before > 0 {
				return fail("%q stands in line %d already", words, before)
			}
			said[strings.ToLower(words)] = line
			b.WriteString(r.writeStatement(words, value) + "\n")
			rows = append(rows, line)
		}
	}
}

// OpenSheet returns a reader of the rows of a spreadsheet, which may differ in length, and how many lines
// it has left out before the first row. Semicolons or tabs may divide the columns, and the text may be UTF-16.
func OpenSheet(sheet string) (reader *csv.Reader, skipped int) {
	sheet, comma, skipped := separated(fromUTF16(sheet))
	reader = csv.NewReader(strings.NewReader(sheet))
	reader.Comma, reader.FieldsPerRecord = comma, -1
	return reader, skipped
}

// fromUTF16 returns a text as UTF-8, without a byte order mark.
func fromUTF16(text string) string {
	low := strings.HasPrefix(text, "\xff\xfe")
	if !low && !strings.HasPrefix(text, "\xfe\xff") {
		return strings.TrimPrefix(text, "\ufeff")
	}
	units := make([]uint16, 0, len(text)/2)
	for i := 2; i+1 < len(text); i += 2 {
		first, second := uint16(text[i]), uint16(text[i+1])
		if low {
			first, second = second, first
		}
		units = append(units, first<<8|second)
	}
	return string(utf16.Decode(units))
}

// separated returns a sheet without the line "sep=;" with which spreadsheet programs name what
// divides the columns, that divider, and how many lines were left out.
func separated(sheet string) (rest string, comma rune, skipped int) {
	head, rest, _ := strings.Cut(sheet, "\n")
	if mark, ok := strings.CutPrefix(strings.ToLower(strings.TrimRight(head, "\r")), "sep="); ok && len(mark) == 1 {
		return rest, rune(mark[0]), 1
	}
	comma = ','
	for _, other := range ";\t" {
		if strings.Count(head, string(other)) > strings.Count(head, string(comma)) {
			comma = other
		}
	}
	return sheet, comma, 0
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
func (r *Owners) writeStatement(line, value string) string {
	head := strings.TrimSuffix(line, " cards")
	for _, try := range []string{line + " " + value, line + " " + strconv.Quote(value), line, head + " " + value} {
		if _, err := ReadOne("", 1, try, r.Reader()); err == nil && (try != line || value == "yes") {
			return try
		}
	}
	return line + " " + value
}
