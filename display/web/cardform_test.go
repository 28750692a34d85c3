package web

import (
	"math/rand/v2"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
	"tableside/engine/mutants"
)

// asksForCard returns a table that asks for a card of Mutants, of which nobody has
// entered anything.
func asksForCard(t *testing.T) (*table, shown) {
	tb := newTable(t)
	tb.game = mutants.Games()[1]
	setup := engine.Setup{Game: tb.game.Info().Name, Seats: enginetest.Seats(2), First: "red",
		Options: map[string]string{"spaces": "12", "red-zone": "3", "rounds": "3/1,4/2,5/3,6/3,8/4"}}
	whole, err := enginetest.Play(tb.game, setup, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	tb.order(t.Context(), engine.Order{Do: "begin", Setup: whole.Setup()})
	for _, in := range whole.Inputs() {
		if p := tb.match.View().Prompts; len(p) > 0 && p[0].Form != nil && p[0].Key == "by-hand-leave" {
			return tb, shown{Server: tb.show(newServer(tb.config()))}
		}
		tb.apply("", in)
	}
	t.Fatal("no prompt has a form")
	return nil, shown{}
}

// TestCardFormTakesNone says of an ability that the card has none, and changes its mind
// by typing.
func TestCardFormTakesNone(t *testing.T) {
	tb, s := asksForCard(t)
	url, _ := listen(t, s.Server, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.click(`[data-act="openForm"]`)
	b.click(`.cardform [data-field="freeze"][data-word="2"]`)
	for _, ability := range []string{"leave", "ongoing"} {
		none := `.cardform button[data-keep="dialog.values.` + ability + `"]`
		b.ready(none)
		b.do(chromedp.Click(chromedp.CSS(none))) // the mouse stays over it, and it is lit nevertheless
		b.until(`new Set(['` + none + `', '.cardform [data-word="2"]'].map(on =>
			getComputedStyle(document.querySelector(on)).backgroundColor)).size === 1`)
		b.until(`!!document.querySelector('.cardform [data-keep="dialog.values.` + ability + `"][aria-pressed="true"]')`)
	}
	b.do(chromedp.SendKeys(`.cardform [name="leave"]`, "gain 2 power"))
	b.until(`!document.querySelector('.cardform [data-keep="dialog.values.leave"][aria-pressed="true"]')`)
	form := tb.match.View().Prompts[0].Form
	b.click(`.cardform [type="submit"]`)
	b.until(`!document.getElementById("dialog").open`)
	inputs := tb.match.Inputs()
	want := form.Input + ` "freeze 2 | leave gain 2 power | ongoing none"`
	if got := inputs[len(inputs)-1].Command(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestCardForm enters all of a card in one form, where its kind is first asked.
func TestCardForm(t *testing.T) {
	tb := newTable(t)
	tb.game = genegrafter.Games()[1]
	begun := tb.order(t.Context(), engine.Order{Do: "begin", Setup: engine.Setup{Game: tb.game.Info().Name,
		Seats: enginetest.Seats(2), First: "red", Options: map[string]string{"guide": "off"}}})
	if begun.Outcome != engine.Accepted {
		t.Fatal(begun)
	}
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
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
