package engine

import "time"

// Finished tells how a match ended, for who keeps the matches of several tables. Everything
// but the table, the hall and the title is folded from the journal.
type Finished struct {
	Table   string         `json:"table"`
	Hall    string         `json:"hall"` // for which it is: no other one takes it
	Match   string         `json:"match"`
	Game    string         `json:"game"`    // "mutants/second-edition"
	Title   string         `json:"title"`   // of the game, in the table's language
	Edition string         `json:"edition"` // "second-edition"
	Begin   time.Time      `json:"begin"`
	Ended   time.Time      `json:"ended"`   // by the clock of the match, which stops while it waits to be continued
	Winners []Seat         `json:"winners"` // never empty
	Seats   []FinishedSeat `json:"seats"`   // the best first
	Pieces  int            `json:"pieces"`  // in which its journal is published; 0: it is too large
	Bytes   int            `json:"bytes"`   // of the journal
	SHA256  string         `json:"sha256"`  // of the journal, in hexadecimal digits
}

// FinishedSeat tells how a player did. Seats of equal rank share it.
type FinishedSeat struct {
	ID    Seat   `json:"id"`
	Name  string `json:"name"`
	Score *int   `json:"score"` // by which the seats are compared; null if they are not
	Rank  int    `json:"rank"`  // from 1
}
