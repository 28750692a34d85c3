package web

import (
	"bytes"
	"errors"
	"image/png"
	"io/fs"
	"net/http"
	"sync"

	"tableside/display/poster"
	"tableside/engine"
)

// A resultCache holds the newest picture of a result. If somebody shares the picture, many
// browsers request it.
type resultCache struct {
	mu  sync.Mutex
	key resultKey
	png []byte
}

// kept returns the cached picture if it has this key, and otherwise nil.
func (k *resultCache) kept(key resultKey) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	if key != k.key {
		return nil
	}
	return k.png
}

func (k *resultCache) keep(key resultKey, png []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.key, k.png = key, png
}

// A resultKey identifies a picture of a match at some moment. The hash of the match's view
// identifies the moment. The number of the last input would not be enough: if that input is
// undone, the next input gets the same number.
type resultKey struct {
	match engine.Null
	view  string // the hash of the view
	lang  engine.Lang
}

// result sums up a match as JSON.
func (s *Server) result(w http.ResponseWriter, r *http.Request) {
	if result, ok := s.summarise(w, r); ok {
		reply(w, http.StatusOK, result.In(s.langFor(r)))
	}
}

// resultPicture serves the picture of a result.
func (s *Server) resultPicture(w http.ResponseWriter, r *http.Request) {
	f, _ := s.currentFrame("")
	match := r.URL.Query().Get("match")
	key := resultKey{f.View.Match, f.View.Hash(), s.langFor(r)}
	current := key.match != "" && (match == "" || engine.Null(match) == key.match)
	data := s.results.kept(key)
	if !current || data == nil {
		result, ok := s.summarise(w, r)
		if !ok {
			return
		}
		result.Begin = result.Begin.Local()
		var b bytes.Buffer
		if err := png.Encode(&b, poster.Draw(result, key.lang)); err != nil {
			s.failf(w, r, http.StatusInternalServerError, "the picture cannot be written")
			return
		}
		if data = b.Bytes(); current {
			s.results.keep(key, data)
		}
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(data)
}

// summarise returns the result of the requested match. If it cannot, it writes an
// error response and returns false.
func (s *Server) summarise(w http.ResponseWriter, r *http.Request) (engine.Result, bool) {
	var result engine.Result
	var err error
	var game engine.Game
	asked := s.fold(w, r, func() {
		var journal *engine.Journal
		if game, journal, err = s.played(r.URL.Query().Get("match")); err == nil {
			result, err = engine.Summarise(game, journal)
		}
	})
	switch {
	case !asked:
		return result, false
	case errors.Is(err, fs.ErrNotExist):
		s.failf(w, r, http.StatusNotFound, "there is no such match")
	case err != nil:
		s.failf(w, r, http.StatusConflict, "the match cannot be summed up: %s", s.matchReason(r, err, game))
	}
	return result, err == nil
}

// played returns the game and the journal of a match in the list. If match is "", it returns
// those of the current match. If there is no such match, it returns fs.ErrNotExist.
func (s *Server) played(match string) (engine.Game, *engine.Journal, error) {
	if s.config.ReadMatch == nil || match != "" && !s.isListed(match) {
		return nil, nil, fs.ErrNotExist
	}
	return s.config.ReadMatch(match)
}
