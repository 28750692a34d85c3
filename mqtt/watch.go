package mqtt

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync/atomic"
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
	Health func(table string, part engine.Part) // part.Health is "" once the table no longer has the part

	// Alive gets the match and the seq of the table's newest state, and the table's time. The
	// time is zero if the table's program is too old to tell it.
	Alive func(table string, match engine.Null, seq int, at time.Time)

	// Call gets the time at which the people at a table called for help, or the zero time if
	// they do not call.
	Call func(table string, since time.Time)

	// Journal gets the compressed journal of a match that a table offers to this hall, or an empty
	// one once the table no longer offers it. If Journal is nil, the watcher does not subscribe to
	// journals.
	Journal func(table, match string, journal []byte)

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
	maxMissedWait    = 20 * time.Second

	// maxHeard is the largest message that a watcher believes, in bytes, apart from journals. The
	// state of a large match has about thirty thousand bytes.
	maxHeard = 64 << 10
)

// A Watcher listens to all tables of a broker. Its methods Acknowledge and Tell publish the
// messages that a hall sends to tables. A Watcher publishes nothing else.
type Watcher struct {
	*link
	handlers WatchHandlers
	missed   chan struct{} // holds a value after a call of Missed

	connection atomic.Pointer[connection] // nil while there is none
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
	w.skipped = func(e *tooLargeError) {
		w.log.Debug("mqtt: message set aside", "topic", e.topic, "error", e)
		w.handlers.Aside(e.topic, e)
	}
	return w, nil
}

func (w *Watcher) watchedTopics() []string {
	topics := []string{"tableside/+/status", "tableside/+/state", "tableside/+/alive", "tableside/+/health/+",
		"tableside/+/call"}
	if w.handlers.Journal != nil { // older tables publish results
		topics = append(topics, "tableside/+"+journalTopic(w.cfg.Hall)+"+", "tableside/+/result")
	}
	return topics
}

// Missed tells the watcher that it has not heard one of the messages that the broker retains.
// The watcher then subscribes again, and once more while Missed is called, because a broker that
// recovers may first send an older message. The waits between are settleAfter and twice as long
// each time, up to maxMissedWait, until the next Round. Missed does not block.
func (w *Watcher) Missed() {
	select {
	case w.missed <- struct{}{}:
	default:
	}
}

// Run connects to a broker and listens until the context ends. Whenever the connection fails,
// Run tries again, maybe with another broker.
func (w *Watcher) Run(ctx context.Context) { w.keepConnected(ctx, w.attend) }

func (w *Watcher) attend(ctx context.Context) error {
	defer w.handlers.Listening(false)
	// The id is new for each connection. If it were reused, a broker that has not noticed the
	// end of the last connection would cut off one of the two, the old or the new.
	c, err := w.open(ctx, "tableside-hall-"+rand.Text()[:12], "", w.hear)
	if err != nil {
		return err
	}
	w.connection.Store(c)
	err = w.listen(ctx, c)
	w.connection.Store(nil)
	c.Disconnect(uint(byeTimeout.Milliseconds()))
	return err
}

func (w *Watcher) listen(ctx context.Context, c *connection) error {
	if err := w.subscribe(ctx, c); err != nil {
		return err
	}
	w.handlers.Listening(true)
	w.report(nil)
	last, wait, round := time.Now(), w.delays.settle, time.Now().Add(w.delays.settle)
	next := time.NewTimer(w.delays.settle)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.ended.Done():
			return context.Cause(c.ended)
		case <-w.missed:
			next.Reset(min(time.Until(last.Add(wait)), time.Until(round)))
		case <-next.C:
			last, wait = time.Now(), min(2*wait, maxMissedWait)
			if !last.Before(round) { // else the broker may not have sent everything since the last round
				w.handlers.Round()
				wait, round = w.delays.settle, last.Add(w.delays.resubscribe)
			}
			if err := w.subscribe(ctx, c); err != nil {
				return err
			}
			next.Reset(time.Until(round))
		}
	}
}

// subscribe makes the broker send again everything that it retains.
func (w *Watcher) subscribe(ctx context.Context, c *connection) error {
	refused, err := c.subscribe(ctx, w.watchedTopics())
	if err == nil && len(refused) > 0 {
		err = fmt.Errorf("mqtt: %w", deaf(refused[0]))
	}
	return err
}

// hear passes a message to one of the functions in w.handlers. If no table can have published
// the message, this is the function Aside. paho calls hear for one message at a time.
func (w *Watcher) hear(m paho.Message) {
	if err := w.take(m.Topic(), m.Payload(), m.Retained()); err != nil {
		w.log.Debug("mqtt: message set aside", "topic", m.Topic(), "error", err)
		w.handlers.Aside(m.Topic(), err)
	}
}

// errNoTable is the error for a message on a topic that no table has.
var errNoTable = errors.New("no table has such a topic")
