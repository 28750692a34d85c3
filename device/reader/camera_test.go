package reader

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

const plusCode, otherCode = "tableside:key/plus", "tableside:key/minus"

// A lens is a camera of a visitor at a place of a home.
type lens struct {
	*home
	cameras              *Cameras
	visitor, page, place string
}

// see takes a frame every 50 ms for a while, and wants these scores and this outcome of
// the last code at the end.
func (l lens) see(frames int, scores string, outcome engine.Outcome, texts ...string) {
	l.t.Helper()
	var receipts []engine.Receipt
	for range frames {
		receipts = l.cameras.See(l.t.Context(), l.visitor, l.page, l.place, texts)
		time.Sleep(50 * time.Millisecond)
	}
	if got := receipts[len(texts)-1].Outcome; got != outcome {
		l.t.Errorf("%q after %d frames: got %q, want %q", texts, frames, got, outcome)
	}
	l.has(scores)
}

func (l lens) misses(frames int) {
	for range frames {
		l.cameras.See(l.t.Context(), l.visitor, l.page, l.place, nil)
		time.Sleep(50 * time.Millisecond)
	}
}

func (l lens) has(scores string) {
	l.t.Helper()
	synctest.Wait()
	if got := l.scores(); got != scores {
		l.t.Errorf("got the scores %s, want %s", got, scores)
	}
}

// TestCameraPresence checks that a code counts once while it is in view: when two frames
// of one visitor agree, until it was missed for a second, or the camera was off.
func TestCameraPresence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHome(t)
		h.run(func() {
			cameras := NewCameras(h.Network)
			red, guest := lens{h, cameras, "1", "a", "red"}, lens{h, cameras, "2", "a", "red"}
			other := lens{h, cameras, "1", "b", "red"}
			red.see(1, "0 0", "", plusCode)
			guest.see(1, "0 0", "", plusCode) // another visitor's frame does not count
			other.see(1, "0 0", "", plusCode) // nor that of another phone behind the same address
			red.see(1, "1 0", engine.Accepted, plusCode)
			red.see(100, "1 0", engine.Accepted, plusCode) // it stays for five seconds
			red.misses(19)
			red.see(3, "1 0", engine.Accepted, plusCode) // a few blurred frames are no removal
			red.misses(22)
			red.see(2, "2 0", engine.Accepted, plusCode)
			red.see(2, "1 0", engine.Accepted, plusCode, otherCode) // one that comes beside it
			time.Sleep(4 * time.Second)                             // the phone was put away
			red.see(2, "2 0", engine.Accepted, plusCode)
			left := lens{h, cameras, "1", "a", "left"}
			left.see(3, "2 1", engine.Accepted, plusCode) // the card is moved to blue
		})
	})
}

// TestCameraSees checks codes that are no cards: each has one sentence and changes
// nothing.
func TestCameraSees(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHome(t)
		h.run(func() {
			red := lens{h, NewCameras(h.Network), "1", "a", "red"}
			for text, key := range map[string]string{
				"https://192.168.1.5:8080/?token=SECRET": "receipt.no-card",
				"hello":                                  "receipt.no-card",
				"08112233":                               "receipt.no-card",
				"tableside:mindbug/":                     "receipt.no-meaning",
				"tableside:mindbug/zombie.1":             "receipt.other-box",
			} {
				var receipts []engine.Receipt
				for range 3 {
					receipts = red.cameras.See(t.Context(), "1", "a", "red", []string{text})
					time.Sleep(50 * time.Millisecond)
				}
				if got := receipts[0].Text.Key; got != key {
					t.Errorf("%s: got %q, want %s", text, got, key)
				}
			}
			red.has("0 0")
			sofa := lens{h, red.cameras, "1", "a", "sofa"}
			sofa.see(2, "0 0", engine.Malformed, plusCode)
		})
	})
}

// TestCamerasAreForgotten checks that any number of visitors leaves no trace.
func TestCamerasAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHome(t)
		h.run(func() {
			cameras := NewCameras(h.Network)
			for i := range 500 {
				cameras.See(t.Context(), fmt.Sprint(i), "", "red", []string{fmt.Sprintf("tableside:box/card.%d", i+1)})
			}
			if len(cameras.codes) > maxCodes {
				t.Errorf("%d codes are kept", len(cameras.codes))
			}
			time.Sleep(time.Minute)
			lens{h, cameras, "1", "a", "red"}.see(2, "1 0", engine.Accepted, plusCode)
			if len(cameras.codes) != 1 {
				t.Errorf("%d codes are kept after a minute", len(cameras.codes))
			}
		})
	})
}
