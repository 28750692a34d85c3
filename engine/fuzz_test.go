package engine

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// These tests read any text that might be typed, sent or left on a disk: there
// is no panic, and every value reads back equal after it was written.

func FuzzParseInput(f *testing.F) {
	for _, line := range []string{
		"12.5s red tap zombie.1", `red set name "Mary Ann"`, "0s table key next # why", "red choose a b anyway", "red undo",
		`1s red roll "" "#" a"b`, "1.0001s red undo", "9999999999999999s red undo", "red \"", "\"red\" key left",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		in, err := ParseInput(line)
		if err != nil {
			if _, ok := err.(*SyntaxError); !ok {
				t.Errorf("%q: %T %v", line, err, err)
			}
			return
		}
		for _, written := range []string{in.String(), strings.TrimSuffix(Seal(in.String()), "\n")} {
			again, err := ParseInput(written)
			if err != nil || again.At != in.At || again.Seat != in.Seat || again.Verb != in.Verb ||
				!slices.Equal(again.Args, in.Args) {
				t.Errorf("%q is written %q and read %v, %v", line, written, again, err)
			}
		}
	})
}

func FuzzParseJournal(f *testing.F) {
	f.Add([]byte(strings.Join(fullSetup.Head(), "\n") + "\n1s red key plus\n" + Seal("2s red undo") +
		"mark 2 1a2b3c4d\nend finished red\n"))
	f.Add([]byte(head + "0s red key plus"))
	f.Add([]byte(Seal("tableside-journal 1") + "game a\nbegin 2026-11-20T20:15:00+01:00\n"))
	f.Add([]byte("tableside-journal 1\r\ngame a\r\nbegin 0001-01-01T00:00:00Z\r\n"))
	f.Add(sealedJournal(10))
	f.Add(append(sealedJournal(10), "11s red undo\nmark 12 1a2b3c4d\n"...))
	f.Add(append(sealedJournal(10), make([]byte, 40)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		j, err := ParseJournal("f", data)
		if err != nil {
			if e, ok := err.(*SyntaxError); !ok || e.Line < 1 || e.Column < 1 || e.Reason == "" {
				t.Errorf("%q: %T %v", data, err, err)
			}
			if j == nil {
				return
			}
			// The part before the damage is a whole journal.
			good, err := ParseJournal("f", data[:j.Length])
			if err != nil || good.Torn || !reflect.DeepEqual(good, j) {
				t.Errorf("%q: up to the damage it is %+v, alone %+v, %v", data, j, good, err)
			}
			CountMoves(data[j.Length:], len(j.Lines))
			return
		}
		if j.Length > len(data) || !j.Torn && j.Length != len(data) {
			t.Errorf("%q: %d bytes read of %d, torn %t", data, j.Length, len(data), j.Torn)
		}
		written := j.written()
		again, err := ParseJournal("f", []byte(written))
		if err != nil {
			t.Fatalf("%q is written %q, which does not parse: %v", data, written, err)
		}
		if second := again.written(); second != written || again.Torn {
			t.Errorf("%q is written %q and then %q", data, written, second)
		}
	})
}

// written returns the journal as the daemon would write it.
func (j *Journal) written() string {
	var b strings.Builder
	head, sealer := j.Setup.SealedHead()
	b.WriteString(head)
	for _, line := range j.Lines {
		if line.Mark != nil {
			b.WriteString(sealer.Seal(line.Mark.String()))
		} else {
			b.WriteString(sealer.Seal(line.Input.String()))
		}
	}
	if j.End != nil {
		b.WriteString(sealer.Seal(j.End.String()))
	}
	return b.String()
}

func FuzzWords(f *testing.F) {
	f.Add(catalogue, "count", "n", 1)
	f.Add("[a]\nen = {b}{c|d|e}{f|}{", "a", "c", 0)
	f.Add("[a]\nfr = {a|{b}|c}}", "a", "a", -1)
	f.Fuzz(func(t *testing.T, text, key, arg string, n int) {
		words, err := ParseWords("w", text)
		if err != nil {
			if e, ok := err.(*SyntaxError); !ok || e.Line < 1 {
				t.Errorf("%q: %T %v", text, err, err)
			}
			return
		}
		for _, lang := range Languages {
			said := words.Say(lang, T(key, arg, n), nil)
			if !words.Has(key) && said != "«"+key+"»" {
				t.Errorf("%q lacks %q and says %q", text, key, said)
			}
			// An argument may be a text itself.
			words.Say(lang, T(key, arg, T(key)), map[Seat]string{"red": arg})
			words.Say(lang, T(key, arg, Word(key)), nil)
		}
	})
}
