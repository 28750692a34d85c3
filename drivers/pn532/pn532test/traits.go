package pn532test

import "time"

// A Trait is a behaviour that the manual leaves open and that differs between
// boards. A driver must work with each of them.
type Trait string

const (
	// Strict is the strictest reading of the manual: the part of a frame that is
	// not read in one go is lost.
	Strict Trait = "strict"

	// Fussy is a chip that needs pauses. Over SPI it wakes only when chip select was low for 2
	// ms. It loses a frame that the host looks for within 1 ms of a write, and a write within 1
	// ms of a read. Over I2C it also loses a frame that the host looks for twice within 1 ms.
	Fussy Trait = "fussy"

	// Fussier is a chip that needs 4 ms instead of 1. No driver can know that
	// before the first loss, so it is not among TraitsOf.
	Fussier Trait = "fussier"

	// Sleepy is a chip that takes 15 ms to wake, whatever wakes it, and over
	// SPI wants chip select low for 10 ms.
	Sleepy Trait = "sleepy"

	// Stretches is a chip that holds the clock of I2C while it wakes, where a
	// strict one does not answer to its address.
	Stretches Trait = "stretches"

	// Repeats is a chip that stays ready until a frame was read to its end, and starts the
	// frame again with each read (adafruit/Adafruit-PN532 issue 17).
	Repeats Trait = "repeats"

	// Pieces is a chip whose frames can be read over SPI in several transactions. The
	// first byte of each further piece arrives while the host still sends the byte that
	// asks for it (libnfc, pn532_spi.c).
	Pieces Trait = "pieces"
)

// TraitsOf returns the traits that make a difference over a link: "SPI", "I2C"
// or "UART".
func TraitsOf(link string) []Trait {
	switch link {
	case "SPI":
		return []Trait{Strict, Fussy, Sleepy, Repeats, Pieces}
	case "I2C":
		return []Trait{Strict, Fussy, Sleepy, Repeats, Stretches}
	}
	return []Trait{Strict, Fussy, Sleepy}
}

// Pauses of fussy and sleepy chips.
const (
	fussySelect  = 2 * time.Millisecond
	fussyQuiet   = 1 * time.Millisecond
	fussierQuiet = 4 * time.Millisecond
	sleepySelect = 10 * time.Millisecond
	sleepyBoot   = 15 * time.Millisecond
)

// SetTrait chooses how the chip behaves where the manual is silent. Call it
// before the chip is used; a new chip is Strict.
func (c *Chip) SetTrait(t Trait) { c.fault(func() { c.trait = t }) }

// waking returns how long the chip takes to wake up.
func (c *Chip) waking() time.Duration {
	if c.trait == Sleepy {
		return sleepyBoot
	}
	return bootTime
}

// selected reports whether the chip wakes when chip select is low for d.
func (c *Chip) selected(d time.Duration) bool {
	switch c.trait {
	case Fussy, Fussier:
		return d >= fussySelect
	case Sleepy:
		return d >= sleepySelect
	}
	return true
}

// quiet returns the shortest pause that the chip needs, 0 for none.
func (c *Chip) quiet() time.Duration {
	switch c.trait {
	case Fussy:
		return fussyQuiet
	case Fussier:
		return fussierQuiet
	}
	return 0
}

// written records that the host writes a frame, and reports whether the chip
// receives it.
func (c *Chip) written() bool {
	now := time.Now()
	c.wrote = now
	return now.Sub(c.read) >= c.quiet()
}

// looked records that the host looks for a frame. A fussy chip drops its frames if that is too
// soon after a write or, if again is set, after the last look or read.
func (c *Chip) looked(again bool) {
	now := time.Now()
	if now.Sub(c.wrote) < c.quiet() || again && now.Sub(c.read) < c.quiet() {
		c.flush()
	}
	c.read = now
}
