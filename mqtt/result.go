package mqtt

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tableside/engine"
)

// These are the limits of a journal on the broker. Random matches of all games have journals
// of at most 300 KB.
const (
	pieceSize  = 32 << 10 // bytes of a piece
	maxJournal = 4 << 20  // bytes of all pieces
	maxPieces  = maxJournal / pieceSize
	maxResult  = 16 << 10 // bytes of the result itself
)

// Offer makes the client publish the result of a match and its journal, in pieces. Both stay
// on the broker until the next call of Offer. If the same match is offered again, it is
// published again. If f is nil, the result and the journal are cleared. If the journal is too
// large, only the result is published. Offer does not wait for the broker.
func (c *Client) Offer(f *engine.Finished, journal []byte) {
	var offer []Message
	if f != nil {
		offer = parcel(*f, journal)
	}
	c.box.put(func(m *mail) { m.offer = &offer })
}

// parcel returns the messages for a finished match: first the pieces of its journal, and then
// the result. Thus all pieces are there when the result arrives. The topics of the messages
// still lack the prefix of the table.
func parcel(f engine.Finished, journal []byte) []Message {
	f.Pieces = 0
	var all []Message
	if len(journal) <= maxJournal {
		for piece := range slices.Chunk(journal, pieceSize) {
			f.Pieces++
			all = append(all, Message{Topic: journalTopic(f.Match) + strconv.Itoa(f.Pieces), Payload: piece, Retain: true})
		}
	}
	return append(all, Message{Topic: "/result", Payload: encode(f), Retain: true})
}

func journalTopic(match string) string { return "/journal/" + level(match) + "/" }

// isPiece reports whether a topic holds a piece of a journal of this table.
func (s *session) isPiece(topic string) bool { return strings.HasPrefix(topic, s.prefix+"/journal/") }

var isDigest = regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString

// readResult reads a result, and checks whatever can be checked without the journal.
func readResult(table string, payload []byte) (*engine.Finished, error) {
	if len(payload) > maxResult || !utf8.Valid(payload) {
		return nil, errors.New("the result is not a short text")
	}
	var f engine.Finished
	if err := json.Unmarshal(payload, &f); err != nil {
		return nil, fmt.Errorf("the result: %w", err)
	}
	want := (f.Bytes + pieceSize - 1) / pieceSize
	switch {
	case f.Table != table || !engine.IsWord(table):
		return nil, fmt.Errorf("the result is of the table %.70q", f.Table)
	case engine.BeginOf(f.Match).IsZero():
		return nil, fmt.Errorf("the result is of the match %.30q", f.Match)
	case !isDigest(f.SHA256):
		return nil, fmt.Errorf("the result has the SHA-256 %.70q", f.SHA256)
	case f.Bytes <= 0, f.Bytes <= maxJournal && f.Pieces != want, f.Bytes > maxJournal && f.Pieces != 0:
		return nil, fmt.Errorf("the result has %d pieces of %d bytes", f.Pieces, f.Bytes)
	}
	return &f, nil
}

// An acknowledgement is the hall's answer to a match that a table offered. The hall has kept
// the match or, if Refused is not "", has refused it for this reason.
type acknowledgement struct {
	Match   string `json:"match"`
	SHA256  string `json:"sha256"`
	Refused string `json:"refused,omitempty"`
}

// KeptTopic is the first argument of Config.FromHall when the hall answers a table that has
// offered a match to it.
const KeptTopic = "kept"

// ParseKept reads the hall's answer to a match that a table offers. It returns the match, the
// SHA-256 digest of its journal, and the reason for which the hall refused the match. If the
// hall has kept the match, refused is "".
func ParseKept(payload []byte) (match, digest, refused string, err error) {
	var a acknowledgement
	err = json.Unmarshal(payload, &a)
	return a.Match, a.SHA256, a.Refused, err
}
