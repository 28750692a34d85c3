package web

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

// timed returns a frame whose clock runs for red, who has so many milliseconds left for
// the turn.
func timed(seats, turn int) func() engine.Frame {
	return func() engine.Frame {
		f := exampleFrame(seats)
		ms := func(n int) *int64 { left := int64(n); return &left }
		f.View.Clock = &engine.ClockView{Running: []engine.Seat{"red"}}
		for i, s := range f.View.Seats {
			f.View.Clock.Seats = append(f.View.Clock.Seats,
				engine.ClockSeat{Seat: s.ID, Used: int64(61_000 * i), Left: ms(600_000 - 61_000*i), Turn: ms(60_000)})
		}
		f.View.Clock.Seats[0].Turn = ms(turn)
		return f
	}
}

func stoppedClock() engine.Frame {
	f := timed(2, 30_000)()
	f.View.Clock.Running, f.View.Clock.Stopped = []engine.Seat{}, true
	return f
}

// seconds is JavaScript that reads the time that red has left of the match.
const seconds = `(() => {
	const [m, s] = document.querySelector("#clock .runs b").textContent.split(":").map(Number);
	return String(60 * m + s);
})()`

// TestClock checks that a page which opens late shows the clock as it is, that it ticks
// without further messages, and that a clock that stands still draws nothing.
func TestClock(t *testing.T) {
	b := newTab(t)
	f := timed(2, 30_000)()
	f.MadeAt = time.Now().Add(-20 * time.Second)
	s := exampleServer(f)
	url, stop := listen(t, s, "127.0.0.1:0")
	defer stop()
	opened := time.Now()
	b.open(url)
	b.until(`!!document.querySelector("#clock .runs")`)
	var left int
	if _, err := fmt.Sscan(b.eval(seconds), &left); err != nil {
		t.Fatal(err)
	}
	if least := 580 - int(time.Since(opened).Seconds()+1); left > 580 || left < least {
		t.Errorf("red has %d s left, want %d to 580", left, least)
	}
	b.until(fmt.Sprintf(`%s <= %d`, seconds, left-2))
	b.until(`document.querySelector("#clock .runs").matches(".low, .over")`)

	f = stoppedClock()
	if err := s.Show(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	b.until(`!!document.querySelector("#clock .stopped")`)
	drawn := b.awaited(`(async () => {
		const changes = [], seen = new MutationObserver(list => changes.push(...list));
		seen.observe(document.getElementById("clock"), { subtree: true, childList: true, characterData: true, attributes: true });
		await new Promise(done => setTimeout(done, 2500));
		return String(changes.length);
	})()`)
	if drawn != "0" {
		t.Errorf("a clock that stands still was drawn %s times", drawn)
	}
}

// TestClockOfView checks that a view which is asked for has the clock of that moment.
func TestClockOfView(t *testing.T) {
	f := timed(2, 30_000)()
	f.MadeAt = time.Now().Add(-time.Minute)
	w := httptest.NewRecorder()
	exampleServer(f).Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1/api/view", nil))
	var v engine.View
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	if age := time.Since(v.Clock.At); age < 0 || age > time.Minute {
		t.Errorf("the clock says it was so at %s", v.Clock.At)
	}
	if s, runs := v.Clock.Seat("red"); !runs || *s.Left > 540_000 || *s.Left < 480_000 || *s.Turn != *s.Left-570_000 {
		t.Errorf("%s", w.Body)
	}
}

// TestClockCoversNothing checks that no button lies under the clock, whatever the prompt
// needs, that it has the same room when it stands still, and that a refusal during dice
// leaves the clock in sight.
func TestClockCoversNothing(t *testing.T) {
	b := newTab(t)
	const places = `(() => {
		const box = s => document.querySelector(s).getBoundingClientRect(), clock = box("#clock");
		const under = [...document.querySelectorAll("main button")].filter(e => {
			const { left, right, top, bottom } = e.getBoundingClientRect();
			return !e.closest("#clock") && right > left && top < clock.bottom && bottom > clock.top &&
				left < clock.right && right > clock.left;
		}).map(e => e.textContent);
		const refusal = document.querySelector(".receipt")?.getBoundingClientRect();
		if (refusal && refusal.top < clock.bottom) under.push("the refusal");
		if (refusal && refusal.top > box(".banner").bottom) under.push("the refusal is out of sight");
		return [Math.round(box("#arena").top), ...under].join("; ");
	})()`
	for _, size := range []setting{{width: 1280, height: 800}, {width: 390, height: 844}} {
		for _, seats := range []int{2, 4} {
			s := exampleServer(timed(seats, 30_000)())
			url, stop := listen(t, s, "127.0.0.1:0")
			b.do(still("dark"))
			b.do(screenOf(size))
			b.open(url + "/?lang=en")
			want := ""
			for n, kind := range []string{"cards", "dice", "stopped"} {
				f := crowded(seats, 3)
				f.View.Clock, f.View.Seq = timed(seats, 30_000)().View.Clock, 100+n
				switch kind {
				case "dice":
					f.View.Prompts = throwing().View.Prompts
					f.Status.Receipt = &engine.Receipt{Outcome: engine.Refused, Seat: "red", N: 1, Spoken: "No"}
				case "stopped":
					f.View.Clock.Running, f.View.Clock.Stopped = []engine.Seat{}, true
				}
				if err := s.Show(t.Context(), f); err != nil {
					t.Fatal(err)
				}
				b.awaited(fmt.Sprintf(bannerPlaces, f.View.Seq))
				got := b.eval(places)
				if want == "" {
					want, _, _ = strings.Cut(got, ";")
				}
				if got != want {
					t.Errorf("%d seats, %d wide, %s: got %s, want %s", seats, size.width, kind, got, want)
				}
			}
			stop()
		}
	}
}

// TestClockOfMany checks that a phone shows the times of eight seats within the clock, above
// one hour too.
func TestClockOfMany(t *testing.T) {
	f := timed(4, 30_000)()
	for i, id := range []engine.Seat{"purple", "orange", "white", "black"} {
		seat, times := f.View.Seats[i], f.View.Clock.Seats[i]
		seat.ID, times.Seat = id, id
		f.View.Seats, f.View.Clock.Seats = append(f.View.Seats, seat), append(f.View.Clock.Seats, times)
	}
	long := int64(3_600_000)
	f.View.Clock.Seats[0].Left = &long
	url, stop := listen(t, exampleServer(f), "127.0.0.1:0")
	defer stop()
	b := newTab(t)
	b.do(screenOf(setting{width: 390, height: 844}))
	b.open(url + "/?lang=fr")
	b.until(`document.querySelectorAll("#clock li").length === 8`)
	if out := b.eval(`(() => {
		const box = s => s.getBoundingClientRect(), clock = box(document.querySelector("#clock")),
			key = box(document.querySelector("#clock button"));
		return [...document.querySelectorAll("#clock :is(li, b)")].filter(e => {
			const { top, bottom, left, right } = box(e);
			return top < clock.top || bottom > clock.bottom || left < clock.left || right > key.left || !box(e).width;
		}).map(e => e.textContent).join();
	})()`); out != "" {
		t.Errorf("outside of the clock: %s", out)
	}
}
