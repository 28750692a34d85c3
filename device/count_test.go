package device

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"tableside/engine"
)

// countGame is the smallest game that does everything a table must cope with.
// Another step changes its rules, so that old journals do not replay.
type countGame struct {
	step  int
	lifts bool
	finds bool   // whether its rules decide who begins
	name  string // "" for count/plain
}

const countWords = `
[game.count]
en = Counting
fr = Compter
[event.counted]
en = {seat} counts {n}
fr = {seat} compte {n}
[event.played]
en = {seat} plays {card}
fr = {seat} joue {card}
[prompt.count]
en = Count
fr = Comptez
[prompt.pick]
en = {seat} picks
fr = {seat} choisit
[refusal.below]
en = There is nothing below zero
fr = Rien sous zéro
[refusal.elsewhere]
en = That card is elsewhere
fr = Cette carte est ailleurs
[card.zombie]
en = Zombie
fr = Zombie
[option.target.help]
en = How far
fr = Jusqu'où
`

func (g countGame) Info() engine.Info {
	name := g.name
	if name == "" {
		name = "count/plain"
	}
	return engine.Info{
		Name: name, Rules: 1, MinSeats: 1, MaxSeats: 3, Lifts: g.lifts, FindsFirst: g.finds,
		Words: engine.MustWords("count", countWords),
		Options: []engine.Option{
			{Name: "target", Default: "1000000", Values: []string{"3", "1000000"}},
			{Name: "secret", Default: "a", Values: []string{"a", "b"}, Advanced: true},
			{Name: "free", Default: "x"},
		},
	}
}

func (g countGame) New(s engine.Setup) (func() (engine.State, error), error) {
	return func() (engine.State, error) { return g.begin(s) }, nil
}

func (g countGame) begin(s engine.Setup) (engine.State, error) {
	target, err := strconv.Atoi(s.Option("target"))
	if err != nil {
		return nil, err
	}
	for _, d := range s.Definitions {
		if d == "bad" {
			return nil, engine.NewSetupError("setup.first", "name", "bad")
		}
		if d == "panic" {
			panic("a definition")
		}
	}
	c := &countState{game: g, target: target, counts: make([]int, len(s.Seats))}
	for _, p := range s.Seats {
		c.seats = append(c.seats, p.Seat)
	}
	return c, nil
}

type countState struct {
	game           countGame
	target         int
	seats          []engine.Seat
	counts         []int
	picking, blind bool
	rolling        bool
	picked         string
	faces          []string
	title          string // of the zombie, where it was entered
}

// Words implements engine.Speaker.
func (c *countState) Words() engine.Words {
	if c.title == "" {
		return countGame{}.Info().Words
	}
	return engine.Words{"card.zombie": engine.Worded(func(engine.Lang) string { return c.title })}
}

func (c *countState) Apply(in engine.Input) ([]engine.Event, error) {
	at := 0
	for i, s := range c.seats {
		if s == in.Seat {
			at = i
		}
	}
	arg := in.Arg(0)
	switch {
	case in.Verb == engine.Key && arg == "plus":
		c.counts[at] += max(1, c.game.step)
		return []engine.Event{{Name: "counted", Seat: in.Seat, N: c.counts[at]}}, nil
	case in.Verb == engine.Key && arg == "minus" && c.counts[at] == 0 && !in.Confirmed():
		c.counts[at] = -77 // half a change, which must not last
		return nil, engine.RefuseUnless("refusal.below")
	case in.Verb == engine.Key && arg == "minus":
		c.counts[at]--
		return []engine.Event{{Name: "counted", Seat: in.Seat, N: c.counts[at]}}, nil
	case in.Verb == engine.Key && arg == "next":
		c.picking = true
		return nil, nil
	case in.Verb == engine.Key && arg == "roll":
		return nil, engine.Refuse("refusal.no-such-key", "name", "roll")
	case in.Verb == engine.Choose && c.picking:
		c.picking, c.picked = false, arg
		return nil, nil
	case in.Verb == engine.Choose:
		return nil, engine.Refuse("refusal.below")
	case in.Verb == engine.Tap && arg == "stray.1":
		return nil, engine.Refuse("refusal.elsewhere")
	case in.Verb == engine.Tap && arg == "unlikely.1" && !in.Confirmed():
		return nil, engine.RefuseUnless("refusal.elsewhere")
	case in.Verb == engine.Tap, in.Verb == engine.Lift:
		return []engine.Event{{Name: "played", Seat: in.Seat, Card: arg, From: string(in.Seat) + "/hand", To: "pile"}}, nil
	case in.Verb == engine.Set && arg == "dice":
		c.rolling = true
		return nil, nil
	case in.Verb == engine.Roll:
		c.rolling, c.faces = false, in.Args
		return nil, nil
	case in.Verb == engine.Set && arg == "title":
		c.title = in.Arg(1)
		return nil, nil
	case in.Verb == engine.Set && arg == "define":
		return []engine.Event{{Name: "counted", Define: "card " + in.Arg(1)}}, nil
	case in.Verb == engine.Set && arg == "bug":
		return nil, errors.New("a bug")
	case in.Verb == engine.Set && arg == "panic":
		panic("a panic")
	case in.Verb == engine.Set && arg == "blind":
		c.blind = true
		return nil, nil
	}
	return nil, engine.Refuse("refusal.below")
}

func (c *countState) View() engine.View {
	if c.blind {
		panic("cannot be seen")
	}
	v := engine.View{Phase: c.picked}
	for i, s := range c.seats {
		v.Seats = append(v.Seats, engine.SeatView{ID: s, Counters: engine.Counters{{Name: "count", Value: c.counts[i]}}})
		if c.counts[i] >= c.target {
			v.Winners = append(v.Winners, s)
		}
	}
	for i, f := range c.faces {
		v.Dice = append(v.Dice, engine.Die{ID: strconv.Itoa(i), Kind: "six", Face: engine.Null(f)})
	}
	first := c.seats[0]
	switch {
	case len(v.Winners) > 0:
	case c.rolling:
		v.Prompts = []engine.Prompt{{Seat: first, Key: "roll",
			Roll: &engine.RollRequest{Kind: "six", N: 3, Faces: []string{"1", "2", "3", "4", "5", "6"}}}}
	case c.picking:
		p := engine.Prompt{Seat: first, Key: "pick"}
		for _, word := range []string{"ape", "bee", "cat"} {
			p.Options = append(p.Options, engine.Answer{Key: word, Input: string(first) + " choose " + word})
		}
		v.Prompts = []engine.Prompt{p}
	default:
		v.Prompts = []engine.Prompt{{Seat: first, Key: "count", Options: []engine.Answer{
			{Key: "plus", Input: string(first) + " key plus"}, {Key: "minus", Input: string(first) + " key minus"},
		}}}
	}
	return v
}

func (c *countState) Box(chance *rand.Rand) []engine.Pile {
	cards := []string{"a.1", "b.1", "c.1", "d.1"}
	chance.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	return []engine.Pile{{Place: "red/hand", Cards: cards}}
}

// running is a table that runs, with helpers for tests.
type running struct {
	*Table
	t    *testing.T
	stop func() error
}

func configured(dir string) Config {
	return Config{
		Name: "test", Dir: dir, Games: []engine.Game{countGame{}},
		Chance: rand.New(rand.NewPCG(1, 2)),
		Tags:   func(tag, _ string) (Meaning, bool) { return Meaning{Name: tag + ".1"}, tag != "stranger" },
	}
}

// closeTable unlocks the folder of a table that nobody plays on.
func closeTable(table *Table) error {
	ended, end := context.WithCancel(context.Background())
	end()
	return table.Run(ended)
}

// start runs a table until the test ends or stop is called.
func start(t *testing.T, config Config, prepare ...func(*Table)) *running {
	t.Helper()
	table, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, do := range prepare {
		do(table)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- table.Run(ctx) }()
	stopped := false
	stop := func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		return <-ended
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("run: %v", err)
		}
	})
	return &running{Table: table, t: t, stop: stop}
}

func input(t testing.TB, line string) engine.Input {
	t.Helper()
	in, err := engine.ParseInput(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return in
}

func (r *running) do(line string) engine.Receipt {
	r.t.Helper()
	return r.Input(context.Background(), input(r.t, line))
}

func (r *running) must(lines ...string) engine.Receipt {
	r.t.Helper()
	var receipt engine.Receipt
	for _, line := range lines {
		if receipt = r.do(line); receipt.Outcome != engine.Accepted {
			r.t.Fatalf("%s: %s: %s", line, receipt.Outcome, receipt.Spoken)
		}
	}
	return receipt
}

func (r *running) order(o engine.Order) engine.Receipt {
	return r.Do(context.Background(), o)
}

func (r *running) begin(seats ...engine.Seat) engine.Receipt {
	r.t.Helper()
	o := engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain"}}
	for _, s := range seats {
		o.Setup.Seats = append(o.Setup.Seats, engine.Player{Seat: s})
	}
	receipt := r.order(o)
	if receipt.Outcome != engine.Accepted {
		r.t.Fatalf("begin: %s: %s", receipt.Outcome, receipt.Spoken)
	}
	return receipt
}

func (r *running) count(seat engine.Seat) int {
	v := r.Frame().View
	s := v.Seat(seat)
	if s == nil {
		r.t.Fatalf("nobody sits at %s", seat)
	}
	n, _ := s.Counters.Get("count")
	return n
}
