package mfrc522test

import "time"

// An event is something that happens in the chip at a time. The field pending is true if the
// event is still to come.
type event struct {
	pending bool
	at      time.Time
}

func (c *Chip) settle(now time.Time) {
	for {
		next, ok := c.nextEvent()
		if !ok || next.After(now) {
			break
		}
		c.happen(next)
	}
	c.signal(now)
}

func (c *Chip) nextEvent() (at time.Time, ok bool) {
	for _, e := range [...]event{c.frameEnd, c.answerStart, c.answerEnd, c.timer,
		{c.asleep && !c.upAt.IsZero(), c.upAt}} {
		if e.pending && (!ok || e.at.Before(at)) {
			at, ok = e.at, true
		}
	}
	return at, ok
}

// happen handles one event that is due by the given time.
func (c *Chip) happen(at time.Time) {
	due := func(e *event) bool {
		if !e.pending || e.at.After(at) {
			return false
		}
		e.pending = false
		return true
	}
	switch {
	case c.asleep && !c.upAt.IsZero() && !c.upAt.After(at):
		c.asleep = false
		c.radio(at)
	case due(&c.frameEnd):
		c.reg[comIrq] |= txIRq
		if c.reg[tMode]&timerAuto != 0 {
			c.runTimer(at)
		}
		c.reach(at)
		if c.doing(transmit) {
			c.finish()
		}
	case due(&c.answerStart):
		if c.listening() && c.reg[tMode]&timerAuto != 0 && c.reg[rxMode]&rxMultiple == 0 {
			c.timer = event{}
		}
	case due(&c.answerEnd):
		c.deliver()
	case due(&c.timer):
		c.reg[comIrq] |= timerIRq
		if c.reg[tMode]&timerRestart != 0 {
			c.runTimer(at)
		}
	}
}

// runTimer starts the timer (8.5).
func (c *Chip) runTimer(now time.Time) {
	c.ticks = uint16(c.reg[tReloadHigh])<<8 | uint16(c.reg[tReloadLow])
	c.timer = event{true, now.Add(c.tick() * time.Duration(int(c.ticks)+1))}
}

// tick returns how long one step of the timer takes. The timer runs at 13.56 MHz divided by
// 2*TPrescaler+1. If prescalerEven is set, the divisor is 2*TPrescaler+2.
func (c *Chip) tick() time.Duration {
	divider := 2*(int(c.reg[tMode]&0x0F)<<8|int(c.reg[tPrescaler])) + 1
	if c.reg[demod]&prescalerEven != 0 {
		divider++
	}
	return time.Duration(divider) * time.Second / 13_560_000
}

func (c *Chip) counter(now time.Time) uint16 {
	if !c.timer.pending {
		return 0
	}
	return uint16(min(c.timer.at.Sub(now)/c.tick(), time.Duration(c.ticks)))
}
