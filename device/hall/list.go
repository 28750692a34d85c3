package hall

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"tableside/engine"
)

// A List holds the state of the hall, and the tables that changed since an earlier version of
// the list.
type List struct {
	At        time.Time `json:"at"`            // by the hall's clock
	Listening bool      `json:"listening"`     // whether the hall hears the tables
	Since     time.Time `json:"since"`         // when Listening became what it is
	Why       string    `json:"why,omitempty"` // why the hall does not hear them
	Keeps     bool      `json:"keeps"`         // whether the hall has the matches that were played
	Aside     Aside     `json:"aside"`         // the messages that the hall did not accept
	Tables    []Table   `json:"tables"`        // by their names
	Left      []string  `json:"left"`          // tables that were forgotten
}

// A Table describes one table: whether it is there, and its newest state.
type Table struct {
	Name    string        `json:"table"`
	Here    bool          `json:"here"`    // whether it is believed to be there
	Heard   *time.Time    `json:"heard"`   // when it was last heard; null: not since the hall began
	Call    *time.Time    `json:"call"`    // since when its people call for help; null: they do not
	Ahead   int           `json:"ahead"`   // seconds by which its clock is ahead of the hall's; 0 below a minute
	Known   bool          `json:"known"`   // whether a state of it has arrived
	Match   engine.Null   `json:"match"`   // null without a match
	Seq     int           `json:"seq"`     // of the state
	Game    engine.Null   `json:"game"`    // "tally/score"
	Title   string        `json:"title"`   // of the game, in the table's language
	Round   int           `json:"round"`   // 0 if they are not counted
	Rounds  int           `json:"rounds"`  // how many the match has; 0 if no round is the last
	Score   string        `json:"score"`   // what the seats' scores are called; "" without scores
	Seats   []Seat        `json:"seats"`   // clockwise
	Asked   []Question    `json:"asked"`   // in the order in which they are asked
	Since   *time.Time    `json:"since"`   // when the hall first saw these seats asked; null: none is
	Longer  bool          `json:"longer"`  // they may have been asked before that
	Winners []engine.Seat `json:"winners"` // empty until the end
	Health  []engine.Part `json:"health"`  // of each part
}

// A Seat is a player's place.
type Seat struct {
	ID     engine.Seat `json:"id"`
	Name   string      `json:"name"`
	Colour string      `json:"colour"`
	Score  *int        `json:"score"` // null without one
}

// A Question is a prompt to a seat.
type Question struct {
	Seat engine.Seat `json:"seat"`
	Text string      `json:"text"`
}

// List returns what has changed since a version of the list, and the number of the present
// version. If version is 0, List returns everything.
func (h *Hall) List(version int) (List, int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := List{At: h.cfg.Now().UTC(), Listening: h.listening, Since: h.since.UTC(), Why: h.trouble, Keeps: h.cfg.Keeps,
		Aside:  h.asideCount,
		Tables: []Table{}, Left: []string{}}
	for _, name := range slices.Sorted(maps.Keys(h.tables)) {
		if t := h.tables[name]; t.version > version {
			l.Tables = append(l.Tables, t.entry())
		}
	}
	if version > 0 {
		for _, name := range slices.Sorted(maps.Keys(h.forgotten)) {
			if h.forgotten[name] > version {
				l.Left = append(l.Left, name)
			}
		}
	}
	return l, h.version
}

// entry returns a table's entry in the list.
func (t *table) entry() Table {
	e := Table{Name: t.name, Here: !t.gone, Ahead: int(t.clockDifference() / time.Second),
		Seats: []Seat{}, Asked: []Question{}, Winners: []engine.Seat{}, Health: t.parts()}
	if !t.lastHeard.IsZero() {
		e.Heard = new(t.lastHeard.UTC())
	}
	if !t.callSince.IsZero() {
		e.Call = new(t.callSince.UTC())
	}
	v := t.view
	if v == nil {
		return e
	}
	e.Known = true
	e.Match, e.Seq, e.Game, e.Title, e.Round, e.Rounds = v.Match, v.Seq, v.Game, v.Title, v.Round, v.Rounds
	score := scoreOf(v)
	if score != "" {
		e.Score = cmp.Or(v.Labels["counter."+score], strings.ReplaceAll(score, "-", " "))
	}
	for _, s := range v.Seats {
		seat := Seat{ID: s.ID, Name: s.Name, Colour: s.Colour}
		if n, ok := s.Counters.Get(score); ok {
			seat.Score = &n
		}
		e.Seats = append(e.Seats, seat)
	}
	for _, p := range v.Prompts {
		if !p.May {
			e.Asked = append(e.Asked, Question{p.Seat, p.Text})
		}
	}
	if len(e.Asked) > 0 {
		e.Since, e.Longer = new(t.askedSince.UTC()), t.askedBefore
	}
	e.Winners = append(e.Winners, v.Winners...)
	return e
}

// scoreOf returns the name of the counter that displays show first. If a seat has the counter
// "score", this is the result. Otherwise it is the first counter of the first seat that has a
// counter. If no seat has one, the result is "".
func scoreOf(v *engine.View) string {
	first := ""
	for _, s := range v.Seats {
		if _, ok := s.Counters.Get("score"); ok {
			return "score"
		}
		if first == "" && len(s.Counters) > 0 {
			first = s.Counters[0].Name
		}
	}
	return first
}

func (t *table) parts() []engine.Part {
	parts := []engine.Part{}
	for _, name := range slices.Sorted(maps.Keys(t.health)) {
		parts = append(parts, t.health[name].Part)
	}
	return parts
}

// frame returns a frame with a table's newest state, so that displays can draw it. If the
// table has no state yet, or is nil, frame returns nil.
func (h *Hall) frame(t *table) *engine.Frame {
	if t == nil || t.view == nil {
		return nil
	}
	f := &engine.Frame{View: *t.view, MadeAt: t.madeAt(), Status: engine.Status{Health: t.parts()}}
	if c := f.View.Clock; c != nil {
		clock := *c
		clock.At = time.Time{} // displays count from MadeAt
		f.View.Clock = &clock
	}
	if t.gone || !h.listening {
		f.Status.Away, f.Status.Heard = true, t.lastHeard.UTC()
	}
	return f
}
