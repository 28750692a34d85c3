package history

import (
	"cmp"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tableside/engine"
)

const suffix = ".journal"

// The two folders with journals.
const (
	kept = iota
	deleted
)

func (h *History) folder(kind int) string {
	if kind == deleted {
		return filepath.Join(h.data, "matches", "deleted")
	}
	return filepath.Join(h.data, "matches")
}

func (h *History) file(which int, id string) string { return filepath.Join(h.folder(which), id+suffix) }

// parallel calls a function with each number from 0 to n-1. It makes the calls on all
// processors, and waits for all of them.
func parallel(n int, do func(int)) {
	var work sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), n) {
		work.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	work.Wait()
}

func blank(id string) Entry {
	match, table, _ := strings.Cut(id, tableSeparator)
	return Entry{ID: id, Table: table, State: "damaged", Begin: engine.BeginOf(match), Seats: []Player{}}
}

// sum sums up a journal. The function checkLimits, if it is not nil, is called before every
// line. If it returns an error, the replay ends there.
func sum(id string, data []byte, games []engine.Game, checkLimits func() error) Entry {
	e, l := blank(id), &ledger{turnTimes: map[engine.Seat]time.Duration{}}
	r, err := fold(games, id, data, checkLimits, l.follow)
	if r.Journal == nil && engine.Unbegun(data) {
		e.State = ""
	}
	if r.Journal != nil {
		setup := r.Journal.Setup
		e.Game, e.Options, e.Begin, e.First = setup.Game, setup.Options, setup.Begin, setup.First
		e.Preset, e.Again = cmp.Or(setup.Preset, presetOf(games, setup)), setup.After != ""
		for i, p := range setup.Seats {
			e.Seats = append(e.Seats, Player{Seat: p.Seat, Name: p.Name, Colour: engine.Colour(p.Seat, i),
				Computer: setup.Computer[p.Seat]})
		}
	}
	why := func(lang engine.Lang) string { return engine.SayFault(err, engine.Find(games, e.Game), lang) }
	if err == nil {
		e.stand(r.Match, l)
		why = r.Reason
	}
	if err != nil || r.Stop != nil {
		e.Reason, e.French = why(engine.English), why(engine.French)
	}
	switch {
	case r.Journal == nil:
	case r.Journal.End != nil && !r.damaged: // whether today's rules agree does not matter
		e.State = r.Journal.End.State
		if e.Reason != "" {
			e.recordWinners(r.Journal.End.Winners)
		}
	case e.Reason != "": // damaged
	case len(e.Winners()) > 0:
		e.State = "finished"
	default:
		e.State = "unfinished"
	}
	return e
}

// presetOf returns the preset that a match was, by its options, for journals that do not say it:
// the one that most of the chosen options are. If two are as near, the result is "". One or two
// plain options, such as a target of 10, name no game.
func presetOf(games []engine.Game, setup engine.Setup) (name string) {
	game := engine.Find(games, setup.Game)
	if game == nil {
		return ""
	}
	info, chosen, most := game.Info(), 0, 0
	for _, o := range info.Options {
		if cmp.Or(setup.Options[o.Name], o.Default) != o.Default {
			chosen++
		}
	}
	for _, p := range info.Presets {
		differs := func(o engine.Option) bool {
			want, has := p.Options[o.Name]
			has = has && (!o.Newer || setup.Options[o.Name] != "")
			return has && want != cmp.Or(setup.Options[o.Name], o.Default)
		}
		switch n := len(p.Options); {
		case n < most || 2*n <= chosen || !tellsGame(p.Options) || slices.ContainsFunc(info.Options, differs):
		case n == most:
			name = ""
		default:
			name, most = p.Name, n
		}
	}
	return name
}

func tellsGame(options map[string]string) bool {
	for _, value := range options {
		if strings.ContainsAny(value, " ,") { // a list, such as the rows of a sheet
			return true
		}
	}
	return len(options) > 2
}

// recordWinners records the winners that a journal names. It is for a match that cannot be
// replayed to its end with today's rules. Places, scores and turns of such a match are
// unknown, and so recordWinners removes them.
func (e *Entry) recordWinners(winners []engine.Seat) {
	e.Counter, e.Low = "", false
	for i := range e.Seats {
		p := &e.Seats[i]
		*p = Player{Seat: p.Seat, Name: p.Name, Colour: p.Colour, Team: p.Team, Won: slices.Contains(winners, p.Seat),
			Computer: p.Computer}
	}
}

func (e *Entry) stand(match *engine.Match, l *ledger) {
	view := match.View()
	counter, seats := view.Standings()
	e.Inputs, e.Round, e.Seconds, e.Counter = match.Seq(), view.Round, int(match.Last()/time.Second), counter
	if e.First = cmp.Or(e.First, l.first()); !match.Begins() {
		e.First = "" // it was drawn all the same
	}
	sheet := view.Sheet
	e.Low = sheet != nil && sheet.Low
	e.Seats = e.Seats[:0]
	for _, s := range seats {
		p := Player{Seat: s.Seat, Name: s.Name, Colour: s.Colour, Team: teamOf(sheet, s.Seat), Rank: s.Rank,
			Won: s.Won, Value: s.Value, Turns: l.turns(s.Seat), Turned: l.turnTimes[s.Seat].Seconds(),
			Figures: l.figures(s.Seat), Race: l.race(s.Seat), Computer: match.Setup().Computer[s.Seat]}
		e.Seats = append(e.Seats, p)
	}
}

func teamOf(sheet *engine.Sheet, seat engine.Seat) int {
	if sheet == nil {
		return 0
	}
	return 1 + slices.IndexFunc(sheet.Columns, func(team []engine.Seat) bool {
		return len(team) > 1 && slices.Contains(team, seat)
	})
}
