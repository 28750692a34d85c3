package mqtt

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/engine"
)

// WatchHandlers holds functions that a watcher calls when it hears something about the tables
// of a broker. Several goroutines call these functions, which must not block.
//
// The argument table is the table's name, in the form that its topics have. The last argument
// of State says whether the broker had retained the message. A retained message does not show
// that the table is alive.
type WatchHandlers struct {
	// Listening is called with true once the watcher hears everything, and with false
	// when it no longer does.
	Listening func(bool)

	// Round is called before the watcher asks the broker again for everything that it retains.
	Round func()

	State func(table string, v *engine.View, kept bool) // v is nil once the broker keeps none
	// Status gets "online", "offline" or "". By itself, "offline" or "" does not show that a
	// table has died.
	Status func(table, status string)
	Alive  func(table string, match engine.Null, seq int)
	Health func(table string, part engine.Part) // part.Health is "" once the table no longer has the part

	// Call gets the time at which the people at a table called for help, or the zero time if
	// they do not call. If Call is nil, the watcher does not subscribe to calls.
	Call func(table string, since time.Time)

	// Result gets the result of a match whose journal the table offers, or nil once the table
	// offers none. If Result is nil, the watcher does not subscribe to results.
	Result func(table string, f *engine.Finished)

	// Aside is called for a message that no table can have published, for example because it
	// is too large. topic is "" if it could not be read.
	Aside func(topic string, why error)
}

const (
	// settleAfter is the time between the first and the second subscription of a connection.
	// resubscribeEvery is the time between later ones. A broker that has just started may not
	// have its retained messages when somebody subscribes, and never sends them later. Another
	// subscription to the same topics makes it send them (MQTT 3.1.1, section 3.8.4).
	resubscribeEvery = time.Minute
	settleAfter      = 5 * time.Second

	// watchAlive is how long a broker may be silent before a watcher asks whether it is still
	// there. So a dead network is noticed within 20 s, before any table counts as lost.
	watchAlive = 10 * time.Second

	// maxHeard is the largest message that a watcher reads, in bytes. The state of a large
	// match has about thirty thousand bytes.
	maxHeard = 64 << 10
)

// A Watcher listens to all tables of a broker. Its methods Acknowledge and Tell publish the
// messages that a hall sends to tables. A Watcher publishes nothing else.
type Watcher struct {
	*link
	handlers WatchHandlers
	parcels  parcels
	missed   chan struct{} // holds a value after a call of Missed
}

// NewWatcher returns a watcher, which hears nothing before Run is called. The watcher uses
// only these fields of the configuration: Brokers, User, Password, CAFile, Lang, Health, Dial
// and Log.
func NewWatcher(cfg Config, handlers WatchHandlers) (*Watcher, error) {
	l, err := newLink(cfg)
	if err != nil {
		return nil, err
	}
	w := &Watcher{link: l, handlers: handlers, missed: make(chan struct{}, 1)}
	w.filter = func(conn net.Conn) net.Conn { return skip(conn, maxHeard, w.skipped) }
	return w, nil
}

// watchedTopics returns the topics to which a watcher subscribes. The QoS of each topic is 0.
// QoS 0 is enough, because the newest message replaces all others. Even while a node of a
// broker is down, the broker accepts a subscription with QoS 0.
func (w *Watcher) watchedTopics() map[string]byte {
	topics := map[string]byte{
		"tableside/+/status": 0, "tableside/+/state": 0, "tableside/+/alive": 0, "tableside/+/health/+": 0,
	}
	if w.handlers.Call != nil {
		topics["tableside/+/call"] = 0
	}
	if w.handlers.Result != nil {
		topics["tableside/+/result"] = 0
	}
	return topics
}

// Missed tells the watcher that it has not heard one of the messages that the broker retains.
// The watcher then subscribes again, but at most every few seconds. Missed does not block.
func (w *Watcher) Missed() {
	select {
	case w.missed <- struct{}{}:
	default:
	}
}

// Run connects to a broker and listens until the context ends. Whenever the connection fails,
// Run tries again, maybe with another broker.
func (w *Watcher) Run(ctx context.Context) {
	w.report(engine.Degraded, "mqtt.connecting")
	for ctx.Err() == nil {
		began := time.Now()
		err := w.attend(ctx)
		w.handlers.Listening(false)
		if ctx.Err() != nil {
			return
		}
		w.blame(err)
		wait := time.NewTimer(w.recordFailure(err, time.Since(began)))
		select {
		case <-ctx.Done():
		case <-wait.C:
		}
		wait.Stop()
	}
}

// attend connects once, and listens until the connection is lost or the context ends. It
// returns the error that ended the connection or the attempt to connect.
func (w *Watcher) attend(ctx context.Context) error {
	lost := make(chan error, 1)
	// The id is new for each connection. If it were reused, a broker that has not noticed the
	// end of the last connection would cut off one of the two, the old or the new.
	opts := w.options(lost, w.hear).SetClientID("tableside-hall-" + rand.Text()[:12]).
		SetKeepAlive(watchAlive)
	client, conn, err := w.open(ctx, opts)
	if err != nil {
		return err
	}
	w.parcels.connect(client)
	err = w.listen(ctx, client, lost)
	w.parcels.connect(nil)
	if giant := conn.refusal.Load(); giant != nil {
		err = fmt.Errorf("mqtt: %w", giant) // any other error followed from it
	}
	client.Disconnect(uint(byeTimeout.Milliseconds()))
	return err
}

func (w *Watcher) listen(ctx context.Context, client paho.Client, lost <-chan error) error {
	if err := w.subscribe(ctx, client, lost); err != nil {
		return err
	}
	w.handlers.Listening(true)
	w.report(engine.OK, "")
	again, soon, last := time.NewTimer(w.delays.settle), time.NewTimer(time.Hour), time.Now()
	defer again.Stop()
	soon.Stop() // until something is missed
	defer soon.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-lost:
			return fmt.Errorf("mqtt: %w: %w", errLost, err)
		case <-again.C:
			w.handlers.Round()
			if err := w.subscribe(ctx, client, lost); err != nil {
				return err
			}
			again.Reset(w.delays.resubscribe)
			last = time.Now()
		case <-w.missed:
			soon.Reset(max(0, w.delays.settle-time.Since(last)))
		case <-soon.C: // without Round: the broker may not have sent everything since the last round
			if err := w.subscribe(ctx, client, lost); err != nil {
				return err
			}
			last = time.Now()
		}
	}
}

// subscribe subscribes to all watched topics. The broker then sends again everything that it
// retains. If a broker refuses a topic, paho may report no error, but subscribe returns one.
func (w *Watcher) subscribe(ctx context.Context, client paho.Client, lost <-chan error) error {
	token, ok := client.SubscribeMultiple(w.watchedTopics(), nil).(*paho.SubscribeToken)
	if !ok {
		return fmt.Errorf("mqtt: subscribe: %w", errLost)
	}
	if err := awaitToken(ctx, token, lost); err != nil {
		return fmt.Errorf("mqtt: subscribe: %w", err)
	}
	for topic, granted := range token.Result() {
		if granted > 2 { // 0x80 is a refusal, MQTT 3.1.1 section 3.9.3
			return fmt.Errorf("mqtt: %w", &subscribeRefusedError{topic})
		}
	}
	return nil
}

// hear handles a message. It first offers the message to w.parcels, which takes the pieces of
// journals. Any other message goes to one of the functions in w.handlers. If no table can have
// published the message, this is the function Aside. paho calls hear for one message at a
// time.
func (w *Watcher) hear(_ paho.Client, m paho.Message) {
	if w.parcels.take(m.Topic(), m.Payload()) {
		return
	}
	if err := w.handlers.take(m.Topic(), m.Payload(), m.Retained()); err != nil {
		w.log.Debug("mqtt: message set aside", "topic", m.Topic(), "error", err)
		w.handlers.Aside(m.Topic(), err)
	}
}

func (w *Watcher) skipped(topic string, size int) {
	w.log.Debug("mqtt: message set aside", "topic", topic, "bytes", size)
	w.handlers.Aside(topic, fmt.Errorf("it has %d bytes, more than %d", size, maxHeard))
}

// errNoTable is the error for a message on a topic that no table has.
var errNoTable = errors.New("no table has such a topic")
