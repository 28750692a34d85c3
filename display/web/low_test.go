package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/engine"
)

// crowded is a table whose seats have n creatures each in play; the last one
// of the last seat is asked for, and for two seats all of the first.
func crowded(seats, n int) engine.Frame {
	f := exampleFrame(seats)
	f.View.Tracks = nil
	asked := engine.Prompt{Key: "action", Args: engine.Args{"n": 0}}
	for i := range f.View.Seats {
		s := &f.View.Seats[i]
		play := engine.Zone{Name: "active"}
		for c := range n {
			play.Cards = append(play.Cards, engine.Card{Kind: "zombie", Copy: i*n + c + 1, State: []string{"tilted"},
				Counters: engine.Counters{{Name: "power", Value: c}}, Keywords: []string{"necro"}})
		}
		s.Zones = engine.Zones{play, {Name: "discard"}}
		if i == 0 && seats == 2 || i == 3 {
			asked.Seat = s.ID
			for c, card := range play.Cards {
				if seats == 2 || c == n-1 {
					asked.Options = append(asked.Options, engine.Answer{Key: "breed", Args: engine.Args{"card": engine.CardWord("zombie")}, Input: string(s.ID) + " tap " + card.ID()})
				}
			}
		}
	}
	f.View.Prompts = []engine.Prompt{asked}
	f.Lang = "-"
	return f.In(engine.English)
}

// inSight is an expression: whether what is asked for can be clicked where it
// stands.
const inSight = `[...document.querySelectorAll("#arena .plate.wanted")].every(p => {
	const box = p.getBoundingClientRect();
	return p.contains(document.elementFromPoint(box.x + box.width / 2, box.y + 8)) && p.contains(document.elementFromPoint(box.x + box.width / 2, box.bottom - 8));
})`

func TestTenCreaturesFitALowScreen(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, exampleServer(crowded(2, 10)), "127.0.0.1:0")
	b.open(url + "/?lang=en")
	b.until(`document.querySelectorAll("#arena .plate.wanted").length === 10 && ` + inSight)
}

// What does not fit is a click away, and the page says so; what is asked for
// comes into sight by itself.
func TestTableScrollsToWhatIsAsked(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, exampleServer(crowded(4, 12)), "127.0.0.1:0")
	b.open(url + "/?lang=en")
	b.until(`document.querySelectorAll("#arena .plate.wanted").length === 1 && ` + inSight)
	b.eval(`document.querySelector("main").scrollTo({ top: 0 }); ''`)
	more := `document.getElementById("more")`
	for range 2 {
		b.until(fmt.Sprintf(`!%s.hidden && %[1]s.textContent === "↓ More below"`, more))
		b.do(chromedp.Click(chromedp.CSS("#more")))
		b.until(`(main => main.scrollTop > 100)(document.querySelector("main"))`)
	}
	b.eval(`document.querySelector("main").scrollTo({ top: 9999 }); ''`)
	b.until(more + ".hidden")
}
