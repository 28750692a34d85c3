package web

import (
	"net/http"
	"slices"
	"time"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// A Workshop is the content of the page /cards. It holds the cards in the box of a game, and
// the forms in which players enter these cards.
type Workshop struct {
	Game  string         `json:"game"`
	Title string         `json:"title"`
	Games []value        `json:"games"` // the games with cards
	Forms []WorkshopForm `json:"forms"`
	Cards []WorkshopCard `json:"cards"`
	Known int            `json:"known"` // how many of the cards are known
	Of    int            `json:"of"`
	Tag   string         `json:"tag"` // the ETag of a card without lines
}

// A WorkshopForm is a form in which the owner fills in lines of a card file. It is for the
// lines that begin with the text in the field Line.
type WorkshopForm struct {
	Line  string        `json:"line"`
	Title string        `json:"title"`
	Rows  []WorkshopRow `json:"rows"`
}

// A WorkshopRow is a field of a form, with its words in the page's language.
type WorkshopRow struct {
	cardfile.Row
	Title    string   `json:"title"`
	Words    []value  `json:"words,omitempty"`
	Others   []value  `json:"others,omitempty"`
	Per      []value  `json:"per,omitempty"`
	Examples []string `json:"examples,omitempty"`
}

// A WorkshopCard is a card, or something else that has a form, such as the board.
type WorkshopCard struct {
	Line  string `json:"line"`
	ID    string `json:"id"`    // "" if there is only one such thing
	About string `json:"about"` // the name by which its lines are read and replaced
	Name  string `json:"name"`
	State string `json:"state"` // known, yours, stand-in or missing
	Set   string `json:"set,omitempty"`

	Copies int      `json:"copies"`
	Taught int      `json:"taught"` // copies with a tag
	Next   string   `json:"next"`   // copy to teach next, as "mutants/zombie.2"; "" if none is left
	Gaps   []string `json:"gaps"`
	Says   []string `json:"says"` // what it is and does

	Box     map[string]string  `json:"box"`      // known values
	StandIn map[string]string  `json:"stand_in"` // made-up values
	Own     []cardfile.OwnLine `json:"own"`
	Tag     string             `json:"tag"` // the ETag of the owner's lines
}

// A CardVersion is an old version of an owner's file.
type CardVersion struct {
	N    int
	Text string
	Time time.Time // when it was replaced
}

// TitledValue returns a value together with its title for people. Other packages need this
// function because the type value is not exported.
func TitledValue(name, title string) value { return value{name, title} }

// workshopPage serves the page of the owner's cards.
func (s *Server) workshopPage(w http.ResponseWriter, r *http.Request) {
	if s.config.Files == nil || s.config.Files.Workshop == nil {
		s.failf(w, r, http.StatusNotFound, "this table keeps no card files")
		return
	}
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'self'")
	s.serve(w, r, "workshop.html")
}

// workshop serves the cards of a game. If the request names no game, it serves the cards of
// the game that is being played. If the game has no cards, the response lists only the games.
// Listing the cards takes a while, and everybody may ask for the list, so each request waits
// for its turn.
func (s *Server) workshop(w http.ResponseWriter, r *http.Request) {
	if s.config.Files == nil || s.config.Files.Workshop == nil {
		s.failf(w, r, http.StatusNotFound, "this table keeps no card files")
		return
	}
	lang := s.langFor(r)
	game := r.URL.Query().Get("game")
	if f, _ := s.currentFrame(""); game == "" {
		game = engine.Title(string(f.View.Game))
	}
	shown := Workshop{Forms: []WorkshopForm{}, Cards: []WorkshopCard{}}
	if s.config.Files.Owners(game) != nil {
		text, err := s.config.Files.Text(game)
		if err == nil {
			if !s.fold(w, r, func() { shown, err = s.config.Files.Workshop(game, text, lang) }) {
				return
			}
		}
		if err != nil {
			fail(w, http.StatusInternalServerError, s.reason(r, err))
			return
		}
		for i := range shown.Cards {
			c := &shown.Cards[i]
			c.Tag = cardLines{cardfile.About(text, c.About)}.tag()
		}
	}
	for _, info := range s.config.Games() {
		g := describe(info, lang)
		named := value{engine.Title(g.Name), g.Title}
		if len(info.Cards) > 0 && !slices.Contains(shown.Games, named) && s.config.Files.Owners(named.Value) != nil {
			shown.Games = append(shown.Games, named)
		}
	}
	shown.Tag = cardLines{}.tag()
	reply(w, http.StatusOK, shown)
}

// lastTag tells the owner which tag was laid down last. Until an input is accepted,
// nobody else may know.
func (s *Server) lastTag(w http.ResponseWriter, r *http.Request) {
	if s.config.LastTag == nil {
		s.failf(w, r, http.StatusNotFound, "this table has no readers")
		return
	}
	n, tag, card := s.config.LastTag()
	reply(w, http.StatusOK, map[string]any{"n": n, "tag": tag, "card": card})
}

// maxVersions is the greatest number of old versions that the page lists for a file.
const maxVersions = 50

// A cardVersion is an old version of a file, and the change that followed it.
type cardVersion struct {
	N       int          `json:"n"`             // 0 for no file
	Time    time.Time    `json:"time,omitzero"` // of that change
	Changes []cardChange `json:"changes"`
}

// A cardChange holds the lines about one card that were added and removed in a change of the
// file.
type cardChange struct {
	Card    string   `json:"card"`
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
}

// cardHistory lists the old versions of a card file, the newest first. It lists at most
// maxVersions versions. Each version comes with the lines that the next change added and
// removed.
func (s *Server) cardHistory(w http.ResponseWriter, r *http.Request) {
	game := r.URL.Query().Get("game")
	if s.owners(w, r, game) == nil {
		return
	}
	list := []cardVersion{}
	var err error
	asked := s.fold(w, r, func() {
		var versions []CardVersion
		var now string
		if versions, err = s.config.Files.Versions(game, maxVersions); err == nil {
			now, err = s.config.Files.Text(game)
		}
		for _, v := range versions {
			list = append(list, cardVersion{v.N, v.Time, changes(v.Text, now)})
			now = v.Text
		}
		if len(versions) < maxVersions && now != "" {
			list = append(list, cardVersion{Changes: changes("", now)}) // before the first change there was no file
		}
	})
	if !asked {
		return
	}
	if err != nil {
		fail(w, http.StatusInternalServerError, s.reason(r, err))
		return
	}
	reply(w, http.StatusOK, map[string]any{"versions": list})
}

// changes returns, card by card, the lines in which two versions of a file differ.
func changes(before, after string) []cardChange {
	list := []cardChange{}
	for _, card := range cardfile.Named(before + "\n" + after) {
		was, is := cardfile.About(before, card), cardfile.About(after, card)
		c := cardChange{card, subtractLines(is, was), subtractLines(was, is)}
		if len(c.Added)+len(c.Removed) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// subtractLines returns the lines that the other list does not have.
func subtractLines(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) })
}

// restoreCards replaces the owner's file with an old version of the file. Version 0 is an
// empty file. The replaced version becomes the newest old version, so nothing is lost.
func (s *Server) restoreCards(w http.ResponseWriter, r *http.Request) {
	var ask struct {
		Game string
		N    int
	}
	if !s.decode(w, r, &ask) || s.owners(w, r, ask.Game) == nil {
		return
	}
	versions, err := s.config.Files.Versions(ask.Game, -1)
	if err != nil {
		fail(w, http.StatusInternalServerError, s.reason(r, err))
		return
	}
	versions = append(versions, CardVersion{}) // no file
	i := slices.IndexFunc(versions, func(v CardVersion) bool { return v.N == ask.N })
	if i < 0 {
		s.failf(w, r, http.StatusNotFound, "there is no version %d", ask.N)
		return
	}
	err = s.config.Files.Change(ask.Game, func(string) (string, error) { return versions[i].Text, nil })
	if err != nil {
		fail(w, http.StatusInternalServerError, s.reason(r, err))
		return
	}
	reply(w, http.StatusOK, map[string]any{"n": ask.N})
}
