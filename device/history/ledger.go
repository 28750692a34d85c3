package history

import (
	"slices"
	"time"

	"tableside/engine"
)

// A ledger follows a match input by input, and counts turns and the figures of the game. If an
// undo takes an input back, the input no longer counts, but the time spent on it still counts.
type ledger struct {
	kinds     engine.Figures
	view      engine.View // after the newest input
	at        time.Duration
	turnTimes map[engine.Seat]time.Duration
	counter   string // by which the seats are compared
	pages     []page // one for the beginning, then one for each input in force
}

// A page holds the effects of one input.
type page struct {
	turn   engine.Seat // whose turn it is after the input
	lines  []figure
	values []int // of the counter, by seat
}

type figure struct {
	seat engine.Seat
	name string
	n    float64
}

// follow counts an input that the match has accepted. Its step is s, and m is the match after
// that step.
func (l *ledger) follow(m *engine.Match, s engine.Step) error {
	if len(l.pages) == 0 {
		begun, err := m.InitialState()
		if err != nil {
			return err
		}
		l.view, l.kinds = begun.View(), m.Game().Info().Figures
		l.counter, _ = l.view.Standings()
		l.pages = []page{{turn: engine.Seat(l.view.Turn), values: l.values()}}
	}
	before, elapsed := l.view, s.Input.At-l.at
	l.view, l.at = m.View(), s.Input.At
	if turn := engine.Seat(before.Turn); turn != "" && len(before.Winners) == 0 {
		l.turnTimes[turn] += elapsed
	}
	if s.Input.Verb == engine.Undo {
		l.pages = l.pages[:s.Position+1]
		return nil
	}
	p := page{turn: engine.Seat(l.view.Turn), values: l.values()}
	if l.kinds.Count != nil {
		l.kinds.Count(&before, elapsed, s.Events, func(seat engine.Seat, name string, n float64) {
			p.lines = append(p.lines, figure{seat, name, n})
		})
	}
	l.pages = append(l.pages, p)
	return nil
}

func (l *ledger) values() (values []int) {
	for _, s := range l.view.Seats {
		value, _ := s.Counters.Get(l.counter)
		values = append(values, value)
	}
	return values
}

// moments is of how many moments a race tells.
const moments = 10

// race returns the values of a seat's counter from the beginning to the end, or nil if there is no counter.
func (l *ledger) race(seat engine.Seat) (values []int) {
	i := slices.IndexFunc(l.view.Seats, func(s engine.SeatView) bool { return s.ID == seat })
	if i < 0 || l.counter == "" || len(l.pages) < moments {
		return nil
	}
	for n := range moments {
		values = append(values, l.pages[n*(len(l.pages)-1)/(moments-1)].values[i])
	}
	return values
}

func (l *ledger) first() engine.Seat {
	for _, p := range l.pages {
		if p.turn != "" && p.turn != engine.Table {
			return p.turn
		}
	}
	return ""
}

func (l *ledger) turns(seat engine.Seat) int {
	n, last := 0, engine.Seat("")
	for _, p := range l.pages {
		if p.turn == seat && last != seat {
			n++
		}
		last = p.turn
	}
	return n
}

// figures returns the figures that the game has counted for a seat. If it has counted none,
// figures returns nil.
func (l *ledger) figures(seat engine.Seat) map[string]float64 {
	var all map[string]float64
	for _, kind := range l.kinds.Kinds {
		for _, p := range l.pages {
			for _, f := range p.lines {
				if f.seat != seat || f.name != kind.Name {
					continue
				}
				if all == nil {
					all = map[string]float64{}
				}
				all[kind.Name] = kind.Join(all[kind.Name], f.n)
			}
		}
	}
	return all
}
