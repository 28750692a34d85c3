package web

import (
	"context"
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
const inSight = `[...document.querySelectorAll("#arena .card[data-legal=yes]")].every(p => {
	const box = p.getBoundingClientRect();
	return p.contains(document.elementFromPoint(box.x + box.width / 2, box.y + 8)) && p.contains(document.elementFromPoint(box.x + box.width / 2, box.bottom - 8));
})`

func TestTenCreaturesFitALowScreen(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, exampleServer(crowded(2, 10)), "127.0.0.1:0")
	b.open(url + "/?lang=en")
	b.until(`document.querySelectorAll("#arena .card[data-legal=yes]").length === 10 && ` + inSight)
}

// reduceMotion emulates a user who wants no animations.
func reduceMotion() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	})
}
