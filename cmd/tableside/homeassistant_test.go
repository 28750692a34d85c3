package main

import (
	"fmt"
	"image"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/display/panel"
	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/mqtt"
	"tableside/mqtt/hatest"
)

// A homeTable publishes frames to a Home Assistant of these tests, without a
// broker between them: only what changed, and clears what is no more.
type homeTable struct {
	home *hatest.Home
	cfg  mqtt.Config
	told mqtt.Announced
	kept map[string]string
}

func newHomeTable(t *testing.T, lang engine.Lang) *homeTable {
	t.Helper()
	table, err := device.New(device.Config{Name: "demo", Dir: t.TempDir(), Games: allGames(), Lang: lang})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	s := &host{program: &program{lang: lang}, table: table}
	return &homeTable{hatest.New(mqtt.DefaultDiscovery), mqtt.Config{
		Discovery: mqtt.DefaultDiscovery, Version: release, Page: "http://table.local:8080/", Panel: true, Games: s.mqttGames(),
	}, mqtt.Announced{}, map[string]string{}}
}

func (h *homeTable) show(f engine.Frame) {
	named := map[string]bool{}
	say := func(m mqtt.Message) {
		named[m.Topic] = m.Retain
		if m.Retain && h.kept[m.Topic] == string(m.Payload) {
			return
		}
		h.home.Hear(m.Topic, m.Payload, m.Retain)
		if m.Retain {
			h.kept[m.Topic] = string(m.Payload)
		}
	}
	for m := range mqtt.Messages(f) {
		say(m)
	}
	m := mqtt.Discovery(f, h.cfg, h.told)
	h.told = mqtt.ParseAnnounced(m.Payload)
	say(m)
	for topic := range h.kept {
		if !named[topic] {
			h.home.Hear(topic, nil, true)
			delete(h.kept, topic)
		}
	}
}

// TestHomeAssistant shows every game to a Home Assistant that looks closely at
// all it hears: the empty table, a match of random players from beginning to
// end, and the empty table again, one game after the other.
func TestHomeAssistant(t *testing.T) {
	matches := homeMatches(t)
	for _, lang := range engine.Languages {
		t.Run(string(lang), func(t *testing.T) {
			h := newHomeTable(t, lang)
			empty := engine.Frame{View: engine.EmptyView(), Words: engine.Merge(engine.CoreWords(), device.Words()), Status: engine.Status{
				Health: []engine.Part{{Name: "broker", Health: engine.OK}, {Name: "reader-red", Health: engine.Broken, Reason: "no answer: is it wired?"}},
			}}
			empty.View.Table = "demo"
			h.show(empty.In(lang))
			for _, match := range matches {
				h.play(t, match, empty, lang)
			}
			for _, err := range h.home.Wrong {
				t.Error(err)
			}
			if len(h.home.Removed) > 0 {
				t.Errorf("removed: %v", h.home.Removed)
			}
			if h.home.Entities["health_broker"] != nil || h.home.Entities["health_reader_red"].State != "failed" {
				t.Errorf("health: %v", h.home.Entities["health_reader_red"])
			}
			if got, most := len(h.kept["homeassistant/device/tableside_demo/config"]), 160<<10; got > most {
				t.Errorf("an announcement of %d bytes", got)
			}
			t.Logf("%d components, %d announcements for %d matches, %d bytes", len(h.home.Entities), h.home.Announcements, len(matches),
				len(h.kept["homeassistant/device/tableside_demo/config"]))
		})
	}
}

// homeMatches are finished matches, one of each game.
func homeMatches(t *testing.T) []*engine.Match {
	var all []*engine.Match
	for _, g := range allGames() {
		info := g.Info()
		setup := engine.Setup{Game: info.Name, Options: map[string]string{}, Seats: enginetest.Seats(min(max(2, info.MinSeats), info.MaxSeats))}
		for _, o := range info.Options {
			if o.Name == "target" {
				setup.Options["target"] = "5"
			}
		}
		if setup.First == "" && !info.FindsFirst {
			setup.First = setup.Seats[0].Seat
		}
		setup.Begin = time.Date(2026, 11, 20, 20, len(all), 0, 0, time.UTC)
		match, err := enginetest.Play(g, setup, rand.New(rand.NewPCG(3, uint64(len(all)))))
		if err != nil {
			t.Fatalf("%s: %v", info.Name, err)
		}
		all = append(all, match)
	}
	return all
}

func (h *homeTable) play(t *testing.T, match *engine.Match, empty engine.Frame, lang engine.Lang) {
	again, err := engine.NewMatch(match.Game(), match.Setup())
	if err != nil {
		t.Fatal(err)
	}
	frame := func(events []engine.Event) engine.Frame {
		f := empty
		f.View, f.Events, f.Words = again.View(), events, engine.Merge(empty.Words, again.Words())
		f.View.Table = "demo"
		return f.In(lang)
	}
	h.show(frame(nil))
	inputs := match.Inputs()
	var events []engine.Event
	for i, in := range inputs {
		step, err := again.Apply(in)
		if err != nil {
			t.Fatalf("%s: %v", in.Command(), err)
		}
		if events = append(events, step.Events...); i%7 == 0 || i == len(inputs)-1 {
			f := frame(events)
			h.show(f)
			h.check(t, f)
			events = nil
		}
	}
	if !again.Over() {
		t.Errorf("%s is not over", match.Setup().Game)
	}
	announcements := h.home.Announcements
	h.show(empty.In(lang))
	if h.home.Announcements != announcements {
		t.Errorf("%s: the empty table announces itself again", match.Setup().Game)
	}
	for key, e := range h.home.Entities {
		if strings.HasPrefix(key, "seat_") && e.Available() {
			t.Errorf("%s: %s is available on the empty table", match.Setup().Game, key)
		}
	}
	for _, key := range []string{"game", "turn", "winners", "round"} {
		if e := h.home.Entities[key]; e.State != hatest.Unknown || !e.Available() {
			t.Errorf("on the empty table %s is %q", key, e.State)
		}
	}
}

// check compares what Home Assistant shows with the frame.
func (h *homeTable) check(t *testing.T, f engine.Frame) {
	t.Helper()
	state := func(key string) string {
		if e := h.home.Entities[key]; e != nil && e.Available() {
			return e.State
		}
		return "not there"
	}
	want := map[string]string{"game": f.View.Title, "turn": string(f.View.Turn), "asked": "", "winners": ""}
	if len(f.View.Prompts) > 0 {
		want["asked"] = string(f.View.Prompts[0].Seat)
	}
	var winners []string
	for _, id := range f.View.Winners {
		winners = append(winners, string(id))
	}
	want["winners"] = strings.Join(winners, ", ")
	seats := map[string]bool{}
	for _, s := range f.View.Seats {
		for _, c := range s.Counters {
			key := strings.ReplaceAll("seat_"+string(s.ID)+"_"+c.Name, "-", "_")
			want[key], seats[key] = fmt.Sprint(c.Value), true
		}
		want["seat_"+string(s.ID)+"_key_yes"] = hatest.Unknown
		seats["seat_"+string(s.ID)+"_key_yes"] = true
	}
	for key, value := range want {
		if value == "" {
			value = hatest.Unknown
		}
		if got := state(key); got != value {
			t.Errorf("%s shows %q as %s, want %q", f.View.Game, got, key, value)
		}
	}
	for key := range h.home.Entities {
		seat, isSeat := strings.CutPrefix(key, "seat_")
		if isSeat && !strings.HasPrefix(seat, "table_") && !strings.Contains(seat, "_key_") && !seats[key] && state(key) != "not there" {
			t.Errorf("%s has no %s, and it is available", f.View.Game, key)
		}
	}
	if turn := h.home.Entities["turn"]; f.View.Turn != "" && (turn.Attributes["name"] == nil || turn.Attributes["name"] == "") {
		t.Errorf("whose turn it is has no name: %v", turn.Attributes)
	}
	names := map[string]string{}
	for key, e := range h.home.Entities {
		if other := names[e.Name]; other != "" && e.Available() && h.home.Entities[other].Available() {
			t.Errorf("%s and %s are both called %q", key, other, e.Name)
		}
		names[e.Name] = key
	}
}

// A homeListener puts a Home Assistant of these tests on a real broker.
type homeListener struct {
	mu   sync.Mutex
	home *hatest.Home
	paho.Client
}

func listenHome(t *testing.T, addr string) *homeListener {
	t.Helper()
	l := &homeListener{home: hatest.New(mqtt.DefaultDiscovery), Client: connect(t, addr, "home-assistant")}
	token := l.SubscribeMultiple(map[string]byte{"tableside/#": 1, "homeassistant/#": 1}, func(_ paho.Client, m paho.Message) {
		l.mu.Lock()
		defer l.mu.Unlock()
		once := slices.ContainsFunc([]string{"/event/", "/trigger/", "/result"}, func(part string) bool { return strings.Contains(m.Topic(), part) })
		l.home.Hear(m.Topic(), m.Payload(), m.Retained() || !once)
	})
	if token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
	return l
}

// until waits until the home is as it should be, and says what it is.
func (l *homeListener) until(t *testing.T, what string, as func(*hatest.Home) bool) {
	t.Helper()
	for limit := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		l.mu.Lock()
		done := as(l.home)
		l.mu.Unlock()
		if done {
			return
		}
		if time.Now().After(limit) {
			l.mu.Lock()
			defer l.mu.Unlock()
			for key, e := range l.home.Entities {
				t.Logf("%s: %s, available %v", key, e.State, e.Available())
			}
			t.Fatalf("waited in vain: %s; %d announcements, wrong %v", what, l.home.Announcements, l.home.Wrong)
		}
	}
}

func shows(key, state string) func(*hatest.Home) bool {
	return func(h *hatest.Home) bool {
		e := h.Entities[key]
		return e != nil && e.Available() && e.State == state
	}
}

// TestHomeAssistantEvening is an evening on a real broker: a match is begun
// from Home Assistant, played by its buttons, survives a power cut, and is put
// away for another game.
func TestHomeAssistantEvening(t *testing.T) {
	addr, dir := startMosquitto(t), t.TempDir()
	l := listenHome(t, addr)
	p := startDemo(t, "--broker", "mqtt://"+addr, "--data", dir, "--lang", "en")
	l.until(t, "the empty table", func(h *hatest.Home) bool { return shows("game", hatest.Unknown)(h) && h.Entities["begin"] != nil })
	l.until(t, "the panel's picture", func(h *hatest.Home) bool { return strings.HasSuffix(h.Entities["panel"].State, " bytes") })
	l.press(t, "begin", "")
	l.until(t, "the first game of the list", func(h *hatest.Home) bool { return h.Entities["game"].State != hatest.Unknown })
	l.order(t, `{"do":"abandon"}`)
	l.until(t, "the empty table again", shows("game", hatest.Unknown))
	l.press(t, "next_game", "Tally")
	l.until(t, "the choice", shows("next_game", "Tally"))
	l.press(t, "begin", "")
	l.until(t, "Tally", shows("game", "Tally"))
	l.until(t, "a score", shows("seat_red_score", "0"))
	l.press(t, "seat_red_key_plus", "")
	l.until(t, "a point", shows("seat_red_score", "1"))

	before := l.announcements()
	p.kill()
	l.until(t, "the table is gone", func(h *hatest.Home) bool {
		return h.Entities["status"].State == "off" && !h.Entities["seat_red_score"].Available()
	})
	p = startDemo(t, "--broker", "mqtt://"+addr, "--data", dir, "--lang", "en", "--resume")
	l.until(t, "the match goes on", shows("seat_red_score", "1"))
	l.until(t, "it is announced", func(h *hatest.Home) bool { return h.Announcements > before })
	l.press(t, "seat_red_key_plus", "")
	l.until(t, "another point", shows("seat_red_score", "2"))
	l.order(t, `{"do":"abandon"}`)
	l.until(t, "put away", func(h *hatest.Home) bool {
		return !h.Entities["seat_red_score"].Available() && h.Entities["begin"].Available()
	})
	l.order(t, `{"do":"begin","setup":{"game":"mindbug/first-contact"}}`)
	l.until(t, "another game", func(h *hatest.Home) bool {
		e := h.Entities["seat_red_mindbugs"]
		return e != nil && e.Available() && !h.Entities["seat_red_score"].Available()
	})
	p.interrupt()
	l.mu.Lock()
	defer l.mu.Unlock()
	// One for the start and one for the other game: not for the end of a match.
	if got := l.home.Announcements - before; got != 2 {
		t.Errorf("%d announcements after the start, want 2", got)
	}
	if len(l.home.Wrong) > 0 || len(l.home.Removed) > 0 {
		t.Errorf("wrong: %v; removed: %v", l.home.Wrong, l.home.Removed)
	}
	for _, trigger := range []string{"trigger_turn", "trigger_asked"} {
		if !slices.Contains(l.home.Fired, trigger) {
			t.Errorf("%s never came; there were %v", trigger, l.home.Fired)
		}
	}
}

func (l *homeListener) announcements() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.home.Announcements
}

func (l *homeListener) order(t *testing.T, order string) {
	t.Helper()
	if token := l.Publish("tableside/demo/match", 1, false, order); token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
}

// press presses a button, or chooses an option of a select.
func (l *homeListener) press(t *testing.T, key, option string) {
	t.Helper()
	l.until(t, key, func(h *hatest.Home) bool { return h.Entities[key] != nil && h.Entities[key].Available() })
	l.mu.Lock()
	e := l.home.Entities[key]
	topic, payload := e.Press()
	var err error
	if option != "" {
		topic, payload, err = e.Select(option)
	}
	l.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	if token := l.Publish(topic, 1, false, payload); token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
}

// TestPanelCopy: a copy of the panel holds no token, and comes only when the
// picture has changed.
func TestPanelCopy(t *testing.T) {
	f := engine.Frame{View: engine.EmptyView(), Words: engine.Merge(engine.CoreWords(), device.Words())}
	f = f.In(engine.English)
	size := image.Pt(bench.DemoPanelWidth, bench.DemoPanelHeight)
	open := panel.NewPainter().Draw(f, size)
	f.Status.Address = "http://192.168.1.5:8080/?token=ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	var copies []image.Image
	to := func(picture image.Image) { copies = append(copies, picture) }
	c := &rig.CopyingDrawer{Drawer: panel.NewPainter(), To: &to}
	glass := c.Draw(f, size)
	c.Draw(f, size)
	if len(copies) != 1 || slices.Equal(copies[0].(*image.Paletted).Pix, glass.Pix) || !slices.Equal(copies[0].(*image.Paletted).Pix, open.Pix) {
		t.Errorf("%d copies; with the code on the glass, without it in the copy", len(copies))
	}
	f.View.Match = "2026-11-20T20-15-00Z"
	glass = c.Draw(f, size)
	if f.Status.Address = ""; len(copies) != 2 || copies[1] != image.Image(glass) || !slices.Equal(glass.Pix, panel.NewPainter().Draw(f, size).Pix) {
		t.Errorf("%d copies, the last of a match", len(copies))
	}
}

// TestPageFor: only what others reach is worth a link.
func TestPageFor(t *testing.T) {
	for addr, want := range map[string]string{"127.0.0.1:8080": "", "[::1]:8080": "", "192.168.1.5:80": "http://192.168.1.5:80/", "[fd00::1]:8080": "http://[fd00::1]:8080/"} {
		a, err := net.ResolveTCPAddr("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := pageFor(a); got != want {
			t.Errorf("%s: %q, want %q", addr, got, want)
		}
	}
}
