package epapertest

import (
	"time"

	"periph.io/x/conn/v3/gpio"
)

// Kill makes the panel dead: it ignores everything, drives nothing, and its BUSY
// line floats.
func (p *Panel) Kill() { p.lose(&p.dead) }

// Revive switches a dead panel on again. Its memories are lost; the glass still
// shows its last picture.
func (p *Panel) Revive() { p.regain(&p.dead) }

// Unplug pulls the cable. BUSY floats.
func (p *Panel) Unplug() { p.lose(&p.unplugged) }

// Plug puts the cable back. The panel was without power, so its memories are lost.
func (p *Panel) Plug() { p.regain(&p.unplugged) }

func (p *Panel) lose(gone *bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
	*gone = true
}

func (p *Panel) regain(gone *bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !*gone {
		return
	}
	*gone = false
	p.powerOn()
}

// Float sets the level of BUSY while neither the panel drives it nor the host pulls it, as the
// pins of a Raspberry Pi differ in it before a program asks for a pull. Until Float is called,
// this level is low.
func (p *Panel) Float(l gpio.Level) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.floatLevel = l
}

// BrownOut interrupts the controller's supply for a moment. A refresh stops, the registers get
// their reset values, the memories hold noise, and a sleeping controller is awake. The glass
// keeps its picture.
func (p *Panel) BrownOut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
	p.powerOn()
}

func (p *Panel) powerOn() {
	p.deaf = false
	p.inReset = p.reset.level == gpio.Low
	p.chip.powerOn()
}

// StickBusy holds BUSY at the level of a busy panel, whatever the controller does. BUSY stays
// at that level for the time d, or until FreeBusy is called. If d is 0, only FreeBusy ends it.
func (p *Panel) StickBusy(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stuck, p.stuckEnd = true, time.Time{}
	if d > 0 {
		p.stuckEnd = time.Now().Add(d)
	}
}

// FreeBusy ends StickBusy.
func (p *Panel) FreeBusy() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stuck = false
}

// MuteAfter makes the controller deaf after the given number of further commands. The
// controller is deaf until its reset line is pulled. A negative number means that it never
// becomes deaf.
func (p *Panel) MuteAfter(commands int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.muteAfter = commands
}

// Deaf reports whether MuteAfter has made the controller deaf.
func (p *Panel) Deaf() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.deaf
}
