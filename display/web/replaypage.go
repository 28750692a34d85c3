package web

import (
	"bytes"
	"cmp"
	"errors"
	"image"
	"image/gif"
	"image/png"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"tableside/display/panel"
	"tableside/engine"
)

// Sizes of the picture of a moment and of the animation of a match, in pixels.
var (
	momentSize    = image.Pt(800, 480)
	animationSize = image.Pt(480, 280)
)

const (
	maxScenes     = 60  // of an animation
	sceneTime     = 90  // of each, in hundredths of a second
	lastSceneTime = 500 // in hundredths of a second, too
)

// replay serves a match as JSON, moment by moment.
func (s *Server) replay(w http.ResponseWriter, r *http.Request) {
	if data, ok := s.recording(w, r, r.URL.Query().Get("match")); ok {
		replyPacked(w, r, data)
	}
}

// foldMatch reads a match and passes it to the given function. It leaves out the inputs after
// a damaged place, and the inputs beyond maxReplay. The argument stopped tells the function
// whether inputs were left out. If the match cannot be read, or if the function fails,
// foldMatch writes an error response and returns false.
func (s *Server) foldMatch(w http.ResponseWriter, r *http.Request, match string,
	work func(game engine.Game, j *engine.Journal, stopped bool) error) bool {
	var err error
	var game engine.Game
	asked := s.fold(w, r, func() {
		var journal *engine.Journal
		var damage error
		game, journal, damage = s.played(match)
		if game == nil || journal == nil {
			if err = damage; err == nil {
				err = fs.ErrNotExist
			}
			return
		}
		long := shorten(journal)
		err = work(game, journal, long || damage != nil)
	})
	switch {
	case !asked:
		return false
	case errors.Is(err, fs.ErrNotExist):
		s.failf(w, r, http.StatusNotFound, "there is no such match")
	case err != nil:
		s.failf(w, r, http.StatusConflict, "the match cannot be replayed: %s", s.matchReason(r, err, game))
	}
	return err == nil
}

// shorten cuts a journal that is too long to be shown, and reports whether it was too long.
func shorten(j *engine.Journal) bool {
	long := len(j.Lines) > maxReplay
	j.Lines = j.Lines[:min(len(j.Lines), maxReplay)]
	return long
}

// recording returns the JSON of a match. If it cannot, it writes an error response and
// returns false.
func (s *Server) recording(w http.ResponseWriter, r *http.Request, match string) (data []byte, ok bool) {
	ok = s.foldMatch(w, r, match, func(game engine.Game, j *engine.Journal, stopped bool) error {
		recording, err := record(game, j, s.langFor(r))
		if err != nil {
			return err
		}
		recording.Stopped = recording.Stopped || stopped
		recording.Match = cmp.Or(engine.Null(match), recording.Match) // a hall has its own names
		recording.Animated = s.rightsOf(r).grants(toPlay)
		data, err = recording.json()
		return err
	})
	return data, ok
}

// ReplayPage returns a page that replays a match in any browser, without a server. The caller
// sets damaged if the match continued after the last line of the journal. If the match is too
// long to be shown, ReplayPage shortens the caller's journal.
func ReplayPage(game engine.Game, j *engine.Journal, damaged bool, lang engine.Lang) ([]byte, error) {
	long := shorten(j)
	recording, err := record(game, j, lang)
	if err != nil {
		return nil, err
	}
	recording.Stopped = recording.Stopped || damaged || long
	data, err := recording.json()
	if err != nil {
		return nil, err
	}
	return sharedAssets().singlePage("replay.html", data), nil
}

// match serves /matches/<id>, the page that replays a match. It also serves the match in other
// forms. The path <id>.html is the page in one file. The path <id>.png?n=12 is a picture of
// the moment after input 12. The path <id>.gif is an animation, which needs the right to play.
func (s *Server) match(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("file")
	kind := path.Ext(id)
	id = strings.TrimSuffix(id, kind)
	switch kind {
	case "":
		w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'self'")
		s.serve(w, r, "replay.html")
	case ".html":
		if data, ok := s.recording(w, r, id); ok {
			s.download(w, id+kind, "text/html; charset=utf-8", s.assets.singlePage("replay.html", data))
		}
	case ".png":
		s.moment(w, r, id)
	case ".gif": // takes seconds
		s.require(toPlay, func(w http.ResponseWriter, r *http.Request) { s.animation(w, r, id) })(w, r)
	default:
		s.failf(w, r, http.StatusNotFound, "a match has .html, .png and .gif")
	}
}

func (s *Server) download(w http.ResponseWriter, name, kind string, data []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(data)
}

// errEnough ends a replay before the journal's end.
var errEnough = errors.New("enough")

// replayFrames replays a match. It calls the given function before the first input and after
// every input, and passes to it the number of inputs so far, and another function that makes
// the frame. The replay ends when the given function returns false, or when an input cannot be
// replayed. If the match cannot begin, replayFrames returns an error.
func replayFrames(game engine.Game, j *engine.Journal, lang engine.Lang,
	show func(n int, f func() engine.Frame) bool) error {
	first, err := engine.NewMatch(game, j.Setup)
	if err != nil {
		return err
	}
	last, _ := engine.Replay(game, j, nil)
	words := last.Words()
	frame := func(m *engine.Match, events []engine.Event) func() engine.Frame {
		return func() engine.Frame {
			v := words.SpeakView(lang, m.View())
			return engine.Frame{View: v, Events: words.SpeakEvents(lang, slices.Clone(events), v.Names()),
				Words: words, Lang: lang, Status: engine.Status{Cursor: -1, Keeping: true}, Course: m.FinalCourse()}
		}
	}
	more := show(0, frame(first, nil))
	_, _ = engine.Replay(game, j, func(m *engine.Match, step engine.Step) error {
		if more = more && show(m.Seq(), frame(m, step.Events)); !more {
			return errEnough
		}
		return nil
	})
	return nil
}

// moment serves a picture of a match after input n, as a large panel shows it. Without n, the
// picture shows the end of the match.
func (s *Server) moment(w http.ResponseWriter, r *http.Request, id string) {
	n := maxReplay
	if text := r.URL.Query().Get("n"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 0 {
			s.failf(w, r, http.StatusBadRequest, "n is the number of an input, as in n=120")
			return
		}
	}
	var b bytes.Buffer
	ok := s.foldMatch(w, r, id, func(game engine.Game, j *engine.Journal, _ bool) error {
		var shown engine.Frame
		inputs := inputsOf(game, j)
		err := replayFrames(game, j, s.langFor(r), func(at int, f func() engine.Frame) bool {
			if at == min(n, inputs) {
				shown = f()
			}
			return at < min(n, inputs)
		})
		if err != nil {
			return err
		}
		return png.Encode(&b, panel.NewPainter().Draw(shown, momentSize))
	})
	if ok {
		w.Header().Set("Content-Type", "image/png")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(b.Bytes())
	}
}

// inputsOf returns how many inputs of a journal can be replayed.
func inputsOf(game engine.Game, j *engine.Journal) int {
	m, _ := engine.Replay(game, j, nil)
	if m == nil {
		return 0
	}
	return m.Seq()
}

// animation serves a match as a GIF, with a scene for each input. A match with more than
// maxScenes inputs gets only about maxScenes scenes, evenly spaced.
func (s *Server) animation(w http.ResponseWriter, r *http.Request, id string) {
	var b bytes.Buffer
	ok := s.foldMatch(w, r, id, func(game engine.Game, j *engine.Journal, _ bool) error {
		inputs := inputsOf(game, j)
		painter, film := panel.NewPainter(), &gif.GIF{Config: image.Config{
			ColorModel: panel.Paper, Width: animationSize.X, Height: animationSize.Y}}
		shown := -1
		err := replayFrames(game, j, s.langFor(r), func(n int, f func() engine.Frame) bool {
			if scene := n * maxScenes / max(inputs, maxScenes); scene > shown || n == inputs {
				shown = scene
				film.Image = append(film.Image, painter.Draw(f(), animationSize))
				film.Delay = append(film.Delay, sceneTime)
			}
			return n < inputs
		})
		if err != nil {
			return err
		}
		film.Delay[len(film.Delay)-1] = lastSceneTime
		return gif.EncodeAll(&b, film)
	})
	if ok {
		s.download(w, id+".gif", "image/gif", b.Bytes())
	}
}
