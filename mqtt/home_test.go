package mqtt

import (
	"context"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
	"tableside/mqtt/broker"
	"tableside/mqtt/homeassistant"
)

// TestChoice checks that Home Assistant can select the game and begin it, with
// the seats of the last match if they fit.
func TestChoice(t *testing.T) {
	last := engine.MatchInfo{Game: "race/second", Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "green"}}}
	var begun []engine.Order
	cfg := Config{Brokers: []string{"localhost"}, Home: homeassistant.Config{Games: []homeassistant.Game{
		{Name: "race/first", Title: "The Race", MinSeats: 2, MaxSeats: 4},
		{Name: "race/second", Title: "The Race, again", MinSeats: 1, MaxSeats: 1},
	}}, LastMatch: func() (engine.MatchInfo, bool) { return last, true }}
	cfg.Order = func(_ context.Context, o engine.Order) engine.Receipt {
		begun = append(begun, o)
		return engine.Receipt{Outcome: engine.Accepted}
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	do := func(payload string) engine.Outcome {
		_, r := c.obey(t.Context(), command{what: "match", payload: []byte(payload)})
		return r.Outcome
	}
	chosen := func() string {
		s := &session{Client: c, prefix: "tableside/demo"}
		var all []Message
		s.ownMessages(engine.Frame{}, func(m Message) { all = append(all, m) })
		if m := all[0]; !m.Retain || m.Topic != "tableside/demo/begin" {
			t.Fatalf("%+v", m)
		}
		return string(all[0].Payload)
	}
	if got := chosen(); got != `{"game":"race/second","title":"The Race, again"}` {
		t.Errorf("at first: got %s, want the game of the last match", got)
	}
	do(`{"do":"begin"}`)
	for _, name := range []string{"race/first", "The Race"} {
		if got := do(`{"do":"select","setup":{"game":"` + name + `"}}`); got != engine.Accepted {
			t.Errorf("select %s: %s", name, got)
		}
		do(`{"do":"begin"}`)
	}
	if got := do(`{"do":"select","setup":{"game":"chess"}}`); got != engine.Refused {
		t.Errorf("select an unknown game: %s", got)
	}
	do(`{"do":"begin","setup":{"game":"race/second","seats":[{"seat":"blue"}]}}`)
	do(`{"do":"abandon"}`)
	c.choice.recordMatch(engine.View{Match: "m1", Game: "race/second"})
	if got := chosen(); !strings.Contains(got, "race/second") {
		t.Errorf("after another client began race/second: %s", got)
	}
	c.choice.recordMatch(engine.View{Match: "m2", Game: "race/first",
		Seats: []engine.SeatView{{ID: "red", Name: "Alix"}, {ID: "blue"}}})
	do(`{"do":"begin"}`)
	want := []engine.Order{
		{Do: "begin", Setup: engine.Setup{Game: "race/second"}}, // is for one seat
		{Do: "begin", Setup: engine.Setup{Game: "race/first", Seats: last.Seats}},
		{Do: "begin", Setup: engine.Setup{Game: "race/first", Seats: last.Seats}},
		{Do: "begin", Setup: engine.Setup{Game: "race/second", Seats: []engine.Player{{Seat: "blue"}}}},
		{Do: "abandon"},
		{Do: "begin", Setup: engine.Setup{Game: "race/first",
			Seats: []engine.Player{{Seat: "red", Name: "Alix"}, {Seat: "blue"}}}},
	}
	if !slices.EqualFunc(begun, want, func(a, b engine.Order) bool { return string(encode(a)) == string(encode(b)) }) {
		t.Errorf("%+v", begun)
	}
}

// TestChoiceIsKept checks that a match with a game that Home Assistant does not list leaves the choice
// as it was and brings its seats, and that the last match before the start is asked for once.
func TestChoiceIsKept(t *testing.T) {
	asked := 0
	c := choice{games: []homeassistant.Game{{Name: "race/first"}, {Name: "race/second"}},
		lastMatch: func() (engine.MatchInfo, bool) { asked++; return engine.MatchInfo{}, false }}
	for range 3 {
		if g, _ := c.next(); g.Name != "race/first" {
			t.Errorf("at first: got %s", g.Name)
		}
	}
	c.sel("race/second")
	c.recordMatch(engine.View{Match: "m1", Game: "race/third", Seats: []engine.SeatView{{ID: "red", Name: "Alix"}}})
	if g, seats := c.next(); g.Name != "race/second" || len(seats) != 1 || seats[0].Name != "Alix" {
		t.Errorf("after a game that is not listed: got %s, %v", g.Name, seats)
	}
	if asked != 1 {
		t.Errorf("asked for the last match %d times", asked)
	}
}

// A preset that an order names begins, whatever was played last; and the game of the last sheet is the
// next choice.
func TestChoiceOfPresets(t *testing.T) {
	c := choice{games: []homeassistant.Game{{Name: "tally/score"}, {Name: "hearts", Title: "Hearts", MinSeats: 1, MaxSeats: 8}},
		lastMatch: func() (engine.MatchInfo, bool) {
			return engine.MatchInfo{Game: "tally/score", Preset: "hearts", Seats: []engine.Player{{Seat: "red"}}}, true
		}}
	o := c.complete(engine.Order{Do: "begin"})
	if o.Setup.Game != "hearts" || len(o.Setup.Seats) != 1 {
		t.Errorf("got %+v", o.Setup)
	}
	if o := c.complete(engine.Order{Do: "begin", Setup: engine.Setup{Preset: "wizard"}}); o.Setup.Game != "" {
		t.Errorf("a preset was given the game %s", o.Setup.Game)
	}
	c.recordMatch(engine.View{Match: "m1", Game: "tally/score"})
	if g, _ := c.next(); g.Name != "tally/score" {
		t.Errorf("after a plain sheet: %s", g.Name)
	}
	c.sel("hearts")
	c.recordMatch(engine.View{Match: "m2", Game: "tally/score", Preset: "hearts"})
	if g, _ := c.next(); g.Title != "Hearts" {
		t.Errorf("after Hearts: %s", g.Name)
	}
}

// TestPanelPicture checks that the panel's picture is encoded only when it is
// published, which is rare.
func TestPanelPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Config{Brokers: []string{"localhost"}, Table: "demo"})
		if err != nil {
			t.Fatal(err)
		}
		picture := func(x int) *image.Paletted {
			p := image.NewPaletted(image.Rect(0, 0, 250, 122), color.Palette{color.White, color.Black})
			p.SetColorIndex(x, 7, 1)
			return p
		}
		if c.panel() != nil {
			t.Error("got a picture before the panel had one")
		}
		c.picture.next = picture(1)
		first := string(c.panel())
		if img, err := png.Decode(strings.NewReader(first)); err != nil || img.Bounds().Dx() != 250 {
			t.Errorf("%v, %v", img, err)
		}
		c.picture.next = picture(2)
		if string(c.panel()) != first {
			t.Error("got a second picture too soon")
		}
		c.picture.next = picture(3)
		time.Sleep(pictureEvery)
		<-c.picture.wake.C
		if string(c.panel()) == first || c.picture.next != nil {
			t.Error("got no second picture after the pause")
		}
		noise, chance := image.NewRGBA(image.Rect(0, 0, 400, 400)), rand.New(rand.NewPCG(1, 2))
		for i := range noise.Pix {
			noise.Pix[i] = byte(chance.Uint32())
		}
		time.Sleep(pictureEvery)
		before := string(c.panel())
		c.picture.next = noise
		if got := c.panel(); string(got) != before {
			t.Errorf("a picture of %d bytes", len(got))
		}
	})
}

// TestDiscoveryPrefix checks that the discovery prefix can be changed, and can
// be empty.
func TestDiscoveryPrefix(t *testing.T) {
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	w.Subscribe("#", 1, nil).Wait()
	c := startClient(t, Config{Brokers: []string{b.Addr()}, Home: homeassistant.Config{Discovery: "home/ha"}})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	until(t, "the announcement", func() bool { return w.get("home/ha/device/tableside_demo/config") != "" })
	c.stop()
	for _, prefix := range []string{"home/+", "#", "$SYS", "home/", "\xff"} {
		if _, err := New(Config{Brokers: []string{b.Addr()}, Home: homeassistant.Config{Discovery: prefix}}); err == nil {
			t.Errorf("the prefix %q is accepted, want an error", prefix)
		}
	}
	none, err := New(Config{Brokers: []string{b.Addr()}})
	if err != nil {
		t.Fatal(err)
	}
	if got := none.announcer.Announcement("tableside/demo", f); got != nil {
		t.Errorf("announced without a prefix: %s", got)
	}
}
