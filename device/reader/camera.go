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

	// awayAfter is how long a camera must send nothing to count as switched off. It equals
	// repeatAfter, the time within which a tag that is reported again over the network
	// counts as the same tap.
	awayAfter = repeatAfter

	// maxCameras bounds the cameras of all visitors, maxPages the cameras of one visitor.
	maxCameras, maxPages = 64, 12
)

// A Cameras holds the codes that the cameras of phones and laptops see. Each code counts as a
// tag that lies at the camera's place. The rules of Presence apply, with one difference. A
// code is lifted after a time and not after a number of polls, because the rate of frames
// depends on the phone and its network.
type Cameras struct {
	network *Network

	mu     sync.Mutex
	sights map[camera]*sight
}

// A camera is identified by three things: its visitor's address, its page and its place. The
// address alone is not enough, because several phones behind a router or a proxy have the same
// address.
type camera struct{ visitor, page, place string }

// A sight holds the codes that one camera sees.
type sight struct {
	lastFrameAt time.Time
	codes       map[string]*seenCode // by text
}

// A seenCode is a code that a camera sees now, or last saw so recently that the code does not
// count as taken away yet.
type seenCode struct {
	frames      int // how many frames have shown it
	lastFrameAt time.Time
	receipt     engine.Receipt // of its tap; the zero receipt before
}

// NewCameras returns a Cameras that sees no codes yet. It will report the codes as tags to the
// network n.
func NewCameras(n *Network) *Cameras { return &Cameras{network: n, sights: map[camera]*sight{}} }

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
	s := c.sight(ctx, camera{visitor, page, place}, texts)
	receipts := make([]engine.Receipt, len(texts))
	for i, text := range texts {
		code := s.codes[text]
		if code == nil {
			code = &seenCode{}
			s.codes[text] = code
		}
		if code.lastFrameAt != s.lastFrameAt { // two codes in one frame may have the same text
			code.frames, code.lastFrameAt = code.frames+1, s.lastFrameAt
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

// sight records a frame of a camera, and returns what the camera sees. texts holds the text of
// each code in the frame. sight lifts the codes that the camera has missed for goneAfter. It
// also lifts all codes of cameras that were switched off.
func (c *Cameras) sight(ctx context.Context, of camera, texts []string) *sight {
	now := time.Now()
	if c.sights[of] == nil {
		c.makeRoom(ctx, of.visitor)
	}
	for other, s := range c.sights {
		if now.Sub(s.lastFrameAt) > awayAfter {
			c.forget(ctx, other)
		}
	}
	s := c.sights[of]
	if s == nil {
		s = &sight{codes: map[string]*seenCode{}}
		c.sights[of] = s
	}
	s.lastFrameAt = now
	for text, code := range s.codes {
		if now.Sub(code.lastFrameAt) >= goneAfter && !slices.Contains(texts, text) {
			c.lift(ctx, of.place, text, code)
			delete(s.codes, text)
		}
	}
	return s
}

func (c *Cameras) lift(ctx context.Context, place, text string, code *seenCode) {
	if code.receipt.Outcome != "" && code.receipt.Outcome != engine.Malformed {
		c.network.Lift(ctx, place, text)
	}
}

// forget drops a camera and lifts its codes.
func (c *Cameras) forget(ctx context.Context, of camera) {
	for text, code := range c.sights[of].codes {
		c.lift(ctx, of.place, text, code)
	}
	delete(c.sights, of)
}

// makeRoom makes room for a new camera of a visitor. A visitor who has maxPages cameras loses
// one of their own, so that nobody displaces the cameras of others. Otherwise, if there are
// maxCameras in all, one camera of any visitor is forgotten. In both cases, the camera that
// has sent nothing for the longest time is chosen.
func (c *Cameras) makeRoom(ctx context.Context, visitor string) {
	own := 0
	for of := range c.sights {
		if of.visitor == visitor {
			own++
		}
	}
	if own < maxPages && len(c.sights) < maxCameras {
		return
	}
	var oldest camera
	for of, s := range c.sights {
		if own >= maxPages && of.visitor != visitor {
			continue
		}
		if first := c.sights[oldest]; first == nil || s.lastFrameAt.Before(first.lastFrameAt) {
			oldest = of
		}
	}
	c.forget(ctx, oldest)
}
