package rig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/disk"
	"tableside/display/web/core"
	"tableside/display/web/setup"
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
	asking   sync.Mutex // held until a question listens on all devices: one at a time

	mu         sync.Mutex
	table      *device.Table     // nil until it runs
	inputs     map[string]inputs // of each part
	diverted   map[string]bool   // tags that answered a question: the match must not hear of their lift either
	question   *question
	lastAnswer *setup.Answer
}

// inputs are the taps and keys of a part so far: how many, and the newest.
type inputs struct {
	n   int
	at  time.Time
	key string // "" for a tap
	tag device.TagOn
}

// NewSetup returns the setup of a table with a loaded configuration. The setup changes the
// field Wiring of this configuration.
func NewSetup(c *config.Config, log *slog.Logger) *Setup {
	s := &Setup{config: c, log: log, inputs: map[string]inputs{}, diverted: map[string]bool{}}
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
	found, err := s.unused(s.ctx)
	if err != nil {
		s.log.Warn("what is plugged in", "error", err)
	}
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
		if with, err := s.addForAll(s.ctx, f); err == nil {
			s.config.Setup = with
			s.log.Info("found and used", "kind", f.Kind, "name", f.Name)
		}
	}
	s.config.Wiring, _ = s.config.Merged(s.config.Setup)
}

func (s *Setup) connect(t *device.Table) {
	s.mu.Lock()
	s.table = t
	s.mu.Unlock()
	t.Notice(noticeOpen, s.config.NothingSetUp())
	s.start(s.watchPlugs)
}

// start runs a function in the background, unless halt was called. halt waits for its end.
func (s *Setup) start(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() == nil {
		s.wg.Go(f)
	}
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
	s.mu.Lock()
	s.stop() // from now on nothing is started
	s.mu.Unlock()
	s.wg.Wait()
	s.changing.Lock() // a page's change may have outlived the page
	defer s.changing.Unlock()
}

// do carries out an order of the page. If it refuses the order, the error is a
// *web.SetupRefusal.
func (s *Setup) do(ctx context.Context, o setup.Order) error {
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
		return refuse("setup.said-no-seat")
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
	case "give":
		return s.give(ctx, o.Seat, o.Part)
	case "remove":
		return s.remove(o.Part)
	case "lights":
		own := s.config.Setup
		own.Lights = lightsOf(&o)
		return s.change(own, engine.T("setup.said-used", "name", cmp.Or(own.Lights.Host, own.Lights.Chip)))
	case "panel":
		own := s.config.Setup
		own.Panel = headerPanel(o.Model, o.Power)
		return s.change(own, engine.T("setup.said-used", "name", o.Model))
	case "test":
		return s.test(o.Part)
	}
	return s.change(s.config.Setup, engine.T("setup.said-kept")) // "done"
}

func (s *Setup) mayChange() error {
	if err := s.config.SetupError; err != nil {
		return refuse("setup.said-broken", "reason", err.Error())
	}
	if _, recording := s.rig.Ports.(*Recording); recording {
		return refuse("setup.said-recording")
	}
	return nil
}

func refuse(key string, args ...any) error { return &setup.Refusal{Message: engine.T(key, args...)} }

// use adds the plugged-in device with this id to the wiring. Everybody shares the new part.
func (s *Setup) use(ctx context.Context, id string) error {
	f, err := s.find(ctx, id)
	if err != nil {
		return err
	}
	own, err := s.addForAll(ctx, f)
	if err != nil {
		return err
	}
	return s.change(own, engine.T("setup.said-used", "name", f.Name))
}

// addForAll adds a device for everybody. It refuses an adapter unless a PN532 answers behind it.
func (s *Setup) addForAll(ctx context.Context, f FoundDevice) (config.Wiring, error) {
	if f.Kind == FoundAdapter {
		if err := f.probe(ctx, s.rig.Ports); err != nil {
			s.log.Info("no PN532 answers behind the serial adapter", "error", err)
			return config.Wiring{}, refuse("setup.said-no-chip", "name", f.Name)
		}
	}
	return s.addFound(s.config.Setup, f, engine.Table, "")
}

// find returns the device with this id if it is plugged in now and not used. Otherwise it
// returns a refusal.
func (s *Setup) find(ctx context.Context, id string) (FoundDevice, error) {
	found, _ := s.unused(ctx) // the page shows the error
	if i := slices.IndexFunc(found, func(f FoundDevice) bool { return f.ID == id }); i >= 0 {
		return found[i], nil
	}
	return FoundDevice{}, refuse("setup.said-gone")
}

// unused lists the devices that are plugged in and that the table does not use. If there is an
// error, the list is valid nevertheless.
func (s *Setup) unused(ctx context.Context) ([]FoundDevice, error) {
	w := s.wiring()
	found, err := unusedOnUSB(ctx, s.rig.Ports, w)
	if w.Panel == nil {
		found = append(found, s.inky...)
	}
	return found, err
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
	own := wiring.Clone()
	part, name := f.Part, (*string)(nil)
	switch c := f.Part.(type) {
	case *config.Reader:
		tellApart(own.Readers, f)
		r := *c
		r.Seat, part, name = whose, &r, &r.Name
	case *config.Keyboard:
		k := *c
		k.Seat, k.Reads, part, name = whose, mode, &k, &k.Name
	default:
		own.Panel = nil
		return own, own.Add(part)
	}
	if err := s.setName(&own, part, name, seat); err != nil {
		return own, err
	}
	return own, own.Add(part)
}

// tellApart makes sure that two readers of the same kind have different models. If the model
// of a reader of pcscd matches the found reader, too, tellApart replaces this model by the full
// name of the earlier reader.
func tellApart(readers []config.Reader, f FoundDevice) {
	for i := range readers {
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
// everybody shares gets the next free name. If the seat already has a part of the same sort,
// setName returns a refusal, because nobody could say which of the two was meant.
func (s *Setup) setName(own *config.Wiring, part config.Part, name *string, seat engine.Seat) error {
	others := slices.Concat(own.Parts(), s.config.FileWiring.Parts())
	*name = string(seat)
	for n := 2; slices.ContainsFunc(others, func(other config.Part) bool {
		// A hand-written reader may have another name than its seat.
		return config.NameOf(other) == config.NameOf(part) || part.Whose() != "" && other.Whose() == part.Whose() &&
			config.IsReader(part) && config.IsReader(other)
	}); n++ {
		if seat != engine.Table {
			return refuse("setup.said-two", "seat", core.SeatWord(seat))
		}
		*name = fmt.Sprintf("%s-%d", seat, n)
	}
	return nil
}

// give gives a reader or keyboard to a seat, as if somebody had used it to answer a question.
func (s *Setup) give(ctx context.Context, seat engine.Seat, name string) error {
	_, part := takeOut(s.config.Setup, name)
	_, keyboard := part.(*config.Keyboard)
	if seat == "" || part == nil || !keyboard && !config.IsReader(part) {
		return refuse("setup.said-written", "name", name)
	}
	return s.applyAnswer(ctx, seat, questionAnswer{part: name})
}

// remove removes a part from the wiring. It refuses to remove a part that the page has not
// added.
func (s *Setup) remove(part string) error {
	own, removed := takeOut(s.config.Setup, part)
	if removed == nil {
		return refuse("setup.said-written", "name", part)
	}
	return s.change(own, engine.T("setup.said-removed", "name", part))
}

// takeOut takes a part out of a copy of the wiring, and returns both. If the wiring has no such
// part, the part is nil, and so it is for the keys, which are one part of many sections.
func takeOut(wiring config.Wiring, name string) (rest config.Wiring, taken config.Part) {
	rest = wiring.Without(func(p config.Part) bool {
		if config.NameOf(p) != name || name == config.KeysName {
			return false
		}
		taken = p
		return true
	})
	return rest, taken
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
		return refuse("setup.said-wrong", "reason", left[len(s.config.LeftOut):].Error())
	}
	if missing := s.rig.Ports.Missing(&merged); len(missing) > 0 {
		return refuse("setup.said-wrong", "reason", missing[0].Reason+"; "+missing[0].Hint)
	}
	if err := s.config.SaveSetup(own); err != nil {
		s.log.Error("the setup file is not written", "error", err)
		return refuse("setup.said-not-saved", "reason", engine.ErrorSaid(disk.Cause(err)))
	}
	before := s.config.Wiring
	s.mu.Lock()
	s.config.Setup, s.config.HasSetup = own, true
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
	if err := t.Remove(ctx, part); err != nil {
		return err
	}
	s.rig.board.Remove(part)
	s.mu.Lock()
	delete(s.inputs, part) // another part of this name has read nothing yet
	s.mu.Unlock()
	parts, i := s.rig.Parts, s.rig.index(part)
	if i < 0 {
		return nil
	}
	if err := parts.halts[i](); err != nil {
		s.log.Info("a part that is removed", "part", part, "error", err) // it may be unplugged
	}
	parts.All, parts.halts = slices.Delete(parts.All, i, i+1), slices.Delete(parts.halts, i, i+1)
	return nil
}

// swap changes the running parts from the previous wiring to the next wiring. It stops the
// parts that only the previous wiring has. It adds the parts that only the next wiring has. It
// returns the errors of parts that do not stop.
func (s *Setup) swap(t *device.Table, previous, next *config.Wiring) error {
	has := func(w *config.Wiring, part config.Part) bool {
		return slices.ContainsFunc(w.Parts(), func(p config.Part) bool { return reflect.DeepEqual(p, part) })
	}
	var errs []error
	for _, p := range previous.Parts() {
		if !has(next, p) {
			errs = append(errs, s.drop(t, config.NameOf(p)))
		}
	}
	fresh := next.Without(func(p config.Part) bool { return has(previous, p) })
	parts := s.rig.Parts
	first := len(parts.All)
	parts.tapInitial = false // what lies there may have been tapped before
	_ = parts.addAll(&fresh) // fails only for a device's name, which was checked
	for i, part := range parts.All[first:] {
		parts.All[first+i] = s.watch(part)
		t.Add(parts.All[first+i])
	}
	return errors.Join(errs...)
}

func (s *Setup) wiring() *config.Wiring {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.config.Wiring
	return &w
}

func (s *Setup) say(ok bool, text engine.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 1
	if s.lastAnswer != nil {
		n = s.lastAnswer.N + 1
	}
	s.lastAnswer = &setup.Answer{N: n, OK: ok, Message: text}
}
