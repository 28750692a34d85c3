package rig

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/reader"
	"tableside/display/web"
	"tableside/drivers/evdev"
	"tableside/engine"
)

// A question waits for a tap or key on any reader or keyboard that is plugged in. People
// answer the question by using the device that they mean.
type question struct {
	seat       engine.Seat // who gets the device; "" only asks which one it is
	ctx        context.Context
	cancel     context.CancelFunc
	once       sync.Once      // for the first tap
	unreadable engine.Text    // which keyboard cannot be read, and why; guarded by Setup.mu
	listeners  sync.WaitGroup // one for each device on which the question listens
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
	q := &question{seat: seat}
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
		old.cancel()
		old.listeners.Wait()
	}
	if q == nil {
		return
	}
	for _, f := range s.unused(q.ctx) {
		if f.Kind != FoundAdapter { // nothing is sent unasked to what is behind an adapter
			q.listeners.Go(func() { s.listen(q, f) })
		}
	}
	s.wg.Go(func() { s.expire(q) })
}

// expire waits until the context of a question ends. If nobody has answered by then, expire
// closes the question. If the context ended because the time was up, expire also tells the
// page that nobody has answered.
func (s *Setup) expire(q *question) {
	<-q.ctx.Done()
	q.once.Do(func() {
		if errors.Is(q.ctx.Err(), context.DeadlineExceeded) {
			s.say(false, engine.T(web.SaidNobody))
		}
		s.end(q)
	})
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
	switch {
	case f.Part.Readers != nil:
		c := f.Part.Readers[0]
		c.Name, c.Poll = "asked", 50*time.Millisecond
		p := NewParts(s.rig.Ports, &config.Wiring{Readers: []config.Reader{c}})
		p.addReaders(p.wiring, reader.NewBoard(), s.rig.tags.Meaning)
		_ = p.All[0].Source.Run(q.ctx, func(sig device.Signal) <-chan engine.Receipt {
			if _, ok := sig.(device.TagOn); ok {
				s.heard(q, questionAnswer{device: f})
			}
			return acceptedReceipt()
		})
		_ = p.halt() // it is closed all the same
	case f.Part.Keyboards != nil:
		if err := s.awaitKey(q, f); err != nil {
			s.log.Warn("setup", "keyboard", f.Name, "error", err)
			s.mu.Lock()
			q.unreadable = engine.T(web.SaidUnread, "name", f.Name, "reason", engine.ErrorSaid(err))
			s.mu.Unlock()
		}
	}
}

// awaitKey waits for a key on the keyboard f, which the table does not use. If the keyboard
// cannot be read, awaitKey returns an error. When the question has ended, it returns nil.
func (s *Setup) awaitKey(q *question, f FoundDevice) error {
	dev, err := evdev.New(s.rig.Ports.Inputs(), &evdev.Opts{Device: f.Part.Keyboards[0].Device})
	if err != nil {
		return err
	}
	var typed typedKeys
	defer typed.stop()
	return dev.Run(q.ctx, func(e evdev.Event) {
		if e.Kind == evdev.Press {
			typed.add(e, func(reads string) { s.heard(q, questionAnswer{device: f, reads: reads}) })
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

// heard handles the first answer to a question, and does so in the background. It ignores
// every other answer.
func (s *Setup) heard(q *question, by questionAnswer) {
	q.once.Do(func() {
		s.wg.Go(func() { // the device has to be closed first, and this is its goroutine
			q.cancel()
			q.listeners.Wait()
			s.changing.Lock()
			defer s.changing.Unlock()
			err := s.applyAnswer(q.seat, by)
			var refusal *web.SetupRefusal
			switch {
			case errors.As(err, &refusal):
				s.say(false, refusal.Message)
			case err != nil:
				s.log.Warn("setup", "error", err)
			}
			s.end(q)
		})
	})
}

// applyAnswer gives a seat the part or device that was used to answer a question. If seat is
// "", applyAnswer gives it to no seat. It then only makes the name of the part or device the
// newest answer on the page.
func (s *Setup) applyAnswer(seat engine.Seat, by questionAnswer) error {
	ctx, cancel := context.WithTimeout(s.ctx, askLimit)
	defer cancel()
	if seat == "" {
		if by.part == "" {
			s.say(true, engine.T(web.SaidLoose, "name", by.device.Name))
			return nil
		}
		for _, p := range listParts(s.wiring()) {
			if p.Name == by.part {
				s.say(true, engine.T(web.SaidThis, "name", nameOf(p), "seat", web.SeatWord(p.Seat)))
			}
		}
		return nil
	}
	said := engine.T(web.SaidReader, "seat", web.SeatWord(seat))
	own := s.setupWiring
	if by.part == "" {
		f, err := s.find(ctx, by.device.ID)
		if err != nil {
			return err
		}
		if f.Kind == FoundKeyboard && by.reads == "" {
			said.Key = web.SaidKeyboard
		}
		if own, err = s.addFound(own, f, seat, by.reads); err != nil {
			return err
		}
		return s.change(own, said)
	}
	own, f, reads, ok := removePart(own, by.part)
	if !ok {
		return refuse(web.SaidWritten, "name", by.part)
	}
	if f.Kind == FoundKeyboard && reads == "" {
		said.Key = web.SaidKeyboard
	}
	own, err := s.addFound(own, f, seat, reads)
	if err != nil {
		return err
	}
	return s.change(own, said)
}

// removePart takes a reader or keyboard out of a copy of the wiring, and returns this copy.
// The argument part names the reader or keyboard. The result f is the removed part, as if it
// had just been found. The result mode is the value of "reads" of a removed keyboard, and ""
// for a reader. If the wiring has no such part, ok is false.
func removePart(wiring config.Wiring, part string) (rest config.Wiring, f FoundDevice, mode string, ok bool) {
	if i := slices.IndexFunc(wiring.Readers, func(r config.Reader) bool { return readerPart(r.Name) == part }); i >= 0 {
		f = FoundDevice{Kind: FoundReader, Part: config.Wiring{Readers: []config.Reader{wiring.Readers[i]}}}
		wiring.Readers = slices.Delete(slices.Clone(wiring.Readers), i, i+1)
		return wiring, f, "", true
	}
	if i := slices.IndexFunc(wiring.Keyboards, func(k config.Keyboard) bool { return keyboardPart(&k) == part }); i >= 0 {
		f = FoundDevice{Kind: FoundKeyboard, Part: config.Wiring{Keyboards: []config.Keyboard{wiring.Keyboards[i]}}}
		mode = wiring.Keyboards[i].Reads
		wiring.Keyboards = slices.Delete(slices.Clone(wiring.Keyboards), i, i+1)
		return wiring, f, mode, true
	}
	return wiring, f, "", false
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
	q, tag := s.question, ""
	switch sig := sig.(type) {
	case device.TagOff: // perhaps of a tag that answered an earlier question
		answered := s.diverted[sig.Tag]
		delete(s.diverted, sig.Tag)
		s.mu.Unlock()
		return answered
	case device.TagOn:
		tag = sig.Tag
	case device.Press:
	default:
		s.mu.Unlock()
		return false
	}
	s.inputCounts[part]++
	if q != nil && tag != "" {
		s.diverted[tag] = true
	}
	s.mu.Unlock()
	if q != nil {
		s.heard(q, questionAnswer{part: part})
	}
	return q != nil
}
