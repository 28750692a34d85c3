package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tableside/display/displaytest"
	"tableside/display/web"
	"tableside/engine"
	"tableside/engine/enginetest"
)

// outOfPlace is a JavaScript expression for what is wrong with the overlay, once
// it shows an input: it takes more than a third of the height, something is cut
// off by the picture's edge, a name is cut although it is not long, or a die has
// no face.
const outOfPlace = `(async seq => {
	const root = document.documentElement;
	for (let end = Date.now() + 60000; root.dataset.seq !== String(seq); await new Promise(requestAnimationFrame)) {
		if (Date.now() > end) return "the overlay does not show input " + seq;
	}
	const wrong = [], at = document.getElementById("overlay");
	for (const e of at.children) {
		if (e.matches(".played") || !e.offsetHeight) continue;
		if (e.offsetTop < innerHeight * 2 / 3 - 1) wrong.push(e.className + " begins at " + e.offsetTop);
		if (e.offsetTop + e.offsetHeight > innerHeight + 1) wrong.push(e.className + " ends below the picture");
	}
	for (const e of at.querySelectorAll(".seat, .round, .track, .noted, .ticker p, .cards li")) {
		const { left, right, width } = e.getBoundingClientRect();
		const slides = e.getAnimations().length;
		if (width && !slides && (left < -1 || right > innerWidth + 1)) wrong.push(e.className + " leaves the picture");
	}
	for (const e of at.querySelectorAll(".who h2")) {
		if (e.scrollWidth > e.clientWidth + 1) wrong.push("the name " + e.innerText + " is cut");
	}
	for (const e of at.querySelectorAll(".die")) if (e.innerText.trim() === "–") wrong.push("a die has no face");
	return wrong.join("; ");
})(%d)`

// The overlay takes at most a third of a picture of 1920 × 1080 and of 1280 × 720
// in every game, with few seats and with many, in the middle of a match and at
// its end.
func TestOverlayTakesAThird(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a browser is slow")
	}
	path, err := displaytest.Browser()
	if err != nil {
		t.Fatal("chromium is not installed; make test installs it")
	}
	server := web.New(web.Config{
		Games:   func() []engine.Info { return nil },
		Matches: func() ([]engine.MatchInfo, error) { return nil, nil },
	})
	defer server.Close()
	listener := httptest.NewServer(server.Handler())
	defer listener.Close()
	empty := engine.Frame{View: engine.EmptyView(), Words: engine.CoreWords(), Status: engine.Status{Cursor: -1}}
	_ = server.Show(t.Context(), empty.In(engine.French))

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	first, end := chromedp.NewContext(allocator)
	defer end()
	if err := chromedp.Do(first); err != nil { // starts the browser
		t.Fatal(err)
	}
	defer func() { _ = chromedp.Cancel(first) }()
	var tabs []context.Context
	for _, size := range [][2]int64{{1920, 1080}, {1280, 720}} {
		tab, closeTab := chromedp.NewContext(first)
		defer closeTab()
		if err := chromedp.Do(tab, chromedp.EmulateViewport(size[0], size[1]),
			chromedp.Navigate(listener.URL+"/overlay?best=3")); err != nil {
			t.Fatal(err)
		}
		tabs = append(tabs, tab)
	}
	for i, match := range overlayMatches(t) {
		if i != 0 && !enginetest.Nightly() {
			continue
		}
		looked := 0
		follow(t, match, func(f engine.Frame) {
			_ = server.Show(t.Context(), f)
			for i, tab := range tabs {
				wrong, err := chromedp.Run(tab, chromedp.Evaluate[string](fmt.Sprintf(outOfPlace, f.View.Seq),
					chromedp.EvalAwaitPromise))
				if err != nil || wrong != "" {
					t.Errorf("%s, %d seats, input %d, picture %d: %s (%v)", f.View.Game, len(f.View.Seats), f.View.Seq, i, wrong,
						err)
				}
			}
			looked++
		})
		t.Logf("%s: %d seats, looked at %d of %d inputs", match.Setup().Game, len(match.Setup().Seats), looked,
			len(match.Inputs()))
	}
}

// overlayMatches returns finished matches of all games, with two seats and with
// four where the game allows it; in brief, of the last game.
func overlayMatches(t *testing.T) []*engine.Match {
	var all []*engine.Match
	games := allGames()
	if enginetest.Brief() {
		games = games[len(games)-1:]
	}
	for _, g := range games {
		info := g.Info()
		seats := []int{min(max(2, info.MinSeats), info.MaxSeats), min(max(4, info.MinSeats), info.MaxSeats)}
		for _, n := range slices.Compact(seats) {
			setup := engine.Setup{Seats: enginetest.Seats(n), Options: map[string]string{}}
			setup.Seats[0].Name = "Barthélemy"
			setup.Seats[n-1].Name = "Maximilienne R."
			for _, o := range info.Options {
				if slices.Contains(o.Values, "stand-in") {
					setup.Options[o.Name] = "stand-in"
				} else if o.Name == "target" {
					setup.Options[o.Name] = "20"
				}
			}
			if !info.FindsFirst {
				setup.First = setup.Seats[0].Seat
			}
			setup.Begin = time.Date(2026, 11, 20, 20, len(all), 0, 0, time.UTC)
			match, err := enginetest.Play(g, setup, rand.New(rand.NewPCG(7, uint64(len(all)))))
			if err != nil {
				t.Fatalf("%s: %v", info.Name, err)
			}
			all = append(all, match)
		}
	}
	return all
}

// follow plays a match again and calls show for some eight of its frames, and for
// the last.
func follow(t *testing.T, match *engine.Match, show func(engine.Frame)) {
	again, err := engine.NewMatch(match.Game(), match.Setup())
	if err != nil {
		t.Fatal(err)
	}
	inputs, words := match.Inputs(), engine.Merge(engine.CoreWords(), match.Words())
	var events []engine.Event
	for i, in := range inputs {
		step, err := again.Apply(in)
		if err != nil {
			t.Fatalf("%s: %v", in.Command(), err)
		}
		events = append(events, step.Events...)
		if i%(1+len(inputs)/8) == 0 || i == len(inputs)-1 {
			f := engine.Frame{View: again.View(), Events: events, Words: words, Status: engine.Status{Cursor: -1}}
			show(f.In(engine.French))
			events = nil
		}
	}
}
