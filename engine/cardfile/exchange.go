package cardfile

import (
	"errors"
	"fmt"
	"strings"

	"tableside/engine"
)

// MaxFile is the greatest size of a file from elsewhere, in bytes.
const MaxFile = 1 << 20

// The errors of Join say why two files are not joined.
var (
	ErrFaults   = errors.New("the lines cannot be read")
	ErrOpen     = errors.New("not every difference is decided")
	ErrTogether = errors.New("the two files cannot be read together")
	ErrLong     = fmt.Errorf("the file would be longer than %d bytes", MaxFile)
)

// Shared returns what an owner gives to others: the lines of those cards that have
// no fault. Comments may hold names, so they stay at home.
func Shared(o Owners, source string) string {
	lines, _ := o.Define("", source)
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// A Joining holds what the file of another owner brings.
type Joining struct {
	Added       []string     // cards that only the other file has
	Differences []Difference // cards that both describe differently
	After       string       // both files in one
	Faults      []*engine.SyntaxError
}

// Join adds the cards of another file to the owner's. decided returns "mine" or "theirs" for a
// card that both describe differently; anything else leaves it open, and the error is then
// ErrOpen. Before that, Join checks the other file as a whole; with ErrFaults the Joining has
// its faults. With ErrTogether, the joined file has more faults than mine, and the Joining has
// those of After. With ErrLong, After is longer than MaxFile.
func Join(o Owners, mine, theirs string, decided func(card string) string) (j Joining, err error) {
	if _, j.Faults = o.Define("", theirs); len(j.Faults) > 0 {
		return j, ErrFaults
	}
	j.Added, j.Differences = Compare(mine, theirs)
	for _, d := range j.Differences {
		if choice := decided(d.Card); choice != "mine" && choice != "theirs" {
			return j, ErrOpen
		}
	}
	j.After = Merge(mine, theirs, func(card string) bool { return decided(card) == "theirs" })
	_, old := o.Define("", mine)
	if _, faults := o.Define("", j.After); len(faults) > len(old) {
		j.Faults = faults
		return j, ErrTogether
	}
	if len(j.After) > MaxFile {
		return j, ErrLong
	}
	return j, nil
}
