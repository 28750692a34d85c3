package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPickInBrowser enters a card of Mindbug with two abilities on a phone, by real clicks: one
// of two effects, with numbers, whose creatures and a condition, and one of one effect.
func TestPickInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts the program")
	}
	t.Parallel()
	p, url, file := newTypist(t, buildProgram(t), "mindbug/first-contact", "en")
	p.do(chromedp.EmulateViewport(390, 844))
	p.press(`[data-act=add]`)
	p.fill("en", "Sly Cat")
	p.press(`[data-act=counted][data-word=first-contact]`)
	p.choose("power", "3")
	p.did = effort{}
	p.opens("play")
	p.picks("Life", "gain-life")
	p.press(`.setting [data-n="2"]`)
	p.press(`.adds`)
	p.picks("Defeat", "defeat")
	p.press(`.setting .chip[data-row=enemy]`)
	p.press(`.setting .chip[data-row=may]`)
	p.reads("gain 2 life, then you may defeat 1 enemy creature")
	p.opens("defeated")
	p.picks("Discard", "discard")
	p.reads("your opponent discards 1 card")
	p.tell("a card of Mindbug with two abilities, picked", 1)
	if p.did.taps > 11 || p.did.keys > 0 {
		t.Errorf("two abilities take %d taps and %d keys, want 11 taps", p.did.taps, p.did.keys)
	}
	p.press(`.setting .chip[data-row=if]`)
	p.press(`.setting .chip[data-row=own-turn]`)
	p.reads("if it is your turn, your opponent discards 1 card")
	p.press(`[data-act=ability][data-field=play]`)
	p.press(`.effects [data-act=openEffect][data-n="0"]`)
	p.press(`.setting [data-act=moveEffect][data-by="1"]`)
	p.reads("you may defeat 1 enemy creature, then gain 2 life")
	p.press(`.setting [data-act=moveEffect][data-by="-1"]`)
	p.reads("gain 2 life, then you may defeat 1 enemy creature")
	p.opens("action")
	p.seeks("défausse carte adversaire")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.reads("your opponent discards 1 card")
	if cut := p.eval(`String(document.documentElement.scrollWidth - innerWidth)`); cut != "0" {
		t.Errorf("the page is %s px wider than a phone", cut)
	}
	p.press(saveNext)
	p.saved("Sly Cat")
	kept(t, file, "card sly-cat play gain 2 life, then you may defeat 1 enemy creature",
		"card sly-cat defeated if it is your turn, your opponent discards 1 card", "card sly-cat power 3",
		"card sly-cat action your opponent discards 1 card")

	// What was kept is shown in the language of the page, and is not changed by looking at it.
	b := &typist{tab: openTab(t)}
	b.visit(url, "mindbug", "fr")
	b.card("sly-cat")
	b.press(`[data-act=ability][data-field=play]`)
	b.reads("gagnez 2 PV, puis vous pouvez détruire 1 créature ennemie")
	b.press(`.effects [data-act=removeEffect][data-n="0"]`)
	b.reads("vous pouvez détruire 1 créature ennemie")
	b.press(`[data-act=save]:not([data-next], [hidden])`)
	b.saved("Sly Cat")
	kept(t, file, "card sly-cat play vous pouvez détruire 1 créature ennemie")

	// Words that are kept by hand are proposed as effects; taking one leaves them on the card.
	b.press(`[data-act=ability][data-field=attack]`)
	b.press(`.picker [data-act=byHand]`)
	b.fill("attack", "Mangez. Détruisez une créature ennemie.")
	b.until(`document.querySelector(".printed u")?.textContent === "Mangez."`)
	b.press(`.on-card .offer`)
	b.reads("détruisez 1 créature ennemie")
	b.press(`[data-act=save]:not([data-next], [hidden])`)
	b.saved("Sly Cat")
	kept(t, file, "card sly-cat attack détruisez 1 créature ennemie",
		`card sly-cat text "Mangez. Détruisez une créature ennemie."`)
}

// opens opens an ability, and what it may be made of.
func (p *typist) opens(field string) {
	p.t.Helper()
	p.press(fmt.Sprintf(`[data-act=ability][data-field=%s]`, field))
	p.until(`!!document.querySelector(".tiles")`)
}

// picks takes an effect from a tile.
func (p *typist) picks(tile, row string) {
	p.t.Helper()
	p.until(`!!document.querySelector(".tiles")`)
	if p.eval(`document.querySelector(".tiles [aria-pressed=true]").textContent`) != tile {
		p.press(fmt.Sprintf(`.tiles [data-n="%s"]`, p.eval(fmt.Sprintf(
			`[...document.querySelectorAll(".tiles .chip")].find(e => e.textContent === %q).dataset.n`, tile))))
	}
	p.press(fmt.Sprintf(`.offer[data-row=%s]`, row))
	p.until(`!!document.querySelector(".setting")`)
}

// seeks types words by which an effect is found.
func (p *typist) seeks(text string) {
	p.t.Helper()
	p.click(`.picker input`)
	p.did.taps++
	p.do(chromedp.KeyEvent(text))
	p.did.typed++
	p.count(text)
}

// reads waits until the open ability has this sentence.
func (p *typist) reads(sentence string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`document.querySelector(".reads .sentence")?.textContent === %q`, sentence))
}
