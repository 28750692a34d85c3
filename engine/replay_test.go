package engine

import (
	"errors"
	"strings"
	"testing"
)

// An error or a panic of the callback stops Replay at its input.
func TestReplayStops(t *testing.T) {
	j, err := ParseJournal("pen", []byte("tableside-journal 1\ngame pen/pen\nseat red Alice\nbegin 2026-11-20T20:15:00Z\n"+
		"10s red key plus\n20s red key plus\n"))
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	for name, stop := range map[string]func(*Match, Step) error{
		"an error": func(m *Match, _ Step) error {
			if m.Seq() == 2 {
				return enough
			}
			return nil
		},
		"a panic": func(m *Match, _ Step) error {
			if m.Seq() == 2 {
				panic(enough)
			}
			return nil
		},
	} {
		m, err := Replay(pen{}, j, nil, stop)
		if err == nil || !strings.Contains(err.Error(), "enough") || m.Seq() != 2 {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if m, err := Replay(pen{}, j, nil, nil); err != nil || m.Seq() != 2 {
		t.Errorf("without each: %v", err)
	}
}
