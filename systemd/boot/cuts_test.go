//go:build boot

package boot

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tableside/engine"
)

// short boots only the daemon and what it needs: each masked unit would be one
// more program for the slow emulated processor. USB is loaded early.
var short = "systemd.unit=tableside.service modules_load=xhci_pci,ftdi_sio systemd.mask=" + strings.Join([]string{
	"dev-hugepages.mount", "dev-mqueue.mount", "sys-fs-fuse-connections.mount", "sys-kernel-config.mount",
	"sys-kernel-debug.mount", "sys-kernel-tracing.mount", "modprobe@configfs.service", "modprobe@drm.service",
	"modprobe@efi_pstore.service", "modprobe@fuse.service",
}, " systemd.mask=")

// TestCuts cuts the power many times in the middle of a match: everything shown
// by MQTT or on the page before a cut must be in the match after it. The test
// continues where an earlier run stopped. With LYING it runs on a copy of the
// machine whose disk drops flushes, and must fail.
func TestCuts(t *testing.T) {
	f := openFiles(t)
	wanted, err := strconv.Atoi(os.Getenv("TABLESIDE_CUTS"))
	if err != nil || wanted < 1 {
		t.Fatalf("CUTS is %q, want a number from 1", os.Getenv("TABLESIDE_CUTS"))
	}
	if os.Getenv("TABLESIDE_LYING") != "" {
		f.lie(t)
	}
	p := f.load(t)
	if p.Seen == 0 {
		t.Fatalf("no match waits on %s: TestWhole has to pass first", f.disk)
	}
	for p.Cuts < wanted && !t.Failed() {
		t.Run(strconv.Itoa(p.Cuts+1), func(t *testing.T) { f.cut(t, &p) })
	}
	if t.Failed() {
		t.Fatalf("the disk is left as it is: %s", f.disk)
	}
	t.Run("last", func(t *testing.T) { f.last(t, &p) })
	if !t.Failed() {
		t.Logf("%d cuts, %d inputs seen, 0 lost: %d by tags; the disks took %d writes and %d flushes, "+
			"and of the sectors not yet flushed %d were kept and %d lost; %d s",
			p.Cuts, p.Seen, p.Red, p.Writes, p.Flushes, p.Kept, p.Lost, p.Seconds)
	}
}

// cut boots, checks that nothing is lost, plays on and cuts the power.
func (f *files) cut(t *testing.T, p *progress) {
	chance := rand.New(rand.NewPCG(rand.Uint64(), 0))
	m := f.boot(t, "cut", f.disk, virt, short)
	w := m.watch(5 * time.Minute)
	w.compare(p)
	m.log("%d inputs are there, %d of them were seen", w.last().Seq, p.Seen)

	m.looks(w)
	ctx, cancel := context.WithCancel(t.Context())
	var players sync.WaitGroup
	tapped, sent := make(chan bool), make(chan bool)
	players.Go(func() { m.tapOn(ctx, w, tapped) })
	players.Go(func() { m.sendOn(ctx, w, sent) })
	players.Go(func() {
		for ctx.Err() == nil {
			_, _ = w.look() // until the power is cut
		}
	})
	for name, first := range map[string]chan bool{"a tag": tapped, "an input by MQTT": sent} {
		select {
		case <-first:
		case <-time.After(3 * time.Minute):
			cancel()
			m.off()
			players.Wait()
			t.Fatalf("%s: nothing came of it; see %s", name, m.console)
		}
	}
	<-time.After(time.Duration(chance.Int64N(int64(8 * time.Second)))) // a random moment
	counts := m.cut(chance)
	cancel()
	players.Wait()
	w.paho.Disconnect(0)
	p.Seen, p.Red, p.Blue = w.seen()
	p.Cuts++
	p.Writes += counts.Writes
	p.Flushes += counts.Flushes
	p.Kept += counts.Kept
	p.Lost += counts.Lost
	p.Seconds += int(time.Since(m.begun).Seconds())
	f.save(t, *p)
	m.log("cut %d: %d inputs were seen, %d by tags; %+v", p.Cuts, p.Seen, p.Red, counts)
}

// last checks the result of the last cut with other programs too: this machine's
// tableside replays the journal, and e2fsck checks the disk.
func (f *files) last(t *testing.T, p *progress) {
	m := f.boot(t, "last", f.disk, virt, short)
	w := m.watch(5 * time.Minute)
	journal := w.compare(p)
	m.ready(time.Minute)
	m.quick() // by the rule alone: no package is installed in this boot
	m.shutDown()
	tool(t, "e2fsck", "-fn", f.disk)

	path := filepath.Join(f.folder, "match.journal")
	if err := os.WriteFile(path, journal, 0o644); err != nil {
		t.Fatal(err)
	}
	tool(t, "go", "run", "tableside/cmd/tableside", "replay", path, "--strict")
}

var (
	redPlus  = regexp.MustCompile(`^\S+ red key plus( |$)`)
	blueSets = regexp.MustCompile(`^\S+ blue set score (\d+)( |$)`)
)

// compare fails the test if the match lacks something that was seen. It returns
// the journal.
func (w *watcher) compare(p *progress) []byte {
	w.Helper()
	w.until("the match", time.Minute, func(v engine.View) bool { return v.Match != "" })
	v, err := w.look()
	if err != nil {
		w.Fatal(err)
	}
	if red, blue := score(v, "red"), score(v, "blue"); v.Seq < p.Seen || red < p.Red || blue < p.Blue {
		w.Errorf("LOST: got %d inputs, red with %d, blue with %d; seen were %d, %d and %d",
			v.Seq, red, blue, p.Seen, p.Red, p.Blue)
	}
	journal, err := w.get("/api/journal")
	if err != nil {
		w.Fatal(err)
	}
	red, blue := 0, 0
	for line := range strings.Lines(string(journal)) {
		line = strings.TrimSpace(line)
		if redPlus.MatchString(line) {
			red++
		}
		if found := blueSets.FindStringSubmatch(line); found != nil {
			if blue++; found[1] != strconv.Itoa(blue) {
				w.Fatalf("LOST: the journal has %q where blue's input %d belongs", line, blue)
			}
		}
	}
	if red < p.Red || blue < p.Blue {
		w.Errorf("LOST: the journal has %d inputs by tags and %d by MQTT; seen were %d and %d", red, blue, p.Red, p.Blue)
	}
	if w.Failed() { // nothing is played on it, and nothing that was seen is forgotten
		w.FailNow()
	}
	return journal
}

// tapOn lays tags on the reader, one after another, until the power is cut.
func (m *machine) tapOn(ctx context.Context, w *watcher, first chan<- bool) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		before := score(w.last(), "red")
		n := m.tag()
		m.field.Put(n)
		for ctx.Err() == nil && score(w.last(), "red") == before {
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
		m.field.Take(n)
		if first != nil && ctx.Err() == nil {
			close(first)
			first = nil
		}
	}
}

// sendOn sends inputs by MQTT until the power is cut. Each is different: it sets
// blue's score to one more than before.
func (m *machine) sendOn(ctx context.Context, w *watcher, first chan<- bool) {
	for n := score(w.last(), "blue") + 1; ctx.Err() == nil; n++ {
		id := fmt.Sprint("blue-", n)
		a, err := w.send(ctx, "input", id, fmt.Sprintf(`{"id":%q,"input":"blue set score %d"}`, id, n))
		if err != nil {
			if ctx.Err() == nil && !m.dark.Load() {
				m.Errorf("%v; see %s", err, m.console)
			}
			return
		}
		if a.Outcome != engine.Accepted {
			m.Errorf("blue set score %d: %s: %s", n, a.Outcome, a.Spoken)
			return
		}
		w.mu.Lock()
		w.score["blue"] = max(w.score["blue"], n)
		w.mu.Unlock()
		if first != nil {
			close(first)
			first = nil
		}
	}
}
