package web

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tableside/display/web/past"
	"tableside/engine"
	"tableside/engine/advice"
	"tableside/engine/tally"
)

const shortMatch = `tableside-journal 1
game tally/score
option rounds 2
seat red Alice
seat blue Max
begin 2026-11-21T20:15:00Z
60s red choose +10
70s red key next
80s blue choose +5
90s blue key next
100s red key next
110s blue choose +10
120s blue key next
`

func summing(played *string) *Server {
	return newServer(Config{
		Games: func() []engine.Info { return nil },
		History: &past.History{Post: func(match string, lang engine.Lang) string {
			return "https://app.example/" + match + "?" + string(lang)
		}},
		ReadMatch: func(string) (engine.Game, *engine.Journal, error) {
			journal, err := engine.ParseJournal("match", []byte(*played))
			return tally.Games()[0], journal, err
		},
	})
}

// The end of a match has the whole page, with its moments, until undo takes it away.
func TestMomentsOfAMatch(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(shortMatch), "\n")
	played := "" // the journal so far
	s := summing(&played)
	show := func(n int, more ...string) {
		t.Helper()
		played = strings.Join(append(lines[:n:n], more...), "\n") + "\n"
		if err := s.Show(t.Context(), tallyFrame(t, played)); err != nil {
			t.Fatal(err)
		}
	}
	end := len(lines)
	show(end - 4)
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.prompts("Max's turn")
	show(end)
	b.prompts("Max wins 15 to 10")
	b.until(`[...document.querySelectorAll("#end tbody tr")]
		.map(r => r.innerText.replace(/\s+/g, " ").trim()).join("; ") === "Max 5 10 15; Alice 10 0 10"`)
	b.until(`document.querySelector("#end .reason").textContent === "Max takes the lead only in the last round."`)
	b.until(`[...document.querySelectorAll("#end .moments li")].map(e => e.innerText.replace(/\s+/g, " ")).join("; ") ===
		"Round 1 · 1:30 Alice wins round 1 by 10 to 5 and leads 10 to 5.; " +
		"Round 2 · 2:00 Max wins round 2 by 10 to 0 and the match 15 to 10."`)
	b.until(`document.querySelectorAll("#end .plot path[d*=H]").length === 2`)
	b.until(`document.querySelector("[data-number='1']").matches("#end .primary[data-do=rematch]")`)
	if wrong := b.eval(endFaults); wrong != "" {
		t.Error(wrong)
	}
	show(end, "130s table undo")
	b.until(`!document.querySelector("#end").firstChild && !!document.querySelector(".seat")`)
}

// A phone has the link to the app that keeps plays; other screens, which have no such app, do not show it.
func TestAPhonePostsTheMatch(t *testing.T) {
	played := shortMatch
	s := summing(&played)
	if err := s.Show(t.Context(), tallyFrame(t, played)); err != nil {
		t.Fatal(err)
	}
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	for _, screen := range []setting{{width: 1366, height: 768}, {width: 390, height: 844}} {
		b.do(screenOf(screen))
		b.open(url + "/?lang=fr")
		b.until(`!!document.querySelector("#end .share")`)
		const link = `!!document.querySelector("#end .share [href='https://app.example/2026-11-21T20-15-00Z?fr']")`
		if has := b.eval("String(" + link + ")"); has != fmt.Sprint(screen.width < 600) {
			t.Errorf("%d px: the link is there: %s", screen.width, has)
		}
	}
}

// The moments of the end are the greatest swings of the chances, once the page has asked for all of them.
func TestMomentsFromChances(t *testing.T) {
	likely := []float64{.5, .1, .15, .6, .58, .62, .65}
	chances := func(_ context.Context, _ string, seq int) (advice.Moment, error) {
		blue := 1.
		if seq < len(likely) {
			blue = likely[seq]
		}
		return advice.Moment{Chances: engine.Chances{Seq: seq, Of: 400,
			List: []engine.Chance{{Seat: "red", Mean: 1 - blue}, {Seat: "blue", Mean: blue}}}}, nil
	}
	read := func(string) (engine.Game, *engine.Journal, error) {
		j, err := engine.ParseJournal("match", []byte(shortMatch))
		return tally.Games()[0], j, err
	}
	f := tallyFrame(t, shortMatch)
	s := newServer(Config{ReadMatch: read, Chances: chances, Games: func() []engine.Info { return nil },
		Matches: func() ([]engine.MatchInfo, error) { return []engine.MatchInfo{{ID: string(f.View.Match)}}, nil }})
	if err := s.Show(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until(`[...document.querySelectorAll("#end .moments li b")].map(e => e.textContent).join("; ") ===
		"50 → 90 %; 15 → 60 %; 65 → 100 %"`)
	b.until(`[...document.querySelectorAll("#end .moments li span")].map(e => e.textContent).join("; ") ===
		"Alice: +10 score; Max: +5 score; Round 2 is over · Max wins"`)
}

// endFaults says what of the end does not fit, is written too small or too low for a finger.
const endFaults = `(() => {
	const faults = [], end = document.getElementById("end"), page = document.documentElement;
	const over = e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1;
	if (over(page) || innerWidth > 900 && over(end)) faults.push("the end does not fit");
	for (const e of end.querySelectorAll("*")) {
		const text = [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim());
		if (text && parseFloat(getComputedStyle(e).fontSize) < 12) faults.push("small: " + e.outerHTML.slice(0, 80));
	}
	for (const e of end.querySelectorAll("button, a")) {
		if (e.getBoundingClientRect().height < 44) faults.push("low: " + e.textContent);
	}
	return faults.join("\n");
})()`

// tallyFrame returns the frame at the end of a journal of tally.
func tallyFrame(t *testing.T, played string) engine.Frame {
	t.Helper()
	journal, err := engine.ParseJournal("match", []byte(played))
	if err != nil {
		t.Fatal(err)
	}
	match, err := engine.NewMatch(tally.Games()[0], journal.Setup)
	if err != nil {
		t.Fatal(err)
	}
	var last engine.Step
	for _, line := range journal.Lines {
		if last, err = match.Apply(line.Input); err != nil {
			t.Fatal(err)
		}
	}
	f := engine.Frame{View: match.View(), Events: last.Events,
		Words: match.Words(), Lang: "-", Status: engine.Status{Keeping: true}}
	return f.In(engine.English)
}
