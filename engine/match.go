package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Match folds a list of inputs into a state, with undo and redo. One goroutine
// owns it.
type Match struct {
	game    Game
	begin   func() (State, error) // returns the state before the first input
	info    Info
	setup   Setup
	state   State
	done    []Input  // in force, oldest first
	deeds   []deed   // of each input in done
	learned []string // Event.Define of all of them
	undone  []Input  // taken back; the last one is the next to redo
	players []Player // names as they are now
	seq     int
	last    time.Duration
	refused *Input  // the last input, if yes may override its refusal
	shown   *View   // of the last input, until View has returned it; nil: it has to be made
	torn    bool    // the state is half changed: a fold after an error has failed
	clock   clock   // as of the last input
	clocks  []clock // the clock just before each input in force; none without limits
}

// NewMatch begins a match. If Info.Complete does not accept the setup, NewMatch returns a
// *SetupError. It also returns any error of the game's method New.
func NewMatch(game Game, setup Setup) (*Match, error) {
	info := game.Info()
	setup, err := info.Complete(setup)
	if err != nil {
		return nil, err
	}
	m := &Match{game: game, info: info, setup: setup}
	if m.begin, err = game.New(setup); err != nil {
		return nil, err
	}
	if err := m.fold(); err != nil {
		return nil, err
	}
	if m.clock.limits = limitsOf(setup); m.clock.enabled() {
		m.clock = newClock(m.clock.limits, setup.Seats, m.state)
	}
	return m, nil
}

// Game returns the game that is played.
func (m *Match) Game() Game { return m.game }

// Setup returns the completed setup, the head of the journal.
func (m *Match) Setup() Setup { return m.setup }

// Words returns the texts of the match.
func (m *Match) Words() Words {
	all := Merge(CoreWords(), m.info.Words)
	if s, ok := m.state.(Speaker); ok {
		all = Merge(all, s.Words())
	}
	return all
}

// Seq returns the number of accepted inputs, undo and redo included.
func (m *Match) Seq() int { return m.seq }

// Last returns the time of the last accepted input.
func (m *Match) Last() time.Duration { return m.last }

// Inputs returns the inputs in force, without those that were undone.
func (m *Match) Inputs() []Input { return slices.Clone(m.done) }

// Position returns the number of inputs in force, that is, without those that were undone.
func (m *Match) Position() int { return len(m.done) }

// Over reports whether the match has winners.
func (m *Match) Over() bool { return len(m.state.View().Winners) > 0 }

// A Step holds an accepted input and its results.
type Step struct {
	Input    Input   // to journal; for a yes that confirms a refused input, that input with Anyway
	Events   []Event // the next Apply may reuse them
	Position int     // the number of inputs in force after it
	Undone   Input   // the input that an undo took back; zero for any other verb
}

// Apply applies the next input. If the key "yes" directly follows a refusal with Override,
// Apply applies the refused input instead. The key must come from the same seat or from the
// table. After a *Refusal or any other error, the match is unchanged.
func (m *Match) Apply(in Input) (Step, error) {
	in, err := m.prepare(in)
	m.refused, m.shown = nil, nil
	if err != nil {
		return Step{}, err
	}
	if m.torn && in.Verb != Undo { // an undo may take back the input that no longer folds
		if err := m.fold(); err != nil {
			return Step{}, err
		}
	}
	s := Step{Input: in}
	switch in.Verb {
	case Undo:
		s.Events, s.Undone, err = m.undo(in)
	case Redo:
		s.Events, err = m.redo(in)
	default:
		s.Events, err = m.apply(in)
	}
	if err != nil {
		if r, ok := AsRefusal(err); ok && r.Override && !in.Confirmed() {
			m.refused = &in
		}
		return Step{}, err
	}
	m.seq++
	m.last = in.At
	s.Position = len(m.done)
	for i := range s.Events {
		s.Events[i].Seq, s.Events[i].Position = m.seq, s.Position
	}
	return s, nil
}

// Try returns the view to which an input would lead, without changing the match. For an undo,
// a redo or an input that Apply would not accept, Try returns an error. Try takes as long as
// an undo, because it folds a match of its own.
func (m *Match) Try(in Input) (View, error) {
	if in.Verb == Undo || in.Verb == Redo {
		return View{}, Refuse("refusal.unreadable")
	}
	trial := *m
	if err := trial.fold(); err != nil {
		return View{}, err
	}
	if _, err := trial.Apply(in); err != nil {
		return View{}, err
	}
	return trial.View(), nil
}

// A Trial is what an input would do.
type Trial struct {
	Hash  string       // of the view to which it leads, whatever its number; "" if it is refused
	Gains map[Seat]int // by how much it changes the counter that decides who wins
	Why   Text         // it is refused
}

// Foresee tries an input, as Try does.
func (m *Match) Foresee(in Input) Trial {
	in.At = m.Last()
	now := m.View()
	v, err := m.Try(in)
	if r, refused := AsRefusal(err); refused {
		return Trial{Why: r.Text}
	}
	if err != nil {
		return Trial{}
	}
	v.Seq = 0
	t, counter := Trial{Hash: v.Hash(), Gains: map[Seat]int{}}, counterOf(&v)
	before, after := valuesOf(&now, counter), valuesOf(&v, counter)
	for _, s := range v.Seats {
		t.Gains[s.ID] = after[s.ID] - before[s.ID]
	}
	return t
}

// prepare returns the input that the rules get for a given one, or the refusal of an input that
// they need not see.
func (m *Match) prepare(in Input) (Input, error) {
	if in.Seat != Table && !m.setup.Has(in.Seat) {
		return in, Refuse("refusal.no-such-seat", "name", in.Seat)
	}
	if r := m.refused; r != nil && in.Verb == Key && in.Arg(0) == "yes" && (in.Seat == r.Seat || in.Seat == Table) {
		at := in.At
		in = *r
		in.At, in.Args = at, append(slices.Clone(in.Args), Anyway)
	}
	in, err := normaliseInput(in, m.last)
	if err == nil && in.Verb == Key && !slices.Contains(Keys, in.Arg(0)) {
		err = Refuse("refusal.no-such-key", "name", in.Arg(0), "known", strings.Join(Keys, ", "))
	}
	return in, err
}

// normaliseInput returns the input as the journal will give it back. If the input could not be
// read back from the journal, normaliseInput refuses it. The time of an input never runs
// backwards or out of bounds, even if the clock jumps. A clock without a battery may jump.
func normaliseInput(in Input, last time.Duration) (Input, error) {
	in.At = min(max(in.At.Round(time.Millisecond), last), maxAt)
	again, err := ParseInput(in.String())
	if err != nil || again.Seat != in.Seat || again.Verb != in.Verb || !slices.Equal(again.Args, in.Args) {
		return in, Refuse("refusal.unreadable")
	}
	return again, nil
}

func (m *Match) apply(in Input) ([]Event, error) {
	if err := m.checkClock(in); err != nil {
		return nil, err
	}
	events, v, err := m.show(in)
	if err != nil {
		return nil, err
	}
	m.appendDone(in, in.At, events, v)
	m.undone = m.undone[:0]
	return events, nil
}

// appendDone adds an input to the inputs in force, with what m.show has returned for it. It also
// needs the present match time. For a redo, this is later than the time in the input.
func (m *Match) appendDone(in Input, now time.Duration, events []Event, v *View) {
	m.done, m.deeds = append(m.done, in), append(m.deeds, m.deedOf(events))
	if m.clock.enabled() {
		before := m.clock.advance(now)
		m.clocks = append(m.clocks, before)
		m.clock = before.follow(in, v, m.state)
	}
}

// undo carries out an undo. It takes back the newest input in force. It returns the events of
// the undo, and the input that was taken back.
func (m *Match) undo(in Input) (events []Event, taken Input, err error) {
	if len(m.done) == 0 {
		return nil, Input{}, Refuse("refusal.nothing-to-undo")
	}
	last := len(m.done) - 1
	taken, m.done = m.done[last], m.done[:last]
	if err := m.fold(); err != nil {
		m.done = append(m.done, taken)
		return nil, Input{}, err
	}
	m.undone = append(m.undone, taken)
	events = []Event{{Name: EventUndo, Seat: in.Seat, Other: taken.Seat, Deed: m.deeds[last].first}}
	m.learned, m.deeds = m.learned[:m.deeds[last].learned], m.deeds[:last]
	if m.clock.enabled() { // the time since that input is given back
		m.clock, m.clocks = m.clocks[last], m.clocks[:last]
		m.clock.at = in.At
	}
	return events, taken, nil
}

// A deed holds what is needed later of the events of an input.
type deed struct {
	first   *Event // an undo names the input by it; nil if the input had no events
	learned int    // the length of Match.learned before it
}

func (m *Match) deedOf(events []Event) deed {
	d := deed{learned: len(m.learned)}
	if len(events) > 0 {
		first := events[0]
		d.first = &first
	}
	for _, e := range events {
		if e.Define != "" {
			m.learned = append(m.learned, e.Define)
		}
	}
	return d
}

func (m *Match) redo(in Input) ([]Event, error) {
	if len(m.undone) == 0 {
		return nil, Refuse("refusal.nothing-to-redo")
	}
	again := m.undone[len(m.undone)-1]
	events, v, err := m.show(again)
	if err != nil {
		return nil, fmt.Errorf("engine: redo %q: %w", again.Command(), err)
	}
	m.appendDone(again, in.At, events, v)
	m.undone = m.undone[:len(m.undone)-1]
	return append([]Event{{Name: EventRedo, Seat: in.Seat, Other: again.Seat}}, events...), nil
}

// step applies one input to the state, to the names or to the clock. If the game panics, step
// returns an error.
func (m *Match) step(in Input) (events []Event, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("engine: %s: panic in the rules after %q: %v", m.info.Name, in.Command(), p)
		}
	}()
	if in.Verb == Set && in.Arg(0) == "name" {
		return m.rename(in)
	}
	if m.clock.enabled() && isClockCorrection(in) {
		return clockEvents(in), nil
	}
	return m.state.Apply(in)
}

// show applies one input to the state and returns the view. An input that breaks the view must
// not reach the journal, because there it would stop every restart. After any error, the state is
// folded again.
func (m *Match) show(in Input) ([]Event, *View, error) {
	events, err := m.step(in)
	var v View
	if err == nil {
		v, err = m.viewAfter(in)
	}
	if err == nil {
		m.shown = &v
		return events, &v, nil
	}
	if refold := m.fold(); refold != nil {
		m.torn = true
		err = fmt.Errorf("engine: after %q failed (%v) fold again: %w", in.Command(), err, refold)
	}
	return nil, nil, err
}

func (m *Match) viewAfter(in Input) (v View, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("engine: %s: panic in the view after %q: %v", m.info.Name, in.Command(), p)
		}
	}()
	return m.state.View(), nil
}

func (m *Match) rename(in Input) ([]Event, error) {
	i := slices.IndexFunc(m.players, func(p Player) bool { return p.Seat == in.Seat })
	if i < 0 || len(in.Args) != 2 || in.Args[1] == "" || len([]rune(in.Args[1])) > 24 {
		return nil, Refuse("refusal.name")
	}
	m.players[i].Name = in.Args[1]
	return []Event{{Name: "renamed", Seat: in.Seat}}, nil
}

// fold rebuilds the state from the inputs in force. On an error, the match
// keeps its state.
func (m *Match) fold() error {
	rebuilt := *m
	var err error
	if rebuilt.state, err = m.begin(); err != nil {
		return err
	}
	rebuilt.players = slices.Clone(m.setup.Seats)
	for _, in := range m.done {
		if _, err := rebuilt.step(in); err != nil {
			return fmt.Errorf("engine: fold %q again: %v", in.String(), err) // not %w: a bug, not a refusal
		}
	}
	m.state, m.players, m.torn = rebuilt.state, rebuilt.players, false
	return nil
}

// InitialState returns the state before the first input, from which a simulated
// table deals its cards.
func (m *Match) InitialState() (State, error) { return m.begin() }

// Again returns a function that folds the inputs now in force into a new state. Any goroutine may call it.
func (m *Match) Again() func() (State, error) {
	now := *m
	now.done = slices.Clone(m.done)
	return func() (State, error) {
		again := now
		err := again.fold()
		return again.state, err
	}
}

// State returns the current state. It must not be changed.
func (m *Match) State() State { return m.state }

// View returns the current view. Its texts are not in a language yet: see Words.SpeakView.
func (m *Match) View() View {
	var v View
	if m.shown != nil { // once: who gets a view may change it
		v, m.shown = *m.shown, nil
	} else {
		v = m.state.View()
	}
	v.Schema = SchemaVersion
	v.Match = Null(m.setup.MatchID())
	v.Seq = m.seq
	v.Game, v.Preset = Null(m.info.Name), m.setup.Preset
	v.Clock = m.clock.view()
	for i := range v.Seats {
		s := &v.Seats[i]
		at := slices.IndexFunc(m.players, func(p Player) bool { return p.Seat == s.ID })
		if at >= 0 {
			s.Name = m.players[at].Name
		}
		s.Colour = Colour(s.ID, i)
	}
	return v.complete()
}
