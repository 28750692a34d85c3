package mqtt

import (
	"bufio"
	"encoding/binary"
	"net"
)

// A skippingConn leaves out messages that are too large, and does not read them into memory.
// Without it, anybody who may publish could cut off a watcher for good with one retained
// message. Only messages with QoS 0 can be left out, because nobody acknowledges such messages
// (MQTT 3.1.1, section 4.3.1).
type skippingConn struct {
	net.Conn
	in         *bufio.Reader
	maxBody    int                          // bytes of a message after its header
	packetLeft int                          // bytes that are still to be read
	onSkip     func(topic string, size int) // is called for each message left out
}

func skip(conn net.Conn, maxBody int, onSkip func(topic string, size int)) *skippingConn {
	return &skippingConn{Conn: conn, in: bufio.NewReaderSize(conn, 4<<10), maxBody: maxBody, onSkip: onSkip}
}

func (c *skippingConn) Read(p []byte) (int, error) {
	for c.packetLeft == 0 {
		if err := c.nextPacket(); err != nil {
			return 0, err
		}
	}
	n, err := c.in.Read(p[:min(len(p), c.packetLeft)])
	c.packetLeft -= n
	return n, err
}

// nextPacket looks at the header of the following packet. Normally it sets c.packetLeft to the
// length of the packet. If the packet is too large and may be left out, nextPacket discards
// the packet and calls c.onSkip instead.
func (c *skippingConn) nextPacket() error {
	first, header, length, err := c.peekHeader()
	if err != nil {
		return err
	}
	const publish, qosBits = 3, 0x06
	if length <= c.maxBody || first>>4 != publish || first&qosBits != 0 {
		c.packetLeft = header + length
		return nil
	}
	if _, err := c.in.Discard(header); err != nil {
		return err
	}
	topic := ""
	if size, err := c.in.Peek(2); err == nil {
		n := 2 + int(binary.BigEndian.Uint16(size))
		if head, err := c.in.Peek(min(n, c.in.Size())); err == nil && len(head) == n {
			topic = string(head[2:])
		}
	}
	c.onSkip(topic, length)
	_, err = c.in.Discard(length)
	return err
}

// peekHeader reads a fixed header (MQTT 3.1.1, section 2.2) and leaves it in the buffer. The
// results are the first byte, the size of the header in bytes, and the number of bytes that
// follow the header.
func (c *skippingConn) peekHeader() (first byte, size, length int, err error) {
	for digits := 0; ; digits++ {
		head, err := c.in.Peek(digits + 2)
		if err != nil {
			return 0, 0, 0, err
		}
		b := head[digits+1]
		length |= int(b&0x7f) << (7 * digits)
		if b&0x80 == 0 || digits == 3 {
			return head[0], digits + 2, length, nil
		}
	}
}
