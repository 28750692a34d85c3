package rig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/display/web"
	"tableside/engine"
)

// A Setup adds and removes parts while the table runs. People order these changes on the page
// /setup. A Setup never changes what people have written into the configuration file.
type Setup struct {
	rig    *Rig
	config *config.Config
	log    *slog.Logger

	ctx  context.Context // ends with Halt
	stop context.CancelFunc
	wg   sync.WaitGroup
	inky []FoundDevice // the panel on the header

	changing sync.Mutex // held during a change: one at a time

	mu          sync.Mutex
	table       *device.Table   // nil until it runs
	setupWiring config.Wiring   // the parts that the page may change
	inputCounts map[string]int  // taps and keys so far, by part
	diverted    map[string]bool // tags that answered a question: the match must not hear of their lift either
	question    *question
	lastAnswer  *web.SetupAnswer
}

// NewSetup returns the setup of a table with a loaded configuration. The setup changes the
// field Wiring of this configuration.
func NewSetup(c *config.Config, log *slog.Logger) *Setup {
	s := &Setup{config: c, log: log, setupWiring: c.Setup, inputCounts: map[string]int{}, diverted: map[string]bool{}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// begin uses devices that are plugged in, if no part is configured. It uses every reader of
// pcscd, a PN532 behind the only serial adapter, and an Inky on the header. The panel then
// says that nothing is set up. begin does not use keyboards, because other programs get no
// more keys from a keyboard that the table uses. The page only offers the keyboards.
func (s *Setup) begin(r *Rig) {
	s.rig = r
	for _, err := range s.config.LeftOut {
		s.log.Warn("a part of the setup file is not used", "reason", err)
	}
	if s.config.SetupError != nil {
		s.log.Warn("the setup file is not used, and stays as it is", "reason", s.config.SetupError)
	}
	if _, recording := r.Ports.(*Recording); !recording && s.config.Panel == nil {
		s.inky = findInky(r.Ports) // nobody plugs one in while the table runs
	}
	if s.config.HasSetup || len(s.config.Claims()) > 0 || s.mayChange() != nil {
		return
	}
	found := s.unused(s.ctx)
	adapters := 0
	for _, f := range found {
		if f.Kind == FoundAdapter {
			adapters++
		}
	}
	for _, f := range found {
		if f.Kind == FoundKeyboard || f.Kind == FoundAdapter && (adapters > 1 || notReader.MatchString(f.Name)) {
			continue
		}
		if f.Kind == FoundAdapter {
			if err := NewParts(r.Ports, &f.Part).probe(s.ctx, &f.Part.Readers[0]); err != nil {
				s.log.Info("no PN532 answers behind the serial adapter", "error", err)
				continue
			}
		}
		with, err := s.addFound(s.setupWiring, f, engine.Table, "")
		if err == nil {
			s.setupWiring = with
			s.log.Info("found and used", "kind", f.Kind, "name", f.Name)
		}
	}
	s.config.Wiring, _ = s.config.Merged(s.setupWiring)
}

// connect records the table in which the parts run. It also begins to watch for devices that
// are plugged in.
func (s *Setup) connect(t *device.Table) {
	s.mu.Lock()
	s.table = t
	s.mu.Unlock()
	t.Notice(noticeOpen, s.config.NothingSetUp())
	s.wg.Go(s.watchPlugs)
}

// These are the notices that the setup gives to the table.
const (
	noticeOpen  = "not-set-up"
	noticeFound = "plugged-in"
)

// halt ends the open question and the tests. It also stops watching for devices, and ends a
// change that is under way. It waits for the end of each of these. It does not wait for the
// devices on which the question listened.
func (s *Setup) halt() {
	s.stop()
	s.wg.Wait()
	s.changing.Lock() // a page's change may have outlived the page
	defer s.changing.Unlock()
}

// do carries out an order of the page. If it refuses the order, the error is a
// *web.SetupRefusal.
func (s *Setup) do(ctx context.Context, o web.SetupOrder) error {
	if o.Do == "stop" {
		s.ask(nil)
		return nil
	}
	if err := s.mayChange(); err != nil {
		return err
	}
	s.mu.Lock()
	running := s.table != nil
	s.mu.Unlock()
	if !running {
		return errors.New("the table is still starting")
	}
	if o.Seat != "" && o.Seat != engine.Table && !slices.Contains(s.config.Seats(), o.Seat) {
		return refuse(web.SaidNoSeat)
	}
	if o.Do == "ask" {
		s.ask(s.newQuestion(o.Seat))
		return nil
	}
	s.ask(nil)
	s.changing.Lock()
	defer s.changing.Unlock()
	if s.ctx.Err() != nil {
		return errors.New("the table is being switched off")
	}
	switch o.Do {
	case "use":
		return s.use(ctx, o.Found)
	case "remove":
		return s.remove(o.Part)
	case "lights":
		own := s.setupWiring
		own.Lights = lightsOf(&o)
		return s.change(own, engine.T(web.SaidUsed, "name", cmp.Or(own.Lights.Host, own.Lights.Chip)))
	case "panel":
		own := s.setupWiring
		own.Panel = headerPanel(o.Model, o.Power)
		return s.change(own, engine.T(web.SaidUsed, "name", o.Model))
	case "test":
		return s.test(o.Part)
	}
	return s.change(s.setupWiring, engine.T(web.SaidKept)) // "done"
}

// mayChange returns an error if no part can be changed. No part can be changed if the setup
// file is broken, or while a tape is recorded.
func (s *Setup) mayChange() error {
	if err := s.config.SetupError; err != nil {
		return refuse(web.SaidBroken, "reason", err.Error())
	}
	if _, recording := s.rig.Ports.(*Recording); recording {
		return refuse(web.SaidRecording)
	}
	return nil
}

func refuse(key string, args ...any) error { return &web.SetupRefusal{Message: engine.T(key, args...)} }

// use adds the plugged-in device with this id to the wiring. Everybody shares the new part.
func (s *Setup) use(ctx context.Context, id string) error {
	f, err := s.find(ctx, id)
	if err != nil {
		return err
	}
	if f.Kind == FoundAdapter {
		if err := NewParts(s.rig.Ports, &f.Part).probe(ctx, &f.Part.Readers[0]); err != nil {
			s.log.Info("no PN532 answers behind the serial adapter", "error", err)
			return refuse(web.SaidNoChip, "name", f.Name)
		}
	}
	own, err := s.addFound(s.setupWiring, f, engine.Table, "")
	if err != nil {
		return err
	}
	return s.change(own, engine.T(web.SaidUsed, "name", f.Name))
}

// find returns the device with this id if it is plugged in now and not used. Otherwise it
// returns a refusal.
func (s *Setup) find(ctx context.Context, id string) (FoundDevice, error) {
	for _, f := range s.unused(ctx) {
		if f.ID == id {
			return f, nil
		}
	}
	return FoundDevice{}, refuse(web.SaidGone)
}

// unused lists the devices that are plugged in and that the table does not use.
func (s *Setup) unused(ctx context.Context) []FoundDevice {
	w := s.wiring()
	found, err := unusedOnUSB(ctx, s.rig.Ports, w)
	if err != nil {
		s.log.Warn("what is plugged in", "error", err)
	}
	if w.Panel == nil {
		found = append(found, s.inky...)
	}
	return found
}

// addFound returns a copy of the wiring to which the found device has been added as a new
// part. The new part belongs to the given seat. If this seat is "table", the part belongs to
// everybody. In the section of a keyboard, the last argument becomes the value of "reads".
// addFound refuses a second reader or keyboard for a seat.
func (s *Setup) addFound(wiring config.Wiring, f FoundDevice, seat engine.Seat, mode string) (config.Wiring, error) {
	whose := ""
	if seat != engine.Table {
		whose = string(seat)
	}
	switch {
	case f.Part.Readers != nil:
		r := f.Part.Readers[0]
		r.Name, r.Seat = "", whose
		wiring.Readers = append(slices.Clone(wiring.Readers), r)
		tellApart(wiring.Readers, f)
		return wiring, s.setName(&wiring, &wiring.Readers[len(wiring.Readers)-1].Name, seat, true)
	case f.Part.Keyboards != nil:
		k := f.Part.Keyboards[0]
		k.Name, k.Seat, k.Reads = "", whose, mode
		wiring.Keyboards = append(slices.Clone(wiring.Keyboards), k)
		return wiring, s.setName(&wiring, &wiring.Keyboards[len(wiring.Keyboards)-1].Name, seat, mode == config.ReadsTags)
	}
	wiring.Panel = f.Part.Panel
	return wiring, nil
}

// tellApart makes sure that two readers of the same kind have different models. The last
// reader of the slice is new, and is also given as a found device. If the model of an earlier
// reader of pcscd matches the new reader, too, tellApart replaces this model by the full name
// of the earlier reader.
func tellApart(readers []config.Reader, f FoundDevice) {
	for i := range readers[:len(readers)-1] {
		r := &readers[i]
		if r.Chip != config.PCSC || !strings.Contains(f.Name, r.Model) {
			continue
		}
		for _, other := range f.similarNames {
			if strings.Contains(other, r.Model) {
				r.Model = other
				break
			}
		}
	}
}

// setName sets the name of a new part. A part of a seat gets the name of the seat. A part that
// everybody shares gets the next free name. The last argument is true for a part that reads
// tags, and false for a keyboard with keys to press. If the seat already has a part of the
// same sort, setName returns a refusal, because nobody could say which of the two was meant.
func (s *Setup) setName(own *config.Wiring, name *string, seat engine.Seat, reader bool) error {
	taken := func(name string) bool {
		of := func(w *config.Wiring) bool {
			// A hand-written reader may have another name than its seat; the new one has none yet.
			same := func(n, whose string) bool { return n == name || reader && n != "" && whose == string(seat) }
			return reader && slices.ContainsFunc(w.Readers, func(r config.Reader) bool { return same(r.Name, r.Seat) }) ||
				slices.ContainsFunc(w.Keyboards, func(k config.Keyboard) bool {
					return (k.Reads == config.ReadsTags) == reader && same(k.Name, k.Seat)
				})
		}
		return of(own) || of(&s.config.FileWiring)
	}
	base := string(seat)
	for n := 2; taken(base); n++ {
		if seat != engine.Table {
			return refuse(web.SaidTwo, "seat", web.SeatWord(seat))
		}
		base = fmt.Sprintf("%s-%d", seat, n)
	}
	*name = base
	return nil
}

// remove removes a part from the wiring. It refuses to remove a part that the page has not
// added.
func (s *Setup) remove(part string) error {
	own := s.setupWiring
	rest, _, _, removed := removePart(own, part)
	said := engine.T(web.SaidRemoved, "name", part)
	switch {
	case part == panelPart && own.Panel != nil:
		own.Panel = nil
	case part == lightsPart && own.Lights != nil:
		own.Lights = nil
	case removed:
		own = rest
	default:
		return refuse(web.SaidWritten, "name", part)
	}
	return s.change(own, said)
}

// change checks a wiring for the setup file, saves the wiring and applies it, in this order.
// Then the given answer becomes the newest answer on the page. If change returns a refusal, it
// has changed nothing. If a part does not stop within a minute (dropLimit), change still
// applies the wiring, but returns an error of another type.
//
// change goes on even if the page's request ends, because a saved wiring must be applied.
func (s *Setup) change(own config.Wiring, answer engine.Text) error {
	merged, left := s.config.Merged(own)
	if len(left) > len(s.config.LeftOut) {
		return refuse(web.SaidWrong, "reason", left[len(left)-1].Error())
	}
	if missing := s.rig.Ports.Missing(&merged); len(missing) > 0 {
		return refuse(web.SaidWrong, "reason", missing[0].Reason+"; "+missing[0].Hint)
	}
	if err := s.config.SaveSetup(own); err != nil {
		s.log.Error("the setup file is not written", "error", err)
		return refuse(web.SaidNotSaved, "reason", engine.ErrorSaid(config.Cause(err)))
	}
	before := s.config.Wiring
	s.mu.Lock()
	s.setupWiring, s.config.Setup, s.config.HasSetup = own, own, true
	s.config.Wiring, s.config.LeftOut = merged, left
	table := s.table
	s.mu.Unlock()
	s.rig.network.SetReaders(readerSeats(&merged))
	err := s.swap(table, &before, &merged)
	table.Notice(noticeOpen, false)
	table.SetDigits(merged.HasDigits())
	s.say(true, answer)
	return err
}

// dropLimit is how long a part may take to stop. It is that long because a panel may be
// flashing.
const dropLimit = time.Minute

// drop stops a part of the running table and closes the part. If the part does not stop within
// a minute (dropLimit), drop returns an error. If the table is switched off before the part
// has stopped, drop also returns an error.
func (s *Setup) drop(t *device.Table, part string) error {
	ctx, cancel := context.WithTimeout(s.ctx, dropLimit)
	defer cancel()
	return s.rig.drop(ctx, t, part)
}

// swap changes the running parts from the previous wiring to the next wiring. It stops the
// parts that only the previous wiring has. It adds the parts that only the next wiring has. It
// returns the errors of parts that do not stop.
func (s *Setup) swap(t *device.Table, previous, next *config.Wiring) error {
	var errs []error
	fresh := config.Wiring{}
	for _, r := range previous.Readers {
		if !slices.Contains(next.Readers, r) {
			errs = append(errs, s.drop(t, readerPart(r.Name)))
		}
	}
	for _, r := range next.Readers {
		if !slices.Contains(previous.Readers, r) {
			fresh.Readers = append(fresh.Readers, r)
		}
	}
	same := func(a config.Keyboard) func(config.Keyboard) bool {
		return func(b config.Keyboard) bool {
			return a.Name == b.Name && a.Device == b.Device && a.Seat == b.Seat && a.Reads == b.Reads
		}
	}
	for _, k := range previous.Keyboards {
		if !slices.ContainsFunc(next.Keyboards, same(k)) {
			errs = append(errs, s.drop(t, keyboardPart(&k)))
		}
	}
	for _, k := range next.Keyboards {
		if !slices.ContainsFunc(previous.Keyboards, same(k)) {
			fresh.Keyboards = append(fresh.Keyboards, k)
		}
	}
	if a, b := previous.Panel, next.Panel; a != b && (a == nil || b == nil || *a != *b) {
		if a != nil {
			errs = append(errs, s.drop(t, panelPart))
		}
		fresh.Panel = b
	}
	if a, b := previous.Lights, next.Lights; a != b && (a == nil || b == nil || *a != *b) {
		if a != nil {
			errs = append(errs, s.drop(t, lightsPart))
		}
		fresh.Lights = b
	}
	for _, part := range s.rig.addParts(&fresh) {
		t.Add(part)
	}
	return errors.Join(errs...)
}

// wiring returns a copy of the current wiring.
func (s *Setup) wiring() *config.Wiring {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.config.Wiring
	return &w
}

// say stores a text as the newest answer, which the page shows. The argument ok tells whether
// an order has succeeded.
func (s *Setup) say(ok bool, text engine.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 1
	if s.lastAnswer != nil {
		n = s.lastAnswer.N + 1
	}
	s.lastAnswer = &web.SetupAnswer{N: n, OK: ok, Message: text}
}

func keyboardPart(k *config.Keyboard) string { return strings.ReplaceAll(k.Who(), " ", "-") }
