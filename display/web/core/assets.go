package core

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
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

//go:embed words.txt
var wordsFile string

// Words returns the catalogue of the pages' texts. Each call parses the catalogue again, and
// no caller stores it. The catalogue is needed only when a page is made, and for errors that
// people read on a page.
func Words() engine.Words { return engine.MustWords("display/web/core/words.txt", wordsFile) }

// Assets holds the embedded files as browsers get them. They are the same for every server. A
// file is made ready when a browser first asks for it: to make all ready at the start would
// take longer than everything else at the start.
type Assets struct {
	files   fs.FS
	folders []string // in which the files are

	mu   sync.Mutex
	made map[string]*asset // by language and name
}

// An asset is a file as browsers get it.
type asset struct {
	data   []byte
	packed []byte // by gzip; nil if gzip does not make it smaller
	Tag    string // the ETag, without quotes
}

// NewAssets returns the files in some folders of a file system. What they are called does not
// depend on the folder.
func NewAssets(files fs.FS, folders ...string) *Assets {
	return &Assets{files: files, folders: folders, made: map[string]*asset{}}
}

// Get returns a file, or nil if there is no such file. A page begins in the given language.
func (a *Assets) Get(lang engine.Lang, name string) *asset {
	isPage := path.Ext(name) == ".html"
	if !isPage {
		lang = "" // the same for all
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	key := string(lang) + "/" + name
	made, ok := a.made[key]
	if ok || !a.isAsset(name) {
		return made
	}
	data := a.Read(name)
	if isPage {
		data = bytes.Replace(data, []byte(`<html lang="en"`), []byte(`<html lang="`+lang+`"`), 1)
	}
	sum := sha256.Sum256(data)
	made = &asset{data: data, Tag: hex.EncodeToString(sum[:8])}
	if path.Ext(name) != ".png" {
		made.packed = compressed(data, gzip.BestCompression)
	}
	a.made[key] = made
	return made
}

func (a *Assets) isAsset(name string) bool {
	if page, ok := strings.CutSuffix(name, ".html"); ok && slices.Contains(Documents, page) {
		return true
	}
	return Typeface[name] != nil || a.find(name) != ""
}

func (a *Assets) find(name string) string {
	for _, folder := range a.folders {
		if info, err := fs.Stat(a.files, folder+"/"+name); err == nil && info.Mode().IsRegular() {
			return folder + "/" + name
		}
	}
	return ""
}

// Documents lists the pages whose whole content is drawn by a script. Each of these pages has
// a style sheet and a script of the same name.
var Documents = []string{"evenings", "hall", "history", "labels", "overlay-edit", "players", "reader", "setup", "share",
	"workshop"}

var (
	styleImport  = regexp.MustCompile(`@import "(.*)";`)
	styleComment = regexp.MustCompile(`/\*[^*]*\*/\n?`)
)

// Read returns the contents of a file as they are served. A script contains the scripts that it
// imports, a style sheet the sheets. A page has the head that all pages share.
func (a *Assets) Read(name string) []byte {
	if font, ok := Typeface[name]; ok {
		return font.file()
	}
	if page, ok := strings.CutSuffix(name, ".html"); ok {
		return a.html(page)
	}
	if path.Ext(name) == ".js" {
		return a.bundle(name)
	}
	data := a.embedded(name)
	if path.Ext(name) == ".css" {
		data = styleImport.ReplaceAllFunc(styleComment.ReplaceAll(data, nil), func(line []byte) []byte {
			return a.Read(string(styleImport.FindSubmatch(line)[1]))
		})
	}
	return data
}

// html returns a page. All pages in the list called documents share one body, the file
// body.html. If the file of a page holds only a body, html puts the body into document.html.
func (a *Assets) html(page string) []byte {
	file := page + ".html"
	head := bytes.Replace(a.embedded("head.html"), []byte("{{words}}"), a.words(file), 1)
	if slices.Contains(Documents, page) {
		file = "body.html"
	}
	data := a.embedded(file)
	if bytes.HasPrefix(data, []byte("<body")) {
		data = bytes.Replace(a.embedded("document.html"), []byte("{{body}}\n"), data, 1)
		data = bytes.ReplaceAll(data, []byte("{{page}}"), []byte(page))
	}
	return bytes.Replace(data, []byte("{{head}}"), head, 1)
}

func (a *Assets) embedded(name string) []byte {
	data, err := fs.ReadFile(a.files, a.find(name))
	if err != nil {
		panic(err)
	}
	return data
}

// pagesByGroup says for each group of texts which pages contain it. The key is the group, and
// the value lists the files of the pages. A group without an entry is on all pages.
var pagesByGroup = map[string]string{
	"edit": "overlay-edit.html", "scene": "overlay-edit.html", "labels": "labels.html", "reader": "reader.html",
	"replay": "replay.html", "end": "replay.html table.html",
	"past": "hall.html history.html players.html replay.html", "players": "players.html",
	"setup": "setup.html", "trust": "trust.html", "tv": "tv.html", "hall": "evenings.html hall.html tv.html",
	"evening": "evenings.html",
	"cards":   "workshop.html", "rehearsal": "rehearsal.html", "exchange": "share.html", "files": "share.html",
	"message": "message.html", "hint": "table.html", "deal": "table.html", "computer": "table.html",
}

// words returns the texts of a page as JSON, by language and then by key. The texts are part
// of the HTML, so that the page can show text before the first message from the table.
func (a *Assets) words(page string) []byte {
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

// KindOf returns the media type of a file. The important types are fixed here, because the
// machine's own list of types may be wrong.
func KindOf(name string) string {
	return cmp.Or(kinds[path.Ext(name)], mime.TypeByExtension(path.Ext(name)))
}

var kinds = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8", ".svg": "image/svg+xml", ".ttf": "font/ttf"}

func (s *Site) Asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if strings.HasSuffix(name, ".html") {
		name = ""
	}
	s.SendFile(w, r, name)
}

// SendFile answers with an embedded file. If the file is a page, it begins in the language
// that LangFor returns.
func (s *Site) SendFile(w http.ResponseWriter, r *http.Request, name string) {
	file := s.Assets.Get(s.LangFor(r), name)
	if file == nil {
		s.Fail(w, r, ErrNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", KindOf(name))
	h.Set("Cache-Control", "no-cache")
	if Typeface[name] != nil {
		h.Set("Cache-Control", ForAYear)
	}
	h.Set("Vary", "Accept-Encoding")
	if path.Ext(name) == ".html" {
		h.Add("Vary", "Accept-Language")
	}
	data, tag := file.data, file.Tag
	if file.packed != nil && takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		data, tag = file.packed, tag+"-gzip"
	}
	h.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

func takesGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, weighted := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";q=")
		if coding == "gzip" && (!weighted || strings.Trim(weight, "0.") != "") {
			return true
		}
	}
	return false
}
