package web

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A hand that is wider than the window says how many cards are out of sight, and
// scrolls to them, by mouse and on a phone.
func TestCardsOutOfSightAreCounted(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	const shown = `[...document.querySelectorAll(".hand .further[data-live-some]")].map(e => e.textContent).join()`
	for _, size := range []setting{{width: 1280, height: 800}, {width: 390, height: 844}} {
		b.do(screenOf(size), still("dark"))
		b.open(url + "/?lang=en")
		b.until(`document.querySelectorAll(".hand .card").length === 6`)
		b.eval(`(sheet => {
			sheet.replaceSync(".hand { gap: 12rem !important; }"); // a drawing would take away the hand's own style
			document.adoptedStyleSheets = [sheet];
			dispatchEvent(new Event("resize"));
			return "";
		})(new CSSStyleSheet())`)
		b.until(`/^[1-5] ›$/.test(` + shown + `)`)
		for range 6 {
			b.eval(`document.querySelector(".further:not(.back)[data-live-some]")?.click(); ""`)
		}
		b.until(`/^‹ [1-5]$/.test(` + shown + `)`)
		b.ready(".hand .card:nth-last-child(3)") // the last one, before the buttons
		b.click(".further.back")
		b.until(`/›$/.test(` + shown + `)`)
	}
	b.do(chromedp.EmulateViewport(1920, 1080))
	b.eval(`document.adoptedStyleSheets = []; dispatchEvent(new Event("resize")); ""`)
	b.until(shown + ` === ""`)
}
