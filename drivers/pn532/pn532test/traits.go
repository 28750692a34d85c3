package pn532test

import "time"

// A Trait is a behaviour that the manual leaves open and in which boards
// differ. A driver must work with each of them.
type Trait string

const (
	// Strict is the strictest reading of the manual.
	Strict Trait = "strict"

	// Fussy is a chip that wants its time: over SPI it wakes only when chip
	// select was low for 2 ms; a frame that is looked for within 1 ms of a
	// write is lost, and so is a write within 1 ms of a read.
	Fussy Trait = "fussy"

	// Stretches is a chip that holds the clock of I2C while it wakes, where a
	// strict one does not answer to its address. Over other links it is
	// strict.
	Stretches Trait = "stretches"

	// Pieces is a chip whose frames can be read over SPI in several
	// transactions: what was not read is still there. Over other links it is
	// strict.
	Pieces Trait = "pieces"
)

// Traits returns all traits.
func Traits() []Trait { return []Trait{Strict, Fussy, Stretches, Pieces} }

// What a fussy chip wants.
const (
	fussySelect = 2 * time.Millisecond
	fussyQuiet  = 1 * time.Millisecond
)

// SetTrait chooses how the chip behaves where the manual is silent. Call it
// before the chip is used; a new chip is Strict.
func (c *Chip) SetTrait(t Trait) { c.fault(func() { c.trait = t }) }

// written takes in that the host writes a frame, and reports whether the chip
// hears it.
func (c *Chip) written() bool {
	now := time.Now()
	c.wrote = now
	return c.trait != Fussy || now.Sub(c.read) >= fussyQuiet
}

// looked takes in that the host looks for a frame. A fussy chip that is looked
// at too early drops what it was going to say.
func (c *Chip) looked() {
	now := time.Now()
	if c.trait == Fussy && now.Sub(c.wrote) < fussyQuiet {
		c.flush()
	}
	c.read = now
}
