package device

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

type runFunc func(context.Context, Emit) error

func (f runFunc) Run(ctx context.Context, emit Emit) error { return f(ctx, emit) }

// An album is an output that keeps its frames; it may be slow, or fail.
type album struct {
	mu     sync.Mutex
	frames []engine.Frame
	takes  time.Duration
	err    error
}

func (a *album) Show(ctx context.Context, f engine.Frame) error {
	a.mu.Lock()
	takes, err := a.takes, a.err
	a.mu.Unlock()
	time.Sleep(takes)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.frames = append(a.frames, f)
	return nil
}

func (a *album) set(takes time.Duration, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.takes, a.err = takes, err
}

// events lists all the events shown, in order, and the seq of the last frame.
func (a *album) events() (names []string, seq int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range a.frames {
		for _, e := range f.Events {
			names = append(names, fmt.Sprint(e.Name, e.N))
		}
		seq = f.View.Seq
	}
	return names, seq
}

func health(t *running, name string) engine.Part {
	for _, p := range t.Frame().Status.Health {
		if p.Name == name {
			return p
		}
	}
	return engine.Part{}
}

// TestSlowOutput checks that a slow output gets every event and the newest view,
// and delays no one.
func TestSlowOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		paper, lights := &album{takes: 2 * time.Second}, &album{}
		table.Add(Part{Name: "paper", Output: paper})
		table.Add(Part{Name: "lights", Output: lights})
		began := time.Now()
		table.begin("red")
		var want []string
		for i := range 50 {
			table.must("red key plus")
			want = append(want, fmt.Sprint("counted", i+1))
		}
		synctest.Wait()
		if took := time.Since(began); took != 0 {
			t.Errorf("50 inputs took %v", took)
		}
		if got, seq := lights.events(); !slices.Equal(got, want) || seq != 50 {
			t.Errorf("the lights show %q, seq %d", got, seq)
		}
		time.Sleep(5 * time.Second)
		if got, seq := paper.events(); !slices.Equal(got, want) || seq != 50 {
			t.Errorf("the paper shows %q, seq %d", got, seq)
		}
		if n := len(paper.frames); n > 3 {
			t.Errorf("the paper was drawn %d times", n)
		}
		table.stop()
	})
}

// TestFailingOutput checks that an output that fails is reported and tried again,
// and then gets all events that it missed.
func TestFailingOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		panel := &album{err: errors.New("no cable")}
		table.Add(Part{Name: "panel", Output: panel})
		table.begin("red")
		synctest.Wait()
		if h := health(table, "panel"); h.Health != engine.Degraded || h.Reason != "no cable" {
			t.Errorf("health %+v", h)
		}
		table.must("red key plus")
		time.Sleep(time.Minute)
		if h := health(table, "panel"); h.Health != engine.Broken {
			t.Errorf("health %+v", h)
		}
		table.must("red key plus")
		panel.set(0, nil)
		time.Sleep(maxWait)
		synctest.Wait()
		if got, seq := panel.events(); strings.Join(got, ",") != "counted1,counted2" || seq != 2 {
			t.Errorf("events %q, seq %d", got, seq)
		}
		if h := health(table, "panel"); h.Health != engine.OK {
			t.Errorf("health %+v", h)
		}
		table.stop()
	})
}

// TestMendedSource checks that a mended source is reported as working within five
// seconds at any point of its back-off, although each failing attempt takes a
// second.
func TestMendedSource(t *testing.T) {
	for phase := time.Duration(0); phase < 4*time.Second; phase += 250 * time.Millisecond {
		synctest.Test(t, func(t *testing.T) {
			table := start(t, configured(t.TempDir()))
			mended := time.Now().Add(20*time.Second + phase)
			table.Add(Part{Name: "screen", Source: runFunc(func(ctx context.Context, _ Emit) error {
				if time.Now().Before(mended) {
					Pause(ctx, time.Second)
					return errors.New("no device at that address")
				}
				<-ctx.Done()
				return nil
			})})
			time.Sleep(time.Until(mended))
			if h := health(table, "screen"); h.Health != engine.Broken {
				t.Errorf("health %+v", h)
			}
			time.Sleep(5 * time.Second)
			synctest.Wait()
			if h := health(table, "screen"); h.Health != engine.OK {
				t.Errorf("mended in the phase %v: health %+v", phase, h)
			}
			table.stop()
		})
	}
}

// TestHangingAndPanickingOutput checks that an output that hangs is reported, and
// that a panic in one does not stop the table.
func TestHangingAndPanickingOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		hangs := &album{takes: 5 * time.Minute}
		table.Add(Part{Name: "hangs", Output: hangs})
		table.Add(Part{Name: "panics", Output: showFunc(func(context.Context, engine.Frame) error { panic("out of ink") })})
		table.begin("red")
		synctest.Wait()
		if h := health(table, "panics"); h.Health != engine.Degraded || h.Reason != "panic: out of ink" {
			t.Errorf("health %+v", h)
		}
		time.Sleep(showLimit)
		synctest.Wait()
		if h := health(table, "hangs"); h.Health != engine.Broken || !strings.Contains(h.Reason, "no answer for 1m0s") {
			t.Errorf("health %+v", h)
		}
		hangs.set(0, nil)
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if h := health(table, "hangs"); h.Health != engine.OK {
			t.Errorf("health %+v", h)
		}
		table.must("red key plus")
		table.stop()
	})
}

// TestLastFrame checks that the last frame is shown before the table stops.
func TestLastFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		paper := &album{takes: time.Second}
		table.Add(Part{Name: "paper", Output: paper})
		table.begin("red")
		table.must("red key plus", "red key plus")
		table.stop()
		if got, seq := paper.events(); len(got) != 2 || seq != 2 {
			t.Errorf("events %q, seq %d", got, seq)
		}
	})
}

// TestStopAnswers checks that inputs before the table is switched off are
// answered and kept.
func TestStopAnswers(t *testing.T) {
	disk := &faultyDisk{}
	table := start(t, configured(t.TempDir()), disk.into)
	table.begin("red")
	gate := make(chan struct{})
	disk.set(func(d *faultyDisk) { d.gate = gate })
	var answers []<-chan engine.Receipt
	for range 100 {
		answers = append(answers, table.Emit(Press{Seat: "red", Key: "plus"}))
	}
	go func() { close(gate) }()
	if err := table.stop(); err != nil {
		t.Fatal(err)
	}
	for i, answer := range answers {
		if r := <-answer; r.Outcome != engine.Accepted || r.Seq != i+1 {
			t.Fatalf("press %d: %+v", i, r)
		}
	}
	if got := lines(t, table, string(table.Frame().View.Match)); len(got) != 100 {
		t.Errorf("%d lines", len(got))
	}
	if r := <-table.Emit(Press{Seat: "red", Key: "plus"}); r.Outcome != engine.Failed || r.Text.Key != "receipt.stopped" {
		t.Errorf("after the end: %+v", r)
	}
}

// TestSourceReports checks that the report of a source that runs again after an
// error is not overwritten.
func TestSourceReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		want := engine.Part{Name: "strip", Health: engine.Degraded, Reason: "30 LEDs of 60", Firmware: "WLED 0.14.4"}
		runs := 0
		table.Add(Part{Name: "strip", Source: runFunc(func(ctx context.Context, emit Emit) error {
			if runs++; runs == 1 {
				return errors.New("no route to host")
			}
			emit(Report{want})
			<-ctx.Done()
			return ctx.Err()
		})})
		time.Sleep(time.Minute)
		synctest.Wait()
		if h := health(table, "strip"); h != want {
			t.Errorf("health %+v, want %+v", h, want)
		}
		table.stop()
	})
}

func TestSourceFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		table.begin("red")
		var runs []time.Duration
		began := time.Now()
		table.Add(Part{Name: "reader", Source: runFunc(func(ctx context.Context, emit Emit) error {
			runs = append(runs, time.Since(began))
			emit(Press{Seat: "red", Key: "plus"})
			switch len(runs) {
			case 1:
				return errors.New("no such bus")
			case 2:
				panic("register")
			case 3:
				return errors.New("no such bus")
			}
			<-ctx.Done()
			return ctx.Err()
		})})
		table.Add(Part{Name: "script", Source: runFunc(func(context.Context, Emit) error { return nil })})
		synctest.Wait()
		if h := health(table, "reader"); h.Health != engine.Broken || h.Reason != "no such bus" {
			t.Errorf("health %+v", h)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		want := []time.Duration{0, minWait, 3 * minWait, 7 * minWait}
		if !slices.Equal(runs, want) {
			t.Errorf("ran at %v, want %v", runs, want)
		}
		if h := health(table, "reader"); h.Health != engine.OK || table.count("red") != 4 {
			t.Errorf("health %+v, count %d", h, table.count("red"))
		}
		if h := health(table, "script"); h.Health != engine.OK {
			t.Errorf("health %+v", h)
		}
		table.stop()
	})
}

func TestMailboxBound(t *testing.T) {
	m := newMailbox()
	full := make([]engine.Event, maxEvents)
	for i := range full {
		full[i].N = i
	}
	m.put(engine.Frame{Events: full})
	for i := maxEvents; i < maxEvents+10; i++ {
		m.put(engine.Frame{View: engine.View{Seq: i}, Events: []engine.Event{{N: i}}})
	}
	f := <-m
	if len(f.Events) != maxEvents || f.Events[0].N != 10 || f.View.Seq != maxEvents+9 {
		t.Errorf("%d events from %d, seq %d", len(f.Events), f.Events[0].N, f.View.Seq)
	}
	m.put(engine.Frame{View: engine.View{Seq: 2}, Events: []engine.Event{{N: 2}}})
	close(m)
	f, open := m.pause(t.Context(), time.Hour, engine.Frame{View: engine.View{Seq: 1}, Events: []engine.Event{{N: 1}}})
	if open || f.View.Seq != 2 || len(f.Events) != 2 || f.Events[0].N != 1 {
		t.Errorf("put back: %+v", f)
	}
	if _, open = <-m; open {
		t.Error("an empty mailbox holds something")
	}
}

// TestEvents checks that frames hold exactly the events since the frame before.
func TestEvents(t *testing.T) {
	table := start(t, configured(t.TempDir()))
	table.begin("red", "blue")
	table.must("red key plus")
	if e := table.Frame().Events; len(e) != 1 || e[0].N != 1 {
		t.Errorf("events %+v", e)
	}
	table.do("red key jump")
	if e := table.Frame().Events; len(e) != 0 {
		t.Errorf("a refusal shows %+v", e)
	}
	table.must("red undo")
	if e := table.Frame().Events; len(e) != 1 || e[0].Spoken != "Undone: Red counts 1" {
		t.Errorf("events %+v", e)
	}
}

// TestLogOfAMissingPart checks that a missing part is logged when it fails, when
// the reason changes, and hourly; and again when it fails after it has worked.
func TestLogOfAMissingPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		config := configured(t.TempDir())
		config.Log = LimitLog(slog.New(slog.NewTextHandler(&log, nil)))
		began := time.Now()
		table := start(t, config)
		table.Add(Part{Name: "keys", Source: runFunc(func(ctx context.Context, _ Emit) error {
			switch away := time.Since(began); {
			case away < 150*time.Minute:
				return errors.New("no chip")
			case away < 160*time.Minute:
				return errors.New("permission denied")
			case away < 161*time.Minute:
				Pause(ctx, 2*time.Minute) // it works for a while
				return errors.New("permission denied")
			}
			<-ctx.Done()
			return nil
		})})
		time.Sleep(4 * time.Hour)
		table.stop()
		want := []string{"no chip", "no chip attempts=1802", "no chip attempts=1800", "permission denied",
			"permission denied"}
		var got []string
		for line := range strings.Lines(log.String()) {
			if !strings.Contains(line, "source failed") {
				continue
			}
			_, reason, _ := strings.Cut(line, "error=")
			_, attempts, _ := strings.Cut(strings.TrimSpace(line), "attempts=")
			entry := strings.Trim(strings.Split(reason, " again=")[0], `"`)
			if attempts != "" {
				entry += " attempts=" + attempts
			}
			got = append(got, entry)
		}
		if !slices.Equal(got, want) {
			t.Errorf("logged %q, want %q\n%s", got, want, log.String())
		}
	})
}

// TestLogOfAReportedFailure checks that a part is logged, too, whose source keeps
// running and only reports that it does not work: a reader without its chip.
func TestLogOfAReportedFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		config := configured(t.TempDir())
		config.Log = LimitLog(slog.New(slog.NewTextHandler(&log, nil)))
		table := start(t, config)
		table.Add(Part{Name: "reader red", Source: runFunc(func(ctx context.Context, emit Emit) error {
			for began := time.Now(); ctx.Err() == nil; Pause(ctx, 10*time.Second) {
				report := engine.Part{Name: "reader red", Health: engine.Broken, Reason: "no chip"}
				if away := time.Since(began); away >= 90*time.Minute && away < 92*time.Minute {
					report = engine.Part{Name: "reader red", Health: engine.OK}
				}
				emit(Report{report})
			}
			return nil
		})})
		time.Sleep(2 * time.Hour)
		table.stop()
		var got []string
		for line := range strings.Lines(log.String()) {
			if _, what, ok := strings.Cut(line, `msg="part does not work" `); ok {
				got = append(got, strings.TrimSpace(what))
			}
		}
		want := []string{ // at first, after an hour, and after it worked
			`part="reader red" error="no chip"`, `part="reader red" error="no chip" attempts=360`,
			`part="reader red" error="no chip"`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("logged %q, want %q", got, want)
		}
	})
}

// TestLogOfARepeatedFailure checks that a part is logged once whose source fails, and
// reports that failure when it begins again: a strip on the network that is away.
func TestLogOfARepeatedFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		config := configured(t.TempDir())
		config.Log = LimitLog(slog.New(slog.NewTextHandler(&log, nil)))
		table := start(t, config)
		began := time.Now()
		var last error
		table.Add(Part{Name: "lights", Source: runFunc(func(ctx context.Context, emit Emit) error {
			if last != nil {
				emit(Report{engine.Part{Name: "lights", Health: engine.Broken, Err: last}})
			}
			if time.Since(began) >= 90*time.Minute && last != nil { // it works until it answers late, and no more
				emit(Report{engine.Part{Name: "lights", Health: engine.OK}})
				Pause(ctx, 20*time.Minute)
				if ctx.Err() != nil {
					return nil
				}
				emit(Report{engine.Part{Name: "lights", Health: engine.Degraded, Err: last}})
				Pause(ctx, 5*time.Second)
			}
			last = errors.New("no answer")
			return last
		})})
		time.Sleep(2 * time.Hour)
		table.stop()
		var got []string
		for line := range strings.Lines(log.String()) {
			if _, what, ok := strings.Cut(line, ` msg=`); ok {
				got = append(got, strings.TrimSpace(what))
			}
		}
		want := []string{
			`"source failed" part=lights error="no answer" again=500ms`,
			`"source failed" part=lights error="no answer" again=2s attempts=1802`,
			`"part does not work" part=lights error="no answer"`,
			`"source failed" part=lights error="no answer" again=500ms`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("logged %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// TestLogOfAChangingReason checks that a reason that differs at each attempt does
// not fill the log.
func TestLogOfAChangingReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		config := configured(t.TempDir())
		config.Log = LimitLog(slog.New(slog.NewTextHandler(&log, nil)))
		began := time.Now()
		table := start(t, config)
		table.Add(Part{Name: "panel", Source: runFunc(func(context.Context, Emit) error {
			return fmt.Errorf("it took %v only", time.Since(began))
		})})
		time.Sleep(10*time.Minute + time.Second)
		table.stop()
		if n := strings.Count(log.String(), "source failed"); n != 10 && n != 11 {
			t.Errorf("logged %d times in ten minutes", n)
		}
	})
}

// TestRemovedSource checks that a part that is removed has ended, that nothing is heard
// of it afterwards, and that another one can take its name.
func TestRemovedSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		source := func(ended *bool) Source {
			return runFunc(func(ctx context.Context, emit Emit) error {
				<-ctx.Done()
				time.Sleep(time.Second) // to close something
				if r := <-emit(Report{Part: engine.Part{Name: "reader", Health: engine.Broken}}); r.Outcome != engine.Accepted {
					t.Errorf("its report is answered by %+v", r)
				}
				*ended = true
				return nil
			})
		}
		for range 2 {
			ended := false
			table.Add(Part{Name: "reader", Source: source(&ended)})
			synctest.Wait()
			if health(table, "reader").Health != engine.OK {
				t.Error("it was not added")
			}
			if err := table.Remove(t.Context(), "reader"); err != nil || !ended {
				t.Errorf("ended %t, %v", ended, err)
			}
			synctest.Wait()
			if h := health(table, "reader"); h.Name != "" {
				t.Errorf("it still has health: %+v", h)
			}
		}
		if err := table.Remove(t.Context(), "reader"); err != nil {
			t.Errorf("removed again: %v", err)
		}
	})
}

// TestRemovedOutput checks that an output that is removed while it fails or hangs gets no more
// frames and has no health, and that another one of its name then gets the newest frame.
func TestRemovedOutput(t *testing.T) {
	for name, show := range map[string]showFunc{
		"works": func(context.Context, engine.Frame) error { return nil },
		"fails": func(context.Context, engine.Frame) error { return errors.New("no paper") },
		"hangs": func(ctx context.Context, _ engine.Frame) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				table := start(t, configured(t.TempDir()))
				var shows atomic.Int32
				table.Add(Part{Name: "panel", Output: showFunc(func(ctx context.Context, f engine.Frame) error {
					shows.Add(1)
					return show(ctx, f)
				})})
				time.Sleep(5 * time.Second) // some attempts
				before := shows.Load()
				began := time.Now()
				if err := table.Remove(t.Context(), "panel"); err != nil || before == 0 || time.Since(began) > 0 {
					t.Errorf("removed after %d frames and %v: %v", before, time.Since(began), err)
				}
				table.begin()
				time.Sleep(2 * showLimit)
				if n := shows.Load(); n != before {
					t.Errorf("it got %d frames after it was removed", n-before)
				}
				if h := health(table, "panel"); h.Name != "" {
					t.Errorf("it still has health: %+v", h)
				}
				var match engine.Null
				table.Add(Part{Name: "panel", Output: showFunc(func(_ context.Context, f engine.Frame) error {
					match = f.View.Match
					return nil
				})})
				synctest.Wait()
				if match == "" || health(table, "panel").Health != engine.OK {
					t.Errorf("the next one: match %q, %+v", match, health(table, "panel"))
				}
			})
		})
	}
}

// TestRemovedTooLate checks that a part that ends long after its removal leaves the health of
// a newer part of its name alone, and that its own is gone if there is none.
func TestRemovedTooLate(t *testing.T) {
	for _, again := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			table := start(t, configured(t.TempDir()))
			table.Add(Part{Name: "lights", Source: runFunc(func(ctx context.Context, emit Emit) error {
				<-ctx.Done()
				time.Sleep(time.Hour)
				return nil
			})})
			synctest.Wait()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := table.Remove(ctx, "lights"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("removed: %v", err)
			}
			synctest.Wait()
			if health(table, "lights").Name == "" {
				t.Error("it has no health although it has not ended")
			}
			if again {
				table.Add(Part{Name: "lights", Source: runFunc(func(ctx context.Context, _ Emit) error {
					<-ctx.Done()
					return nil
				})})
			}
			time.Sleep(2 * time.Hour)
			if has := health(table, "lights").Name != ""; has != again {
				t.Errorf("another of its name: %t, health: %t", again, has)
			}
		})
	}
}

// TestRemovedWhileBusy checks an output that hangs in Show when it is removed: the removal times
// out, as does a second one, and what the output says at last harms neither the status nor the
// next part of its name. A frame that waited for it is not shown.
func TestRemovedWhileBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		shows := 0
		table.Add(Part{Name: "panel", Output: showFunc(func(context.Context, engine.Frame) error {
			shows++
			time.Sleep(3 * time.Minute)
			return errors.New("the old one")
		})})
		synctest.Wait()
		table.begin() // a frame that waits
		for range 2 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if err := table.Remove(ctx, "panel"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("removed: %v", err)
			}
			cancel()
		}
		table.Add(Part{Name: "panel", Output: showFunc(func(context.Context, engine.Frame) error { return nil })})
		time.Sleep(time.Hour)
		if h := health(table, "panel"); shows != 1 || h.Health != engine.OK {
			t.Errorf("the old one was called %d times; the new one: %+v", shows, h)
		}
		if err := table.Remove(t.Context(), "panel"); err != nil {
			t.Errorf("the new one is removed: %v", err)
		}
	})
}

// TestAfterTheEnd checks that calls to a table that is switched off do not wait.
func TestAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		table.stop()
		began := time.Now()
		if err := table.Remove(t.Context(), "panel"); err != nil {
			t.Errorf("removed: %v", err)
		}
		now, results := table.Try(t.Context(), []engine.Input{{Verb: "tap"}})
		if now != "" || len(results) != 1 || results[0].Hash != "" {
			t.Errorf("tried: %q, %v", now, results)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("it took %v", took)
		}
	})
}

// TestNotices checks that the table's own notices come and go, on the empty table and in
// a match.
func TestNotices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		for _, playing := range []bool{false, true} {
			if playing {
				table.begin()
			}
			table.Notice("not-set-up", true)
			table.Notice("not-set-up", true)
			synctest.Wait()
			if v := table.Frame().View; !slices.Contains(v.Notices, "not-set-up") ||
				!strings.HasPrefix(v.Labels["notice.not-set-up"], "Nothing is set up yet") || len(v.Notices) > 1 {
				t.Errorf("got %v, %q", v.Notices, v.Labels["notice.not-set-up"])
			}
			table.Notice("not-set-up", false)
			synctest.Wait()
			if v := table.Frame().View; len(v.Notices) > 0 {
				t.Errorf("got %v", v.Notices)
			}
		}
	})
}

// A source that fails just when it counts as well again stays broken: "well" is never the last
// word.
func TestWellIsNotSaidAfterTheFailure(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			var said []engine.Health
			failed := 0
			source := runFunc(func(ctx context.Context, _ Emit) error {
				if failed++; failed == 3 {
					return nil
				}
				Pause(ctx, wellAfter)
				return errors.New("unplugged")
			})
			var mu sync.Mutex
			runSource(t.Context(), Part{Name: "reader", Source: source}, func(Signal) <-chan engine.Receipt { return nil },
				func(p engine.Part) {
					for range 10 { // a busy machine takes its time before it reports "well"
						if p.Health == engine.OK {
							runtime.Gosched()
						}
					}
					mu.Lock()
					defer mu.Unlock()
					said = append(said, p.Health)
				}, slog.New(slog.DiscardHandler))
			synctest.Wait()
			if said[len(said)-1] != engine.Broken {
				t.Fatalf("the source has failed, and is called %v", said)
			}
		})
	}
}
