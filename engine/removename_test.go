package engine_test

import (
	"testing"

	"tableside/engine"
)

// What no game can fold keeps its lines but for the marks, whose hashes are of the names;
// a journal without the name stays byte for byte.
func TestRemoveNamesOfUnknownGame(t *testing.T) {
	const journal = "tableside-journal 1\ngame chess/blitz\nseat red \"John O'Hara\"\nseat blue John\n" +
		"begin 2026-11-20T20:15:00Z\n1s red choose e4\nmark 1 00000000\n2s blue set name \"John O'Hara\"\n"
	text, changed := engine.RemoveNames([]byte(journal), []string{"John O'Hara"}, "?", nil)
	want := "tableside-journal 1\ngame chess/blitz\nseat red\nseat blue John\n" +
		"begin 2026-11-20T20:15:00Z\n1s red choose e4\n2s blue set name ?\n"
	if !changed || string(text) != want {
		t.Errorf("got\n%s", text)
	}
	if _, changed := engine.RemoveNames([]byte(journal), []string{"Zoé"}, "?", nil); changed {
		t.Error("a journal without the name has changed")
	}
}
