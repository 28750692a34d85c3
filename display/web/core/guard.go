package core

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// cookie is the name of the cookie in which a browser keeps its token after it has visited
// /?token=….
const cookie = "tableside"

// guard returns a handler that protects all routes. It sets the security headers of every
// response. Before it calls the next handler, it refuses three kinds of requests: cross-site
// requests, requests without a host, and requests from this machine under a foreign host name.
func (s *Site) guard(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Fail(w, r, errOtherSite)
	}))
	inner := cross.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		if r.Host == "" {
			s.Fail(w, r, Failf(http.StatusBadRequest, "the request names no host: send the header Host, as Host: localhost"))
			return
		}
		if isLoopbackPeer(r) && !s.knownHost(r.Host) && !s.isCertified(r) {
			s.Fail(w, r, Failf(http.StatusForbidden, "this table does not answer to the name %s", Printable(hostname(r.Host))))
			return
		}
		inner.ServeHTTP(w, r)
	})
}

func (s *Site) throughProxy(r *http.Request) bool {
	return isLoopbackPeer(r) && (slices.Contains(s.config.Hosts, hostname(r.Host)) || !s.knownHost(r.Host))
}

func isDirectLoopback(r *http.Request) bool {
	for _, header := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip"} {
		if _, found := r.Header[header]; found {
			return false
		}
	}
	return isLoopbackPeer(r)
}

// isLoopbackPeer reports whether the connection comes from this machine. It ignores all
// headers, because a page under a foreign name can send any header.
func isLoopbackPeer(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

// Client returns the address or network from which a request comes. All requests from there
// count towards the limits for one Client. For IPv4, the result is the address of the sender.
// For IPv6, it is the sender's /64 network, because one machine can take any address in such a
// network. For a local IPv6 address, it is only this address, because a whole home or club
// shares one local network.
//
// Behind a proxy with a configured name, Client returns the last address in X-Forwarded-For,
// which the proxy itself added.
func (s *Site) Client(r *http.Request) netip.Prefix {
	if lines := r.Header.Values("X-Forwarded-For"); len(lines) > 0 && s.throughProxy(r) {
		last := lines[len(lines)-1]
		if named, err := netip.ParseAddr(strings.TrimSpace(last[strings.LastIndex(last, ",")+1:])); err == nil {
			return clientAt(named)
		}
	}
	return clientOf(r.RemoteAddr)
}

func clientOf(peer string) netip.Prefix {
	from, _ := netip.ParseAddrPort(peer)
	return clientAt(from.Addr())
}

func clientAt(addr netip.Addr) netip.Prefix {
	addr = addr.Unmap().WithZone("")
	bits := 64
	if addr.Is4() || addr.IsLinkLocalUnicast() || addr.IsPrivate() {
		bits = addr.BitLen()
	}
	network, _ := addr.Prefix(bits)
	return network
}

func (s *Site) knownHost(hostport string) bool {
	host := hostname(hostport)
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		host != "" && host == s.Machine || slices.Contains(s.config.Hosts, host)
}

func hostname(hostport string) string {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

func Printable(s string) string {
	line := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '<' || r == '>' {
			return '?'
		}
		return r
	}, s)
	return line[:min(len(line), 80)]
}

// admit redirects /?token=… to the same page without the token. This keeps the token out of
// browser histories and screenshots.
//
// If the token gives rights, admit sets the cookie. If the token is the code of a seat, admit
// also adds ?seat= to the address. An owner who scans a player's code remains the owner.
func (s *Site) admit(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	token := query.Get("token")
	query.Del("token")
	has := s.RightsFor(token)
	c, err := r.Cookie(cookie)
	owner := err == nil && s.RightsFor(c.Value).Keep
	if has.Play && (has.Keep || !owner) {
		http.SetCookie(w, &http.Cookie{
			Name: cookie, Value: token, Path: "/",
			MaxAge: 30 * 24 * 3600, HttpOnly: true, SameSite: http.SameSiteStrictMode,
			Secure: r.TLS != nil || s.throughProxy(r) && r.Header.Get("X-Forwarded-Proto") == "https",
		})
	}
	if has.Seat != "" {
		query.Set("seat", string(has.Seat))
	}
	to := r.URL.EscapedPath()
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to, http.StatusSeeOther)
}
