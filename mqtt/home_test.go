package mqtt

import (
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
	"tableside/mqtt/hatest"
)

// checkDiscovery reads an announcement as Home Assistant does, and returns its
// components.
func checkDiscovery(t *testing.T, m Message) map[string]map[string]any {
	t.Helper()
	all, err := hatest.Components(DefaultDiscovery, m.Topic, m.Payload)
	if err != nil {
		t.Errorf("Home Assistant does not take this announcement: %v\n%s", err, m.Payload)
	}
	return all
}

// TestTriggers checks that a trigger fires once, when its condition becomes true.
func TestTriggers(t *testing.T) {
	before := testFrame(t, engine.English, 7)
	said := func(change func(*engine.Frame)) map[string]string {
		f := testFrame(t, engine.English, 7)
		change(&f)
		got := map[string]string{}
		for _, m := range triggerMessages(&before, f) {
			if m.Retain {
				t.Errorf("%s is retained", m.Topic)
			}
			got[m.Topic] = string(m.Payload)
		}
		return got
	}
	blue := `{"colour":"#1b6ec2","name":"Blue","rgb_color":[27,110,194],"seat":"blue"}`
	for _, c := range []struct {
		what   string
		change func(*engine.Frame)
		want   map[string]string
	}{
		{"nothing", func(*engine.Frame) {}, map[string]string{}},
		{"blue's turn", func(f *engine.Frame) { f.View.Turn = "blue" }, map[string]string{"turn": blue}},
		{"nobody's turn", func(f *engine.Frame) { f.View.Turn = "" }, map[string]string{}},
		{"a question", func(f *engine.Frame) {
			f.View.Prompts = []engine.Prompt{{Seat: "blue", Text: "Block?"}}
		}, map[string]string{"asked": strings.Replace(blue, "}", `,"text":"Block?"}`, 1)}},
		{"the end", func(f *engine.Frame) { f.View.Winners = []engine.Seat{"red", "blue"} },
			map[string]string{"won": `{"names":["Alice","Blue"],"seats":["red","blue"]}`}},
		{"a refusal", func(f *engine.Frame) {
			f.Status.Receipt = &engine.Receipt{Outcome: engine.Refused, Seat: "blue", N: 3, Spoken: "Not now"}
		}, map[string]string{"refused": strings.Replace(blue, "}", `,"text":"Not now"}`, 1)}},
		{"a malformed line", func(f *engine.Frame) { f.Status.Receipt = &engine.Receipt{Outcome: engine.Malformed, N: 3} },
			map[string]string{}},
		{"the empty table asks", func(f *engine.Frame) { f.View.Match, f.View.Turn = "", "" }, map[string]string{}},
		{"a match that is over is resumed", func(f *engine.Frame) {
			f.View.Match, f.View.Turn, f.View.Prompts, f.View.Winners = "other", "", nil, []engine.Seat{"red"}
		}, map[string]string{}},
	} {
		want := map[string]string{}
		for name, payload := range c.want {
			want["tableside/demo/trigger/"+name] = sorted(t, payload)
		}
		if got := said(c.change); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.what, got, want)
		}
	}
	if got := triggerMessages(nil, before); got != nil {
		t.Errorf("at the start: %v", got)
	}
}

// sorted returns a JSON object with its keys in order.
func sorted(t *testing.T, object string) string {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal([]byte(object), &o); err != nil {
		t.Fatal(err)
	}
	return string(encode(o))
}

// TestChoice checks that Home Assistant can select the game and begin it, with
// the seats of the last match if they fit.
func TestChoice(t *testing.T) {
	last := engine.MatchInfo{Game: "race/second", Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "green"}}}
	var begun []engine.Order
	cfg := homeConfig()
	cfg.Brokers, cfg.LastMatch = []string{"localhost"}, func() (engine.MatchInfo, bool) { return last, true }
	cfg.Order = func(_ context.Context, o engine.Order) engine.Receipt {
		begun = append(begun, o)
		return engine.Receipt{Outcome: engine.Accepted}
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	do := func(payload string) engine.Outcome {
		_, r := c.obey(t.Context(), command{order: true, payload: []byte(payload)})
		return r.Outcome
	}
	chosen := func() string {
		m, ok := c.choice.message("tableside/demo")
		if !ok || !m.Retain || m.Topic != "tableside/demo/begin" {
			t.Fatalf("%+v", m)
		}
		return string(m.Payload)
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

// TestPanelPicture checks that the panel's picture is encoded only when it is
// published, which is rare.
func TestPanelPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Config{Brokers: []string{"localhost"}, Table: "demo"})
		if err != nil {
			t.Fatal(err)
		}
		f := testFrame(t, engine.English, 7)
		picture := func(x int) *image.Paletted {
			p := image.NewPaletted(image.Rect(0, 0, 250, 122), color.Palette{color.White, color.Black})
			p.SetColorIndex(x, 7, 1)
			return p
		}
		if _, ok := c.panel(f); ok {
			t.Error("got a picture before the panel had one")
		}
		c.home.picture = picture(1)
		first, ok := c.panel(f)
		if img, err := png.Decode(strings.NewReader(string(first.Payload))); !ok || err != nil || img.Bounds().Dx() != 250 ||
			!first.Retain || first.Topic != "tableside/demo/panel" {
			t.Errorf("%v, %s, %v", ok, first.Topic, err)
		}
		c.home.picture = picture(2)
		if m, _ := c.panel(f); string(m.Payload) != string(first.Payload) {
			t.Error("got a second picture too soon")
		}
		c.home.picture = picture(3)
		<-c.home.wakeTimer.C
		if m, _ := c.panel(f); string(m.Payload) == string(first.Payload) || c.home.picture != nil {
			t.Error("got no second picture after the pause")
		}
		noise, chance := image.NewRGBA(image.Rect(0, 0, 400, 400)), rand.New(rand.NewPCG(1, 2))
		for i := range noise.Pix {
			noise.Pix[i] = byte(chance.Uint32())
		}
		time.Sleep(pictureEvery)
		before := string(c.home.png)
		c.home.picture = noise
		if m, _ := c.panel(f); string(m.Payload) != before {
			t.Errorf("a picture of %d bytes", len(m.Payload))
		}
	})
}

// TestDiscoveryPrefix checks that the discovery prefix can be changed, and can
// be empty.
func TestDiscoveryPrefix(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	w.Subscribe("#", 1, nil).Wait()
	c := startClient(t, Config{Brokers: []string{b.Addr()}, Discovery: "home/ha"})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	until(t, "the announcement", func() bool { return w.get("home/ha/device/tableside_demo/config") != "" })
	c.stop()
	for _, prefix := range []string{"home/+", "#", "$SYS", "home/", "\xff"} {
		if _, err := New(Config{Brokers: []string{b.Addr()}, Discovery: prefix}); err == nil {
			t.Errorf("the prefix %q is accepted, want an error", prefix)
		}
	}
	none, err := New(Config{Brokers: []string{b.Addr()}})
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := none.announcement(f); ok {
		t.Errorf("announced without a prefix: %s", m.Topic)
	}
}

// TestAnnouncementWithoutSweep checks that the client announces itself even if
// the broker does not send its retained messages.
func TestAnnouncementWithoutSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Config{Brokers: []string{"localhost"}, Table: "demo", Discovery: DefaultDiscovery})
		if err != nil {
			t.Fatal(err)
		}
		began, f := time.Now(), testFrame(t, engine.English, 7)
		c.home.connected()
		for {
			if m, ok := c.announcement(f); ok {
				if took := time.Since(began); took < announceAfter || took > 2*sweepLimit {
					t.Errorf("after %s", took)
				}
				checkDiscovery(t, m)
				return
			}
			<-c.home.wakeTimer.C
		}
	})
}
