package web

import (
	"context"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/engine"
	"tableside/engine/advice"
)

// TestComputerIsThinking tests the page while a seat of the table's is asked: it says so, offers none of its
// answers, and shows the hand of a person.
func TestComputerIsThinking(t *testing.T) {
	b := newTab(t)
	f := exampleFrame(2)
	f.Status.Computer = []engine.Seat{"red"}
	f.View.Prompts[0].Options = append(f.View.Prompts[0].Options, engine.Answer{Key: "no", Input: "red key no"})
	s, orders := exampleServer(f), make(chan engine.Order, 1)
	s.config.Order = func(_ context.Context, o engine.Order) engine.Receipt {
		orders <- o
		return engine.Receipt{Outcome: engine.Accepted}
	}
	url, _ := listen(t, s, "127.0.0.1:0")
	b.open(url + "/?lang=en")
	b.until(`document.querySelector("#prompt")?.textContent === "is thinking"`)
	for _, check := range []string{
		`!document.querySelector("[data-legal=yes], [data-input^='red key'], [data-input^='red tap']")`,
		`document.querySelector("[data-part=hand]").textContent.includes("Max")`,
		`document.querySelector("[data-part=arena] [data-seat=red] [data-k=computer]").textContent === "the table"`,
		`!document.querySelector("[data-part=arena] [data-seat=blue] [data-k=computer]")`,
	} {
		b.until(check)
	}
	b.click(`[data-do=take-seat]`)
	if o := <-orders; o.Do != "take-seat" || o.Seat != "red" {
		t.Errorf("got %+v", o)
	}
	b.click(`[data-do=pause]`)
	if o := <-orders; o.Do != "pause" {
		t.Errorf("got %+v", o)
	}
	b.do(chromedp.KeyEvent("p"))
	if o := <-orders; o.Do != "play-now" {
		t.Errorf("got %+v", o)
	}
}

func TestHint(t *testing.T) {
	f := exampleFrame(2)
	f.View.Prompts = []engine.Prompt{
		{Seat: "red", Text: "Play", Options: []engine.Answer{{Text: "Play a card", Zone: "red/hand", Input: "red tap"},
			{Text: "Pass", Input: "red key no"}}},
		{Seat: "red", May: true, Text: "Reveal", Options: []engine.Answer{{Text: "Later", Input: "red choose later"}}}}
	s := exampleServer(f)
	tap := func(card, place string, visits int, chance float64) advice.Choice {
		return advice.Choice{Input: engine.Input{Seat: "red", Verb: engine.Tap, Args: []string{card}}, Place: place,
			Visits: visits, Chance: chance}
	}
	s.config.Simulated.Hint = func(_ context.Context, seat engine.Seat) ([]advice.Choice, error) {
		if seat != "red" {
			t.Errorf("asked for %s", seat)
		}
		return []advice.Choice{tap("zombie.1", "red/hand", 100, .64),
			{Input: engine.Input{Seat: "red", Verb: engine.Choose, Args: []string{"later"}}, Visits: 50, Chance: .5},
			{Input: engine.Input{Seat: "red", Verb: engine.Key, Args: []string{"no"}}, Visits: 40, Chance: .25}}, nil
	}
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until(`!!document.querySelector(".hint")`)
	b.do(chromedp.KeyEvent("h"))
	b.until(`document.querySelectorAll(".advice b").length === 2`)
	if got := b.eval(`[...document.querySelectorAll(".advice li")].map(e => e.textContent).join("; ")`); got !=
		"Zombiewon 64 of 100 imagined matches; Passwon 10 of 40 imagined matches" {
		t.Errorf("got %s", got)
	}
	for _, test := range []struct {
		change func(*engine.Frame)
		query  string
		want   int
	}{
		{func(*engine.Frame) {}, "seat=red", http.StatusOK},
		{func(f *engine.Frame) { f.Status.Computer = []engine.Seat{"red"} }, "seat=red", http.StatusNotFound},
		{func(f *engine.Frame) { f.Status.Hall = "club" }, "seat=red", http.StatusNotFound},
	} {
		g := f
		test.change(&g)
		g.View.Seq++
		if err := s.Show(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		answer, err := http.Get(url + "/api/hint?" + test.query)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != test.want {
			t.Errorf("%s: %s", test.query, answer.Status)
		}
	}
}
