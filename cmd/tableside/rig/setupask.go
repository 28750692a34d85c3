package rig

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/reader"
	"tableside/display/web/core"
	"tableside/display/web/setup"
	"tableside/drivers/evdev"
	"tableside/engine"
)

// A question waits for a tap or key on any reader or keyboard that is plugged in. People
// answer the question by using the device that they mean.
type question struct {
	seat       engine.Seat // who gets the device; "" only asks which one it is
	ctx        context.Context
	cancel     context.CancelFunc
	answers    chan questionAnswer // of capacity 1: the first answer counts
	unreadable engine.Text         // which keyboard cannot be read, and why; guarded by Setup.mu
	listeners  sync.WaitGroup      // one for each device on which the question listens
}

// A questionAnswer holds the device that somebody has used to answer a question. This is
// either a running part of the table, or a device that the table does not use.
type questionAnswer struct {
	part   string // name of the part that runs; "" if a device answered
	device FoundDevice
	reads  string // of a keyboard: config.ReadsTags if it typed like a reader
}

// askLimit is how long a question waits for its answer.
const askLimit = time.Minute

func (s *Setup) newQuestion(seat engine.Seat) *question {
	q := &question{seat: seat, answers: make(chan questionAnswer, 1)}
	q.ctx, q.cancel = context.WithTimeout(s.ctx, askLimit)
	return q
}

// ask ends the open question, if there is one. It waits until the devices on which the old
// question listened are closed. Then it opens the question q, unless q is nil.
func (s *Setup) ask(q *question) {
	s.mu.Lock()
	old := s.question
	s.question = q
	s.mu.Unlock()
	if old != nil {
		old.cancel() // it may still be looking for its devices
	}
	s.asking.Lock()
	defer s.asking.Unlock()
	if old != nil {
		old.listeners.Wait()
	}
	if q == nil {
		return
	}
	found, _ := s.unused(q.ctx) // the page shows the error
	for _, f := range found {
		if f.Kind != FoundAdapter && q.ctx.Err() == nil { // nothing is sent unasked to what is behind an adapter
			q.listeners.Go(func() { s.listen(q, f) })
		}
	}
	s.start(func() { s.await(q) })
}

// await waits for the first answer to a question, and applies it. If nobody has answered until
// the time is up, it tells the page so.
func (s *Setup) await(q *question) {
	defer s.end(q)
	var by questionAnswer
	select {
	case by = <-q.answers:
	case <-q.ctx.Done():
		if errors.Is(q.ctx.Err(), context.DeadlineExceeded) {
			s.say(false, engine.T("setup.said-nobody"))
		}
		return
	}
	q.cancel()
	q.listeners.Wait() // the device has to be closed first
	s.changing.Lock()
	defer s.changing.Unlock()
	ctx, cancel := context.WithTimeout(s.ctx, askLimit)
	defer cancel()
	err := s.applyAnswer(ctx, q.seat, by)
	switch refusal, refused := errors.AsType[*setup.Refusal](err); {
	case refused:
		s.say(false, refusal.Message)
	case err != nil:
		s.log.Warn("setup", "error", err)
	}
}

func (q *question) answer(by questionAnswer) {
	select {
	case q.answers <- by:
	default:
	}
}

func (s *Setup) end(q *question) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.question == q {
		s.question = nil
	}
}

// listen waits for a tap or key on the device f, which the table does not use.
func (s *Setup) listen(q *question, f FoundDevice) {
	switch c := f.Part.(type) {
	case *config.Reader:
		asked := *c
		asked.Name, asked.Every = "asked", 50*time.Millisecond
		p := NewParts(s.rig.Ports, &config.Wiring{})
		p.board, p.lookup = reader.NewBoard(), s.rig.tags.Meaning
		p.addReader(asked.Name, &asked)
		_ = p.All[0].Source.Run(q.ctx, func(sig device.Signal) <-chan engine.Receipt {
			if _, ok := sig.(device.TagOn); ok {
				q.answer(questionAnswer{device: f})
			}
			return acceptedReceipt()
		})
		_ = p.halt() // it is closed all the same
	case *config.Keyboard:
		if err := s.awaitKey(q, f, c); err != nil {
			s.log.Warn("setup", "keyboard", f.Name, "error", err)
			s.mu.Lock()
			q.unreadable = engine.T("setup.said-unread", "name", f.Name, "reason", engine.ErrorSaid(err))
			s.mu.Unlock()
		}
	}
}

// awaitKey waits for a key on the keyboard f, which the table does not use. If the keyboard
// cannot be read, awaitKey returns an error. When the question has ended, it returns nil.
func (s *Setup) awaitKey(q *question, f FoundDevice, c *config.Keyboard) error {
	dev, err := NewParts(s.rig.Ports, &config.Wiring{}).OpenKeyboard(c)
	if err != nil {
		return err
	}
	var typed typedKeys
	defer typed.stop()
	return dev.Run(q.ctx, func(e evdev.Event) {
		if e.Kind == evdev.Press {
			typed.add(e, func(reads string) { q.answer(questionAnswer{device: f, reads: reads}) })
		}
	})
}

// A typedKeys finds out who types on a keyboard: a reader that types, or somebody who presses
// keys.
type typedKeys struct {
	mu      sync.Mutex
	n       int
	lastKey string
	timer   *time.Timer
}

// typingTime is the longest time that a card reader takes to send a code as key presses. In
// this time, no person can press minCode keys and then Enter.
const (
	typingTime = 400 * time.Millisecond
	minCode    = 6
)

// add records a key. The first key starts a timer of 400 ms (typingTime). When the timer
// fires, the function done is called once. If a card reader has typed, done gets
// config.ReadsTags. Otherwise done gets "". add itself does not wait.
func (t *typedKeys) add(e evdev.Event, done func(reads string)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n, t.lastKey = t.n+1, e.Text
	if t.timer != nil {
		return
	}
	t.timer = time.AfterFunc(typingTime, func() {
		t.mu.Lock()
		reads := ""
		if t.n > minCode && slices.Contains([]string{"KEY_ENTER", "KEY_KPENTER", "KEY_TAB"}, t.lastKey) {
			reads = config.ReadsTags
		}
		t.mu.Unlock()
		done(reads)
	})
}

func (t *typedKeys) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer != nil {
		t.timer.Stop()
	}
}

// acceptedReceipt returns a channel that holds a receipt with the outcome engine.Accepted. It
// is the receipt for a signal that does not reach the match, for example because the signal
// answers a question.
func acceptedReceipt() <-chan engine.Receipt {
	answer := make(chan engine.Receipt, 1)
	answer <- engine.Receipt{Outcome: engine.Accepted}
	return answer
}

// applyAnswer gives a seat the part or device that was used to answer a question. If seat is
// "", applyAnswer gives it to no seat. It then only makes the name of the part or device the
// newest answer on the page.
func (s *Setup) applyAnswer(ctx context.Context, seat engine.Seat, by questionAnswer) error {
	if seat == "" {
		if by.part == "" {
			s.say(true, engine.T("setup.said-loose", "name", by.device.Name))
			return nil
		}
		for _, p := range listParts(s.wiring()) {
			if p.Name == by.part {
				s.say(true, engine.T("setup.said-this", "name", cmp.Or(p.Device, p.Name), "seat", core.SeatWord(p.Seat)))
			}
		}
		return nil
	}
	own, f, reads := s.config.Setup, by.device, by.reads
	if by.part == "" {
		var err error
		if f, err = s.find(ctx, by.device.ID); err != nil {
			return err
		}
	} else {
		if own, f.Part = takeOut(own, by.part); f.Part == nil {
			return refuse("setup.said-written", "name", by.part)
		}
		if k, ok := f.Part.(*config.Keyboard); ok {
			reads = k.Reads
		}
	}
	said := engine.T("setup.said-reader", "seat", core.SeatWord(seat))
	if _, ok := f.Part.(*config.Keyboard); ok && reads == "" {
		said.Key = "setup.said-keyboard"
	}
	own, err := s.addFound(own, f, seat, reads)
	if err != nil {
		return err
	}
	return s.change(own, said)
}

// watch gives a copy of the part a new source, and returns this copy. The new source passes on
// the signals of the old source. But while a question waits, a tap or key answers the question
// and does not reach the match.
func (s *Setup) watch(part device.Part) device.Part {
	if part.Source == nil {
		return part
	}
	source := part.Source
	part.Source = device.SourceFunc(func(ctx context.Context, emit device.Emit) error {
		return source.Run(ctx, func(sig device.Signal) <-chan engine.Receipt {
			if s.divertSignal(part.Name, sig) {
				return acceptedReceipt()
			}
			return emit(sig)
		})
	})
	return part
}

// divertSignal reports whether a signal of a part is not for the match. Such a signal answers
// a question, or lifts a tag that has answered a question. divertSignal also counts the taps
// and keys of each part.
func (s *Setup) divertSignal(part string, sig device.Signal) bool {
	s.mu.Lock()
	q, key, tag := s.question, "", device.TagOn{}
	switch sig := sig.(type) {
	case device.TagOff: // perhaps of a tag that answered an earlier question
		answered := s.diverted[sig.Tag]
		delete(s.diverted, sig.Tag)
		s.mu.Unlock()
		return answered
	case device.TagOn:
		tag = sig
		if name, _, ok := device.CutPressed(tag.Tag); ok {
			key = name
		}
	case device.Press:
		key = sig.Key
	default:
		s.mu.Unlock()
		return false
	}
	s.inputs[part] = inputs{s.inputs[part].n + 1, time.Now(), key, tag}
	if delete(s.diverted, tag.Tag); q != nil && tag.Tag != "" { // an earlier tap may have had no lift
		s.diverted[tag.Tag] = true
	}
	s.mu.Unlock()
	if q != nil {
		q.answer(questionAnswer{part: part})
	}
	return q != nil
}
