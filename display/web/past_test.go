package web

import (
	"fmt"
	"testing"

	"tableside/engine"
)

// remembered returns a table with 130 matches, some of which nobody has ended.
func remembered(*testing.T) shown {
	type player struct {
		Seat  engine.Seat `json:"seat"`
		Name  string      `json:"name"`
		Won   bool        `json:"won,omitempty"`
		Value int         `json:"value"`
	}
	type entry struct {
		ID      string   `json:"id"`
		Game    string   `json:"game"`
		Begin   string   `json:"begin"`
		Seconds int      `json:"seconds"`
		State   string   `json:"state"`
		Counter string   `json:"counter"`
		Seats   []player `json:"seats"`
	}
	var list []entry
	for i := range 130 {
		e := entry{fmt.Sprintf("m%03d", i), "tally/score", "2026-11-20T20:15:00Z", 60 * i, "finished", "score",
			[]player{{"red", "Zoé", true, 12}, {"blue", "Max", false, 9}}}
		if i%10 == 0 {
			e.Seats[1].Name, e.Seats[1].Won, e.State, e.Game = "Barthélémy", false, "unfinished", "ring/test"
		}
		list = append(list, e)
	}
	s := New(Config{
		Games:   func() []engine.Info { return nil },
		History: func() (any, error) { return list, nil },
	})
	return shown{Server: s}
}

// The history is searched by player, without regard to accents, and by game; what is
// sought is in the address.
func TestHistory(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, remembered(t).Server, "127.0.0.1:0")
	b.open(url + "/history?lang=en")
	b.until(`document.querySelectorAll("li").length === 100`)
	b.until(`document.querySelector(".said").textContent === "130 matches · 139 h 45 min of play"`)
	b.click("form button")
	b.until(`document.querySelectorAll("li").length === 130 && !document.querySelector("form")`)
	b.eval(`const f = document.querySelector("input"); f.value = "barthelemy"; ` +
		`f.dispatchEvent(new Event("input", { bubbles: true })); ""`)
	b.until(`document.querySelectorAll("li").length === 13 && location.search.includes("player=barthelemy")`)
	b.open(url + "/history?lang=en&game=ring&player=max")
	b.until(`document.querySelector(".said").textContent === "No matches"`)
	b.open(url + "/history?lang=fr&game=ring")
	b.until(`document.querySelector("select").value === "ring" && document.querySelectorAll("li").length === 13`)
	if got := b.eval(`document.querySelector("li a").getAttribute("href")`); got != "/matches/m000" {
		t.Errorf("got %s", got)
	}
}
