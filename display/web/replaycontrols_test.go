package web

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/engine/tally"
)

// TestReplayControls checks that the keys of a replay share one line on a phone, and that
// there is no empty choice of jumps where nothing has happened yet.
func TestReplayControls(t *testing.T) {
	b := newTab(t)
	b.do(chromedp.EmulateViewport(390, 844))
	url, _ := listen(t, replaying(tally.Games()[0], []byte(shortMatch)), "127.0.0.1:0")
	b.open(url + "/matches/old?lang=fr")
	b.until(`new Set([...document.querySelectorAll(".controls :is(button, select)")]` +
		`.filter(e => e.checkVisibility()).map(e => Math.round(e.getBoundingClientRect().bottom))).size === 1 && ` +
		`!!document.querySelector(".controls select")`)
	head, _, _ := strings.Cut(shortMatch, "60s red")
	empty, _ := listen(t, replaying(tally.Games()[0], []byte(head)), "127.0.0.1:0")
	b.open(empty + "/matches/old?lang=fr")
	b.until(`!!document.querySelector(".controls [data-act=play]") && !document.querySelector(".controls select")`)
}

// What the slider moves is there at once: it goes on before a puck has arrived. Elsewhere
// pucks slide.
func TestSliderMovesNothingSlowly(t *testing.T) {
	b := newTab(t)
	game, journal := mutantsMatch(t)
	url, _ := listen(t, replaying(game, journal), "127.0.0.1:0")
	b.open(url + "/matches/old?lang=en")
	b.until(`!!document.querySelector(".course input")`)
	const moving = `String(document.getAnimations().filter(a => a.effect.target.closest("#arena, #track")).length)`
	got := b.awaited(`(async () => {
		const slider = document.querySelector(".course input");
		slider.value = 120;
		slider.dispatchEvent(new Event("input", { bubbles: true }));
		while (slider.getAttribute("value") !== "120") await new Promise(requestAnimationFrame);
		return ` + moving + `;
	})()`)
	if got != "0" {
		t.Errorf("got %s animations after the slider, want none", got)
	}
	b.click(`.turns button`)
	b.until(moving + ` !== "0"`)
}
