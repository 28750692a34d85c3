package history

import (
	"slices"
	"testing"

	"tableside/engine"
)

// A match that today's rules cannot replay has no length: it is no record, and its team stays one.
func TestNoRecordWithoutReplay(t *testing.T) {
	won := Entry{ID: "a", Game: "tally/score", Seconds: 100, Seats: []Player{{Name: "Alice", Won: true}, {Name: "Max"}}}
	odd := Entry{ID: "b", Game: "tally/score", Seconds: 3, Reason: "the mark does not agree",
		Seats: []Player{{Seat: "red", Name: "Alice", Team: 1}, {Seat: "blue", Name: "Max", Team: 1}}}
	odd.recordWinners([]engine.Seat{"red", "blue"})
	s := gameStats("Tally", []Entry{won, odd}, nil, map[string]string{"Alice": "Alice"})
	if s.Shortest != 100 || s.Seconds != 100 {
		t.Errorf("got %d of %d seconds", s.Shortest, s.Seconds)
	}
	for _, r := range s.Records {
		if r.Match == "b" {
			t.Errorf("a record: %+v", r)
		}
	}
	if _, known := duel(odd.Seats[0], odd.Seats[1]); known {
		t.Error("two of a team played against each other")
	}
	if s := gameStats("Tally", []Entry{odd}, nil, nil); s.Shortest != 0 {
		t.Errorf("got %d seconds", s.Shortest)
	}
}

func TestATeamsRecordNamesAll(t *testing.T) {
	won := Entry{ID: "a", Game: "tally/belote", Seconds: 100, Seats: []Player{{Name: "Max", Team: 2},
		{Name: "zoé", Won: true, Team: 1}, {Name: "Alice", Won: true, Team: 1}}}
	s := gameStats("Belote", []Entry{won}, nil, map[string]string{"zoé": "Zoé", "Alice": "Alice"})
	if len(s.Records) != 2 || !slices.Equal(s.Records[0].Names, []string{"Zoé", "Alice"}) {
		t.Errorf("got %+v", s.Records)
	}
}
