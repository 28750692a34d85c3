package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// under is JavaScript that returns what of the question or the track lies under an element.
const under = `(box => ["ask", "track"].filter(id => {
	const e = document.getElementById(id).getBoundingClientRect();
	return e.height && box.top < e.bottom - 1 && box.bottom > e.top + 1;
}).join())(document.querySelector(%q).getBoundingClientRect())`

// A card at full size, a pile, the log and the hardware cover neither question nor track, and
// go with Escape.
func TestNothingLiesOverQuestionAndTrack(t *testing.T) {
	b := newTab(t)
	s := exampleServer(exampleFrame(4))
	url, _ := listen(t, s, "127.0.0.1:0")
	for _, size := range []setting{{width: 1366, height: 768}, {width: 1920, height: 1080}, {width: 390, height: 844}} {
		b.do(screenOf(size), still("dark"))
		b.open(url + "/?lang=fr")
		for _, o := range []struct{ press, shows string }{
			{`[data-sheet="red/discard"]`, "#sheet"}, {"#log [data-sheet]", "#sheet"}, {"[data-act=drawer]", "#drawer"},
		} {
			if size.width < 600 && o.shows == "#sheet" {
				b.click("[data-open=menu]") // what a phone has no room for
				o.press = `#dialog [data-sheet="log"]`
			}
			b.click(o.press)
			b.until(`document.querySelector("` + o.shows + `").children.length > 0`)
			if lies := b.eval(fmt.Sprintf(under, o.shows)); lies != "" {
				t.Errorf("%dx%d: %s lies over %s", size.width, size.height, o.press, lies)
			}
			b.do(chromedp.KeyEvent("\x1b"))
			b.until(`!document.querySelector("` + o.shows + `").children.length`)
		}
		if size.width < 600 {
			continue
		}
		for _, card := range []string{"#arena .card", "#hand .card:last-of-type"} {
			b.hover(card)
			b.until(`!document.getElementById("zoom").hidden`)
			if lies := b.eval(fmt.Sprintf(under, "#zoom")); lies != "" {
				t.Errorf("%dx%d: %s at full size lies over %s", size.width, size.height, card, lies)
			}
		}
	}
}

// The panel's picture is only fetched while somebody looks at it, and that of the strip never.
func TestHardwareIsADrawer(t *testing.T) {
	b := newTab(t)
	f := two()
	s := exampleServer(f)
	url, _ := listen(t, s, "127.0.0.1:0")
	b.open(url + "/?lang=en")
	fetched := `performance.getEntriesByType("resource").map(e => new URL(e.name).pathname).filter(p => p.endsWith(".png")).join()`
	b.until(`!!document.querySelector("[data-act=drawer]")`)
	if got := b.eval(fetched); got != "" {
		t.Errorf("a closed drawer fetches %s", got)
	}
	b.click("[data-act=drawer]")
	b.until(`document.querySelectorAll("#drawer [data-reader]").length === 3 &&
		document.querySelector("#drawer img")?.naturalWidth > 0`) // it has arrived
	b.until(`document.querySelectorAll("#drawer .strip .on").length === 3`) // both pucks are on one space
	if got := b.eval(fetched); got != "/panel.png" {
		t.Errorf("an open drawer fetches %s", got)
	}
	b.click("#drawer .closer")
	b.until(`!document.getElementById("drawer").children.length`)
}

// Answers without room beside the question lie over the seats, all of them whole; on a phone
// they come by a press.
func TestManyAnswersLieOverTheSeats(t *testing.T) {
	f := two()
	b := newTab(t)
	for i, n := range []int{2, 3, 9, 24, 40} {
		asked := engine.Prompt{Seat: "red", Key: "die", Text: "Roll Again: which die is rolled again?"}
		for i := range n - 1 {
			asked.Options = append(asked.Options, engine.Answer{Text: fmt.Sprintf("Barthélémy: %d", i%6+1),
				Input: fmt.Sprintf("red choose blue-%d", i+1)})
		}
		asked.Options = append(asked.Options, engine.Answer{Text: "Keep as it is", Input: "red key no"})
		f.View.Prompts = []engine.Prompt{asked}
		url, stop := listen(t, exampleServer(f), "127.0.0.1:0")
		for k, size := range []setting{{width: 1366, height: 768}, {width: 1920, height: 1080}, {width: 390, height: 844}} {
			if (i+k)%3 != 0 && !enginetest.Nightly() {
				continue
			}
			b.do(screenOf(size), still("dark"))
			b.open(url + "/?lang=en")
			if size.width < 600 && n > 2 {
				b.click(`#ask [data-sheet="answers"]`)
			}
			b.until(fmt.Sprintf(`document.querySelectorAll(":is(#ask .answers, #sheet) .a[data-input]").length === %d`, n))
			if cut := b.eval(`[...document.querySelectorAll(":is(#ask .answers, #sheet) .a[data-input]")].filter(e => {
				if (e.closest("#sheet") && innerWidth < 600) e.scrollIntoView({ block: "nearest" });
				const { x, y, width, height } = e.getBoundingClientRect();
				return height < (innerWidth < 600 ? 44 : 24) || e.scrollWidth > e.clientWidth ||
					!e.contains(document.elementFromPoint(x + width / 2, y + height / 2));
			}).map(e => e.textContent).join()`); cut != "" {
				t.Errorf("%d answers at %d: cut or out of sight: %s", n, size.width, cut)
			}
		}
		stop()
	}
}

// A refusal that can be overridden is so by a long press on it or from the menu.
func TestRefusalIsOverriddenByALongPress(t *testing.T) {
	tb := newTable(t).begin()
	for _, in := range []engine.Input{tapped("red", "fox.1"), pressed("red", "left"), pressed("blue", "next")} {
		tb.input(t.Context(), in)
	}
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.prompts("Alice, play a card")
	refuse := func() {
		tb.input(t.Context(), tapped("red", "fox.1"))
		b.until(`document.querySelector("#ask [data-insist]")?.textContent.includes("was not in the hand")`)
	}
	refuse()
	press := func(kind string) {
		b.eval(`document.querySelector("#ask [data-insist]").dispatchEvent(new PointerEvent("` + kind +
			`", { bubbles: true, pointerType: "mouse" })); ""`)
	}
	press("pointerdown")
	press("pointerup") // too short
	b.click(`[data-open="menu"]`)
	b.until(`!!document.querySelector('#dialog [data-press="yes"]')`)
	b.do(chromedp.KeyEvent("\x1b"))
	press("pointerdown")
	b.prompts("How far does Alice go?")
	b.until(`!document.querySelector("#ask [data-refused]")`)
	b.do(chromedp.KeyEvent("u"))
	b.prompts("Alice, play a card")
	refuse()
	b.click(`[data-open="menu"]`)
	b.click(`#dialog [data-press="yes"]`)
	b.prompts("How far does Alice go?")
}
