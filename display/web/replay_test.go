package web

import (
	"encoding/json"
	"fmt"
	"image/gif"
	"image/png"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/device/chances"
	"tableside/display/web/core"
	"tableside/display/web/past"
	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mutants"
	"tableside/engine/tally"
)

func replaying(game engine.Game, journal []byte) *Server {
	read := func(string) (engine.Game, *engine.Journal, error) {
		j, err := engine.ParseJournal("old", journal)
		return game, j, err
	}
	return newServer(Config{
		Matches:   func() ([]engine.MatchInfo, error) { return []engine.MatchInfo{{ID: "old"}}, nil },
		ReadMatch: read, Chances: imagined(read),
	})
}

// imagined returns the chances in the matches that read returns. It keeps none.
func imagined(read func(string) (engine.Game, *engine.Journal, error)) past.Chances {
	return (&chances.Finder{Read: read, Folder: os.DevNull}).At
}

// mutantsMatch returns a match of Mutants with 219 inputs.
func mutantsMatch(t testing.TB) (engine.Game, []byte) {
	t.Helper()
	journal, err := os.ReadFile("../../docs/pictures/game.journal")
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range mutants.Games() {
		if game.Info().Name == "mutants/second-edition" {
			return game, journal
		}
	}
	t.Fatal("no such game")
	return nil, nil
}

func replayed(t *testing.T) shown {
	game, journal := mutantsMatch(t)
	return shown{Server: replaying(game, journal)}
}

// clocked returns a table with a match of six whose clock ran.
func clocked(*testing.T) shown {
	const journal = `tableside-journal 1
game tally/score
option clock-minutes 10
option target 100
seat red Alexandra
seat blue Max
seat green Chloé
seat yellow Bo
seat purple Maximilian
seat orange Li
begin 2026-11-20T20:15:00Z
0s red choose +5
60s red key next
115s blue choose +100
`
	return shown{Server: replaying(tally.Games()[0], []byte(journal))}
}

// TestReplayHasClock checks that a replay shows the clock as it was at each moment, also at
// the end, and that nothing there can be pressed.
func TestReplayHasClock(t *testing.T) {
	url, stop := listen(t, clocked(t).Server, "127.0.0.1:0")
	defer stop()
	b := newTab(t)
	for moment, want := range map[int]string{1: "10:00", 2: "9:00", 3: "9:00"} {
		b.open("about:blank")
		b.open(fmt.Sprintf("%s/matches/old#%d", url, moment))
		b.until(`document.querySelectorAll(".seat .time").length === 6`)
		got := b.eval(`document.querySelector(".seat .time").textContent + document.querySelectorAll("#arena button:not(:disabled)").length`)
		if got != want+"0" {
			t.Errorf("after %d inputs: got %s, want red's %s and no button", moment, got, want)
		}
	}
}

// The views of a recording are those of the match, and its log that of the table page.
func TestRecordingIsTheMatch(t *testing.T) {
	const undone = shortMatch + "130s blue undo\n140s blue undo\n150s blue redo\n160s blue key next\n"
	j, err := engine.ParseJournal("old", []byte(undone))
	if err != nil {
		t.Fatal(err)
	}
	game := tally.Games()[0]
	recording, err := past.Record(game, j, engine.French, 0)
	if err != nil || recording.Stopped {
		t.Fatalf("stopped %v, %v", recording.Stopped, err)
	}
	now, err := past.AsJSON(recording.View)
	if err != nil {
		t.Fatal(err)
	}
	var log core.Story
	if _, err := engine.Replay(game, j, nil, func(m *engine.Match, s engine.Step) error {
		n := m.Seq()
		now = applied(t, now, recording.Steps[n-1].Patch)
		got, _ := json.Marshal(now)
		words := m.Words()
		want, _ := past.AsJSON(words.SpeakView(engine.French, m.View()))
		if wanted, _ := json.Marshal(want); string(got) != string(wanted) {
			t.Errorf("after input %d: got %s\nwant %s", n, got, wanted)
		}
		log.Follow(engine.Frame{View: m.View(), Events: append([]engine.Event(nil), s.Events...)})
		for _, e := range log.Entries {
			struck := 0
			for _, by := range recording.Steps[e.Seq-1].Struck {
				if by <= n {
					struck++
				}
			}
			if (struck%2 == 1) != e.Undone {
				t.Errorf("after input %d: entry %d is struck by %v, want %v", n, e.Seq, recording.Steps[e.Seq-1].Struck, e.Undone)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(recording.Moves) == 0 {
		t.Error("no move has decided the match")
	}
}

// applied applies a JSON Patch slowly.
func applied(t *testing.T, value any, patch []past.Operation) any {
	t.Helper()
	for _, c := range patch {
		if c.Path == "" {
			value = c.Value
			continue
		}
		names := strings.Split(c.Path, "/")[1:]
		on := value
		for i, name := range names {
			name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
			last := i == len(names)-1
			switch in := on.(type) {
			case map[string]any:
				switch {
				case !last:
					on = in[name]
				case c.Op == "remove":
					delete(in, name)
				default:
					in[name] = c.Value
				}
			case []any:
				at, err := strconv.Atoi(name)
				if err != nil {
					t.Fatal(err)
				}
				if on = in[at]; last {
					in[at] = c.Value
				}
			}
		}
	}
	return value
}

// A replay stops where the rules of today no longer agree, or where it becomes too long,
// and shows what was before. A match that has just begun has nothing to show yet.
func TestRecordingStops(t *testing.T) {
	head, _, _ := strings.Cut(shortMatch, "60s red")
	back := "200s red undo\n200s red redo\n"
	for name, c := range map[string]struct {
		journal string
		steps   int
		stopped bool
	}{
		"other rules": {shortMatch + "mark 7 01234567\n130s red undo\n", 7, true},
		"too long":    {head + "60s red choose +10\n" + strings.Repeat(back, past.MaxReplay/2), past.MaxReplay, true},
		"no inputs":   {head, 0, false},
	} {
		w := httptest.NewRecorder()
		s := replaying(tally.Games()[0], []byte(c.journal))
		s.FoldTime = patience // the number of steps ends it, also with the race detector
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/api/replay", nil))
		var got struct {
			Steps   []json.RawMessage
			Stopped bool
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Steps == nil {
			t.Fatalf("%s: %d %v %.200s", name, w.Code, err, w.Body)
		}
		if len(got.Steps) != c.steps || got.Stopped != c.stopped {
			t.Errorf("%s: got %d steps, stopped %v", name, len(got.Steps), got.Stopped)
		}
	}
}

// Chromium plays, seeks and jumps; the file that needs no server shows the same from the
// disk, and no name ends its script.
func TestReplay(t *testing.T) {
	const evil = `</script><b id=evil>`
	b := newTab(t)
	game, journal := mutantsMatch(t)
	s := replaying(game, []byte(strings.Replace(string(journal), "seat red Alice", "seat red \""+evil+"\"", 1)))
	url, _ := listen(t, s, "127.0.0.1:0")
	b.open(url + "/matches/old?lang=en")
	shows := func(n string) {
		t.Helper()
		b.until(`document.querySelector(".course input")?.value === "` + n + `"`)
	}
	b.until(`document.querySelector(".told p b")?.textContent === "The match begins"`)
	b.click(`[data-act=step][data-by="1"]`)
	shows("1")
	b.eval(`const s = document.querySelector(".course input"); s.value = 120; s.dispatchEvent(new Event("input", { bubbles: true })); ""`)
	shows("120")
	b.click(`[data-act=turn][data-log="true"]`)
	b.until(`location.hash === "#120" && document.querySelectorAll("#log ol li").length > 20`)
	b.click(`[data-act=turn][data-log=""]`)
	b.click(`.turns button`)
	b.until(`!!document.querySelector(".turns [aria-current]") && document.querySelectorAll(".course .turn").length === 2`)
	b.until(`document.querySelector("nav [aria-current=page]")?.dataset.k === "history" && ` +
		`document.querySelector(".places li").textContent === "Max4" && document.querySelectorAll(".race .dot").length === 3`)
	b.until(`[...document.querySelector(".controls select").options].map(o => o.value).join() === "move,score,round,turn"`)
	b.eval(`document.querySelector(".controls select").value = "round"; ` +
		`document.querySelector(".controls select").dispatchEvent(new Event("input", { bubbles: true })); ""`)
	b.eval(`location.hash = "#0"; ""`)
	shows("0")
	b.click(`[data-act=step][data-by="1"]`)
	b.until(`Number(document.querySelector(".course input").value) > 20`)
	b.eval(`window.at = document.querySelector(".course input").value; ""`)
	b.click(`[data-act=play]`)
	b.until(`document.querySelector(".course input").value > window.at`)
	b.click(`[data-act=play]`)
	b.click(`[popovertarget=share]`)
	b.until(`!!document.querySelector("#share:popover-open")`)
	b.click(`[data-act=noting]`)
	b.until(`!!document.querySelector("#noting:popover-open input:focus") && !document.querySelector("#share:popover-open")`)
	b.do(chromedp.KeyEvent("\x1b"))
	b.until(`!document.querySelector(":popover-open")`)

	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/matches/old.html?lang=fr", nil))
	if w.Code != 200 || w.Body.Len() > 3<<20 {
		t.Fatalf("got %d, %d bytes", w.Code, w.Body.Len())
	}
	t.Logf("the file of %d inputs has %d KB", 219, w.Body.Len()>>10)
	file := filepath.Join(t.TempDir(), "match.html")
	if err := os.WriteFile(file, w.Body.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	b.open("file://" + file + "#60")
	b.until(`document.querySelector(".course input")?.value === "60" && !document.querySelector("nav, [data-act=noting]")`)
	b.until(`document.fonts.check("1rem Tableside") && [...document.querySelectorAll(".seat .id")].some(h => h.textContent.includes("` +
		evil + `")) && !document.getElementById("evil")`)
	b.click(`[data-act=step][data-by="1"]`)
	b.until(`document.querySelector(".course input").value === "61"`)
}

// The picture of a moment and the animation are made by the table.
func TestReplayPictures(t *testing.T) {
	s := replaying(tally.Games()[0], []byte(shortMatch))
	get := func(path string) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", path, nil)
		r.RemoteAddr, r.Host = "127.0.0.1:40000", "localhost" // players make animations
		s.Handler().ServeHTTP(w, r)
		return w
	}
	first, last := get("/matches/old.png?n=1"), get("/matches/old.png")
	if first.Body.String() == last.Body.String() {
		t.Error("the first moment looks like the last")
	}
	if img, err := png.Decode(last.Body); err != nil || img.Bounds().Size() != past.MomentSize {
		t.Errorf("got %d, %v", last.Code, err)
	}
	film, err := gif.DecodeAll(get("/matches/old.gif").Body)
	if err != nil || len(film.Image) != 8 {
		t.Errorf("got %v with %v", err, film)
	}
	// When a match is over, its picture shows the course, as the panel does.
	over, err := engine.ParseJournal("old", []byte(shortMatch))
	if err != nil {
		t.Fatal(err)
	}
	var courses []*engine.Course
	err = past.ReplayFrames(tally.Games()[0], over, engine.English, 0, func(_, _ int, f func() engine.Frame) bool {
		courses = append(courses, f().Course)
		return true
	})
	if n := len(courses) - 1; err != nil || courses[n] == nil || len(courses[n].Lines) == 0 || courses[n-1] != nil {
		t.Errorf("%v, got the courses %v", err, courses)
	}
	for path, want := range map[string]int{"/matches/other.png": 404, "/matches/old.pdf": 404, "/matches/old.png?n=x": 400,
		"/matches/other.html": 404, "/api/replay?match=other": 404, "/matches/old": 200} {
		if got := get(path).Code; got != want {
			t.Errorf("%s: got %d, want %d", path, got, want)
		}
	}
}

// longMatch returns a match of Mutants with 600 inputs, by random players.
func longMatch(b *testing.B) (engine.Game, *engine.Journal) {
	b.Helper()
	game, _ := mutantsMatch(b)
	setup := engine.Setup{Game: game.Info().Name, Seats: enginetest.Seats(4), First: "red", Options: map[string]string{}}
	for seed := range uint64(200) {
		m, err := enginetest.Play(game, setup, rand.New(rand.NewPCG(seed, 4)))
		if err != nil {
			b.Fatal(err)
		}
		if inputs := m.Inputs(); len(inputs) >= 600 {
			j := &engine.Journal{Setup: m.Setup()}
			for i, in := range inputs[:600] {
				j.Lines = append(j.Lines, engine.Line{Number: i + 1, Input: in})
			}
			return game, j
		}
	}
	b.Fatal("no match was long enough")
	return nil, nil
}

// BenchmarkRecord measures the recording of a match with 600 inputs.
func BenchmarkRecord(b *testing.B) {
	game, j := longMatch(b)
	for b.Loop() {
		r, err := past.Record(game, j, engine.French, 0)
		if err != nil || len(r.Steps) != 600 {
			b.Fatal(len(r.Steps), err)
		}
	}
}

// BenchmarkScrub measures a step of the slider over a match with 600 inputs, from the
// slider's event to the painted frame, without the wait for that frame. The log, which is
// drawn once the slider rests, is not in it.
func BenchmarkScrub(b *testing.B) {
	game, j := longMatch(b)
	s := newServer(Config{
		Matches:   func() ([]engine.MatchInfo, error) { return []engine.MatchInfo{{ID: "old"}}, nil },
		ReadMatch: func(string) (engine.Game, *engine.Journal, error) { return game, j, nil },
	})
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/matches/old.html", nil))
	b.ReportMetric(float64(w.Body.Len())/1e6, "MB-file")
	url, _ := listen(b, s, "127.0.0.1:0")
	page := openTab(b)
	page.open(url + "/matches/old?lang=fr")
	page.until(`!!document.querySelector(".course input")`)
	const steps = 600
	var all []float64
	each := make([][]float64, steps)
	for i := range b.N {
		step := i * 7 % steps
		ms, err := chromedp.Run(page.ctx, chromedp.Evaluate[float64](fmt.Sprintf(`(async n => {
			const slider = document.querySelector(".course input");
			await new Promise(requestAnimationFrame);
			const start = performance.now();
			slider.value = n;
			slider.dispatchEvent(new Event("input", { bubbles: true }));
			const drawn = performance.now();
			const began = await new Promise(requestAnimationFrame);
			await new Promise(painted => {
				const { port1, port2 } = new MessageChannel();
				port1.onmessage = painted;
				port2.postMessage(0);
			});
			return drawn - start + performance.now() - began;
		})(%d)`, step+1), chromedp.EvalAwaitPromise))
		if err != nil {
			b.Fatal(err)
		}
		all, each[step] = append(all, ms), append(each[step], ms)
	}
	slices.Sort(all)
	b.ReportMetric(all[len(all)/2], "ms-median")
	b.ReportMetric(all[len(all)*9/10], "ms-p90")
	b.ReportMetric(all[len(all)-1], "ms-max")
	slowest := 0.0 // of the medians of each step
	for _, ms := range each {
		if slices.Sort(ms); len(ms) > 0 {
			slowest = max(slowest, ms[len(ms)/2])
		}
	}
	b.ReportMetric(slowest, "ms-slowest-step")
	b.ReportMetric(0, "ns/op")
}
