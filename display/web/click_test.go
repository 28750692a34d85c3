package web

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func page(body string) string {
	return "data:text/html," + url.PathEscape("<!doctype html><meta charset=utf-8><body style='margin: 0'>"+body)
}

func TestClickWaitsUntilAUserCouldClick(t *testing.T) {
	b := newTab(t)
	for _, test := range []struct{ body, why string }{
		{`<p>Nothing`, "is not on the page"},
		{`<button disabled>A`, "is disabled"},
		{`<fieldset disabled><button>A</button></fieldset>`, "is disabled"},
		{`<button hidden>A`, "has no size"},
		{`<button>A</button><div style="position: fixed; inset: 0">`, "is covered at its middle by <div"},
		{`<div style="height: 0; overflow: clip"><button>A</button></div>`, "is covered at its middle by <html"},
		{`<button style="position: fixed; top: -90px">A`, "is out of sight"},
		{`<style>@keyframes turn { to { color: red } } p { animation: turn 1s infinite }</style><p><button>A</button></p>`,
			"is moved by an animation of <p>"},
		{`<button>A</button><script>(function f(x) { document.body.style.paddingLeft = x % 50 + "px";
			requestAnimationFrame(() => f(x + 1)); })(0)</script>`, "moves or is replaced in every frame"},
		{`<script>(function f() { document.body.innerHTML = "<button>A"; requestAnimationFrame(f); })()</script>`,
			"moves or is replaced in every frame"},
	} {
		b.open(page(`<script>addEventListener("click", () => { document.title = "clicked"; })</script>` + test.body))
		why, err := b.waitReady("button", true, 0)
		if err != nil || !strings.HasPrefix(why, test.why) || b.eval("document.title") != "" {
			t.Errorf("%s: got %q, %v, want %q and no click", test.body, why, err, test.why)
		}
	}
	// Of what passes, nothing stops the click.
	b.open(page(`<p style="height: 3000px"><script>setTimeout(() => document.body.insertAdjacentHTML("beforeend",
		"<button disabled onclick='document.title = 1'>A</button>"), 50);
		setTimeout(() => document.querySelector("button").disabled = false, 100);</script>`))
	b.click("button")
	if title := b.eval("document.title"); title != "1" {
		t.Errorf("the page's title is %q after the click, want 1", title)
	}
}

// logging is the beginning of a page that logs its mouse events, with a field for
// the focus.
const logging = `<input><script>
	const log = []; // from pointerdown on: the focus of the window comes when it likes
	for (const name of ["pointerdown", "mousedown", "focusout", "focusin", "pointerup", "mouseup", "click", "input",
		"change", "submit"]) {
		addEventListener(name, e => {
			if (!log.length && name !== "pointerdown") return;
			log.push([name, e.target.tagName, e.button, e.buttons, e.detail, e.pointerType, e.isPrimary, e.clientX,
				e.clientY, e.constructor.name, document.activeElement.id, e.target.matches(":focus-visible")].join(" "));
		});
	}</script>`

// TestClickIsThatOfAMouse compares the events of our click with those of the
// browser's own.
func TestClickIsThatOfAMouse(t *testing.T) {
	b := newTab(t)
	for _, body := range []string{
		`<button type="button" id="it"><b>A</b></button>`,
		`<input type="checkbox" id="it">`,
		`<form onsubmit="return false"><button type="submit" id="it">A</button></form>`,
		`<p id="it">Not to be focused`,
	} {
		events := func(click func()) string {
			b.open(page(logging + body))
			b.eval(`document.querySelector("input").focus({ focusVisible: true }); ""`)
			b.ready("#it")
			click()
			return b.eval(`log.join("\n")`)
		}
		want := events(func() { b.do(chromedp.Click(chromedp.CSS("#it"))) })
		if got := events(func() { b.click("#it") }); got != want {
			t.Errorf("%s: got events\n%s\nwant\n%s", body, got, want)
		}
	}
}
