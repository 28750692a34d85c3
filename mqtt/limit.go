package mqtt

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
	"sync/atomic"
	"time"
)

// maxPacket is the size in bytes of the largest packet that the table and the embedded broker
// accept. A packet with a state has about ten thousand bytes.
const maxPacket = 1 << 20

// A tooLargeError reports a packet that was refused before it was read.
type tooLargeError struct {
	topic    string // of a message; "" if it could not be read
	size     int    // bytes that were to follow the header
	retained bool   // the broker keeps it and sends it again to every new session
}

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("a message of %d bytes on %q, more than %d", e.size, e.topic, maxPacket)
}

// A limitedConn parses the packets that are read from a connection. It fails at the header of
// a packet that is too large. Without this limit, paho would allocate as much memory as the
// header announces. Reads are buffered, because paho reads headers one byte at a time.
type limitedConn struct {
	net.Conn
	in       *bufio.Reader
	bodyLeft int // bytes of the current packet that are still to be read
	refusal  atomic.Pointer[tooLargeError]

	// Of the header being read:
	firstByte byte
	digits    int // bytes of the length so far; -1 before the first byte
	length    int
}

func limit(conn net.Conn) *limitedConn {
	return &limitedConn{Conn: conn, in: bufio.NewReaderSize(conn, 4<<10), digits: -1}
}

// Read reads from the connection. One call never returns bytes of two packets, and never a
// part of a header together with a part of its body. After Read has refused a packet, it
// always returns the *tooLargeError.
func (c *limitedConn) Read(p []byte) (int, error) {
	if err := c.refusal.Load(); err != nil {
		return 0, err
	}
	if len(p) == 0 {
		return 0, nil
	}
	if c.bodyLeft > 0 {
		n, err := c.in.Read(p[:min(len(p), c.bodyLeft)])
		c.bodyLeft -= n
		return n, err
	}
	b, err := c.in.ReadByte()
	if err != nil {
		return 0, err
	}
	if err := c.addHeaderByte(b); err != nil {
		c.refusal.Store(err)
		return 0, err
	}
	p[0] = b
	return 1, nil
}

// addHeaderByte processes one byte of a fixed header (MQTT 3.1.1, section 2.2). As soon as the
// packet is known to be too large, addHeaderByte returns an error.
func (c *limitedConn) addHeaderByte(b byte) *tooLargeError {
	if c.digits < 0 {
		c.firstByte, c.digits, c.length = b, 0, 0
		return nil
	}
	c.length |= int(b&0x7f) << (7 * c.digits)
	c.digits++
	if c.length > maxPacket {
		if b&0x80 != 0 {
			c.finishLength()
		}
		topic, retained := c.peek()
		return &tooLargeError{topic: topic, size: c.length, retained: retained}
	}
	if b&0x80 == 0 || c.digits == 4 {
		c.bodyLeft, c.digits = c.length, -1
	}
	return nil
}

// finishLength reads the remaining bytes of a packet's length, if the first bytes have already
// shown that the packet is too large.
func (c *limitedConn) finishLength() {
	for c.digits < 4 {
		b, err := c.in.ReadByte()
		if err != nil {
			return
		}
		c.length |= int(b&0x7f) << (7 * c.digits)
		c.digits++
		if b&0x80 == 0 {
			return
		}
	}
}

// peekTimeout is how long the topic of a refused packet may take to arrive.
const peekTimeout = time.Second

// peek returns the topic of a refused message, and whether the message was retained (MQTT
// 3.1.1, section 3.3). If the topic cannot be read, it is "".
func (c *limitedConn) peek() (topic string, retained bool) {
	const publish = 3
	if c.firstByte>>4 != publish {
		return "", false
	}
	if err := c.SetReadDeadline(time.Now().Add(peekTimeout)); err != nil {
		return "", false
	}
	retained = c.firstByte&1 != 0
	size, err := c.in.Peek(2)
	if err != nil {
		return "", retained
	}
	n := 2 + int(binary.BigEndian.Uint16(size))
	head, err := c.in.Peek(min(n, c.in.Size()))
	if err != nil || len(head) < n {
		return "", retained
	}
	return string(head[2:]), retained
}
