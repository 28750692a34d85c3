package cardfile

import (
	"errors"
	"slices"
	"strings"

	"tableside/engine"
)

// An Owners reads the owner's files of a game, and turns them into spreadsheets and back.
type Owners struct {
	Reader func() func(*Line) (Statement, error) // returns the function that reads the lines of one file
	Build  func(own []Statement) error           // returns an error if the box is not sound with own
	French string                                // the game's French for errors in files: see Translations

	Known  func() []Statement // the statements about the real box
	MadeUp func() []Statement // the statements that this project made up; nil if there are none
	Forms  []Form             // for the lines of a file
}

// These constants limit the check of a file, because anybody may ask for a check. A file that
// exceeds these limits is no card file.
const (
	maxFaults     = 200
	maxBuilds     = 50   // each finds one fault
	maxStatements = 3000 // a box with its editions has 900
	maxLines      = 20_000
	maxBuilt      = 40_000 // statements in all builds together
)

// Define reads a whole card file and returns its statements and faults. Define leaves out the
// statements about cards with a fault. A sentence that no row of a Table has is a fault, too, of
// the Kind ErrNoRow, but its statement stays, and players resolve its words by hand. If the box
// is still not sound then, Define returns no statements. The faults are in the order of the
// lines. The list of faults is complete, unless the file exceeds a limit such as maxFaults.
func (r *Owners) Define(file, source string) (lines []string, faults []*engine.SyntaxError) {
	f := reading{Owners: r, file: file, broken: map[string]bool{}}
	read := r.Reader()
	number := 0
	for text := range strings.Lines(source) {
		number++
		text = strings.TrimRight(text, "\r\n")
		if number == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		f.lines = append(f.lines, text)
		if number > maxLines {
			f.addFault(place{file, number}.FailAt(1, "a file has at most %d lines", maxLines), "")
			break
		}
		var noRow error
		err := ReadLine(file, number, text, func(l *Line) error {
			if len(f.statements) == maxStatements {
				f.tooLong = true
				return l.FailAt(1, "a file has at most %d statements", maxStatements)
			}
			s, err := read(l)
			if err == nil && l.Done() {
				f.statements, noRow = append(f.statements, s), s.NoRow
			}
			return err
		})
		if noRow != nil && len(f.kept) < maxFaults {
			f.kept = append(f.kept, f.located(ReadLine(file, number, text, func(*Line) error { return noRow })))
		}
		if err != nil {
			f.addFault(err, subject(text))
		}
		if len(f.faults) == maxFaults {
			break
		}
	}
	own := f.statements
	for range f.buildLimit() {
		err := r.Build(own)
		if err == nil {
			break
		}
		s := f.culprit(err)
		if s == nil {
			f.addFault(err, "")
			break
		}
		if about := f.subjectOf(s); !f.broken[about] { // else a faulty line about it is the reason
			f.addFault(err, about)
		}
		own = f.withoutSubject(own, s)
	}
	for _, s := range f.soundStatements() {
		lines = append(lines, s.Text)
	}
	french := Translations(r.French)
	f.faults = append(f.faults, f.kept...)
	slices.SortStableFunc(f.faults, func(a, b *engine.SyntaxError) int { return a.Line - b.Line })
	for _, e := range f.faults {
		e.Length = lengthAt(f.lines[e.Line-1], e.Column)
		e.Reasons.Set(engine.French, inFrench(french, e))
	}
	return lines, f.faults
}

// Control returns how a form asks for a field of the lines that begin with a word. If there is no
// such field, ok is false.
func (r *Owners) Control(line, field string) (c Control, ok bool) {
	for _, form := range r.Forms {
		for _, row := range form.Rows {
			if form.Line == line && row.Field == field {
				return row.Control, true
			}
		}
	}
	return c, false
}

func (f *reading) buildLimit() int {
	if f.tooLong {
		return 0
	}
	return min(maxBuilds, maxBuilt/max(1, len(f.statements)))
}

// A reading is one file on its way through Define.
type reading struct {
	*Owners
	file       string
	lines      []string // of the file, as they were written
	statements []Statement
	faults     []*engine.SyntaxError
	kept       []*engine.SyntaxError // about sentences that stay as words
	broken     map[string]bool       // subjects that have a fault: see subject
	tooLong    bool                  // it has too many statements to be a card file: Build is not called
}

// addFault adds an error to the faults of the file, up to maxFaults. It also records that the
// subject has a fault.
func (f *reading) addFault(err error, subject string) {
	e := f.located(err)
	if f.broken[subject] = true; len(f.faults) < maxFaults {
		f.faults = append(f.faults, e)
	}
}

// located returns an error as a fault at a line of the file.
func (f *reading) located(err error) *engine.SyntaxError {
	e := &engine.SyntaxError{Line: 1, Column: 1, Reason: err.Error()}
	if located := (*engine.SyntaxError)(nil); errors.As(err, &located) {
		e = located
	}
	e.File, e.Line = f.file, min(max(e.Line, 1), max(len(f.lines), 1))
	if len(f.lines) == 0 {
		f.lines = []string{""}
	}
	return e
}

// culprit returns the statement of the file that an error of Build is about, or
// nil.
func (f *reading) culprit(err error) *Statement {
	var e *engine.SyntaxError
	if !errors.As(err, &e) || e.File != f.file {
		return nil
	}
	for i := range f.statements {
		if s := &f.statements[i]; s.number == e.Line {
			return s
		}
	}
	return nil
}

func (f *reading) subjectOf(s *Statement) string {
	if s.ID == "" {
		return subject(f.lines[s.number-1])
	}
	return s.Subject + " " + s.ID
}

// subject returns the first two words of a line, which say what the line is about. It is used
// for a line that cannot be read, and for a line without an id. For "precon
// first-edition/cyber", the result is "precon cyber".
func subject(line string) string {
	words := strings.Fields(strings.ToLower(line))
	_, id, isPart := strings.Cut(strings.Join(words[min(1, len(words)):min(2, len(words))], ""), "/")
	if isPart { // "precon first-edition/cyber"
		return words[0] + " " + id
	}
	return strings.Join(words[:min(2, len(words))], " ")
}

func (f *reading) withoutSubject(own []Statement, s *Statement) []Statement {
	about := f.subjectOf(s)
	return slices.DeleteFunc(slices.Clone(own), func(o Statement) bool { return f.subjectOf(&o) == about })
}

// soundStatements returns the statements about subjects that have no fault. Statements that
// need a card with a fault are left out. If the box cannot be made sound in this way, the
// result is nil.
func (f *reading) soundStatements() []Statement {
	if len(f.faults) == 0 {
		return f.statements
	}
	own := slices.DeleteFunc(slices.Clone(f.statements), func(s Statement) bool { return f.broken[f.subjectOf(&s)] })
	for range f.buildLimit() {
		err := f.Build(own)
		if err == nil {
			return own
		}
		s := f.culprit(err)
		if s == nil {
			break
		}
		own = f.withoutSubject(own, s)
	}
	return nil
}

// lengthAt returns the length in bytes of the word at a column of a line. If the line has no
// such column, the length is 0.
func lengthAt(line string, column int) int {
	if column < 1 || column > len(line) {
		return 0
	}
	rest := line[column-1:]
	if end := strings.IndexAny(rest, " \t,:"); end > 0 {
		return end
	}
	return len(rest)
}
