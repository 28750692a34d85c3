package web

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"tableside/engine"
)

// crowded returns a frame in which every seat has n creatures in play. The
// prompt asks for all creatures of the first of two seats, or for the last
// creature of the last of four.
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
					asked.Options = append(asked.Options, engine.Answer{Key: "breed",
						Args: engine.Args{"card": engine.CardWord("zombie")}, Input: string(s.ID) + " tap " + card.ID()})
				}
			}
		}
	}
	f.View.Prompts = []engine.Prompt{asked}
	f.Lang = "-"
	return f.In(engine.English)
}

// inSight is a JavaScript expression: whether every card that answers the prompt
// is visible and can be clicked.
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

// reduceMotion emulates a user who wants no animations: the page then scrolls at
// once.
func reduceMotion() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	})
}

// The table scrolls to the card that answers by itself. A button shows that
// there is more below, and scrolls there.
func TestTableScrollsToWhatIsAsked(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, exampleServer(crowded(4, 48)), "127.0.0.1:0")
	b.do(reduceMotion())
	b.open(url + "/?lang=en")
	b.until(`!!document.querySelector(".hand-row") && document.querySelectorAll("#arena .plate.wanted").length === 1 && ` +
		inSight)
	// After the user has scrolled, the page does not scroll by itself.
	b.eval(`dispatchEvent(new Event("wheel")); document.querySelector("main").scrollTo({ top: 0 }); ''`)
	more := `document.getElementById("more")`
	b.until(fmt.Sprintf(`!%s.hidden && %[1]s.textContent === "↓ More below"`, more))
	b.click("#more")
	b.until(`document.querySelector("main").scrollTop > 100`)
	b.eval(`document.querySelector("main").scrollTo({ top: 9999 }); ''`)
	b.until(more + ".hidden")
}

// askedInSight is a JavaScript expression: whether the asked seat begins between the
// prompt and the hands.
const askedInSight = `(() => {
	const seat = document.querySelector(".seat[data-asked]")?.getBoundingClientRect();
	return !!seat && seat.top > document.getElementById("ask").getBoundingClientRect().bottom - 9 &&
		seat.top < document.getElementById("tray").getBoundingClientRect().top - 100;
})()`

// A phone shows the seat that is asked from the first, and scrolls to the cards that
// answer.
func TestPhoneScrollsToTheCardsThatAnswer(t *testing.T) {
	asked := crowded(4, 12)
	before := asked
	before.View.Prompts = []engine.Prompt{{Seat: "green", Key: "reveal", Args: engine.Args{"n": 1},
		Options: []engine.Answer{{Key: "pass", Input: "green key next"}}}}
	before.Lang = "-"
	s := exampleServer(before.In(engine.English))
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch), reduceMotion())
	b.open(url + "/?lang=en")
	b.until(`!!document.querySelector(".hand-row") && ` + askedInSight)
	if err := s.Show(t.Context(), asked); err != nil {
		t.Fatal(err)
	}
	b.until(`document.querySelectorAll("#arena .plate.wanted").length === 1 && ` + inSight)
}
