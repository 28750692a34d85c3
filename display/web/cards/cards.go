// Package cards serves the pages for cards and their interface: the workshop, the files of owners,
// rehearsals and labels.
package cards

import (
	"io"
	"net/http"

	"tableside/display/web/core"
	"tableside/engine"
)

// A Room holds the pages and the interface for cards: the owner's files, the pages to enter,
// to share and to try cards, and labels.
type Room struct {
	*core.Site
	Files   *Files
	Games   func() []engine.Info
	Cards   func(game string, lang engine.Lang) ([]Card, error)
	LastTag func() (n int, tag, card string)
	Print   func(io.Writer, PrintOrder) (PrintResult, error)
}

func (s *Room) Routes() []core.Route {
	return []core.Route{
		core.Get("/api/cards", core.ToPlay, s.Do(s.cards)),
		core.Post("/api/cards/check", core.ToRead, s.Do(s.checkCards)),
		core.Post("/api/cards/pick", core.ToRead, s.Do(s.pick)),
		core.Post("/api/cards/play", core.ToRead, s.Do(s.rehearse)),
		core.Get("/cards/play", core.ToRead, s.play),
		core.Get("/cards/share", core.ToRead, s.Page("share.html", core.Unframed)),
		core.Get("/api/cards/{file}", core.ToRead, s.Do(s.cardFile)),
		core.Get("/api/cards/{game}/{card}", core.ToRead, s.Do(s.card)),
		core.Put("/api/cards/{game}/{card}", core.ToKeep, s.Do(s.putCard)),
		core.Put("/api/cards/{game}", core.ToKeep, s.Do(s.putCards)),
		core.Post("/api/cards/{game}/merge", core.ToKeep, s.Do(s.mergeCards)),
		core.Get("/api/workshop/history", core.ToRead, s.Do(s.cardHistory)),
		core.Post("/api/workshop/history", core.ToKeep, s.Do(s.restoreCards)),
		core.Get("/cards", core.ToRead, s.Page("workshop.html", s.Framed())),
		core.Get("/api/workshop", core.ToRead, s.Do(s.workshop)),
		core.Get("/api/workshop/tag", core.ToKeep, s.Do(s.lastTag)),
		core.Get("/cards/print", core.ToPlay, s.Do(s.print)),
		core.Get("/cards/labels", core.ToRead, s.Page("labels.html", s.Framed())),
		core.Get("/api/labels", core.ToPlay, s.Do(s.serveLabelForm)),
	}
}

// A Card describes one kind of card in a game's box.
type Card struct {
	Kind   string `json:"card"`
	Name   string `json:"name"`   // its title in the requested language
	Copies int    `json:"copies"` // in the box, numbered from 1
}

// cards serves the list of cards of the requested game. The request needs the right to play,
// because the list comes from the owner's file.
func (s *Room) cards(w http.ResponseWriter, r *http.Request) (any, error) {
	list, err := s.Cards(r.URL.Query().Get("game"), s.LangFor(r))
	if err != nil {
		return nil, core.Failf(http.StatusInternalServerError, "the cards cannot be listed: %s", err)
	}
	return append([]Card{}, list...), nil
}
