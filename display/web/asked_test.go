package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"tableside/engine"
)

// All seats are open, each whole between the question and the hand, and one is asked.
func TestAskedSeatIsInSight(t *testing.T) {
	b := newTab(t)
	const outside = `(() => {
		const box = e => e.getBoundingClientRect(), hand = document.getElementById("hand"), end = box(hand).height ? box(hand).top : innerHeight;
		return [...document.querySelectorAll(".seat")].filter(e => box(e).top < box(document.getElementById("track")).bottom - 1 ||
			box(e).top < box(document.getElementById("ask")).bottom || box(e).bottom > end + 1 || box(e).left < 0 || box(e).right > innerWidth ||
			!e.querySelector(".card")).map(e => e.dataset.seat).join();
	})()`
	for _, test := range []struct {
		seats         int
		width, height int64
	}{{2, 1280, 800}, {4, 1280, 800}, {4, 1920, 1080}, {4, 3840, 1080}, {2, 390, 844}, {4, 390, 844}} {
		url, stop := listen(t, exampleServer(crowded(test.seats, 2)), "127.0.0.1:0")
		b.do(chromedp.EmulateViewport(test.width, test.height))
		b.open(url + "/?lang=en")
		b.until(fmt.Sprintf(`document.querySelectorAll(".seat").length === %d && document.querySelectorAll(".seat[data-asked]").length === 1`, test.seats))
		if got := b.eval(outside); got != "" {
			t.Errorf("%d seats at %dx%d: not whole in sight: %s", test.seats, test.width, test.height, got)
		}
		stop()
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

// listenAfter serves a match of four seats after some answers, while no pile shows its top.
func listenAfter(t *testing.T, answers ...string) string {
	t.Helper()
	tb, _ := playsMutants(t, fourSeats, map[string]string{"data": "stand-in"})
	for _, text := range append([]string{"red key next", "blue key next", "yellow key next", "green key next"}, answers...) {
		in, err := engine.ParseInput(text)
		if err != nil {
			t.Fatal(err)
		}
		if r := tb.input(t.Context(), in); r.Outcome != engine.Accepted {
			t.Fatalf("%s: %+v", text, r)
		}
	}
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	return url
}

// Where only a pile can answer that has yet to show its top, it is lit, and the question says so.
func TestPileToRevealIsLit(t *testing.T) {
	b := newTab(t)
	b.open(listenAfter(t, "red tap beast.1", "red tap alien.1", "red tap demon.1") + "/?lang=en")
	b.prompts("Tap the gene pool card to gain")
	b.until(`[...document.querySelectorAll("[data-legal=yes]")].map(e => e.dataset.tap).join() === "red/pool-1" &&
		document.querySelector("#ask p").textContent === "Reveal the top card of a pile first" &&
		!document.querySelector("[data-act=pick]")`)
	b.click(`[data-legal=yes]`)
	b.until(`document.querySelectorAll("[data-legal=yes]").length === 1 && !!document.querySelector(".pool[data-legal=yes]") &&
		document.querySelector("#ask p")?.textContent !== "Reveal the top card of a pile first"`)
}

// A discard that answers is a button of the question on a phone, and nothing else is lit. The rings
// of its cards are whole.
func TestDiscardThatAnswersIsInSight(t *testing.T) {
	url := listenAfter(t, "red set deck 0", "red set alien.1 discard", "red set demon.1 discard", "red tap robot.1")
	b := newTab(t)
	const whole = `(() => {
		const list = [...document.querySelectorAll("#sheet .card[data-legal=yes]")];
		return list.length === 2 && list.every(e => {
			const card = e.getBoundingClientRect(), box = e.parentElement.getBoundingClientRect();
			return card.top - 4 >= box.top && card.left - 4 >= box.left;
		});
	})()`
	b.do(chromedp.EmulateViewport(390, 844))
	b.open(url + "/?lang=en&seat=red")
	b.until(`[...document.querySelectorAll("[data-legal=yes]")].map(e => e.dataset.sheet).join() === "red/discard" &&
		!document.querySelector("[data-k=first]")`)
	b.click(`#ask .near`)
	b.until(whole)
	b.do(chromedp.EmulateViewport(1366, 768))
	b.open(url + "/?lang=en")
	b.click(`[data-seat=red] [data-sheet="red/discard"]`)
	b.until(whole)
}

// Many answers lie over the arena by themselves, but not over piles that answer, too; and only a
// mouse that moves opens a card, not one that comes to lie under it.
func TestNothingOpensOverWhatAnswers(t *testing.T) {
	tb, _ := playsMutants(t, fourSeats, map[string]string{"data": "stand-in"})
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.do(chromedp.EmulateViewport(1366, 768))
	b.open(url + "/?lang=en")
	b.click(`#ask [data-input="table key no"]`)
	b.click(`#ask [data-input="red choose cold-hearted"]`)
	b.until(`!!document.querySelector("#ask [data-sheet=answers]") && !document.querySelector("#sheet").children.length`)
	b.eval(`document.querySelector("#hand .card").dispatchEvent(new PointerEvent("pointerover",
		{ bubbles: true, pointerType: "mouse" })), ""`)
	b.awaited(`new Promise(done => setTimeout(done, 300, ""))`)
	if hidden := b.eval(`String(document.getElementById("zoom").hidden)`); hidden != "true" {
		t.Error("a card opened under a mouse at rest")
	}
	b.hover("#hand .card")
	b.until(`!document.getElementById("zoom").hidden`)
}
