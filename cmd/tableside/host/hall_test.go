package host

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/engine"
	"tableside/mqtt/broker"
)

// beside returns an open hall, and the health of the part that its table has heard of.
func beside(t *testing.T, broker string) (*Hall, chan engine.Part) {
	t.Helper()
	heard := make(chan engine.Part, 100)
	c := config.Config{}
	c.HTTP.Listen, c.MQTT.Broker = "127.0.0.1:0", broker
	h := &Hall{Config: c, Lang: engine.English, Log: slog.New(slog.DiscardHandler),
		Health: func(p engine.Part) { heard <- p }}
	if err := h.open("hall", ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.close)
	return h, heard
}

// broken waits until a hall is broken, and returns why.
func broken(t *testing.T, heard chan engine.Part) string {
	t.Helper()
	for {
		select {
		case p := <-heard:
			if p.Name != "hall" {
				t.Errorf("the part is %s", p.Name)
			}
			if p.Health == engine.Broken {
				return p.Reason
			}
		case <-time.After(20 * time.Second):
			t.Fatal("nobody is told")
		}
	}
}

// TestHallIsRefused checks that a hall whose password is wrong says so, to its page and to
// the table beside it.
func TestHallIsRefused(t *testing.T) {
	b, err := broker.Listen(broker.Config{Addr: "127.0.0.1:0", User: "u", Password: "p"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	h, heard := beside(t, "tcp://"+b.Addr())
	running := start(t.Context(), "hall", h.serveBeside)
	const want = "refuses the user or the password"
	if why := broken(t, heard); !strings.Contains(why, want) {
		t.Errorf("the table is told: %s", why)
	}
	if l, _ := h.tables.List(0); !strings.Contains(l.Why, want) || l.Listening {
		t.Errorf("%+v", l)
	}
	if err := running.stop(); err != nil {
		t.Error(err)
	}
}

// TestHallFails checks that the table is told at once when the page of the hall beside it
// fails.
func TestHallFails(t *testing.T) {
	h, heard := beside(t, "tcp://127.0.0.1:1")
	h.listener.Close()
	running := start(context.WithoutCancel(t.Context()), "hall", h.serveBeside)
	if why := broken(t, heard); !strings.Contains(why, "closed") {
		t.Errorf("the table is told: %s", why)
	}
	if running.stop() == nil {
		t.Error("the failure is forgotten at the end")
	}
}
