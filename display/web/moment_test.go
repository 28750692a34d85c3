package web

import (
	"fmt"
	"strings"
	"testing"

	"tableside/engine"
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
		ReadMatch: func(string) (engine.Game, *engine.Journal, error) {
			journal, err := engine.ParseJournal("match", []byte(*played))
			return tally.Games()[0], journal, err
		},
	})
}

// The end of a round is a card over the table, which covers no answer and goes at a
// click; the end of the match is a sheet that undo takes away.
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
	show(end - 3)
	b.until(`document.querySelector(".moment h3")?.textContent === "End of round 1"`)
	b.until(`document.querySelector(".gains li").textContent.replace(/\s+/g, " ").trim() === "Alice+1010 score"`)
	covered := `[...document.querySelectorAll("#ask button, #tray button")].filter(e => {
		const box = e.getBoundingClientRect();
		return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(".moment");
	}).length`
	if n := b.eval(fmt.Sprintf(`String(%s)`, covered)); n != "0" {
		t.Errorf("the card covers %s buttons", n)
	}
	b.eval(`document.querySelector(".moment")?.click(), ""`)
	b.until(`!document.querySelector(".moment")`)

	show(end)
	b.until(`[...document.querySelectorAll(".ending tbody tr")]
		.map(r => r.innerText.replace(/\s+/g, " ").trim()).join("; ") === "1 Max +5 +10 15 score; 2 Alice +10 – 10 score"`)
	b.until(`document.querySelector('.seat[data-seat="blue"] .flag.rank')?.title === "Place 1"`)
	b.until(`document.querySelectorAll(".decided li").length === 3`)
	b.click(`.ending [data-act="closeMoment"]`)
	b.until(`!document.querySelector(".ending")`)
	b.click(`[data-act="showResult"]`)
	b.until(`!!document.querySelector(".ending")`)
	show(end, "130s table undo")
	b.until(`!document.querySelector(".ending") && !document.querySelector(".flag.rank")`)
}

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
	for _, line := range journal.Lines {
		if _, err := match.Apply(line.Input); err != nil {
			t.Fatal(err)
		}
	}
	f := engine.Frame{View: match.View(), Words: match.Words(), Lang: "-", Status: engine.Status{Keeping: true}}
	return f.In(engine.English)
}
