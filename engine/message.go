package engine

import (
	"errors"
	"strings"
	"time"
)

// A HallMessage is a message from a hall to the people at a table.
type HallMessage struct {
	Text string    `json:"text"`          // "" if it only answers a call
	Call time.Time `json:"call,omitzero"` // when the call that it answers began; zero for none
}

// maxMessage limits the text of a message, in letters.
const maxMessage = 200

// Check returns an error that says what is wrong with a message. For a valid message, it
// returns nil.
func (m HallMessage) Check() error {
	switch {
	case strings.TrimSpace(m.Text) == "" && m.Call.IsZero():
		return errors.New("the message is empty")
	case len([]rune(m.Text)) > maxMessage || !printable(m.Text):
		return errors.New("a message has at most 200 letters, on one line")
	}
	return nil
}
