package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestPrint checks what reaches the printer of labels, and its answers.
func TestPrint(t *testing.T) {
	_, s := guarded(t, here, true)
	w := get("/cards/print?lang=fr&size=sticker&paper=letter&set=a&missing=1").as(here).send(s)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/pdf" ||
		w.Header().Get("Content-Disposition") != `inline; filename="ring-test-labels.pdf"` ||
		w.Body.String() != "%PDF {Game:ring/test Set:a Size:sticker Paper:letter Missing:true Lang:fr}" {
		t.Errorf("%d, %v: %s", w.Code, w.Header(), w.Body)
	}
	w = get("/cards/print?game=ring/test&size=banana").as(here).send(s)
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "no such size") {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}
