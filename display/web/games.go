package web

import (
	"encoding/json"
	"net/http"
	"slices"

	"tableside/display/web/core"
	"tableside/engine"
)

func (s *Server) games(w http.ResponseWriter, r *http.Request) (any, error) {
	lang := s.LangFor(r)
	games, kept := []core.Game{}, s.keptPresets()
	for _, info := range s.config.Games() {
		g := core.Describe(info, lang)
		g.Show = s.config.Show != nil && slices.Contains(s.config.Show.Games, engine.Title(info.Name))
		g.Presets = presetsOf(info, kept, lang)
		games = append(games, g)
	}
	data, err := json.Marshal(games)
	return core.Long(data), err
}
