package web

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"sync"

	"tableside/display/web/core"
)

// A spot is the one address at which a tab sees the tables of all tests. A browser keeps
// scripts and style sheets, which are the same at every table, for an address: a table at an
// address of its own costs a page sixty requests.
type spot struct {
	server *httptest.Server

	mu  sync.Mutex
	now string // the address of the table that is seen
}

// listening holds the handlers of the servers that listen, by their addresses.
var listening sync.Map

type spotKey struct{}

func newSpot() *spot {
	s := new(spot)
	s.server = httptest.NewServer(s)
	return s
}

// spotOf returns the spot of a tab, and of the address of a page the table and the rest. The
// spot is nil at an address at which no table listens.
func spotOf(ctx context.Context, url string) (s *spot, table, page string) {
	end := strings.IndexByte(strings.TrimPrefix(url, "http://"), '/')
	if end < 0 {
		return nil, "", ""
	}
	table, page = url[:len("http://")+end], url[len("http://")+end:]
	if _, ok := listening.Load(table); !ok {
		return nil, "", ""
	}
	s, _ = ctx.Value(spotKey{}).(*spot)
	return s, table, page
}

func (s *spot) shows(table string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now == table
}

func (s *spot) show(table string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = table
}

func (s *spot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	now := s.now
	s.mu.Unlock()
	table, ok := listening.Load(now)
	if !ok {
		panic(http.ErrAbortHandler) // as if nobody listened
	}
	name, isAsset := strings.CutPrefix(r.URL.Path, "/assets/")
	if isAsset {
		w = lasting{w}
	}
	if path.Ext(name) == ".js" && sharedAssets().Get("", name) != nil {
		w.Header().Set("Content-Type", core.KindOf(name))
		_, _ = w.Write(tellingScript(name))
		return
	}
	table.(http.Handler).ServeHTTP(w, r)
}

var toldScripts sync.Map // by name: to make one anew takes 10 ms
var bundled = regexp.MustCompile(`(?m)^const (m_\w+) = \(\(\) => \{$`)

// tellingScript returns a script as a test sees it. The one that starts a page is the bundle, which
// also keeps its scripts in window.scripts; import() of any other one, as it exports then, gives the
// one in the bundle, with the state that the page shows.
func tellingScript(name string) []byte {
	if !entries[name] {
		of := strings.NewReplacer("/", "_", "-", "_", ".js", "").Replace(name)
		return []byte("export const then = done => done(window.scripts.m_" + of + ");")
	}
	if told, ok := toldScripts.Load(name); ok {
		return told.([]byte)
	}
	data, names := sharedAssets().Read(name), []string{}
	for _, m := range bundled.FindAllSubmatch(data, -1) {
		names = append(names, string(m[1]))
	}
	data = fmt.Appendf(data, "window.scripts = { %s };\n", strings.Join(names, ", "))
	toldScripts.Store(name, data)
	return data
}

// lasting lets a browser keep an answer without asking again.
type lasting struct{ http.ResponseWriter }

func (l lasting) WriteHeader(status int) {
	l.Header().Set("Cache-Control", core.ForAYear)
	l.ResponseWriter.WriteHeader(status)
}
