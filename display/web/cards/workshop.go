package cards

import (
	"net/http"
	"slices"
	"time"

	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/cardfile"
)

// A Workshop is the content of the page /cards. It holds the cards in the box of a game, and
// the forms in which players enter these cards.
type Workshop struct {
	Game  string         `json:"game"`
	Title string         `json:"title"`
	Games []core.Value   `json:"games"` // the games with cards
	Forms []WorkshopForm `json:"forms"`
	Cards []WorkshopCard `json:"cards"`
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
	Title  string       `json:"title"`
	Words  []core.Value `json:"words,omitempty"`
	Others []core.Value `json:"others,omitempty"`
	Per    []core.Value `json:"per,omitempty"`

	Tiles []cardfile.Tile `json:"tiles,omitempty"` // what it offers, if it has a Slot
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

// workshop serves the cards of a game. If the request names no game, it serves the cards of
// the game that is being played. If the game has no cards, the response lists only the games.
// Listing the cards takes a while, and everybody may ask for the list, so each request waits
// for its turn.
func (s *Room) workshop(w http.ResponseWriter, r *http.Request) (any, error) {
	lang := s.LangFor(r)
	game := r.URL.Query().Get("game")
	if f, _ := s.CurrentFrame(""); game == "" {
		game = engine.Title(string(f.View.Game))
	}
	shown := Workshop{Forms: []WorkshopForm{}, Cards: []WorkshopCard{}}
	if s.Files.Owners(game) != nil {
		text, err := s.Files.Text(game)
		if err == nil {
			err = s.Fold(w, r, func() (err error) {
				shown, err = s.Files.Workshop(game, text, lang)
				return err
			})
		}
		if err != nil {
			return nil, err
		}
		for i := range shown.Cards {
			c := &shown.Cards[i]
			c.Tag = Lines{cardfile.About(text, c.About)}.Tag()
		}
	}
	for _, info := range s.Games() {
		g := core.Describe(info, lang)
		named := core.Value{Value: engine.Title(g.Name), Title: g.Title}
		if len(info.Cards) > 0 && !slices.Contains(shown.Games, named) && s.Files.Owners(named.Value) != nil {
			shown.Games = append(shown.Games, named)
		}
	}
	shown.Tag = Lines{}.Tag()
	return shown, nil
}

// lastTag tells the owner which tag was laid down last. Until an input is accepted,
// nobody else may know.
func (s *Room) lastTag(w http.ResponseWriter, r *http.Request) (any, error) {
	n, tag, card := s.LastTag()
	return map[string]any{"n": n, "tag": tag, "card": card}, nil
}

// maxVersions is the greatest number of old versions that the page lists for a file.
const maxVersions = 50

// A ListedVersion is an old version of a file, and the change that followed it.
type ListedVersion struct {
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
func (s *Room) cardHistory(w http.ResponseWriter, r *http.Request) (any, error) {
	game := r.URL.Query().Get("game")
	if _, err := s.owners(game); err != nil {
		return nil, err
	}
	list := []ListedVersion{}
	err := s.Fold(w, r, func() error {
		versions, err := s.Files.Versions(game, maxVersions)
		if err != nil {
			return err
		}
		now, err := s.Files.Text(game)
		for _, v := range versions {
			list = append(list, ListedVersion{v.N, v.Time, changes(v.Text, now)})
			now = v.Text
		}
		if len(versions) < maxVersions && now != "" {
			list = append(list, ListedVersion{Changes: changes("", now)}) // before the first change there was no file
		}
		return err
	})
	return map[string]any{"versions": list}, err
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

func subtractLines(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) })
}

// restoreCards replaces the owner's file with an old version of the file. Version 0 is an
// empty file. The replaced version becomes the newest old version, so nothing is lost.
func (s *Room) restoreCards(w http.ResponseWriter, r *http.Request) (any, error) {
	var ask struct {
		Game string
		N    int
	}
	if err := core.Decode(w, r, &ask); err != nil {
		return nil, err
	}
	if _, err := s.owners(ask.Game); err != nil {
		return nil, err
	}
	versions, err := s.Files.Versions(ask.Game, -1)
	if err != nil {
		return nil, err
	}
	versions = append(versions, cardfile.Version{}) // no file
	i := slices.IndexFunc(versions, func(v cardfile.Version) bool { return v.N == ask.N })
	if i < 0 {
		return nil, core.Failf(http.StatusNotFound, "there is no version %d", ask.N)
	}
	err = s.Files.Change(ask.Game, func(string) (string, error) { return versions[i].Text, nil })
	return map[string]any{"n": ask.N}, err
}
