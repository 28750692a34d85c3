// Package hall holds what is known of all tables of a broker.
//
// A [Hall] is told what tables publish, and keeps the newest state of each table. Messages may
// arrive in any order and more than once. The Hall knows neither the protocol of the broker
// nor the page. A last will, which the broker publishes for a table that it has lost, does not
// make the table count as gone. Only silence does.
//
// A [Sender] offers the matches of a table to a hall, and an [Archive] keeps them there.
package hall

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"tableside/engine"
)

const (
	// silenceLimit is how long nothing may come from a table before it counts as gone. A table
	// gives a sign of life every 10 s. A hall notices within 20 s that its own network has
	// failed; until then no table must count as gone.
	silenceLimit = 45 * time.Second

	// maxTables and maxParts limit what strangers can make a hall keep.
	maxTables = 4096
	maxParts  = 64
)

// Config connects a Hall to a page. Show and Changed are called one at a time. They must not
// block, and must not call methods that change the Hall.
type Config struct {
	// Show takes the newest frame of a table; nil if there is none, as for a forgotten table.
	Show func(table string, f *engine.Frame)
	// Changed is called after every change of the list.
	Changed func()
	// Missed is called when a sign of life names a newer state than the one that came, and
	// again and again while that state does not come. Several goroutines may call it at the
	// same time. nil means that nobody can ask for the state.
	Missed func()

	Keeps bool // for the list: the hall has the matches that were played

	Now func() time.Time // nil means the system's clock
}

// A Hall holds the newest state of every table.
type Hall struct {
	cfg Config

	changeMu sync.Mutex // held while a change is made and shown, so that frames stay in order

	mu         sync.Mutex
	tables     map[string]*table
	forgotten  map[string]int // tables, each with the version at which it was forgotten
	version    int            // counts the changes
	listening  bool
	since      time.Time // when listening began or ended
	trouble    string    // why it does not hear the tables; "" if nothing is known
	lastHeard  time.Time // when any table was last heard
	asideCount Aside
	round      int // counts the times that the broker has sent all that it keeps
}

// New returns a hall that knows no table and does not listen yet.
func New(cfg Config) *Hall {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Hall{cfg: cfg, tables: map[string]*table{}, forgotten: map[string]int{}, since: cfg.Now()}
}

// Run notices tables that fall silent, until the context ends.
func (h *Hall) Run(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.Review()
		}
	}
}

// Listening tells the hall whether it hears the tables. While it does not hear them, no
// further table is marked as gone, and no state is shown as the newest.
//
// A hall that stops hearing the tables has probably heard nobody for some time before. In this
// time it may have marked tables as gone that were still there. Listening therefore removes
// this mark from each table that was marked after the last message from any table.
func (h *Hall) Listening(hears bool) {
	h.changeMu.Lock()
	defer h.changeMu.Unlock()
	h.mu.Lock()
	if h.listening == hears {
		h.mu.Unlock()
		return
	}
	h.listening, h.since = hears, h.cfg.Now()
	h.version++
	for _, t := range h.tables {
		if !hears && t.gone && t.goneAt.After(h.lastHeard) { // more likely the hall heard nobody any more
			t.gone, t.version = false, h.version
		}
	}
	frames := map[string]*engine.Frame{}
	for name, t := range h.tables {
		if t.view != nil {
			frames[name] = h.frame(t)
		}
	}
	h.mu.Unlock()
	for name, f := range frames {
		h.cfg.Show(name, f)
	}
	h.cfg.Changed()
}

// Trouble tells the hall the reason for which it does not hear the tables. An empty reason
// means that nothing is wrong.
func (h *Hall) Trouble(why string) {
	h.change("", func(*table) bool {
		changed := h.trouble != why
		h.trouble = why
		return changed
	})
}

// State receives the state of a table, or nil if the broker no longer retains a state. kept
// says that the broker had retained this state. Such a state may be old.
func (h *Hall) State(name string, v *engine.View, kept bool) {
	h.change(name, func(t *table) bool {
		if v == nil {
			shown := t.view != nil
			t.view, t.olderView = nil, nil
			return shown
		}
		// A table that gives signs of life counts as there only by them: a bridge that
		// connects again delivers what it kept as if it were new.
		back := !kept && !t.sign.received && h.hear(t)
		switch {
		case kept && t.view != nil && reflect.DeepEqual(v, t.view):
			return false
		case !t.isCurrent(v, kept):
			t.olderView = v
			return back
		}
		h.take(t, v, kept)
		return true
	})
}

// Alive receives a table's sign of life. The sign names the match and the seq of the table's
// newest state. at is the table's time, or zero if the table does not tell it.
func (h *Hall) Alive(name string, match engine.Null, seq int, at time.Time) {
	missed := false
	h.change(name, func(t *table) bool {
		back, s := h.hear(t), sign{true, match, seq}
		ahead := t.clockDifference()
		t.compareClock(at, h.cfg.Now())
		again := t.sign == s && !t.viewNewer
		t.sign, t.viewNewer = s, false
		// The table has resumed an older match, or this one without its last inputs. In the
		// second case two signs of life must say so, as one sign may be late.
		resumed := t.view != nil && t.olderView != nil && s.fits(t.olderView) &&
			(t.view.Match != match || again && t.view.Seq > seq)
		if resumed {
			older := t.olderView
			t.olderView = t.view
			h.take(t, older, false)
		}
		missed = h.listening && t.isBehind()
		return back || resumed || t.clockDifference() != ahead
	})
	h.ask(missed)
}

// Ahead returns by how much the clock of a table is ahead of the hall's. If the clock is
// behind, the result is negative. If they differ by less than a minute, or if the difference is
// not known, the result is 0.
func (h *Hall) Ahead(name string) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.tables[name]
	if t == nil {
		return 0
	}
	return t.clockDifference()
}

func (h *Hall) ask(missed bool) {
	if missed && h.cfg.Missed != nil {
		h.cfg.Missed()
	}
}

// Status receives the status of a table, or "" if the broker no longer retains a status. A
// status shows that there is such a table. It does not show that the table is still running.
func (h *Hall) Status(name, status string) {
	h.change(name, func(t *table) bool {
		changed := t.status != status
		t.status, t.statusRound = status, h.round
		return changed
	})
}

// Call receives the time at which the people at a table called for help. If they do not call
// for help, the time is zero.
func (h *Hall) Call(name string, since time.Time) {
	h.change(name, func(t *table) bool {
		changed := !t.callSince.Equal(since)
		t.callSince, t.callRound = since, h.round
		return changed
	})
}

// Health receives the health of a part of a table. If the field Health is empty, the table no
// longer has the part. If the table already has maxParts parts, a new part is ignored.
func (h *Hall) Health(name string, p engine.Part) {
	h.change(name, func(t *table) bool {
		old, ok := t.health[p.Name]
		switch {
		case !ok && (p.Health == "" || len(t.health) >= maxParts):
			return false
		case p.Health == "":
			delete(t.health, p.Name)
		default:
			t.health[p.Name] = part{p, h.round}
		}
		return old.Part != p
	})
}

// Round ends a round. In a round the broker sends everything that it retains. Round drops each
// health, each status and each call for help that has not come again since the previous round
// began. Such a message was cleared while the hall was away. A state is never dropped, because
// the broker may have lost its memory.
func (h *Hall) Round() {
	h.mu.Lock()
	names := slices.Sorted(maps.Keys(h.tables))
	h.mu.Unlock()
	for _, name := range names {
		h.change(name, func(t *table) bool {
			before := len(t.health)
			maps.DeleteFunc(t.health, func(_ string, p part) bool { return p.round < h.round-1 })
			cleared := t.status != "" && t.statusRound < h.round-1
			if cleared {
				t.status = ""
			}
			quiet := !t.callSince.IsZero() && t.callRound < h.round-1
			if quiet {
				t.callSince = time.Time{}
			}
			return cleared || quiet || len(t.health) < before
		})
	}
	h.mu.Lock()
	h.round++
	h.mu.Unlock()
}

// change lets the function f change a table. If name is "", f gets nil and changes the hall
// itself. If f reports that something is different, change notifies the page.
func (h *Hall) change(name string, f func(*table) bool) {
	h.changeMu.Lock()
	defer h.changeMu.Unlock()
	h.mu.Lock()
	t, known := h.tables[name]
	if !known && name != "" {
		t = &table{name: name, health: map[string]part{}}
	}
	before := viewOf(t)
	if !f(t) || !known && t.empty() {
		h.mu.Unlock()
		return
	}
	h.version++
	if !known && t != nil && len(h.tables) >= maxTables && !h.makeRoom() {
		h.setAside(name, "there are too many tables")
		h.mu.Unlock()
		h.cfg.Changed()
		return
	}
	if t != nil {
		h.keep(t)
	}
	frame, shows := h.frame(t), before != nil || viewOf(t) != nil
	h.mu.Unlock()
	if shows {
		h.cfg.Show(name, frame)
	}
	h.cfg.Changed()
}

// Review finds the tables that have fallen silent, and asks for the states that never came.
func (h *Hall) Review() {
	h.mu.Lock()
	var silent []string
	missed := false
	for _, name := range slices.Sorted(maps.Keys(h.tables)) {
		t := h.tables[name]
		if !t.gone && h.isSilent(t) {
			silent = append(silent, name)
		}
		missed = missed || h.listening && t.isBehind()
	}
	h.mu.Unlock()
	h.ask(missed)
	for _, name := range silent {
		h.change(name, func(t *table) bool {
			gone := h.isSilent(t)
			t.gone, t.goneAt = gone, h.cfg.Now()
			return gone
		})
	}
}

// isSilent reports whether the hall listens, but has heard nothing of a table for too long.
// The time before the hall began to listen does not count.
func (h *Hall) isSilent(t *table) bool {
	last := t.lastHeard
	if h.since.After(last) {
		last = h.since
	}
	return h.listening && h.cfg.Now().Sub(last) > silenceLimit
}

// hear records that a table is there. It reports whether this is news: the table had been
// gone, or had never been heard before.
func (h *Hall) hear(t *table) (back bool) {
	back = t.gone || t.lastHeard.IsZero()
	h.lastHeard = h.cfg.Now()
	t.lastHeard, t.gone = h.lastHeard, false
	return back
}

// take records a state as the newest state of a table.
func (h *Hall) take(t *table, v *engine.View, kept bool) {
	if first := t.view == nil; first || !slices.Equal(askedOf(t.view), askedOf(v)) || t.view.Match != v.Match {
		t.askedSince, t.askedBefore = h.cfg.Now(), first || kept
	}
	t.view, t.viewNewer, t.viewTime = v, !kept || t.sign.fits(v), h.cfg.Now()
	t.clockTime = time.Time{}
	if kept && v.Clock != nil {
		t.clockTime = v.Clock.At
	}
}
