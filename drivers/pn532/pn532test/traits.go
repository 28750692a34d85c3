package pn532test

import "time"

// A Trait is a behaviour that differs between boards because the manual leaves it open. A
// driver must work with each Trait.
type Trait string

const (
	// Strict is the strictest reading of the manual: the host must read a frame in one go, or
	// the rest of it is lost.
	Strict Trait = "strict"

	// Fussy is a chip that needs pauses. Over SPI it wakes only if chip select is low for 2
	// ms. It loses its frame if the host asks for it within 1 ms of a write; over I2C also if
	// the host asks twice within 1 ms. It loses what the host writes within 1 ms of a read.
	Fussy Trait = "fussy"

	// Fussier is like Fussy, but needs 4 ms where Fussy needs 1. No driver can know that
	// before the first loss, so TraitsOf leaves it out.
	Fussier Trait = "fussier"

	// Sleepy is a chip that takes 15 ms to wake, by any link. Over SPI it wakes only if chip
	// select is low for 10 ms.
	Sleepy Trait = "sleepy"

	// Stretches is a chip that holds the I2C clock low while it wakes. A strict chip does not
	// acknowledge its address in that time.
	Stretches Trait = "stretches"

	// Repeats is a chip that stays ready until the host has read a frame to its end. Each read
	// gets the frame from its start (adafruit/Adafruit-PN532 issue 17).
	Repeats Trait = "repeats"

	// Pieces is a chip whose frames the host can read over SPI in several transactions. In
	// every transaction after the first, the chip already sends a byte of the frame while the
	// host sends the byte that asks for it (libnfc, pn532_spi.c).
	Pieces Trait = "pieces"

	// Willing is a chip that also answers GetFirmwareVersion in low battery mode. nfcpy and
	// elechouse/PN532 send this command first, and work with real boards. For a driver that
	// sends SAMConfiguration first it makes no difference, so TraitsOf leaves it out.
	Willing Trait = "willing"
)

// TraitsOf returns the traits to test over a link. The link is "SPI", "I2C" or "UART". The
// result holds all traits that make a difference over the link, except Fussier and Willing.
func TraitsOf(link string) []Trait {
	switch link {
	case "SPI":
		return []Trait{Strict, Fussy, Sleepy, Repeats, Pieces}
	case "I2C":
		return []Trait{Strict, Fussy, Sleepy, Repeats, Stretches}
	}
	return []Trait{Strict, Fussy, Sleepy}
}

// These are the times that chips with the traits Fussy, Fussier and Sleepy need.
const (
	fussySelect  = 2 * time.Millisecond
	fussyQuiet   = 1 * time.Millisecond
	fussierQuiet = 4 * time.Millisecond
	sleepySelect = 10 * time.Millisecond
	sleepyBoot   = 15 * time.Millisecond
)

// SetTrait chooses how the chip behaves where the manual is silent. A new chip is Strict. Call
// SetTrait before the chip is used.
func (c *Chip) SetTrait(t Trait) { c.fault(func() { c.trait = t }) }

func (c *Chip) waking() time.Duration {
	if c.trait == Sleepy {
		return sleepyBoot
	}
	return bootTime
}

func (c *Chip) selected(d time.Duration) bool {
	switch c.trait {
	case Fussy, Fussier:
		return d >= fussySelect
	case Sleepy:
		return d >= sleepySelect
	}
	return true
}

func (c *Chip) quiet() time.Duration {
	switch c.trait {
	case Fussy:
		return fussyQuiet
	case Fussier:
		return fussierQuiet
	}
	return 0
}

func (c *Chip) written() bool {
	now := time.Now()
	c.wroteAt = now
	return now.Sub(c.readAt) >= c.quiet()
}

// recordLook records that the host looks for a frame. If the look comes too soon after a
// write, a fussy chip drops its frames. If again is true, a fussy chip also drops its frames
// when the look comes too soon after the last look or read.
func (c *Chip) recordLook(again bool) {
	now := time.Now()
	if now.Sub(c.wroteAt) < c.quiet() || again && now.Sub(c.readAt) < c.quiet() {
		c.flush()
	}
	c.readAt = now
}
