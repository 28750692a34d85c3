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

// A question waits for a tap or key on any reader and keyboard that is plugged in: the tap
// says which one is meant.
type question struct {
	seat   engine.Seat // who gets the device; "" only asks which one it is
	ctx    context.Context
	cancel context.CancelFunc
	once   sync.Once      // for the first tap
	unread engine.Text    // which keyboard cannot be read, and why; guarded by Setup.mu
	open   sync.WaitGroup // the devices on which the question listens
}

// A tapped is the answer to a question: a part that runs, or a device that is not used.
type tapped struct {
	part  string // name of the part that runs; "" if a device answered
	found Found
	reads string // of a keyboard: config.ReadsTags if it typed like a reader
}

// askLimit is how long a question waits.
const askLimit = time.Minute

func (s *Setup) newQuestion(seat engine.Seat) *question {
	q := &question{seat: seat}
	q.ctx, q.cancel = context.WithTimeout(s.ctx, askLimit)
	return q
}

// ask replaces the open question, or only ends it if q is nil. It first waits until the devices
// of the earlier question are closed.
func (s *Setup) ask(q *question) {
	s.mu.Lock()
	old := s.question
	s.question = q
	s.mu.Unlock()
	if old != nil {
		old.cancel()
		old.open.Wait()
	}
	if q == nil {
		return
	}
	for _, f := range s.unused(q.ctx) {
		if f.Kind != FoundAdapter { // nothing is sent unasked to what is behind an adapter
			q.open.Go(func() { s.listen(q, f) })
		}
	}
	s.wg.Go(func() { s.expire(q) })
}

// expire waits until the context of a question ends. If nobody has answered by then, it closes
// the question, and says so if the time is up.
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

// listen waits for a tap or key on a device that is not used.
func (s *Setup) listen(q *question, f Found) {
	switch {
	case f.Part.Readers != nil:
		c := f.Part.Readers[0]
		c.Name, c.Poll = "asked", 50*time.Millisecond
		p := NewParts(s.rig.Ports, &config.Wiring{Readers: []config.Reader{c}})
		p.readers(p.wiring, reader.NewBoard(), s.rig.tags.Meaning)
		_ = p.All[0].Source.Run(q.ctx, func(sig device.Signal) <-chan engine.Receipt {
			if _, ok := sig.(device.TagOn); ok {
				s.heard(q, tapped{found: f})
			}
			return accepted()
		})
		_ = p.halt() // it is closed all the same
	case f.Part.Keyboards != nil:
		if err := s.awaitKey(q, f); err != nil {
			s.log.Warn("setup", "keyboard", f.Name, "error", err)
			s.mu.Lock()
			q.unread = engine.T(web.SaidUnread, "name", f.Name, "reason", engine.ErrorSaid(err))
			s.mu.Unlock()
		}
	}
}

// awaitKey waits for a key on a keyboard that is not used. It returns an error if the keyboard
// cannot be read, and nil once the question is over.
func (s *Setup) awaitKey(q *question, f Found) error {
	dev, err := evdev.New(s.rig.Ports.Inputs(), &evdev.Opts{Device: f.Part.Keyboards[0].Device})
	if err != nil {
		return err
	}
	var typed typedKeys
	defer typed.stop()
	return dev.Run(q.ctx, func(e evdev.Event) {
		if e.Kind == evdev.Press {
			typed.add(e, func(reads string) { s.heard(q, tapped{found: f, reads: reads}) })
		}
	})
}

// A typedKeys tells a reader that types from somebody who presses a key.
type typedKeys struct {
	mu    sync.Mutex
	n     int
	last  string
	timer *time.Timer
}

// typingTime is the longest that a reader takes to type a code. Nobody types minCode keys and
// Enter in that time.
const (
	typingTime = 400 * time.Millisecond
	minCode    = 6
)

// add counts a key. After the first key it waits 400 ms (typingTime) in the background, and then
// calls heard once: with config.ReadsTags if a reader has typed, else with "".
func (t *typedKeys) add(e evdev.Event, heard func(reads string)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n, t.last = t.n+1, e.Text
	if t.timer != nil {
		return
	}
	t.timer = time.AfterFunc(typingTime, func() {
		t.mu.Lock()
		reads := ""
		if t.n > minCode && slices.Contains([]string{"KEY_ENTER", "KEY_KPENTER", "KEY_TAB"}, t.last) {
			reads = config.ReadsTags
		}
		t.mu.Unlock()
		heard(reads)
	})
}

func (t *typedKeys) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer != nil {
		t.timer.Stop()
	}
}

// accepted returns the receipt for a signal that answers a question and does not reach the
// match.
func accepted() <-chan engine.Receipt {
	answer := make(chan engine.Receipt, 1)
	answer <- engine.Receipt{Outcome: engine.Accepted}
	return answer
}

// heard takes the first answer to a question, and ignores any later one. It does not wait for
// what follows from the answer.
func (s *Setup) heard(q *question, by tapped) {
	q.once.Do(func() {
		s.wg.Go(func() { // the device has to be closed first, and this is its goroutine
			q.cancel()
			q.open.Wait()
			s.changing.Lock()
			defer s.changing.Unlock()
			err := s.answer(q.seat, by)
			var refusal *web.SetupRefusal
			switch {
			case errors.As(err, &refusal):
				s.say(false, refusal.Say)
			case err != nil:
				s.log.Warn("setup", "error", err)
			}
			s.end(q)
		})
	})
}

// answer gives the tapped part or device to a seat; for the seat "" it only says what was
// tapped.
func (s *Setup) answer(seat engine.Seat, by tapped) error {
	ctx, cancel := context.WithTimeout(s.ctx, askLimit)
	defer cancel()
	if seat == "" {
		if by.part == "" {
			s.say(true, engine.T(web.SaidLoose, "name", by.found.Name))
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
	own := s.own
	if by.part == "" {
		f, err := s.find(ctx, by.found.ID)
		if err != nil {
			return err
		}
		if f.Kind == FoundKeyboard && by.reads == "" {
			said.Key = web.SaidKeyboard
		}
		if own, err = s.with(own, f, seat, by.reads); err != nil {
			return err
		}
		return s.change(own, said)
	}
	own, f, reads, ok := without(own, by.part)
	if !ok {
		return refuse(web.SaidWritten, "name", by.part)
	}
	if f.Kind == FoundKeyboard && reads == "" {
		said.Key = web.SaidKeyboard
	}
	own, err := s.with(own, f, seat, reads)
	if err != nil {
		return err
	}
	return s.change(own, said)
}

// without takes the reader or keyboard with the name part out of a copy of own. It returns the
// rest, that part as if it had been found, and its value of "reads". ok is false if own has no
// such part.
func without(own config.Wiring, part string) (rest config.Wiring, f Found, reads string, ok bool) {
	if i := slices.IndexFunc(own.Readers, func(r config.Reader) bool { return readerPart(r.Name) == part }); i >= 0 {
		f = Found{Kind: FoundReader, Part: config.Wiring{Readers: []config.Reader{own.Readers[i]}}}
		own.Readers = slices.Delete(slices.Clone(own.Readers), i, i+1)
		return own, f, "", true
	}
	if i := slices.IndexFunc(own.Keyboards, func(k config.Keyboard) bool { return keyboardPart(&k) == part }); i >= 0 {
		f = Found{Kind: FoundKeyboard, Part: config.Wiring{Keyboards: []config.Keyboard{own.Keyboards[i]}}}
		reads = own.Keyboards[i].Reads
		own.Keyboards = slices.Delete(slices.Clone(own.Keyboards), i, i+1)
		return own, f, reads, true
	}
	return own, f, "", false
}

// watch wraps the source of a part: while a question waits, a tap or key of the source answers
// the question and does not reach the match.
func (s *Setup) watch(part device.Part) device.Part {
	if part.Source == nil {
		return part
	}
	source := part.Source
	part.Source = device.SourceFunc(func(ctx context.Context, emit device.Emit) error {
		return source.Run(ctx, func(sig device.Signal) <-chan engine.Receipt {
			if s.takes(part.Name, sig) {
				return accepted()
			}
			return emit(sig)
		})
	})
	return part
}

// takes reports whether a signal of a part answers a question, or lifts a tag that did, and so
// is not for the match. It also counts the taps and keys of each part.
func (s *Setup) takes(part string, sig device.Signal) bool {
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
	s.reads[part]++
	if q != nil && tag != "" {
		s.diverted[tag] = true
	}
	s.mu.Unlock()
	if q != nil {
		s.heard(q, tapped{part: part})
	}
	return q != nil
}
