package web

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"tableside/engine"
)

func TestPromptIsAnsweredByClick(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.prompts("Alice, play a card")
	b.until("document.querySelectorAll('#hand [data-legal=yes]').length === 6")
	b.ready(`#hand [data-tap="fox.1"]`)
	b.do(chromedp.Click(chromedp.CSS(`#hand [data-tap="fox.1"]`))) // with a real mouse
	b.prompts("How far does Alice go?")
	b.until("document.querySelectorAll('#hand .card').length === 5")
	b.click(`#ask [data-input="red key right"]`)
	b.prompts("Max, play a card")
	b.until("document.querySelectorAll('#hand [data-seat=blue]').length === 6")
	b.until(`document.getElementById('aloud').textContent === "Max, play a card"`)
	b.click(`#ask [data-input$=" undo"]`)
	b.prompts("How far does Alice go?")
	b.until("document.querySelectorAll('#log .undone').length === 1")
	b.click(`#ask [data-input$=" redo"]`)
	b.prompts("Max, play a card")
	eventually(t, func() bool {
		tb.mu.Lock()
		defer tb.mu.Unlock()
		return strings.Join(tb.laid, ", ") == "tap red fox.1, lift red fox.1"
	})
}

// Keys that do nothing now are drawn flat, and still can be pressed: the table says why.
func TestKeysThatAnswerStandOut(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	keys := func(want string) {
		t.Helper()
		b.until(`[...document.querySelectorAll(".key:not(.idle)")].map(e => e.dataset.press).join(" ") === "` + want + `"`)
	}
	b.click("[data-act=drawer]")
	keys("left right next undo") // a card of the hand, or to pass
	b.click(`#hand [data-tap="fox.1"]`)
	b.prompts("How far does Alice go?")
	keys("left right undo")
	b.click("[data-act=drawer]")
	b.click(`[data-keep="hand.seat"][data-value="blue"]`)
	b.click("[data-act=drawer]")
	keys("undo")
	b.until(`!document.querySelector(".key:disabled")`)
}

// A page that is opened after a power cut shows what happened before it.
func TestPageShowsHistoryOfResumedMatch(t *testing.T) {
	tb := newTable(t).begin()
	tb.show(newServer(tb.config()))
	for _, in := range []engine.Input{tapped("red", "fox.1"), pressed("red", "right"), {Seat: "red", Verb: engine.Undo}} {
		tb.input(t.Context(), in)
	}
	url, _ := listen(t, tb.resume(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=fr")
	b.until("document.querySelectorAll('#log li').length === 3")
	if got := b.eval("[...document.querySelectorAll('#log li')].map(e => e.className.trim() + ': ' + " +
		"e.innerText.trim()).join('\\n')"); got != resumedFrench {
		t.Errorf("got history\n%s\nwant\n%s", got, resumedFrench)
	}
	b.click(`#ask [data-input$=" redo"]`)
	b.until("document.querySelectorAll('#log li').length === 4 && !document.querySelector('#log .undone')")
}

const resumedFrench = "meta: Annulé\u00a0: Alice avance de 2 cases\n" +
	"undone: Alice avance de 2 cases\n" + ": Alice joue Renard"

func TestPromptIsAnsweredByKeyboard(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.prompts("Alice, play a card")
	b.until("document.querySelectorAll('#hand [data-legal=yes]').length === 6")
	b.do(chromedp.Focus(chromedp.CSS("#hand [data-legal=yes]")), chromedp.KeyEvent("\r"))
	b.prompts("How far does Alice go?")
	b.until("document.activeElement.matches('#ask [data-number=\"1\"]')") // because no card answers
	b.do(chromedp.KeyEvent("2"))
	b.prompts("Max, play a card")
	b.until("document.activeElement.matches('#hand [data-seat=blue][data-legal=yes]')")
	b.do(chromedp.KeyEvent("."))
	b.prompts("Alice, play a card")
	b.do(chromedp.KeyEvent("u"))
	b.prompts("Max, play a card")
	b.do(chromedp.KeyEvent("U"))
	b.prompts("Alice, play a card")
	b.do(chromedp.KeyEvent("?"))
	b.until("document.getElementById('dialog').open")
	b.do(chromedp.KeyEvent("u")) // ignored while the help is open
	b.do(chromedp.KeyEvent("\x1b"))
	b.until("!document.getElementById('dialog').open")
	b.prompts("Alice, play a card")
}

func TestPromptIsAnsweredByDragAndTouch(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until("document.querySelectorAll('#hand [data-legal=yes]').length === 6")
	b.click("[data-act=drawer]")
	b.ready(`[data-reader="red"]`)
	b.ready(`#hand [data-tap="owl.1"]`)
	b.do(chromedp.DragAndDrop(chromedp.CSS(`#hand [data-tap="owl.1"]`), chromedp.CSS(`[data-reader="red"]`)))
	b.prompts("How far does Alice go?")
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.tap(`#ask [data-input="red key left"]`)
	b.prompts("Max, play a card")
	// A finger drags a card up and onto the reader.
	b.until("document.querySelectorAll('#hand [data-seat=blue]').length === 6")
	b.ready(`[data-reader="blue"]`)
	b.ready(`#hand [data-seat="blue"]`)
	b.do(touchDrag(b, `#hand [data-seat="blue"]`, `[data-reader="blue"]`))
	b.prompts("How far does Max go?")
	b.until("!document.querySelector('.ghost-card')")
}

// touchDrag drags a finger from the middle of one element to the middle of
// another.
func touchDrag(b *tab, from, to string) chromedp.Action[chromedp.Void] {
	middle := func(sel string) (x, y float64) {
		s := b.eval(fmt.Sprintf(`(r => (r.x + r.width / 2) + " " + (r.y + r.height / 2))(document.querySelector(%q).getBoundingClientRect())`, sel))
		if _, err := fmt.Sscan(s, &x, &y); err != nil {
			b.t.Fatal(err)
		}
		return x, y
	}
	x0, y0 := middle(from)
	x1, y1 := middle(to)
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		send := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) error {
			_, err := chromedp.Call(ctx, input.DispatchTouchEvent,
				input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
			return err
		}
		if err := send(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x0, Y: y0}); err != nil {
			return err
		}
		// Upwards first, because a sideways drag scrolls the hand.
		for i := range 6 {
			if err := send(input.DispatchTouchEventTypeTouchMove,
				&input.TouchPoint{X: x0, Y: y0 - 12*float64(i+1)}); err != nil {
				return err
			}
			time.Sleep(20 * time.Millisecond)
		}
		for i := range 6 {
			k := float64(i+1) / 6
			if err := send(input.DispatchTouchEventTypeTouchMove,
				&input.TouchPoint{X: x0 + (x1-x0)*k, Y: y0 - 72 + (y1-y0+72)*k}); err != nil {
				return err
			}
			time.Sleep(20 * time.Millisecond)
		}
		return send(input.DispatchTouchEventTypeTouchEnd)
	})
}

func TestRefusalSaysWhyAndCanBeOverridden(t *testing.T) {
	tb := newTable(t).begin()
	for _, in := range []engine.Input{tapped("red", "fox.1"), pressed("red", "left"), pressed("blue", "next")} {
		tb.input(t.Context(), in)
	}
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=fr")
	b.prompts("Alice, jouez une carte")
	tb.input(t.Context(), tapped("blue", "fox.3"))
	b.until(`document.querySelector('[data-refused]')?.textContent.includes("C'est au tour d'Alice")`)
	b.until("!document.querySelector('[data-insist]')")
	// The hand stays: a card that is being clicked must not be drawn again.
	b.eval(`window.hand = document.querySelector("#hand .cards"); ""`)
	b.click("[data-act=drawer]")
	tb.input(t.Context(), tapped("red", "fox.1"))
	b.until(`!!document.querySelector(".reader.said-refused") && document.querySelector("#hand .cards") === hand`)
	b.until("document.querySelector('[data-insist]')?.textContent.includes(\"n'était pas dans la main\")")
	b.do(chromedp.KeyEvent("y"))
	b.prompts("Jusqu'où va Alice\u00a0?") // the question mark does not wrap
	b.until("!document.querySelector('[data-refused]')")
	_ = tb.tap(t.Context(), "red", "unknown.1")
	b.until("!!document.querySelector('[data-refused]')")
}

// A browser that never played here proposes the game, seats and names of the last match, and the
// dialog for another match those of the match on the table.
func TestLastMatchIsProposed(t *testing.T) {
	tb := newTable(t)
	config := tb.config()
	config.Matches = func() ([]engine.MatchInfo, error) {
		return []engine.MatchInfo{{ID: "2026-11-13T20-15-00Z", Game: "ring/test", State: "finished",
			Seats: []engine.Player{{Seat: "green", Name: "Zoé"}, {Seat: "red", Name: "Ana"}}}}, nil
	}
	url, _ := listen(t, tb.show(newServer(config)), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	const proposed = `[...document.querySelectorAll("[data-name]")].map(e => e.dataset.name + e.value).join()`
	b.until(proposed + ` === "greenZoé,redAna" &&
		document.querySelector("[data-game='ring/test']").ariaPressed === "true"`)
	tb.begin()
	b.until(`document.body.dataset.state === "play"`)
	b.click(`[data-open="menu"]`)
	b.click(`[data-open="begin"]`)
	b.until(proposed + ` === "redAlice,blueMax" && document.querySelector("#dialog [data-begin]").disabled`)
}

func TestMatchIsBegunOnThePage(t *testing.T) {
	tb := newTable(t)
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.prompts("What shall we play?")
	b.click(".chosen button")
	b.until("!!document.querySelector('[data-keep$=\" length\"]')")
	// The only chosen deck cannot be unchecked; the choice keeps the game's order.
	b.until(`[...document.querySelectorAll("[data-check=decks]")].map(c => c.value + c.checked + c.disabled).join() === "foresttruetrue,seafalsefalse,skyfalsefalse"`)
	b.click(`[data-value="short"]`)
	b.click(`[data-check="decks"][value="sky"]`)
	b.click(".done")
	b.until(`document.querySelector(".chosen span").textContent.includes("short")`)
	b.click(`[data-place="green"]`)
	b.do(chromedp.SendKeys(chromedp.CSS(`[data-name="green"]`), "<b>Zoé</b>"))
	b.click(`[data-of="blue"]`) // the table itself
	b.until(`document.querySelector("select.by").value === "normal"`)
	b.do(chromedp.SendKeys(chromedp.CSS(`select.by`), "The table, s"))
	b.click(`[data-begin]`)
	b.until("document.getElementById('prompt').textContent.endsWith(', play a card')")
	tb.mu.Lock()
	setup := tb.match.Setup()
	tb.mu.Unlock()
	if len(setup.Seats) != 3 || setup.Seats[2].Name != "<b>Zoé</b>" || setup.Option("length") != "short" ||
		setup.Option("decks") != "forest,sky" || setup.Computer["blue"] != "strong" {
		t.Errorf("begun: %+v", setup)
	}
	b.until("[...document.querySelectorAll('.seat .id')].some(e => e.textContent === '<b>Zoé</b>')")
	b.click(`.seat .id [data-seat="green"]`)
	b.until("document.activeElement.name === 'name'")
	b.do(chromedp.SendKeys(chromedp.CSS(`#dialog [name=name]`), "Zoé \"Z\"\r"))
	b.until("[...document.querySelectorAll('.seat .id')].some(e => e.textContent.includes('Zoé \"Z\"'))")
	// The language changes without a reload.
	b.click(`#bar [data-lang="fr"]`)
	b.until("document.getElementById('prompt').textContent.endsWith('jouez une carte') && " +
		"document.documentElement.lang === 'fr'")
	// The match ends, and is played again.
	for _, in := range []engine.Input{tapped("red", "fox.1"), pressed("red", "right"), pressed("blue", "next"),
		pressed("green", "next"), tapped("red", "fox.2"), pressed("red", "right")} {
		if r := tb.input(t.Context(), in); r.Outcome != engine.Accepted {
			t.Fatalf("%v: %+v", in, r)
		}
	}
	b.until(`document.getElementById("prompt").textContent.includes("gagne")`)
	b.click(`[data-do="rematch"]`)
	b.until("document.getElementById('prompt').textContent.endsWith('jouez une carte')")
}

func TestReadOnlyPageHasNoHandsAndNoButtons(t *testing.T) {
	tb := newTable(t).begin()
	config := tb.config()
	s := tb.show(newServer(config))
	// This browser reaches the server through a proxy.
	behind := remotePeers{s}
	url := behind.listen(t)
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.prompts("Alice, play a card")
	b.until("document.getElementById('notes').textContent.includes('You are watching')")
	b.until("!document.querySelector('#hand').children.length && [...document.querySelectorAll('#ask " +
		"button')].every(e => e.disabled)")
	b.eval("fetched = []; fetch = (...all) => { fetched.push(all[0]); return new Promise(() => {}); }; ''")
	b.do(chromedp.KeyEvent("."))
	b.do(chromedp.KeyEvent("?")) // when this has an effect, "." would have had one too
	b.until("document.getElementById('dialog').open")
	if sent := b.eval("fetched.filter(url => url.startsWith('/api/press') || " +
		"url.startsWith('/api/input')).join()"); sent != "" {
		t.Errorf("a read-only page sent %s", sent)
	}
}

func TestOverlaySurvivesRefreshAndRestart(t *testing.T) {
	tb := newTable(t).begin()
	for _, in := range []engine.Input{tapped("red", "fox.1"), pressed("red", "right")} {
		tb.input(t.Context(), in)
	}
	s := tb.show(newServer(tb.config()))
	url, stop := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/overlay?lang=en&prompt=1")
	state := `JSON.stringify([...document.querySelectorAll("#overlay .plate, #overlay .puck")].map(e => e.textContent + e.style.cssText))`
	b.until("document.querySelectorAll('.puck').length === 2")
	tb.input(t.Context(), tapped("blue", "bear.3"))
	b.until("document.querySelector('.ticker')?.textContent === 'Max plays Bear'")
	before := b.eval(state)
	b.do(chromedp.Reload())
	b.until("document.querySelectorAll('.puck').length === 2")
	if after := b.eval(state); after != before {
		t.Errorf("after a refresh:\n%s\nbefore:\n%s", after, before)
	}

	b.eval("tries = 0; const real = fetch; fetch = (...all) => { tries++; return real(...all); }; ''")
	stop()
	tb.mu.Lock()
	tb.web = nil
	tb.mu.Unlock()
	b.until("tries >= 2")
	if during := b.eval(state); during != before {
		t.Errorf("got, while the table is away,\n%s\nwant\n%s", during, before)
	}
	if text := b.eval("document.body.innerText"); strings.Contains(text, "answer") ||
		strings.Contains(strings.ToLower(text), "error") {
		t.Errorf("the overlay shows an error to viewers: %s", text)
	}
	tb.input(t.Context(), pressed("blue", "left"))
	listen(t, tb.show(newServer(tb.config())), strings.TrimPrefix(url, "http://"))
	b.until("document.querySelector('[data-seat=blue] .score').textContent === '2'")
	tb.input(t.Context(), tapped("red", "owl.1"))
	b.until("document.querySelector('.ticker')?.textContent === 'Alice plays Owl'")
}

func TestPageSaysThatTheTableIsAwayAndComesBack(t *testing.T) {
	tb := newTable(t).begin()
	url, stop := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.prompts("Alice, play a card")
	stop()
	b.until("!!document.querySelector('.note.lost')")
	tb.mu.Lock()
	tb.web = nil
	tb.mu.Unlock()
	tb.input(t.Context(), pressed("red", "next"))
	listen(t, tb.show(newServer(tb.config())), strings.TrimPrefix(url, "http://"))
	b.prompts("Max, play a card")
	b.until("!document.querySelector('.note.lost')")
}

// A page in the background gets no animation frames, but its title must stay up
// to date.
func TestHiddenPageIsDrawn(t *testing.T) {
	tb := newTable(t)
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until(`!!document.querySelector("#first [data-game]")`) // after this no drawing is pending
	b.eval(`Object.defineProperty(document, "hidden", { value: true }); requestAnimationFrame = () => 0; ""`)
	tb.begin()
	eventually(t, func() bool { return b.eval("document.title") == "Ring · Tableside" })
}

func TestOverlayIsTransparent(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, exampleServer(exampleFrame(2)), "127.0.0.1:0")
	for _, theme := range []string{"dark", "light"} {
		b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
			_, err := chromedp.Call(ctx, emulation.SetDefaultBackgroundColorOverride,
				emulation.SetDefaultBackgroundColorOverrideParams{Color: &cdp.RGBA{A: 0.001}})
			return err
		}), media("dark"), chromedp.Navigate(url+"/overlay?theme="+theme))
		b.until("document.querySelectorAll('.puck').length === 2")
		data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, _, alpha := img.At(640, 40).RGBA(); alpha > 0x0300 { // cdproto leaves out an alpha of 0
			t.Errorf("%s: the stream behind is hidden, alpha %#x", theme, alpha)
		}
	}
}

// Whatever the seats need, the page does not scroll, and the question stays where it is.
func TestPromptStaysInSight(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	const at = `(({ x, y, width, height }) => [x, y, width, height].map(Math.floor).join())(
		document.getElementById("ask").getBoundingClientRect())`
	for _, test := range []struct {
		path, part    string
		width, height int64
	}{{"/?lang=en", "arena", 1280, 640}, {"/?lang=en", "arena", 390, 844}, {"/?lang=en&seat=red", "hand", 390, 844}} {
		b.open(url + test.path)
		b.do(chromedp.EmulateViewport(test.width, test.height))
		b.prompts("Alice, play a card")
		b.until("!!document.querySelector('.seat') && !!document.querySelector('#hand .card')")
		before := b.eval(at)
		b.eval(fmt.Sprintf("document.getElementById(%q).style.paddingBottom = '2000px', ''", test.part))
		for _, scroll := range []string{"scrollTo(0, 600)", "document.body.scrollTop = 600", "document.getElementById('arena').scrollTop = 600"} {
			b.eval(scroll + ", ''")
			if after := b.eval(at); after != before {
				t.Errorf("%dx%d, after %s: the question is at %s, and was at %s", test.width, test.height, scroll, after, before)
			}
		}
	}
}

func TestMatchWithoutHiddenCardsHasKeysOnly(t *testing.T) {
	tb := newTable(t).begin()
	config := tb.config()
	config.Simulated.Piles = func() []engine.Pile { return nil }
	url, _ := listen(t, tb.show(newServer(config)), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.prompts("Alice, play a card")
	b.click("[data-act=drawer]")
	b.click(`#drawer [data-press="next"]`)
	b.prompts("Max, play a card")
	b.until("!document.querySelector('.reader, #hand .card')")
}

// On a phone that several share, the hand has room for names only: a card is read before it is played.
func TestCardIsReadOnASharedPhone(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.do(chromedp.EmulateViewport(390, 844))
	b.open(url + "/?lang=en")
	b.prompts("Alice, play a card")
	b.click("#hand [data-legal=yes]")
	b.until(`!!document.querySelector("#dialog[open] .whole")`)
	b.prompts("Alice, play a card")
	b.click("#dialog .primary[data-legal=yes]")
	b.prompts("How far does Alice go?")
	b.until(`!document.querySelector("#dialog[open]")`)
}

// Where a card moves that nobody names, a click picks it; no other question takes a pick.
func TestUnaskedCardIsPicked(t *testing.T) {
	tb, _ := playsMutants(t, fourSeats, map[string]string{"data": "stand-in", "pools": "draft"})
	tb.playOn(rand.New(rand.NewPCG(5, 5)), asksFor("draft-pick"))
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	dealt := tb.dealer.Cards("red/draft")
	for _, card := range dealt[:2] { // one at a time
		b.click(fmt.Sprintf(`#hand [data-tap=%q]`, card))
		b.until(fmt.Sprintf(`[...document.querySelectorAll('#hand .picked')].map(c => c.dataset.tap + c.ariaPressed).join() === '%strue'`, card))
	}
	b.until(`document.querySelector('.picked .state').textContent === 'will be used next' && !document.querySelector('[data-refused]')`)
	b.open(url + "/?lang=en") // as a phone does that has slept
	b.until(fmt.Sprintf(`document.querySelector('#hand .picked')?.dataset.tap === %q`, dealt[1]))
	b.click(fmt.Sprintf(`#hand [data-tap=%q]`, dealt[1]))
	b.until(`!document.querySelector('#hand .picked')`)
	b.click(fmt.Sprintf(`#hand [data-tap=%q]`, dealt[0]))
	b.until(`!!document.querySelector('#hand .picked')`)
	tb.input(t.Context(), pressed("red", "next"))
	if drafted := tb.dealer.Cards("red/drafted"); len(drafted) != 1 || drafted[0] != dealt[0] {
		t.Errorf("%v was drafted, not %s", drafted, dealt[0])
	}
}

// When a prompt asks for a zone, only its cards that are still face down answer.
func TestFaceUpCardIsNotAskedForAgain(t *testing.T) {
	f := exampleFrame(2)
	back := engine.Card{State: []string{"face-down"}}
	turned := engine.Card{Kind: engine.Null("zombie"), Copy: 1}
	f.View.Prompts = []engine.Prompt{{Seat: "red", Key: "play",
		Options: []engine.Answer{{Key: "from-hand", Input: "red tap", Zone: "red/left"}}}}
	b := newTab(t)
	for _, cards := range [][]engine.Card{{back, turned}, {turned, back, back}} {
		f.View.Seats[0].Zones[0].Cards = cards
		url, _ := listen(t, exampleServer(f), "127.0.0.1:0")
		b.open(url + "/?lang=en")
		cardsOf := `[...document.querySelectorAll('[data-seat=red] .card[data-place="red/left"]')]`
		b.until(fmt.Sprintf(`%s.filter(c => c.matches('.back[data-legal=yes]')).length === %d`, cardsOf, len(cards)-1))
		b.until(cardsOf + `.filter(c => c.matches('[data-legal=yes]:not(.back)')).length === 0`)
	}
}

func TestCardThatIsCoveredIsNotLifted(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until("document.querySelectorAll('#hand [data-legal=yes]').length === 6")
	b.click("[data-act=drawer]")
	b.eval(`for (const tag of ["fox.1", "owl.1", "bear.1"]) document.querySelector('#hand [data-tap="' + tag + '"]').click(); ''`)
	eventually(t, func() bool {
		tb.mu.Lock()
		defer tb.mu.Unlock()
		return slices.Contains(tb.laid, "lift red bear.1")
	})
	b.until("!document.querySelector('.reader.full')")
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if len(tb.laid) != 4 {
		t.Errorf("three cards were laid, the last was lifted: %v", tb.laid)
	}
}

func TestNewestEditionOrTheLastPlayedIsChosen(t *testing.T) {
	tb := newTable(t)
	config := tb.config()
	config.Games = func() []engine.Info {
		var list []engine.Info
		for _, name := range []string{"ring/first", "ring/second", "score/test"} {
			info := ring{}.Info()
			info.Name = name
			list = append(list, info)
		}
		return list
	}
	var begun atomic.Bool
	config.Matches = func() ([]engine.MatchInfo, error) {
		if !begun.Load() {
			return nil, nil
		}
		return []engine.MatchInfo{{ID: "2026-11-21T20-15-00Z", Game: "ring/first", State: "unfinished",
			Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}}, nil
	}
	url, _ := listen(t, tb.show(newServer(config)), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until("document.querySelector('[data-game][aria-pressed=true]')?.dataset.game === 'ring/second'")
	b.click(`[data-game="ring/first"]`)
	b.click(`[data-begin]`)
	b.until("document.getElementById('prompt').textContent.endsWith(', play a card')")
	begun.Store(true)
	tb.order(t.Context(), engine.Order{Do: "abandon"})
	b.do(chromedp.Reload())
	b.until("document.querySelector('[data-game][aria-pressed=true]')?.dataset.game === 'ring/first'")
}

func TestGameForOneSeatsOne(t *testing.T) {
	tb := newTable(t)
	config := tb.config()
	config.Games = func() []engine.Info {
		var list []engine.Info
		for _, name := range []string{"ring/first", "ring/second", "ring/alone"} {
			info := ring{}.Info()
			info.Name, info.MinSeats = name, 2
			if name == "ring/alone" {
				info.MinSeats, info.MaxSeats = 1, 1
			}
			list = append(list, info)
		}
		return list
	}
	url, _ := listen(t, tb.show(newServer(config)), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	// Two seats are chosen, so a new table does not propose the game for one.
	b.until("document.querySelector('[data-game][aria-pressed=true]')?.dataset.game === 'ring/second'")
	b.click(`[data-game="ring/alone"]`)
	places := `[...document.querySelectorAll("[data-name]")].map(e => e.dataset.name).join()`
	b.until(places + ` === "red" && !document.querySelector("[data-begin]").disabled`)
	b.click(".chosen button")
	// Only one seat could begin.
	b.until(`!!document.querySelector(".options") && !document.querySelector("[data-keep='plan.first']")`)
	b.click(".done")
	b.click(`[data-place="green"]`)
	b.until(places + ` === "green" && document.querySelectorAll("[data-name]").length === 1`)
	b.click(`[data-game="ring/first"]`)
	b.until(places + `.split(",").length === 2 && !document.querySelector("[data-begin]").disabled`)
	b.click(".chosen button")
	b.until(`!!document.querySelector("[data-keep='plan.first']")`)
	// The list offers the current seats, and keeps the choice.
	first := `(s => [...s.options].map(o => o.value).join() + "|" + s.value)(document.querySelector("[data-keep='plan.first']"))`
	seat := func(id string) {
		b.click(".done")
		b.click(`[data-place="` + id + `"]`)
		b.click(".chosen button")
	}
	b.do(chromedp.SetValue(chromedp.CSS("[data-keep='plan.first']"), "green"))
	b.eval(`document.querySelector("[data-keep='plan.first']").dispatchEvent(new Event("input", { bubbles: true })) + ""`)
	before := b.eval(first)
	seat("purple")
	b.until(`!!document.querySelector("[data-keep='plan.first']") && ` + first + ` !== "` + before + `" && ` +
		first + `.endsWith(",purple|green")`)
	seat("green")
	b.until(`!!document.querySelector("[data-keep='plan.first']") && ` + first + `.endsWith(",purple|")`)
}

// When only a part of a match can be read, the table asks whether to go on, and
// the page's Continue answers that question. An order to resume would make the
// table ask again.
func TestPageContinuesUpToTheDamage(t *testing.T) {
	tb := newTable(t)
	config := tb.config()
	answers := make(chan string, 1)
	config.Input = func(_ context.Context, in engine.Input) engine.Receipt {
		answers <- in.Command()
		return engine.Receipt{Outcome: engine.Accepted, Seat: in.Seat}
	}
	s := newServer(config)
	refused := engine.Receipt{Outcome: engine.Refused, Seat: engine.Table, Override: true,
		Spoken: "The journal is damaged"}
	view := engine.EmptyView(engine.Prompt{Seat: engine.Table, Key: "lobby-damaged", Text: "It can go on after move 9",
		Options: []engine.Answer{{Key: "yes", Input: "table key yes"}, {Key: "no", Input: "table key no"}}})
	frame := engine.Frame{View: view, Words: engine.CoreWords(), Lang: engine.English,
		Status: engine.Status{Keeping: true, Cursor: -1, Unfinish: "2026-01-01T00-00-00Z", Receipt: &refused}}
	if err := s.Show(t.Context(), frame); err != nil {
		t.Fatal(err)
	}
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url)
	b.until(`document.getElementById("prompt")?.textContent === "It can go on after move 9"`)
	if n := b.eval(`"" + document.querySelectorAll("#notes [data-refused]").length`); n != "0" {
		t.Error("the question is also shown as a refusal")
	}
	b.click(`#first [data-number="1"]`)
	select {
	case got := <-answers:
		if got != "table key yes" {
			t.Errorf("Continue says %q, want table key yes", got)
		}
	case <-time.After(patience):
		t.Error("Continue does not answer the table's question")
	}
}
