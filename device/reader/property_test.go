package reader

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tableside/device"
	"tableside/engine"
)

// A hand lays tags on a reader and takes them off, as players do, and checks that
// every change is reported exactly once, and no other.
type hand struct {
	Chip
	chance *rand.Rand
	tags   []*thing
	burst  int // polls that will still fail
	errors int // counted
	blurs  int
	taps   int
	lifts  int
	fail   func(format string, args ...any)
}

// A thing has a tag.
type thing struct {
	tag    string
	kind   device.TagKind
	policy Policy
	edge   bool // at the edge of the field: unreadable 30 % of the time
	mute   bool // its text cannot be read at first

	lies   bool // on the reader
	tapped bool // reported
	stay   int  // polls until the hand moves it
	found  int  // polls in a row that could read it
	hidden int  // clean polls that will overlook it
	missed int  // clean polls in a row that did not find it
	asked  int
}

func (h *hand) know(tag, _ string) (device.Meaning, bool) {
	t := h.thing(tag)
	return device.Meaning{Kind: t.kind}, !t.mute
}

func (h *hand) Text(_ context.Context, tag string) (string, error) {
	t := h.thing(tag)
	if t.asked++; t.asked%3 != 0 {
		return "", errors.New("nothing was read")
	}
	return "", ErrNoText
}

func (h *hand) thing(tag string) *thing {
	return h.tags[slices.IndexFunc(h.tags, func(t *thing) bool { return t.tag == tag })]
}

// move lays things down and takes them off.
func (h *hand) move() {
	on := 0
	for _, t := range h.tags {
		if t.lies {
			on++
		}
	}
	for _, t := range h.tags {
		if t.stay--; t.stay > 0 {
			continue
		}
		switch {
		case t.lies && !h.enough(t): // it stays: its tap cannot have been reported yet
		case t.lies:
			if !t.tapped {
				h.fail("%s was never tapped", t.tag)
			}
			t.lies, t.found, t.missed = false, 0, 0
			on--
			if h.chance.IntN(3) == 0 { // the next one comes at the same moment
				h.lay(h.tags[h.chance.IntN(len(h.tags))])
			}
		case on < 2 && h.chance.IntN(8) == 0:
			h.lay(t)
			on++
		}
	}
}

// lay puts a thing down, unless it was taken off so recently that polls cannot
// have noticed.
func (h *hand) lay(t *thing) {
	if t.lies || t.tapped {
		return
	}
	t.lies, t.found, t.missed = true, 0, 0
	t.edge = h.chance.IntN(4) == 0
	t.stay = 1 + h.chance.IntN(30)
}

func (h *hand) enough(t *thing) bool { return t.tapped || t.found >= t.policy.TapAfter && !t.mute }

// poll returns the tags that a chip with faults finds.
func (h *hand) poll() (Outcome, []string) {
	if h.burst == 0 && h.chance.IntN(2000) == 0 {
		h.burst = 1 + h.chance.IntN(40)
	}
	if h.burst > 0 || h.chance.IntN(500) == 0 {
		h.burst = max(0, h.burst-1)
		h.errors++
		for _, t := range h.tags {
			t.found, t.missed = 0, 0
		}
		return Failed, nil
	}
	outcome := Clean
	if h.chance.IntN(500) == 0 {
		outcome = Blurred
		h.blurs++
	}
	var found []*thing
	for _, t := range h.tags {
		switch {
		case !t.lies:
		case t.edge && h.chance.IntN(10) < 3, outcome == Blurred && h.chance.IntN(2) == 0:
			outcome = Blurred
		case t.hidden > 0 && t.missed < t.policy.LiftAfter-1:
			t.hidden--
		default:
			found = append(found, t)
		}
	}
	for _, t := range h.tags {
		switch {
		case slices.Contains(found, t):
			t.found, t.missed = t.found+1, 0
			if t.hidden = 0; h.chance.IntN(100) == 0 {
				t.hidden = 1 + h.chance.IntN(t.policy.LiftAfter-1)
			}
		case outcome == Clean:
			t.found, t.missed = 0, t.missed+1
		default:
			t.found, t.missed = 0, 0
		}
	}
	h.chance.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	var tags []string
	for _, t := range found {
		tags = append(tags, t.tag)
	}
	return outcome, tags
}

// hear checks a reported change against those that the hand made.
func (h *hand) hear(s device.Signal) <-chan engine.Receipt {
	switch s := s.(type) {
	case device.TagOn:
		t := h.thing(s.Tag)
		if !t.lies || t.tapped {
			h.fail("phantom tap of %+v", *t)
		}
		t.tapped = true
		h.taps++
	case device.TagOff:
		t := h.thing(s.Tag)
		if t.lies || !t.tapped {
			h.fail("phantom lift of %+v", *t)
		}
		t.tapped = false
		h.lifts++
	}
	return nil
}

// check checks that all changes were reported.
func (h *hand) check() {
	for _, t := range h.tags {
		if !t.lies && t.tapped && t.missed >= t.policy.LiftAfter {
			h.fail("%s was lifted, and nobody said so", t.tag)
		}
		if t.lies && !t.tapped && !t.mute && t.found >= t.policy.TapAfter {
			h.fail("%s lies there, and nobody said so", t.tag)
		}
	}
}

// TestMillionPolls checks a million polls with faults: no phantom tap, no lost
// tap, no phantom removal, no lost removal.
func TestMillionPolls(t *testing.T) {
	const polls = 1_000_000
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			poll := 0
			h := &hand{chance: rand.New(rand.NewPCG(seed, 7))}
			h.fail = func(format string, args ...any) { t.Fatalf("poll %d: "+format, append([]any{poll}, args...)...) }
			for i, kind := range []device.TagKind{device.CardTag, device.CardTag, device.CardTag, device.CardTag, device.DieTag,
				device.KeyTag, device.CardTag} {
				h.tags = append(h.tags, &thing{tag: fmt.Sprintf("%02X", 0xF0-i), kind: kind, policy: PolicyOf(kind), mute: i == 3})
			}
			r := New(Config{Chip: h, Know: h.know})
			r.ctx, r.emit = context.Background(), h.hear
			r.Board.see(r, Clean, nil)
			for ; poll < polls/4; poll++ {
				h.move()
				outcome, tags := h.poll()
				r.Board.see(r, outcome, tags)
				h.check()
			}
			t.Logf("%d taps, %d lifts; %d errors, %d blurs beside those at the edge", h.taps, h.lifts, h.errors, h.blurs)
			if h.taps < polls/400 || h.lifts < polls/400 || h.errors < polls/400 {
				t.Errorf("too little has happened: %+v", h)
			}
		})
	}
}
