package web

import (
	"bytes"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/tally"
)

// The result of the match and its picture are for everybody; there is none of a
// match that the table does not list.
func TestResult(t *testing.T) {
	f := exampleFrame(2)
	s := newServer(Config{
		Matches: func() ([]engine.MatchInfo, error) { return []engine.MatchInfo{{ID: "old"}}, nil },
		ReadMatch: func(match string) (engine.Game, *engine.Journal, error) {
			if match == "old" {
				return nil, nil, fs.ErrNotExist
			}
			journal, err := engine.ParseJournal("match", []byte(shortMatch))
			return tally.Games()[0], journal, err
		},
	})
	if err := s.Show(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w
	}
	if w := get("/api/result?lang=fr"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"rank":1`) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	w := get("/result.png?lang=fr")
	if img, err := png.Decode(bytes.NewReader(w.Body.Bytes())); err != nil || img.Bounds().Dx() != 1200 {
		t.Errorf("got %d, %v", w.Code, err)
	}
	for _, path := range []string{"/api/result?match=other", "/result.png?match=../x", "/api/result?match=old"} {
		if w := get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", path, w.Code)
		}
	}
}
