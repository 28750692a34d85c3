package bench

import (
	"context"
	"slices"
	"sync"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/display/web"
	"tableside/drivers/keys"
	"tableside/drivers/keys/keystest"
	"tableside/drivers/nfc/nfctest"
	"tableside/engine"
)

// hands stands for the hands of the players. It lays tags on emulated readers, presses buttons
// and turns knobs, and waits for the table's receipts.
type hands struct {
	bench   *Bench
	fingers map[seatKey]*keystest.Finger
	knobs   map[engine.Seat]*keystest.Knob
	signals signalWaiter

	acting sync.Mutex              // held while a hand acts: one at a time
	tags   map[string]*nfctest.Tag // by card
	cardAt map[string]string       // by place
}

// A seatKey names one key of one seat.
type seatKey struct {
	seat engine.Seat
	key  string
}

// hold is the time that a finger holds a button.
const hold = 15 * time.Millisecond

// patience is the longest time to wait for a reader or a key, because it may be broken.
const patience = 3 * time.Second

func newHands(b *Bench, w *config.Wiring) *hands {
	h := &hands{bench: b, tags: map[string]*nfctest.Tag{}, cardAt: map[string]string{},
		fingers: map[seatKey]*keystest.Finger{}, knobs: map[engine.Seat]*keystest.Knob{},
		signals: signalWaiter{lying: map[string]bool{}}}
	for i, k := range w.Keys {
		h.fingers[seatKey{engine.Seat(k.Seat), k.Key}] = keystest.NewFinger(b.Board, rig.LineOf(k.Pin), uint64(i))
	}
	for i, e := range w.Encoders {
		h.knobs[engine.Seat(e.Seat)] = keystest.NewKnob(b.Board, rig.LineOf(e.A), rig.LineOf(e.B), uint64(i))
	}
	return h
}

// ensureTag returns the tag of a card. If the card has no tag yet, ensureTag makes a tag that
// carries the given text. If text is "", the new tag is blank.
func (h *hands) ensureTag(card, text string) (*nfctest.Tag, error) {
	if t := h.tags[card]; t != nil {
		return t, nil
	}
	t := nfctest.NewNTAG213(uidOf(card))
	if text != "" {
		if err := t.SetText(text); err != nil {
			return nil, err
		}
	}
	h.tags[card] = t
	return t, nil
}

// tap lays a card on the reader at a place and waits for the table's receipt. It takes
// anything else off that reader. If the card already lies on a reader, tap first takes the
// card off and waits until the table knows that the card is gone. If the card has no tag yet,
// the card gets a tag with the given text.
//
// If a wait takes more than 3 s (patience), the error is errMute. If there is no reader at the
// place, the error is web.ErrNoSuchPlace.
func (h *hands) tap(ctx context.Context, place, card, text string) (engine.Receipt, error) {
	field := h.bench.Fields[place]
	if field == nil {
		return engine.Receipt{}, engine.FaultOf(web.ErrNoSuchPlace, "this table has no reader called %q", place)
	}
	h.acting.Lock()
	defer h.acting.Unlock()
	tag, err := h.ensureTag(card, text)
	if err != nil {
		return engine.Receipt{}, err
	}
	for other, lies := range h.cardAt {
		if lies == card { // take it from there
			delete(h.cardAt, other)
			h.bench.Fields[other].Take(tag)
		}
	}
	h.cardAt[place] = card
	uid := tag.UID().String()
	// A card that is taken off and laid down again between two polls would count
	// as never removed.
	if err := until(ctx, func() bool { return !h.signals.lies(uid) }); err != nil {
		return engine.Receipt{}, err
	}
	return h.signals.wait(ctx, expectedSignal{place: place, tag: uid}, func() error {
		for _, t := range field.Tags() {
			field.Take(t)
		}
		field.Put(tag)
		return nil
	})
}

// lift takes a card off the reader of a place. If the card does not lie there, lift fails.
func (h *hands) lift(place, card string) error {
	h.acting.Lock()
	defer h.acting.Unlock()
	if h.cardAt[place] != card {
		return engine.FaultOf(web.ErrNoSuchPlace, "%s does not lie on %s", card, place)
	}
	delete(h.cardAt, place)
	h.bench.Fields[place].Take(h.tags[card])
	return nil
}

// press presses the button of a key and waits for the table's receipt. If the seat has a knob
// and the key is "left" or "right", press turns the knob instead. If the receipt takes more
// than 3 s (patience), the error is errMute. If the seat has no such key, the error is
// web.ErrNoSuchPlace.
func (h *hands) press(ctx context.Context, seat engine.Seat, key string) (engine.Receipt, error) {
	h.acting.Lock()
	defer h.acting.Unlock()
	want := expectedSignal{seat: seat, key: key}
	if knob := h.knobs[seat]; knob != nil && (key == "left" || key == "right") {
		turn := map[string]int{"left": -1, "right": 1}[key]
		return h.signals.wait(ctx, want, func() error { return knob.Turn(ctx, turn) })
	}
	finger := h.fingers[seatKey{seat, key}]
	if finger == nil {
		return engine.Receipt{}, engine.FaultOf(web.ErrNoSuchPlace, "there is no key %s at %s", key, seat)
	}
	return h.signals.wait(ctx, want, func() error {
		err := finger.Press(ctx, hold)
		// A button that is pressed again before it has settled counts as held.
		settle := time.NewTimer(2 * keys.Settle)
		defer settle.Stop()
		select {
		case <-settle.C:
		case <-ctx.Done():
		}
		return err
	})
}

func (h *hands) watch(s device.Source) device.Source {
	return device.SourceFunc(func(ctx context.Context, emit device.Emit) error {
		return s.Run(ctx, func(signal device.Signal) <-chan engine.Receipt {
			answer := emit(signal)
			h.signals.notify(signal, answer)
			return answer
		})
	})
}

// waitReady waits until every reader has been polled. If the wait takes more than 3 s
// (patience), waitReady returns errMute. A card that is laid down before the first poll would
// not count as a tap. The reader would believe that the card had been there from the start.
func (h *hands) waitReady(ctx context.Context, t *device.Table) error {
	return until(ctx, func() bool {
		polled := 0
		for _, part := range t.Frame().Status.Health {
			if !part.LastGood.IsZero() {
				polled++
			}
		}
		return polled >= len(h.bench.Fields)
	})
}

// play makes an input as players would make it. It lays a card on a reader, chooses an answer
// with knob and buttons, or presses undo or redo. To get the text for the tag of a card, play
// calls the last argument. Hands cannot make some inputs, such as a correction or a confirmed
// input. For such an input, play reports false.
func (h *hands) play(ctx context.Context, t *device.Table, in engine.Input,
	text func(card string) string) (engine.Receipt, bool, error) {
	switch {
	case in.Verb == engine.Tap && len(in.Args) == 1 && h.bench.Fields[string(in.Seat)] != nil:
		r, err := h.tap(ctx, string(in.Seat), in.Arg(0), text(in.Arg(0)))
		return r, true, err
	case in.Verb == engine.Undo || in.Verb == engine.Redo:
		r, err := h.press(ctx, in.Seat, string(in.Verb))
		return r, true, err
	case in.Verb == engine.Key || in.Verb == engine.Choose:
		return h.answerPrompt(ctx, t, in)
	}
	return engine.Receipt{}, false, nil
}

// answerPrompt answers a prompt. If the cursor can reach the wanted answer, answerPrompt moves
// the cursor there and presses the key "yes". Otherwise answerPrompt presses the key of the
// wanted answer. If neither is possible, answerPrompt reports false.
func (h *hands) answerPrompt(ctx context.Context, t *device.Table, in engine.Input) (engine.Receipt, bool, error) {
	if h.knobs[in.Seat] == nil || len(in.Args) != 1 {
		return engine.Receipt{}, false, nil
	}
	f := t.Frame()
	if in.Verb == engine.Choose && f.Status.Cursor < 0 { // the cursor may not be on an answer yet
		if len(f.View.Prompts) == 0 || usesArrows(f.View.Prompts[0]) {
			return engine.Receipt{}, false, nil
		}
		if _, err := h.press(ctx, in.Seat, "right"); err != nil {
			return engine.Receipt{}, true, err
		}
		f = t.Frame()
	}
	if f.Status.Cursor >= 0 && len(f.View.Prompts) > 0 && f.View.Prompts[0].Seat == in.Seat {
		for range f.View.Prompts[0].Options {
			if f = t.Frame(); len(f.View.Prompts) == 0 {
				break // somebody else has answered
			}
			p := f.View.Prompts[0]
			if at := f.Status.Cursor; at >= 0 && at < len(p.Options) && p.Options[at].Input == in.Command() {
				r, err := h.press(ctx, in.Seat, "yes")
				return r, true, err
			}
			if _, err := h.press(ctx, in.Seat, "right"); err != nil {
				return engine.Receipt{}, true, err
			}
		}
	}
	if in.Verb == engine.Choose || f.Status.Cursor >= 0 && in.Arg(0) != "next" {
		return engine.Receipt{}, false, nil // the answer has no key
	}
	r, err := h.press(ctx, in.Seat, in.Arg(0))
	return r, true, err
}

// usesArrows reports whether the key "left" or the key "right" stands for an answer to the
// prompt. If it does, the key does not move the cursor.
func usesArrows(p engine.Prompt) bool {
	return slices.ContainsFunc(p.Options, func(o engine.Answer) bool {
		return o.Input == string(p.Seat)+" key left" || o.Input == string(p.Seat)+" key right"
	})
}
