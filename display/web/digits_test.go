package web

import (
	"strings"
	"testing"

	"tableside/engine"
)

// TestNumbersOfAnswers tests that the page gives answers the numbers that a number pad
// types: their places, or the number itself where one is asked.
func TestNumbersOfAnswers(t *testing.T) {
	f := two()
	f.Status.Digits = true
	p := &f.View.Prompts[0]
	*p = engine.Prompt{Seat: p.Seat, Key: p.Key, Args: p.Args, Text: "What next?"}
	for _, input := range []string{"choose a", "key yes", "choose b"} {
		p.Options = append(p.Options, engine.Answer{Key: "k", Text: "Answer", Input: string(p.Seat) + " " + input})
	}
	s := exampleServer(f)
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	numbers := func(want string) {
		t.Helper()
		b.until(`[...document.querySelectorAll("#ask .answers .a")].map(a =>
			(a.dataset.number ?? "") + a.innerText).join("|").replace(/\s+/g, " ") === "` + want + `"`)
	}
	digits, asked := p.Digits()
	if asked || digits[2] != "3" {
		t.Errorf("a number pad has %q", digits)
	}
	numbers("11 Answer|22 Answer|33 Answer")
	f.View.Seq++
	f.View.Prompts = []engine.Prompt{{Seat: p.Seat, Key: p.Key, Args: p.Args, Text: "How many?"}}
	p = &f.View.Prompts[0]
	for _, n := range []string{"choose 0", "choose 4", "choose 12", "key no"} {
		_, text, _ := strings.Cut(n, " ")
		p.Options = append(p.Options, engine.Answer{Key: "k", Text: text, Input: string(p.Seat) + " " + n})
	}
	if digits, asked = p.Digits(); !asked || digits[1] != "4" {
		t.Errorf("a number pad has %q", digits)
	}
	if err := s.Show(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	numbers("00|44|1212|no")
}
