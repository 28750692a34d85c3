package web

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"

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
func (s *Server) print(w http.ResponseWriter, r *http.Request) {
	if s.config.Print == nil {
		s.failf(w, r, http.StatusNotFound, "this table prints no labels")
		return
	}
	ask := s.requestedLabels(r)
	var pdf bytes.Buffer
	s.printing.Lock()
	_, err := s.config.Print(&pdf, ask)
	s.printing.Unlock()
	if err != nil {
		fail(w, http.StatusBadRequest, s.reason(r, err))
		return
	}
	name := strings.ReplaceAll(printable(ask.Game), "/", "-")
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Content-Disposition", `inline; filename="`+name+`-labels.pdf"`)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(pdf.Bytes())
}

// requestedLabels returns the labels that a request asks for. If the request names no game,
// they are the labels of the game that is being played.
func (s *Server) requestedLabels(r *http.Request) PrintOrder {
	q := r.URL.Query()
	ask := PrintOrder{Game: q.Get("game"), Set: q.Get("set"), Size: q.Get("size"), Paper: q.Get("paper"),
		Missing: q.Get("missing") == "1", Lang: s.langFor(r)}
	if f, _ := s.currentFrame(""); ask.Game == "" {
		ask.Game = string(f.View.Game)
	}
	return ask
}

// labelsPage serves the form in which labels are chosen.
func (s *Server) labelsPage(w http.ResponseWriter, r *http.Request) {
	if s.config.Print == nil {
		s.failf(w, r, http.StatusNotFound, "this table prints no labels")
		return
	}
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'self'")
	s.serve(w, r, "labels.html")
}

// serveLabelForm serves the data for the form in which labels are chosen. The data are the
// games with cards, the boxes of the chosen game, and a picture of the first page. If there is
// no picture, the response says why.
func (s *Server) serveLabelForm(w http.ResponseWriter, r *http.Request) {
	if s.config.Print == nil {
		s.failf(w, r, http.StatusNotFound, "this table prints no labels")
		return
	}
	ask := s.requestedLabels(r)
	ask.Preview = true
	said := struct {
		Game    string  `json:"game"`
		Games   []value `json:"games"`
		Sets    []value `json:"sets"`
		Labels  int     `json:"labels"`
		Pages   int     `json:"pages"`
		Picture string  `json:"picture"` // a data: address
		Why     string  `json:"why"`     // why there is no picture
	}{Games: []value{}, Sets: []value{}}
	var chosen game
	for _, info := range s.config.Games() {
		if len(info.Cards) == 0 {
			continue
		}
		g := describe(info, ask.Lang)
		title := g.Title
		if g.Edition != "" {
			title += ", " + g.Edition
		}
		said.Games = append(said.Games, value{g.Name, title})
		if chosen.Name == "" || g.Name == ask.Game { // the first if ask.Game has no cards
			chosen = g
		}
	}
	said.Game, ask.Game = chosen.Name, chosen.Name
	var png bytes.Buffer
	s.printing.Lock()
	printed, err := s.config.Print(&png, ask)
	s.printing.Unlock()
	for _, set := range printed.Sets {
		said.Sets = append(said.Sets, value{set, chosen.titleOf(set)})
	}
	said.Labels, said.Pages = printed.Labels, printed.Pages
	if err != nil {
		said.Why = s.reason(r, err)
	} else {
		said.Picture = "data:image/png;base64," + base64.StdEncoding.EncodeToString(png.Bytes())
	}
	reply(w, http.StatusOK, said)
}

// titleOf returns the title of a box. A box is a value of one of the game's options. If no
// option has this value, titleOf returns the value itself.
func (g *game) titleOf(value string) string {
	for _, o := range g.Options {
		for _, v := range o.Values {
			if v.Value == value {
				return v.Title
			}
		}
	}
	return value
}
