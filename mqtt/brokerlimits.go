package mqtt

import (
	"bytes"
	"errors"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// Limits of the embedded broker, which shares the memory of a small computer
// with the table. docs/mqtt.md lists them.
const (
	maxConnections = 64
	maxSessions    = 128 // including those of absent clients
	maxAliases     = 64  // topic aliases of an MQTT 5 client

	// Retained messages have two equal shares: one for topics below tableside/ and
	// homeassistant/, so that these always have room, and one for all others.
	maxRetained      = 4096    // messages in a share
	maxRetainedBytes = 8 << 20 // bytes in a share
	retainedCost     = 256     // bytes that a message takes besides topic and payload

	// maxWaiting limits the bytes of messages with QoS 1 and 2 that wait to be acknowledged,
	// for all clients together, including absent ones. If a client subscribes to everything,
	// both shares of retained messages wait for it. The waiting bytes are counted after every
	// countEvery bytes sent.
	maxWaiting = 32 << 20
	countEvery = 4 << 20

	// helloTimeout is how long a connection may take to send CONNECT.
	helloTimeout = 10 * time.Second

	// writeTimeout is how long the broker waits for a client to read what was written to it. A
	// turn, as the type turns gives it, lasts no longer.
	writeTimeout = 5 * time.Second

	// firstPause and lastPause are the shortest and the longest pause after a failed attempt to
	// accept a connection. The pause doubles with each attempt.
	firstPause, lastPause = 5 * time.Millisecond, time.Second

	// noticeEvery is the least time between two log lines about the same limit.
	noticeEvery = time.Minute
)

// limits enforces the limits of the embedded broker.
type limits struct {
	broker.HookBase
	server *broker.Server
	log    *slog.Logger

	mu        sync.Mutex
	size      map[string]int // bytes that each retained message takes, by topic
	shares    [2]share
	conns     map[*boundedConn]bool
	ended     bool // no connection is accepted any more
	sentBytes int  // with QoS 1 and 2, since the waiting bytes were last counted
	reported  map[string]time.Time
}

// A share counts the retained messages on one of two groups of topics: those below
// tableside/ and homeassistant/, and all others.
type share struct{ messages, bytes int }

func newLimits(server *broker.Server, log *slog.Logger) *limits {
	return &limits{server: server, log: log, size: map[string]int{}, conns: map[*boundedConn]bool{},
		reported: map[string]time.Time{}}
}

func (*limits) ID() string { return "limits" }

func (*limits) Provides(b byte) bool {
	return bytes.Contains([]byte{broker.OnSessionEstablish, broker.OnDisconnect, broker.OnPublish, broker.OnQosPublish,
		broker.OnWill, broker.OnRetainedExpired}, []byte{b})
}

// warn logs that a limit was reached or that something failed. It logs the same text at most
// once in the time noticeEvery.
func (l *limits) warn(what string, args ...any) {
	l.mu.Lock()
	again := time.Since(l.reported[what]) < noticeEvery
	if !again {
		l.reported[what] = time.Now()
	}
	l.mu.Unlock()
	if !again {
		l.log.Warn("mqtt: broker: "+what, args...)
	}
}

// OnSessionEstablish makes room if there would be more than maxSessions sessions. It drops the
// session of an absent client. There always is an absent client, because the broker allows
// fewer connections than sessions.
func (l *limits) OnSessionEstablish(cl *broker.Client, _ packets.Packet) {
	if _, known := l.server.Clients.Get(cl.ID); known || l.server.Clients.Len() < maxSessions {
		return
	}
	for id, away := range l.server.Clients.GetAll() {
		if away.Closed() {
			l.server.UnsubscribeClient(away)
			away.ClearInflights()
			l.server.Clients.Delete(id)
			l.warn("too many sessions, forgetting one of a client that is away", "client", id, "most", maxSessions)
			return
		}
	}
}

func (l *limits) OnDisconnect(cl *broker.Client, err error, _ bool) {
	if errors.Is(err, packets.ErrPacketTooLarge) {
		l.warn("message too large, connection ended", "client", cl.ID, "remote", cl.Net.Remote, "most", maxPacket)
	}
}

// OnPublish lets the broker retain a message only within the limits. A message beyond the
// limits still reaches the current subscribers, but is not retained. The broker then also
// drops the message that it has retained on this topic so far.
func (l *limits) OnPublish(cl *broker.Client, pk packets.Packet) (packets.Packet, error) {
	if pk.FixedHeader.Retain && !l.keep(pk.TopicName, len(pk.Payload), pk.FixedHeader.Remaining) {
		pk.FixedHeader.Retain = false
		l.logFull(cl, pk.TopicName)
	}
	return pk, nil
}

// OnQosPublish limits the bytes that wait to be acknowledged. Beyond the limit, it drops the
// client for which the most bytes wait, with all messages for this client.
func (l *limits) OnQosPublish(_ *broker.Client, pk packets.Packet, _ int64, _ int) {
	l.mu.Lock()
	l.sentBytes += waitingCost(pk)
	count := l.sentBytes >= countEvery
	if count {
		l.sentBytes = 0
	}
	l.mu.Unlock()
	if !count {
		return
	}
	total, most, slowest := 0, 0, (*broker.Client)(nil)
	for _, cl := range l.server.Clients.GetAll() {
		waiting := 0
		for _, pk := range cl.State.Inflight.GetAll(false) {
			waiting += waitingCost(pk)
		}
		if total += waiting; waiting > most {
			most, slowest = waiting, cl
		}
	}
	if total > maxWaiting {
		l.warn("too much waits to be acknowledged, ending the session for which most waits", "client", slowest.ID, "bytes",
			most, "most", maxWaiting)
		slowest.Stop(packets.ErrQuotaExceeded)
		slowest.ClearInflights()
	}
}

// waitingCost returns how many bytes a message takes while it waits.
func waitingCost(pk packets.Packet) int { return retainedCost + len(pk.TopicName) + len(pk.Payload) }

func (l *limits) OnWill(cl *broker.Client, will broker.Will) (broker.Will, error) {
	if will.Retain && !l.keep(will.TopicName, len(will.Payload), len(will.Payload)) {
		will.Retain = false
		l.logFull(cl, will.TopicName)
	}
	return will, nil
}

func (l *limits) logFull(cl *broker.Client, topic string) {
	l.server.Topics.RetainMessage(packets.Packet{TopicName: topic})
	l.warn("too many retained messages, not keeping one", "client", cl.ID, "topic", topic,
		"most", maxRetained, "most_bytes", maxRetainedBytes)
}

func (l *limits) OnRetainedExpired(topic string) { l.keep(topic, 0, 0) }

// keep reports whether a new message on a topic may be retained. The limits have one share for
// each of two groups of topics. The message may be retained if the share of its topic has
// room. If so, keep counts the message. The earlier message on the topic is no longer counted.
// The caller passes the sizes of the payload and of the packet, in bytes. A payload of 0 bytes
// clears the topic, and is always accepted.
func (l *limits) keep(topic string, payload, packet int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &l.shares[0]
	if strings.HasPrefix(topic, "tableside/") || strings.HasPrefix(topic, "homeassistant/") {
		s = &l.shares[1]
	}
	if old, kept := l.size[topic]; kept {
		delete(l.size, topic)
		s.messages--
		s.bytes -= old
	}
	if payload == 0 {
		return true
	}
	cost := retainedCost + len(topic) + max(payload, packet)
	if s.messages >= maxRetained || s.bytes+cost > maxRetainedBytes {
		return false
	}
	l.size[topic] = cost
	s.messages++
	s.bytes += cost
	return true
}

// A boundedListener keeps at most maxConnections connections open, and immediately closes any
// further connection. Accept returns an error only after the listener was closed, because
// mochi 2.7.9 accepts nothing more after an error.
type boundedListener struct {
	net.Listener
	*limits
	closed chan struct{}
	stop   func() // closes closed
}

func bound(l net.Listener, limits *limits) boundedListener {
	closed := make(chan struct{})
	return boundedListener{l, limits, closed, sync.OnceFunc(func() { close(closed) })}
}

func (b boundedListener) Close() error {
	b.stop()
	return b.Listener.Close()
}

func (b boundedListener) Accept() (net.Conn, error) {
	pause := time.Duration(0)
	for {
		conn, err := b.Listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil, err
		}
		if err != nil { // such as too many open files
			b.warn("cannot accept connections, trying again", "error", err)
			pause = min(max(firstPause, 2*pause), lastPause)
			select {
			case <-b.closed:
				return nil, net.ErrClosed
			case <-time.After(pause):
			}
			continue
		}
		pause = 0
		bounded := &boundedConn{Conn: conn, limits: b.limits}
		b.mu.Lock()
		full, ended := len(b.conns) >= maxConnections, b.ended
		if !full && !ended {
			b.conns[bounded] = true
		}
		b.mu.Unlock()
		if full || ended {
			if full {
				b.warn("too many connections, refusing one", "remote", conn.RemoteAddr(), "most", maxConnections)
			}
			conn.Close()
			continue
		}
		if err := conn.SetReadDeadline(time.Now().Add(helloTimeout)); err != nil {
			b.warn("connection without a deadline", "error", err)
		}
		return bounded, nil
	}
}

// endConnections ends all connections, and makes the listener refuse new ones. When mochi
// 2.7.9 closes, it ends by itself only the connections of clients that have sent CONNECT
// before. It waits for the other clients. If one of these sends CONNECT during the close,
// mochi waits for ever.
func (l *limits) endConnections() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	for _, cl := range l.server.Clients.GetAll() {
		if !cl.Closed() {
			_ = l.server.DisconnectClient(cl, packets.ErrServerShuttingDown)
		}
	}
	l.mu.Lock()
	left := slices.Collect(maps.Keys(l.conns))
	l.mu.Unlock()
	for _, conn := range left {
		conn.Close()
	}
}

// A boundedConn never waits longer than writeTimeout to write. A client that
// does not read for that long is dropped, with the messages that wait for it.
type boundedConn struct {
	net.Conn
	limits *limits
}

func (c *boundedConn) Write(data []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(data)
	if err != nil {
		c.Close()
	}
	return n, err
}

func (c *boundedConn) Close() error {
	c.limits.mu.Lock()
	delete(c.limits.conns, c)
	c.limits.mu.Unlock()
	return c.Conn.Close()
}
