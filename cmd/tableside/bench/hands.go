package bench

import (
	"context"
	"errors"
	"fmt"
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

// Hands lay tags into the fields of emulated readers, press buttons and turn
// knobs, and wait for what the table says.
type hands struct {
	bench   *Bench
	tags    *tagBox
	fingers map[pressing]*keystest.Finger
	knobs   map[engine.Seat]*keystest.Knob

	heard *ear
}

// A pressing is a key of a seat.
type pressing struct {
	seat engine.Seat
	key  string
}

// hold is how long a finger stays on a button.
const hold = 15 * time.Millisecond

// patience is how long hands wait for a reader or a key: it may be broken.
const patience = 3 * time.Second

func newHands(b *Bench, w *config.Wiring) hands {
	h := hands{bench: b, tags: &tagBox{tags: map[string]*nfctest.Tag{}, lying: map[string]string{}},
		fingers: map[pressing]*keystest.Finger{}, knobs: map[engine.Seat]*keystest.Knob{},
		heard: &ear{waiting: map[heard]chan (<-chan engine.Receipt){}, lying: map[string]chan struct{}{}}}
	for i, k := range w.Keys {
		h.fingers[pressing{engine.Seat(k.Seat), k.Key}] = keystest.NewFinger(b.Board, rig.LineOf(k.Pin), uint64(i))
	}
	for i, e := range w.Encoders {
		h.knobs[engine.Seat(e.Seat)] = keystest.NewKnob(b.Board, rig.LineOf(e.A), rig.LineOf(e.B), uint64(i))
	}
	return h
}

// A tagBox holds the tags of all cards, and knows which lies where.
type tagBox struct {
	mu    sync.Mutex
	tags  map[string]*nfctest.Tag // by card
	lying map[string]string       // the card on each place
}

// tag is the tag of a card, with its text.
func (b *tagBox) tag(card, text string) (*nfctest.Tag, error) {
	if t := b.tags[card]; t != nil {
		return t, nil
	}
	t := nfctest.NewNTAG213(uidOf(card))
	if text != "" {
		if err := t.SetText(text); err != nil {
			return nil, err
		}
	}
	b.tags[card] = t
	return t, nil
}

// tap lays a card on a reader; what lay there before is taken off first. It
// returns when the table has answered.
func (h *hands) tap(ctx context.Context, place, card, text string) (engine.Receipt, error) {
	field := h.bench.Fields[place]
	if field == nil {
		return engine.Receipt{}, fmt.Errorf("%w: %s", web.ErrNoSuchPlace, place)
	}
	h.tags.mu.Lock()
	tag, err := h.tags.tag(card, text)
	if err != nil {
		h.tags.mu.Unlock()
		return engine.Receipt{}, err
	}
	for other, lies := range h.tags.lying {
		if lies == card { // it is taken from there
			delete(h.tags.lying, other)
			h.bench.Fields[other].Take(tag)
		}
	}
	h.tags.lying[place] = card
	h.tags.mu.Unlock()
	uid := tag.UID().String()
	// A card that is taken and laid down again faster than readers look has
	// never left.
	if err := h.heard.left(ctx, uid); err != nil {
		return engine.Receipt{}, err
	}
	return h.heard.wait(ctx, heard{place: place, tag: uid}, func() error {
		for _, t := range field.Tags() {
			field.Take(t)
		}
		field.Put(tag)
		return nil
	})
}

// lift takes a card off a reader.
func (h *hands) lift(place, card string) error {
	h.tags.mu.Lock()
	defer h.tags.mu.Unlock()
	if h.tags.lying[place] != card {
		return fmt.Errorf("%w: %s does not lie on %s", web.ErrNoSuchPlace, card, place)
	}
	delete(h.tags.lying, place)
	h.bench.Fields[place].Take(h.tags.tags[card])
	return nil
}

// press presses a button, or turns a knob. It returns when the table has
// answered.
func (h *hands) press(ctx context.Context, seat engine.Seat, key string) (engine.Receipt, error) {
	want := heard{seat: seat, key: key}
	if knob := h.knobs[seat]; knob != nil && (key == "left" || key == "right") {
		turn := map[string]int{"left": -1, "right": 1}[key]
		return h.heard.wait(ctx, want, func() error { return knob.Turn(ctx, turn) })
	}
	finger := h.fingers[pressing{seat, key}]
	if finger == nil {
		return engine.Receipt{}, fmt.Errorf("%w: no key %s at %s", web.ErrNoSuchPlace, key, seat)
	}
	return h.heard.wait(ctx, want, func() error {
		err := finger.Press(ctx, hold)
		// A button that is pressed again before it has settled was not let go.
		settle := time.NewTimer(2 * keys.DefaultSettle)
		defer settle.Stop()
		select {
		case <-settle.C:
		case <-ctx.Done():
		}
		return err
	})
}

// pressAll presses every button and turns every knob, but for one that is broken.
func (h *hands) pressAll(ctx context.Context, broken pressing) error {
	for key, finger := range h.fingers {
		if key == broken {
			continue
		}
		if err := finger.Press(ctx, hold); err != nil {
			return err
		}
	}
	for _, knob := range h.knobs {
		if err := knob.Turn(ctx, 1); err != nil {
			return err
		}
	}
	return nil
}

// watch lets the ear hear what a source says.
func (h *hands) watch(s device.Source) device.Source {
	return device.SourceFunc(func(ctx context.Context, emit device.Emit) error {
		return s.Run(ctx, func(signal device.Signal) <-chan engine.Receipt {
			answer := emit(signal)
			h.heard.hear(signal, answer)
			return answer
		})
	})
}

// An ear hears the signals of sources, for those who wait for them.
type ear struct {
	mu      sync.Mutex
	waiting map[heard]chan (<-chan engine.Receipt)
	lying   map[string]chan struct{} // by tag, closed when it is lifted
}

// heard is a signal that is waited for.
type heard struct {
	place, tag string
	seat       engine.Seat
	key        string
}

func (e *ear) hear(s device.Signal, answer <-chan engine.Receipt) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var what heard
	switch s := s.(type) {
	case device.TagOn:
		what = heard{place: s.Place, tag: s.Tag}
		e.lying[s.Tag] = make(chan struct{})
	case device.TagOff:
		if lifted := e.lying[s.Tag]; lifted != nil {
			close(lifted)
			delete(e.lying, s.Tag)
		}
		return
	case device.Press:
		what = heard{seat: s.Seat, key: s.Key}
	default:
		return
	}
	if waits := e.waiting[what]; waits != nil {
		delete(e.waiting, what)
		waits <- answer
	}
}

// left waits until no reader thinks that a tag lies on it.
func (e *ear) left(ctx context.Context, tag string) error {
	e.mu.Lock()
	lifted := e.lying[tag]
	e.mu.Unlock()
	if lifted == nil {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errMute)
	defer cancel()
	select {
	case <-lifted:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// errMute is a part that does not notice what is done with it.
var errMute = errors.New("nothing is noticed: is the part broken, or unplugged?")

// wait does something and waits for the signal that it leads to, and for the
// table's answer.
func (e *ear) wait(ctx context.Context, what heard, do func() error) (engine.Receipt, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errMute)
	defer cancel()
	signal := make(chan (<-chan engine.Receipt), 1)
	e.mu.Lock()
	e.waiting[what] = signal
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.waiting[what] == signal {
			delete(e.waiting, what)
		}
	}()
	if err := do(); err != nil {
		return engine.Receipt{}, err
	}
	var answer <-chan engine.Receipt
	select {
	case answer = <-signal:
	case <-ctx.Done():
		return engine.Receipt{}, context.Cause(ctx)
	}
	select {
	case r := <-answer:
		return r, nil
	case <-ctx.Done():
		return engine.Receipt{}, context.Cause(ctx)
	}
}

// ready waits until every reader was looked at: a card that lies there before
// that was put there before the program began.
func (h *hands) ready(ctx context.Context, t *device.Table) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errMute)
	defer cancel()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for {
		looked := 0
		for _, part := range t.Frame().Status.Health {
			if !part.LastGood.IsZero() {
				looked++
			}
		}
		if looked >= len(h.bench.Fields) {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// play does at the table what an input says, as players would: cards are laid
// on readers, and what a prompt asks is pointed at with the knob and answered
// with a button. It tells whether the input can be done so; corrections and
// confirmed inputs are written, not tapped.
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
		return h.answer(ctx, t, in)
	}
	return engine.Receipt{}, false, nil
}

// answer gives an answer by key: its own, or yes when the cursor points at it.
func (h *hands) answer(ctx context.Context, t *device.Table, in engine.Input) (engine.Receipt, bool, error) {
	if h.knobs[in.Seat] == nil || len(in.Args) != 1 {
		return engine.Receipt{}, false, nil
	}
	f := t.Frame()
	if in.Verb == engine.Choose && f.Status.Cursor < 0 { // it may point at nothing yet
		if len(f.View.Prompts) == 0 || keyed(f.View.Prompts[0]) {
			return engine.Receipt{}, false, nil
		}
		if _, err := h.press(ctx, in.Seat, "right"); err != nil {
			return engine.Receipt{}, true, err
		}
		f = t.Frame()
	}
	if f.Status.Cursor >= 0 && len(f.View.Prompts) > 0 && f.View.Prompts[0].Seat == in.Seat {
		for range f.View.Prompts[0].Options {
			f = t.Frame()
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
		return engine.Receipt{}, false, nil // no key stands for it
	}
	r, err := h.press(ctx, in.Seat, in.Arg(0))
	return r, true, err
}

// keyed reports whether left or right is an answer itself, and moves no cursor.
func keyed(p engine.Prompt) bool {
	return slices.ContainsFunc(p.Options, func(o engine.Answer) bool {
		return o.Input == string(p.Seat)+" key left" || o.Input == string(p.Seat)+" key right"
	})
}
