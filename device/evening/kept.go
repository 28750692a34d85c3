package evening

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"tableside/device"
	"tableside/engine"
)

// A kept evening is in the book.
type kept struct {
	id, path string
	match    *engine.Match
	sealer   engine.Sealer
	length   int64           // of the journal up to the last whole line
	seen     *View           // as it is now; nil if nobody has looked yet
	stale    bool            // a change failed: the state is ahead of the journal
	undone   int             // inputs that redo brings back
	damage   int             // the line from which on it cannot be read; 0 for none
	said     map[string]bool // results that were noted, even if that was undone
}

func (k *kept) state() *State { return k.match.State().(*State) }

// fresh reads the journal again if the state is ahead of it.
func (k *kept) fresh() error {
	if !k.stale {
		return nil
	}
	err := k.load()
	k.stale = err != nil
	return err
}

// load reads the journal.
func (k *kept) load() error {
	data, err := device.ReadJournal(k.path)
	if err != nil {
		return err
	}
	j, fault := engine.ParseJournal(filepath.Base(k.path), data)
	if j == nil {
		return fault
	}
	match, err := engine.NewMatch(Rules{}, j.Setup)
	if err != nil {
		return err
	}
	k.match, k.sealer, k.length, k.damage, k.said = match, j.Sealer, int64(j.Length), 0, map[string]bool{}
	k.undone, k.seen = 0, nil
	if syntax, ok := errors.AsType[*engine.SyntaxError](fault); ok {
		k.damage = syntax.Line
	}
	for _, line := range j.Lines {
		if line.Mark != nil {
			continue
		}
		if _, err := match.Apply(line.Input); err != nil {
			k.damage = line.Number
			return nil
		}
		k.note(line.Input)
	}
	return nil
}

// note remembers which results were heard, and how many inputs redo brings back.
func (k *kept) note(in engine.Input) {
	switch in.Verb {
	case engine.Undo:
		k.undone++
	case engine.Redo:
		k.undone--
	default:
		k.undone, k.seen = 0, nil
	}
	if in.Arg(0) != "heard" {
		return
	}
	if k.said == nil {
		k.said = map[string]bool{}
	}
	k.said[in.Command()] = true
}

// fold applies inputs at a time and returns their lines, sealed.
func (k *kept) fold(ins []engine.Input, at time.Duration) (string, error) {
	var b strings.Builder
	k.seen = nil
	for _, in := range ins {
		in.At = at
		step, err := k.match.Apply(in)
		if err != nil {
			return "", err
		}
		k.note(step.Input)
		b.WriteString(k.sealer.Seal(step.Input.String()))
	}
	return b.String(), nil
}

// write appends lines to the journal and waits for the disk. After an error the file ends
// where it did, or the next write cuts it there.
func (b *Book) write(k *kept, lines []byte, flag int) error {
	f, err := os.OpenFile(k.path, os.O_WRONLY|syscall.O_NOFOLLOW|flag, 0o640)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(k.length); err != nil { // a torn line
		return err
	}
	if _, err = f.WriteAt(lines, k.length); err == nil {
		err = b.sync(f)
	}
	if err != nil {
		return errors.Join(err, f.Truncate(k.length))
	}
	k.length += int64(len(lines))
	return nil
}
