package engine_test

import (
	"strings"
	"testing"

	"tableside/engine"
)

// What no game can fold keeps its lines but for the marks, whose hashes are of the names;
// a journal without the name stays byte for byte.
func TestRemoveNamesOfUnknownGame(t *testing.T) {
	const journal = "tableside-journal 1\ngame chess/blitz\nseat red \"John O'Hara\"\nseat blue John\n" +
		"seat green Johnny\nbegin 2026-11-20T20:15:00Z\n1s red choose e4\nmark 1 00000000\n2s blue set name \"John O'Hara\"\n"
	text, changed := engine.RemoveNames([]byte(journal), []string{"John O'Hara"}, strings.ToLower, "?", nil)
	want := "tableside-journal 1\ngame chess/blitz\nseat red\nseat blue\nseat green Johnny\n" +
		"begin 2026-11-20T20:15:00Z\n1s red choose e4\n2s blue set name ?\n"
	if !changed || string(text) != want {
		t.Errorf("got\n%s", text)
	}
	again, _ := engine.RemoveNames([]byte(journal), []string{"JOHN o'hara"}, strings.ToLower, "?", nil)
	if string(again) != want {
		t.Errorf("with other capitals got\n%s", again)
	}
	if _, changed := engine.RemoveNames([]byte(journal), []string{"Zoé"}, strings.ToLower, "?", nil); changed {
		t.Error("a journal without the name has changed")
	}
}

// A seat loses its other names of the same match too, before and after.
func TestRemoveNamesOfSeat(t *testing.T) {
	const journal = "tableside-journal 1\ngame chess/blitz\nseat red \"Bob Smith\"\nseat blue Ann\n" +
		"begin 2026-11-20T20:15:00Z\n1s red set name Bob\n2s blue set name Anna\n3s red set name Robert\n"
	text, changed := engine.RemoveNames([]byte(journal), []string{"Bob"}, strings.ToLower, "?", nil)
	want := "tableside-journal 1\ngame chess/blitz\nseat red\nseat blue Ann\n" +
		"begin 2026-11-20T20:15:00Z\n1s red set name ?\n2s blue set name Anna\n3s red set name ?\n"
	if !changed || string(text) != want {
		t.Errorf("got\n%s", text)
	}
}

// Another name of the seat goes from a line that a power cut has torn, too.
func TestRemoveNamesOfTornLine(t *testing.T) {
	const whole = "tableside-journal 1\ngame chess/blitz\nseat red\nbegin 2026-11-20T20:15:00Z\n"
	const journal = "tableside-journal 1\ngame chess/blitz\nseat red Alice\nbegin 2026-11-20T20:15:00Z\n" +
		"9s red set name Bob"
	text, changed := engine.RemoveNames([]byte(journal), []string{"Alice"}, strings.ToLower, "?", nil)
	if !changed || string(text) != whole {
		t.Errorf("changed: %v\n%s", changed, text)
	}
}

// A journal without the name keeps its marks, whatever else a line of it says.
func TestRemoveNamesKeepsMarks(t *testing.T) {
	const journal = "tableside-journal 1\ngame chess/blitz\nseat red Ann\nbegin 2026-11-20T20:15:00Z\n" +
		"1s red choose Bob\nmark 1 00000000\n"
	text, changed := engine.RemoveNames([]byte(journal), []string{"Bob"}, strings.ToLower, "?", nil)
	if changed || string(text) != journal {
		t.Errorf("changed: %v\n%s", changed, text)
	}
}

// A comment loses the names, too; a word in quotes is no comment.
func TestRemoveNamesOfComments(t *testing.T) {
	const journal = "tableside-journal 1\n# for Bob and Ann\ngame chess/blitz\nseat red Ann\n" +
		"begin 2026-11-20T20:15:00Z # at Bob's\n1s red choose \"a # Bob\" # Bob's move\n"
	text, changed := engine.RemoveNames([]byte(journal), []string{"Bob"}, strings.ToLower, "?", nil)
	want := "tableside-journal 1\n# for ? and Ann\ngame chess/blitz\nseat red Ann\n" +
		"begin 2026-11-20T20:15:00Z # at ?'s\n1s red choose \"a # Bob\" # ?'s move\n"
	if !changed || string(text) != want {
		t.Errorf("changed: %v\n%s", changed, text)
	}
}

// The last line breaks off within a name that was typed in other capitals.
func TestRemoveNamesOfTornName(t *testing.T) {
	const whole = "tableside-journal 1\ngame chess/blitz\nseat red\nbegin 2026-11-20T20:15:00Z\n"
	for _, torn := range []string{"9s red set name al", `9s red set name "ALI`, "9s red set name A"} {
		text, changed := engine.RemoveNames([]byte(whole+torn), []string{"Alice"}, strings.ToLower, "?", nil)
		if !changed || string(text) != whole {
			t.Errorf("%s: changed: %v\n%s", torn, changed, text)
		}
	}
}

func TestReplaceNames(t *testing.T) {
	for text, want := range map[string]string{
		"Always Al, Albert and \"Al\"": "Always ?, Albert and \"?\"",
		"Al Green beat Al's dog":       "? beat ?'s dog",
		"al green, AL GREEN; greenal":  "?, ?; greenal",
		"AlAl Al":                      "AlAl ?",
		"Éal éAl2 Al":                  "Éal éAl2 ?",
		"":                             "",
	} {
		if got := engine.ReplaceNames(text, []string{"AL", "Al Green"}, strings.ToLower, "?"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
