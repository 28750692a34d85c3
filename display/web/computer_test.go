package web

import (
	"context"
	"testing"

	"tableside/engine"
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
}
