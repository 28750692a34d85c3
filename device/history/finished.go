package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"tableside/device/disk"
	"tableside/engine"
)

// MaxLines is the greatest number of lines in a journal that is sent to a hall. Journals of
// random matches of all games have some thousands of lines. To read a journal of a million
// lines takes more memory than a small machine has.
const MaxLines = 60_000

// ErrTooLong reports a journal of more than MaxLines.
var ErrTooLong = fmt.Errorf("the journal has more than %d lines", MaxLines)

// Finish folds the journal of a match that is over, and returns how the match ended. If the match
// is not over or cannot be folded, the error gives the reason. If the journal has more than
// MaxLines, the error is ErrTooLong.
//
// If checkLimits is not nil, Finish calls checkLimits before every line. If checkLimits
// returns an error, the fold ends.
func Finish(match string, data []byte, games []engine.Game, lang engine.Lang, checkLimits func() error) (Entry, error) {
	if bytes.Count(data, []byte("\n")) > MaxLines {
		return Entry{}, ErrTooLong
	}
	e := sum(match, data, games, checkLimits)
	switch {
	case e.Reason != "":
		return e, errors.New(e.In(lang).Reason)
	case e.State != "finished":
		return e, fmt.Errorf("the match is %s", e.State)
	case len(e.Winners()) == 0:
		return e, errors.New("nobody has won by today's rules")
	case engine.BeginOf(match).IsZero() || !engine.BeginOf(match).Equal(e.Begin):
		return e, fmt.Errorf("it began at %s", e.Begin.UTC().Format(time.RFC3339))
	}
	return e, nil
}

// Digest returns the SHA-256 of a journal, packed or not, in hexadecimal digits.
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

// ErrChanged says that the journal of a match is not the expected one any more.
var ErrChanged = errors.New("the journal of the match has changed")

// Keep writes the journal of a match, and returns once the disk has the journal. It replaces the
// journal that the match had before; nil stands for none. If the match has another one by now,
// for example because a name was removed from it, or if this journal was once replaced, the
// error is ErrChanged. In a hall, Keep also records the old journal, so that Replaced
// recognises it. A deleted match stays deleted.
func (h *History) Keep(match string, before, journal []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	which, err := h.find(match)
	if _, unknown := engine.AsRefusal(err); unknown {
		which = kept
	}
	present, err := disk.ReadJournal(h.file(which, match))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s%s: %s", match, suffix, disk.Cause(err))
	}
	replaced, err := h.replaced(match, Digest(journal))
	if err != nil {
		return fmt.Errorf("%s: %s", replacedFile, disk.Cause(err))
	}
	if replaced || !bytes.Equal(present, before) {
		return ErrChanged
	}
	if before != nil {
		if err := h.replaces(h.file(which, match)); err != nil {
			return fmt.Errorf("%s: %s", replacedFile, disk.Cause(err))
		}
	}
	if err := disk.Replace(h.file(which, match), string(journal)); err != nil {
		return fmt.Errorf("%s%s: %s", match, suffix, disk.Cause(err))
	}
	return nil
}

// RemoveAgain returns a later version of a journal without the names that were removed from the
// version before. Such a name stands in a later version where the version before has none.
func (h *History) RemoveAgain(before, journal []byte) []byte {
	was := namings(before)
	var removed []string
	for seat, names := range namings(journal) {
		for i, name := range names {
			if i < len(was[seat]) && !named(was[seat][i]) && named(name) {
				removed = append(removed, name)
			}
		}
	}
	if len(removed) == 0 {
		return journal
	}
	text, _ := engine.RemoveNames(journal, removed, NameKey, Removed, h.games)
	return text
}

// namings returns the names that each seat of a journal has had: the one in the head, and then each
// one that was set later.
func namings(data []byte) map[engine.Seat][]string {
	names := map[engine.Seat][]string{}
	j, _ := engine.ParseJournal("", data)
	if j == nil {
		return names
	}
	for _, p := range j.Setup.Seats {
		names[p.Seat] = []string{p.Name}
	}
	for _, line := range j.Lines {
		if in := line.Input; line.Mark == nil && in.Verb == engine.Set && in.Arg(0) == "name" {
			names[in.Seat] = append(names[in.Seat], in.Arg(1))
		}
	}
	return names
}

// List lists the matches that are not deleted. Each entry has only its ID.
func (h *History) List() (list []engine.MatchInfo, err error) {
	files, err := h.files()
	for _, f := range files {
		if f.Folder == kept {
			list = append(list, engine.MatchInfo{ID: f.ID})
		}
	}
	return list, err
}

// Journal returns the journal of a match that is not deleted, as it is on the disk. If there is
// no plain file for the match, the error is fs.ErrNotExist.
func (h *History) Journal(match string) ([]byte, error) {
	if !isMatch(match) {
		return nil, fmt.Errorf("match %q: %w", match, fs.ErrNotExist)
	}
	data, err := disk.ReadJournal(h.file(kept, match))
	for _, no := range []error{syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL, disk.ErrIrregular} {
		if errors.Is(err, no) {
			return nil, fmt.Errorf("match %q: %w", match, fs.ErrNotExist)
		}
	}
	return data, err
}

// Has reports whether a match, perhaps a deleted one, has this name.
func (h *History) Has(match string) bool {
	_, err := os.Lstat(h.file(kept, match))
	_, err2 := os.Lstat(h.file(deleted, match))
	return err == nil || err2 == nil
}

// Kept returns the journal of a match, even of a deleted one, or a refusal if there is none.
func (h *History) Kept(match string) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	which, err := h.find(match)
	if err != nil {
		return nil, err
	}
	return disk.ReadJournal(h.file(which, match))
}
