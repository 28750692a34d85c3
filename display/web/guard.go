package web

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// cookie carries the token of a browser that came by /?token=….
const cookie = "tableside"

// guarded wraps all routes: another site's requests and another site's names
// for this machine are refused before anything is looked at.
func (s *Server) guarded(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusForbidden, "another site sent this request")
	}))
	inner := cross.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if r.Host == "" {
			fail(w, http.StatusBadRequest, "the request names no host: send the header Host, as Host: localhost")
			return
		}
		if fromHere(r) && !s.knownHost(r.Host) {
			fail(w, http.StatusForbidden, "this table does not answer to the name "+shown(hostname(r.Host)))
			return
		}
		inner.ServeHTTP(w, r)
	})
}

// writing lets through those who may write.
func (s *Server) writing(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// CrossOriginProtection passes every GET; hidden cards and the
		// token are for this site's own pages.
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
			fail(w, http.StatusForbidden, "another site sent this request")
			return
		}
		switch {
		case s.mayWrite(r):
			next(w, r)
		case s.config.Token == "":
			fail(w, http.StatusForbidden, "only this machine may write: no token is set")
		default:
			w.Header().Set("WWW-Authenticate", `Bearer realm="tableside"`)
			fail(w, http.StatusUnauthorized, "writing needs the token: scan the code on the table's panel, or send Authorization: Bearer with what the file token in the table's data folder holds")
		}
	}
}

func (s *Server) mayWrite(r *http.Request) bool {
	// A configured name is a proxy's, which speaks for somebody else even
	// where it does not say so.
	if !s.config.AskHere && isLoopback(r) && !s.throughProxy(r) {
		return true
	}
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && s.isToken(token) {
		return true
	}
	c, err := r.Cookie(cookie)
	return err == nil && s.isToken(c.Value)
}

// throughProxy reports whether a proxy on this machine asks, under one of the
// names that are configured for it.
func (s *Server) throughProxy(r *http.Request) bool {
	return fromHere(r) && slices.Contains(s.config.Hosts, hostname(r.Host))
}

func (s *Server) isToken(token string) bool {
	return s.config.Token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(s.config.Token)) == 1
}

// isLoopback reports whether the request comes from this machine itself, and
// not through a proxy on it that speaks for somebody else.
func isLoopback(r *http.Request) bool {
	for _, header := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip"} {
		if r.Header.Get(header) != "" {
			return false
		}
	}
	return fromHere(r)
}

// fromHere reports whether the connection comes from this machine, whatever
// the request says: a page under a stranger's name can send any header.
func fromHere(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

// client returns who asks, for sharing out places: an IPv4 address, or the 64
// bits of an IPv6 network, in which one machine can take any address. For a
// proxy with a configured name it is the last one in X-Forwarded-For, which
// the proxy itself has added.
func (s *Server) client(r *http.Request) netip.Prefix {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	addr := peer.Addr()
	if lines := r.Header.Values("X-Forwarded-For"); len(lines) > 0 && s.throughProxy(r) {
		last := lines[len(lines)-1]
		if named, err := netip.ParseAddr(strings.TrimSpace(last[strings.LastIndex(last, ",")+1:])); err == nil {
			addr = named
		}
	}
	addr = addr.Unmap().WithZone("")
	bits := 64
	if addr.Is4() {
		bits = 32
	}
	network, _ := addr.Prefix(bits)
	return network
}

// knownHost reports whether a loopback peer means this machine. A name with a
// dot in it may be a stranger's that resolves to 127.0.0.1 (DNS rebinding);
// a name without one is nobody's on the net.
func (s *Server) knownHost(hostport string) bool {
	host := hostname(hostport)
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		host != "" && !strings.ContainsAny(host, ".:[]") || slices.Contains(s.config.Hosts, host)
}

func hostname(hostport string) string {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// shown makes what a stranger sent fit for one short line.
func shown(s string) string {
	line := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '<' || r == '>' {
			return '?'
		}
		return r
	}, s)
	return line[:min(len(line), 80)]
}

// admit sets the cookie for /?token=… and leads to the page without it, so
// that the token stays out of histories and pictures.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if s.isToken(query.Get("token")) {
		http.SetCookie(w, &http.Cookie{
			Name: cookie, Value: s.config.Token, Path: "/",
			MaxAge: 30 * 24 * 3600, HttpOnly: true, SameSite: http.SameSiteStrictMode,
			Secure: s.throughProxy(r) && r.Header.Get("X-Forwarded-Proto") == "https",
		})
	}
	query.Del("token")
	to := "/"
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to, http.StatusSeeOther)
}
