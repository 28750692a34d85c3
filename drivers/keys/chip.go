package keys

import (
	"context"
	"time"
)

// A Chip hands out GPIO lines. GPIOChip is a chip of the kernel; keystest.Board is an emulated
// chip.
type Chip interface {
	// Request requests lines as inputs with their pull-ups and watches both edges. It fails
	// with a *gpiochip.BusyError when a line belongs to somebody else.
	Request(ctx context.Context, lines []int) (Lines, error)

	String() string
}

// Lines are the lines of one request. One goroutine uses them.
type Lines interface {
	// Next puts the oldest edges into edges and returns their number. If there is
	// none, Next blocks until one comes, for at most wait (more than zero); then
	// it returns 0 and no error.
	Next(ctx context.Context, edges []Edge, wait time.Duration) (int, error)

	// Levels puts the current levels of the lines into the slice, in the order of the
	// request. If the chip is gone or ctx has ended, Levels returns an error.
	Levels(ctx context.Context, high []bool) error

	// Now returns the present time on the clock that Edge.At uses.
	Now() time.Duration

	// Close gives the lines back.
	Close() error
}

// An Edge is a change of a line's level. Two successive edges of a line may have the same
// value in the field High. In that case, the change between them was too short to be seen.
type Edge struct {
	At   time.Duration
	Seq  uint32 // number within the request, from 1: a gap means that edges are missing
	Line int
	High bool // the level after the edge
}
