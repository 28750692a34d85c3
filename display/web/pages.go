package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"tableside/engine"
)

//go:embed assets
var assetFiles embed.FS

//go:embed words.txt
var wordsFile string

// Words returns the catalogue of the pages themselves.
func Words() engine.Words { return engine.MustWords("display/web/words.txt", wordsFile) }

// Schema is the JSON Schema (draft 2020-12) of the View.
//
//go:embed view.schema.json
var Schema string

type asset struct {
	data []byte
	kind string
	tag  string
}

// loadAssets reads what is embedded. The words go into the pages, so that
// they speak before they have heard from the table.
func loadAssets() map[string]asset {
	words, err := json.Marshal(catalogue(Words()))
	if err != nil {
		panic(err)
	}
	assets := map[string]asset{}
	err = fs.WalkDir(assetFiles, "assets", func(name string, file fs.DirEntry, err error) error {
		if err != nil || file.IsDir() {
			return err
		}
		data, err := assetFiles.ReadFile(name)
		if err != nil {
			return err
		}
		data = bytes.Replace(data, []byte("{{words}}"), words, 1)
		sum := sha256.Sum256(data)
		tag := `"` + hex.EncodeToString(sum[:8]) + `"`
		assets[strings.TrimPrefix(name, "assets/")] = asset{data: data, kind: kindOf(name), tag: tag}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return assets
}

// kindOf does not trust the machine's own table of types.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// catalogue turns the words around: language, key, template.
func catalogue(words engine.Words) map[engine.Lang]map[string]string {
	all := map[engine.Lang]map[string]string{}
	for _, lang := range engine.Languages {
		all[lang] = map[string]string{}
		for key, said := range words {
			all[lang][key] = said.In(lang)
		}
	}
	return all
}

// policy allows what is embedded, and nothing that a name or a card could
// smuggle in.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"

func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("token") {
		s.admit(w, r)
		return
	}
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'self'")
	s.serve(w, r, "table.html")
}

// overlay serves the page for OBS; README.md has its parameters, which the page reads
// itself.
func (s *Server) overlay(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", policy)
	s.serve(w, r, "overlay.html")
}

func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if strings.HasSuffix(name, ".html") {
		name = ""
	}
	s.serve(w, r, name)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, name string) {
	a, ok := s.assets[name]
	if !ok {
		fail(w, http.StatusNotFound, "nothing is at this address")
		return
	}
	w.Header().Set("Content-Type", a.kind)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", a.tag)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(a.data))
}
