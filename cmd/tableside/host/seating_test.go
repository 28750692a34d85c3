package host

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"tableside/engine"
)

// TestSeater checks that each table is told of changes once, and of everything after a
// connection was lost.
func TestSeater(t *testing.T) {
	var told []string
	var lost error
	now := map[string]*engine.Seating{"a": {Round: 1}, "b": nil, "made of wood": {Round: 1}}
	s := &seater{wake: make(chan struct{}, 1), lastSent: map[string]*engine.Seating{},
		seatings: func() map[string]*engine.Seating { return now },
		tell: func(table string, s *engine.Seating) error {
			if lost == nil {
				told = append(told, fmt.Sprint(table, " ", s != nil))
			}
			return lost
		}}
	expect := func(when string, want ...string) {
		t.Helper()
		s.sweep()
		if !slices.Equal(told, want) {
			t.Errorf("%s: told %q, want %q", when, told, want)
		}
		told = nil
	}
	expect("at first", "a true", "b false")
	expect("unchanged")
	now = map[string]*engine.Seating{"a": nil, "b": {Round: 1}}
	lost = errors.New("lost")
	expect("without a connection")
	lost = nil
	expect("with one", "a false", "b true")
	s.repeat()
	expect("repeated", "a false", "b true")
	now, lost = map[string]*engine.Seating{"a": nil}, errors.New("lost")
	s.repeat()
	expect("b taken back without a connection")
	lost = nil
	expect("with one, and all once more", "a false", "b false")
	if len(s.wake) != 1 {
		t.Error("nobody is woken")
	}
}
