package main

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/mqtt/hatest"
	"tableside/mqtt/homeassistant"
)

// A homeListener connects a test's Home Assistant to a real broker.
type homeListener struct {
	mu   sync.Mutex
	home *hatest.Home
	paho.Client
}

func listenHome(t *testing.T, addr string) *homeListener {
	t.Helper()
	l := &homeListener{home: hatest.New(homeassistant.DefaultDiscovery), Client: connect(t, addr, "home-assistant")}
	token := l.SubscribeMultiple(map[string]byte{"tableside/#": 1, "homeassistant/#": 1},
		func(_ paho.Client, m paho.Message) {
			l.mu.Lock()
			defer l.mu.Unlock()
			once := slices.ContainsFunc([]string{"/event/", "/trigger/", "/result"},
				func(part string) bool { return strings.Contains(m.Topic(), part) })
			l.home.Hear(m.Topic(), m.Payload(), m.Retained() || !once)
		})
	if token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
	return l
}

// until waits for a condition of the home; its failure names the condition.
func (l *homeListener) until(t *testing.T, what string, as func(*hatest.Home) bool) {
	t.Helper()
	for limit := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		l.mu.Lock()
		done := as(l.home)
		l.mu.Unlock()
		if done {
			return
		}
		if time.Now().After(limit) {
			l.mu.Lock()
			defer l.mu.Unlock()
			for key, e := range l.home.Entities {
				t.Logf("%s: %s, available %v", key, e.State, e.Available())
			}
			t.Fatalf("waited in vain: %s; %d announcements, wrong %v", what, l.home.Announcements, l.home.Errors)
		}
	}
}

func shows(key, state string) func(*hatest.Home) bool {
	return func(h *hatest.Home) bool {
		e := h.Entities[key]
		return e != nil && e.Available() && e.State == state
	}
}

// TestHomeAssistantEvening tests an evening on a real broker: a match is begun from
// Home Assistant, played with its buttons, survives a power cut, and makes room for
// another game.
func TestHomeAssistantEvening(t *testing.T) {
	t.Parallel()
	addr, dir := startMosquitto(t), t.TempDir()
	l := listenHome(t, addr)
	p := startDemo(t, "--broker", "mqtt://"+addr, "--data", dir, "--lang", "en")
	l.until(t, "the empty table",
		func(h *hatest.Home) bool { return shows("game", hatest.Unknown)(h) && h.Entities["begin"] != nil })
	l.until(t, "the panel's picture",
		func(h *hatest.Home) bool { return strings.HasSuffix(h.Entities["panel"].State, " bytes") })
	l.press(t, "begin", "")
	l.until(t, "the first game of the list",
		func(h *hatest.Home) bool { return h.Entities["game"].State != hatest.Unknown })
	l.order(t, `{"do":"abandon"}`)
	l.until(t, "the empty table again", shows("game", hatest.Unknown))
	l.press(t, "next_game", "Tally")
	l.until(t, "the choice", shows("next_game", "Tally"))
	l.press(t, "begin", "")
	l.until(t, "Tally", shows("game", "Tally"))
	l.until(t, "a score", shows("seat_red_score", "0"))
	l.press(t, "seat_red_key_plus", "")
	l.until(t, "a point", shows("seat_red_score", "1"))

	before := l.announcements()
	p.kill()
	l.until(t, "the table is gone", func(h *hatest.Home) bool {
		return h.Entities["status"].State == "off" && !h.Entities["seat_red_score"].Available()
	})
	p = startDemo(t, "--broker", "mqtt://"+addr, "--data", dir, "--lang", "en", "--resume")
	l.until(t, "the match goes on", shows("seat_red_score", "1"))
	l.until(t, "it is announced", func(h *hatest.Home) bool { return h.Announcements > before })
	l.press(t, "seat_red_key_plus", "")
	l.until(t, "another point", shows("seat_red_score", "2"))
	l.order(t, `{"do":"abandon"}`)
	l.until(t, "put away", func(h *hatest.Home) bool {
		return !h.Entities["seat_red_score"].Available() && h.Entities["begin"].Available()
	})
	l.order(t, `{"do":"begin","setup":{"game":"mindbug/first-contact"}}`)
	l.until(t, "another game", func(h *hatest.Home) bool {
		e := h.Entities["seat_red_mindbugs"]
		return e != nil && e.Available() && !h.Entities["seat_red_score"].Available()
	})
	p.interrupt()
	l.mu.Lock()
	defer l.mu.Unlock()
	// One for the start and one for the other game: not for the end of a match.
	if got := l.home.Announcements - before; got != 2 {
		t.Errorf("%d announcements after the start, want 2", got)
	}
	if len(l.home.Errors) > 0 || len(l.home.Removed) > 0 {
		t.Errorf("wrong: %v; removed: %v", l.home.Errors, l.home.Removed)
	}
	for _, trigger := range []string{"trigger_turn", "trigger_asked"} {
		if !slices.Contains(l.home.Fired, trigger) {
			t.Errorf("%s never came; there were %v", trigger, l.home.Fired)
		}
	}
}

func (l *homeListener) announcements() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.home.Announcements
}

func (l *homeListener) order(t *testing.T, order string) {
	t.Helper()
	if token := l.Publish("tableside/demo/match", 1, false, order); token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
}

// press presses a button, or chooses an option of a select.
func (l *homeListener) press(t *testing.T, key, option string) {
	t.Helper()
	l.until(t, key, func(h *hatest.Home) bool { return h.Entities[key] != nil && h.Entities[key].Available() })
	l.mu.Lock()
	e := l.home.Entities[key]
	topic, payload := e.Press()
	var err error
	if option != "" {
		topic, payload, err = e.Select(option)
	}
	l.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	if token := l.Publish(topic, 1, false, payload); token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
}
