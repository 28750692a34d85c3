package mqtt

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
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

// TestAwaitToken checks that the reason of a lost connection is returned, whether paho first
// fails the packet or first reports the loss, and that any other failure is not taken for a loss.
func TestAwaitToken(t *testing.T) {
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
			lost := make(chan error, 1)
			if c.lost != nil {
				time.AfterFunc(lossFollows/2, func() { lost <- c.lost })
			}
			err := awaitToken(ctx, c.token, lost)
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
