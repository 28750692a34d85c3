package pn532test

import (
	"bytes"
	"time"
)

// Frames (UM0701-02, 6.2.1).
const (
	maxData  = 265
	maxFrame = maxData + 10
)

var (
	ackBytes   = []byte{0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00}
	errorBytes = []byte{0x00, 0x00, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0x00}
)

// put queues a frame, which becomes ready after the given time. If the queue is full, put
// drops the frame. If the frame is the last one of a command, the caller passes true for
// final.
func (c *Chip) put(frame []byte, after time.Duration, final bool) {
	if len(c.queue) == cap(c.queue) {
		return
	}
	at := time.Now().Add(after)
	c.queue = c.queue[:len(c.queue)+1]
	o := &c.queue[len(c.queue)-1]
	o.n = copy(o.b[:], frame)
	o.at, o.final = at, final
	c.wakeReaders()
}

// queueAnswer queues a frame with the bytes in c.answer. The first of these bytes is the code
// of the answer. The frame becomes ready after the given time. queueAnswer also stores the
// frame, because NACK may ask for the frame again.
func (c *Chip) queueAnswer(after time.Duration) {
	n := len(c.answer) + 1
	b := append(c.lastAnswer[:0], 0x00, 0x00, 0xFF)
	if n <= 255 {
		b = append(b, byte(n), -byte(n))
	} else {
		b = append(b, 0xFF, 0xFF, byte(n>>8), byte(n), -(byte(n>>8) + byte(n)))
	}
	b = append(b, 0xD5)
	b = append(b, c.answer...)
	sum := byte(0xD5)
	for _, v := range c.answer {
		sum += v
	}
	b = append(b, -sum, 0x00)
	c.lastAnswerLen = len(b)
	c.put(b, after, true)
}

// nextOutput returns the first frame in the queue. If the queue is empty or the host cannot
// read the frame yet, nextOutput returns nil.
func (c *Chip) nextOutput() *output {
	c.try()
	if len(c.queue) == 0 || time.Now().Before(c.queue[0].at) {
		return nil
	}
	return &c.queue[0]
}

func (c *Chip) removeFirst() {
	final := c.queue[0].final
	c.queue = append(c.queue[:0], c.queue[1:]...)
	if final && c.sleepPending {
		c.asleep, c.sleepPending, c.edges = true, false, 0
	}
}

func (c *Chip) flush() {
	c.pending = false
	keep := 0
	for keep < len(c.queue) && c.queue[keep].at.IsZero() {
		keep++
	}
	c.queue = c.queue[:keep]
}

// damage corrupts one byte of a frame if it is this frame's turn (see Corrupt), and returns
// the index of the byte and true. Otherwise it changes nothing and returns false.
func (c *Chip) damage(frame []byte) (at int, hit bool) {
	c.frames++
	if c.corruptEvery == 0 || c.frames%c.corruptEvery != 0 || len(frame) == 0 {
		return 0, false
	}
	at = int(c.roll() % uint32(len(frame)))
	frame[at] ^= byte(1 + c.roll()%255)
	return at, true
}

// roll returns the next pseudo-random number (xorshift32). The sequence is fixed, so that each
// run of a test has the same faults.
func (c *Chip) roll() uint32 {
	c.dice ^= c.dice << 13
	c.dice ^= c.dice >> 17
	c.dice ^= c.dice << 5
	return c.dice
}

// hear gets bytes from the host and handles the frames in them. If whole is true, no more
// bytes will follow, so hear drops a frame that is still incomplete. If whole is false, the
// rest of the frame may come with the next call.
func (c *Chip) hear(b []byte, whole bool) {
	if len(c.input)+len(b) > cap(c.input) {
		c.input = c.input[:0]
	}
	c.input = append(c.input, b...)
	for {
		n, ok := c.take()
		if !ok {
			break
		}
		c.input = append(c.input[:0], c.input[n:]...)
	}
	if whole {
		c.input = c.input[:0]
	}
}

// take handles the first frame in c.input, the bytes from the host. It returns the number of
// bytes used. If c.input holds no whole frame, ok is false.
func (c *Chip) take() (used int, ok bool) {
	at := bytes.Index(c.input, []byte{0x00, 0xFF})
	if at < 0 || len(c.input) < at+4 {
		return 0, false
	}
	n, lcs := int(c.input[at+2]), c.input[at+3]
	at += 4
	switch {
	case n == 0x00 && lcs == 0xFF: // ACK: the host gives the command up
		c.flush()
		return at, true
	case n == 0xFF && lcs == 0x00: // NACK: the host wants the answer again
		c.counts.Nacks++
		if c.listening() && c.obeys() && c.lastAnswerLen > 0 {
			c.flush()
			c.put(c.lastAnswer[:c.lastAnswerLen], ackDelay, true)
		}
		return at, true
	case n == 0xFF && lcs == 0xFF:
		if len(c.input) < at+3 {
			return 0, false
		}
		if c.input[at]+c.input[at+1]+c.input[at+2] != 0 {
			return at, true
		}
		n = int(c.input[at])<<8 | int(c.input[at+1])
		at += 3
	case byte(n)+lcs != 0:
		return at, true // damaged: ignored
	}
	if n < 2 || n > maxData {
		return at, true
	}
	if len(c.input) < at+n+1 {
		return 0, false
	}
	body := c.input[at : at+n+1]
	sum := byte(0)
	for _, v := range body {
		sum += v
	}
	if sum == 0 && body[0] == 0xD4 {
		c.command(body[1:n])
	}
	return at + n + 1, true
}

func (c *Chip) obeys() bool { return !c.mute }

// command handles a command; cmd begins with the command code.
func (c *Chip) command(cmd []byte) {
	if !c.listening() || c.mute {
		return
	}
	if c.muteAfter >= 0 {
		if c.muteAfter--; c.muteAfter < 0 {
			c.mute = true
			return
		}
	}
	willing := c.trait == Willing && cmd[0] == cmdGetFirmwareVersion
	if c.lowBatt && cmd[0] != cmdSAMConfiguration && !willing {
		return
	}
	c.flush()
	c.put(ackBytes, ackDelay, false)
	c.cmdN = copy(c.cmd[:], cmd)
	c.polls = 0
	c.run(ackDelay)
}

// run executes the command in c.cmd once. If the command then still waits for a tag, run is
// called for it again later. The answer or the next attempt comes after the given time plus
// the time that the command takes.
func (c *Chip) run(after time.Duration) {
	c.pending = false
	c.workTime = answerDelay
	c.answer = append(c.answer[:0], c.cmd[0]+1)
	switch c.work(c.cmd[0], c.cmd[1:c.cmdN]) {
	case done:
		c.queueAnswer(after + c.workTime)
	case refused:
		c.lastAnswerLen = copy(c.lastAnswer[:], errorBytes)
		c.put(errorBytes, after+c.workTime, true)
	case waiting:
		c.pending = true
		c.retry = time.Now().Add(after + c.workTime)
	}
}

func (c *Chip) try() {
	if c.pending && c.listening() && !c.mute && !time.Now().Before(c.retry) {
		c.run(0)
	}
}
