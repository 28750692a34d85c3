package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/engine"
	"tableside/engine/mindbug"
)

// mindbugTable returns a table with Mindbug, after these lines.
func mindbugTable(t *testing.T, lines ...string) (*table, string) {
	t.Helper()
	tb := newTable(t)
	tb.game = mindbug.Games()[0]
	tb.begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	for _, line := range lines {
		in, err := engine.ParseInput(line)
		if err != nil {
			t.Fatal(err)
		}
		if r := tb.input(t.Context(), in); r.Outcome != engine.Accepted {
			t.Fatalf("%s: %+v", line, r)
		}
	}
	return tb, url
}

// opening begins a match: Alice has a Luchataur in play, Max a Shark Dog, and
// Alice may attack.
var opening = []string{"red tap gorillion.1", "blue tap killer-bee.1", "red tap luchataur.1", "blue key no",
	"blue tap shark-dog.1", "red key no"}

const lifeOfMax = `.life[data-k="blue"] .amount[data-what="life"]`

func TestNumberIsCorrectedByPointing(t *testing.T) {
	_, url := mindbugTable(t, opening...)
	b := newTab(t)
	b.open(url + "/?lang=en")
	shows := func(n int) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelector('%s')?.textContent === "%d"`, lifeOfMax, n))
	}
	b.until(`!!document.querySelector('` + lifeOfMax + `')`)
	before := b.eval(`document.querySelector('` + lifeOfMax + `').textContent`)
	b.click(lifeOfMax)
	b.click(`.stepper [data-by="1"]`)
	b.click(`.stepper [data-by="1"]`)
	b.click(`.stepper [data-by="-1"]`)
	b.click(`.stepper [type="submit"]`)
	var life int
	if _, err := fmt.Sscan(before, &life); err != nil {
		t.Fatal(err)
	}
	shows(life + 1)
	b.click(`#ask [data-input$=" undo"]`)
	shows(life)
	// By keyboard: Enter opens and sets, Escape leaves it as it is.
	b.eval(`document.querySelector('` + lifeOfMax + `').focus(); ""`)
	b.do(chromedp.KeyEvent("\r"))
	b.until(`document.activeElement.matches(".stepper input")`)
	b.do(chromedp.KeyEvent("7"), chromedp.KeyEvent("\r"))
	shows(7)
	b.eval(`document.querySelector('` + lifeOfMax + `').focus(); ""`)
	b.do(chromedp.KeyEvent("\r"))
	b.until(`document.activeElement.matches(".stepper input")`)
	b.do(chromedp.KeyEvent("9"), chromedp.KeyEvent("\x1b"))
	b.until(`!document.getElementById("dialog").open`)
	shows(7)
	// What the game counts by itself has no stepper.
	b.click(`.piles .amount[data-what="unused"]`)
	b.until(`!document.querySelector(".stepper") && document.getElementById("dialog").innerText.includes("follows from")`)
}

func TestCardIsMovedByPointing(t *testing.T) {
	tb, url := mindbugTable(t, opening...)
	b := newTab(t)
	b.open(url + "/?lang=en")
	const dog, bull = `.seat [data-ids="shark-dog.1"]`, `.seat [data-ids="luchataur.1"]`
	b.click(dog)
	b.click(".moves summary")
	places := `[...document.querySelectorAll(".moves button")].map(b => b.textContent).join(", ")`
	b.until(`!!document.querySelector(".moves button")`)
	const want = "Discard pile, Hand, Deck, Alice · In play, Alice · Discard pile, Alice · Hand, Alice · Deck, " +
		"The table · Revealed, The table · Unused pile"
	if got := b.eval(places); got != want {
		t.Errorf("a Shark Dog in play may go to %s; want %s", got, want)
	}
	b.click(`.moves [data-input="blue set shark-dog.1 discard"]`)
	b.until(`!document.querySelector('` + dog + `') && !!document.querySelector('[data-sheet="blue/discard"]:enabled')`)
	b.click(`#ask [data-input$=" undo"]`)
	b.until(`!!document.querySelector('` + dog + `')`)
	// The Luchataur may attack: a click taps it, the menu key opens the places.
	b.until(`document.querySelector('` + bull + `').matches("[data-legal=yes]")`)
	b.eval(`document.querySelector('` + bull + `').dispatchEvent(
		new MouseEvent("contextmenu", { bubbles: true, cancelable: true })); ""`)
	b.until(`!!document.querySelector('.moves [data-input="red set luchataur.1 hand"]')`)
	b.do(chromedp.KeyEvent("\x1b"))
	b.until(`!document.getElementById("dialog").open`)
	b.click(bull)
	eventually(t, func() bool {
		tb.mu.Lock()
		defer tb.mu.Unlock()
		return strings.HasPrefix(strings.Join(tb.laid, ", "), "tap red luchataur.1")
	})
}

func TestMatchGoesBackToALineOfTheLog(t *testing.T) {
	tb, url := mindbugTable(t, opening...)
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until(`document.querySelectorAll("#log .line").length > 2`)
	entry := b.eval(`[...document.querySelectorAll("#log .line")].find(e => e.textContent.includes("Luchataur")).dataset.entry`)
	b.click(fmt.Sprintf(`#log .line[data-entry="%s"]`, entry))
	b.until(`!!document.querySelector("[data-act=undoTo]")`)
	taken := b.eval(`document.querySelector("[data-act=undoTo]").textContent`)
	b.click(`[data-act="undoTo"]`)
	b.until(`document.querySelectorAll("#log .undone").length > 0 && !document.getElementById("dialog").open`)
	position := func() string {
		tb.mu.Lock()
		defer tb.mu.Unlock()
		return fmt.Sprintf("Take back %d moves", len(opening)-tb.match.Position())
	}
	eventually(t, func() bool { return position() == taken })
	b.until(fmt.Sprintf(`!document.querySelector('#log .line[data-entry="%s"]')`, entry)) // it is the newest move now
	b.click(`#ask [data-input$=" redo"]`)
	eventually(t, func() bool { return position() != taken })
}

// Only corrections are tried, and nothing changes.
func TestTryAnswersForCorrectionsOnly(t *testing.T) {
	tb, _ := mindbugTable(t, opening...)
	s := newServer(tb.config())
	for _, test := range []struct {
		body   string
		status int
		want   string
	}{
		{`{"inputs":["red set life 3","red set powr 99","green set life 1"]}`, 200, `"",""],`},
		{`{"inputs":["red tap luchataur.1"]}`, 400, "only corrections with set"},
		{`{"inputs":["red"]}`, 400, "column"},
		{`{"inputs":[` + strings.Repeat(`"red set life 3",`, 64) + `"red set life 3"]}`, 400, "got 65 inputs, want at most 64"},
	} {
		w := request{method: "POST", path: "/api/try", body: test.body, kind: "application/json"}.send(s)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s: got %d %s, want %d … %s", test.body, w.Code, w.Body, test.status, test.want)
		}
	}
	if got := tb.match.Position(); got != len(opening) {
		t.Errorf("got %d inputs after trials, want %d", got, len(opening))
	}
}
