package web

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A screen reader hears each new line of the log once, and none of the lines from
// before the page opened.
func TestEventsAreAnnouncedOnce(t *testing.T) {
	tb := newTable(t).begin()
	tb.show(newServer(tb.config()))
	tb.input(t.Context(), tapped("red", "owl.1"))
	url, _ := listen(t, tb.resume(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.prompts("How far does Alice go?")
	b.eval(`window.heard = [document.getElementById("news").textContent];
		new MutationObserver(list => heard.push(...list.flatMap(m => [...m.addedNodes].map(n => n.textContent))))
			.observe(document.getElementById("news"), { childList: true, subtree: true, characterData: true }); ""`)
	heard := func(want string) {
		t.Helper()
		if got := b.eval(`heard.join("|")`); got != want {
			t.Errorf("got heard\n%s\nwant\n%s", got, want)
		}
	}
	b.click(`#ask [data-input="red key right"]`)
	b.prompts("Max, play a card")
	b.do(chromedp.KeyEvent("+")) // a refusal is in the prompt's announcement
	b.until(`document.getElementById("aloud").textContent.startsWith("That means nothing now")`)
	heard("|Alice goes 2 spaces")
	for range 2 {
		b.click(`#ask [data-input$=" undo"]`)
		b.prompts("How far does Alice go?")
		b.click(`#ask [data-input$=" redo"]`)
		b.prompts("Max, play a card")
	}
	again := "|Undone: Alice goes 2 spaces|Alice redoes the move"
	heard("|Alice goes 2 spaces" + again + again)
}

func TestSkipLinkLeadsToTheAnswers(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=fr")
	b.until(`!!document.querySelector('#ask .answers [data-number="1"]')`)
	b.do(chromedp.KeyEvent("\t"))
	b.until(`document.activeElement.textContent === "Aller à la question"`)
	b.do(chromedp.KeyEvent("\r"), chromedp.KeyEvent("\t"))
	b.until(`document.activeElement.matches('#ask [data-number="1"]')`)
}
