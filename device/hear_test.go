package device

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

// TestCall follows a call and its answers, and a message of the hall until it is over.
func TestCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := configured(t.TempDir())
		config.Hall, config.Lang = "club", engine.French
		table := start(t, config)
		status := func() engine.Status { synctest.Wait(); return table.Frame().Status }
		table.order(engine.Order{Do: "call"})
		since := status().Called
		if since.IsZero() || status().Hall != "club" {
			t.Fatalf("status %+v", status())
		}
		time.Sleep(time.Minute)
		table.order(engine.Order{Do: "call"})
		if got := status().Called; !got.Equal(since) {
			t.Errorf("called again, since %s", got)
		}
		table.Hear(engine.HallMessage{Call: since.Add(-time.Hour)})
		if s := status(); s.Called.IsZero() || s.Says != "" {
			t.Errorf("an old answer: %+v", s)
		}
		table.Hear(engine.HallMessage{Call: since})
		if s := status(); !s.Called.IsZero() || s.Says != "Quelqu'un arrive" {
			t.Errorf("the answer: %+v", s)
		}
		if got := table.Frame().In(engine.English).Status.Says; got != "Somebody is coming" {
			t.Errorf("the answer in English: %q", got)
		}
		table.order(engine.Order{Do: "call"})
		table.Hear(engine.HallMessage{Text: "   ", Call: status().Called})
		if s := status(); !s.Called.IsZero() || s.Says != "Quelqu'un arrive" {
			t.Errorf("an answer of spaces: %+v", s)
		}
		table.Hear(engine.HallMessage{Text: "Pause, 10 min: {n} <b>"})
		time.Sleep(messageLasts / 2)
		if s := status(); !strings.HasSuffix(s.Says, ": Pause, 10 min: {n} <b>") {
			t.Errorf("the message: %+v", s)
		}
		table.order(engine.Order{Do: "dismiss"})
		if s := status(); s.Says != "" {
			t.Errorf("put away: %+v", s)
		}
		table.Hear(engine.HallMessage{Text: "next"})
		time.Sleep(messageLasts - time.Second)
		if s := status(); !strings.HasSuffix(s.Says, ": next") {
			t.Errorf("the next: %+v", s)
		}
		time.Sleep(2 * time.Second)
		if s := status(); s.Says != "" {
			t.Errorf("ten minutes later: %+v", s)
		}
		table.order(engine.Order{Do: "call"})
		table.order(engine.Order{Do: "call-off"})
		if s := status(); !s.Called.IsZero() {
			t.Errorf("called off: %+v", s)
		}
		table.stop()
	})
	alone := start(t, configured(t.TempDir()))
	if r := alone.order(engine.Order{Do: "call"}); r.Text.Key != "receipt.no-hall" {
		t.Errorf("without a hall: %+v", r)
	}
}

// TestHearKeepsQuestion checks that a message does not answer, or put away, the question
// whether to insist.
func TestHearKeepsQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		table.order(engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain"}})
		table.do("red key minus")
		table.Hear(engine.HallMessage{Text: strings.Repeat("x", 200)})
		synctest.Wait()
		if r := table.Frame().Status.Receipt; r == nil || !r.Override {
			t.Errorf("receipt %+v", r)
		}
		table.must("red key yes")
		table.stop()
	})
}

// TestMessageTimer sends one message after the other: only the newest has a timer, and it is
// shown for its whole time.
func TestMessageTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := configured(t.TempDir())
		config.Hall = "club"
		table := start(t, config)
		fade := func() (timer *time.Timer) {
			table.inbox.put(func(l *loop) { timer = l.hearing.fade })
			synctest.Wait()
			return timer
		}
		for i := range 20 {
			before := fade()
			table.Hear(engine.HallMessage{Text: "Round 2"})
			synctest.Wait()
			if i > 0 && before.Stop() {
				t.Fatalf("message %d: the timer of the one before still runs", i+1)
			}
			time.Sleep(messageLasts - time.Second)
			if synctest.Wait(); table.Frame().Status.Says == "" {
				t.Fatalf("message %d is gone too early", i+1)
			}
		}
		time.Sleep(2 * time.Second)
		if synctest.Wait(); table.Frame().Status.Says != "" {
			t.Errorf("it still says %q", table.Frame().Status.Says)
		}
		table.stop()
	})
}
