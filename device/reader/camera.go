package reader

import (
	"context"
	"slices"
	"sync"
	"time"

	"tableside/engine"
)

// The limits for codes and cameras.
const (
	// minFrames is how many frames must show a code before it counts. A code in one frame
	// only may be misread, or may be seen while somebody passes with the phone in hand.
	minFrames = 2

	// goneAfter is how long a camera must not have seen a code before the code counts as
	// taken away. A trembling hand blurs a few frames in a row, and must not take a code
	// away.
	goneAfter = time.Second

	// awayAfter is how long a code must not have been seen if its camera sends nothing. It equals
	// repeatAfter, the time within which a tag that is reported again over the network
	// counts as the same tap.
	awayAfter = repeatAfter

	maxCodes = 256 // of all cameras
)

// A Cameras holds the codes that the cameras of phones and laptops see. Each code counts as a
// tag that lies at the camera's place. The rules of Board apply, with one difference. A
// code is lifted after a time and not after a number of polls, because the rate of frames
// depends on the phone and its network.
type Cameras struct {
	network *Network

	mu    sync.Mutex
	codes map[codeInView]*seenCode
}

// A camera is identified by three things: its visitor's address, its page and its place. The
// address alone is not enough, because several phones behind a router or a proxy have the same
// address.
type camera struct{ visitor, page, place string }

// A codeInView is a code that a camera sees now, or last saw so recently that the code does not
// count as taken away yet.
type codeInView struct {
	camera
	text string
}

type seenCode struct {
	frames      int // how many frames have shown it
	lastFrameAt time.Time
	receipt     engine.Receipt // of its tap; the zero receipt before
}

// NewCameras returns a Cameras that sees no codes yet. It will report the codes as tags to the
// network n.
func NewCameras(n *Network) *Cameras { return &Cameras{network: n, codes: map[codeInView]*seenCode{}} }

// See handles one frame of a camera. texts holds the text of each code in the frame. See
// returns one receipt for each code. The camera belongs to a visitor's page and looks at a
// place.
//
// Until enough frames have shown a code, its receipt is zero. As soon as enough frames have
// shown it, See taps the code. While the code stays in view, its receipt is the receipt of the
// tap. If the tap has failed, the next frame tries the tap again. See waits for the table
// until ctx ends. Meanwhile other calls of See wait.
func (c *Cameras) See(ctx context.Context, visitor, page, place string, texts []string) []engine.Receipt {
	c.mu.Lock()
	defer c.mu.Unlock()
	of, now := camera{visitor, page, place}, time.Now()
	for seen, code := range c.codes {
		gone := now.Sub(code.lastFrameAt)
		if gone > awayAfter || gone >= goneAfter && seen.camera == of && !slices.Contains(texts, seen.text) {
			c.lift(ctx, seen)
		}
	}
	receipts := make([]engine.Receipt, len(texts))
	for i, text := range texts {
		code := c.codes[codeInView{of, text}]
		if code == nil {
			c.makeRoom(ctx)
			code = &seenCode{}
			c.codes[codeInView{of, text}] = code
		}
		if code.lastFrameAt != now { // two codes in one frame may have the same text
			code.frames, code.lastFrameAt = code.frames+1, now
			if code.frames >= minFrames && code.receipt.Outcome == "" {
				code.receipt = c.tap(ctx, place, text)
			}
		}
		if receipts[i] = code.receipt; code.receipt.Outcome == engine.Failed {
			code.receipt = engine.Receipt{} // the next frame tries again
		}
	}
	return receipts
}

// tap taps a code and returns the receipt. A code that names no tag is often a web address
// with a secret in it. The receipt of such a code therefore does not repeat the code.
func (c *Cameras) tap(ctx context.Context, place, text string) engine.Receipt {
	receipt := c.network.Tap(ctx, place, text)
	if key := receipt.Text.Key; key == "receipt.no-tag" || key == "receipt.random-tag" {
		return c.network.problem(engine.Malformed, engine.T("receipt.no-card"))
	}
	return receipt
}

func (c *Cameras) lift(ctx context.Context, seen codeInView) {
	if outcome := c.codes[seen].receipt.Outcome; outcome != "" && outcome != engine.Malformed {
		c.network.Lift(ctx, seen.place, seen.text)
	}
	delete(c.codes, seen)
}

// makeRoom makes room for a new code: if there are maxCodes, it lifts the one that was seen the
// longest time ago.
func (c *Cameras) makeRoom(ctx context.Context) {
	if len(c.codes) < maxCodes {
		return
	}
	var oldest codeInView
	for seen, code := range c.codes {
		if first := c.codes[oldest]; first == nil || code.lastFrameAt.Before(first.lastFrameAt) {
			oldest = seen
		}
	}
	c.lift(ctx, oldest)
}
