package main

import (
	"errors"
	"fmt"
	"os"

	"tableside/device/disk"
	"tableside/engine"
)

// A journalFile is a parsed journal. If the file is damaged, the journal ends before the
// damage.
type journalFile struct {
	*engine.Journal
	damage *engine.SyntaxError // nil where it is intact
	rest   []byte              // from the damage on
}

// damageFailure returns a failure that describes the damage in the journal. The argument seq
// is the number of moves before the damage. The hint of the failure contains this number. If
// moves after the damage are lost, the hint also says how many.
func (f *journalFile) damageFailure(seq int, lang engine.Lang) error {
	say := func(key string, pairs ...any) string { return cliWords().Say(lang, engine.T(key, pairs...), nil) }
	hint := say("cli.damage-until", "n", seq)
	if lost := engine.CountMoves(f.rest, seq); lost > 0 {
		hint = say("cli.damage-lost", "until", hint, "n", lost)
	}
	return negativeFailure(place(f.damage), f.damage.In(lang), hint)
}

func place(e *engine.SyntaxError) string { return fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column) }

// readJournal reads a journal from a file. If the name of the file is "-", readJournal reads
// from standard input. If the last line is torn, readJournal only prints a warning.
//
// If the file is damaged after its head, readJournal returns the intact lines before the
// damage together with the damage. If the head is damaged, readJournal fails. If a line was
// already wrong when it was written, readJournal also fails.
func (p *program) readJournal(file string) (*journalFile, error) {
	from, name := p.in, "standard input"
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, usageFailure(file, p.reason(err), "")
		}
		defer f.Close()
		from, name = f, file
	}
	data, err := disk.ReadBounded(from)
	if err != nil {
		return nil, usageFailure(name, p.reason(err), "")
	}
	journal, err := engine.ParseJournal(name, data)
	var syntax *engine.SyntaxError
	switch {
	case err == nil:
		if journal.Torn {
			fmt.Fprintf(p.err, "tableside: %s: %s\n", name, p.say("cli.journal-torn"))
		}
		return &journalFile{Journal: journal}, nil
	case !errors.As(err, &syntax):
		return nil, usageFailure(name, engine.ErrorIn(err, p.lang), "")
	case !syntax.Damaged:
		return nil, usageFailure(place(syntax), syntax.In(p.lang), "")
	case journal == nil:
		return nil, negativeFailure(place(syntax), syntax.In(p.lang), p.say("cli.journal-head"))
	}
	return &journalFile{Journal: journal, damage: syntax, rest: data[journal.Length:]}, nil
}
