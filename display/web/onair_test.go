package web

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

func next(f engine.Frame, events ...engine.Event) engine.Frame {
	f.View.Seq++
	for i := range events {
		events[i].Seq = f.View.Seq
	}
	f.Events = events
	return f
}

func put(f engine.Frame, seat int, zone int, card string) engine.Frame {
	f.View.Seats = append([]engine.SeatView(nil), f.View.Seats...)
	s := &f.View.Seats[seat]
	s.Zones = append(engine.Zones(nil), s.Zones...)
	s.Zones[zone].Cards = append(cardsFrom(card), s.Zones[zone].Cards...)
	return f
}

func TestOverlayShowsPlayedCardLarge(t *testing.T) {
	const active, discard = 1, 4
	f := exampleFrame(2)
	s := exampleServer(f)
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/overlay?lang=en")
	b.until("!!document.querySelector('.board')")
	f = next(put(f, 0, discard, "alien.2"),
		engine.Event{Name: "discard", Seat: "red", Card: "alien.2", From: "red/hand", To: "red/discard"})
	_ = s.Show(context.Background(), f)
	f = next(put(f, 1, active, "zombie.4"),
		engine.Event{Name: "deploy", Seat: "blue", Card: "zombie.4", From: "blue/hand", To: "blue/active"})
	_ = s.Show(context.Background(), f)
	b.until("!!document.querySelector('.played')")
	if got := b.eval("document.querySelector('.played').innerText.split(/\\s+/).join(' ')"); got != "Max zombie necro" {
		t.Errorf("got the card %q, want what Max played, and not what Alice discarded", got)
	}
	// The card overlaps nothing else, and leaves two thirds of the picture free.
	const above = "String(document.querySelector('.played').getBoundingClientRect().bottom < innerHeight / 3)"
	if b.eval(above) != "true" {
		t.Error("the card reaches below the upper third")
	}
	b.until("!document.querySelector('.played')")
}

// observed makes the page keep every text that its ticker shows, with its time.
const observed = `(() => {
	window.said = [];
	new MutationObserver(() => {
		const text = document.querySelector(".ticker")?.innerText;
		if (text !== said.at(-1)?.text) said.push({ text, at: performance.now() });
	}).observe(document.body, { subtree: true, childList: true, characterData: true });
	return "";
})()`

func TestOverlayTellsOneEventAtATime(t *testing.T) {
	f := exampleFrame(2)
	s := exampleServer(f)
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/overlay?lang=en")
	b.until("!!document.querySelector('.ticker')")
	b.eval(observed)
	_ = s.Show(context.Background(), next(f, engine.Event{Name: "deploy", Seat: "red", Card: "warrior.2"},
		engine.Event{Name: "power", Seat: "red", N: 2}, engine.Event{Name: "score", Seat: "red", N: 4}))
	b.until("said.length >= 3")
	got := b.eval("said.map(s => s.text).join('; ')")
	if want := "Alice deploys Warrior; Alice gains 2 power; Alice scores 4 points"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// A timer may come early by a fraction of a millisecond.
	if b.eval("String(said[2].at - said[1].at > 1900)") != "true" {
		t.Error("an event was shown for less than 2 s")
	}
}

// A move of one seat may have an event of another one.
func TestOverlayTellsWhoseAnEventIs(t *testing.T) {
	f := exampleFrame(2)
	s := exampleServer(f)
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/overlay?lang=en")
	b.until("!!document.querySelector('.ticker')")
	_ = s.Show(context.Background(), next(f, engine.Event{Name: "deploy", Seat: "red", Card: "warrior.2"},
		engine.Event{Name: "power", Seat: "blue", N: 2}))
	b.until(`document.querySelector(".ticker").innerText === "Max gains 2 power"`)
	b.until(`document.querySelector(".ticker svg").innerHTML ===
		document.querySelector("[data-seat=blue] .badge svg").innerHTML`)
}

func TestOverlayWaits(t *testing.T) {
	f := exampleFrame(2)
	url, _ := listen(t, exampleServer(f), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/overlay?delay=2")
	b.until("!!document.querySelector('.board')")
	at, err := strconv.ParseFloat(b.eval("String(performance.now())"), 64)
	if err != nil || at < 2000 {
		t.Errorf("the overlay shows the table after %v ms (%v), want 2000 or more", at, err)
	}
}

// A series counts the matches of the same game and players, and begins again
// when somebody has won most of it.
func TestOverlayCountsMatches(t *testing.T) {
	begin := time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)
	match := func(after time.Duration, state string, winners ...engine.Seat) engine.MatchInfo {
		at := begin.Add(after)
		return engine.MatchInfo{ID: at.Format("2006-01-02T15-04-05Z"), Game: "mutants/second-edition", Begin: at,
			Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}}, State: state, Winners: winners}
	}
	// Max has sat at Red before, and somebody else has typed the names.
	changed := match(30*time.Minute, "finished", "red")
	changed.Seats[0].Name, changed.Seats[1].Name = "max ", "ALICE"
	others := match(40*time.Minute, "finished", "red")
	others.Seats[0].Name = "Zoé"
	now := match(2*time.Hour+15*time.Minute, "playing")
	alice, again := match(0, "finished", "red"), match(time.Minute, "finished", "red")
	won := now
	won.State, won.Winners = "finished", []engine.Seat{"blue"}
	yesterday, abandoned := match(-24*time.Hour, "finished", "red"), match(0, "abandoned")
	drawn := match(time.Minute, "finished", "red", "blue")
	b := newTab(t)
	for name, test := range map[string]struct {
		path string
		list []engine.MatchInfo // oldest first
		over bool
		want string // of Alice and Max
	}{
		"none":             {"?best=3", []engine.MatchInfo{now}, false, "0 0"},
		"not asked":        {"", []engine.MatchInfo{now}, false, " "},
		"one each":         {"?best=3", []engine.MatchInfo{alice, changed, others, now}, false, "1 1"},
		"with this one":    {"?best=3", []engine.MatchInfo{alice, changed, won}, true, "1 2"},
		"a new series":     {"?best=3", []engine.MatchInfo{alice, again, now}, false, "0 0"},
		"in best of five":  {"?best=5", []engine.MatchInfo{alice, again, now}, false, "2 0"},
		"another evening":  {"?best=3", []engine.MatchInfo{yesterday, now}, false, "0 0"},
		"abandoned, drawn": {"?best=3", []engine.MatchInfo{abandoned, drawn, now}, false, "0 0"},
		"said by hand":     {"?best=3&wins=red:1", []engine.MatchInfo{changed, now}, false, "1 0"},
	} {
		f := exampleFrame(2)
		f.View.Match = engine.Null(now.ID)
		if test.over {
			f.View.Winners, f.View.Prompts = []engine.Seat{"blue"}, nil
		}
		s := exampleServer(f)
		var newest []engine.MatchInfo
		for _, m := range test.list {
			newest = append([]engine.MatchInfo{m}, newest...)
		}
		s.config.Matches = func() ([]engine.MatchInfo, error) { return newest, nil }
		url, stop := listen(t, s, "127.0.0.1:0")
		b.open(url + "/overlay" + test.path)
		wins := `["red", "blue"].map(s => {
			const pips = document.querySelector(".seat[data-seat=" + s + "] .wins");
			return pips ? pips.querySelectorAll(".is-won").length : "";
		}).join(" ")`
		b.until(fmt.Sprintf("!!document.querySelector('.board') && (%s) === %q", wins, test.want))
		if test.path != "" && !strings.Contains(test.path, "wins") {
			b.until("performance.getEntriesByType('resource').some(e => e.name.includes('/api/matches'))")
		}
		if got := b.eval(wins); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
		stop()
	}
}
