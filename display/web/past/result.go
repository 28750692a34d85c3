package past

import (
	"cmp"
	"io/fs"
	"net/http"

	"tableside/display/poster"
	"tableside/display/web/core"
	"tableside/engine"
)

func (s *Room) result(w http.ResponseWriter, r *http.Request) (any, error) {
	return s.summarise(w, r, "result", func(result engine.Result) (any, error) {
		return posted{result, s.post(result, r.URL.Query().Get("match"), s.LangFor(r))}, nil
	})
}

// A posted result has a link that hands it over to Board Game Stats, once the match is over.
type posted struct {
	engine.Result
	Post string `json:"post,omitempty"`
}

func (s *Room) post(result engine.Result, match string, lang engine.Lang) string {
	if s.History == nil || s.History.Post == nil || !result.Over {
		return ""
	}
	return s.History.Post(cmp.Or(match, string(result.Match)), lang)
}

// resultPicture serves the picture of a result.
func (s *Room) resultPicture(w http.ResponseWriter, r *http.Request) (any, error) {
	return s.summarise(w, r, "picture", func(result engine.Result) (any, error) {
		result.Begin = result.Begin.Local()
		return core.AsPNG(poster.Draw(result, s.LangFor(r)))
	})
}

// summarise passes the result of the requested match to the given function, and returns what the
// function returns. Requests for the same kind of answer share it.
func (s *Room) summarise(w http.ResponseWriter, r *http.Request, kind string,
	answer func(engine.Result) (any, error)) (any, error) {
	lang := s.LangFor(r)
	return s.foldMatch(w, r, r.URL.Query().Get("match"), kind+" "+string(lang), "the match cannot be summed up: %s",
		func(game engine.Game, j *engine.Journal, damage error) (any, error) {
			if damage != nil {
				return nil, damage
			}
			result, err := engine.Summarise(game, j, lang, core.LimitTime(s.FoldTime))
			if err != nil {
				return nil, err
			}
			return answer(result)
		})
}

func (s *Room) played(match string) (engine.Game, *engine.Journal, error) {
	if match != "" && !s.isListed(match) {
		return nil, nil, fs.ErrNotExist
	}
	return s.ReadMatch(match)
}
