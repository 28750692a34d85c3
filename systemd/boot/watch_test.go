//go:build boot

package boot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/engine"
)

// user is the user name and password of the machine's broker, which needs them
// because it listens beyond loopback.
const user = "guest"

// A watcher watches the table from outside the machine, by MQTT and the page, and
// records the most that was ever shown.
type watcher struct {
	*testing.T
	page   string
	paho   paho.Client
	lost   chan error
	result chan answer

	mu    sync.Mutex
	view  engine.View // the newest view by MQTT
	seq   int         // the highest number of inputs seen
	score map[engine.Seat]int
}

// An answer is the result of an input or a match command.
type answer struct {
	engine.Receipt
	ID string `json:"id"`
}

// watch connects to a table that answers.
func (m *machine) watch(patience time.Duration) *watcher {
	m.Helper()
	w := &watcher{
		T: m.T, page: m.page, score: map[engine.Seat]int{},
		lost: make(chan error, 1), result: make(chan answer, 100),
	}
	m.await("the page", patience, func() error { _, err := w.get("/healthz"); return err })
	m.log("the page answers")
	opts := paho.NewClientOptions().AddBroker(m.broker).SetClientID("outside").SetUsername(user).SetPassword(user).
		SetProtocolVersion(4).SetAutoReconnect(false).SetConnectTimeout(20 * time.Second).SetWriteTimeout(20 * time.Second).
		SetConnectionLostHandler(func(_ paho.Client, err error) { w.lost <- err })
	m.await("the broker", time.Minute, func() error {
		w.paho = paho.NewClient(opts)
		token := w.paho.Connect()
		token.Wait()
		return token.Error()
	})
	m.Cleanup(func() { w.paho.Disconnect(0) })
	token := w.paho.SubscribeMultiple(map[string]byte{"tableside/boot/state": 1, "tableside/boot/+/result": 1}, w.hear)
	if token.Wait(); token.Error() != nil {
		m.Fatal(token.Error())
	}
	return w
}

func (w *watcher) hear(_ paho.Client, message paho.Message) {
	if strings.HasSuffix(message.Topic(), "/result") {
		var a answer
		if err := json.Unmarshal(message.Payload(), &a); err != nil {
			w.Errorf("%s: %v", message.Topic(), err)
			return
		}
		w.counted(a.Seq)
		select {
		case w.result <- a:
		default:
		}
		return
	}
	var v engine.View
	if err := json.Unmarshal(message.Payload(), &v); err != nil {
		w.Errorf("%s: %v", message.Topic(), err)
		return
	}
	w.mu.Lock()
	w.view = v
	w.mu.Unlock()
	w.saw(v)
}

func (w *watcher) counted(seq int) {
	w.mu.Lock()
	w.seq = max(w.seq, seq)
	w.mu.Unlock()
}

func (w *watcher) saw(v engine.View) {
	w.mu.Lock()
	w.seq = max(w.seq, v.Seq)
	for _, s := range v.Seats {
		if n, ok := s.Counters.Get("score"); ok {
			w.score[s.ID] = max(w.score[s.ID], n)
		}
	}
	w.mu.Unlock()
}

func (w *watcher) last() engine.View {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.view
}

func (w *watcher) seen() (seq, red, blue int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seq, w.score["red"], w.score["blue"]
}

// until waits for a view by MQTT, and fails the test if it does not come.
func (w *watcher) until(what string, patience time.Duration, is func(engine.View) bool) {
	w.Helper()
	timer, look := time.NewTimer(patience), time.NewTicker(50*time.Millisecond)
	defer timer.Stop()
	defer look.Stop()
	for !is(w.last()) {
		select {
		case <-look.C:
		case err := <-w.lost:
			w.Fatalf("%s: the broker is gone: %v", what, err)
		case <-timer.C:
			v := w.last()
			page, err := w.get("/api/view")
			health, err2 := w.get("/healthz")
			w.Fatalf("%s: not within %v; by MQTT %d inputs, seats %+v; the page says (%v)\n%s\nits parts (%v):\n%s",
				what, patience, v.Seq, v.Seats, err, page, err2, health)
		}
	}
}

var errUnanswered = errors.New("no answer")

// send publishes a command and waits for its answer.
func (w *watcher) send(ctx context.Context, topic, id, payload string) (answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 30*time.Second, errUnanswered)
	defer cancel()
	token := w.paho.Publish("tableside/boot/"+topic, 1, false, payload)
	select {
	case <-token.Done():
	case <-ctx.Done():
	}
	for token.Error() == nil {
		select {
		case a := <-w.result:
			if a.ID == id {
				return a, nil
			}
		case <-ctx.Done():
			return answer{}, fmt.Errorf("%s: %w", id, context.Cause(ctx))
		}
	}
	return answer{}, fmt.Errorf("%s: %w", id, token.Error())
}

// get fetches a path of the page's server.
func (w *watcher) get(path string) ([]byte, error) {
	got, err := web.Get(w.page + path)
	if err != nil {
		return nil, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err == nil && got.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", path, got.Status, body)
	}
	return body, err
}

// healthy returns an error unless the page says that a part of this kind works.
func (w *watcher) healthy(kind string) error {
	body, err := w.get("/healthz")
	if err != nil {
		return err
	}
	var health struct{ Parts []engine.Part }
	if err := json.Unmarshal(body, &health); err != nil {
		return err
	}
	for _, part := range health.Parts {
		if strings.HasPrefix(part.Name, kind) && part.Health == engine.OK {
			return nil
		}
	}
	return fmt.Errorf("got parts %+v, want a healthy %s", health.Parts, kind)
}

// look fetches the view from the page's server.
func (w *watcher) look() (engine.View, error) {
	var v engine.View
	body, err := w.get("/api/view")
	if err == nil {
		err = json.Unmarshal(body, &v)
	}
	if err == nil {
		w.saw(v)
	}
	return v, err
}
