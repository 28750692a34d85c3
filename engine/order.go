package engine

import "time"

// An Order is a command to the table and not to its match. The field Do names the command. The
// commands "begin", "resume", "abandon" and "rematch" concern a whole match. The command
// "learn" teaches the table what a tag means. No journal holds this command. The commands
// "call", "call-off" and "dismiss" concern the hall. With "take-seat", people play on at a seat
// of the table's, until "leave-seat"; with "pause", such seats wait until "play-now". The command "what-if"
// begins a match that goes on from a moment of another one.
type Order struct {
	Do    string `json:"do"`
	Match string `json:"match,omitempty"` // resume: which one; "" for the newest unfinished one
	Setup Setup  `json:"setup,omitzero"`  // begin: game, options, seats, pools and, if chosen, first
	AsIs  bool   `json:"-"`               // begin: nothing is added to Setup, which is that of a journal
	Seq   int    `json:"seq,omitempty"`   // what-if: after so many inputs of Match
	Seat  Seat   `json:"seat,omitempty"`  // take-seat, leave-seat; what-if: that a person plays
	Tag   string `json:"tag,omitempty"`   // learn: its UID; "" for the next unknown tag
	Card  string `json:"card,omitempty"`  // learn: "mutants/zombie.2", "key/undo", "roll/growth-2"; "" stops waiting
}

// A MatchInfo describes a match in the list of matches.
type MatchInfo struct {
	ID      string    `json:"id"`
	Game    string    `json:"game"`
	Preset  string    `json:"preset,omitempty"` // of a score sheet: which game it was
	Seats   []Player  `json:"seats"`
	Begin   time.Time `json:"begin"`
	Inputs  int       `json:"inputs"`
	State   string    `json:"state"` // playing, unfinished, finished, abandoned, damaged
	Winners []Seat    `json:"winners,omitempty"`
	Reason  string    `json:"reason,omitempty"` // why it is damaged

	// How an unfinished match stands.
	Last    time.Time    `json:"last,omitzero"` // time of the last input
	Round   int          `json:"round,omitempty"`
	Counter string       `json:"counter,omitempty"` // by which the seats are compared
	Score   map[Seat]int `json:"score,omitempty"`   // the values of Counter
}

// Stand fills the fields from Last to Score with the present state of the match. A time beyond
// the year 9999, which JSON cannot have, is left out.
func (m *MatchInfo) Stand(match *Match) {
	v := match.View()
	if last := m.Begin.Add(match.Last()); last.Year() <= 9999 {
		m.Last = last
	}
	m.Round, m.Counter = v.Round, counterOf(&v)
	m.Score = valuesOf(&v, m.Counter)
}
