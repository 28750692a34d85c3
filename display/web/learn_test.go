package web

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tableside/display/web/cards"
	"tableside/display/web/core"
	"tableside/engine"
)

// The table's texts about tags.
const tagWords = `
[receipt.unknown-tag]
en = This tag is not in the catalogue yet: {tag}
fr = Cette étiquette n'est pas encore au catalogue : {tag}
[receipt.unknown-key]
en = This key has no meaning yet: {name}
fr = Cette touche n'a pas encore de sens : {name}
[receipt.learnt]
en = Learnt: this tag is {card}. Take it off and lay it down again to use it
fr = Retenu : cette étiquette est {card}. Retirez-la et reposez-la pour vous en servir
[receipt.learnt-again]
en = Learnt: this tag is {card}, and the tag {before} is it no longer. Take it off and lay it down again to use it
fr = Retenu : cette étiquette est {card}, et l'étiquette {before} ne l'est plus. Retirez-la et reposez-la pour vous en servir
[refusal.disk]
en = The tag {tag} could not be kept in the catalogue: the disk is full
fr = L'étiquette {tag} n'a pas pu être gardée au catalogue : le disque est plein
`

// tapUnknown taps a tag that no catalogue knows.
func (tb *table) tapUnknown(place, tag string) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	r := tb.receipt(place, engine.Input{Seat: engine.Seat(place)}, nil)
	r.Outcome, r.Text = engine.Unknown, engine.T("receipt.unknown-tag", "tag", tag)
	if name, ok := strings.CutPrefix(tag, "key:"); ok {
		r.Text = engine.T("receipt.unknown-key", "tag", tag, "name", name)
	}
	if tb.tags != nil {
		r.Text.Args["learn"] = true
	}
	tb.status.Receipt = &r
	tb.frame(nil)
}

// learn records a card's tag. It refuses owls, as if the disk were full.
func (tb *table) learn(tag, card string) error {
	if tb.tags == nil || strings.Contains(card, "owl") {
		return engine.Refuse("refusal.disk", "tag", tag)
	}
	tb.learnt = engine.T("receipt.learnt", "tag", tag, "card", card)
	if before := tb.tags[card]; before != "" && before != tag {
		tb.learnt = engine.T("receipt.learnt-again", "tag", tag, "card", card, "before", before)
	}
	tb.tags[card] = tag
	return nil
}

func (tb *table) tagOf(card string) string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return tb.tags[card]
}

func ringCards(game string, lang engine.Lang) ([]cards.Card, error) {
	if game == "ring/torn" {
		return nil, errors.New("torn")
	}
	if !strings.HasPrefix(game, "ring/") {
		return nil, nil
	}
	var list []cards.Card
	for _, kind := range []string{"fox", "owl", "bear"} {
		name := ring{}.Info().Words.Say(lang, engine.T("card."+kind), nil)
		list = append(list, cards.Card{Kind: kind, Name: name, Copies: 4})
	}
	return list, nil
}

const offer = `:is(#ask, #notes) [data-act="learn"]`

func TestUnknownTagIsLearntByClick(t *testing.T) {
	tb := newTable(t).begin()
	tb.tags = map[string]string{"ring/bear.2": "04AAAAAAAAAAAA"}
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=fr")
	_ = tb.tap(t.Context(), "red", "04A1B2C3D4E5F6")
	b.until(fmt.Sprintf("document.querySelector(%q)?.textContent === 'Quelle carte est-ce\u00a0?'", offer))
	b.click(offer)
	// The cards are in the order of their titles in the page's language.
	b.until("[...document.querySelectorAll('.box b')].map(e => e.textContent).join() === 'Chouette,Ours,Renard'")
	b.until("document.querySelector('.uid').textContent === '04A1B2C3D4E5F6'")
	// A failure to save shows in the dialog, which stays open for another choice.
	b.click(`[data-learn="ring/owl.1"]`)
	b.until("document.querySelector('#dialog .wrong')?.textContent.includes('le disque est plein')")
	b.click(`[data-learn="ring/bear.2"]`)
	b.until("document.querySelector('#dialog h2').textContent === 'Ours, exemplaire 2 sur 4'")
	b.until("document.querySelector('#dialog .learnt').textContent.includes(\"l'étiquette 04AAAAAAAAAAAA ne l'est plus\")")
	b.until("!document.querySelector('[data-refused]')")
	if tag := tb.tagOf("ring/bear.2"); tag != "04A1B2C3D4E5F6" {
		t.Errorf("the bear's tag is %q", tag)
	}
	// The dialog offers to correct a mistake at once.
	b.click(`#dialog [data-tag="04A1B2C3D4E5F6"]`)
	b.click(`[data-learn="ring/bear.3"]`)
	b.until("document.querySelector('#dialog h2').textContent === 'Ours, exemplaire 3 sur 4'")
	// The next tag becomes a key.
	_ = tb.tap(t.Context(), "red", "04FFFFFFFFFFFF")
	b.click(`#dialog [data-tag="04FFFFFFFFFFFF"]`)
	b.click(`#dialog [data-value="key"]`)
	b.click(`[data-learn="key/undo"]`)
	b.until("document.querySelector('#dialog h2').textContent === 'Annuler'")
	if tag := tb.tagOf("key/undo"); tag != "04FFFFFFFFFFFF" {
		t.Errorf("the key's tag is %q", tag)
	}
	b.click(`#dialog .answers [data-close]`)
	b.until("!document.getElementById('dialog').open")
}

// TestUnknownTagWaits tests that a tag which was laid down before the match, and before the page
// was opened, is asked for by the whole table and by the phone of its seat, and by no other.
func TestUnknownTagWaits(t *testing.T) {
	_, s := guarded(t, stranger, false)
	if err := s.Show(t.Context(), strangeEmpty()); err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	for code, want := range map[string]string{"s3cret": "1", core.SeatCode("s3cret", "red"): "1", core.SeatCode("s3cret", "blue"): "0"} {
		b.scan(s, code)
		b.until(`!!document.querySelector("#first [data-part=first]")`)
		if got := b.eval(fmt.Sprintf(`"" + document.querySelectorAll(%q).length`, offer)); got != want {
			t.Errorf("%s: %s offers, want %s", code, got, want)
		}
	}
}

// TestUnknownKeyIsLearnt tests that a key of a keyboard is asked for in words of keys.
func TestUnknownKeyIsLearnt(t *testing.T) {
	tb := newTable(t).begin()
	tb.tags = map[string]string{}
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until("!!document.body.dataset.seq")
	tb.tapUnknown("red", "key:KEY_F1@1c4f:0002")
	b.until("document.querySelector('[data-refused]')?.textContent.includes('This key has no meaning yet: KEY_F1')")
	b.until(fmt.Sprintf("document.querySelector(%q).textContent === 'What shall this key be?'", offer))
	b.click(offer)
	b.until("document.querySelector('#dialog .tagged')?.textContent === 'Key KEY_F1'")
	b.click(`[data-learn="key/undo"]`)
	b.until("document.querySelector('#dialog h2').textContent === 'Undo'")
	if tag := tb.tagOf("key/undo"); tag != "key:KEY_F1@1c4f:0002" {
		t.Errorf("the key is %q", tag)
	}
}

func TestUnknownTagIsLearntByKeyboard(t *testing.T) {
	tb := newTable(t) // empty
	tb.tags = map[string]string{}
	config := tb.config()
	config.Games = func() []engine.Info {
		first, second := ring{}.Info(), ring{}.Info()
		first.Name, second.Name = "ring/first", "ring/second"
		return []engine.Info{first, second}
	}
	url, _ := listen(t, tb.show(newServer(config)), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until("!!document.body.dataset.seq")
	_ = tb.tap(t.Context(), "red", "04A1B2C3D4E5F6")
	b.until(fmt.Sprintf("!!document.querySelector(%q)", offer))
	b.eval(fmt.Sprintf("document.querySelector(%q).focus(), ''", offer))
	b.do(chromedp.KeyEvent("\r"))
	b.until("document.activeElement.matches('[data-sought]') && document.querySelectorAll('.box li').length === 3")
	b.until("document.querySelector('[data-box]').value === 'ring/second'")
	b.do(chromedp.KeyEvent("FÓ'"))
	b.until("document.querySelectorAll('.box li').length === 1")
	b.do(chromedp.KeyEvent("z"))
	b.until("document.querySelector('.box').textContent === 'No card has this name'")
	b.do(chromedp.KeyEvent("\b"), chromedp.KeyEvent("\b"), chromedp.KeyEvent("\r")) // goes to the first copy found
	b.until("document.activeElement.matches('[data-learn=\"ring/fox.1\"]')")
	b.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("\r"))
	b.until("document.querySelector('#dialog h2').textContent === 'Fox, copy 2 of 4'")
	b.until("document.activeElement.matches('#dialog .answers [data-close]')")
	if tag := tb.tagOf("ring/fox.2"); tag != "04A1B2C3D4E5F6" {
		t.Errorf("the fox's tag is %q", tag)
	}
	b.do(chromedp.KeyEvent("\r"))
	b.until("!document.getElementById('dialog').open")
}

func TestUnknownTagIsLearntByTouch(t *testing.T) {
	tb := newTable(t).begin()
	tb.tags = map[string]string{}
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.open(url + "/?lang=en")
	b.until("!!document.body.dataset.seq")
	_ = tb.tap(t.Context(), "red", "04A1B2C3D4E5F6")
	b.until(fmt.Sprintf("!!document.querySelector(%q)", offer))
	b.tap(offer)
	b.until("document.querySelectorAll('.box li').length === 3")
	b.until("!document.activeElement.matches('input')") // no screen keyboard over the list
	b.tap(`[data-learn="ring/fox.4"]`)
	b.until("document.querySelector('#dialog h2').textContent === 'Fox, copy 4 of 4'")
}

func TestOnlyATableThatLearnsAsksThoseWhoMayWrite(t *testing.T) {
	tb := newTable(t).begin()
	s := tb.show(newServer(tb.config()))
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until("!!document.body.dataset.seq")
	_ = tb.tap(t.Context(), "red", "04A1B2C3D4E5F6")
	b.until("!!document.querySelector('[data-refused]') && !document.querySelector('[data-act=learn]')")
	tb.mu.Lock()
	tb.tags = map[string]string{}
	tb.mu.Unlock()
	b.open(remotePeers{s}.listen(t) + "/?lang=en")
	b.until("!!document.body.dataset.seq")
	_ = tb.tap(t.Context(), "red", "04A1B2C3D4E5F6")
	b.until("document.getElementById('notes').textContent.includes('You are watching')")
	b.until("!!document.querySelector('[data-refused]') && !document.querySelector('[data-act=learn]')")
	if w := (request{method: "GET", path: "/api/cards?game=ring/test", peer: remotePeer}).send(s); w.Code != 403 {
		t.Errorf("a stranger asks for the cards: %d", w.Code)
	}
}
