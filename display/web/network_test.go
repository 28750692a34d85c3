package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
)

// networked returns a table without simulated hardware, with the reader "left" of blue,
// and its page for a visitor. seen gets what other devices have read.
func networked(t *testing.T, visitor int) (s *Server, seen *[]string) {
	tb := newTable(t)
	tb.begin()
	config := tb.config()
	config.Token, config.OwnerToken, config.AskHere = "s3cret", "own3r", visitor == atHome
	seats := map[string]engine.Seat{"left": "blue", "red": "red", "blue": "blue", "table": "table"}
	seen = &[]string{}
	take := func(verb string) func(context.Context, string, string) engine.Receipt {
		return func(_ context.Context, place, read string) engine.Receipt {
			switch read {
			case "nonsense":
				return engine.Receipt{Outcome: engine.Malformed, Text: engine.T("receipt.no-tag", "tag", read)}
			case "flood":
				return engine.Receipt{Outcome: engine.Failed, Text: engine.T("receipt.flood", "place", place, "n", 20)}
			case "played":
				return engine.Receipt{Outcome: engine.Accepted}
			case "early":
				return engine.Receipt{Outcome: engine.Failed, Text: engine.T("receipt.not-running")}
			}
			*seen = append(*seen, verb+" "+place+" "+read)
			return engine.Receipt{Outcome: engine.Unknown, Text: engine.T("receipt.unknown-tag", "tag", read)}
		}
	}
	config.Simulated = nil
	pressed := func(read string) string { return map[string]string{"04F1": "next"}[read] }
	seatOf := func(place string) (engine.Seat, bool) {
		seat, ok := seats[place]
		return seat, ok
	}
	config.Readers = &Readers{Key: pressed, Tap: take("tap"), Lift: take("lift"), Seat: seatOf}
	return tb.show(newServer(config)), seen
}

// TestTagsFromElsewhere checks who may send a tag to which place of a table with real
// hardware.
func TestTagsFromElsewhere(t *testing.T) {
	for body, answers := range map[string]string{
		"place=red&tag=04A1":                players,
		`{"place":"table","tag":"04A1"}`:    players, // red is asked
		"place=blue&tag=04A1":               tables,
		"place=left&tag=04A1":               tables,   // a reader of blue
		"place=sofa&tag=04A1":               "1nnnn1", // there is no such place
		"place=red&tag=nonsense":            "1bbbb1",
		"place=red&tag=flood":               "1ffff1",
		"place=red&tag=early":               "1uuuu1",
		"place=red&tag=":                    "1bbbb1",
		"place=" + strings.Repeat("r", 999): "1bbbb1",
	} {
		for visitor, mark := range answers {
			for _, path := range []string{"/api/tap", "/api/lift"} {
				s, seen := networked(t, visitor)
				want := map[rune]int{'.': http.StatusAccepted, '1': 401, '3': 403, 'n': 404, 'b': 400, 'f': 429, 'u': 503}[mark]
				w := post(path, body).as(visitor).send(s)
				if w.Code != want || (len(*seen) == 1) != (want == http.StatusAccepted) {
					t.Errorf("%s %s by %s: got %d and %v, want %d: %s", path, body, visitorNames[visitor], w.Code, *seen, want,
						w.Body)
				}
			}
		}
	}
	s, seen := networked(t, holder)
	post("/api/tap", "place=left&tag=04A1").as(holder).send(s)
	post("/api/lift", "place=left&tag=04A1").as(holder).send(s)
	if w := post("/api/tap", "place=left&tag=played").as(holder).send(s); w.Body.String() !=
		`{"outcome":"accepted","text":""}`+"\n" {
		t.Errorf("nothing is wrong, and the answer is %s", w.Body)
	}
	if !slices.Equal(*seen, []string{"tap left 04A1", "lift left 04A1"}) {
		t.Errorf("the table got %q", *seen)
	}
	for text, name := range map[string]string{"key/undo": `"Undo"`, "ring/fox.1": `"Fox"`} {
		w := post("/api/tap", "place=left&tag=tableside:"+text).as(holder).send(s)
		if !strings.Contains(w.Body.String(), `"name":`+name) {
			t.Errorf("%s: the answer is %s", text, w.Body)
		}
	}
	for _, path := range []string{"/api/press", "/api/pick"} {
		if w := post(path, "seat=red&key=plus&place=red/hand&card=fox.1").as(holder).send(s); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// TestTagsOnAnEmptyTable checks that without a match a seat's code may tap an unknown tag, which
// can then be learnt, and no key, which could choose what is played.
func TestTagsOnAnEmptyTable(t *testing.T) {
	s, seen := networked(t, seated)
	s.Show(t.Context(), engine.Frame{Words: engine.CoreWords()})
	for tag, want := range map[string]int{"04A1": http.StatusAccepted, "04F1": http.StatusForbidden} {
		if w := post("/api/tap", "place=red&tag="+tag).as(seated).send(s); w.Code != want {
			t.Errorf("%s: %d, want %d: %s", tag, w.Code, want, w.Body)
		}
	}
	if !slices.Equal(*seen, []string{"tap red 04A1"}) {
		t.Errorf("the table got %q", *seen)
	}
}

// TestFailedReceipts checks the status of a request that the table could not carry out: 503 where
// it is worth another try.
func TestFailedReceipts(t *testing.T) {
	config := newTable(t).begin().config()
	for key, want := range map[string]int{"not-kept": 503, "no-answer": 503, "stopped": 503, "failed": 500,
		"unreadable": 500} {
		config.Order = func(context.Context, engine.Order) engine.Receipt {
			return engine.Receipt{Outcome: engine.Failed, Text: engine.T("receipt." + key)}
		}
		if w := post("/api/match", `{"do":"resume","match":"m"}`).send(newServer(config)); w.Code != want {
			t.Errorf("%s: %d, want %d", key, w.Code, want)
		}
	}
}
