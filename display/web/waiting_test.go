package web

import "testing"

// Before a match continues, the page says who plays it, how it stands, and when it
// was played.
func TestWaitingMatchIsShown(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, waiting(t).Server, "127.0.0.1:0")
	b.open(url + "/?lang=fr")
	b.until(`!!document.querySelector(".waiting b")`)
	got := b.eval(`[...document.querySelectorAll(".waiting :is(li, .facts)")].map(
		e => e.innerText.replace(/\s:.*/, "").replaceAll(/\s+/g, " ")).join("; ")`)
	if want := "Alice 7 points; Max 4 points; Manche 3 · 49 coups · dernier coup"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
