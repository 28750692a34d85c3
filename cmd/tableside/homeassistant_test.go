package main

import (
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/host"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/display/panel"
	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/mqtt"
	"tableside/mqtt/hatest"
	"tableside/mqtt/homeassistant"
)

// A homeTable publishes frames to a test's Home Assistant without a broker. It
// publishes only changes, and clears topics that are gone.
type homeTable struct {
	home      *hatest.Home
	cfg       homeassistant.Config
	announced homeassistant.AnnouncedComponents
	kept      map[string]string
}

func newHomeTable(t *testing.T, lang engine.Lang) *homeTable {
	t.Helper()
	table, err := device.New(device.Config{Name: "demo", Dir: t.TempDir(), Games: allGames(), Lang: lang})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Run(t.Context()) })
	return &homeTable{hatest.New(homeassistant.DefaultDiscovery), homeassistant.Config{
		Discovery: homeassistant.DefaultDiscovery, Version: release, Page: "http://table.local:8080/", Panel: true,
		Games: host.HomeAssistantGames(table.Games(), lang),
	}, homeassistant.AnnouncedComponents{}, map[string]string{}}
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
	mqtt.Messages(f, say)
	m := mqtt.Message{Topic: homeassistant.Topic(h.cfg.Discovery, f.View.Table), Retain: true,
		Payload: homeassistant.Discovery(mqtt.Prefix(f.View.Table), f, h.cfg, h.announced)}
	if h.kept[m.Topic] != string(m.Payload) {
		h.announced = homeassistant.ParseAnnounced(m.Payload)
	}
	say(m)
	for topic := range h.kept {
		if !named[topic] {
			h.home.Hear(topic, nil, true)
			delete(h.kept, topic)
		}
	}
}

// TestHomeAssistant shows every game to a strict Home Assistant: the empty table, a
// match of random players from beginning to end, and the empty table again, one game
// after the other.
func TestHomeAssistant(t *testing.T) {
	matches, languages := homeMatches(t), engine.Languages
	if testing.Short() {
		languages = languages[:1]
	}
	for _, lang := range languages {
		t.Run(string(lang), func(t *testing.T) {
			h := newHomeTable(t, lang)
			empty := engine.Frame{View: engine.EmptyView(), Words: engine.Merge(engine.CoreWords(), device.Words()),
				Status: engine.Status{
					Health: []engine.Part{{Name: "broker", Health: engine.OK},
						{Name: "reader-red", Health: engine.Broken, Reason: "no answer: is it wired?"}},
				}}
			empty.View.Table = "demo"
			h.show(empty.In(lang))
			for _, match := range matches {
				h.play(t, match, empty, lang)
			}
			for _, err := range h.home.Errors {
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
			t.Logf("%d components, %d announcements for %d matches, %d bytes", len(h.home.Entities), h.home.Announcements,
				len(matches),
				len(h.kept["homeassistant/device/tableside_demo/config"]))
		})
	}
}

// homeMatches returns finished matches, one of each game.
func homeMatches(t *testing.T) []*engine.Match {
	var all []*engine.Match
	for _, g := range allGames() {
		info := g.Info()
		setup := engine.Setup{Game: info.Name, Options: map[string]string{},
			Seats: enginetest.Seats(min(max(2, info.MinSeats), info.MaxSeats))}
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

// check compares the state of Home Assistant with the frame.
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
		if isSeat && !strings.HasPrefix(seat, "table_") && !strings.Contains(seat, "_key_") && !seats[key] &&
			state(key) != "not there" {
			t.Errorf("%s has no %s, and it is available", f.View.Game, key)
		}
	}
	if turn := h.home.Entities["turn"]; f.View.Turn != "" &&
		(turn.Attributes["name"] == nil || turn.Attributes["name"] == "") {
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

// TestPanelCopy tests that a copy of the panel has no token, and comes only when the
// picture has changed.
func TestPanelCopy(t *testing.T) {
	f := engine.Frame{View: engine.EmptyView(), Words: engine.Merge(engine.CoreWords(), device.Words())}
	f = f.In(engine.English)
	size := image.Pt(bench.DemoPanelWidth, bench.DemoPanelHeight)
	open := panel.NewPainter().Draw(f, size)
	f.Status.Address = "http://192.168.1.5:8080/?token=ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	var copies []image.Image
	to := func(picture image.Image) { copies = append(copies, picture) }
	c := &rig.CopyingDrawer{Drawer: panel.NewPainter(), Sink: &to}
	glass := c.Draw(f, size)
	c.Draw(f, size)
	if len(copies) != 1 || slices.Equal(copies[0].(*image.Paletted).Pix, glass.Pix) ||
		!slices.Equal(copies[0].(*image.Paletted).Pix, open.Pix) {
		t.Errorf("%d copies; with the code on the glass, without it in the copy", len(copies))
	}
	f.View.Match = "2026-11-20T20-15-00Z"
	glass = c.Draw(f, size)
	if f.Status.Address = ""; len(copies) != 2 || copies[1] != image.Image(glass) ||
		!slices.Equal(glass.Pix, panel.NewPainter().Draw(f, size).Pix) {
		t.Errorf("%d copies, the last of a match", len(copies))
	}
}
