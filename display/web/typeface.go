package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"path"
	"strings"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"

	"tableside/engine"
)

// typeface holds the Go typeface, which the panel also uses. With this typeface the pages look
// the same on a machine without typefaces of its own. Its digits are all equally wide. The
// typeface is part of the program, and is served without its hints.
var typeface = map[string][]byte{
	"go-medium.ttf": gomedium.TTF,
	"go-bold.ttf":   gobold.TTF,
}

// forAYear lets caches keep the typeface for a year, the longest that HTTP caches are
// meant to keep anything. The typeface has not changed since 2016.
const forAYear = "public, max-age=31536000"

// packed returns the same file as readIn, in compressed form. It compresses the file when a
// browser first asks for it.
func (a *assets) packed(lang engine.Lang, name string) []byte {
	if path.Ext(name) != ".html" {
		lang = "" // the same for all
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	key := string(lang) + "/" + name
	if data, ok := a.packs[key]; ok {
		return data
	}
	data := compressed(a.readIn(lang, name))
	a.packs[key] = data
	return data
}

func compressed(data []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // BestCompression is a valid level
	_, _ = w.Write(data)                                    // a buffer takes everything
	_ = w.Close()
	return bytes.Clone(out.Bytes())
}

// takesGzip reports whether to send a file of this name compressed. The client must accept
// gzip, and the file must be of a kind that gzip makes smaller.
func takesGzip(r *http.Request, name string) bool {
	switch path.Ext(name) {
	case ".js", ".css", ".html", ".svg", ".ttf":
	default:
		return false
	}
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, weighted := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";q=")
		if coding == "gzip" && (!weighted || strings.Trim(weight, "0.") != "") {
			return true
		}
	}
	return false
}
