package web

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"tableside/engine"
)

// describedServer returns the example server with texts for all cards, and a
// counter of the taps.
func describedServer(t *testing.T, change func(*engine.View)) (*Server, *atomic.Int32) {
	t.Helper()
	f := exampleFrame(2)
	change(&f.View)
	f.Words = engine.Merge(f.Words, engine.MustWords("told",
		"[does]\nen = Deploy: {card} bites\nfr = Déploiement : {card} mord\n"))
	s, taps := exampleServer(f), new(atomic.Int32)
	s.config.Simulated.Describe = func(card string) []engine.Text {
		return []engine.Text{engine.T("does", "card", engine.CardWord(card))}
	}
	s.config.Simulated.Tap = func(context.Context, string, string) error { taps.Add(1); return nil }
	return s, taps
}

func TestTextsOfOpenCards(t *testing.T) {
	card := func(kind engine.Null, state ...string) engine.Card {
		return engine.Card{Kind: kind, Copy: 1, State: state}
	}
	s, _ := describedServer(t, func(v *engine.View) {
		ridden := card("robot")
		ridden.Under = []engine.Card{card("alien", "face-down"), card("beast")}
		ridden.Attached = []engine.Card{card("robot"), {}}
		v.Zones = engine.Zones{{Name: "boss", Cards: []engine.Card{ridden}}}
		v.Seats = v.Seats[:1]
		v.Seats[0].Zones = engine.Zones{{Name: "left", Cards: []engine.Card{card("demon", "face-down"),
			card("zombie", "tilted")}}}
	})
	// Everybody may read the face-up cards.
	w := request{method: "GET", path: "/api/texts?lang=fr", peer: "192.0.2.7:40000", host: "anything.example"}.send(s)
	var cards []openCard
	if err := json.Unmarshal(w.Body.Bytes(), &cards); err != nil || w.Code != 200 {
		t.Fatalf("%d %v: %s", w.Code, err, w.Body)
	}
	var kinds []string
	for _, c := range cards {
		kinds = append(kinds, c.Card)
		if c.Does != "Déploiement\u00a0: "+c.Name+" mord" {
			t.Errorf("%s does %q", c.Name, c.Does)
		}
	}
	if want := "robot beast zombie"; strings.Join(kinds, " ") != want {
		t.Errorf("open are %v, want %s", kinds, want)
	}
	s.config.Simulated = nil
	if w := (request{method: "GET", path: "/api/texts"}).send(s); w.Code != 404 {
		t.Errorf("with real cards: %d %s", w.Code, w.Body)
	}
}

// A card shows its text where the mouse or the keyboard focus is, and opens by a press, or
// where a press answers by a long one, the right button or the menu key.
func TestOpenCardsShowTheirTexts(t *testing.T) {
	atNight(t)
	f := two()
	f.View.Prompts = []engine.Prompt{{Seat: "red", Key: "breed", Options: []engine.Answer{
		{Key: "breed", Input: "red tap gorthaur.1"}}}}
	s, taps := describedServer(t, func(v *engine.View) { v.Prompts = f.View.Prompts })
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	const dialog, zoom, plain, answer = `document.getElementById("dialog")`, `document.getElementById("zoom")`,
		`[data-card="warrior.2"]`, `[data-card="gorthaur.1"][data-legal="yes"]`
	opened := func(title string) {
		t.Helper()
		b.until(dialog + `.open && ` + dialog + `.textContent.includes("` + title + ` bites")`)
	}
	closed := func(focus string) {
		t.Helper()
		b.do(chromedp.KeyEvent("\x1b"))
		b.until(`!` + dialog + `.open && document.activeElement.matches('` + focus + `')`)
	}
	b.until(`document.querySelector('` + plain + `')?.tagName === "BUTTON"`)
	b.hover(plain)
	b.until(`!` + zoom + `.hidden && ` + zoom + `.textContent.includes("Warrior bites")`)
	b.hover("#ask")
	b.until(zoom + `.hidden`)
	b.click(plain)
	opened("Warrior")
	closed(plain)
	b.do(chromedp.KeyEvent("\r"))
	opened("Warrior")
	closed(plain)
	b.click(`[data-sheet="red/discard"]`) // a pile shows all its cards
	b.until(`["Alien", "Beast", "Robot"].every(name => document.getElementById("sheet").textContent.includes(name + " bites"))`)
	b.do(chromedp.KeyEvent("\x1b"))
	b.until(`!document.getElementById("sheet").children.length`)

	// A card that answers shows its text on keyboard focus, and opens it with the menu key.
	b.eval(`document.querySelector('` + answer + `').focus({ focusVisible: true }); ""`)
	b.until(`!` + zoom + `.hidden && ` + zoom + `.textContent.includes("Gorthaur the Cruel bites")`)
	b.do(chromedp.KeyEvent("\x1b"))
	b.until(zoom + `.hidden`)
	b.eval(`document.activeElement.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true })); ""`)
	opened("Gorthaur the Cruel")
	closed(answer)

	// A long press opens the text too, and does not answer.
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.click(`[data-sheet="red/pools"]`) // where a phone has the gene pool
	b.ready(answer)
	b.do(finger(b, input.DispatchTouchEventTypeTouchStart, answer))
	opened("Gorthaur the Cruel")
	b.do(finger(b, input.DispatchTouchEventTypeTouchEnd, answer))
	b.until(dialog + `.open`)
	closed("*")
	if n := taps.Load(); n != 0 {
		t.Errorf("reading tapped %d cards", n)
	}
	b.tap(answer)
	eventually(t, func() bool { return taps.Load() == 1 })
}

// finger touches an element near its top, after scrolling to it, or lifts the
// finger.
func finger(b *tab, does input.DispatchTouchEventType, on string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		var points []*input.TouchPoint
		if does == input.DispatchTouchEventTypeTouchStart {
			var p input.TouchPoint
			s := b.eval(fmt.Sprintf(`(e => { e.scrollIntoView({ block: "center", behavior: "instant" }); const r = e.getBoundingClientRect(); return (r.x + r.width / 2) + " " + (r.y + 12) })(document.querySelector(%q))`, on))
			if _, err := fmt.Sscan(s, &p.X, &p.Y); err != nil {
				return err
			}
			points = append(points, &p)
		}
		_, err := chromedp.Call(ctx, input.DispatchTouchEvent,
			input.DispatchTouchEventParams{Type: does, TouchPoints: points})
		return err
	})
}
