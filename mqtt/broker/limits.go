package broker

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"

	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// Limits of the embedded broker, which shares the memory of a small computer
// with the table. docs/mqtt.md lists them.
const (
	maxSessions = 128 // including those of absent clients
	maxAliases  = 64  // topic aliases of an MQTT 5 client

	// Of a session while its client is away. mochi copies and sorts everything that waits every
	// second, so a long queue costs everybody time.
	maxQueue   = 1000    // messages with QoS 1 and 2; beyond it the oldest are dropped
	awayExpiry = 15 * 60 // seconds until the session is forgotten

	// mochi keeps half a kilobyte for each level of each topic, and looks for a topic in a time
	// that grows with the square of its levels.
	maxLevels        = 16   // of a topic
	maxSubscriptions = 8192 // of all clients together

	// Retained messages have two equal shares: one for topics below tableside/ and
	// homeassistant/, so that these always have room, and one for all others.
	maxRetained      = 4096    // messages in a share
	maxRetainedBytes = 8 << 20 // bytes in a share
	retainedCost     = 256     // bytes that a message takes besides topic, payload and properties
	propertyCost     = 8       // bytes of memory for a byte of properties

	// maxWaiting limits the bytes of messages with QoS 1 and 2 that wait to be acknowledged,
	// for all clients together, including absent ones. If a client subscribes to everything,
	// both shares of retained messages wait for it. The waiting bytes are counted after every
	// countEvery bytes sent.
	maxWaiting = 32 << 20
	countEvery = 4 << 20
)

// limits is what mochi asks about clients and their packets. It enforces the limits of the embedded
// broker.
type limits struct {
	mochi.HookBase
	server         *mochi.Server
	log            *slog.Logger
	user, password string // "" admits every client
	turns          turns

	mu        sync.Mutex
	size      map[string]int // bytes that each retained message takes, by topic
	shares    [2]share
	sentBytes int // with QoS 1 and 2, since the waiting bytes were last counted
}

// A share counts the retained messages on one of two groups of topics: those below
// tableside/ and homeassistant/, and all others.
type share struct{ messages, bytes int }

func newLimits(server *mochi.Server, log *slog.Logger) *limits {
	return &limits{server: server, log: log, size: map[string]int{}}
}

func (*limits) ID() string { return "limits" }

func (*limits) Provides(b byte) bool {
	return bytes.Contains([]byte{mochi.OnConnectAuthenticate, mochi.OnACLCheck, mochi.OnSessionEstablish,
		mochi.OnSessionEstablished, mochi.OnPacketRead, mochi.OnPacketProcessed, mochi.OnDisconnect, mochi.OnClientExpired,
		mochi.OnPacketEncode, mochi.OnSubscribe, mochi.OnPublish, mochi.OnQosPublish, mochi.OnWill, mochi.OnWillSent,
		mochi.OnRetainedExpired}, []byte{b})
}

// warn logs that a limit was reached or that something failed. The log drops what repeats.
func (l *limits) warn(what, format string, args ...any) {
	l.log.Warn("mqtt: broker: "+what, "reason", fmt.Sprintf(format, args...))
}

// OnConnectAuthenticate admits the clients that give the right user and password.
func (l *limits) OnConnectAuthenticate(_ *mochi.Client, pk packets.Packet) bool {
	user := subtle.ConstantTimeCompare(pk.Connect.Username, []byte(l.user))
	password := subtle.ConstantTimeCompare(pk.Connect.Password, []byte(l.password))
	return l.user == "" || user&password == 1
}

// OnACLCheck lets the clients that are admitted use every topic.
func (*limits) OnACLCheck(*mochi.Client, string, bool) bool { return true }

// OnSessionEstablish makes room if there would be more than maxSessions sessions. It drops the
// session of an absent client. There always is an absent client, because the broker allows
// fewer connections than sessions.
func (l *limits) OnSessionEstablish(cl *mochi.Client, _ packets.Packet) {
	if _, known := l.server.Clients.Get(cl.ID); known || l.server.Clients.Len() < maxSessions {
		return
	}
	for id, away := range l.server.Clients.GetAll() {
		if away.Closed() {
			l.forget(away)
			l.warn("too many sessions, forgetting one of a client that is away", "client %q, most %d", id, maxSessions)
			return
		}
	}
}

// OnSessionEstablished turns off mochi's own flow control for a client of MQTT 5 that names a
// Receive Maximum. It takes one lock twice (NextImmediate), so it would hang with the publisher for
// ever as soon as a message comes in between. OnSubscribe grants such a client QoS 0, which has no
// flow to control.
func (l *limits) OnSessionEstablished(cl *mochi.Client, _ packets.Packet) {
	cl.State.Inflight.ResetSendQuota(0)
}

func (l *limits) forget(cl *mochi.Client) {
	l.server.UnsubscribeClient(cl)
	cl.ClearInflights()
	l.server.Clients.Delete(cl.ID)
}

// OnPacketRead limits what mochi limits in CONNECT only.
func (l *limits) OnPacketRead(_ *mochi.Client, pk packets.Packet) (packets.Packet, error) {
	if pk.FixedHeader.Type == packets.Disconnect {
		pk.Properties.SessionExpiryInterval = min(pk.Properties.SessionExpiryInterval, awayExpiry)
	}
	return pk, nil
}

// OnPacketEncode keeps mochi from sending a DISCONNECT to a client of MQTT 3.1.1, for whom only
// clients send one (section 3.14): mosquitto_sub ends on it, instead of connecting again.
func (*limits) OnPacketEncode(cl *mochi.Client, pk packets.Packet) packets.Packet {
	if pk.FixedHeader.Type == packets.Disconnect && cl.Properties.ProtocolVersion < 5 {
		pk.FixedHeader.Type = packets.Reserved // a packet that mochi does not write
	}
	return pk
}

func (l *limits) OnPacketProcessed(cl *mochi.Client, _ packets.Packet, _ error) { l.turns.give(cl) }

// OnClientExpired drops what mochi would leave of a session: its subscriptions.
func (l *limits) OnClientExpired(cl *mochi.Client) { l.forget(cl) }

func (l *limits) OnDisconnect(cl *mochi.Client, err error, _ bool) {
	if newest, err := cl.NextPacketID(); err == nil {
		trim(cl, uint16(newest))
	}
	if errors.Is(err, packets.ErrPacketTooLarge) {
		l.warn("message too large, connection ended", "client %q, %s, most %d, without a message %d", cl.ID,
			cl.Net.Remote, maxPacket, maxOther)
	}
}

// OnSubscribe makes mochi refuse filters that are too deep or too many: it refuses an empty one.
func (l *limits) OnSubscribe(cl *mochi.Client, pk packets.Packet) packets.Packet {
	l.turns.take(cl)
	room := maxSubscriptions
	for _, other := range l.server.Clients.GetAll() {
		room -= other.State.Subscriptions.Len()
	}
	for i, f := range pk.Filters {
		if cl.Properties.Props.ReceiveMaximum > 0 {
			pk.Filters[i].Qos = 0
		}
		if room <= i || l.tooDeep(cl, f.Filter) {
			pk.Filters[i].Filter = ""
		}
	}
	if len(pk.Filters) > room {
		l.warn("too many subscriptions, refusing one", "client %q, most %d", cl.ID, maxSubscriptions)
	}
	return pk
}

func (l *limits) tooDeep(cl *mochi.Client, topic string) bool {
	deep := strings.Count(topic, "/") >= maxLevels
	if deep {
		l.warn("a topic with too many levels, ignoring it", "client %q, most %d", cl.ID, maxLevels)
	}
	return deep
}

// OnPublish lets the broker retain a message only within the limits. A message beyond the
// limits still reaches the current subscribers, but is not retained. The broker then also
// drops the message that it has retained on this topic so far.
func (l *limits) OnPublish(cl *mochi.Client, pk packets.Packet) (packets.Packet, error) {
	if pk.FixedHeader.Retain {
		l.turns.take(cl)
	}
	if l.tooDeep(cl, pk.TopicName) {
		return pk, packets.CodeSuccessIgnore
	}
	if pk.FixedHeader.Retain && !l.keep(pk.TopicName, len(pk.Payload), messageCost(pk)) {
		pk.FixedHeader.Retain = false
		l.logFull(cl, pk.TopicName)
	}
	return pk, nil
}

// OnQosPublish limits the messages that wait for a client that is away, and the bytes that wait
// to be acknowledged by all. Beyond the second limit, it drops the client for which the most bytes
// wait, with all messages for this client.
func (l *limits) OnQosPublish(cl *mochi.Client, pk packets.Packet, _ int64, _ int) {
	if cl.Closed() {
		trim(cl, pk.PacketID)
	}
	l.mu.Lock()
	l.sentBytes += messageCost(pk)
	count := l.sentBytes >= countEvery
	if count {
		l.sentBytes = 0
	}
	l.mu.Unlock()
	if !count {
		return
	}
	total, most, slowest := 0, 0, (*mochi.Client)(nil)
	for _, cl := range l.server.Clients.GetAll() {
		waiting := 0
		for _, pk := range cl.State.Inflight.GetAll(false) {
			waiting += messageCost(pk)
		}
		if total += waiting; waiting > most {
			most, slowest = waiting, cl
		}
	}
	if total > maxWaiting {
		l.warn("too much waits to be acknowledged, ending the session for which most waits",
			"client %q, %d bytes, most %d", slowest.ID, most, maxWaiting)
		slowest.Stop(packets.ErrQuotaExceeded)
		slowest.ClearInflights()
	}
}

// trim drops the oldest messages that wait for a client beyond maxQueue. mochi numbers the
// messages of a session in turn, from 1 to 65535.
func trim(cl *mochi.Client, newest uint16) {
	for id := newest - maxQueue; cl.State.Inflight.Len() > maxQueue; id-- {
		cl.State.Inflight.Delete(id)
	}
}

// messageCost returns how many bytes a message takes while it is kept.
func messageCost(pk packets.Packet) int {
	known := len(pk.TopicName) + len(pk.Payload)
	return retainedCost + known + propertyCost*max(0, pk.FixedHeader.Remaining-known)
}

func (l *limits) OnWill(cl *mochi.Client, will mochi.Will) (mochi.Will, error) {
	cl.Properties.Will.WillDelayInterval = 0 // a delayed will would come out of turn
	l.turns.take(cl)
	if l.tooDeep(cl, will.TopicName) {
		will.TopicName, will.Retain = "", false // reaches nobody
	}
	if will.Retain && !l.keep(will.TopicName, len(will.Payload), retainedCost+len(will.TopicName)+len(will.Payload)) {
		will.Retain = false
		l.logFull(cl, will.TopicName)
	}
	return will, nil
}

func (l *limits) OnWillSent(cl *mochi.Client, _ packets.Packet) { l.turns.give(cl) }

func (l *limits) logFull(cl *mochi.Client, topic string) {
	l.server.Topics.RetainMessage(packets.Packet{TopicName: topic})
	l.warn("too many retained messages, not keeping one", "client %q, topic %.100q, most %d, of %d bytes", cl.ID, topic,
		maxRetained, maxRetainedBytes)
}

func (l *limits) OnRetainedExpired(topic string) { l.keep(topic, 0, 0) }

// keep reports whether a new message on a topic may be retained. The limits have one share for
// each of two groups of topics. The message may be retained if the share of its topic has
// room. If so, keep counts the message. The earlier message on the topic is no longer counted.
// The caller passes the sizes of the payload and of what is kept, in bytes. A payload of 0 bytes
// clears the topic, and is always accepted.
func (l *limits) keep(topic string, payload, cost int) bool {
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
	if s.messages >= maxRetained || s.bytes+cost > maxRetainedBytes {
		return false
	}
	l.size[topic] = cost
	s.messages++
	s.bytes += cost
	return true
}

// turns prevents the broker from doing two things at once. While the broker stores a retained
// message, it does not send retained messages to a new subscriber.
//
// Otherwise mochi 2.7.9 reads topics while they are written (its issue 200). A new subscriber may
// then get the newest state followed by an older state. The subscriber may also get messages that
// were acknowledged before it subscribed, as if they were live. For example, the table would act on
// a retained key press.
type turns struct {
	mu     sync.Mutex
	holder atomic.Pointer[mochi.Client] // whose packet is being processed under mu
}

func (t *turns) take(cl *mochi.Client) {
	t.mu.Lock()
	t.holder.Store(cl)
}

func (t *turns) give(cl *mochi.Client) {
	if t.holder.CompareAndSwap(cl, nil) {
		t.mu.Unlock()
	}
}
