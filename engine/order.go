package engine

import "time"

// An Order is what is done with whole matches, as Input is what is done
// within one: begin, resume, abandon or rematch.
type Order struct {
	Do    string `json:"do"`
	Match string `json:"match,omitempty"` // resume: which one; "" is the newest unfinished one
	Setup Setup  `json:"setup,omitzero"`  // begin: game, options, seats, pools and, where it is chosen, first
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
