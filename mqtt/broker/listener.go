package broker

import (
	"bufio"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"
)

const (
	maxConnections = 64

	// helloTimeout is how long a connection may take to send CONNECT.
	helloTimeout = 10 * time.Second

	// writeTimeout is how long the broker waits for a client to read what was written to it. A
	// turn, as the type turns gives it, lasts no longer.
	writeTimeout = 5 * time.Second

	// maxPacket and maxOther are the sizes in bytes of the largest packet with a message, and
	// without one. mochi makes forty bytes of memory of one in a list of topics.
	maxPacket = 1 << 20
	maxOther  = 128 << 10

	// firstPause and lastPause are the shortest and the longest pause after a failed attempt to
	// accept a connection. The pause doubles with each attempt.
	firstPause, lastPause = 5 * time.Millisecond, time.Second
)

// A listener accepts connections for mochi. It keeps at most maxConnections connections open,
// and immediately closes any further connection. It goes on after a failed attempt to accept a
// connection, where mochi's own would accept nothing more.
//
// A listener also ends the connection of a client whose packet makes mochi panic, and keeps the
// program alive. mochi 2.7.9 decodes and processes all packets of a client in the goroutine that
// serves its connection; its other goroutines only encode what was decoded, and read maps. A
// panic leaves no lock behind: all functions of mochi unlock with defer, except particles.add,
// which cannot panic; and the turn of the client is given back here.
type listener struct {
	net    net.Listener
	limits *limits
	closed chan struct{}
	work   sync.WaitGroup // of the connections

	mu    sync.Mutex
	conns map[*conn]bool // nil: no connection is accepted any more
}

func newListener(l net.Listener, limits *limits) *listener {
	return &listener{net: l, limits: limits, closed: make(chan struct{}), conns: map[*conn]bool{}}
}

func (*listener) Init(*slog.Logger) error { return nil }
func (*listener) ID() string              { return "tcp" }
func (*listener) Protocol() string        { return "tcp" }
func (l *listener) Address() string       { return l.net.Addr().String() }

// Serve accepts connections until Close is called.
func (l *listener) Serve(establish listeners.EstablishFn) {
	for pause := time.Duration(0); ; {
		opened, err := l.net.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // such as too many open files
			l.limits.warn("cannot accept connections, trying again", "%v", err)
			pause = min(max(firstPause, 2*pause), lastPause)
			select {
			case <-l.closed:
				return
			case <-time.After(pause):
			}
		default:
			pause = 0
			l.start(opened, establish)
		}
	}
}

// start serves a connection, if there is room for it.
func (l *listener) start(opened net.Conn, establish listeners.EstablishFn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conns == nil || len(l.conns) >= maxConnections {
		if l.conns != nil {
			l.limits.warn("too many connections, refusing one", "%s, most %d", opened.RemoteAddr(), maxConnections)
		}
		opened.Close()
		return
	}
	c := &conn{Conn: opened, in: bufio.NewReader(opened)}
	l.conns[c] = true
	l.work.Go(func() {
		defer l.end(c)
		if err := c.SetReadDeadline(time.Now().Add(helloTimeout)); err != nil {
			l.limits.warn("connection without a deadline", "%v", err)
		}
		_ = establish(l.ID(), c) // it says how the connection ended
	})
}

// end forgets a connection. If mochi panicked in it, end also forgets the client with its
// session.
func (l *listener) end(c *conn) {
	reason := recover()
	c.Close()
	l.mu.Lock()
	delete(l.conns, c)
	l.mu.Unlock()
	if reason == nil {
		return
	}
	turns := &l.limits.turns
	if holder := turns.holder.Load(); holder != nil && holder.Net.Conn == c {
		turns.give(holder)
	}
	for _, cl := range l.limits.server.Clients.GetAll() {
		if cl.Net.Conn == c {
			l.limits.forget(cl)
		}
	}
	l.limits.log.Warn("mqtt: broker: a packet made the broker panic, connection ended", "reason", fmt.Sprint(reason),
		"error", fmt.Sprintf("%s: %s", c.RemoteAddr(), debug.Stack())) // not in the reason, which repeats
}

// Close ends all connections, and waits for them. mochi says goodbye only to clients that have
// sent CONNECT before. It would wait for the others, and for ever for one that sends CONNECT now.
// Its own goodbye locks the list of clients twice, and waits for ever if one leaves in between.
func (l *listener) Close(listeners.CloseFn) {
	close(l.closed)
	l.net.Close()
	l.mu.Lock()
	left := l.conns
	l.conns = nil
	l.mu.Unlock()
	server := l.limits.server
	for _, cl := range server.Clients.GetAll() {
		if !cl.Closed() && cl.Net.Listener == l.ID() {
			_ = server.DisconnectClient(cl, packets.ErrServerShuttingDown) // it may be gone
		}
	}
	for c := range left {
		c.Close()
	}
	l.work.Wait()
}

// A conn refuses packets that are too large before mochi reads them. It never waits longer than
// writeTimeout to write. A client that does not read for that long is dropped, with the messages
// that wait for it.
type conn struct {
	net.Conn
	in         *bufio.Reader
	packetLeft int // bytes of the current packet that are still to be read
}

func (c *conn) Read(p []byte) (n int, err error) {
	if c.packetLeft == 0 {
		if c.packetLeft, err = c.nextPacket(); err != nil {
			return 0, err
		}
	}
	n, err = c.in.Read(p[:min(len(p), c.packetLeft)])
	c.packetLeft -= n
	return n, err
}

// nextPacket returns the size of the following packet, with its header (MQTT 3.1.1, section
// 2.2). mochi itself looks at the size of a packet with a message.
func (c *conn) nextPacket() (int, error) {
	const publish = 3
	for digits, length := 0, 0; ; digits++ {
		head, err := c.in.Peek(digits + 2)
		if err != nil {
			return 0, err
		}
		b := head[digits+1]
		length |= int(b&0x7f) << (7 * digits)
		if b&0x80 != 0 && digits < 3 {
			continue
		}
		if head[0]>>4 != publish && length > maxOther {
			return 0, packets.ErrPacketTooLarge
		}
		return digits + 2 + length, nil
	}
}

func (c *conn) Write(data []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(data)
	if err != nil {
		c.Close()
	}
	return n, err
}
