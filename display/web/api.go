package web

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"tableside/display/web/cards"
	"tableside/display/web/core"
	"tableside/display/web/past"
	"tableside/display/web/setup"
	"tableside/engine"
)

// routes returns the whole HTTP interface. Each route names the right that its requests need.
// Inputs and orders need further rights, which MayInput and MayOrder check.
func (s *Server) routes() []core.Route {
	glass := core.ToRead
	if s.config.Token != "" {
		glass = core.ToPlay // an idle panel shows the token as a QR code
	}
	setUp := &setup.Room{Site: s.Site, Setup: s.config.Setup}
	rooms := slices.Concat(s.pastRoutes(), s.past().MatchRoutes(), s.cards().Routes(), setUp.Routes(), s.TrustRoutes())
	return slices.Concat(rooms, []core.Route{
		core.Get("/{$}", core.ToRead, s.Page("table.html", s.Framed())),
		core.Get("/overlay", core.ToRead, s.Page("overlay.html", core.OverlayPolicy)),
		core.Get("/overlay/edit", core.ToRead, s.Page("overlay-edit.html", s.EditorPolicy())),
		core.Get("/tv", core.ToRead, s.Page("tv.html", core.Policy)),
		core.Get("/reader", core.ToRead, s.reader),
		core.Get("/assets/{name...}", core.ToRead, s.Asset),
		core.Get("/manifest.webmanifest", core.ToRead, s.Do(s.manifest)),
		core.Get("/icon-192.png", core.ToRead, s.icon("icon-192.png")),
		core.Get("/icon-512.png", core.ToRead, s.icon("icon-512.png")),
		core.Get("/api/view", core.ToRead, s.Do(s.view)),
		core.Get("/api/live", core.ToRead, s.streamLive),
		core.Get("/api/schema", core.ToRead, s.Do(s.schema)),
		core.Post("/api/match", core.ToPlay, s.Do(s.order)),
		core.Post("/api/input", core.ToPlay, s.Do(s.input)),
		core.Post("/api/tap", core.ToPlay, s.Do(s.simulate(engine.Tap, "place", "tag"))),
		core.Post("/api/lift", core.ToPlay, s.Do(s.simulate(engine.Lift, "place", "tag"))),
		core.Post("/api/reader/frame", core.ToPlay, s.Do(s.frameOf)),
		core.Post("/api/press", core.ToPlay, s.Do(s.simulate(engine.Key, "seat", "key"))),
		core.Post("/api/pick", core.ToPlay, s.Do(s.simulate(engine.Choose, "place", "card"))),
		core.Get("/panel.png", glass, s.Do(s.panel)),
		core.Get("/lights.png", core.ToRead, s.Do(picture(s.config.Lights))),
		core.Get("/join.png", core.ToPlay, s.Do(s.join)),
		core.Get("/healthz", core.ToRead, s.Do(s.healthz)),
		core.Get("/metrics", core.ToRead, s.metrics),
		core.Post("/api/try", core.ToPlay, s.Do(s.tryCorrections)),
		core.Get("/api/presets.txt", core.ToRead, s.Do(s.presetFile)),
		core.Post("/api/presets", core.ToKeep, s.Do(s.changePresets)),
	},
		s.OrNone(s.config.Simulated != nil, core.Missing("this table has real hardware: it does not know the hidden cards"),
			core.Get("/api/piles", core.ToPlay, s.Do(s.piles)), core.Get("/api/hint", core.ToPlay, s.Do(s.hint))),
		s.OrNone(s.config.Simulated != nil, core.Missing("this table has real hardware: its players read the cards"),
			core.Get("/api/texts", core.ToRead, s.Do(s.serveTexts))),
		s.OrNone(s.config.Show != nil, core.Missing("this table has no match that plays itself"),
			core.Post("/api/show", core.ToKeep, s.Do(s.show))))
}

// pastRoutes returns the routes for what was played. A table has them, and so has a hall.
func (s *Server) pastRoutes() []core.Route {
	return append(s.past().Routes(), core.Get("/api/rights", core.ToRead, s.Do(s.rights)),
		core.Get("/api/games", core.ToRead, s.Do(s.games)))
}

func (s *Server) past() *past.Room {
	return &past.Room{Site: s.Site, Games: s.config.Games, Matches: s.config.Matches, Journal: s.config.Journal,
		ReadMatch: s.config.ReadMatch, History: s.config.History, Chances: s.config.Chances}
}

// rights serves the browser's Rights as JSON, and says whether the server belongs to a hall.
func (s *Server) rights(_ http.ResponseWriter, r *http.Request) (any, error) {
	return struct {
		core.Rights
		Hall bool `json:"hall"`
		Past bool `json:"past"` // whether it keeps matches
	}{s.RightsOf(r), s.routesFunc != nil, s.config.History != nil}, nil
}

func (s *Server) cards() *cards.Room {
	return &cards.Room{Site: s.Site, Files: s.config.Files, Cards: s.config.Cards, Games: s.config.Games,
		LastTag: s.config.LastTag, Print: s.config.Print}
}

// Handler returns the handler for every route.
func (s *Server) Handler() http.Handler {
	if s.routesFunc != nil {
		return s.ServeRoutes(s.routesFunc())
	}
	return s.ServeRoutes(s.routes())
}

func (s *Server) icon(file string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { s.SendFile(w, r, file) }
}

func (s *Server) view(w http.ResponseWriter, r *http.Request) (any, error) {
	rights, _ := json.Marshal(s.RightsOf(r))
	w.Header().Set("Tableside-Rights", string(rights)) // the body is the same for everybody
	f, ok := s.currentFrame(core.LangOf(r))
	if !ok {
		return nil, errStarting
	}
	f.View.Clock = f.Clock(time.Now())
	return f.View, nil
}

var errStarting = core.Failf(http.StatusServiceUnavailable, "the table is still starting")

func (s *Server) schema(w http.ResponseWriter, _ *http.Request) (any, error) {
	w.Header().Set("Cache-Control", "no-cache")
	return core.Document{Kind: "application/schema+json", Data: []byte(Schema)}, nil
}

func (s *Server) healthz(http.ResponseWriter, *http.Request) (any, error) {
	f, ok := s.currentFrame("")
	if !ok {
		return nil, errStarting
	}
	status := s.redact(f.Status, core.Rights{})
	return map[string]any{"status": "ok", "keeping": status.Keeping, "parts": status.Health}, nil
}

func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	s.config.Metrics(w)
}
