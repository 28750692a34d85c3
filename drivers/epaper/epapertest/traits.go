package epapertest

import (
	"slices"
	"time"
)

// A Trait is a behaviour that data sheets leave open. Boards differ in it, and a driver must
// work with each Trait.
type Trait string

const (
	// Plain is the strictest reading of the data sheets.
	Plain Trait = "plain"

	// PowerBehindReset is a board whose reset line also switches the power of
	// the panel: a low level of more than 4 ms empties its capacitors, and the
	// memories with them (waveshareteam/e-Paper issue 309).
	PowerBehindReset Trait = "power-behind-reset"

	// KeepsSources is a controller in which the sources of register 21h
	// survive the reset line. Waveshare's software for the 2.13" V3 sends them
	// only once.
	KeepsSources Trait = "keeps-sources"

	// HearsInReset is a controller that accepts commands right after its reset line has
	// risen, while it is busy with the reset. Waveshare's software sends commands at that
	// time.
	HearsInReset Trait = "hears-in-reset"

	// OpenDrain is a board on which a BUSY that is low while busy is only ever pulled low. When
	// it is released, the host's pull-up must raise it (waveshareteam/e-Paper issue 392;
	// Pimoroni inky_e673.py).
	OpenDrain Trait = "open-drain"
)

// Traits returns all traits that change what a controller does, so all but OpenDrain.
func Traits() []Trait { return []Trait{Plain, PowerBehindReset, KeepsSources, HearsInReset} }

// emptyAfter is how long the power may be away before the memories are lost. The memories
// survive 2 ms without power, but not 5 ms.
const emptyAfter = 4 * time.Millisecond

// SetTrait sets the traits that the panel has where data sheets are silent. It takes one trait
// or several. Call SetTrait before the panel is used. A new panel has the trait Plain.
func (p *Panel) SetTrait(t ...Trait) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traits = t
}

func (p *Panel) hasTrait(t Trait) bool { return slices.Contains(p.traits, t) }

// StoredSize sets whether a UC8179 starts with the size of its glass. Otherwise it starts with
// the size of its memory. Waveshare's later software does not set the size, so the makers must
// have stored it. A driver should not rely on a stored size.
func (p *Panel) StoredSize(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.chip.(*uc8179); ok {
		c.storedSize = on
	}
}

// BorderDriven reports whether a UC8179 drives the border of the glass (CDI R50h BDZ). The
// border should not be driven while the panel sleeps.
func (p *Panel) BorderDriven() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.chip.(*uc8179)
	return ok && c.cdi&0x80 == 0
}
