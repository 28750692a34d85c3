package enginetest

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tableside/engine"
)

// maxClockInputs is the greatest number of inputs that Clock plays in a match.
const maxClockInputs = 600

// Clock checks the clock of random matches against a simple model. The matches have undo, redo
// and corrections. The model does not know about turns.
//
// In the model, the time of a seat runs between two inputs if the match waits for the seat. A
// stopped clock stops the model, too. An undo restores the model from before the input. Only
// the option clock-add may give a seat more time. It may do so at most once for each input,
// and never for a correction.
func Clock(t *testing.T, game engine.Game, setup engine.Setup) {
	t.Helper()
	options := map[string]string{"clock-minutes": "999", "clock-turn": "20", "clock-add": "7"}
	maps.Copy(options, setup.Options)
	setup.Options = options
	additions := int64(0)
	for seed := range uint64(3) {
		table, err := sit(game, setup, rand.New(rand.NewPCG(seed, 5)))
		if err != nil {
			t.Fatal(err)
		}
		k := &timekeeper{table: table, t: t, seed: seed, current: model{map[engine.Seat]time.Duration{}, true}}
		for range maxClockInputs {
			if k.isOver() {
				break
			}
			k.step()
		}
		for _, s := range k.view().Clock.Seats {
			additions += k.additions(s)
		}
	}
	if additions == 0 {
		t.Error("no turn has added to the time of a seat")
	}
}

// A timekeeper plays a match and keeps its time.
type timekeeper struct {
	*table
	t       testing.TB
	seed    uint64
	current model
	history []model        // the model just before each input in force
	undone  []engine.Input // what redo can repeat, the next one last
}

// A model holds the time that each seat has used, and whether the clock is stopped.
type model struct {
	used    map[engine.Seat]time.Duration
	stopped bool
}

// step plays one input and compares the match's clock with the model. If the input is refused,
// step compares nothing.
func (k *timekeeper) step() {
	k.t.Helper()
	in := k.input()
	was, last := *k.view(), k.match.Last()
	step, err := k.apply(in)
	if _, refused := engine.AsRefusal(err); refused {
		return
	}
	if err == nil {
		err = k.dealer.Follow(step)
	}
	if err != nil {
		k.fail("%q: %v", in.Command(), err)
	}
	switch in.Verb {
	case engine.Undo:
		end := len(k.history) - 1
		k.current, k.history = k.history[end], k.history[:end]
		k.undone = append(k.undone, step.Undone)
	case engine.Redo:
		end := len(k.undone) - 1
		in, k.undone = k.undone[end], k.undone[:end]
		k.followInput(in, step.Input.At-last, askedSeats(was))
	default:
		k.undone = nil
		k.followInput(in, step.Input.At-last, askedSeats(was))
	}
	k.compare(in, was.Clock)
}

// followInput applies an accepted input to the model. The argument elapsed is the time since
// the previous input. The asked seats have used this time.
func (k *timekeeper) followInput(in engine.Input, elapsed time.Duration, asked map[engine.Seat]bool) {
	k.current = k.current.advance(elapsed, asked)
	k.history = append(k.history, k.current)
	switch {
	case in.Verb != engine.Set:
		k.current.stopped = false
	case in.Arg(0) == "clock":
		k.current.stopped = in.Arg(1) == "stop"
	}
}

// input returns an answer to a prompt, or now and then another input.
func (k *timekeeper) input() engine.Input {
	seats := k.match.Setup().Seats
	set := func(args ...string) engine.Input {
		return engine.Input{Seat: seats[0].Seat, Verb: engine.Set, Args: args}
	}
	switch k.chance.IntN(24) {
	case 0, 1:
		return engine.Input{Seat: engine.Table, Verb: engine.Undo}
	case 2:
		return engine.Input{Seat: engine.Table, Verb: engine.Redo}
	case 3:
		return set("clock", "stop")
	case 4:
		return set("clock", "run")
	case 5:
		return set("name", "Alicia")
	case 6:
		in := set("turn", string(seats[k.chance.IntN(len(seats))].Seat))
		in.Seat = engine.Table
		return in
	}
	ends := func(in engine.Input) bool { return in.Verb == engine.Choose && in.Arg(0) == "end" }
	all := slices.DeleteFunc(k.realAnswers(), ends) // a tally would be over at once
	return all[k.chance.IntN(len(all))]
}

// askedSeats returns the seats whose time runs. After the end of the match, it returns no
// seats. If nobody has the turn, it returns every seat with a prompt. If a seat has the turn,
// it returns only the seat of the first prompt. If the first prompt is for the table, or if
// there is no prompt, it returns only the seat with the turn.
func askedSeats(v engine.View) map[engine.Seat]bool {
	seats := map[engine.Seat]bool{}
	if len(v.Winners) > 0 {
		return seats
	}
	if v.Turn == "" {
		for _, p := range v.Prompts {
			seats[p.Seat] = true
		}
		return seats
	}
	seat := engine.Seat(v.Turn)
	if len(v.Prompts) > 0 && v.Prompts[0].Seat != engine.Table {
		seat = v.Prompts[0].Seat
	}
	seats[seat] = true
	return seats
}

func (m model) advance(elapsed time.Duration, asked map[engine.Seat]bool) model {
	m.used = maps.Clone(m.used)
	if !m.stopped {
		for seat := range asked {
			m.used[seat] += elapsed
		}
	}
	return m
}

// compare compares the clock after an input with the model. It also compares the clock with
// the clock from before the input. This comparison checks the time that the input has added
// for each seat.
func (k *timekeeper) compare(in engine.Input, previous *engine.ClockView) {
	k.t.Helper()
	v := k.view()
	if v.Clock.Stopped != (k.current.stopped && len(v.Winners) == 0) {
		k.fail("%q: the clock is stopped: %v, want %v", in.Command(), v.Clock.Stopped, k.current.stopped)
	}
	for i, s := range v.Clock.Seats {
		want := k.current.used[s.Seat].Milliseconds()
		if s.Used != want {
			k.fail("%q: %s has used %d ms, want %d", in.Command(), s.Seat, s.Used, want)
		}
		if turn := 20_000 - *s.Turn; turn < 0 || turn > s.Used {
			k.fail("%q: %s has used %d ms of this turn and %d in all", in.Command(), s.Seat, turn, s.Used)
		}
		added := k.additions(s) - k.additions(previous.Seats[i])
		mine := len(v.Winners) == 0 && (v.Turn == "" || v.Turn == engine.Null(s.Seat))
		if in.Verb != engine.Undo && added != 0 && (added != 1 || !mine || in.Verb == engine.Set) {
			k.fail("%q: %d additions for %s in the turn of %q", in.Command(), added, s.Seat, v.Turn)
		}
	}
}

func (k *timekeeper) additions(s engine.ClockSeat) int64 {
	k.t.Helper()
	given := *s.Left + s.Used - 999*60_000
	if given < 0 || given%7000 != 0 {
		k.fail("%s has been given %d ms", s.Seat, given)
	}
	return given / 7000
}

func (k *timekeeper) fail(format string, args ...any) {
	k.t.Helper()
	k.t.Logf("seed %d, after\n%s", k.seed, k.inputs())
	k.t.Fatalf(format, args...)
}
