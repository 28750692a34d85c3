package past

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"tableside/display/panel"
	"tableside/display/web/core"
	"tableside/engine"
)

// Sizes of the picture of a moment and of the animation of a match, in pixels.
var (
	MomentSize    = image.Pt(800, 480)
	animationSize = image.Pt(480, 280)
)

const (
	maxScenes     = 60  // of an animation
	sceneTime     = 90  // of each, in hundredths of a second
	lastSceneTime = 500 // in hundredths of a second, too
)

func (s *Room) replay(w http.ResponseWriter, r *http.Request) (any, error) {
	data, err := s.recording(w, r, r.URL.Query().Get("match"))
	return core.Long(data), err
}

// foldMatch reads a match, and returns what the given function makes of it. If the journal is
// damaged, the function gets what is before the damage, and the damage. The text failed is for an
// error, whose reason replaces its %s. Requests with the same match and kind share what the
// function returns.
func (s *Room) foldMatch(w http.ResponseWriter, r *http.Request, match, kind, failed string,
	work func(game engine.Game, j *engine.Journal, damage error) (any, error)) (any, error) {
	return s.FoldShared(w, r, kind+" "+match, func() (answer any, err error) {
		game, journal, err := s.played(match)
		if game == nil || journal == nil {
			err = cmp.Or(err, fs.ErrNotExist)
		} else {
			answer, err = work(game, journal, err)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, errNoMatch
		case err != nil:
			return nil, core.Failf(http.StatusConflict, failed, matchReason(err, game))
		}
		return answer, nil
	})
}

const notReplayed = "the match cannot be replayed: %s"

// shorten leaves out the inputs beyond MaxReplay, and reports whether there are any.
func shorten(j *engine.Journal) bool {
	long := len(j.Lines) > MaxReplay
	j.Lines = j.Lines[:min(len(j.Lines), MaxReplay)]
	return long
}

// recording returns the JSON of a match.
func (s *Room) recording(w http.ResponseWriter, r *http.Request, match string) ([]byte, error) {
	lang, animated := s.LangFor(r), s.RightsOf(r).Grants(core.ToPlay)
	data, err := s.foldMatch(w, r, match, fmt.Sprint("replay ", lang, animated), notReplayed,
		func(game engine.Game, j *engine.Journal, damage error) (any, error) {
			recording, err := Record(game, j, lang, s.FoldTime)
			if err != nil {
				return nil, err
			}
			recording.Stopped = recording.Stopped || damage != nil
			recording.Match = cmp.Or(engine.Null(match), recording.Match) // a hall has its own names
			recording.Animated = animated
			recording.Post = s.post(recording.Result, match, lang)
			return json.Marshal(recording)
		})
	text, _ := data.([]byte)
	return text, err
}

// replayPage returns a page that replays a match in any browser, without a server. The caller
// sets damaged if the match continued after the last line of the journal. If the match is too
// long to be shown, replayPage shortens the caller's journal.
func ReplayPage(files *core.Assets, game engine.Game, j *engine.Journal, damaged bool,
	lang engine.Lang) ([]byte, error) {
	recording, err := Record(game, j, lang, 0)
	if err != nil {
		return nil, err
	}
	recording.Stopped = recording.Stopped || damaged
	data, err := json.Marshal(recording) // no "<" in it ends the script element around it
	if err != nil {
		return nil, err
	}
	return files.SinglePage("replay.html", data), nil
}

// match serves /matches/<id>, the page that replays a match. It also serves the match in other
// forms. The path <id>.html is the page in one file. The path <id>.png?n=12 is a picture of
// the moment after input 12. The path <id>.gif is an animation, which needs the right to play.
func (s *Room) match(w http.ResponseWriter, r *http.Request) {
	kind := path.Ext(r.PathValue("file"))
	switch kind {
	case "":
		if match := matchOf(r); match != "current" && !r.URL.Query().Has("token") && !s.isListed(match) {
			s.Fail(w, r, errNoMatch)
			return
		}
		s.Page("replay.html", s.Framed())(w, r)
	case ".html":
		s.Do(s.portablePage)(w, r)
	case ".png":
		s.Do(s.moment)(w, r)
	case ".gif": // takes seconds
		s.Require(core.ToPlay, s.Do(s.animation))(w, r)
	default:
		s.Fail(w, r, core.Missing("a match has .html, .png and .gif"))
	}
}

func matchOf(r *http.Request) string {
	file := r.PathValue("file")
	return strings.TrimSuffix(file, path.Ext(file))
}

func (s *Room) portablePage(w http.ResponseWriter, r *http.Request) (any, error) {
	data, err := s.recording(w, r, matchOf(r))
	if err != nil {
		return nil, err
	}
	page := s.Assets.SinglePage("replay.html", data)
	return core.Document{Kind: core.KindOf(".html"), Name: r.PathValue("file"), Data: page}, nil
}

// errEnough ends a replay before the journal's end.
var errEnough = errors.New("enough")

// ReplayFrames replays a match. It calls the given function before the first input and after
// every input. It passes to it the number of inputs so far, the number of all inputs that can be
// replayed, and another function that makes the frame. The replay ends when the given function
// returns false, or when an input cannot be replayed. If the match cannot begin, or if replaying
// it takes longer than the limit, ReplayFrames returns an error.
func ReplayFrames(game engine.Game, j *engine.Journal, lang engine.Lang, limit time.Duration,
	show func(n, all int, f func() engine.Frame) bool) error {
	shorten(j)
	last, err := engine.Replay(game, j, core.LimitTime(limit), nil) // the next replay takes about as long
	if last == nil || errors.Is(err, core.ErrTooLong) {
		return err
	}
	first, err := engine.NewMatch(game, j.Setup)
	if err != nil {
		return err
	}
	words, all := last.Words(), last.Seq()
	frame := func(m *engine.Match, events []engine.Event) func() engine.Frame {
		return func() engine.Frame {
			v := words.SpeakView(lang, m.View())
			return engine.Frame{View: v, Events: words.SpeakEvents(lang, slices.Clone(events), v.Names()),
				Words: words, Lang: lang, Status: engine.Status{Cursor: -1, Keeping: true}, Course: m.FinalCourse()}
		}
	}
	if !show(0, all, frame(first, nil)) {
		return nil
	}
	_, _ = engine.Replay(game, j, nil, func(m *engine.Match, step engine.Step) error {
		if !show(m.Seq(), all, frame(m, step.Events)) {
			return errEnough
		}
		return nil
	})
	return nil
}

// moment serves a picture of a match after input n, as a large panel shows it. Without n, the
// picture shows the end of the match.
func (s *Room) moment(w http.ResponseWriter, r *http.Request) (any, error) {
	n := MaxReplay
	if text := r.URL.Query().Get("n"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 0 {
			return nil, core.Failf(http.StatusBadRequest, "n is the number of an input, as in n=120")
		}
	}
	lang := s.LangFor(r)
	kind := fmt.Sprint("moment ", lang, n)
	return s.foldMatch(w, r, matchOf(r), kind, notReplayed, func(game engine.Game, j *engine.Journal, _ error) (any, error) {
		var shown engine.Frame
		err := ReplayFrames(game, j, lang, s.FoldTime, func(at, all int, f func() engine.Frame) bool {
			if at == min(n, all) {
				shown = f()
			}
			return at < min(n, all)
		})
		if err != nil {
			return nil, err
		}
		return core.AsPNG(panel.NewPainter().Draw(shown, MomentSize))
	})
}

// animation serves a match as a GIF, with a scene for each input. A match with more than
// maxScenes inputs gets only about maxScenes scenes, evenly spaced.
func (s *Room) animation(w http.ResponseWriter, r *http.Request) (any, error) {
	lang := s.LangFor(r)
	kind := fmt.Sprint("animation ", lang)
	return s.foldMatch(w, r, matchOf(r), kind, notReplayed, func(game engine.Game, j *engine.Journal, _ error) (any, error) {
		painter, film := panel.NewPainter(), &gif.GIF{Config: image.Config{
			ColorModel: panel.Paper, Width: animationSize.X, Height: animationSize.Y}}
		shown := -1
		err := ReplayFrames(game, j, lang, s.FoldTime, func(n, all int, f func() engine.Frame) bool {
			if scene := n * maxScenes / max(all, maxScenes); scene > shown || n == all {
				shown = scene
				film.Image = append(film.Image, painter.Draw(f(), animationSize))
				film.Delay = append(film.Delay, sceneTime)
			}
			return n < all
		})
		if err != nil {
			return nil, err
		}
		film.Delay[len(film.Delay)-1] = lastSceneTime
		var b bytes.Buffer
		err = gif.EncodeAll(&b, film)
		return core.Document{Kind: "image/gif", Name: r.PathValue("file"), Data: b.Bytes()}, err
	})
}
