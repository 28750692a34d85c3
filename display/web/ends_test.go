package web

import (
	"fmt"
	"strings"
	"testing"

	"tableside/engine"
)

// TestEndsOnThePage plays what ends and decides a match besides points, by clicks: what an opponent's
// commander deals, a miss, a phase, a player who leaves, a tie-break, and a match without points.
func TestEndsOnThePage(t *testing.T) {
	b := newTab(t)
	play := func(options map[string]string) {
		t.Helper()
		tb, _ := scoring(t, 3, options)
		c := tb.config()
		c.ReadMatch = func(string) (engine.Game, *engine.Journal, error) {
			tb.mu.Lock()
			defer tb.mu.Unlock()
			lines := tb.match.Setup().Head()
			for _, in := range tb.match.Inputs() {
				lines = append(lines, in.String())
			}
			j, err := engine.ParseJournal("", []byte(strings.Join(lines, "\n")+"\n"))
			return tb.game, j, err
		}
		tb.web = tb.show(newServer(c))
		url, _ := listen(t, tb.web, "127.0.0.1:0")
		b.open(url + "/?lang=en")
	}
	shows := func(selector, want string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelector(%q)?.textContent === %q`, selector, want))
	}
	seat := func(id, rest string) string { return fmt.Sprintf(`.counts[data-seat=%q] %s`, id, rest) }

	play(map[string]string{"counters": "life,poison", "start": "40,0", "target": "0", "out": "poison 10, commander 21"})
	b.click(seat("red", `.kinds [data-k="from-blue"]`))
	shows(seat("red", ".huge"), "0")
	b.click(seat("red", `[data-k="pad10"]`))
	shows(seat("red", `.kinds [data-k="life"]`), "life 30")
	b.click(seat("red", `[data-k="pad10"]`))
	b.click(seat("red", `[data-k="pad1"]`))
	shows(seat("red", `.tag[data-k="out"]`), "out")
	b.click(seat("blue", ".id button"))
	b.click(`#dialog [data-k="leaves"]`)
	shows("#end h2", "Zoé wins")

	play(map[string]string{"target": "50", "out": "misses 3"})
	b.click(seat("red", `.kinds [data-k="red choose 0"]`))
	shows(seat("red", `.kinds [data-k="misses"]`), "misses 1")

	play(map[string]string{"counters": "score,phases", "turns": "off", "goal": "low", "finish": "phases 1"})
	b.click(seat("blue", `.kinds [data-k="blue choose phases +1"]`))
	shows(seat("blue", `.kinds [data-k="phases"]`), "phases 1")
	b.click(`#ask [data-input="table key next"]`)
	shows("#end .reason", "Max is through: phases 1.")

	play(map[string]string{"counters": "score,coins", "turns": "off", "tie": "coins"})
	b.click(seat("blue", `.kinds [data-k="coins"]`))
	b.click(seat("blue", `[data-k="pad5"]`))
	shows(seat("blue", ".huge"), "5")
	b.click(seat("red", `.kinds [data-k="coins"]`))
	b.click(seat("red", `[data-k="pad5"]`))
	shows(seat("red", ".huge"), "5")
	b.click(`#ask [data-open="end"]`)
	b.click(`#dialog [data-input="table choose end"]`)
	shows("#end .reason", "A tie: who has won?")
	b.click(`#end [data-k="redcoins"]`)
	b.click(`.digits [data-digit="7"]`)
	b.click(`.stepper [type="submit"]`)
	shows("#end .reason", "By the tie-break: Alice has 7 coins.")

	play(map[string]string{"result": "winner", "turns": "off"})
	b.click(`#ask [data-input="table set winner all"]`)
	shows("#end .reason", "A draw.")
	b.click(`#end [data-input$=" undo"]`)
	b.click(seat("yellow", `[data-input="table set winner yellow"]`))
	shows("#end h2", "Zoé wins")

	play(map[string]string{"result": "together", "turns": "off"})
	b.click(`#ask [data-input="table set winner table"]`)
	shows("#end h2", "The game wins")
	shows("#end .reason", "Lost together, against the game.")
}

// commanding returns a match of four in which a counter of what an opponent has dealt is chosen.
func commanding(t *testing.T) shown {
	_, s := scoring(t, 4, map[string]string{"counters": "life,poison", "start": "40,0", "target": "0",
		"out": "poison 10, commander 21"}, "red choose from-blue", "red choose +5", "yellow choose poison 10")
	return s
}

// level returns a match that ended with a tie.
func level(t *testing.T) shown {
	_, s := scoring(t, 3, map[string]string{"counters": "score,coins", "tie": "coins"}, "table choose end")
	return s
}

// unscored returns a match in which nobody has points.
func unscored(t *testing.T) shown {
	_, s := scoring(t, 2, map[string]string{"result": "winner"})
	return s
}
