package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tableside/engine"
)

// timed returns a frame whose clock runs for red, who has so many milliseconds left for
// the turn.
func timed(seats, turn int) func() engine.Frame {
	return func() engine.Frame {
		f := exampleFrame(seats)
		wind(&f.View, turn)
		return f
	}
}

// wind gives a view such a clock.
func wind(v *engine.View, turn int) {
	ms := func(n int) *int64 { left := int64(n); return &left }
	v.Clock = &engine.ClockView{Running: []engine.Seat{"red"}}
	for i, s := range v.Seats {
		v.Clock.Seats = append(v.Clock.Seats,
			engine.ClockSeat{Seat: s.ID, Used: int64(61_000 * i), Left: ms(600_000 - 61_000*i), Turn: ms(60_000)})
	}
	v.Clock.Seats[0].Turn = ms(turn)
}

func stoppedClock() engine.Frame {
	f := timed(2, 30_000)()
	f.View.Clock.Running, f.View.Clock.Stopped = []engine.Seat{}, true
	return f
}

// seconds is JavaScript that reads the time that red has left of the turn.
const seconds = `(() => {
	const text = document.querySelector(".seat[data-seat=red] .time.runs").textContent;
	const [m, s] = text.replace("−", "").split(":").map(Number);
	return String((text.startsWith("−") ? -1 : 1) * (60 * m + s));
})()`

// TestClock checks that a page which opens late shows the clock as it is, that it ticks
// without further messages, that the bar stops it, and that a clock that stands still draws
// nothing.
func TestClock(t *testing.T) {
	b := newTab(t)
	f := timed(2, 30_000)()
	f.MadeAt = time.Now().Add(-20 * time.Second)
	s, did := exampleServer(f), make(chan string, 1)
	s.config.Input = func(_ context.Context, in engine.Input) engine.Receipt {
		did <- in.Command()
		return engine.Receipt{Outcome: engine.Accepted}
	}
	url, stop := listen(t, s, "127.0.0.1:0")
	defer stop()
	opened := time.Now()
	b.open(url)
	b.until(`!!document.querySelector(".seat[data-seat=red] .time.runs")`)
	var left int
	if _, err := fmt.Sscan(b.eval(seconds), &left); err != nil {
		t.Fatal(err)
	}
	if least := 10 - int(time.Since(opened).Seconds()+1); left > 10 || left < least {
		t.Errorf("red has %d s left, want %d to 10", left, least)
	}
	b.until(fmt.Sprintf(`%s <= %d`, seconds, left-2))
	b.until(`document.querySelector(".time.runs").matches(".low, .over")`)
	b.click(`#bar [data-input="table set clock stop"]`)
	if got := <-did; got != "table set clock stop" {
		t.Errorf("the bar did %q", got)
	}

	f = stoppedClock()
	if err := s.Show(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	b.until(`!!document.querySelector('#bar [data-input="table set clock run"]') && !document.querySelector(".time.runs")`)
	drawn := b.awaited(`(async () => {
		const changes = [], seen = new MutationObserver(list => changes.push(...list));
		for (const id of ["bar", "arena"]) {
			seen.observe(document.getElementById(id),
				{ subtree: true, childList: true, characterData: true, attributes: true });
		}
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

// TestClockOfMany checks that the heads of four and of eight seats show the times whole, above
// one hour too, and that the clock can be stopped.
func TestClockOfMany(t *testing.T) {
	b := newTab(t)
	for _, f := range []engine.Frame{exampleFrame(4), eight(t)} {
		wind(&f.View, 30_000)
		for i := range f.View.Clock.Seats {
			f.View.Clock.Seats[i].Left, f.View.Clock.Seats[i].Turn = new(int64), nil
			*f.View.Clock.Seats[i].Left = 3_600_000
		}
		url, stop := listen(t, exampleServer(f), "127.0.0.1:0")
		for _, size := range []setting{{width: 390, height: 844}, {width: 1366, height: 768}} {
			b.do(screenOf(size))
			b.open(url + "/?lang=fr")
			b.until(settled(fmt.Sprintf(`document.querySelectorAll(".seat .time").length === %d`, len(f.View.Seats))))
			if out := b.eval(cutTimes); out != "" {
				t.Errorf("%d seats, %d wide, cut or covered: %s", len(f.View.Seats), size.width, out)
			}
			if folder := os.Getenv("PICTURES"); folder != "" {
				b.shoot(filepath.Join(folder, fmt.Sprintf("clock-%d-%d.png", len(f.View.Seats), size.width)))
			}
		}
		stop()
	}
}

// cutTimes is JavaScript that lists the times that are not whole in the head of their seat, or
// lie over something there, what else lies beyond it, and whether no finger can stop the clock.
const cutTimes = `(() => {
	const box = e => e.getBoundingClientRect(), stop = box(document.querySelector('#bar [data-k="clock"]'));
	const within = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 &&
		a.bottom <= b.bottom + 1;
	const apart = (a, b) => !b.width || a.right <= b.left + 1 || a.left >= b.right - 1 || a.bottom <= b.top + 1 ||
		a.top >= b.bottom - 1;
	const bad = [...document.querySelectorAll(".time")].filter(e => !box(e).width || e.scrollWidth > e.clientWidth + 1 ||
		!within(box(e), box(e.closest("header"))) || !within(box(e), box(e.closest(".seat"))) ||
		[...e.parentElement.children].some(o => o !== e && !apart(box(e), box(o)))).map(e => e.textContent);
	for (const e of document.querySelectorAll(".seat > header > :not(.id), .seat > header .stats *")) {
		const text = document.createRange();
		for (const n of e.childNodes) {
			text.selectNode(n);
			if (n.data && box(text).width && box(text).right > box(e.closest(".seat")).right) bad.push("beyond: " + n.data);
		}
	}
	if (stop.right > innerWidth || innerWidth < 600 && (stop.width < 44 || stop.height < 44)) bad.push("stop");
	return bad.join();
})()`
