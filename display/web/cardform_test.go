package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
)

// TestCardForm enters all of a card in one form, where its kind is first asked.
func TestCardForm(t *testing.T) {
	tb := newTable(t)
	tb.game = genegrafter.Games()[1]
	begun := tb.order(t.Context(), engine.Order{Do: "begin", Setup: engine.Setup{Game: tb.game.Info().Name,
		Seats: enginetest.Seats(2), First: "red", Options: map[string]string{"guide": "off"}}})
	if begun.Outcome != engine.Accepted {
		t.Fatal(begun)
	}
	url, _ := listen(t, tb.show(New(tb.config())), "127.0.0.1:0")
	for _, line := range []string{"red key next", "red tap card-7.1"} {
		in, _ := engine.ParseInput(line)
		if r := tb.input(t.Context(), in); r.Outcome != engine.Accepted {
			t.Fatalf("%s: %+v", line, r)
		}
	}
	b := newTab(t)
	b.open(url + "/?lang=fr")
	b.click(`[data-act="openForm"]`)
	b.click(`.cardform [data-field="kind"][data-word="character"]`)
	b.click(`.cardform [data-field="attack"][data-word="2"]`)
	b.click(`.cardform [data-field="markers"][data-word="mental"]`)
	b.click(`.cardform [data-field="markers"][data-word="mental"]`)
	b.click(`.cardform [data-field="power"][data-word="luck"]`)
	b.do(chromedp.SendKeys(`.cardform [name="fr"]`, "Le Renard"))
	b.click(`.cardform [type="submit"]`)
	b.until(`!document.getElementById("dialog").open && document.body.innerText.includes("Le Renard")`)
	inputs := tb.match.Inputs()
	want := `table set card-7 "fr \"Le Renard\" | kind character | attack 2 | power luck | markers mental mental"`
	if got := inputs[len(inputs)-1].Command(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
