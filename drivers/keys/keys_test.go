package keys_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"tableside/drivers/gpiochip"
	"tableside/drivers/keys"
	"tableside/drivers/keys/keystest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const ms = time.Millisecond

// A log records the events of a run.
type log struct {
	mu     sync.Mutex
	events []keys.Event
}

func (l *log) add(e keys.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

// count returns the number of a key's events of a kind.
func (l *log) count(name string, kind keys.Kind) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, e := range l.events {
		if e.Name == name && e.Kind == kind {
			n++
		}
	}
	return n
}

func (l *log) all() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.events)
}

// start runs the keys until stop is called, which returns what Run returned.
func start(t *testing.T, chip keys.Chip, opts *keys.Opts) (*log, func() error) {
	t.Helper()
	dev, err := keys.New(chip, opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	l := &log{}
	go func() { done <- dev.Run(ctx, l.add) }()
	synctest.Wait()
	return l, func() error {
		cancel()
		return <-done
	}
}

var twoKeys = &keys.Opts{Buttons: []keys.Button{
	{Name: "yes", Line: 5},
	{Name: "no", Line: 6, Long: keys.DefaultLong},
}}

func TestThousandPressesWithBounce(t *testing.T) {
	presses := 1000
	if testing.Short() {
		presses = 150
	}
	for seed := range uint64(2) {
		synctest.Test(t, func(t *testing.T) {
			board := keystest.New()
			said, stop := start(t, board, twoKeys)
			var fingers sync.WaitGroup
			for _, line := range []int{5, 6} { // both at once
				finger := keystest.NewFinger(board, line, seed)
				chance := rand.New(rand.NewPCG(seed, uint64(line)))
				fingers.Go(func() {
					for range presses {
						if err := finger.Press(t.Context(), 10*ms+time.Duration(chance.Int64N(int64(100*ms)))); err != nil {
							t.Error(err)
						}
						time.Sleep(10*ms + time.Duration(chance.Int64N(int64(100*ms))))
					}
				})
			}
			fingers.Wait()
			time.Sleep(time.Second)
			if err := stop(); err != nil {
				t.Error(err)
			}
			if yes, no := said.count("yes", keys.Press), said.count("no", keys.Press); yes != presses || no != presses ||
				said.all() != 2*presses {
				t.Errorf("%d presses each: %d and %d, %d events", presses, yes, no, said.all())
			}
			if edges := board.Wire().Edges; edges < 6*presses {
				t.Errorf("%d edges: these fingers do not bounce", edges)
			}
		})
	}
}

func TestPressComesAtOnceOrWhenLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := keystest.New()
		said, stop := start(t, board, twoKeys)
		time.Sleep(123 * ms)
		board.Set(5, false)
		board.Set(6, false)
		time.Sleep(20 * ms)
		synctest.Wait()
		if said.count("yes", keys.Press) != 1 || said.all() != 1 {
			t.Errorf("held for 20 ms: %v", said.events)
		}
		board.Set(5, true)
		board.Set(6, true)
		time.Sleep(20 * ms)
		synctest.Wait()
		want := []keys.Event{{Name: "yes", Kind: keys.Press, At: 123 * ms}, {Name: "no", Kind: keys.Press, At: 143 * ms}}
		if !slices.Equal(said.events, want) {
			t.Errorf("got %v, want %v", said.events, want)
		}
		stop()
	})
}

func TestLongIsSaidWhileHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := keystest.New()
		said, stop := start(t, board, twoKeys)
		finger := keystest.NewFinger(board, 6, 7)
		finger.Down(t.Context())
		time.Sleep(650 * ms)
		synctest.Wait()
		if said.count("no", keys.Long) != 1 {
			t.Errorf("held for 0.65 s: %v", said.events)
		}
		finger.Up(t.Context())
		time.Sleep(time.Second)
		if said.all() != 1 {
			t.Errorf("a long press: %v", said.events)
		}
		stop()
	})
}

func TestStuckAndHeldFromTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := keystest.New()
		board.Set(5, false)
		said, stop := start(t, board, twoKeys)
		time.Sleep(9 * time.Second)
		synctest.Wait()
		if said.all() != 0 {
			t.Errorf("a key that was down before: %v", said.events)
		}
		time.Sleep(2 * time.Second)
		board.Set(5, true)
		time.Sleep(ms * 100)
		keystest.NewFinger(board, 5, 1).Press(t.Context(), 50*ms)
		time.Sleep(ms * 100)
		stop()
		var kinds []keys.Kind
		for _, e := range said.events {
			kinds = append(kinds, e.Kind)
		}
		if want := []keys.Kind{keys.Stuck, keys.Freed, keys.Press}; !slices.Equal(kinds, want) {
			t.Errorf("got %v, want %v", said.events, want)
		}
	})
}

func TestThousandDetentsEachWayWithBounce(t *testing.T) {
	hundred := 100
	if testing.Short() {
		hundred = 15
	}
	synctest.Test(t, func(t *testing.T) {
		board := keystest.New()
		said, stop := start(t, board, &keys.Opts{Encoders: []keys.Encoder{
			{Name: "four", A: 17, B: 27},
			{Name: "two", A: 22, B: 23, PerDetent: 2},
		}})
		four := keystest.NewKnob(board, 17, 27, 1)
		two := keystest.NewKnob(board, 22, 23, 2)
		two.PerDetent = 2
		var hands sync.WaitGroup
		for _, knob := range []*keystest.Knob{four, two} {
			hands.Go(func() {
				for _, detents := range []int{4, -3, 6, -7} {
					if err := knob.Turn(t.Context(), detents*hundred); err != nil {
						t.Error(err)
					}
				}
			})
		}
		hands.Wait()
		time.Sleep(time.Second)
		stop()
		for _, name := range []string{"four", "two"} {
			if right, left := said.count(name, keys.Right), said.count(name, keys.Left); right != 10*hundred ||
				left != 10*hundred {
				t.Errorf("%s: %d right, %d left of %d", name, right, left, 10*hundred)
			}
		}
	})
}

// TestLostEdges checks that the level of a quiet line is known, whichever edges
// were lost.
func TestLostEdges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := keystest.New()
		said, stop := start(t, board, twoKeys)
		for n := 1; n <= 6; n++ {
			before := said.count("yes", keys.Press)
			board.Lose(n)
			for range 3 { // down and up, three times
				board.Set(5, false)
				time.Sleep(50 * ms)
				board.Set(5, true)
				time.Sleep(50 * ms)
			}
			time.Sleep(2 * time.Second)
			board.Lose(0)
			if said.count("yes", keys.Press)-before > 3 {
				t.Errorf("%d edges lost: more presses than there were: %v", n, said.events)
			}
			keystest.NewFinger(board, 5, 1).Press(t.Context(), 50*ms)
			time.Sleep(100 * ms)
			if got := said.count("yes", keys.Press); got < before+1 {
				t.Errorf("%d edges lost: the next press is not seen", n)
			}
		}
		stop()
	})
}

// TestLostRelease loses the edge of a release: the key is not held forever, and its
// press does not become a long one.
func TestLostRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := keystest.New()
		said, stop := start(t, board, twoKeys)
		board.Set(6, false)
		time.Sleep(100 * ms)
		board.Lose(1)
		board.Set(6, true)
		time.Sleep(2 * time.Second)
		if said.count("no", keys.Press) != 1 || said.all() != 1 {
			t.Errorf("a press of 0.1 s: %v", said.events)
		}
		stop()
	})
}

// TestOverflow stops the machine until there are more edges than the queue keeps.
func TestOverflow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := keystest.New()
		dev, err := keys.New(board, &keys.Opts{
			Buttons:  twoKeys.Buttons,
			Encoders: []keys.Encoder{{Name: "knob", A: 17, B: 27}},
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		asleep := make(chan struct{})
		said := &log{}
		done := make(chan error, 1)
		go func() {
			done <- dev.Run(ctx, func(e keys.Event) {
				if e.Name == "yes" {
					<-asleep // an emit that waits, as none should
				}
				said.add(e)
			})
		}()
		synctest.Wait()
		knob := keystest.NewKnob(board, 17, 27, 3)
		board.Set(5, false)
		time.Sleep(50 * ms)
		if err := knob.Turn(t.Context(), 500); err != nil { // 2000 quarters and their bounces
			t.Error(err)
		}
		board.Set(5, true)
		close(asleep)
		time.Sleep(2 * time.Second)
		if board.Wire().Lost == 0 {
			t.Error("nothing was lost")
		}
		before := said.count("knob", keys.Right) - said.count("knob", keys.Left)
		knob.Turn(t.Context(), 100)
		time.Sleep(time.Second)
		after := said.count("knob", keys.Right) - said.count("knob", keys.Left)
		if after-before != 100 {
			t.Errorf("100 detents afterwards: %d", after-before)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestBusyLineNamesBoth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := keystest.New()
		board.Take(6, "spi0 CS1")
		_, stop := start(t, board, twoKeys)
		err := stop()
		var busy *gpiochip.BusyError
		if !errors.As(err, &busy) || !errors.Is(err, syscall.EBUSY) {
			t.Fatalf("got %v", err)
		}
		if want := `keys: no: line 6 is held by "spi0 CS1"`; err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		board.Release(6)
		said, stop := start(t, board, twoKeys)
		keystest.NewFinger(board, 6, 1).Press(t.Context(), 50*ms)
		time.Sleep(50 * ms)
		if err := stop(); err != nil || said.all() != 1 {
			t.Errorf("when it is free: %v, %v", said.events, err)
		}
	})
}

func TestChipGoesAndComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := keystest.New()
		dev, err := keys.New(board, twoKeys)
		if err != nil {
			t.Fatal(err)
		}
		said := &log{}
		for range 3 {
			done := make(chan error, 1)
			go func() { done <- dev.Run(t.Context(), said.add) }()
			synctest.Wait()
			board.Unplug()
			if err := <-done; !errors.Is(err, syscall.ENODEV) {
				t.Errorf("gone: %v", err)
			}
			if err := dev.Run(t.Context(), said.add); !errors.Is(err, syscall.ENODEV) {
				t.Errorf("still gone: %v", err)
			}
			board.Plug()
		}
		said, stop := start(t, board, twoKeys)
		keystest.NewFinger(board, 5, 1).Press(t.Context(), 50*ms)
		if err := stop(); err != nil || said.count("yes", keys.Press) != 1 {
			t.Errorf("back: %v, %v", said.events, err)
		}
	})
}

// TestQuietLinesCostNothing checks that quiet lines are read once a second and
// cause no other work.
func TestQuietLinesCostNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := keystest.New()
		_, stop := start(t, board, twoKeys)
		time.Sleep(100 * time.Second)
		stop()
		if got := board.Wire(); got.Levels < 95 || got.Levels > 105 || got.Reads != 0 {
			t.Errorf("100 s of nothing: %+v", got)
		}
	})
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		opts keys.Opts
		want string
	}{
		{keys.Opts{}, "0 lines"},
		{keys.Opts{Buttons: []keys.Button{{Name: "a", Line: 4}, {Name: "b", Line: 4}}}, "a and b are both on line 4"},
		{keys.Opts{Buttons: []keys.Button{{Name: "a", Line: 4}}, Encoders: []keys.Encoder{{Name: "e", A: 3, B: 4}}},
			"a and e are both on line 4"},
		{keys.Opts{Encoders: []keys.Encoder{{Name: "e", A: 3, B: 3}}}, "e and e are both on line 3"},
		{keys.Opts{Encoders: []keys.Encoder{{Name: "e", A: 3, B: 4, PerDetent: 3}}}, "e: got 3 changes a detent"},
		{keys.Opts{Buttons: []keys.Button{{Name: "a", Line: -1}}}, "no line -1"},
		{keys.Opts{Buttons: []keys.Button{{Name: "a", Long: time.Minute}}}, "stuck after 10s"},
		{keys.Opts{Buttons: []keys.Button{{Name: "a"}}, Stuck: ms}, "settles"},
	} {
		if _, err := keys.New(keystest.New(), &test.opts); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.opts, err, test.want)
		}
	}
}
