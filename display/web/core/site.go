// Package core is what all pages stand on: who a visitor is and may do, the embedded files, bodies
// in and answers out, and whose turn it is to have something long computed. It knows no page.
package core

import (
	"cmp"
	"crypto/tls"
	"log/slog"
	"net/http"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"tableside/engine"
)

// A Config says who may do what on a site, and how it is reached.
type Config struct {
	Lang engine.Lang // of what is said before the first frame; "" for the browser's

	// Token lets browsers on other machines play. If it is empty, only
	// loopback peers may.
	Token string
	// OwnerToken lets browsers not only play but also keep the table. To keep a table means,
	// for example, to begin and end its matches.
	OwnerToken string
	// AskHere is for a table behind a proxy on its own machine. If it is set, loopback
	// peers need the token, too. AskHere needs a Token.
	AskHere bool
	// Hosts lists further host names, such as the name of a proxy. A loopback peer may
	// request the page under these names. A port in a name is ignored.
	Hosts []string

	// MaxConnections is how many connections may be open at once, 0 for a usual number. Each
	// takes a file of the program's limit of open files.
	MaxConnections int
	// Log gets what goes wrong with connections; nil for the default log.
	Log *slog.Logger

	// Frame lists the origins, such as "http://homeassistant.local:8123", whose pages may show
	// this server's pages in a frame.
	Frame []string

	// TLS makes the same port answer TLS, too. Plain requests from other machines are then
	// redirected to TLS, and only this machine gets plain HTTP. If TLS is nil, everybody
	// gets plain HTTP.
	TLS *tls.Config
	// Authority is the certificate of the table's own certificate authority, as DER. It
	// is nil if somebody else signed the table's certificate.
	Authority []byte
}

// A Site answers requests: it knows the visitors' rights and languages, the embedded files, and
// whose turn it is to have something long computed. It is what all rooms of pages stand on.
type Site struct {
	config *Config
	// CurrentFrame returns the newest frame in a language, or in the table's own for "". Before
	// the first frame, ok is false.
	CurrentFrame func(engine.Lang) (f engine.Frame, ok bool)

	Machine  string // its name in its network, as in http://raspberrypi/; "" if it has none
	Assets   *Assets
	FoldTime time.Duration // for folding a match
	Folds    Places        // of matches, and lists of boxes
	FoldTurn sync.Mutex    // held by the fold that runs

	Checks    Places     // of card files
	CheckTurn sync.Mutex // held by the check that runs

	sharedFolds singleflight.Group // that have not begun, by what they are for
}

func New(config *Config, files *Assets, currentFrame func(engine.Lang) (engine.Frame, bool)) *Site {
	hosts := make([]string, 0, len(config.Hosts))
	for _, host := range config.Hosts {
		hosts = append(hosts, hostname(host)) // the form in which requests are compared
	}
	config.Hosts = hosts
	config.Log = cmp.Or(config.Log, slog.Default())
	machine, _ := os.Hostname()
	machine, _, _ = strings.Cut(strings.ToLower(machine), ".")
	return &Site{
		config:       config,
		CurrentFrame: currentFrame,
		Machine:      machine,
		Assets:       files,
		FoldTime:     maxFoldTime,
		Folds:        Places{Most: MaxFolds, Each: MaxFoldsPerVisitor},
		Checks:       Places{Most: MaxChecks, Each: MaxChecksPerVisitor},
	}
}

const (
	MaxBody     = 64 << 10         // bytes in a request: a setup with pools and definitions
	answerLimit = 15 * time.Second // for an answer to be written
	DoLimit     = 10 * time.Second // for the table to answer an input
	maxFoldTime = 5 * time.Second  // for a match to be folded once: a summary and a recording do so twice
)

type Route struct {
	Method, Path string
	Need         need
	Handle       http.HandlerFunc
}

func Get(path string, need need, handle http.HandlerFunc) Route {
	return Route{"GET", path, need, handle}
}
func Post(path string, need need, handle http.HandlerFunc) Route {
	return Route{"POST", path, need, handle}
}
func Put(path string, need need, handle http.HandlerFunc) Route {
	return Route{"PUT", path, need, handle}
}

// OrNone returns the routes, or, if the server lacks what they are for, routes that say so.
func (s *Site) OrNone(has bool, lack error, routes ...Route) []Route {
	if has {
		return routes
	}
	for i := range routes {
		routes[i].Handle = s.Do(func(http.ResponseWriter, *http.Request) (any, error) { return nil, lack })
	}
	return routes
}

// ServeRoutes returns the handler for the routes. The methods secure and guard check each request
// first. A request for any other address gets an error.
func (s *Site) ServeRoutes(routes []Route) http.Handler {
	mux := http.NewServeMux()
	methods := map[string]string{}
	for _, r := range routes {
		mux.HandleFunc(r.Method+" "+r.Path, s.Require(r.Need, r.Handle))
		path := strings.TrimSuffix(r.Path, "{$}")
		methods[path] = strings.TrimPrefix(methods[path]+", "+r.Method, ", ")
	}
	notFound := func(w http.ResponseWriter, r *http.Request) {
		if method := methods[r.URL.Path]; method != "" {
			w.Header().Set("Allow", method)
			s.Fail(w, r, Failf(http.StatusMethodNotAllowed, "%s takes %s", r.URL.Path, method))
			return
		}
		s.Fail(w, r, ErrNotFound)
	}
	mux.HandleFunc("/", notFound)
	return s.secure(s.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Clean(r.URL.Path) != r.URL.Path { // the mux would answer with an HTML redirect
			notFound(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})))
}

// LangFor returns the requested language, or else the table's, or else the browser's.
func (s *Site) LangFor(r *http.Request) engine.Lang {
	f, _ := s.CurrentFrame("")
	return cmp.Or(LangOf(r), f.Lang, s.config.Lang, preferred(r.Header.Get("Accept-Language")))
}

// preferred returns the first language in an Accept-Language header that is also a language of
// the table. Browsers list the languages by preference. If the table speaks none of them,
// preferred returns English.
func preferred(accept string) engine.Lang {
	for tag := range strings.SplitSeq(accept, ",") {
		for _, lang := range engine.Languages {
			if strings.HasPrefix(strings.ToLower(strings.TrimSpace(tag)), string(lang)) {
				return lang
			}
		}
	}
	return engine.English
}
