package web

import (
	"encoding/json"
	"fmt"
	"image/png"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"tableside/display/web/core"
	"tableside/engine"
)

// beforeLoad runs a script in every document before its own scripts.
func (b *tab) beforeLoad(script string) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, cdppage.AddScriptToEvaluateOnNewDocument,
		cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) scan(s *Server, token string) {
	b.t.Helper()
	url := remotePeers{s}.listen(b.t)
	b.open(url + "/?lang=en&token=" + token)
}

// A phone with red's code shows the others' seats, red's own one, the question and red's hand,
// plays for red, and offers no answer of blue's. Its lines open the whole board.
func TestPhoneOfASeat(t *testing.T) {
	_, s := guarded(t, stranger, true)
	b := newTab(t)
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.scan(s, core.SeatCode("s3cret", "red"))
	b.prompts("Alice, play a card")
	b.until(`(() => {
		const top = id => document.getElementById(id).getBoundingClientRect().top;
		const card = document.querySelector("#hand .card")?.getBoundingClientRect();
		const of = seat => document.querySelector("#arena [data-seat=" + seat + "]").getBoundingClientRect();
		const own = of("red"), other = of("blue");
		return card && other.bottom <= own.top && own.bottom <= top("ask") && top("ask") < top("hand") &&
			card.bottom < innerHeight && document.documentElement.scrollWidth === innerWidth;
	})()`)
	b.click(`[data-open="board"]`)
	b.until(`document.querySelectorAll("#dialog .seat").length === 2 &&
		document.querySelector("#dialog footer").textContent.includes("play a card")`)
	b.click(`#dialog [data-close]`)
	if at := b.eval("location.search"); at != "?lang=en&seat=red" {
		t.Errorf("the address is %s", at)
	}
	b.click(`#hand [data-tap="fox.1"]`)
	b.prompts("How far does Alice go?")
	b.click(`#ask [data-input="red key left"]`)
	b.prompts("Max, play a card")
	b.until(`document.body.dataset.quiet === "" && scrollY === 0 &&
		!document.querySelector("#ask .answers button, [data-legal=yes], [data-seat=blue]:is(button), [data-input^=blue]")`)
	b.eval(`fetched = []; window.fetch = (...all) => { fetched.push(all[0]); return new Promise(() => {}); }; ""`)
	b.do(chromedp.KeyEvent("1"))
	b.click(`[data-open="menu"]`)
	b.until(`!!document.querySelector("#dialog [data-open=signals]") &&
		!document.querySelector("#dialog :is([data-open=begin], [data-open=abandon], [data-open=codes])")`)
	sent := b.eval(`fetched.filter(url => !url.startsWith("/api/lift")).join()`) // the card that was tapped is lifted again
	if sent != "" {
		t.Errorf("the phone of red sent %s while blue was asked", sent)
	}
	if name := b.eval(`document.querySelector("link[rel=manifest]").getAttribute("href")`); !strings.HasSuffix(name,
		"seat=red") {
		t.Errorf("the home screen gets %s", name)
	}
}

// A player's phone follows an empty table, and offers no set-up.
func TestPhoneOfAPlayerSetsNothingUp(t *testing.T) {
	tb, s := guarded(t, stranger, false)
	b := newTab(t)
	b.scan(s, "s3cret")
	b.until(`document.getElementById("first").textContent.includes("owner begins")`)
	b.until(`!document.querySelector("[data-begin]")`)
	b.click(`[data-open="menu"]`)
	b.click(`#dialog [data-open="codes"]`)
	b.until(`document.querySelectorAll(".codes img").length === 2 &&
		[...document.querySelectorAll(".codes img")].every(i => i.naturalWidth > 100)`)
	tb.begin()
	b.until(`!!document.querySelector('#hand [data-tap="fox.1"]')`)
}

// standIns replace what a browser in a test lacks, and record its use.
const standIns = `
	window.calls = [];
	const has = (on, name, value) => Object.defineProperty(on, name, { value, configurable: true });
	has(navigator, "vibrate", pattern => calls.push("vibrate"));
	has(navigator, "wakeLock", { request: async kind => {
		calls.push("awake");
		const lock = new EventTarget();
		lock.release = async () => { calls.push("released"); lock.dispatchEvent(new Event("release")); };
		return lock;
	} });
	const node = { connect: to => to, frequency: {}, start: () => calls.push("tone"), stop() {}, gain: {
		setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} } };
	window.AudioContext = class {
		state = "running"; currentTime = 0; createOscillator = () => node; createGain = () => node;
	};
	has(window, "speechSynthesis", {
		getVoices: () => [], cancel() {}, speak: said => calls.push(said.lang + ": " + said.text),
	});`

// The browser signals when its own seat is asked, and not when that is switched
// off.
func TestSignalsOfASeat(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.beforeLoad(standIns)
	play := func(seat engine.Seat, card, name string) {
		t.Helper()
		for _, in := range []engine.Input{tapped(seat, card), pressed(seat, "left")} {
			if r := tb.input(t.Context(), in); r.Outcome != engine.Accepted {
				t.Fatalf("%v: %+v", in, r)
			}
		}
		b.prompts(name)
	}
	b.open(url + "/?lang=fr&seat=blue")
	b.prompts("Alice, jouez une carte")
	b.until(`calls.join() === "awake"`)
	play("red", "fox.1", "Max, jouez une carte")
	b.until(`calls.join() === "awake,vibrate,tone,tone"`)
	b.eval(`calls.length = 0; ""`)
	play("blue", "fox.3", "Alice, jouez une carte")

	b.click(`[data-open="menu"]`)
	b.click(`[data-open="signals"]`)
	for _, name := range []string{"vibrate", "sound", "awake"} {
		b.click(fmt.Sprintf(`[data-setting=%q]`, name))
	}
	b.until(`calls.join() === "released"`)
	b.click(`[data-close]`)
	play("red", "fox.2", "Max, jouez une carte")
	b.open(url + "/?lang=fr&seat=blue") // it remembers
	b.prompts("Max, jouez une carte")
	play("blue", "fox.4", "Alice, jouez une carte")
	play("red", "owl.1", "Max, jouez une carte")
	if calls := b.eval(`calls.join()`); calls != "" {
		t.Errorf("switched off, it calls %s", calls)
	}
}

// Questions are read aloud in the page's language, once that is switched on.
func TestQuestionsAreReadAloud(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.beforeLoad(standIns)
	b.open(url + "/?lang=fr")
	b.prompts("Alice, jouez une carte")
	_ = tb.input(t.Context(), tapped("red", "fox.1"))
	b.until(`document.getElementById("prompt").textContent.startsWith("Jusqu'où va Alice")`)
	if calls := b.eval(`calls.join()`); calls != "" {
		t.Errorf("by itself the page calls %s", calls)
	}
	b.click(`[data-open="menu"]`)
	b.click(`[data-open="signals"]`)
	b.click(`[data-setting="speech"]`)
	b.until(`calls.length === 1 && calls[0].startsWith("fr: Jusqu'où va Alice")`)
	_ = tb.input(t.Context(), pressed("red", "left"))
	b.until(`calls.at(-1) === "fr: Max, jouez une carte"`)
}

// A page that slept, or whose network is back, connects at once.
func TestPageConnectsWhenItWakes(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.beforeLoad(`window.streams = 0; let hidden = false, slept = 0;
		const real = fetch, now = Date.now;
		window.fetch = (path, ...all) => { if (path.startsWith("/api/live")) streams++; return real(path, ...all); };
		Date.now = () => now() + slept;
		Object.defineProperty(document, "hidden", { get: () => hidden });
		window.sleep = for_ => {
			hidden = true; document.dispatchEvent(new Event("visibilitychange"));
			slept += for_;
			hidden = false; document.dispatchEvent(new Event("visibilitychange"));
		};`)
	b.open(url + "/?lang=en")
	b.prompts("Alice, play a card")
	for i, step := range []string{`sleep(1000)`, `sleep(10000)`, `dispatchEvent(new Event("online"))`} {
		if got := b.eval(step + `; String(streams)`); got != []string{"1", "2", "3"}[i] {
			t.Errorf("after %s the page has made %s streams, want %d", step, got, i+1)
		}
	}
	_ = tb.input(t.Context(), tapped("red", "fox.1"))
	b.prompts("How far does Alice go?")
}

// A browser opens six connections to a table. Hidden pages make room, so that any number of
// pages load and requests are answered; a page is up to date when somebody looks at it again.
func TestHiddenPagesMakeRoom(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	first := newTab(t)
	const canHide = `let hidden = false;
		const real = fetch;
		window.fetch = (path, ...all) => {
			if (path.startsWith("/api/live")) window.stream = all[0].signal;
			return real(path, ...all);
		};
		Object.defineProperty(document, "hidden", { get: () => hidden });
		window.hide = is => { hidden = is; document.dispatchEvent(new Event("visibilitychange")); };`
	pages := []*tab{first}
	for range 8 { // in the same browser window, with the same connections
		ctx, cancel := chromedp.NewContext(first.ctx)
		t.Cleanup(cancel)
		if err := chromedp.Do(ctx); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, &tab{t, ctx})
	}
	for i, p := range pages {
		p.beforeLoad(canHide)
		p.open(url + "/?lang=en")
		p.prompts("Alice, play a card")
		if i > 1 { // two windows are in sight all the time
			p.eval(`hide(true); ""`)
		}
	}
	open := 0
	for _, p := range pages {
		if p.eval(`String(stream.aborted)`) == "false" {
			open++
		}
	}
	if open > 4 {
		t.Errorf("%d streams are open, want at most 4", open)
	}
	answered := `fetch("/api/games", { signal: AbortSignal.timeout(20000) }).then(r => String(r.status), String)`
	if got, err := chromedp.Run(first.ctx, chromedp.Evaluate[string](answered, chromedp.EvalAwaitPromise)); got != "200" {
		t.Errorf("a request is answered with %s, %v", got, err)
	}
	third := pages[2]
	if got := third.eval(`dispatchEvent(new Event("online")); String(stream.aborted)`); got != "true" {
		t.Error("nobody looks, and the stream is open")
	}
	_ = tb.input(t.Context(), tapped("red", "fox.1"))
	third.eval(`hide(false); ""`)
	third.prompts("How far does Alice go?")
}

// A hidden page stays connected while others come and go.
func TestHiddenPageCountsPages(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.beforeLoad(`const channel = new BroadcastChannel("streams"), real = fetch;
		window.fetch = (path, ...all) => {
			if (path.startsWith("/api/live")) window.stream = all[0].signal;
			return real(path, ...all);
		};
		window.opens = (...ids) => { for (const id of ids) channel.postMessage(id); };
		Object.defineProperty(document, "hidden", { get: () => true });`)
	b.open(url + "/?lang=en")
	b.prompts("Alice, play a card")
	b.eval(`opens(1, 1, 1, 1); ""`)
	_ = tb.input(t.Context(), tapped("red", "fox.1"))
	b.prompts("How far does Alice go?")
	b.eval(`opens(2); ""`)
	b.until(`stream.aborted`)
}

// The browser accepts the manifest, and the icons are what it says.
func TestManifest(t *testing.T) {
	tb := newTable(t).begin()
	s := tb.show(newServer(tb.config()))
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=fr&seat=red")
	b.until(`document.querySelector("link[rel=manifest]").href.endsWith("?lang=fr&seat=red")`)
	got, err := chromedp.Call(b.ctx, cdppage.GetAppManifest, cdppage.GetAppManifestParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range got.Errors {
		t.Errorf("line %d: %s", e.Line, e.Message)
	}
	var m struct {
		Name  string      `json:"name"`
		Lang  engine.Lang `json:"lang"`
		Start string      `json:"start_url"`
		Icons []struct {
			Source string `json:"src"`
			Sizes  string `json:"sizes"`
		} `json:"icons"`
	}
	if err := json.Unmarshal([]byte(got.Data), &m); err != nil {
		t.Fatal(err)
	}
	if m.Start != "/?seat=red" || m.Lang != "fr" || m.Name == "" || len(m.Icons) != 2 {
		t.Errorf("manifest %+v", m)
	}
	for _, i := range m.Icons {
		w := get(i.Source).send(s)
		img, err := png.Decode(w.Body)
		if err != nil {
			t.Fatalf("%s: %v", i.Source, err)
		}
		if size := fmt.Sprintf("%dx%d", img.Bounds().Dx(), img.Bounds().Dy()); size != i.Sizes {
			t.Errorf("%s is %s, want %s", i.Source, size, i.Sizes)
		}
	}
}

// Who plays against a boss alone sees all of it on the own phone, and nothing lies over another part.
func TestBossIsWholeOnTheOwnPhone(t *testing.T) {
	tb, _ := played{"mutants/uprising", 1, 45}.table(t)
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.do(chromedp.EmulateViewport(390, 844))
	b.open(url + "/?lang=en&seat=red")
	b.until(`!!document.querySelector(".boss .slot .card")`)
	if got := b.eval(`(() => {
		const box = e => e.getBoundingClientRect(), wrong = [];
		const parts = [".steps", ".hp", ".boss", ".mine", "#ask", "#hand"].map(s => [s, box(document.querySelector(s))]);
		for (const [i, [s, r]] of parts.entries()) if (i && r.top < parts[i - 1][1].bottom - 1) wrong.push(s);
		for (const c of document.querySelectorAll(".boss .card")) if (box(c).width < 90 || box(c).height < 60) wrong.push(c.textContent);
		return wrong.join();
	})()`); got != "" {
		t.Errorf("%s lies over what stands before it, or is too small", got)
	}
}

// What a seat may choose while another one is asked lies in a sheet at the thumb; where there is nothing
// more to choose, the phone says so.
func TestChoiceMeanwhile(t *testing.T) {
	tb, _ := playsMutants(t, fourSeats, map[string]string{"data": "stand-in"})
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.do(chromedp.EmulateViewport(390, 844))
	b.open(url + "/?lang=en&seat=blue")
	b.click(`#ask [data-input="table key no"]`) // all is set up
	b.until(`!!document.querySelector("#ask [data-asked=red]") && !document.querySelector("#ask [data-k=nothing]")`)
	b.click(`#ask [data-sheet=answers]`)
	b.until(`document.querySelectorAll("#sheet .a").length === 4 &&
		document.querySelector("#sheet").getBoundingClientRect().bottom > 830`)
	b.click(`#sheet [data-input="blue choose mosh-pit"]`)
	b.until(`!document.querySelector("#sheet .a") && !!document.querySelector("#ask [data-k=nothing]") &&
		document.querySelector(".mine .tags").textContent.includes("Mosh Pit")`)
}
