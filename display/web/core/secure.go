package core

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
)

// handshake is the first byte of a TLS connection. It is the type of the first record (RFC
// 8446, section 5.1). No HTTP method begins with this byte.
const handshake = 0x16

// A sniffListener offers TLS and plain HTTP on one port. Accept does not wait for the first
// byte of a connection. The goroutine of the connection reads the byte, under the deadline for
// the first request.
type sniffListener struct {
	net.Listener
	config *tls.Config
}

func (l sniffListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &sniffConn{Conn: c, config: l.config}, nil
}

// A sniffConn is a connection that is TLS or plain HTTP, depending on its first byte. The
// server must read before it writes, and must read in only one goroutine at a time.
type sniffConn struct {
	net.Conn
	config *tls.Config
	inner  atomic.Pointer[net.Conn] // what the first byte decided; nil before it
}

// decided returns the connection that the first byte decided, or the plain one before it.
func (c *sniffConn) decided() net.Conn {
	if inner := c.inner.Load(); inner != nil {
		return *inner
	}
	return c.Conn
}

func (c *sniffConn) Read(p []byte) (int, error) {
	if c.inner.Load() == nil {
		first := make([]byte, 1)
		if n, err := c.Conn.Read(first); n == 0 {
			return 0, err
		}
		var inner net.Conn = &peekedConn{c.Conn, first}
		if first[0] == handshake {
			inner = tls.Server(inner, c.config)
		}
		c.inner.Store(&inner)
	}
	return c.decided().Read(p)
}

func (c *sniffConn) Write(p []byte) (int, error) { return c.decided().Write(p) }

func (c *sniffConn) Close() error { return c.decided().Close() }

// CloseWrite ends the sending side of the connection. http.Server calls CloseWrite before it
// closes the connection. Without this call, a client may lose the end of an error response.
func (c *sniffConn) CloseWrite() error {
	if inner, ok := c.decided().(interface{ CloseWrite() error }); ok {
		return inner.CloseWrite()
	}
	return nil
}

// peekedConn is a connection whose first byte has been read.
type peekedConn struct {
	net.Conn
	peeked []byte
}

func (c *peekedConn) Read(p []byte) (int, error) {
	if len(c.peeked) > 0 && len(p) > 0 {
		n := copy(p, c.peeked)
		c.peeked = c.peeked[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}

func (c *peekedConn) CloseWrite() error {
	if inner, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return inner.CloseWrite()
	}
	return nil
}

// A connKey is the key under which the context of a request holds the request's connection.
type connKey struct{}

func keepConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// withTLS sets r.TLS, as http.Server does for connections of a TLS listener.
func withTLS(r *http.Request) *http.Request {
	c, _ := r.Context().Value(connKey{}).(*sniffConn)
	if c == nil {
		return r
	}
	if inner, ok := c.decided().(*tls.Conn); ok {
		state := inner.ConnectionState()
		r.TLS = &state
	}
	return r
}

// secure returns a handler that redirects plain requests from other machines to TLS. A request
// that asks how to trust the table is not redirected. If the table has no TLS, secure returns
// the given handler unchanged.
func (s *Site) secure(next http.Handler) http.Handler {
	if s.config.TLS == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = withTLS(r)
		if r.TLS != nil || isThisMachine(r) || isOpenInPlain(r.URL.Path) || r.Host == "" {
			next.ServeHTTP(w, r)
			return
		}
		to := url.URL{Scheme: "https", Host: r.Host, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
		// Browsers keep a permanent redirect for ever, but a table may go back to
		// plain HTTP.
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Location", to.String())
		w.WriteHeader(http.StatusPermanentRedirect)
	})
}

func isOpenInPlain(path string) bool {
	return path == "/trust" || strings.HasPrefix(path, "/trust/") || strings.HasPrefix(path, "/assets/")
}

// isThisMachine reports whether a request has not left this machine. Such a request comes from
// loopback, or from the very address to which it was sent.
func isThisMachine(r *http.Request) bool {
	if isLoopbackPeer(r) {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	to, err2 := netip.ParseAddrPort(local.String())
	return err == nil && err2 == nil && peer.Addr().Unmap() == to.Addr().Unmap()
}

// isCertified reports whether the request came over TLS under a name of the certificate. A
// foreign site cannot pass this check: even if its name resolves to this machine, the name is
// not in the certificate.
func (s *Site) isCertified(r *http.Request) bool {
	if r.TLS == nil || s.config.TLS == nil || s.config.TLS.GetCertificate == nil {
		return false
	}
	certificate, err := s.config.TLS.GetCertificate(&tls.ClientHelloInfo{ServerName: r.TLS.ServerName})
	return err == nil && certificate.Leaf != nil && certificate.Leaf.VerifyHostname(hostname(r.Host)) == nil
}

func (s *Site) TrustRoutes() []Route {
	return append(s.OrNone(s.config.Authority != nil, Missing("this table has no authority of its own"),
		Get("/trust/tableside.crt", ToRead, s.Do(s.authority)),
		Get("/trust/tableside.pem", ToRead, s.Do(s.authority))),
		Get("/trust", ToRead, s.Do(s.trust)))
}

// trust serves the page about the table's own certificate authority. Without one it has no
// fingerprint, and says how to get one.
func (s *Site) trust(w http.ResponseWriter, r *http.Request) (any, error) {
	if s.config.Authority == nil && !isVisit(r) {
		return nil, Missing("this table has no authority of its own, so there is nothing to trust")
	}
	pairs := ""
	if s.config.Authority != nil {
		pairs = fmt.Sprintf("% X", sha256.Sum256(s.config.Authority))
	}
	w.Header().Set("Content-Security-Policy", Unframed)
	page := s.Assets.Get(s.LangFor(r), "trust.html").data
	page = bytes.Replace(page, []byte("{{fingerprint}}"), []byte(pairs), 1)
	return Document{Kind: KindOf("trust.html"), Data: page}, nil
}

// authority serves the certificate of the table's own authority, for phones, or as PEM, for curl,
// Prometheus and other programs. Android names the saved file after the last part of the address.
// From the media type, iOS knows that the file is a profile to install.
func (s *Site) authority(_ http.ResponseWriter, r *http.Request) (any, error) {
	if strings.HasSuffix(r.URL.Path, ".pem") {
		data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.config.Authority})
		return Document{Kind: "application/x-pem-file", Data: data}, nil
	}
	return Document{Kind: "application/x-x509-ca-cert", Data: s.config.Authority}, nil
}
