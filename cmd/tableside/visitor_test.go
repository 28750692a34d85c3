package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A visitor is a browser behind a proxy.
type visitor struct {
	t      *testing.T
	origin string
	client *http.Client
}

func newVisitor(t *testing.T, origin string, port int, roots *x509.CertPool) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{
		TLSClientConfig:       &tls.Config{RootCAs: roots},
		DisableKeepAlives:     true,
		ResponseHeaderTimeout: 20 * time.Second,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, "127.0.0.1:"+strconv.Itoa(port))
		},
	}
	return &visitor{t, origin, &http.Client{Transport: transport, Jar: jar}}
}

func (v *visitor) request(ctx context.Context, method, path, body string, header map[string]string) (*http.Response,
	error) {
	r, err := http.NewRequestWithContext(ctx, method, v.origin+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	return v.client.Do(r)
}

func (v *visitor) do(method, path, body string, header map[string]string) (status int, text string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	answer, err := v.request(ctx, method, path, body, header)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return answer.StatusCode, string(data)
}

// await waits until the table answers through the proxy.
func (v *visitor) await() {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		answer, err := v.request(ctx, "GET", "/healthz", "", nil)
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
			err = fmt.Errorf("healthz: %s", answer.Status)
		}
		select {
		case <-ctx.Done():
			v.t.Fatal(err)
		case <-again.C:
		}
	}
}

// live opens the live stream until the test ends. The channel has the frames,
// and is closed at the end.
func (v *visitor) live(header map[string]string) (<-chan string, *http.Response) {
	v.t.Helper()
	answer, err := v.request(v.t.Context(), "GET", "/api/live", "", header)
	if err != nil {
		v.t.Fatal(err)
	}
	frames := make(chan string, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(frames)
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: {"); ok {
				frames <- "{" + data
			}
		}
	}()
	v.t.Cleanup(func() { answer.Body.Close(); <-done })
	return frames, answer
}

// next returns the next frame, which has to come while the stream is open.
func next(t *testing.T, frames <-chan string) string {
	t.Helper()
	select {
	case frame, ok := <-frames:
		if !ok {
			t.Fatal("the live stream has ended")
		}
		return frame
	case <-time.After(20 * time.Second): // the beat after 15 s would not help
		t.Fatal("no frame comes through: something keeps it back")
	}
	return ""
}

// mayNotPlay checks that without the token nobody can play or see secrets, with any
// headers.
func (v *visitor) mayNotPlay() {
	v.t.Helper()
	for _, lie := range []map[string]string{
		nil,
		{"X-Forwarded-For": "127.0.0.1"}, {"X-Forwarded-For": ""}, {"X-Real-Ip": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"},
		{"Authorization": "Bearer x"}, {"Cookie": "tableside=x"}, {"Origin": v.origin, "Sec-Fetch-Site": "same-origin"},
	} {
		for _, path := range []string{"/api/input", "/api/match", "/api/tap", "/api/lift", "/api/press", "/api/pick"} {
			if status, body := v.do("POST", path, "red choose +1", lie); status != http.StatusUnauthorized {
				v.t.Errorf("POST %s with %v: %d %s", path, lie, status, body)
			}
		}
		for _, path := range []string{"/join.png", "/panel.png", "/api/piles", "/api/cards?game=tally/score"} {
			if status, body := v.do("GET", path, "", lie); status != http.StatusUnauthorized {
				v.t.Errorf("GET %s with %v: %d %s", path, lie, status, body)
			}
		}
	}
	if status, body := v.do("GET", "/api/view", "", nil); status != http.StatusOK || !strings.Contains(body, `"seq":0`) {
		v.t.Errorf("view: %d %.200s", status, body)
	}
}

// mayPlay joins as a phone does, and checks that it can play an input, and not end
// the match.
func (v *visitor) mayPlay(token string) {
	v.t.Helper()
	if status, _ := v.do("GET", "/?token="+token, "", nil); status != http.StatusOK {
		v.t.Errorf("joining: %d", status)
	}
	if status, body := v.do("POST", "/api/input", "red choose +1",
		map[string]string{"Origin": v.origin}); status != http.StatusOK {
		v.t.Errorf("playing with the cookie: %d %s", status, body)
	}
	if status, body := v.do("POST", "/api/match", `{"do":"abandon"}`,
		map[string]string{"Origin": v.origin}); status != http.StatusForbidden {
		v.t.Errorf("ending the match with the cookie: %d %s", status, body)
	}
	if status, body := v.do("POST", "/api/input", "red choose +1",
		map[string]string{"Origin": "https://evil.example"}); status != http.StatusForbidden {
		v.t.Errorf("another site's request with the cookie: %d %s", status, body)
	}
	v.client.Jar, _ = cookiejar.New(nil)
	if status, body := v.do("GET", "/join.png", "",
		map[string]string{"Authorization": "Bearer " + token}); status != http.StatusOK {
		v.t.Errorf("the code with the token: %d %.100s", status, body)
	}
}

// countsAsOne checks that a visitor that claims another address each time gets no
// more than its share of streams.
func (v *visitor) countsAsOne() {
	v.t.Helper()
	for i := range 64 {
		frames, answer := v.live(map[string]string{"X-Forwarded-For": fmt.Sprintf("203.0.113.%d", i)})
		if answer.StatusCode == http.StatusOK {
			next(v.t, frames)
			continue
		}
		if answer.StatusCode != http.StatusServiceUnavailable || i < 2 || i > 20 {
			v.t.Errorf("page %d is answered with %s", i, answer.Status)
		}
		return
	}
	v.t.Error("one visitor has taken all places")
}

func tokenIsNotIn(t *testing.T, dir, token string) {
	t.Helper()
	if len(token) < 20 {
		t.Fatalf("the token is %q", token)
	}
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		if bytes.Contains(data, []byte(token)) {
			t.Errorf("the token is in %s", filepath.Base(file))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
