package engine

import "testing"

// A moody game half changes its state, refuses, and then does not fold for a
// while. That is a bug, but even then no input on a half changed state may reach
// a journal.
type moody struct {
	pen
	bad *bool
}

func (g moody) New(setup Setup) (func() (State, error), error) {
	return func() (State, error) { return &moodyState{penState: penState{pen: g.pen}, bad: g.bad}, nil }, nil
}

type moodyState struct {
	penState
	bad *bool
}

func (s *moodyState) Apply(in Input) ([]Event, error) {
	if in.Arg(0) == "minus" {
		*s.bad = true
		s.n += 5
		return nil, Refuse("refusal.minus")
	}
	if *s.bad {
		return nil, Refuse("refusal.moody")
	}
	return s.penState.Apply(in)
}

func TestHalfChangedStateIsNotPlayedOn(t *testing.T) {
	bad := false
	m, err := NewMatch(moody{bad: &bad}, Setup{Seats: []Player{{"red", ""}}})
	if err != nil {
		t.Fatal(err)
	}
	press := func(key string) error {
		_, err := m.Apply(Input{Seat: "red", Verb: Key, Args: []string{key}})
		return err
	}
	if err := press("plus"); err != nil {
		t.Fatal(err)
	}
	if press("minus") == nil || press("plus") == nil || m.Seq() != 1 {
		t.Fatalf("something was accepted: seq %d", m.Seq())
	}
	if err := press("plus"); err == nil {
		t.Error("plus was accepted")
	} else if _, refusal := AsRefusal(err); refusal {
		t.Errorf("got a refusal for a bug: %v", err)
	}
	bad = false
	if err := press("plus"); err != nil {
		t.Fatal(err)
	}
	if n, _ := m.View().Counters.Get("lines"); n != 2 || m.Seq() != 2 {
		t.Errorf("%d lines at seq %d: an input was applied to a half changed state", n, m.Seq())
	}
}
