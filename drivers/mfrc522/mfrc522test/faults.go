package mfrc522test

import "time"

// Kill breaks the chip: it drives its data line high until Revive replaces it.
func (c *Chip) Kill() { c.fail(dead) }

// Revive puts another chip, freshly powered, in the place of a killed or mute
// one.
func (c *Chip) Revive() { c.recover() }

// Unplug takes the board away: the host's data line is pulled low.
func (c *Chip) Unplug() { c.fail(unplugged) }

// Plug puts the board back. The chip starts in its power-on state.
func (c *Chip) Plug() { c.recover() }

// MuteAfter makes the chip hang after n more transactions. A chip that hangs ignores the bus,
// does not answer, and its RF field is off. It hangs until its reset line is pulled or Revive
// is called.
func (c *Chip) MuteAfter(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.muteAfter = n; n == 0 {
		c.hang()
	}
}

// Corrupt garbles about one in n answers on their way to the host. It garbles a bit, a byte or
// all bytes of the answer, or makes all bits alike. If n is 1, all answers are garbled. If n
// is 0, no answer is garbled.
func (c *Chip) Corrupt(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.corruptOdds = n
}

// Late emulates a slow clone, either of the chip or of a tag. Answers come later than ISO/IEC
// 14443-3 says, by the given delay. If delayPolls is false, only the answers to REQA and WUPA
// come in time.
func (c *Chip) Late(delay time.Duration, delayPolls bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answerDelay, c.lateAll = delay, delayPolls
}

// BrownOut interrupts the supply for a moment: all registers return to their
// reset values, and the field is off.
func (c *Chip) BrownOut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.health == well {
		c.powerUp(time.Now())
	}
}

// Overheat makes the chip too hot, or lets it cool down. A hot chip switches
// its antenna off and sets TempErr (9.3.1.7).
func (c *Chip) Overheat(hot bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.settle(now)
	c.hot = hot
	c.reg[errorReg] &^= tempErr
	if hot {
		c.raise(tempErr)
	}
	c.radio(now)
	c.signal(now)
}

func (c *Chip) fail(h health) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.settle(now)
	c.health = h
	c.radio(now)
	c.signal(now)
}

func (c *Chip) recover() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.health, c.muteAfter = well, -1
	c.powerUp(time.Now())
}

func (c *Chip) hang() {
	now := time.Now()
	c.health, c.muteAfter = mute, -1
	c.radio(now)
	c.signal(now)
}

// hold sets the level of the reset line. While the line is low, the chip is off (8.6.1). When
// the line rises, the chip starts.
func (c *Chip) hold(low bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if low == c.inReset {
		return
	}
	c.inReset = low
	now := time.Now()
	if low {
		if c.health == mute {
			c.health, c.muteAfter = well, -1
		}
		c.setReset(now)
		return
	}
	c.powerUp(now)
}

// garble spoils answers at random. It spoils about one in c.corruptOdds of the answers
// that it gets. If c.corruptOdds is 0, garble spoils no answer.
func (c *Chip) garble(answer []byte) {
	if c.corruptOdds == 0 || len(answer) == 0 || c.dice.IntN(c.corruptOdds) != 0 {
		return
	}
	switch at := c.dice.IntN(len(answer)); c.dice.IntN(5) {
	case 0, 1:
		answer[at] ^= 1 << c.dice.IntN(8)
	case 2:
		answer[at] ^= byte(1 + c.dice.IntN(255))
	case 3:
		for i := range answer {
			answer[i] = byte(c.dice.IntN(256))
		}
	case 4:
		all := byte(0xFF * c.dice.IntN(2))
		for i := range answer {
			answer[i] = all
		}
	}
}
