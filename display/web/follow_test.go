package web

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"tableside/engine"
	"tableside/engine/tally"
)

// A goingOn is a match that grows line by line while a page replays it.
type goingOn struct {
	*Server
	t     *testing.T
	match *engine.Match

	mu    sync.Mutex
	lines []string
	late  int // so many lines are not in the journal
	fails int // so often it cannot be read
	reads int
}

func newGoingOn(t *testing.T) *goingOn {
	g := &goingOn{t: t}
	head, _, _ := strings.Cut(shortMatch, "60s ")
	j, err := engine.ParseJournal("now", []byte(head))
	if err != nil {
		t.Fatal(err)
	}
	game := tally.Games()[0]
	if g.match, err = engine.NewMatch(game, j.Setup); err != nil {
		t.Fatal(err)
	}
	g.lines = g.match.Setup().Head()
	g.Server = newServer(Config{
		Matches: func() ([]engine.MatchInfo, error) { return []engine.MatchInfo{{ID: "now", State: "playing"}}, nil },
		ReadMatch: func(string) (engine.Game, *engine.Journal, error) {
			g.mu.Lock()
			defer g.mu.Unlock()
			if g.reads++; g.fails > 0 {
				g.fails--
				return nil, nil, errors.New("the disk does not answer")
			}
			lines := g.lines[:len(g.lines)-g.late]
			j, err := engine.ParseJournal("now", []byte(strings.Join(lines, "\n")+"\n"))
			return game, j, err
		},
	})
	return g
}

// disk sets how many lines are missing in the journal, and how often it cannot be read.
func (g *goingOn) disk(late, fails int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.late, g.fails = late, fails
}

func (g *goingOn) read() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.reads
}

// play plays inputs, and shows the table after them.
func (g *goingOn) play(lines ...string) {
	g.t.Helper()
	for _, line := range lines {
		in, err := engine.ParseInput(line)
		if err != nil {
			g.t.Fatal(err)
		}
		step, err := g.match.Apply(in)
		if err != nil {
			g.t.Fatalf("%s: %v", line, err)
		}
		g.mu.Lock()
		g.lines = append(g.lines, step.Input.String())
		g.mu.Unlock()
	}
	words := g.match.Words()
	f := engine.Frame{View: words.SpeakView(engine.English, g.match.View()), Words: words, Lang: engine.English,
		Status: engine.Status{Keeping: true, Cursor: -1}}
	if err := g.Show(g.t.Context(), f); err != nil {
		g.t.Fatal(err)
	}
}

func followed(t *testing.T) shown {
	g := newGoingOn(t)
	g.play("red choose +5", "red key next")
	return shown{Server: g.Server}
}

func atMoment(n, of int) string {
	return fmt.Sprintf(`(s => s?.value + "/" + s?.max)(document.querySelector(".course input")) === "%d/%d"`, n, of)
}

func (b *tab) follow(g *goingOn) {
	b.t.Helper()
	g.play("red choose +5", "red choose +2")
	url, stop := listen(b.t, g.Server, "127.0.0.1:0")
	b.t.Cleanup(stop)
	b.open(url + "/matches/current")
	b.until(atMoment(2, 2) + ` && !!document.querySelector(".on-air")`) // the stream is open
}

// hasty makes the page wait next to nothing where it would wait for seconds, and count how
// often it does. The tests themselves wait longer, with timers of the page.
const hasty = `(later => {
	window.waits = 0;
	window.setTimeout = (act, ms, ...args) => {
		if (ms > 5000) return later(act, ms, ...args);
		waits++;
		return later(act, 1, ...args);
	};
	return "";
})(window.setTimeout)`

// thirtyFrames is enough time for dozens of hasty requests.
const thirtyFrames = `new Promise(done => {
	let n = 0;
	const next = () => n++ < 30 ? requestAnimationFrame(next) : done("");
	next();
})`

// TestReplayFollows checks that the replay of the current match goes on with the table for
// those who look at its newest moment, and stays where it is for those who look back.
func TestReplayFollows(t *testing.T) {
	b := newTab(t)
	g := newGoingOn(t)
	b.follow(g)
	at := func(n, of int) { t.Helper(); b.until(atMoment(n, of)) }
	g.play("red choose +1")
	at(3, 3)
	b.click(`[data-act=step][data-by="-1"]`)
	at(2, 3)
	g.play("table undo", "red choose +4")
	at(2, 5)
	b.click(`.newest`)
	at(5, 5)
	g.play("red choose +1")
	at(6, 6)
	if hash := b.eval(`location.hash`); hash != "" {
		t.Errorf("the address names the moment %s, which is the newest", hash)
	}
}

// TestReplayFollowsWithoutDisk checks that the replay of the current match does not ask for
// ever for what is not written, and asks again for what could not be read.
func TestReplayFollowsWithoutDisk(t *testing.T) {
	b := newTab(t)
	g := newGoingOn(t)
	b.follow(g)
	b.eval(hasty)

	g.disk(1, 0)
	before := g.read()
	g.play("red choose +1")
	b.until(`waits >= 1`) // the pause after the first recording
	b.awaited(thirtyFrames)
	if got := g.read() - before; got != 1 {
		t.Errorf("the journal without the newest input was read %d times, want 1", got)
	}

	g.disk(0, 2)
	before = g.read()
	g.play("red choose +4")
	b.until(atMoment(4, 4))
	if got := g.read() - before; got != 3 {
		t.Errorf("the journal was read %d times, want 3: twice in vain", got)
	}
}
