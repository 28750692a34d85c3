package web

import (
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/url"

	"golang.org/x/image/vector"

	"tableside/engine"
)

// A manifest is a Web Application Manifest, with which a phone puts the page on
// its home screen.
type manifest struct {
	Name       string         `json:"name"`
	ShortName  string         `json:"short_name"`
	Lang       engine.Lang    `json:"lang"`
	ID         string         `json:"id"`
	Start      string         `json:"start_url"`
	Scope      string         `json:"scope"`
	Display    string         `json:"display"`
	Background string         `json:"background_color"`
	Theme      string         `json:"theme_color"`
	Icons      []manifestIcon `json:"icons"`
}

type manifestIcon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Kind    string `json:"type"`
	Purpose string `json:"purpose"`
}

// manifest serves the manifest of the page. With ?seat=red it leads to the page of that seat.
func (s *Server) manifest(w http.ResponseWriter, r *http.Request) {
	lang := s.langFor(r)
	if lang == "" {
		lang = engine.English
	}
	name := Words().Say(lang, engine.T("page.title"), nil)
	m := manifest{
		Name: name, ShortName: name, Lang: lang, ID: "/", Start: "/", Scope: "/", Display: "standalone",
		Background: "#0d0f15", Theme: "#0d0f15",
	}
	if seat := r.URL.Query().Get("seat"); engine.IsWord(seat) {
		m.Start += "?" + url.Values{"seat": {seat}}.Encode()
		m.ID = m.Start
	}
	for _, size := range []string{"192", "512"} {
		m.Icons = append(m.Icons, manifestIcon{"/icon-" + size + ".png", size + "x" + size, "image/png", "any maskable"})
	}
	w.Header().Set("Content-Type", "application/manifest+json")
	w.Header().Set("Cache-Control", "no-cache")
	data, err := json.Marshal(m)
	if err != nil {
		s.failf(w, r, http.StatusInternalServerError, "the manifest cannot be written as JSON")
		return
	}
	_, _ = w.Write(data)
}

// slash holds the corners of the sign in the picture assets/icon.svg. This picture is 32 units
// wide and high. The sign is drawn at four fifths of its size, so that it stays within a
// circle whose radius is 40 % of the width. A phone may cut off only what is outside this
// circle (the manifest standard, "Icon masks and safe zone").
var slash = [][2]float32{{8, 6}, {26, 6}, {24, 12}, {18, 12}, {14, 26}, {8, 26}, {12, 12}, {6, 12}}

// icon returns a handler that serves the icon for a home screen. Its side has the given
// size, in pixels. Its corners are not rounded, because the home screen cuts them itself.
func icon(size int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		w.Header().Set("Cache-Control", "max-age=86400")
		_ = png.Encode(w, drawIcon(size)) // an error means that the browser has gone
	}
}

func drawIcon(size int) image.Image {
	at := func(v float32) float32 { return (16 + (v-16)*.8) * float32(size) / 32 }
	shape := vector.NewRasterizer(size, size)
	for i, p := range slash {
		if i == 0 {
			shape.MoveTo(at(p[0]), at(p[1]))
		} else {
			shape.LineTo(at(p[0]), at(p[1]))
		}
	}
	shape.ClosePath()
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.Draw(img, img.Bounds(), image.NewUniform(color.RGBA{0x0d, 0x0f, 0x15, 0xff}), image.Point{}, draw.Src)
	shape.Draw(img, img.Bounds(), image.NewUniform(color.RGBA{0xd2, 0xff, 0x3c, 0xff}), image.Point{})
	return img
}
