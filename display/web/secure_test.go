package web

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func certified(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	get := func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &s.TLS.Certificates[0], nil }
	return &tls.Config{GetCertificate: get}, roots
}

// afar is a connection that seems to come from another machine.
type afar struct{ net.Conn }

func (afar) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 168, 1, 7), Port: 5000} }

type afarListener struct{ net.Listener }

func (l afarListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return afar{c}, nil
}

// secured serves a table with a certificate, to this machine or to others, and
// returns its address and a client that follows no redirect.
func secured(t *testing.T, remote bool) (addr string, client *http.Client) {
	t.Helper()
	tb := newTable(t).begin()
	config := tb.config()
	var roots *x509.CertPool
	config.TLS, roots = certified(t)
	config.Token, config.Authority = "s3cret", []byte("the authority")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr = l.Addr().String()
	if remote {
		l = afarListener{l}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	s := tb.show(newServer(config))
	go func() { ended <- s.Serve(ctx, l) }()
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return addr, &http.Client{Transport: transport, Timeout: 20 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func fetch(t *testing.T, c *http.Client, url string) (*http.Response, string) {
	t.Helper()
	answer, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

// TestOnePort tests what a port with a certificate answers to whom: this machine may
// speak plain HTTP, others are redirected, but for the page about the certificate.
func TestOnePort(t *testing.T) {
	here, client := secured(t, false)
	for _, scheme := range []string{"http://", "https://"} {
		for range 2 { // the second one on the same connection
			if a, body := fetch(t, client, scheme+here+"/api/piles"); a.StatusCode != 200 || !strings.Contains(body, "hand") {
				t.Errorf("%s on this machine: %d %s", scheme, a.StatusCode, body)
			}
		}
	}
	there, client := secured(t, true)
	a, _ := fetch(t, client, "http://"+there+"/api/view?lang=fr&x=%2F")
	if to := a.Header.Get("Location"); a.StatusCode != 308 || to != "https://"+there+"/api/view?lang=fr&x=%2F" ||
		a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("plain, from another machine: %d to %s", a.StatusCode, to)
	}
	post, err := client.Post("http://"+there+"/api/input", "text/plain", strings.NewReader("red tap fox.1"))
	if err != nil || post.StatusCode != 308 {
		t.Errorf("an input in plain: %v %v", post, err)
	}
	for path, want := range map[string]string{"/trust": "2F 61 23 23", "/assets/trust.css": ".phone",
		"/trust/tableside.crt": "the authority"} {
		if a, body := fetch(t, client, "http://"+there+path); a.StatusCode != 200 || !strings.Contains(body, want) {
			t.Errorf("%s in plain: %d %.200s", path, a.StatusCode, body)
		}
	}
	if a, _ := fetch(t, client, "http://"+there+"/trust/../api/view"); a.StatusCode == 200 {
		t.Errorf("a way around: %d", a.StatusCode)
	}
	if a, body := fetch(t, client, "https://"+there+"/api/view"); a.StatusCode != 200 || a.ProtoMajor != 1 {
		t.Errorf("over TLS: %d %s %s", a.StatusCode, a.Proto, body)
	}
	if a, _ := fetch(t, client, "https://"+there+"/api/piles"); a.StatusCode != 401 {
		t.Errorf("over TLS without the token: %d", a.StatusCode)
	}
	joined, _ := fetch(t, client, "https://"+there+"/?token=s3cret")
	if c := joined.Cookies(); len(c) != 1 || !c[0].Secure {
		t.Errorf("the cookie over TLS: %v", c)
	}
	live, err := client.Get("https://" + there + "/api/live")
	if err != nil {
		t.Fatal(err)
	}
	defer live.Body.Close()
	if line, err := bufio.NewReader(live.Body).ReadString('\n'); line != "retry: 1000\n" {
		t.Errorf("the stream over TLS: %q %v", line, err)
	}
}

// TestNamesOverTLS tests that a name of the certificate is no foreign one, but gives
// no right that only this machine has.
func TestNamesOverTLS(t *testing.T) {
	tb := newTable(t).begin()
	config := tb.config()
	config.Token = "s3cret"
	config.TLS, _ = certified(t)
	s := tb.show(newServer(config))
	for _, c := range []struct {
		path, host string
		tls        bool
		want       int
	}{
		{"/api/view", "example.com:8080", true, 200},
		{"/api/view", "example.com", false, 403},
		{"/api/view", "evil.example", true, 403},
		{"/api/piles", "example.com", true, 401},
		{"/api/piles", "127.0.0.1:8080", true, 200},
		{"/api/piles", "localhost", true, 200},
	} {
		r, w := httptest.NewRequest("GET", c.path, nil), httptest.NewRecorder()
		r.RemoteAddr, r.Host = "127.0.0.1:40000", c.host
		if c.tls {
			r.TLS = &tls.ConnectionState{ServerName: "example.com"}
		}
		if s.Handler().ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
	}
	if w := (request{method: "GET", path: "/trust"}).send(s); w.Code != http.StatusNotFound {
		t.Errorf("a page about no authority: %d", w.Code)
	}
}

// pipeListener accepts the ends of pipes, so that a test has its own clock.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return afar{c}, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}
func (l *pipeListener) Close() error   { close(l.done); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 168, 1, 5), Port: 8080} }

func (l *pipeListener) dial() net.Conn {
	mine, its := net.Pipe()
	l.conns <- its
	return mine
}

// TestSilentClients tests that clients which say nothing, or stop within their
// handshake, delay nobody, and are gone after some seconds.
func TestSilentClients(t *testing.T) {
	tb := newTable(t).begin()
	config := tb.config()
	var roots *x509.CertPool
	config.TLS, roots = certified(t)
	synctest.Test(t, func(t *testing.T) {
		s := tb.show(newServer(config))
		l := &pipeListener{make(chan net.Conn), make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, l) }()

		began := time.Now()
		silent := []net.Conn{l.dial(), l.dial(), l.dial(), l.dial()}
		for i, start := range []string{"", "\x16", "\x16\x03\x01\x02\x00\x01\x00", "G"} {
			if _, err := io.WriteString(silent[i], start); err != nil {
				t.Fatal(err)
			}
		}
		transport := &http.Transport{DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "example.com"},
			DialContext:     func(context.Context, string, string) (net.Conn, error) { return l.dial(), nil }}
		r, _ := http.NewRequest("GET", "https://192.168.1.5:8080/healthz", nil)
		answer, err := transport.RoundTrip(r)
		if err != nil || answer.StatusCode != 200 || time.Since(began) > 0 {
			t.Errorf("beside silent clients: %v %v after %v", answer, err, time.Since(began))
		}
		if err == nil {
			answer.Body.Close()
		}
		for i, c := range silent {
			for {
				_, err := c.Read(make([]byte, 1024)) // maybe an error in plain text first
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatalf("client %d: %v", i, err)
				}
			}
			if took := time.Since(began); took > 6*time.Second {
				t.Errorf("client %d is there after %v", i, took)
			}
			c.Close()
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestTrustInEnglish opens the page about the certificate as an English browser does, for which
// nothing of the page's state differs from what it begins with.
func TestTrustInEnglish(t *testing.T) {
	url, _ := listen(t, trusted(t).Server, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/trust")
	b.until(`document.querySelector("h1")?.textContent === "Your phone warns about this table"`)
}
