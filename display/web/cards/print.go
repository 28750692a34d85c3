package cards

import (
	"bytes"
	"net/http"
	"strings"

	"tableside/display/web/core"
	"tableside/engine"
)

// A PrintOrder says which labels to print, the size of the labels, and the paper. The labels
// are those of a game, or of one of its boxes. For an empty field, the default of the command
// that prints labels applies.
type PrintOrder struct {
	Game, Set, Size, Paper string
	Missing                bool // only cards without a tag in the catalogue
	Lang                   engine.Lang

	Preview bool // the first page as a PNG instead of all as a PDF
}

// A PrintResult holds the numbers of labels and pages to print, and the game's boxes.
type PrintResult struct {
	Labels, Pages int
	Sets          []string // the game's boxes, for PrintOrder.Set; none if there is only one
}

// print serves a sheet of labels as a PDF. The request needs the right to play, because the
// names on the labels come from the owner's file. Only one sheet is made at a time.
func (s *Room) print(w http.ResponseWriter, r *http.Request) (any, error) {
	ask := s.requestedLabels(r)
	var pdf bytes.Buffer
	err := s.Fold(w, r, func() error {
		if _, err := s.Print(&pdf, ask); err != nil {
			return core.FailWith(http.StatusBadRequest, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	name := strings.ReplaceAll(core.Printable(ask.Game), "/", "-")
	w.Header().Set("Content-Disposition", `inline; filename="`+name+`-labels.pdf"`)
	return core.Document{Kind: "application/pdf", Data: pdf.Bytes()}, nil
}

func (s *Room) requestedLabels(r *http.Request) PrintOrder {
	q := r.URL.Query()
	ask := PrintOrder{Game: q.Get("game"), Set: q.Get("set"), Size: q.Get("size"), Paper: q.Get("paper"),
		Missing: q.Get("missing") == "1", Lang: s.LangFor(r)}
	if f, _ := s.CurrentFrame(""); ask.Game == "" {
		ask.Game = string(f.View.Game)
	}
	return ask
}

// serveLabelForm serves the data for the form in which labels are chosen. The data are the
// games with cards, the boxes of the chosen game, and a picture of the first page. If there is
// no picture, the response says why.
func (s *Room) serveLabelForm(w http.ResponseWriter, r *http.Request) (any, error) {
	ask := s.requestedLabels(r)
	ask.Preview = true
	if f, _ := s.CurrentFrame(""); engine.Title(string(f.View.Game)) == ask.Game {
		ask.Game = string(f.View.Game)
	}
	said := struct {
		Game    string       `json:"game"`
		Games   []core.Value `json:"games"`
		Sets    []core.Value `json:"sets"`
		Labels  int          `json:"labels"`
		Pages   int          `json:"pages"`
		Picture string       `json:"picture"` // a data: address
		Why     string       `json:"why"`     // why there is no picture
	}{Games: []core.Value{}, Sets: []core.Value{}}
	var chosen core.Game
	for _, info := range s.Games() {
		if len(info.Cards) == 0 {
			continue
		}
		g := core.Describe(info, ask.Lang)
		title := g.Title
		if g.Edition != "" {
			title += ", " + g.Edition
		}
		said.Games = append(said.Games, core.Value{Value: g.Name, Title: title})
		// The first if ask.Game has no cards; the first edition of ask.Game if it is a title.
		if chosen.Name == "" || g.Name == ask.Game ||
			engine.Title(g.Name) == ask.Game && engine.Title(chosen.Name) != ask.Game {
			chosen = g
		}
	}
	said.Game, ask.Game = chosen.Name, chosen.Name
	var png bytes.Buffer
	var printed PrintResult
	var err error
	busy := s.Fold(w, r, func() error {
		printed, err = s.Print(&png, ask)
		return nil
	})
	if busy != nil {
		return nil, busy
	}
	for _, set := range printed.Sets {
		said.Sets = append(said.Sets, core.Value{Value: set, Title: chosen.TitleOf(set)})
	}
	said.Labels, said.Pages = printed.Labels, printed.Pages
	if err != nil {
		said.Why = core.Reason(err, ask.Lang)
	} else {
		said.Picture = core.DataURL("image/png", png.Bytes())
	}
	return said, nil
}
