package cardfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tableside/engine"
)

// MaxFile is the greatest size of a file from elsewhere, in bytes.
const MaxFile = 1 << 20

// The errors of Join say why two files are not joined.
var (
	ErrFaults       = errors.New("the lines cannot be read")
	ErrUndecided    = errors.New("not every difference is decided")
	ErrIncompatible = errors.New("the two files cannot be read together")
	ErrTooLong      = fmt.Errorf("the file would be longer than %d bytes", MaxFile)
)

// Shared returns the part of a card file that an owner gives to others. This part holds the
// lines about cards without a fault. Comments are left out, because they may hold names.
func Shared(o *Owners, source string) string {
	lines, _ := o.Define("", source)
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// A JoinResult is the result of joining another owner's file to one's own. For Faults, see Join.
type JoinResult struct {
	Comparison
	Joined string // both files in one
	Faults []*engine.SyntaxError
}

// Join adds what another owner's file has to an owner's own file. For each field in which both
// contradict each other, the callback returns whose statements count: "mine" for the owner's
// own, or "theirs" for the other owner's.
//
// If the other owner's file has any fault, Join returns ErrFaults, and the JoinResult holds the
// faults. Sentences that stay as words (see Define) are no faults here. If the callback returns
// neither "mine" nor "theirs", Join returns ErrUndecided. If the joined file has more faults
// than the owner's own file, Join returns ErrIncompatible, and the JoinResult holds the faults
// of the joined file. If the joined file is longer than MaxFile, Join returns ErrTooLong.
func Join(o *Owners, mine, theirs string, decided func(Difference) string) (j JoinResult, err error) {
	if j.Faults = o.faults(theirs); len(j.Faults) > 0 {
		return j, ErrFaults
	}
	j.Comparison = o.Compare(mine, theirs)
	for _, d := range j.Differences {
		if choice := decided(d); choice != "mine" && choice != "theirs" {
			return j, ErrUndecided
		}
	}
	j.Joined = o.Merge(mine, theirs, func(d Difference) bool { return decided(d) == "theirs" })
	if faults := o.faults(j.Joined); len(faults) > len(o.faults(mine)) {
		j.Faults = faults
		return j, ErrIncompatible
	}
	if len(j.Joined) > MaxFile {
		return j, ErrTooLong
	}
	return j, nil
}

// faults returns the faults of a file that leave something out.
func (r *Owners) faults(source string) []*engine.SyntaxError {
	_, all := r.Define("", source)
	return slices.DeleteFunc(all, func(e *engine.SyntaxError) bool { return errors.Is(e, ErrNoRow) })
}
