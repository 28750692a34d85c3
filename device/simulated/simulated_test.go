package simulated

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"tableside/device"
	"tableside/engine"
	"tableside/engine/tally"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, config device.Config, parts ...device.Part) (*device.Table, func()) {
	t.Helper()
	table, err := device.New(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		table.Add(p)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- table.Run(ctx) }()
	return table, sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestReaders(t *testing.T) {
	ctx := context.Background()
	readers := NewReaders(Place{Name: "left", Seat: "red"}, Place{Name: "middle"})
	table, stop := start(t, device.Config{
		Dir: t.TempDir(), Games: tally.Games(),
		Tags: func(tag, _ string) (device.Meaning, bool) {
			return device.Meaning{Name: tag}, strings.Contains(tag, ".")
		},
	}, device.Part{Name: "readers", Source: readers})
	defer stop()
	if r := table.Do(ctx, engine.Order{Do: "begin",
		Setup: engine.Setup{Game: "tally/score"}}); r.Outcome != engine.Accepted {
		t.Fatalf("begin: %+v", r)
	}
	if r, err := readers.Press(ctx, "red", "plus"); err != nil || r.Outcome != engine.Accepted || r.Seat != "red" ||
		r.Seq != 1 {
		t.Errorf("press: %+v, %v", r, err)
	}
	if table.Frame().View.Seq != 1 {
		t.Error("Press returned before the table had shown it")
	}
	if r, err := readers.Tap(ctx, "middle", "stranger"); err != nil || r.Outcome != engine.Unknown ||
		r.Place != "middle" || r.Seat != engine.Table {
		t.Errorf("tap: %+v, %v", r, err)
	}
	if got := readers.Lying("middle"); got != "stranger" {
		t.Errorf("in the middle lies %q", got)
	}
	if _, err := readers.Tap(ctx, "cellar", "x.1"); !errors.Is(err, ErrNoSuchPlace) {
		t.Errorf("tap: %v", err)
	}
	if _, err := readers.Lift(ctx, "left", "x.1"); !errors.Is(err, ErrNothingThere) {
		t.Errorf("lift: %v", err)
	}
	if _, err := readers.Lift(ctx, "middle", "stranger"); err != nil || readers.Lying("middle") != "" {
		t.Errorf("lift: %v", err)
	}
	if p := readers.Places(); len(p) != 2 || p[0].Seat != "red" {
		t.Errorf("places %+v", p)
	}
	// Taps at the same instant are all answered.
	var taps sync.WaitGroup
	for range 50 {
		taps.Go(func() {
			if r, err := readers.Press(ctx, "blue", "plus"); err != nil || r.Outcome != engine.Accepted {
				t.Errorf("press: %+v, %v", r, err)
			}
		})
	}
	taps.Wait()
	if seq := table.Frame().View.Seq; seq != 51 {
		t.Errorf("seq %d", seq)
	}
	stop()
	late, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := readers.Press(late, "red", "plus"); !errors.Is(err, context.Canceled) {
		t.Errorf("a press at a table that is off: %v", err)
	}
}

func TestScreen(t *testing.T) {
	panel := NewPanel(4, 2)
	if panel.Bounds() != image.Rect(0, 0, 4, 2) || panel.String() != "simulated panel 4x2" {
		t.Errorf("%s %v", panel, panel.Bounds())
	}
	blank := panel.Image()
	grey := image.NewUniform(color.RGBA{0x20, 0x20, 0x20, 0xff})
	if err := panel.Draw(image.Rect(1, 0, 3, 9), grey, image.Point{}); err != nil {
		t.Fatal(err)
	}
	got := panel.Image()
	for x, want := range []color.Color{color.White, color.Black, color.Black, color.White} {
		if r, _, _, _ := got.At(x, 1).RGBA(); (r > 0) != (want == color.White) || r > 0 && r < 0xffff {
			t.Errorf("pixel %d is %v, want %v", x, got.At(x, 1), want)
		}
	}
	if r, _, _, _ := blank.At(1, 1).RGBA(); r != 0xffff || panel.Draws() != 1 {
		t.Error("a picture that was handed out has changed")
	}
	strip := NewStrip(3)
	red := color.NRGBA{0xd7, 0x26, 0x3d, 0xff}
	if err := strip.Draw(image.Rect(1, 0, 2, 1), image.NewUniform(red), image.Point{}); err != nil {
		t.Fatal(err)
	}
	if got := color.NRGBAModel.Convert(strip.Image().At(1, 0)); got != red {
		t.Errorf("light is %v", got)
	}
	if r, _, _, _ := strip.Image().At(0, 0).RGBA(); r != 0 {
		t.Error("the strip is not dark")
	}
	if strip.Halt() != nil || strip.ColorModel() != color.NRGBAModel {
		t.Error("the strip is odd")
	}
}

// A handful is a game with one hand, from which cards are drawn unseen.
type handful struct{}

func (handful) Info() engine.Info {
	return engine.Info{Name: "handful/plain", Rules: 1, MinSeats: 1, MaxSeats: 1}
}
func (handful) New(engine.Setup) (engine.State, error) { return handfulState{}, nil }

type handfulState struct{}

func (handfulState) Apply(engine.Input) ([]engine.Event, error) {
	return []engine.Event{{Name: "drawn", From: "red/hand", To: "red/table", N: 1}}, nil
}
func (handfulState) View() engine.View { return engine.View{} }
func (handfulState) Box(chance *rand.Rand) []engine.Pile {
	cards := strings.Split("a b c d e f g h i j k l m n o p", " ")
	chance.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	return []engine.Pile{{Place: "red/hand", Cards: cards}}
}

// TestCards checks that a resumed table finds every card where it was.
func TestCards(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	cards := &Cards{}
	if cards.Piles() != nil {
		t.Error("an empty table has cards")
	}
	table, stop := start(t, device.Config{Dir: dir, Games: []engine.Game{handful{}}, Follower: cards})
	defer stop()
	table.Do(ctx, engine.Order{Do: "begin", Setup: engine.Setup{Game: "handful/plain"}})
	draw := engine.Input{Seat: "red", Verb: engine.Key, Args: []string{"next"}}
	var readers sync.WaitGroup
	quit := make(chan struct{})
	readers.Go(func() { // a page that reads all the time
		for {
			select {
			case <-quit:
				return
			default:
				cards.Piles()
			}
		}
	})
	for _, in := range []engine.Input{draw, draw, draw, {Seat: "red", Verb: engine.Undo}, {Seat: "red", Verb: engine.Undo},
		draw, {Seat: "red", Verb: engine.Undo}, {Seat: "red", Verb: engine.Redo}, draw} {
		if r := table.Input(ctx, in); r.Outcome != engine.Accepted {
			t.Fatalf("%s: %+v", in, r)
		}
	}
	close(quit)
	readers.Wait()
	picked := cards.Piles()[0].Cards[5]
	if err := cards.Pick("red/hand", picked); err != nil {
		t.Fatal(err)
	}
	table.Input(ctx, draw)
	if got := cards.Piles()[1].Cards[0]; got != picked {
		t.Errorf("%s was drawn, not %s that was picked", got, picked)
	}
	if err := cards.Pick("red/hand", picked); !errors.Is(err, ErrNothingThere) {
		t.Errorf("a card that is gone was picked: %v", err)
	}
	table.Input(ctx, engine.Input{Seat: "red", Verb: engine.Undo})
	if err := cards.Pick("red/hand", picked); err != nil { // the second Pick undoes the first
		t.Error(err)
	}
	before := cards.Piles()
	if len(before) != 2 || len(before[0].Cards) != 13 || len(before[1].Cards) != 3 {
		t.Errorf("piles %+v", before)
	}
	stop()
	resumed := &Cards{}
	table, stop = start(t, device.Config{Dir: dir, Games: []engine.Game{handful{}}, Follower: resumed})
	defer stop()
	if r := table.Do(ctx, engine.Order{Do: "resume"}); r.Outcome != engine.Accepted {
		t.Fatal(r)
	}
	if after := resumed.Piles(); !reflect.DeepEqual(before, after) {
		t.Errorf("cards lie otherwise after a resume:\n%v\n%v", before, after)
	}
	table.Do(ctx, engine.Order{Do: "abandon"})
	if resumed.Piles() != nil || resumed.Pick("red/hand", picked) == nil {
		t.Error("an empty table has cards")
	}
}
