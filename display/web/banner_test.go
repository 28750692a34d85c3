package web

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
	"tableside/engine/tally"
)

const tallyJournal = `tableside-journal 1
game tally/score
seat red Alice
seat blue Max
seat yellow Zoé
begin 2026-11-21T20:15:00Z
red key plus
red choose +10
red key next
blue key minus
blue choose +5
blue key next
`

// playedFrames returns frames of a match: of every step-th input of its journal,
// at most so many.
func playedFrames(t *testing.T, name string, data []byte, step, most int) []engine.Frame {
	t.Helper()
	games := map[string]engine.Game{}
	for _, list := range [][]engine.Game{mutants.Games(), mindbug.Games(), genegrafter.Games(), tally.Games()} {
		for _, g := range list {
			games[g.Info().Name] = g
		}
	}
	journal, err := engine.ParseJournal(name, data)
	if err != nil {
		t.Fatal(err)
	}
	match, err := engine.NewMatch(games[journal.Setup.Game], journal.Setup)
	if err != nil {
		t.Fatal(err)
	}
	var frames []engine.Frame
	for i, line := range journal.Lines {
		if line.Mark != nil {
			continue
		}
		if _, err := match.Apply(line.Input); err != nil {
			continue // a refusal, as in the journal
		}
		if i%step > 0 || match.Over() || len(frames) == most {
			continue
		}
		f := engine.Frame{View: match.View(), Words: match.Words(), Lang: "-", Status: engine.Status{Keeping: true}}
		frames = append(frames, f.In(engine.French)) // its texts are longer
	}
	return frames
}

// wholeMatches returns journals of matches, by the names of their files.
func wholeMatches(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../../cmd/tableside/testdata/games/*.journal")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	journals := map[string][]byte{"tally": []byte(tallyJournal)}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		journals[strings.TrimSuffix(filepath.Base(file), ".journal")] = data
	}
	return journals
}

// bannerPlaces is a JavaScript function that waits until a view is drawn, and returns where the
// question, the track, the arena and undo are.
const bannerPlaces = `(async seq => {
	while (document.body.dataset.seq !== String(seq)) await new Promise(requestAnimationFrame);
	for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
	return ["#ask", "#track", "#arena", "#ask .undo"].map(on => {
		const { x, y, width, height } = document.querySelector(on)?.getBoundingClientRect() ?? {};
		return on + " " + [x, y, width, height].map(Math.round);
	}).join(", ");
})(%d)`

// sideways is JavaScript that tries to scroll the question, as it may happen when an
// answer scrolls into view, and returns by how many pixels it did.
const sideways = `(ask => {
	ask.scrollLeft = 60;
	return String(ask.scrollLeft);
})(document.getElementById("ask"))`

// From prompt to prompt, and when an input is refused, neither the question nor the table
// moves.
func TestQuestionKeepsItsPlace(t *testing.T) {
	atNight(t)
	b := newTab(t)
	journals := wholeMatches(t)
	sizes := []setting{{width: 1280, height: 800}, {width: 390, height: 844}, {width: 1920, height: 1080}}
	for _, name := range slices.Sorted(maps.Keys(journals)) {
		data := journals[name]
		t.Run(name, func(t *testing.T) {
			b := &tab{t, b.ctx}
			step := 6
			if name == "tally" {
				step = 1
			}
			s := newServer(Config{Games: func() []engine.Info { return nil }})
			url, stop := listen(t, s, "127.0.0.1:0")
			defer stop()
			frames, seen := playedFrames(t, name, data, step, 9), 0
			b.do(still("dark"))
			for i, size := range sizes {
				b.do(screenOf(size))
				want := ""
				for n, f := range frames {
					if n%3 == 2 {
						f.Status.Receipt = &engine.Receipt{Outcome: engine.Refused, Seat: "red", N: n, Override: true,
							Spoken: "Cela ne va pas : le flanc gauche et le flanc droit sont déjà occupés, et rien ne les quitte"}
					}
					if err := s.Show(context.Background(), f); err != nil {
						t.Fatal(err)
					}
					if i == 0 && n == 0 {
						b.open(url + "/?lang=fr")
						b.until("!!document.querySelector('#ask .undo')")
					}
					got := b.awaited(fmt.Sprintf(bannerPlaces, f.View.Seq))
					if seen++; want == "" {
						want = got
					} else if got != want {
						t.Errorf("%d wide, at %q: got %s, want %s", size.width, f.View.Prompts[0].Text, got, want)
					}
				}
				if at := b.eval(sideways); at != "0" {
					t.Errorf("%d wide: the question is scrolled by %s pixels", size.width, at)
				}
			}
			if seen < 5*len(sizes) {
				t.Errorf("%d prompts were seen, want %d or more", seen, 5*len(sizes))
			}
		})
	}
}

// TestProposalBegins begins what a hall proposes with one tap, at the empty table and after a
// match, and calls the hall from the menu.
func TestProposalBegins(t *testing.T) {
	b := newTab(t)
	for _, f := range []engine.Frame{invited("mutants"), invitedAgain()} {
		s, did := exampleServer(f), make(chan string, 2)
		s.config.Input = func(_ context.Context, in engine.Input) engine.Receipt {
			did <- in.Command()
			return engine.Receipt{Outcome: engine.Accepted}
		}
		s.config.Order = func(_ context.Context, o engine.Order) engine.Receipt {
			did <- o.Do
			return engine.Receipt{Outcome: engine.Accepted}
		}
		url, stop := listen(t, s, "127.0.0.1:0")
		b.open(url + "/?lang=en")
		for _, step := range []struct{ click, want string }{
			{"[data-input='table choose seated']", "table choose seated"}, {"[data-open=menu]", ""}, {"dialog [data-do=call]", "call"},
		} {
			b.until(fmt.Sprintf(`!!document.querySelector(%q)`, step.click))
			if b.click(step.click); step.want == "" {
				continue
			}
			if got := <-did; got != step.want {
				t.Errorf("%s did %q, want %q", step.click, got, step.want)
			}
		}
		stop()
	}
}
