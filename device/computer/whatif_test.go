package computer

import (
	"bytes"
	"context"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"testing"

	"tableside/device"
	"tableside/device/simulated"
	"tableside/engine"
	"tableside/engine/mindbug"
)

// TestWhatIf plays a moment of a match again, against the table: with the same cards in all hands, and the match that
// was played stays as it is.
func TestWhatIf(t *testing.T) {
	game := engine.Find(mindbug.Games(), "mindbug/first-contact")
	cards := &simulated.Cards{}
	o := &Player{Games: []engine.Game{game}, Cards: cards, Log: slog.New(slog.DiscardHandler)}
	config := device.Config{Dir: t.TempDir(), Games: []engine.Game{game}, Computer: o, Simulated: true,
		Followers: []device.Follower{cards, o}}
	table, err := device.New(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- table.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	do := func(order engine.Order, want engine.Outcome) {
		t.Helper()
		if r := table.Do(t.Context(), order); r.Outcome != want {
			t.Fatalf("%s: %+v", order.Do, r)
		}
	}
	do(engine.Order{Do: "begin", Setup: engine.Setup{Game: game.Info().Name, Seats: []engine.Player{{Seat: "red", Name: "Ada"},
		{Seat: "blue", Name: "Max"}}, First: "red", Options: map[string]string{"guide": "off"}}}, engine.Accepted)
	id, chance := string(table.Frame().View.Match), rand.New(rand.NewPCG(1, 2))
	var piles [][]engine.Pile // after so many inputs
	for {
		piles = append(piles, cards.Piles())
		m, err := engine.Replay(game, journalOf(t, table, id), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if m.Over() {
			break
		}
		in, ok := person(m, cards.Piles(), "red", chance)
		if !ok {
			in, _ = person(m, cards.Piles(), "blue", chance)
		}
		if r := table.Input(t.Context(), in); r.Outcome != engine.Accepted {
			t.Fatalf("%q: %+v", in.Command(), r)
		}
		if len(piles) == 3 {
			do(engine.Order{Do: "what-if", Match: id, Seq: 1, Seat: "blue"}, engine.Refused) // a match is on
		}
	}
	do(engine.Order{Do: "what-if", Match: id, Seq: 5, Seat: "green"}, engine.Refused)
	do(engine.Order{Do: "what-if", Match: id, Seq: len(piles), Seat: "red"}, engine.Refused) // its end
	if on := table.Frame().View.Match; on != engine.Null(id) {
		t.Errorf("after a refusal %s lies on the table", on)
	}
	whatIf := engine.Order{Do: "what-if", Match: id, Seq: 5, Seat: "blue"}
	was, _ := table.Journal(id)
	do(whatIf, engine.Accepted) // of the match that lies on the table
	f := table.Frame()
	if f.View.Match == engine.Null(id) || f.View.Seq != 5 || !reflect.DeepEqual(f.Status.Computer, []engine.Seat{"red"}) {
		t.Errorf("it goes on with %+v", f.Status)
	}
	if got := cards.Piles(); !reflect.DeepEqual(got, piles[5]) {
		t.Errorf("the cards lie as\n%v, want\n%v", got, piles[5])
	}
	if setup := journalOf(t, table, string(f.View.Match)).Setup; setup.After != id {
		t.Errorf("%+v", setup)
	}
	if now, _ := table.Journal(id); !bytes.HasPrefix(now, was) {
		t.Error("the match that was played has changed")
	}
	do(engine.Order{Do: "abandon"}, engine.Accepted)
	do(engine.Order{Do: "what-if", Match: string(f.View.Match), Seq: 3, Seat: "red"}, engine.Refused) // it is not over
	do(engine.Order{Do: "what-if", Match: id, Seq: len(piles), Seat: "red"}, engine.Refused)          // its end
	do(engine.Order{Do: "what-if", Match: id, Seq: 5, Seat: "green"}, engine.Refused)
	do(engine.Order{Do: "rematch"}, engine.Accepted)
	if setup := journalOf(t, table, string(table.Frame().View.Match)).Setup; setup.After != "" {
		t.Errorf("a rematch has the cards of %s", setup.After)
	}
}

func journalOf(t *testing.T, table *device.Table, id string) *engine.Journal {
	t.Helper()
	data, err := table.Journal(id)
	if err != nil {
		t.Fatal(err)
	}
	j, err := engine.ParseJournal(id, data)
	if err != nil {
		t.Fatal(err)
	}
	return j
}
