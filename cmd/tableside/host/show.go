package host

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device/disk"
	"tableside/device/history"
	"tableside/engine"
)

// showEndDelay is how long a shown match stays on the table after its end.
const showEndDelay = 8 * time.Second

// A show plays a journal into the empty table, for somebody who wants to see how a match goes.
// When the show ends, the table is empty again. The show then leaves no journal, unless
// somebody has played in its match.
type show struct {
	mu      sync.Mutex
	task    *task // nil: none
	playing bool  // false as soon as the match is to be put away
}

// Playing reports whether a show plays. When the show ends, Playing reports false before the
// table shows the frame without the match.
func (s *show) Playing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.playing
}

// stop ends the show and waits until the table is empty. If no show plays, it does nothing.
func (s *show) stop() {
	s.mu.Lock()
	t := s.task
	s.mu.Unlock()
	if t != nil {
		_ = t.stop() // play returns no error
	}
}

// startShow begins a show, and returns the receipt for the beginning of its match. If another
// show plays, or if a match is on the table or waits to be continued, the receipt is a
// refusal.
func (h *Host) startShow(ctx context.Context) engine.Receipt {
	h.show.mu.Lock()
	f := h.table.Frame()
	if h.show.task != nil || f.View.Match != "" || f.Status.Unfinish != "" {
		h.show.mu.Unlock()
		return engine.Receipt{Outcome: engine.Refused, Seat: engine.Table, Text: engine.T("receipt.playing")}
	}
	begun := make(chan engine.Receipt, 1)
	h.show.playing = true
	h.show.task = start(context.WithoutCancel(ctx), "show", func(ctx context.Context) error {
		h.playShow(ctx, begun)
		return nil
	})
	h.show.mu.Unlock()
	return <-begun
}

// playShow begins the match of the show, and sends the receipt for this beginning to the
// channel. It plays the lines at their own times, until somebody stops the show or plays
// something else. Then it takes the match off the table. If nobody has played in the match,
// playShow also removes the journal.
func (h *Host) playShow(ctx context.Context, begun chan<- engine.Receipt) {
	journal, err := h.Show()
	receipt := engine.Receipt{Outcome: engine.Failed, Seat: engine.Table}
	if err != nil {
		receipt.Text = engine.T("receipt.setup", "reason", config.Reason(err))
	} else {
		receipt = h.table.Do(ctx, engine.Order{Do: "begin", Setup: journal.Setup, AsIs: true})
	}
	id, isBegun := string(h.table.Frame().View.Match), receipt.Outcome == engine.Accepted
	begun <- receipt
	if isBegun {
		h.playLines(ctx, id, journal.Lines)
	}
	h.show.mu.Lock()
	h.show.playing = false // before the frame of the empty table
	h.show.mu.Unlock()
	if isBegun {
		// Refused if somebody has begun another match after this one was won.
		h.table.Do(context.WithoutCancel(ctx), engine.Order{Do: "abandon", Match: id})
		if !h.shows(id) {
			if err := h.discardShow(context.WithoutCancel(ctx), id, journal.Lines); err != nil {
				h.Log.Error("the match that was shown could not be removed", "match", id, "error", err)
			}
		}
	}
	h.show.mu.Lock()
	h.show.task = nil // until here, stop waits for an empty table
	h.show.mu.Unlock()
}

func (h *Host) playLines(ctx context.Context, id string, lines []engine.Line) {
	began := time.Now()
	var last time.Duration
	for _, line := range lines {
		if line.Mark != nil {
			continue
		}
		last = line.Input.At
		if !pause(ctx, time.Until(began.Add(last))) {
			return
		}
		// Somebody may have played, or put the match away by other means.
		if !h.shows(id) || h.table.Play(ctx, line.Input).Outcome != engine.Accepted {
			return
		}
	}
	for down := began.Add(last + showEndDelay); h.shows(id) && time.Now().Before(down); {
		if !pause(ctx, min(time.Until(down), time.Second/4)) {
			return
		}
	}
}

func (h *Host) shows(id string) bool { return string(h.table.Frame().View.Match) == id }

// discardShow removes the journal of a show whose match has been taken off the table. The
// second argument holds the lines of the show. If the journal also has other inputs, somebody
// has played in the match, and the journal stays. If the table may still write to the journal,
// discardShow fails.
func (h *Host) discardShow(ctx context.Context, id string, lines []engine.Line) error {
	return h.table.Rewrite(ctx, id, func(bool) error {
		data, err := h.table.Journal(id)
		if err != nil {
			return err
		}
		journal, err := engine.ParseJournal(id, data)
		if err != nil {
			return err
		}
		played, shows := inputs(journal.Lines), inputs(lines)
		if len(played) > len(shows) || !slices.Equal(played, shows[:len(played)]) {
			return history.ErrUnchanged // somebody has played in it
		}
		file := filepath.Join(h.Config.Table.Data, "matches", id+".journal")
		if err := os.Remove(file); err != nil {
			return err
		}
		return disk.SyncFolder(filepath.Dir(file))
	})
}

func inputs(lines []engine.Line) (all []string) {
	for _, line := range lines {
		if line.Mark == nil {
			all = append(all, line.Input.String())
		}
	}
	return all
}

// pause waits for the given time and reports true. If the context ends earlier, pause reports
// false at once.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func (h *Host) order(ctx context.Context, o engine.Order) engine.Receipt {
	h.show.stop()
	return h.table.Do(ctx, o)
}
