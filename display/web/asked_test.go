package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// The seat that is asked is drawn in full, below the prompt and above the hands. The
// others fold where not all have room, until the user opens one.
func TestAskedSeatIsInSight(t *testing.T) {
	b := newTab(t)
	inFull := `(() => {
		const seat = document.querySelector(".seat[data-asked]"), box = seat?.getBoundingClientRect();
		return !!box && !seat.dataset.folded && box.top >= document.getElementById("ask").getBoundingClientRect().bottom &&
			box.top < document.getElementById("tray").getBoundingClientRect().top - 60;
	})()`
	for _, test := range []struct {
		seats         int
		width, height int64
		folded        int
	}{
		{2, 1280, 800, 0}, {4, 1280, 800, 3}, {4, 1920, 1080, 3}, {4, 3840, 1080, 0},
		{2, 390, 844, 1}, {4, 390, 844, 3},
	} {
		t.Run(fmt.Sprintf("%d at %dx%d", test.seats, test.width, test.height), func(t *testing.T) {
			b := &tab{t, b.ctx}
			url, stop := listen(t, exampleServer(crowded(test.seats, 2)), "127.0.0.1:0")
			defer stop()
			b.do(chromedp.EmulateViewport(test.width, test.height))
			b.open(url + "/?lang=en")
			b.until(inFull)
			b.until(fmt.Sprintf(`document.querySelectorAll(".seat[data-folded]").length === %d`, test.folded))
			if test.folded == 0 {
				return
			}
			if test.width > 900 {
				b.until(`[...document.querySelectorAll(".seat[data-folded]")].every(e => e.getBoundingClientRect().bottom <=
					document.querySelector(".seat[data-asked]").getBoundingClientRect().top)`)
			} else {
				b.until(`!document.querySelector("[data-asked]").closest(".seats").querySelector("[data-folded]")`)
			}
			name := b.eval(`document.querySelector(".seat[data-folded]").dataset.seat`)
			b.click(fmt.Sprintf(`[data-folded] [data-act="unfold"][data-seat=%q]`, name))
			b.until(fmt.Sprintf(`!!document.querySelector('.seat[data-seat=%q]:not([data-folded]) .zone')`, name))
			b.click(fmt.Sprintf(`[data-act="unfold"][data-seat=%q]`, name))
			b.until(fmt.Sprintf(`!!document.querySelector('.seat[data-seat=%q][data-folded]')`, name))
		})
	}
}

// A move and the hand without its card are drawn at once: nothing that is clicked
// next moves a moment later. The page needs one request for it, and one message.
func TestMoveAndHandAreDrawnTogether(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until(`!!document.querySelector('[data-tap="fox.1"][data-legal="yes"]')`)
	b.eval(`const get = fetch, url = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
		window.requests = [];
		window.fetch = (...args) => {
			const path = args[0].split("?")[0];
			if (path === "/api/tap") requests.length = 0; // of the page's start
			requests.push(path);
			return get(...args);
		};
		Object.defineProperty(HTMLImageElement.prototype, "src", { ...url, set(to) {
			requests.push(to.split("?")[0]);
			url.set.call(this, to);
		} });
		new MutationObserver(() => {
			if (document.getElementById("prompt").textContent === "How far does Alice go?") {
				window.handHasFox ??= !!document.querySelector('#hand [data-tap="fox.1"]');
				window.asked ??= requests.join();
			}
		}).observe(document.body, { childList: true, subtree: true, characterData: true }); ""`)
	b.click(`[data-tap="fox.1"][data-legal="yes"]`)
	b.prompts("How far does Alice go?")
	if b.eval(`String(window.handHasFox)`) != "false" {
		t.Error("when the prompt is drawn, the hand still has the card that was played")
	}
	if got := b.eval(`window.asked`); got != "/api/tap" {
		t.Errorf("a move that is drawn has requested %s, want /api/tap", got)
	}
}

// OBS puts its Custom CSS into a style element.
func TestOverlayTakesCustomCSS(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, exampleServer(two()), "127.0.0.1:0")
	b.open(url + "/overlay?lang=en")
	b.until(`!!document.querySelector(".seat")`)
	if got := b.eval(`document.head.insertAdjacentHTML("beforeend", "<style>.seat { opacity: .5 }</style>");
		getComputedStyle(document.querySelector(".seat")).opacity`); got != "0.5" {
		t.Errorf("the opacity of a seat is %s, want 0.5", got)
	}
}

// What stays keeps its place in the document when something before it goes or is drawn
// with another tag: a button that is moved while somebody presses it would not be clicked.
func TestDrawingMovesNothingThatStays(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, exampleServer(two()), "127.0.0.1:0")
	b.open(url + "/?lang=en")
	for _, c := range []struct{ before, after, changes string }{
		{"p.a p.b p.c p.d", "p.b p.d p.e", "-a -c +e"},
		{"div.back0 div.back1 p.p1", "button.back0 div.back1 p.p1", "-back0 +back0"},
		{"header. div. p.p1", "header. p.p1", "-"},
		{"p.a p.b p.c", "p.c p.a p.b", "-c +c"},
	} {
		changes := b.awaited(fmt.Sprintf(`(async () => {
			const { draw, h } = await import("/assets/dom.js");
			const at = document.createElement("div"), names = list => [...list].map(n => n.dataset.k ?? "").join();
			const nodes = list => list.split(" ").map(n => n.split(".")).map(([tag, k]) => h(tag, { "data-k": k || null }));
			const [before, after] = [%q, %q];
			draw(at, nodes(before));
			const watch = new MutationObserver(() => {});
			watch.observe(at, { childList: true });
			draw(at, nodes(after));
			const is = [...at.children].map(n => n.localName + "." + (n.dataset.k ?? "")).join(" ");
			return watch.takeRecords().map(({ removedNodes: gone, addedNodes: come }) =>
				(gone.length ? "-" + names(gone) : "") + (come.length ? "+" + names(come) : "")).join(" ") +
				(is === after ? "" : ", and there is " + is);
		})()`, c.before, c.after))
		if changes != c.changes {
			t.Errorf("from %s to %s: got %s, want %s", c.before, c.after, changes, c.changes)
		}
	}
}

// A button that is pressed while the table brings it forward is clicked all the same:
// what was before it moves behind it.
func TestDrawingMovesNothingThatIsPressed(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, exampleServer(two()), "127.0.0.1:0")
	b.open(url + "/?lang=en")
	b.awaited(`(async () => {
		const { draw, h } = await import("/assets/dom.js");
		const at = document.createElement("div");
		at.style.cssText = "position: fixed; inset: 0; z-index: 99; display: grid; grid-auto-rows: 100px";
		document.body.append(at);
		window.order = list => draw(at, [...list].map(k => h("button", { "data-k": k, style: { order: k } }, k)));
		at.addEventListener("click", e => { window.clicked = e.target.textContent; });
		window.order("123");
		return "";
	})()`)
	mouse := func(kind input.DispatchMouseEventType) {
		t.Helper()
		b.do(chromedp.MouseEvent(kind, 50, 250, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	}
	mouse(input.DispatchMouseEventTypeMousePressed)
	b.eval(`window.order("312"); ""`)
	mouse(input.DispatchMouseEventTypeMouseReleased)
	if got := b.eval(`window.clicked + ": " + document.body.lastElementChild.textContent`); got != "3: 312" {
		t.Errorf("got %q, want a click on 3 in the order 312", got)
	}
}
