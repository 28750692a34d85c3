package web

import (
	"net/http"

	"tableside/display/web/core"
)

func (s *Server) games(w http.ResponseWriter, r *http.Request) (any, error) {
	lang := s.LangFor(r)
	games, kept := []core.Game{}, s.keptPresets()
	for _, info := range s.config.Games() {
		g := core.Describe(info, lang)
		g.Presets = presetsOf(info, kept, lang)
		games = append(games, g)
	}
	return games, nil
}
