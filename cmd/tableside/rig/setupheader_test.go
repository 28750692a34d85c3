package rig

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/display/lights"
	"tableside/display/web/core"
	"tableside/drivers/wled"
	"tableside/engine"
)

// A glass is an output whose test takes its time, and may fail.
type glass struct {
	device.OutputFunc
	takes time.Duration
	fail  error
}

func (g *glass) Test(ctx context.Context) error {
	select {
	case <-time.After(g.takes):
		return g.fail
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestTestTakesItsTime checks that people hear at once that a test takes its time, and its
// outcome when it is there.
func TestTestTakesItsTime(t *testing.T) {
	for _, c := range []struct {
		part        string
		out         glass
		early, late string
	}{
		{"panel", glass{}, "setup.said-picture", "setup.said-picture"},
		{"panel", glass{takes: 100 * time.Second}, "setup.said-soon", "setup.said-picture"},
		{"panel", glass{takes: time.Hour}, "setup.said-soon", "setup.said-dark"},
		{"panel", glass{takes: testNoticeDelay, fail: errors.New("unplugged")}, "setup.said-dark", "setup.said-dark"},
		{"panel", glass{fail: errNoTest}, "setup.said-no-test", "setup.said-no-test"},
		{"lights", glass{}, "setup.said-sent", "setup.said-sent"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := NewSetup(&config.Config{}, slog.New(slog.DiscardHandler))
			s.rig = &Rig{Parts: &Parts{All: []device.Part{{Name: c.part, Output: &c.out}}}}
			if err := s.test(c.part); err != nil {
				t.Fatal(err)
			}
			for _, when := range []struct {
				wait time.Duration
				want string
			}{{testNoticeDelay, c.early}, {testLimit, c.late}} {
				time.Sleep(when.wait)
				synctest.Wait()
				s.mu.Lock()
				last := s.lastAnswer
				s.mu.Unlock()
				if last == nil || last.Message.Key != when.want {
					t.Errorf("%s, test of %v: after %v it says %+v, want %s", c.part, c.out.takes, when.wait, last, when.want)
				}
			}
			s.halt()
		})
	}
}

// TestTestSaysWhyInFrench checks that people who read French are told in French why
// no test picture appears, where they can do something about it.
func TestTestSaysWhyInFrench(t *testing.T) {
	for _, err := range []error{errNotShown, ErrOverridden, wled.ErrUnknownName, wled.ErrNotWLED, wled.ErrSilent,
		lights.ErrNotDriven} {
		synctest.Test(t, func(t *testing.T) {
			s := NewSetup(&config.Config{}, slog.New(slog.DiscardHandler))
			out := &glass{fail: fmt.Errorf("table.local %w", err)}
			s.rig = &Rig{Parts: &Parts{All: []device.Part{{Name: "lights", Output: out}}}}
			if err := s.test("lights"); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			said := core.Words().Say(engine.French, s.lastAnswer.Message, nil)
			if strings.Contains(said, err.Error()) || strings.ContainsAny(said, "«{") {
				t.Errorf("%v: %s", err, said)
			}
			s.halt()
		})
	}
}
