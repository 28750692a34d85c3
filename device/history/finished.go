package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"tableside/device"
	"tableside/engine"
)

// MaxLines is the greatest number of lines in a journal that is sent to a hall. Journals of
// random matches of all games have some thousands of lines. To read a journal of a million
// lines takes more memory than a small machine has.
const MaxLines = 60_000

// ErrTooLong reports a journal of more than MaxLines.
var ErrTooLong = fmt.Errorf("the journal has more than %d lines", MaxLines)

// Finish folds the journal of a match that is over, and returns how the match ended. In the
// result, Table, Hall and Pieces stay empty. If the match is not over or cannot be folded, the
// error gives the reason. If the journal has more than MaxLines, the error is ErrTooLong.
//
// If checkLimits is not nil, Finish calls checkLimits before every line. If checkLimits
// returns an error, the fold ends.
func Finish(match string, data []byte, games []engine.Game, lang engine.Lang,
	checkLimits func() error) (engine.Finished, error) {
	if bytes.Count(data, []byte("\n")) > MaxLines {
		return engine.Finished{}, ErrTooLong
	}
	e := sum(match, data, games, checkLimits)
	switch {
	case e.Reason != "":
		return engine.Finished{}, errors.New(e.In(lang).Reason)
	case e.State != "finished":
		return engine.Finished{}, fmt.Errorf("the match is %s", e.State)
	case len(e.Winners()) == 0:
		return engine.Finished{}, errors.New("nobody has won by today's rules")
	case engine.BeginOf(match).IsZero() || !engine.BeginOf(match).Equal(e.Begin):
		return engine.Finished{}, fmt.Errorf("it began at %s", e.Begin.UTC().Format(time.RFC3339))
	}
	words := engine.Find(games, e.Game).Info().Words
	f := engine.Finished{Match: match, Game: e.Game, Edition: engine.Edition(e.Game),
		Title: words.Say(lang, engine.Text{Key: "game." + engine.Title(e.Game)}, nil),
		Begin: e.Begin.UTC(), Ended: e.Begin.UTC().Add(time.Duration(e.Seconds) * time.Second), Winners: e.Winners(),
		Bytes: len(data), SHA256: Digest(data)}
	for _, p := range e.Seats {
		seat := engine.FinishedSeat{ID: p.Seat, Name: p.Name, Rank: p.Rank}
		if e.Counter != "" {
			seat.Score = &p.Value
		}
		f.Seats = append(f.Seats, seat)
	}
	return f, nil
}

// Digest returns the SHA-256 of a journal in hexadecimal digits.
func Digest(journal []byte) string {
	sum := sha256.Sum256(journal)
	return hex.EncodeToString(sum[:])
}

// tableSeparator separates a match from its table in the names under which a hall keeps
// journals. The name of a table never contains this separator.
const tableSeparator = "@"

// NameOf returns the name under which a hall keeps the match of a table. The name of the match
// is not enough, because two tables may have begun matches in the same second.
func NameOf(match, table string) string { return match + tableSeparator + table }

// Keep writes the journal of a match, and returns once the disk has the journal. If the match
// already has a journal, Keep replaces this journal. In a hall, Keep also records the old
// journal, so that Replaced recognises it. A deleted match stays deleted.
func (h *History) Keep(match string, journal []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	which, err := h.find(match)
	if _, unknown := engine.AsRefusal(err); unknown {
		which = kept
	} else if err = h.replaces(h.file(which, match)); err != nil {
		return fmt.Errorf("%s: %s", replacedFile, plainReason(err))
	}
	if err := device.Replace(h.file(which, match), string(journal)); err != nil {
		return fmt.Errorf("%s%s: %s", match, suffix, plainReason(err))
	}
	return nil
}

// List lists the matches that are not deleted. Each entry has only its ID.
func (h *History) List() (list []engine.MatchInfo, err error) {
	files, err := h.files(kept)
	for _, f := range files {
		list = append(list, engine.MatchInfo{ID: f.id})
	}
	return list, err
}

// Journal returns the journal of a match that is not deleted, or a refusal if there is none.
func (h *History) Journal(match string) ([]byte, error) {
	if which, err := h.find(match); err != nil || which == deleted {
		return nil, engine.Refuse("past.unknown", "name", match)
	}
	return device.ReadJournal(h.file(kept, match))
}

// Kept returns the journal of a match, even of a deleted one, or a refusal if there is none.
func (h *History) Kept(match string) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	which, err := h.find(match)
	if err != nil {
		return nil, err
	}
	return device.ReadJournal(h.file(which, match))
}
