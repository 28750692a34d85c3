package mqtt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/mqtt/broker"
)

// A failedToken is a token that paho has completed, with or without an error.
type failedToken struct{ err error }

func (f failedToken) Wait() bool                     { return true }
func (f failedToken) WaitTimeout(time.Duration) bool { return true }
func (f failedToken) Error() error                   { return f.err }
func (f failedToken) Done() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}

// A pendingToken is a token that the broker never acknowledges.
type pendingToken struct{ failedToken }

func (pendingToken) Done() <-chan struct{} { return nil }

// TestErrorsSayWhere checks that the error of a lost connection says once, and in order, what failed.
func TestErrorsSayWhere(t *testing.T) {
	for doing, do := range map[string]func(*session){
		"publish":     func(s *session) { s.publish(t.Context(), Message{Topic: "t"}); s.settle(t.Context(), 0) },
		"subscribe":   func(s *session) { _, s.failed = s.subscribe(t.Context(), []string{"t"}) },
		"unsubscribe": func(s *session) { s.clearOldTopics(t.Context()) },
	} {
		b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
		c := newClient(t, Config{Brokers: []string{b.Addr()}}).Client
		opened, err := c.open(t.Context(), doing, "", func(paho.Message) {})
		if err != nil {
			t.Fatal(err)
		}
		b.Close()
		<-opened.ended.Done()
		s := &session{Client: c, connection: opened, prefix: "tableside/demo"}
		do(s)
		if s.failed == nil || !strings.HasPrefix(s.failed.Error(), "mqtt: "+doing+": connection lost: ") {
			t.Errorf("%s: %v", doing, s.failed)
		}
	}
}

// TestAwait checks that the reason of a lost connection is returned, whether paho first
// fails the packet or first reports the loss, and that any other failure is not taken for a loss.
func TestAwait(t *testing.T) {
	why, failed := errors.New("EOF"), errors.New("connection lost before Publish completed")
	for name, c := range map[string]struct {
		ended bool // the context
		token paho.Token
		lost  error
		want  []error // the error wraps all of them
	}{
		"acknowledged":  {false, failedToken{}, nil, nil},
		"token fails":   {false, failedToken{failed}, nil, []error{failed}},
		"fails at loss": {false, failedToken{failed}, why, []error{errLost, why}},
		"reported lost": {false, pendingToken{}, why, []error{errLost, why}},
		"no answer":     {false, pendingToken{}, nil, []error{errLost}},
		"context ended": {true, pendingToken{}, nil, []error{context.Canceled}},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, end := context.WithCancel(t.Context())
			defer end()
			if c.ended {
				end()
			}
			ended, lose := context.WithCancelCause(context.Background())
			defer lose(nil)
			if c.lost != nil {
				time.AfterFunc(lossFollows/2, func() { lose(fmt.Errorf("%w: %w", errLost, c.lost)) })
			}
			err := (&connection{ended: ended}).await(ctx, c.token)
			if (err == nil) != (c.want == nil) || errors.Is(err, errLost) && c.want[0] != errLost {
				t.Errorf("%s: got %v", name, err)
			}
			for _, want := range c.want {
				if !errors.Is(err, want) {
					t.Errorf("%s: got %v, want %v", name, err, want)
				}
			}
		})
	}
}
