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
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/engine"
)

//go:embed assets
var assetFiles embed.FS

//go:embed words.txt
var wordsFile string

// Words returns the catalogue of the pages' texts. Each call parses the catalogue again, and
// no caller stores it. The catalogue is needed only when a page is made, and for errors that
// people read on a page.
func Words() engine.Words { return engine.MustWords("display/web/words.txt", wordsFile) }

// Schema is the JSON Schema (draft 2020-12) of the View.
//
//go:embed view.schema.json
var Schema string

// assets serves the embedded files, which are the same for every server.
type assets struct {
	mu    sync.Mutex
	tags  map[string]string // the ETags of the files that were asked for
	packs map[string][]byte // those files, compressed, by language and name
}

// sharedAssets returns the embedded files.
var sharedAssets = sync.OnceValue(newAssets)

func newAssets() *assets {
	return &assets{tags: map[string]string{}, packs: map[string][]byte{}}
}

// tag returns the ETag of a file, or "" if there is no such file. The ETag is made when a
// browser first asks for the file. A server that made all ETags at the start would have to
// read every file and remove its comments. That would take longer than everything else at the
// start, and would need half a megabyte of memory.
func (a *assets) tag(name string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if tag, ok := a.tags[name]; ok || !isAsset(name) {
		return tag
	}
	id := name
	if typeface[name] == nil {
		sum := sha256.Sum256(a.read(name))
		id = hex.EncodeToString(sum[:8])
	}
	a.tags[name] = `"` + id + `"`
	return a.tags[name]
}

func isAsset(name string) bool {
	if page, ok := strings.CutSuffix(name, ".html"); ok && slices.Contains(documents, page) {
		return true
	}
	info, err := fs.Stat(assetFiles, "assets/"+name)
	return typeface[name] != nil || err == nil && info.Mode().IsRegular()
}

// documents lists the pages whose whole content is drawn by a script. Each of these pages has
// a style sheet and a script of the same name.
var documents = []string{"evenings", "hall", "history", "labels", "overlay-edit", "players", "reader", "setup", "share",
	"workshop"}

var (
	commentLine  = regexp.MustCompile(`(?m)^[ \t]*//.*$`) // a line of a script that is only a comment
	styleComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	styleImport  = regexp.MustCompile(`@import "(.*)";`)
)

// read returns the contents of a file as they are served. A script or a style sheet has no
// comments, but the lines of a script keep their numbers. A style sheet contains the sheets
// that it imports. A page has the head that all pages share. A typeface has no hints (programs
// for coarse pixels).
func (a *assets) read(name string) []byte {
	if font, ok := typeface[name]; ok {
		return stripHints(font)
	}
	if page, ok := strings.CutSuffix(name, ".html"); ok {
		return a.html(page)
	}
	data := embedded(name)
	switch path.Ext(name) {
	case ".js":
		return commentLine.ReplaceAll(data, nil)
	case ".css":
		data = styleImport.ReplaceAllFunc(data, func(line []byte) []byte {
			return a.read(string(styleImport.FindSubmatch(line)[1]))
		})
		return styleComment.ReplaceAll(data, nil)
	}
	return data
}

// readIn reads a file with the method read. If the file is a page, readIn also sets the
// language of its html element, so that the page's script begins in this language.
func (a *assets) readIn(lang engine.Lang, name string) []byte {
	data := a.read(name)
	if path.Ext(name) != ".html" {
		return data
	}
	return bytes.Replace(data, []byte(`<html lang="en"`), []byte(`<html lang="`+lang+`"`), 1)
}

// html returns a page. All pages in the list called documents share one body, the file
// body.html. If the file of a page holds only a body, html puts the body into document.html.
func (a *assets) html(page string) []byte {
	file := page + ".html"
	head := bytes.Replace(embedded("head.html"), []byte("{{words}}"), a.words(file), 1)
	if slices.Contains(documents, page) {
		file = "body.html"
	}
	data := embedded(file)
	if bytes.HasPrefix(data, []byte("<body")) {
		data = bytes.Replace(embedded("document.html"), []byte("{{body}}\n"), data, 1)
		data = bytes.ReplaceAll(data, []byte("{{page}}"), []byte(page))
	}
	return bytes.Replace(data, []byte("{{head}}"), head, 1)
}

func embedded(name string) []byte {
	data, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		panic(err)
	}
	return data
}

// pagesByGroup says for each group of texts which pages contain it. The key is the group, and
// the value lists the files of the pages. A group without an entry is on all pages.
var pagesByGroup = map[string]string{
	"edit": "overlay-edit.html", "scene": "overlay-edit.html", "labels": "labels.html", "reader": "reader.html",
	"replay": "replay.html", "past": "hall.html history.html players.html", "players": "players.html",
	"setup": "setup.html", "trust": "trust.html", "tv": "tv.html", "hall": "evenings.html hall.html tv.html",
	"evening": "evenings.html",
	"cards":   "workshop.html", "rehearsal": "rehearsal.html", "exchange": "share.html", "files": "share.html",
}

// words returns the texts of a page as JSON, by language and then by key. The texts are part
// of the HTML, so that the page can show text before the first message from the table.
func (a *assets) words(page string) []byte {
	all, catalogue := map[engine.Lang]map[string]string{}, Words()
	for _, lang := range engine.Languages {
		all[lang] = map[string]string{}
		for key, said := range catalogue {
			group, _, _ := strings.Cut(key, ".")
			if only := pagesByGroup[group]; only == "" || slices.Contains(strings.Fields(only), page) {
				all[lang][key] = said.In(lang)
			}
		}
	}
	words, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return words
}

// kindOf returns the media type of a file. The important types are fixed here, because the
// machine's own list of types may be wrong.
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
	case ".ttf":
		return "font/ttf"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// policy is the Content Security Policy of the pages. It allows the server's own files, but
// nothing that a name or a card could inject.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"

func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("token") {
		s.admit(w, r)
		return
	}
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'self'")
	s.serve(w, r, "table.html")
}

// overlay serves the page for OBS, a program for video streams. The page itself reads its
// parameters, which README.md lists.
//
// The page allows style elements, because OBS puts its Custom CSS into such an element. This
// is safe: the only text from other people on the page is names, and names are never markup. A
// streamer's logo may come from any site.
func (s *Server) overlay(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", strings.NewReplacer("style-src", "style-src 'unsafe-inline'",
		"img-src", "img-src http: https:").Replace(policy))
	s.serve(w, r, "overlay.html")
}

// tv serves the page for a television. The page shows only what everybody may see, except for
// the QR code with the token. This code has its own route, which checks who may see the code.
func (s *Server) tv(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'self'")
	s.serve(w, r, "tv.html")
}

// overlayEdit serves the page with which a streamer designs the overlay. The page shows the
// overlay in a frame. It also shows pictures that the streamer has chosen.
func (s *Server) overlayEdit(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", strings.Replace(policy, "img-src", "frame-src 'self'; img-src blob:", 1)+
		"; frame-ancestors 'self'")
	s.serve(w, r, "overlay-edit.html")
}

func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if strings.HasSuffix(name, ".html") {
		name = ""
	}
	s.serve(w, r, name)
}

// serve answers with an embedded file. If the file is a page, it begins in the language
// that langFor returns.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, name string) {
	tag, lang := s.assets.tag(name), s.langFor(r)
	if tag == "" {
		s.failf(w, r, http.StatusNotFound, "nothing is at this address")
		return
	}
	if path.Ext(name) == ".html" {
		tag = strings.TrimSuffix(tag, `"`) + "-" + string(lang) + `"`
	}
	h := w.Header()
	h.Set("Content-Type", kindOf(name))
	h.Set("Cache-Control", "no-cache")
	if typeface[name] != nil {
		h.Set("Cache-Control", forAYear)
	}
	h.Set("Vary", "Accept-Encoding")
	if path.Ext(name) == ".html" {
		h.Add("Vary", "Accept-Language")
	}
	var data []byte
	if !takesGzip(r, name) {
		data = s.assets.readIn(lang, name)
	} else {
		h.Set("Content-Encoding", "gzip")
		tag = strings.TrimSuffix(tag, `"`) + `-gzip"`
		if r.Header.Get("If-None-Match") != tag { // else the answer has no content
			data = s.assets.packed(lang, name)
		}
	}
	h.Set("ETag", tag)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}
