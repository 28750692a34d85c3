package rig

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2ctest"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/display/web/setup"
	"tableside/drivers/evdev"
	"tableside/drivers/evdev/evdevtest"
	"tableside/drivers/pcsc"
	"tableside/engine"
)

// A plugged is a running table on which nothing is configured, with sockets for USB.
type plugged struct {
	*testing.T
	rig   *Rig
	table *device.Table
}

// plugInto runs a table until stop is called, in a synctest bubble. written has the parts of the
// configuration file, if there are any.
func plugInto(t *testing.T, ports Ports, written ...config.Wiring) (p *plugged, stop func()) {
	t.Helper()
	p = &plugged{T: t}
	c := &config.Config{}
	c.Table.Data = t.TempDir()
	for _, w := range written {
		c.FileWiring, c.Wiring = w, w
	}
	log := slog.New(slog.DiscardHandler)
	p.rig = &Rig{Ports: ports, Wiring: &c.Wiring, Log: log}
	p.rig.Setup = NewSetup(c, log)
	d := device.Config{Name: "test", Dir: c.Table.Data}
	if err := p.rig.Configure(&d); err != nil {
		t.Fatal(err)
	}
	table, err := device.New(d)
	if err != nil {
		t.Fatal(err)
	}
	p.table = table
	p.rig.Add(table, nil)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- table.Run(ctx) }()
	return p, func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := p.rig.Halt(); err != nil {
			t.Error(err)
		}
	}
}

// onlyUSB are ports for keyboards only.
type onlyUSB struct{ pluggedPorts }

func (onlyUSB) Adapters() []Adapter                    { return nil }
func (onlyUSB) PCSC() *pcsc.Daemon                     { return nil }
func (onlyUSB) Missing(*config.Wiring) []*config.Error { return nil }

// troubledUSB are ports for keyboards whose list, or that of readers, may fail.
type troubledUSB struct {
	onlyUSB
	pcscd string      // the socket
	fails atomic.Bool // List does
}

func (p *troubledUSB) PCSC() *pcsc.Daemon { return &pcsc.Daemon{Socket: p.pcscd} }
func (p *troubledUSB) Inputs() evdev.Host { return p }

func (p *troubledUSB) List() ([]evdev.Info, error) {
	if p.fails.Load() {
		return nil, errors.New("too many open files")
	}
	return p.typing.List()
}

func (p *troubledUSB) Open(path string) (evdev.File, error) { return p.typing.Open(path) }

// has fails the test unless the page lists these devices as not used and these parts with
// their health, and the table says that something new is plugged in.
func (p *plugged) has(when, found, parts string, notice bool) {
	p.Helper()
	time.Sleep(plugsEvery + time.Second)
	synctest.Wait()
	state := p.rig.Setup.state(p.Context())
	var names, ill []string
	for _, f := range state.Found {
		names = append(names, f.Name)
	}
	for _, part := range state.Parts {
		ill = append(ill, part.Name+" "+string(part.Health))
	}
	if got := strings.Join(names, ", "); got != found {
		p.Errorf("%s: not used: got %q, want %q", when, got, found)
	}
	if got := strings.Join(ill, ", "); got != parts {
		p.Errorf("%s: parts: got %q, want %q", when, got, parts)
	}
	if got := slices.Contains(p.table.Frame().View.Notices, noticeFound); got != notice {
		p.Errorf("%s: notice: got %t, want %t", when, got, notice)
	}
}

// TestHotPlug tests that what is plugged in later is offered and can be used, and that
// what is pulled out is health, and works again when it is back.
func TestHotPlug(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pad := evdev.Info{Path: "/dev/input/event0", Name: "Pad", Bus: evdev.USB, Vendor: 0x1c4f, Product: 2, Keys: 17,
			IDs: []string{"usb-Pad_68284-0000:00:04.0-1-event-kbd"}}
		desk := evdev.Info{Path: "/dev/input/event1", Name: "Desk", Bus: evdev.USB, Vendor: 0x46d, Product: 7, Keys: 100}
		usb := &evdevtest.Host{}
		atStart := usb.Plug(desk)
		p, stop := plugInto(t, onlyUSB{pluggedPorts{typing: usb}})
		defer stop()
		p.has("at the start", "Desk", "", false)
		plug := usb.Plug(pad)
		p.has("plugged in", "Desk, Pad", "", true)
		if err := p.rig.Setup.do(t.Context(), setup.Order{Do: "ask", Seat: "red"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		plug.Tap(79)
		p.has("red has it", "Desk", "keyboard-red "+string(engine.OK), false)
		plug.Unplug()
		p.has("pulled out", "Desk", "keyboard-red "+string(engine.Broken), false)
		usb.Plug(pad)
		time.Sleep(time.Minute)
		p.has("it is back", "Desk", "keyboard-red "+string(engine.OK), false)
		if _, err := usb.Open(desk.Path); err != nil { // as another program has it
			t.Fatal(err)
		}
		if err := p.rig.Setup.do(t.Context(), setup.Order{Do: "ask", Seat: "blue"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if asked := p.rig.Setup.state(t.Context()).Asked; asked == nil || asked.Message.Key != "setup.said-unread" {
			t.Errorf("a keyboard that another program has: %+v", asked)
		}
		atStart.Unplug()
		p.has("the other is gone", "", "keyboard-red "+string(engine.OK), false)
	})
}

// TestRemovedWithoutThePage checks that a part that is removed is closed even if the page's
// request ends while the part stops, and that the end of the table does not wait for it.
func TestRemovedWithoutThePage(t *testing.T) {
	red := config.Reader{Name: "red", Chip: config.PCSC, Model: "ACR122U"}
	pad := config.Keyboard{Name: "red", Seat: "red", Device: "Pad"}
	for _, c := range []struct {
		part   string
		own    config.Wiring
		takes  time.Duration // until the part has stopped
		closed bool          // before the table ends
	}{
		{"reader-red", config.Wiring{Readers: []config.Reader{red}}, 20 * time.Second, true},
		{config.NameOf(&pad), config.Wiring{Keyboards: []config.Keyboard{pad}}, 20 * time.Second, true},
		{"panel", config.Wiring{Panel: &config.Panel{}}, 20 * time.Second, true},
		{"lights", config.Wiring{Lights: &config.Lights{}}, 20 * time.Second, true},
		{"lights", config.Wiring{Lights: &config.Lights{}}, time.Hour, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			p, stop := plugInto(t, onlyUSB{pluggedPorts{typing: &evdevtest.Host{}}})
			closed := 0
			source := device.SourceFunc(func(ctx context.Context, _ device.Emit) error {
				<-ctx.Done()
				time.Sleep(c.takes)
				return nil
			})
			p.rig.Parts.add(device.Part{Name: c.part, Source: source}, func() error { closed++; return nil })
			p.table.Add(p.rig.Parts.All[0])
			p.rig.Setup.mu.Lock()
			p.rig.Setup.config.Setup, p.rig.Setup.config.Wiring = c.own, c.own
			p.rig.Setup.mu.Unlock()
			synctest.Wait()
			request, leave := context.WithTimeout(t.Context(), 10*time.Second)
			defer leave()
			removed := make(chan error, 1)
			go func() { removed <- p.rig.Setup.do(request, setup.Order{Do: "remove", Part: c.part}) }()
			time.Sleep(30 * time.Second)
			synctest.Wait()
			if c.closed != (closed == 1) || c.closed == (p.rig.index(c.part) >= 0) {
				t.Errorf("%s: after 30 s it is closed %d times, among the parts: %t", c.part, closed, (p.rig.index(c.part) >= 0))
			}
			began := time.Now()
			stop()
			if err := <-removed; c.closed != (err == nil) {
				t.Errorf("%s: removed: %v", c.part, err)
			}
			if took := time.Since(began); closed != 1 || took > 10*time.Second {
				t.Errorf("%s: at the end it is closed %d times, after %v", c.part, closed, took)
			}
			time.Sleep(c.takes) // a bubble ends with its goroutines
		})
	}
}

// TestNewPartOfTheName checks that a part that does not stop leaves its name to a newer one,
// which can be found and removed, and that both are closed when the table ends.
func TestNewPartOfTheName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, stop := plugInto(t, onlyUSB{pluggedPorts{typing: &evdevtest.Host{}}})
		var closed []string
		add := func(who string, takes time.Duration) {
			source := device.SourceFunc(func(ctx context.Context, _ device.Emit) error {
				<-ctx.Done()
				time.Sleep(takes)
				return nil
			})
			p.rig.Parts.add(device.Part{Name: "lights", Source: source}, func() error {
				closed = append(closed, who)
				return nil
			})
			p.table.Add(p.rig.Parts.All[len(p.rig.Parts.All)-1])
			synctest.Wait()
		}
		drop := func(want error) {
			t.Helper()
			if err := p.rig.Setup.drop(p.table, "lights"); !errors.Is(err, want) {
				t.Errorf("removed: %v, want %v", err, want)
			}
		}
		add("old", 5*time.Minute)
		drop(context.DeadlineExceeded)
		add("new", time.Second)
		drop(nil)
		if !slices.Equal(closed, []string{"new"}) {
			t.Errorf("closed %q, want the new one", closed)
		}
		stop()
		if !slices.Equal(closed, []string{"new", "old"}) {
			t.Errorf("closed %q at the end, want both", closed)
		}
		time.Sleep(5 * time.Minute) // a bubble ends with its goroutines
	})
}

// TestPlugsDespiteErrors checks that a list of devices which fails gives and takes away no
// notice, and keeps none back of another kind of device.
func TestPlugsDespiteErrors(t *testing.T) {
	const fails = true
	for _, c := range []struct {
		name    string
		refuses bool    // pcscd always does
		looks   [4]bool // which fail; a pad is plugged in before the third
		notice  [4]bool
	}{
		{"no error", false, [4]bool{}, [4]bool{2: true, 3: true}},
		{"pcscd refuses", true, [4]bool{}, [4]bool{2: true, 3: true}},
		{"the first look fails", false, [4]bool{fails}, [4]bool{2: true, 3: true}},
		{"a look fails before anything is new", false, [4]bool{1: fails}, [4]bool{2: true, 3: true}},
		{"the look fails that would find it", false, [4]bool{2: fails}, [4]bool{3: true}},
		{"a later look fails", false, [4]bool{3: fails}, [4]bool{2: true, 3: true}},
	} {
		synctest.Test(t, func(t *testing.T) {
			usb := &evdevtest.Host{}
			ports := &troubledUSB{onlyUSB: onlyUSB{pluggedPorts{typing: usb}}}
			if c.refuses {
				ports.pcscd = filepath.Join(t.TempDir(), "pcscd")
				if err := os.WriteFile(ports.pcscd, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			usb.Plug(evdev.Info{Path: "/dev/input/event1", Name: "Desk", Bus: evdev.USB, Vendor: 0x46d, Product: 7, Keys: 100})
			ports.fails.Store(c.looks[0])
			p, stop := plugInto(t, ports)
			defer stop()
			for i, fails := range c.looks {
				if i == 2 {
					usb.Plug(evdev.Info{Path: "/dev/input/event0", Name: "Pad", Bus: evdev.USB, Vendor: 0x1c4f, Product: 2, Keys: 17})
				}
				if i > 0 {
					ports.fails.Store(fails)
					time.Sleep(plugsEvery)
				}
				synctest.Wait()
				if got := slices.Contains(p.table.Frame().View.Notices, noticeFound); got != c.notice[i] {
					t.Errorf("%s: look %d: got a notice: %t, want %t", c.name, i+1, got, c.notice[i])
				}
			}
		})
	}
}

// heldReset are ports on which another program holds the reset line of a multiplexer.
type heldReset struct{ onlyUSB }

func (heldReset) Pin(name string) (gpio.PinIO, error) { return nil, errors.New(name + " is held") }
func (heldReset) I2C(string) (i2c.Bus, error)         { return &i2ctest.Playback{DontPanic: true}, nil }

// TestChangeWhileAPartOpens changes the parts while a screen behind a multiplexer is tried again
// and again, for the race detector: the screen looks for its multiplexer in the wiring.
func TestChangeWhileAPartOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, stop := plugInto(t, heldReset{onlyUSB{pluggedPorts{typing: &evdevtest.Host{}}}}, config.Wiring{
			Screens: []config.Screen{{Seat: "red", Chip: "ssd1306", Height: 64,
				Bus: config.Bus{I2C: "/dev/i2c-1", Mux: 0x70, Channel: 1, MuxReset: "GPIO17"}}}})
		defer stop()
		for range 20 {
			time.Sleep(700 * time.Millisecond)
			if err := p.rig.Setup.do(t.Context(), setup.Order{Do: "done"}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// slowUSB are ports for keyboards. If listing is not nil, the next list takes it and waits until
// it is closed. They count the keyboards that are opened.
type slowUSB struct {
	onlyUSB
	listing atomic.Pointer[chan struct{}]
	opened  atomic.Int32
}

func (p *slowUSB) Inputs() evdev.Host { return p }

func (p *slowUSB) List() ([]evdev.Info, error) {
	if until := p.listing.Swap(nil); until != nil {
		<-*until
	}
	return p.typing.List()
}

func (p *slowUSB) Open(path string) (evdev.File, error) {
	p.opened.Add(1)
	return p.typing.Open(path)
}

// TestQuestionEndsBeforeItListens checks that a question which is closed while it still looks for
// devices listens on none of them, and neither does one after the table's end.
func TestQuestionEndsBeforeItListens(t *testing.T) {
	usb := &slowUSB{onlyUSB: onlyUSB{pluggedPorts{typing: &evdevtest.Host{}}}}
	usb.typing.Plug(evdev.Info{Path: "/dev/input/event0", Name: "Pad", Bus: evdev.USB, Vendor: 0x1c4f, Product: 2,
		Keys: 17})
	setup := NewSetup(&config.Config{}, slog.New(slog.DiscardHandler))
	setup.rig = &Rig{Ports: usb}
	first, until := setup.newQuestion("red"), make(chan struct{})
	usb.listing.Store(&until)
	var asking sync.WaitGroup
	asking.Go(func() { setup.ask(first) })
	for usb.listing.Load() != nil {
		time.Sleep(time.Millisecond)
	}
	asking.Go(func() { setup.ask(nil) })
	<-first.ctx.Done()
	close(until)
	asking.Wait()
	first.listeners.Wait()
	setup.halt()
	second := setup.newQuestion("blue")
	setup.ask(second)
	second.listeners.Wait()
	if n := usb.opened.Load(); n != 0 {
		t.Errorf("questions that had ended opened %d devices", n)
	}
}

// TestDivertedTagIsTappedAgain checks that the lift of a tag which answered a question, but was
// never lifted, as one that is typed, does not hide a later lift.
func TestDivertedTagIsTappedAgain(t *testing.T) {
	s := NewSetup(&config.Config{}, slog.New(slog.DiscardHandler))
	tap, lift := device.TagOn{Tag: "C1"}, device.TagOff{Tag: "C1"}
	s.question = s.newQuestion("")
	defer s.halt()
	if !s.divertSignal("reader-red", tap) || !s.divertSignal("reader-red", lift) {
		t.Error("the match hears of a tag that answers a question")
	}
	s.divertSignal("reader-red", tap) // and is never lifted
	s.ask(nil)
	if s.divertSignal("reader-red", tap) || s.divertSignal("reader-red", lift) {
		t.Error("the match does not hear of a tag after the question")
	}
}
