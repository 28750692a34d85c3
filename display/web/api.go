package web

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"tableside/engine"
)

type route struct {
	method, path string
	need         need
	handle       http.HandlerFunc
}

// routes returns the whole HTTP interface. Each route names the right that its requests need.
// Inputs and orders need further rights, which mayInput and mayOrder check.
func (s *Server) routes() []route {
	glass := toRead
	if s.config.Token != "" {
		glass = toPlay // an idle panel shows the token as a QR code
	}
	return append(s.pastRoutes(), []route{
		{"GET", "/{$}", toRead, s.page},
		{"GET", "/overlay", toRead, s.overlay},
		{"GET", "/overlay/edit", toRead, s.overlayEdit},
		{"GET", "/tv", toRead, s.tv},
		{"GET", "/setup", toRead, s.setupPage},
		{"GET", "/api/setup", toKeep, s.setupState},
		{"POST", "/api/setup", toKeep, s.setupDo},
		{"GET", "/reader", toRead, s.reader},
		{"GET", "/trust", toRead, s.trust},
		{"GET", "/trust/tableside.crt", toRead, s.authority},
		{"GET", "/assets/{name...}", toRead, s.asset},
		{"GET", "/cards/print", toPlay, s.print},
		{"GET", "/cards/labels", toRead, s.labelsPage},
		{"GET", "/api/labels", toPlay, s.serveLabelForm},
		{"GET", "/manifest.webmanifest", toRead, s.manifest},
		{"GET", "/icon-192.png", toRead, icon(192)},
		{"GET", "/icon-512.png", toRead, icon(512)},
		{"GET", "/api/view", toRead, s.view},
		{"GET", "/api/live", toRead, s.streamLive},
		{"GET", "/api/schema", toRead, s.schema},
		{"GET", "/api/presets.txt", toRead, s.presetFile},
		{"POST", "/api/presets", toKeep, s.changePresets},
		{"GET", "/cards", toRead, s.workshopPage},
		{"GET", "/api/workshop", toRead, s.workshop},
		{"GET", "/api/workshop/tag", toKeep, s.lastTag},
		{"GET", "/api/workshop/history", toRead, s.cardHistory},
		{"POST", "/api/workshop/history", toKeep, s.restoreCards},
		{"GET", "/cards/share", toRead, s.share},
		{"GET", "/api/cards", toPlay, s.cards},
		{"POST", "/api/cards/check", toRead, s.checkCards},
		{"POST", "/api/cards/play", toRead, s.rehearse},
		{"GET", "/cards/play", toRead, s.rehearsalPage},
		{"GET", "/api/cards/{file}", toRead, s.cardFile},
		{"GET", "/api/cards/{game}/{card}", toRead, s.card},
		{"PUT", "/api/cards/{game}/{card}", toKeep, s.putCard},
		{"PUT", "/api/cards/{game}", toKeep, s.putCards},
		{"POST", "/api/cards/{game}/merge", toKeep, s.mergeCards},
		{"GET", "/api/matches", toRead, s.matches},
		{"GET", "/api/piles", toPlay, s.piles},
		{"GET", "/api/texts", toRead, s.serveTexts},
		{"POST", "/api/match", toPlay, s.order},
		{"POST", "/api/show", toKeep, s.show},
		{"POST", "/api/input", toPlay, s.input},
		{"POST", "/api/try", toPlay, s.tryCorrections},
		{"POST", "/api/tap", toPlay, s.tap},
		{"POST", "/api/lift", toPlay, s.lift},
		{"POST", "/api/reader/frame", toPlay, s.frameOf},
		{"POST", "/api/press", toPlay, s.press},
		{"POST", "/api/pick", toPlay, s.pick},
		{"GET", "/panel.png", glass, s.panel},
		{"GET", "/lights.png", toRead, s.picture(s.config.Lights)},
		{"GET", "/join.png", toPlay, s.join},
		{"GET", "/healthz", toRead, s.healthz},
		{"GET", "/metrics", toRead, s.metrics},
	}...)
}

// Handler returns the handler for every route. The methods secure and guard check each request
// first. A request for any other address gets an error in JSON.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	methods := map[string]string{}
	routes := s.routesFunc
	if routes == nil {
		routes = s.routes
	}
	for _, r := range routes() {
		mux.HandleFunc(r.method+" "+r.path, s.require(r.need, r.handle))
		path := strings.TrimSuffix(r.path, "{$}")
		methods[path] = strings.TrimPrefix(methods[path]+", "+r.method, ", ")
	}
	notFound := func(w http.ResponseWriter, r *http.Request) {
		if method := methods[r.URL.Path]; method != "" {
			w.Header().Set("Allow", method)
			s.failf(w, r, http.StatusMethodNotAllowed, "%s takes %s", r.URL.Path, method)
			return
		}
		s.failf(w, r, http.StatusNotFound, "nothing is at this address")
	}
	mux.HandleFunc("/", notFound)
	return s.secure(s.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Clean(r.URL.Path) != r.URL.Path { // the mux would answer with an HTML redirect
			notFound(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})))
}

func (s *Server) view(w http.ResponseWriter, r *http.Request) {
	rights, _ := json.Marshal(s.rightsOf(r))
	w.Header().Set("Tableside-Rights", string(rights)) // the body is the same for everybody
	f, ok := s.currentFrame(langOf(r))
	if !ok {
		s.failf(w, r, http.StatusServiceUnavailable, "the table is still starting")
		return
	}
	f.View.Clock = f.Clock(time.Now())
	reply(w, http.StatusOK, f.View)
}

func (s *Server) schema(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/schema+json")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = io.WriteString(w, Schema)
}

// A matchEntry is one match in the list of matches, with the label of the counter by which its
// seats are compared.
type matchEntry struct {
	engine.MatchInfo
	Label string `json:"label,omitempty"`
}

func (s *Server) matches(w http.ResponseWriter, r *http.Request) {
	matches, lang := []matchEntry{}, s.langFor(r)
	if s.config.Matches != nil {
		list, err := s.config.Matches()
		if err != nil {
			s.failf(w, r, http.StatusInternalServerError, "the matches cannot be listed: %s", s.reason(r, err))
			return
		}
		for _, m := range list {
			matches = append(matches, matchEntry{m, s.counterLabel(m, lang)})
		}
	}
	reply(w, http.StatusOK, matches)
}

// counterLabel returns the word for the counter of an unfinished match. If there is no word,
// it returns the name of the counter. If the match has no counter, it returns "".
func (s *Server) counterLabel(m engine.MatchInfo, lang engine.Lang) string {
	if m.Counter == "" || s.config.Games == nil {
		return m.Counter
	}
	for _, info := range s.config.Games() {
		if key := "counter." + m.Counter; info.Name == m.Game && info.Words.Has(key) {
			return info.Words.Say(lang, engine.Text{Key: key}, nil)
		}
	}
	return m.Counter
}

func (s *Server) journal(w http.ResponseWriter, r *http.Request) {
	if s.config.Journal == nil {
		s.failf(w, r, http.StatusNotFound, "this table keeps no journals")
		return
	}
	match := r.URL.Query().Get("match")
	if match != "" && !s.isListed(match) {
		s.failf(w, r, http.StatusNotFound, "there is no such match")
		return
	}
	data, err := s.config.Journal(match)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.failf(w, r, http.StatusNotFound, "there is no such match")
	case err != nil:
		s.failf(w, r, http.StatusInternalServerError, "the journal cannot be read: %s", s.reason(r, err))
	default:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(data)
	}
}

// isListed reports whether the list of matches has a match with this ID. If the list cannot be
// read, isListed returns false. Because the list holds only the plain files of one folder, a
// request cannot reach any other file by naming it.
func (s *Server) isListed(match string) bool {
	if s.config.Matches == nil {
		return false
	}
	matches, err := s.config.Matches()
	return err == nil && slices.ContainsFunc(matches, func(m engine.MatchInfo) bool { return m.ID == match })
}

// reason returns why a file cannot be used, in the browser's language. The text does not
// contain the file's folder, because clients must not learn where the table keeps its files.
func (s *Server) reason(r *http.Request, err error) string {
	var file *fs.PathError
	var line *engine.SyntaxError
	switch {
	case errors.As(err, &file):
		err = file.Err
	case errors.As(err, &line):
		here := *line
		if here.File != "" {
			here.File = path.Base(here.File)
		}
		return here.Told(s.langFor(r))
	}
	if s.langFor(r) == engine.French {
		if french := frenchErrors()[err.Error()]; french != "" {
			return french
		}
	}
	return engine.ErrorIn(err, s.langFor(r))
}

// matchReason returns the reason why a match cannot be replayed. The caller passes the game of
// the match, or nil.
func (s *Server) matchReason(r *http.Request, err error, game engine.Game) string {
	if _, setup := errors.AsType[*engine.SetupError](err); setup {
		return engine.SayFault(err, game, s.langFor(r))
	}
	return s.reason(r, err)
}

func (s *Server) healthz(w http.ResponseWriter, r *http.Request) {
	f, ok := s.currentFrame("")
	if !ok {
		s.failf(w, r, http.StatusServiceUnavailable, "the table is still starting")
		return
	}
	status := s.redact(f.Status, Rights{})
	reply(w, http.StatusOK, map[string]any{"status": "ok", "keeping": status.Keeping, "parts": status.Health})
}

func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if s.config.Metrics != nil {
		s.config.Metrics(w)
	}
}
