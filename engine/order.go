package engine

import "time"

// An Order is what is done with whole matches, as Input is what is done
// within one: begin, resume, abandon or rematch. With learn the table learns
// what a tag means; no journal hears of that.
type Order struct {
	Do    string `json:"do"`
	Match string `json:"match,omitempty"` // resume: which one; "" is the newest unfinished one
	Setup Setup  `json:"setup,omitzero"`  // begin: game, options, seats, pools and, where it is chosen, first
	Tag   string `json:"tag,omitempty"`   // learn: its UID; "" is the next tag that nobody knows
	Card  string `json:"card,omitempty"`  // learn: "mutants/zombie.2", "key/undo", "roll/growth-2"; "" waits no longer
}

// A MatchInfo is a line in the list of matches.
type MatchInfo struct {
	ID      string    `json:"id"`
	Game    string    `json:"game"`
	Seats   []Player  `json:"seats"`
	Begin   time.Time `json:"begin"`
	Inputs  int       `json:"inputs"`
	State   string    `json:"state"` // playing, unfinished, finished, abandoned, damaged
	Winners []Seat    `json:"winners,omitempty"`
	Reason  string    `json:"reason,omitempty"` // why it is damaged
}
