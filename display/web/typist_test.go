package web

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// A typist enters cards in the workshop, and counts what a person would do for it.
type typist struct {
	*tab
	did effort
}

// An effort counts the actions of a person at a form.
type effort struct {
	taps  int // on buttons, and on fields that do not have the focus
	keys  int // with those for capitals
	steps int // fields that were filled in, however many taps that took, and buttons
	words int // that were typed
	typed int // fields that were typed in
}

// The keystroke-level model (Card, Moran and Newell, Communications of the ACM 23, 1980,
// p. 396; The Psychology of Human-Computer Interaction, 1983, ch. 8) gives the seconds of
// the actions of somebody who knows the form and makes no mistake. A finger needs no H and
// no button, and types 36.2 words of five characters a minute: Palin et al., "How do People
// Type on Mobile Devices?", MobileHCI 2019, with 37,370 people.
const (
	pointing = 1.1  // P
	button   = 0.2  // of a mouse, which P leaves out
	homing   = 0.4  // H: from the mouse to the keyboard, or back
	thinking = 1.35 // M
	typing   = 0.28 // K of an average typist who is no secretary, 40 words a minute
	thumbing = 60 / (36.2 * 5)
)

// seconds estimates the time of an effort. Somebody who knows the form thinks before each
// field; who sees it for the first time before each tap and each word, and that is an
// assumption of this test: the model has no beginners.
func (e effort) seconds() (phone, firstPhone, desk, firstDesk float64) {
	phone = pointing*float64(e.taps) + thumbing*float64(e.keys)
	desk = (pointing+button)*float64(e.taps) + typing*float64(e.keys) + 2*homing*float64(e.typed)
	known, first := thinking*float64(e.steps), thinking*float64(e.taps+e.words)
	return phone + known, phone + first, desk + known, desk + first
}

func (p *typist) tell(what string, cards int) {
	p.t.Helper()
	phone, firstPhone, desk, firstDesk := p.did.seconds()
	p.t.Logf("%s: %d cards, %d taps, %d keys, %d fields and buttons, %d words; estimated: on a phone %.0f s, the first "+
		"time %.0f s; at a desk %.0f s, the first time %.0f s", what, cards, p.did.taps, p.did.keys, p.did.steps,
		p.did.words, phone, firstPhone, desk, firstDesk)
}

func newTypist(t *testing.T, program, game, lang string, args ...string) (p *typist, url, file string) {
	t.Helper()
	title, _, _ := strings.Cut(game, "/")
	dir := t.TempDir()
	url = startProgram(t, program, append([]string{"--game", game, "--data", dir}, args...)...)
	p = &typist{tab: openTab(t)}
	p.visit(url, title, lang)
	return p, url, filepath.Join(dir, "cards", title+".txt")
}

func (p *typist) visit(url, game, lang string) {
	p.t.Helper()
	p.open(url + "cards?game=" + game + "&lang=" + lang)
	p.until(`document.querySelectorAll(".box-of li").length > 9 && !!document.querySelector("[data-act=add]")`)
}

// card opens a card in the box, after what is open.
func (p *typist) card(about string) {
	p.t.Helper()
	if p.eval(`String(!!document.querySelector("[data-act=close]"))`) == "true" {
		p.press(`[data-act=close]`)
	}
	p.press(fmt.Sprintf(`.box-of [data-open=%s]`, about))
}

func (p *typist) press(selector string) {
	p.t.Helper()
	p.click(selector)
	p.did.taps++
	p.did.steps++
}

// fill types a value into a field, after a tap on it where it does not have the focus.
func (p *typist) fill(field, text string) {
	p.t.Helper()
	selector := fmt.Sprintf(`:is(.field, .ability) [data-field="%s"]:is(input, textarea)`, field)
	p.until(fmt.Sprintf(`!!document.querySelector(%q)`, selector))
	if p.eval(fmt.Sprintf(`String(document.activeElement.matches(%q))`, selector)) != "true" {
		p.did.taps++
	}
	p.eval(fmt.Sprintf(`(on => {
		on.focus();
		on.value = %q;
		on.dispatchEvent(new Event("input", { bubbles: true }));
		return "";
	})(document.querySelector(%q))`, text, selector))
	p.did.typed++
	p.count(text)
}

func (p *typist) count(text string) {
	p.did.steps++
	p.did.words += len(strings.Fields(text))
	for _, r := range text {
		if p.did.keys++; unicode.IsUpper(r) {
			p.did.keys++
		}
	}
}

func (p *typist) choose(field string, values ...string) {
	p.t.Helper()
	p.did.steps++
	for _, value := range values {
		p.click(fmt.Sprintf(`.field [data-field=%q]:is([data-choice=%q], [data-word=%q]):not(.less)`, field, value, value))
		p.did.taps++
	}
}
