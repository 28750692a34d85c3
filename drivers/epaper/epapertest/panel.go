// Package epapertest emulates e-paper panels, each with its controller and its glass. A
// controller of the SSD16xx family or a UC8179 is emulated by its data sheet. A JD79661 is
// emulated by the software of its vendors.
//
// An emulated panel has a port of package spi and pins of package gpio. It is as strict as a
// real panel, and counts violations of these rules:
//
//   - The panel loses bytes that come while it is busy.
//   - Data needs a command.
//   - Windows must be inside the memory.
//   - A sleeping controller reacts only to its reset line.
//
// A picture reaches the glass only through the memories and a waveform. If a driver fills the
// memories wrongly, the glass shows the fault. All waits use package time, so testing/synctest
// can fake them.
//
// Data sheets are cited where they are used:
//
//   - SSD1680: Solomon Systech, rev. 0.14, June 2019
//   - SSD1683: Solomon Systech, rev. 1.0, January 2021
//   - UC8179: UltraChip UC8179c, rev. 0.6, November 2019, which also gives the names of the
//     commands (PSR R00h…)
package epapertest

import (
	"fmt"
	"math/rand"
	"strings"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// Counts holds the bytes and transactions on the wire.
type Counts struct{ Written, Read, Transactions int }

// A controller is the chip behind the glass. Its methods are called with the
// panel locked.
type controller interface {
	powerOn()                            // registers at their reset values, memories at random
	reset()                              // the reset line was released
	command(c byte)                      // DC low
	data(b []byte)                       // DC high
	listens(c byte) bool                 // whether it takes the command c while busy
	asleep() bool                        // deep sleep: it reacts only to the reset line
	holds() bool                         // BUSY shows busy though idle: an SSD16xx in deep sleep
	busy() gpio.Level                    // the level of BUSY while busy
	memory(old bool, y int, line []byte) // line gets the colours of line y of a memory, old or new
}

// A Panel is an emulated panel. It is safe for concurrent use.
type Panel struct {
	mu    sync.Mutex
	model model
	chip  controller

	glass            []byte // a colour for each pixel, in lines as the memory has them
	work             *work  // nil while the controller is idle
	fullRefreshes    int
	partialRefreshes int
	interruptions    int // of refreshes

	speed      float64
	noise      *rand.Rand
	traits     []Trait
	inReset    bool
	fell       time.Time // when the reset line last fell
	supplied   time.Time // when Power switched the supply on
	deaf       bool      // until the next reset
	muteAfter  int       // commands until deaf; below zero: never
	dead       bool
	unplugged  bool
	floatLevel gpio.Level
	pull       gpio.Pull // by which the host pulls BUSY
	stuck      bool
	stuckEnd   time.Time // zero: for ever

	counts         Counts
	violations     []string
	violationCount int

	dirty    bool // the glass has changed since OnChange was called
	onChange func()

	dc, busy, reset *pin
	power           *pin // nil where the supply cannot be switched
}

// work is something that the controller does and that keeps it busy, such as a refresh.
type work struct {
	steps       []step
	timer       *time.Timer
	drivesGlass bool
	afterReset  bool // it follows the release of the reset line
}

// A step is a moment of the work, counted from its beginning. If the function do is not nil,
// it is called at that moment.
type step struct {
	at time.Duration
	do func()
}

// New returns a panel that was just switched on. Its glass shows noise, which stands for the
// picture that the factory left there. The name is one of epaper.Panels, or
// "waveshare-2in13-v2".
func New(name string) (*Panel, error) {
	m, ok := findModel(name)
	if !ok {
		return nil, fmt.Errorf("epapertest: no panel %q; there are %s", name, strings.Join(Names(), ", "))
	}
	p := &Panel{model: m, speed: 1, muteAfter: -1, floatLevel: gpio.Low, noise: rand.New(rand.NewSource(1))}
	p.dc = &pin{p: p, name: "DC", level: gpio.Low}
	p.busy = &pin{p: p, name: "BUSY", driven: true}
	p.reset = &pin{p: p, name: "RST", level: gpio.High}
	p.glass = make([]byte, m.width*m.height)
	p.noise.Read(p.glass)
	for i := range p.glass {
		p.glass[i] &= 1
	}
	switch m.family {
	case uc8179Family:
		p.chip = &uc8179{p: p}
	case jd79661Family:
		p.chip = &jd79661{p: p}
	default:
		p.chip = newSSD16xx(p)
	}
	p.chip.powerOn()
	return p, nil
}

// SetSpeed makes the panel faster than a real one by a factor. Set the driver's speed
// (epaper.Opts.Speed), too, before the panel or the driver is used. If a refresh ends too
// soon, the driver believes that the panel has lost its power.
func (p *Panel) SetSpeed(factor float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.speed = factor
}

// OnChange sets a callback for changes of the glass. Each visible step of a refresh is such a
// change. The callback is called by a timer, or by the goroutine that uses the bus. No lock is
// held during the call. The callback should return soon.
func (p *Panel) OnChange(call func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onChange = call
}

// Refreshes returns the number of refreshes: full ones, with every pixel driven,
// and partial ones.
func (p *Panel) Refreshes() (full, partial int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fullRefreshes, p.partialRefreshes
}

// Interrupted returns the number of refreshes that were interrupted.
func (p *Panel) Interrupted() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.interruptions
}

// Wire returns the counts of the bus so far.
func (p *Panel) Wire() Counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.counts
}

// maxViolations is how many violations are recorded as text; further ones are only counted.
const maxViolations = 100

// Violations returns the first violations as text, and the number of all violations.
func (p *Panel) Violations() ([]string, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.violations...), p.violationCount
}

func (p *Panel) violate(format string, args ...any) {
	p.violationCount++
	if len(p.violations) < maxViolations {
		p.violations = append(p.violations, fmt.Sprintf(format, args...))
	}
}

// take hands bytes from the bus to the controller, one transfer at a time. If isData is true,
// the bytes are data; otherwise they are commands.
func (p *Panel) take(b []byte, isData bool) {
	switch {
	case p.dead || p.unplugged || p.deaf:
		return
	case p.inReset:
		p.violate("%d bytes during reset", len(b))
		return
	case p.chip.asleep():
		p.violate("%d bytes in deep sleep", len(b))
		return
	case isData:
		if p.deafened() {
			p.violate("%d bytes of data while busy", len(b))
			return
		}
		p.chip.data(b)
		return
	}
	for _, c := range b {
		if p.muteAfter == 0 {
			p.deaf, p.muteAfter = true, -1
			return
		}
		if p.muteAfter > 0 {
			p.muteAfter--
		}
		if p.deafened() && !p.chip.listens(c) {
			p.violate("command %02Xh while busy", c)
			continue
		}
		p.chip.command(c)
	}
}

// resetLine records the new level of the reset line and lets the panel react. Each change of
// the level interrupts the panel's work. A rising level resets the controller. But if the
// board cuts the power while the level is low, and the pulse was long, the panel starts as
// after power-on.
func (p *Panel) resetLine(l gpio.Level) {
	if p.dead || p.unplugged {
		return
	}
	p.inReset = l == gpio.Low
	p.stop()
	if p.inReset {
		if p.fell = time.Now(); p.fell.Sub(p.supplied) < supplyTime {
			p.violate("reset %v after the supply was switched on", p.fell.Sub(p.supplied))
		}
		return
	}
	if p.hasTrait(PowerBehindReset) && time.Since(p.fell) > emptyAfter {
		p.powerOn()
		return
	}
	p.deaf = false
	p.chip.reset()
	if p.work != nil {
		p.work.afterReset = true
	}
}

// supplyTime is how long the supply must be on before the reset line is pulled:
// SSD1680 §9.1 (p. 39).
const supplyTime = 10 * time.Millisecond

func (p *Panel) deafened() bool {
	return p.work != nil && !(p.work.afterReset && p.hasTrait(HearsInReset))
}

// begin interrupts the controller's work, if any, and begins new work. Each step of the work
// happens at its time. The controller is busy until the last step. If drivesGlass is true,
// interrupting the work counts as an interrupted refresh.
func (p *Panel) begin(drivesGlass bool, steps ...step) {
	p.stop()
	w := &work{steps: steps, drivesGlass: drivesGlass}
	p.work = w
	p.schedule(w, 0)
}

// schedule arms the timer for the next step of the work. The argument lastDue is the time at
// which the previous step was due.
func (p *Panel) schedule(w *work, lastDue time.Duration) {
	wait := time.Duration(float64(w.steps[0].at-lastDue) / p.speed)
	w.timer = time.AfterFunc(wait, func() {
		p.mu.Lock()
		if p.work == w {
			now := w.steps[0]
			w.steps = w.steps[1:]
			if len(w.steps) == 0 {
				p.work = nil
			}
			if now.do != nil {
				now.do()
			}
			if len(w.steps) > 0 {
				p.schedule(w, now.at)
			}
		}
		p.mu.Unlock()
		p.tell()
	})
}

func (p *Panel) stop() {
	if p.work == nil {
		return
	}
	p.work.timer.Stop()
	if p.work.drivesGlass {
		p.interruptions++
	}
	p.work = nil
}

// tell calls the callback of OnChange if the glass has changed. The panel must not be
// locked.
func (p *Panel) tell() {
	p.mu.Lock()
	call := p.onChange
	if !p.dirty {
		call = nil
	}
	p.dirty = false
	p.mu.Unlock()
	if call != nil {
		call()
	}
}

func (p *Panel) busyLevel() gpio.Level {
	if p.dead || p.unplugged {
		return p.releasedLevel()
	}
	if p.stuck && !p.stuckEnd.IsZero() && !time.Now().Before(p.stuckEnd) {
		p.stuck = false
	}
	if p.stuck || p.work != nil || p.inReset || p.chip.holds() {
		return p.chip.busy()
	}
	if p.hasTrait(OpenDrain) && p.chip.busy() == gpio.Low {
		return p.releasedLevel()
	}
	return !p.chip.busy()
}

// releasedLevel returns the level of BUSY while the panel does not drive it.
func (p *Panel) releasedLevel() gpio.Level {
	switch p.pull {
	case gpio.PullUp:
		return gpio.High
	case gpio.PullDown:
		return gpio.Low
	}
	return p.floatLevel
}
