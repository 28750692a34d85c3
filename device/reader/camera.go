package reader

import (
	"context"
	"slices"
	"sync"
	"time"

	"tableside/engine"
)

// Limits of what a camera sees.
const (
	// agreeing is how many frames have to show the same code: a single one may be
	// misread, or taken while somebody passes with the phone in hand.
	agreeing = 2

	// goneAfter is how long a code must be missed to count as taken away: a hand that trembles
	// blurs a few frames in a row.
	goneAfter = time.Second

	// awayAfter is how long a camera must send nothing to count as switched off: as long as a
	// tag that is reported again over the network counts as the same tap.
	awayAfter = repeatAfter

	// maxCameras is how many cameras are kept, maxPages how many of one visitor.
	maxCameras, maxPages = 64, 12
)

// A Cameras holds what the cameras of phones and laptops see: codes that lie in one place,
// each a tag. Its rules are those of Presence, but a code is gone after a time and not after a
// number of polls: frames come as quickly as the phone and its network allow.
type Cameras struct {
	network *Network

	mu   sync.Mutex
	seen map[camera]*sight
}

// A camera names the page of a visitor and the place at which that page points a camera:
// several phones may have one address, behind a router or a proxy.
type camera struct{ visitor, page, place string }

// A sight holds the codes that one camera sees.
type sight struct {
	last  time.Time          // of its newest frame
	codes map[string]*inView // by text
}

// An inView is a code that was in the picture less than goneAfter ago.
type inView struct {
	frames  int // that showed it
	last    time.Time
	receipt engine.Receipt // of its tap; the zero receipt before
}

// NewCameras returns a Cameras without cameras, whose tags will go to the network.
func NewCameras(n *Network) *Cameras { return &Cameras{network: n, seen: map[camera]*sight{}} }

// See takes the texts of the codes in a frame from the camera of a visitor's page, and returns
// a receipt for each: that of the code's tap as long as the code is in view, or the zero
// receipt until enough frames agree.
func (c *Cameras) See(ctx context.Context, visitor, page, place string, texts []string) []engine.Receipt {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sight(ctx, camera{visitor, page, place}, texts)
	receipts := make([]engine.Receipt, len(texts))
	for i, text := range texts {
		code := s.codes[text]
		if code == nil {
			code = &inView{}
			s.codes[text] = code
		}
		if code.last != s.last { // two codes of one frame may say the same
			code.frames, code.last = code.frames+1, s.last
			if code.frames >= agreeing && code.receipt.Outcome == "" {
				code.receipt = c.tap(ctx, place, text)
			}
		}
		if receipts[i] = code.receipt; code.receipt.Outcome == engine.Failed {
			code.receipt = engine.Receipt{} // the next frame tries again
		}
	}
	return receipts
}

// tap taps a code. A code that is no card's is often an address with a token, which no
// answer should repeat.
func (c *Cameras) tap(ctx context.Context, place, text string) engine.Receipt {
	receipt := c.network.Tap(ctx, place, text)
	if key := receipt.Text.Key; key == "receipt.no-tag" || key == "receipt.random-tag" {
		return c.network.problem(engine.Malformed, engine.T("receipt.no-card"))
	}
	return receipt
}

// sight returns what a camera sees. Before, it lifts the codes that the camera sees no longer,
// and all codes of cameras that were switched off.
func (c *Cameras) sight(ctx context.Context, of camera, texts []string) *sight {
	now := time.Now()
	if c.seen[of] == nil {
		c.makeRoom(ctx, of.visitor)
	}
	for other, s := range c.seen {
		if now.Sub(s.last) > awayAfter {
			c.forget(ctx, other)
		}
	}
	s := c.seen[of]
	if s == nil {
		s = &sight{codes: map[string]*inView{}}
		c.seen[of] = s
	}
	s.last = now
	for text, code := range s.codes {
		if now.Sub(code.last) >= goneAfter && !slices.Contains(texts, text) {
			c.lift(ctx, of.place, text, code)
			delete(s.codes, text)
		}
	}
	return s
}

func (c *Cameras) lift(ctx context.Context, place, text string, code *inView) {
	if code.receipt.Outcome != "" && code.receipt.Outcome != engine.Malformed {
		c.network.Lift(ctx, place, text)
	}
}

// forget drops a camera and lifts its codes.
func (c *Cameras) forget(ctx context.Context, of camera) {
	for text, code := range c.seen[of].codes {
		c.lift(ctx, of.place, text, code)
	}
	delete(c.seen, of)
}

// makeRoom forgets the oldest camera of a visitor who has too many, so that nobody
// displaces the cameras of others; or else, if there are too many in all, the oldest.
func (c *Cameras) makeRoom(ctx context.Context, visitor string) {
	own := 0
	for of := range c.seen {
		if of.visitor == visitor {
			own++
		}
	}
	if own < maxPages && len(c.seen) < maxCameras {
		return
	}
	var oldest camera
	for of, s := range c.seen {
		if own >= maxPages && of.visitor != visitor {
			continue
		}
		if first := c.seen[oldest]; first == nil || s.last.Before(first.last) {
			oldest = of
		}
	}
	c.forget(ctx, oldest)
}
