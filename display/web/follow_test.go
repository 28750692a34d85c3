package web

import (
	"strconv"
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
	g.Server = New(Config{
		Matches: func() ([]engine.MatchInfo, error) { return []engine.MatchInfo{{ID: "now", State: "playing"}}, nil },
		Played: func(string) (engine.Game, *engine.Journal, error) {
			g.mu.Lock()
			defer g.mu.Unlock()
			j, err := engine.ParseJournal("now", []byte(strings.Join(g.lines, "\n")+"\n"))
			return game, j, err
		},
	})
	return g
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

// followed returns a table whose match is followed.
func followed(t *testing.T) shown {
	g := newGoingOn(t)
	g.play("red choose +5", "red key next")
	return shown{Server: g.Server}
}

// TestReplayFollows checks that the replay of the current match goes on with the table for
// those who look at its newest moment, and stays where it is for those who look back.
func TestReplayFollows(t *testing.T) {
	b := newTab(t)
	g := newGoingOn(t)
	g.play("red choose +5", "red choose +2")
	url, stop := listen(t, g.Server, "127.0.0.1:0")
	defer stop()
	b.open(url + "/matches/current")
	at := func(n, of int) {
		t.Helper()
		b.until(`(s => s?.value + "/" + s?.max)(document.querySelector(".course input")) === "` +
			strconv.Itoa(n) + "/" + strconv.Itoa(of) + `"`)
	}
	at(2, 2)
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
