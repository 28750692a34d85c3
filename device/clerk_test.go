package device

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

// Another program holds the owner's folder: the table waits for it only once and not for long,
// says so, and the file gets what was entered at the table when the program lets go.
func TestLearnDoesNotStopTheTable(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		config := configured(dir)
		held := make(chan struct{})
		owner := ownerOf(dir)
		config.Learn = func(game string, defines []string) error {
			<-held // the lock of another program
			return owner.Learn(game, defines)
		}
		table := start(t, config)
		began := time.Now()
		for range 3 {
			table.begin("red")
			table.must("red set define owl")
			if r := table.order(engine.Order{Do: "abandon"}); r.Outcome != engine.Accepted {
				t.Errorf("abandon: %+v", r)
			}
		}
		if took := time.Since(began); took > syncLimit+time.Second {
			t.Errorf("three matches took %v", took)
		}
		if h := health(table, "definitions"); h.Health != engine.Broken || !strings.Contains(h.Reason, "no answer") {
			t.Errorf("health %+v", h)
		}
		close(held)
		synctest.Wait()
		if h := health(table, "definitions"); h.Health != engine.OK {
			t.Errorf("health %+v", h)
		}
		text, err := os.ReadFile(filepath.Join(dir, "cards", "count.txt"))
		if err != nil || !strings.Contains(string(text), "owl") {
			t.Errorf("%v: %s", err, text)
		}
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}

// The disk does not answer while a tag is learnt, cards are read and a journal is set aside: the
// players read so, and play goes on.
func TestOrdersOnADiskThatHangs(t *testing.T) {
	dir, path, whole := kept(t, 3)
	if err := os.WriteFile(path, append(whole, "9s red key plu\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		config := configured(dir)
		config.LearnTag = func(string, Meaning) (string, error) { <-gate; return "", nil }
		hang := false
		config.Definitions = func(string) ([]string, error) {
			if hang {
				<-gate
			}
			return []string{"card bat 2"}, nil
		}
		table := start(t, config)
		id := table.Frame().Status.Unfinish
		began := time.Now()
		r := table.order(engine.Order{Do: "learn", Tag: "04A1", Card: "count/zombie.1"})
		if r.Text.Key != "receipt.not-learnt" || !strings.Contains(r.Spoken, "no answer from the disk") {
			t.Errorf("learn: %+v", r)
		}
		r = table.order(engine.Order{Do: "learn", Tag: "04A2", Card: "count/zombie.2"})
		if r.Text.Key != "receipt.not-learnt" {
			t.Errorf("learn: %+v", r)
		}
		table.begin("red") // no tag stops a match
		table.must("red key plus")
		table.order(engine.Order{Do: "abandon"})
		hang = true
		if r := table.order(engine.Order{Do: "rematch"}); r.Outcome != engine.Accepted {
			t.Errorf("rematch: %+v", r)
		}
		data, _ := table.Journal("")
		if h := health(table, "definitions"); h.Health != engine.Degraded || !bytes.Contains(data, []byte("card bat 2")) {
			t.Errorf("health %+v, journal\n%s", h, data)
		}
		table.order(engine.Order{Do: "abandon"})
		if r := table.order(engine.Order{Do: "resume", Match: id}); r.Text.Key != "receipt.unreadable" {
			t.Errorf("resume: %+v", r)
		}
		if took := time.Since(began); took > 2*syncLimit+time.Second {
			t.Errorf("that took %v", took)
		}
		close(gate)
		synctest.Wait()
		if h := health(table, "definitions"); h.Health != engine.OK {
			t.Errorf("health %+v", h)
		}
		if r := table.order(engine.Order{Do: "resume", Match: id}); r.Text.Key != "receipt.partly-damaged" {
			t.Errorf("resume: %+v", r)
		}
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}

// The disk hangs before the owner's cards were ever read: a game that has none begins all the same.
func TestFirstMatchOnADiskThatHangs(t *testing.T) {
	boxed := struct {
		countGame
		lineBox
	}{}
	for _, test := range []struct {
		game engine.Game
		want engine.Outcome
	}{{countGame{}, engine.Accepted}, {boxed, engine.Refused}} {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			gate := make(chan struct{})
			config := configured(dir)
			config.Games = []engine.Game{test.game}
			config.Definitions = func(string) ([]string, error) { <-gate; return nil, nil }
			table := start(t, config)
			setup := engine.Setup{Game: "count/plain", Seats: []engine.Player{{Seat: "red"}}}
			if r := table.order(engine.Order{Do: "begin", Setup: setup}); r.Outcome != test.want {
				t.Errorf("%T: %+v", test.game, r)
			}
			close(gate)
			if err := table.stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// What one order waits for the disk has one limit, and the next order waits as long again.
func TestOneOrderWaitsOnce(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		config := configured(dir)
		slow := func() (bool, error) { time.Sleep(syncLimit - time.Second); return true, nil }
		config.Definitions = func(string) ([]string, error) { _, err := slow(); return nil, err }
		table := start(t, config)
		for range 2 {
			table.begin("red")
			if h := health(table, "definitions"); h.Health != "" {
				t.Errorf("health %+v", h)
			}
			table.order(engine.Order{Do: "abandon"})
		}
		began := time.Now()
		answered := make(chan error, 2)
		<-table.post(func(l *loop, _ time.Time) engine.Receipt {
			for range 2 {
				_, err := ask(&l.clerk, slow)
				answered <- err
			}
			return engine.Receipt{Outcome: engine.Accepted}
		})
		if took := time.Since(began); took != syncLimit || <-answered != nil || <-answered == nil {
			t.Errorf("an order that asks twice took %v", took)
		}
		time.Sleep(syncLimit) // the clerk ends
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}

// A disk that fails is tried again every few seconds, however many inputs come, and the log has
// one line about it. When there is room again, the status says so within seconds.
func TestSickDisk(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		disk, config := &faultyDisk{}, configured(dir)
		config.Log = LimitLog(slog.New(slog.NewTextHandler(&log, nil)))
		table := start(t, config, disk.into)
		table.begin("red")
		for _, fault := range []struct {
			err   error
			tries int // in 10 s of inputs, after the disk has failed for a minute
		}{{syscall.EIO, 5}, {syscall.ENOSPC, 5}} {
			log.Reset()
			disk.set(func(d *faultyDisk) { d.syncErr = fault.err })
			table.must("red key plus")
			time.Sleep(time.Minute)
			disk.set(func(d *faultyDisk) { d.syncs = 0 })
			for range 40 {
				time.Sleep(time.Second / 4)
				table.must("red key plus")
			}
			if n := disk.count(); n < 2 || n > fault.tries {
				t.Errorf("%v: %d attempts", fault.err, n)
			}
			if n := strings.Count(log.String(), "journal is not being kept"); n != 1 {
				t.Errorf("%v: %d lines:\n%s", fault.err, n, log.String())
			}
			disk.set(func(d *faultyDisk) { d.syncErr = nil })
			if fault.err == syscall.EIO {
				table.must("red key plus") // brings about an attempt
			}
			time.Sleep(inputRetryWait)
			synctest.Wait()
			if s := table.Frame().Status; !s.Keeping || len(lines(t, table, "")) != table.Frame().View.Seq {
				t.Errorf("%v: status %+v", fault.err, s)
			}
			time.Sleep(2 * time.Minute) // the next failure is another one
		}
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}

// Another file takes the name of the journal of the match on the table. The next match is kept,
// and the status says so. What is missing of the first is kept beside the other file.
func TestNextMatchIsKept(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(dir))
		table.begin("red")
		first := string(table.Frame().View.Match)
		path := table.store.path(first)
		if err := os.Rename(path, path+"-away"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("another\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		table.must("red key plus", "red key plus")
		if s := table.Frame().Status; s.Keeping {
			t.Errorf("status %+v", s)
		}
		table.order(engine.Order{Do: "abandon"})
		table.begin("red")
		table.must("red key plus")
		s := table.Frame().Status
		part := health(table, "journal")
		if !s.Keeping || part.Health != engine.Degraded || !strings.Contains(part.Reason, first) {
			t.Errorf("status %+v", s)
		}
		time.Sleep(maxRetryWait)
		synctest.Wait()
		if part := health(table, "journal"); part.Health != engine.OK {
			t.Errorf("health %+v", part)
		}
		aside, err := os.ReadFile(path + ".aside-1")
		if err != nil || strings.Count(string(aside), "red key plus") != 2 ||
			!strings.Contains(string(aside), "end abandoned") {
			t.Errorf("%v:\n%s", err, aside)
		}
		if other, err := os.ReadFile(path); err != nil || string(other) != "another\n" {
			t.Errorf("the other file: %v, %q", err, other)
		}
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}
