package simulated

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"tableside/device"
	"tableside/engine"
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

// A handful is a game with one hand, from which cards are drawn unseen.
type handful struct{}

func (handful) Info() engine.Info {
	return engine.Info{Name: "handful/plain", Rules: 1, MinSeats: 1, MaxSeats: 1}
}
func (handful) New(engine.Setup) (func() (engine.State, error), error) {
	return func() (engine.State, error) { return handfulState{}, nil }, nil
}

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
	table, stop := start(t, device.Config{Dir: dir, Games: []engine.Game{handful{}}, Followers: []device.Follower{cards}})
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
	if !cards.Pick("red/hand", picked) {
		t.Fatal("no card was picked")
	}
	table.Input(ctx, draw)
	if got := cards.Piles()[1].Cards[0]; got != picked {
		t.Errorf("%s was drawn, not %s that was picked", got, picked)
	}
	if cards.Pick("red/hand", picked) {
		t.Error("a card that is gone was picked")
	}
	table.Input(ctx, engine.Input{Seat: "red", Verb: engine.Undo})
	if !cards.Pick("red/hand", picked) { // the second Pick undoes the first
		t.Error("no card was picked")
	}
	before := cards.Piles()
	if len(before) != 2 || len(before[0].Cards) != 13 || len(before[1].Cards) != 3 {
		t.Errorf("piles %+v", before)
	}
	stop()
	resumed := &Cards{}
	table, stop = start(t, device.Config{Dir: dir, Games: []engine.Game{handful{}}, Followers: []device.Follower{resumed}})
	defer stop()
	if r := table.Do(ctx, engine.Order{Do: "resume"}); r.Outcome != engine.Accepted {
		t.Fatal(r)
	}
	if after := resumed.Piles(); !reflect.DeepEqual(before, after) {
		t.Errorf("cards lie otherwise after a resume:\n%v\n%v", before, after)
	}
	table.Do(ctx, engine.Order{Do: "abandon"})
	if resumed.Piles() != nil || resumed.Pick("red/hand", picked) {
		t.Error("an empty table has cards")
	}
}
