package web

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// overlappingNames is a JavaScript expression for the area names that overlap.
// It measures the texts, not their boxes.
const overlappingNames = `(() => {
	const boxes = [...document.querySelectorAll(".step small")].map(e => {
		const range = document.createRange();
		range.selectNodeContents(e);
		return { text: e.textContent, box: range.getBoundingClientRect() };
	}).filter(({ text, box }) => text && box.width);
	const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
	const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b => meet(a.box, b.box)).map(b => a.text + " over " + b.text));
	return boxes.length < 2 ? "names are missing" : pairs.join(", ");
})()`

// The font of a plain Debian is a third wider than the page's preferred one. On a phone the names
// are left out.
func TestTrackNamesStayApart(t *testing.T) {
	atNight(t)
	url, _ := listen(t, exampleServer(exampleFrame(2)), "127.0.0.1:0")
	b := newTab(t)
	for _, lang := range []string{"en", "fr"} {
		b.open(url + "/?lang=" + lang)
		b.until("!!document.querySelector('.step small')")
		b.eval(`document.documentElement.style.setProperty("--display", "DejaVu Sans"), ""`)
		for _, width := range []int64{1366, 1280, 1000, 820} {
			b.do(chromedp.EmulateViewport(width, 800))
			if meet := b.eval(overlappingNames); meet != "" {
				t.Errorf("%s, %d pixels: %s", lang, width, meet)
			}
		}
	}
}
