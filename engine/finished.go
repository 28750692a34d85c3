package engine

import "time"

// A Finished tells how a match ended, for a program that keeps the matches of several tables.
// The journal gives all fields except Table, Hall and Title.
type Finished struct {
	Table   string         `json:"table"`
	Hall    string         `json:"hall"` // the hall that this is for: no other hall takes it
	Match   string         `json:"match"`
	Game    string         `json:"game"`    // "mutants/second-edition"
	Title   string         `json:"title"`   // of the game, in the table's language
	Edition string         `json:"edition"` // "second-edition"
	Begin   time.Time      `json:"begin"`
	Ended   time.Time      `json:"ended"`   // by match time, which excludes interruptions
	Winners []Seat         `json:"winners"` // never empty
	Seats   []FinishedSeat `json:"seats"`   // the best first
	Pieces  int            `json:"pieces"`  // parts of its published journal; 0 if too large
	Bytes   int            `json:"bytes"`   // of the journal
	SHA256  string         `json:"sha256"`  // of the journal, in hexadecimal digits
}

// FinishedSeat tells how a player did. Seats that tie have the same rank.
type FinishedSeat struct {
	ID    Seat   `json:"id"`
	Name  string `json:"name"`
	Score *int   `json:"score"` // by which seats are compared; null if they are not
	Rank  int    `json:"rank"`  // from 1
}
