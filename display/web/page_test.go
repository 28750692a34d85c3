package web

import (
	"testing"

	"github.com/chromedp/chromedp"
)

func TestPromptIsAnsweredByClickKeyboardAndDrag(t *testing.T) {
	tb := newTable(t).begin()
	url, _ := listen(t, tb.show(New(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.prompts("Alice, play a card")
	b.until("document.querySelectorAll('.hand .card.wanted').length === 6")
	b.do(chromedp.Click(chromedp.CSS(`.hand [data-tap="fox.1"]`)))
	b.prompts("How far does Alice go?")
	b.do(chromedp.Click(chromedp.CSS(`#ask [data-input="red key right"]`)))
	b.prompts("Max, play a card")
	b.do(chromedp.KeyEvent("1"))
	b.until("document.activeElement.dataset.tap !== undefined")
	b.do(chromedp.KeyEvent("\r"))
	b.prompts("How far does Max go?")
}
