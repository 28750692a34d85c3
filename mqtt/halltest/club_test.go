package halltest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"tableside/device/evening"
	"tableside/device/hall"
	"tableside/device/history"
	"tableside/engine"
	"tableside/engine/tally"
	"tableside/mqtt"
)

// A club is a hall with the watcher and the archive that "tableside hall" has, without a page.
// It notes what it is told.
type club struct {
	testing.TB
	hall *hall.Hall
	past *history.History // nil: it keeps no matches
	book *evening.Book    // of a hall that keeps matches
	tell *mqtt.Watcher
	stop func()

	mu       sync.Mutex
	away     map[string]time.Time // since when tables are called gone
	gone     []absence            // those that ended
	states   time.Time            // when the last state came
	gap      time.Duration        // the longest time without a state of any table
	statuses map[string]int       // how often tables' statuses came
}

// An absence is a time in which a table was called gone.
type absence struct {
	table    string
	from, to time.Time
}

// openClub starts a hall whose first broker is a node.
func (c *cluster) openClub(first int, keeps bool) *club {
	c.Helper()
	h := &club{TB: c, away: map[string]time.Time{}, statuses: map[string]int{}}
	var watcher *mqtt.Watcher
	h.hall = hall.New(hall.Config{Show: func(string, *engine.Frame) {}, Changed: h.changed, Keeps: keeps,
		Missed: func() { watcher.Missed() }})
	heard := mqtt.WatchHandlers{Listening: h.hall.Listening, Round: h.hall.Round, State: h.state, Status: h.status,
		Alive: h.hall.Alive, Call: h.hall.Call, Health: h.hall.Health, Aside: h.hall.Aside}
	log := c.log("hall")
	run := []func(context.Context) error{func(ctx context.Context) error { h.hall.Run(ctx); return nil }}
	if keeps {
		h.past, h.book = history.New(c.TempDir(), tally.Games()), c.openBook()
		archive := hall.NewArchive(hall.ArchiveConfig{
			History: h.past, Games: tally.Games(),
			Free: func() (uint64, error) { return 1 << 40, nil }, Aside: h.hall.Aside, Log: log,
			Answer: func(table, match, digest, refused string) error {
				return watcher.Acknowledge(table, match, digest, refused)
			},
			Kept: h.counts,
		})
		heard.Journal = archive.Offered
		run = append(run, func(ctx context.Context) error { archive.Run(ctx); return nil })
	}
	var err error
	watcher, err = mqtt.NewWatcher(mqtt.Config{Brokers: c.brokers(first), User: "hall", Password: "hall-secret", Hall: "club",
		Log: log}, heard)
	if err != nil {
		c.Fatal(err)
	}
	h.tell = watcher
	h.stop = c.background(append(run, func(ctx context.Context) error { watcher.Run(ctx); return nil })...)
	return h
}

func (h *club) state(table string, v *engine.View, kept bool) {
	h.mu.Lock()
	if now := time.Now(); !kept {
		if !h.states.IsZero() {
			h.gap = max(h.gap, now.Sub(h.states))
		}
		h.states = now
	}
	h.mu.Unlock()
	h.hall.State(table, v, kept)
}

func (h *club) said(status string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.statuses[status]
}

func (h *club) ungap() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gap, h.states = 0, time.Time{}
}

func (h *club) longestGap() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.gap.Round(10 * time.Millisecond)
}

func (h *club) status(table, status string) {
	h.mu.Lock()
	h.statuses[status]++
	h.mu.Unlock()
	h.hall.Status(table, status)
}

// changed notes who is called gone.
func (h *club) changed() {
	list, _ := h.hall.List(0)
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range list.Tables {
		switch from, away := h.away[t.Name]; {
		case !t.Here && !away:
			h.away[t.Name] = time.Now()
		case t.Here && away:
			h.gone = append(h.gone, absence{t.Name, from, time.Now()})
			delete(h.away, t.Name)
		}
	}
}

// follows waits until a hall shows every table as it is, and has heard each after a moment, but
// not past a limit. It returns when that was so.
func (h *club) follows(tables []*table, since, limit time.Time) time.Time {
	h.Helper()
	for {
		wrong := h.differs(tables, since)
		if wrong == "" {
			return time.Now()
		}
		if time.Now().After(limit) {
			h.Fatalf("the hall shows %s", wrong)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// differs returns how a hall differs from the tables, or "".
func (h *club) differs(tables []*table, since time.Time) string {
	list, _ := h.hall.List(0)
	if !list.Listening {
		return "nothing: it does not listen"
	}
	known := map[string]hall.Table{}
	for _, e := range list.Tables {
		known[e.Name] = e
	}
	for _, t := range tables {
		v, e := t.Frame().View, known[t.name]
		switch {
		case !e.Here || e.Match != v.Match || e.Seq != v.Seq || !slices.Equal(e.Winners, v.Winners):
			return fmt.Sprintf("%+v, want seq %d of %s", e, v.Seq, v.Match)
		case !since.IsZero() && (e.Heard == nil || e.Heard.Before(since)):
			return fmt.Sprintf("%+v, not heard since %s", e, since)
		}
	}
	return ""
}

// calledGone waits until a hall calls a table gone, but not past a limit.
func (h *club) calledGone(t *table, limit time.Time) time.Time {
	h.Helper()
	for {
		h.mu.Lock()
		from, away := h.away[t.name]
		h.mu.Unlock()
		if away {
			return from
		}
		if time.Now().After(limit) {
			h.Fatalf("the dead table %s is believed to be there", t.name)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// calledNobody checks that a hall has called none of the tables gone later than a moment.
func (h *club) calledNobody(tables []*table, after time.Time) {
	h.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	all := slices.Clone(h.gone)
	for name, from := range h.away {
		all = append(all, absence{name, from, time.Now()})
	}
	for _, a := range all {
		if a.to.After(after) && slices.ContainsFunc(tables, func(t *table) bool { return t.name == a.table }) {
			h.Errorf("%s was called gone for %s, until %s after that", a.table, a.to.Sub(a.from), a.to.Sub(after))
		}
	}
}

// keeps waits until a hall has every match of the tables that is over, once and as it ended,
// but not past a limit.
func (h *club) keeps(tables []*table, limit time.Time) (n int) {
	h.Helper()
	for _, t := range tables {
		want := t.results(h)
		for got := results(h, h.past, t.name); !slices.Equal(got, want); got = results(h, h.past, t.name) {
			if time.Now().After(limit) {
				h.Fatalf("of %s the hall has\n%q, want\n%q", t.name, got, want)
			}
			time.Sleep(100 * time.Millisecond)
		}
		n += len(want)
	}
	return n
}
