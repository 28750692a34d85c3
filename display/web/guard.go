package web

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// cookie names the cookie that keeps the token of a browser that visited
// /?token=….
const cookie = "tableside"

// guard wraps all routes. It refuses cross-site requests, and foreign host
// names for this machine, before any handler runs.
func (s *Server) guard(next http.Handler) http.Handler {
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
		if isLoopbackPeer(r) && !s.knownHost(r.Host) && !s.isCertified(r) {
			fail(w, http.StatusForbidden, "this table does not answer to the name "+printable(hostname(r.Host)))
			return
		}
		inner.ServeHTTP(w, r)
	})
}

// requireWrite wraps a handler that needs write access.
func (s *Server) requireWrite(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// CrossOriginProtection passes every GET, but only this site's own
		// pages may read hidden cards and the token.
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
			fail(w, http.StatusUnauthorized,
				"writing needs the token: scan the code on the table's panel, or send Authorization: Bearer with what the "+
					"file token in the table's data folder holds")
		}
	}
}

func (s *Server) mayWrite(r *http.Request) bool {
	// A configured host name belongs to a proxy, which forwards requests for
	// others even if no header says so.
	if !s.config.AskHere && isDirectLoopback(r) && !s.throughProxy(r) {
		return true
	}
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && s.isToken(token) {
		return true
	}
	c, err := r.Cookie(cookie)
	return err == nil && s.isToken(c.Value)
}

// throughProxy reports whether a proxy on this machine may have sent the request:
// its host is one of the configured names, or of the certificate.
func (s *Server) throughProxy(r *http.Request) bool {
	return isLoopbackPeer(r) && (slices.Contains(s.config.Hosts, hostname(r.Host)) || !s.knownHost(r.Host))
}

func (s *Server) isToken(token string) bool {
	return s.config.Token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(s.config.Token)) == 1
}

// isDirectLoopback reports whether the request comes from this machine itself
// and no header says that a proxy forwarded it.
func isDirectLoopback(r *http.Request) bool {
	for _, header := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip"} {
		if r.Header.Get(header) != "" {
			return false
		}
	}
	return isLoopbackPeer(r)
}

// isLoopbackPeer reports whether the connection comes from this machine. It
// ignores all headers: a page under a foreign name can send any.
func isLoopbackPeer(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

// client returns the address that counts against the limit per client: an IPv4
// address, or an IPv6 /64 network, since one machine can take any address in
// it. For a proxy with a configured name it is the last address in
// X-Forwarded-For, which the proxy itself added.
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

// knownHost reports whether a host name may stand for this machine. A name with
// a dot may be a foreign one that resolves to 127.0.0.1 (DNS rebinding); a name
// without a dot belongs to nobody on the internet.
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

// printable returns untrusted text as one short line of plain ASCII.
func printable(s string) string {
	line := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '<' || r == '>' {
			return '?'
		}
		return r
	}, s)
	return line[:min(len(line), 80)]
}

// admit sets the cookie for /?token=… and redirects to the page without the
// token, which keeps it out of browser histories and screenshots.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if s.isToken(query.Get("token")) {
		http.SetCookie(w, &http.Cookie{
			Name: cookie, Value: s.config.Token, Path: "/",
			MaxAge: 30 * 24 * 3600, HttpOnly: true, SameSite: http.SameSiteStrictMode,
			Secure: r.TLS != nil || s.throughProxy(r) && r.Header.Get("X-Forwarded-Proto") == "https",
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
