package host

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/device"
	"tableside/device/disk"
	"tableside/device/history"
	"tableside/engine"
)

// showEndDelay is how long a shown match stays on the table after its end.
const showEndDelay = 8 * time.Second

// A Shown is a match for the empty table to play, with what is said at some of its inputs.
type Shown struct {
	Setup    engine.Setup
	Lines    []engine.Line
	captions map[int]map[engine.Lang]string // by the number of the line
}

// ParseShown parses a journal. A comment before an input, such as "# en: Max attacks", says in a
// language what happens from there on.
func ParseShown(name string, data []byte) (*Shown, error) {
	journal, err := engine.ParseJournal(name, data)
	if err != nil {
		return nil, err
	}
	s := &Shown{Setup: journal.Setup, Lines: journal.Lines, captions: map[int]map[engine.Lang]string{}}
	_, body, _ := strings.Cut(string(data), "\nbegin ")
	_, body, _ = strings.Cut(body, "\n")
	n := 0
	for line := range strings.Lines(body) {
		comment, isComment := strings.CutPrefix(strings.TrimSpace(line), "# ")
		if !isComment {
			if strings.TrimSpace(line) != "" {
				n++
			}
			continue
		}
		if s.captions[n] == nil {
			s.captions[n] = map[engine.Lang]string{}
		}
		lang, text, _ := strings.Cut(comment, ": ")
		s.captions[n][engine.Lang(lang)] = text
	}
	return s, nil
}

// Captions returns what is said at the line with this number, by language.
func (s *Shown) Captions(line int) map[engine.Lang]string { return s.captions[line] }

// A show plays a journal into the empty table, for somebody who wants to see how a match goes.
// When the show ends, the table is empty again. The show then leaves no journal, unless
// somebody has played in its match.
type show struct {
	mu      sync.Mutex
	task    *task // nil: none
	playing bool  // false as soon as the match is to be put away
	said    map[engine.Lang]string
}

// Playing reports whether a show plays. When the show ends, Playing reports false before the
// table shows the frame without the match.
func (s *show) Playing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.playing
}

func (s *show) caption(lang engine.Lang) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said[lang]
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

// startShow begins a show of a game with a title such as "mutants", and returns the receipt for the
// beginning of its match. If another show plays, or if a match is on the table or waits to be
// continued, the receipt is a refusal.
func (h *Host) startShow(ctx context.Context, title string) engine.Receipt {
	h.show.mu.Lock()
	f, shown := h.table.Frame(), h.Shows[title]
	if shown == nil || h.show.task != nil || f.View.Match != "" || f.Status.Unfinish != "" {
		h.show.mu.Unlock()
		return engine.Receipt{Outcome: engine.Refused, Seat: engine.Table, Text: engine.T("receipt.playing")}
	}
	begun := make(chan engine.Receipt, 1)
	h.show.playing, h.show.said = true, nil
	h.show.task = start(context.WithoutCancel(ctx), "show", func(ctx context.Context) error {
		h.playShow(ctx, shown, begun)
		return nil
	})
	h.show.mu.Unlock()
	return <-begun
}

// playShow begins the match of the show, and sends the receipt for this beginning to the
// channel. It plays the lines at their own times, until somebody stops the show or plays
// something else. Then it takes the match off the table. If nobody has played in the match,
// playShow also removes the journal.
func (h *Host) playShow(ctx context.Context, shown *Shown, begun chan<- engine.Receipt) {
	receipt := h.table.Do(ctx, engine.Order{Do: "begin", Setup: shown.Setup, AsIs: true})
	id, isBegun := string(h.table.Frame().View.Match), receipt.Outcome == engine.Accepted
	begun <- receipt
	if isBegun {
		h.playLines(ctx, id, shown)
	}
	h.show.mu.Lock()
	h.show.playing = false // before the frame of the empty table
	h.show.mu.Unlock()
	if isBegun {
		// Refused if somebody has begun another match after this one was won.
		h.table.Do(context.WithoutCancel(ctx), engine.Order{Do: "abandon", Match: id})
		if !h.shows(id) {
			if err := h.discardShow(context.WithoutCancel(ctx), id, shown.Lines); err != nil {
				h.Log.Error("the match that was shown could not be removed", "match", id, "error", err)
			}
		}
	}
	h.show.mu.Lock()
	h.show.task = nil // until here, stop waits for an empty table
	h.show.mu.Unlock()
}

func (h *Host) playLines(ctx context.Context, id string, shown *Shown) {
	began := time.Now()
	var last time.Duration
	for n, line := range shown.Lines {
		last = line.Input.At
		device.Pause(ctx, time.Until(began.Add(last)))
		if ctx.Err() != nil {
			return
		}
		if said := shown.Captions(n); said != nil {
			h.show.mu.Lock()
			h.show.said = said // before the frame of this input
			h.show.mu.Unlock()
		}
		// Somebody may have played, or put the match away by other means.
		if !h.shows(id) || h.table.Play(ctx, line.Input).Outcome != engine.Accepted {
			return
		}
	}
	for down := began.Add(last + showEndDelay); h.shows(id) && time.Now().Before(down); {
		device.Pause(ctx, min(time.Until(down), time.Second/4))
		if ctx.Err() != nil {
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

func (h *Host) order(ctx context.Context, o engine.Order) engine.Receipt {
	h.show.stop()
	return h.table.Do(ctx, o)
}
