package mqtt

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
)

// maxPacket is the size in bytes of the largest packet that is read, after its header. One with a
// state has about ten thousand bytes.
const maxPacket = 1 << 20

// A tooLargeError reports a packet that was left unread.
type tooLargeError struct {
	topic string // of a message; "" if it could not be read
	size  int    // bytes that follow the header
}

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("a message of %d bytes on %q, more than %d", e.size, e.topic, maxPacket)
}

// A limitedConn leaves out messages that are too large, and does not read them into memory.
// Without it, paho would allocate as much memory as a header announces, and anybody who may
// publish could cut off a table for good with one retained message. Only messages with QoS 0
// can be left out, because nobody acknowledges such messages (MQTT 3.1.1, section 4.3.1). Any
// other packet that is too large ends the connection.
type limitedConn struct {
	net.Conn
	in         *bufio.Reader
	packetLeft int                  // bytes that are still to be read
	onSkip     func(*tooLargeError) // is called for each message left out
}

func limit(conn net.Conn, onSkip func(*tooLargeError)) *limitedConn {
	return &limitedConn{Conn: conn, in: bufio.NewReaderSize(conn, 4<<10), onSkip: onSkip}
}

func (c *limitedConn) Read(p []byte) (int, error) {
	for c.packetLeft == 0 {
		if err := c.nextPacket(); err != nil {
			return 0, err
		}
	}
	n, err := c.in.Read(p[:min(len(p), c.packetLeft)])
	c.packetLeft -= n
	return n, err
}

// nextPacket looks at the header of the following packet (MQTT 3.1.1, section 2.2). Normally it sets
// c.packetLeft to the length of the packet. If the packet is too large and may be left out,
// nextPacket discards the packet and calls c.onSkip instead.
func (c *limitedConn) nextPacket() error {
	var head []byte
	length := 0
	for more, digits := true, 0; more && digits < 4; digits++ {
		var err error
		if head, err = c.in.Peek(digits + 2); err != nil {
			return err
		}
		b := head[digits+1]
		length |= int(b&0x7f) << (7 * digits)
		more = b&0x80 != 0
	}
	if length <= maxPacket {
		c.packetLeft = len(head) + length
		return nil
	}
	large := &tooLargeError{size: length}
	const publish, qosBits = 3, 0x06
	if head[0]>>4 != publish || head[0]&qosBits != 0 {
		return large
	}
	if _, err := c.in.Discard(len(head)); err != nil {
		return err
	}
	if size, err := c.in.Peek(2); err == nil {
		n := 2 + int(binary.BigEndian.Uint16(size))
		if head, err := c.in.Peek(min(n, c.in.Size())); err == nil && len(head) == n {
			large.topic = string(head[2:])
		}
	}
	c.onSkip(large)
	_, err := c.in.Discard(length)
	return err
}
