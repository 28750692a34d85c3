package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Seating is a hall's proposal of who shall play at a table.
type Seating struct {
	Evening string    `json:"evening"`
	Round   int       `json:"round"`
	Players []string  `json:"players"`         // the first begins
	Game    string    `json:"game,omitempty"`  // title of the game, without its edition; "" for any
	Since   time.Time `json:"since"`           // when the round was drawn
	Ends    time.Time `json:"ends,omitzero"`   // when the round's time is over, by the hall's clock; zero without one
	Match   int       `json:"match,omitempty"` // the number of the next match of a series, from the second on
}

const (
	maxEvening = 60 // letters of its name
	maxSeated  = 8  // players of a table
	maxRound   = 99
)

// Check returns an error that says what is wrong with a seating that came from elsewhere. For
// a valid seating, it returns nil.
func (s *Seating) Check() error {
	if len([]rune(s.Evening)) > maxEvening || !printable(s.Evening) || len(s.Game) > 100 || !printable(s.Game) {
		return errors.New("the evening or the game is not a short text")
	}
	if s.Round < 1 || s.Round > maxRound || s.Match < 0 || s.Match > maxRound ||
		len(s.Players) < 2 || len(s.Players) > maxSeated {
		return fmt.Errorf("round %d with %d players", s.Round, len(s.Players))
	}
	for i, name := range s.Players {
		if strings.TrimSpace(name) == "" || !readableName(name) || slices.Contains(s.Players[:i], name) {
			return fmt.Errorf("player %d has the name %.30q", i+1, name)
		}
	}
	return nil
}
