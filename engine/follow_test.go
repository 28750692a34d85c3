package engine

import (
	"errors"
	"strings"
	"testing"
)

// What stops each stops Follow as it stops Replay.
func TestFollowStops(t *testing.T) {
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
		_, want := Replay(pen{}, j, stop)
		m, err := Follow(pen{}, j, stop)
		if err == nil || want == nil || err.Error() != want.Error() || !strings.Contains(err.Error(), "enough") ||
			m.Seq() != 2 {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
	if m, err := Follow(pen{}, j, nil); err != nil || m.Seq() != 2 {
		t.Errorf("without each: %v", err)
	}
}
