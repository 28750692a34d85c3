package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tableside/cmd/tableside/config"
)

const proxyName = "table.example.org" // that of docs/proxy.md

// TestProxyRecipes: nginx and Caddy, as docs/proxy.md configures them, carry
// the page and its live stream, let nobody play without the token, and keep
// the token out of their logs. Of the recipes only ports and paths are other
// ones here.
func TestProxyRecipes(t *testing.T) {
	for _, proxy := range []struct {
		name  string
		start func(t *testing.T, dir, recipe string, port int)
	}{
		{"nginx", startNginx},
		{"caddy", startCaddy},
	} {
		t.Run(proxy.name, func(t *testing.T) {
			p, upstream, token := tableBehindProxy(t, recipe(t, "toml"))
			dir, port := t.TempDir(), freePort()
			roots := certify(t, dir)
			config := replaced(t, recipe(t, proxy.name), "127.0.0.1:8080", upstream)
			config = replaced(t, config, "/etc/ssl/table/", dir+"/")
			proxy.start(t, dir, config, port)
			b := newVisitor(t, "https://"+proxyName+":"+strconv.Itoa(port), port, roots)
			b.await()
			if status, body := b.do("GET", "/", "", nil); status != 200 || !strings.Contains(body, "<!doctype html>") {
				t.Fatalf("page: %d %.100s", status, body)
			}
			live, _ := b.live(nil)
			if first := next(t, live); !strings.Contains(first, `"seq":0`) || !strings.Contains(first, `"writes":false`) {
				t.Errorf("first frame: %.300s", first)
			}
			b.mayNotPlay()
			b.mayPlay(token)
			for !strings.Contains(next(t, live), `"seq":1`) { // or something keeps it back
			}
			b.countsAsOne()
			p.interrupt()
			tokenIsNotIn(t, dir, token)
		})
	}
}

// TestProxyByDefault: a proxy that says neither who asks nor under which name
// may look, and do nothing else, where the token is asked for on this machine
// too. Where it is not, such a proxy lets everybody play.
func TestProxyByDefault(t *testing.T) {
	const plain = "server { listen 443; location / { proxy_pass http://127.0.0.1:8080; } }"
	for _, local := range []string{config.LocalToken, config.LocalOpen} {
		t.Run(local, func(t *testing.T) {
			p, upstream, _ := tableBehindProxy(t, "[http]\nlisten = \"127.0.0.1:8080\"\nlocal = \""+local+"\"\n")
			port := freePort()
			startNginx(t, t.TempDir(), replaced(t, plain, "127.0.0.1:8080", upstream), port)
			b := newVisitor(t, "http://"+proxyName+":"+strconv.Itoa(port), port, nil)
			b.await()
			if local == config.LocalToken {
				b.mayNotPlay()
			} else if status, body := b.do("POST", "/api/input", "red choose +1", nil); status != 200 {
				t.Errorf("this test shows nothing: %d %s", status, body)
			}
			p.interrupt()
		})
	}
}

// recipe is the one block of a language in docs/proxy.md.
func recipe(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/proxy.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "\n```"+language+"\n")
	if len(blocks) != 2 {
		t.Fatalf("docs/proxy.md has %d recipes for %s, want 1", len(blocks)-1, language)
	}
	text, _, _ := strings.Cut(blocks[1], "\n```\n")
	return text + "\n"
}

// replaced puts another port or path into a recipe, which has to have it.
func replaced(t *testing.T, text, from, to string) string {
	t.Helper()
	if !strings.Contains(text, from) {
		t.Fatalf("%q is not in the recipe:\n%s", from, text)
	}
	return strings.ReplaceAll(text, from, to)
}

// tableBehindProxy starts a table with a configuration for proxies.
func tableBehindProxy(t *testing.T, config string) (p *process, upstream, token string) {
	t.Helper()
	dir := t.TempDir()
	upstream = "127.0.0.1:" + strconv.Itoa(freePort())
	config = replaced(t, config, "127.0.0.1:8080", upstream)
	config = fmt.Sprintf("[table]\ndata = %q\n[game]\nname = \"tally/score\"\noptions = { turns = \"off\" }\n%s", dir, config)
	file := filepath.Join(dir, "table.toml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	p = startTable(t, "run", "--config", file)
	token, err := readToken(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p, upstream, token
}

// certify makes a certificate as the recipes name it.
func certify(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{proxyName}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	for name, data := range map[string][]byte{
		"fullchain.pem": chain,
		"privkey.pem":   pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(chain)
	return roots
}

// startNginx runs a server block in a folder of its own.
func startNginx(t *testing.T, dir, recipe string, port int) {
	t.Helper()
	recipe = replaced(t, recipe, "listen 443", "listen 127.0.0.1:"+strconv.Itoa(port))
	recipe = strings.ReplaceAll(recipe, "/var/log/nginx/", dir+"/")
	var temporary strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "%s_temp_path %s/%s;\n", kind, dir, kind)
	}
	config := fmt.Sprintf("daemon off;\nmaster_process off;\npid %s/pid;\nerror_log %[1]s/error.log;\nevents {}\nhttp {\naccess_log %[1]s/access.log;\n%s%s}\n",
		dir, &temporary, recipe)
	startProxy(t, dir, "nginx", "nginx-light", config, "-p", dir, "-e", dir+"/error.log", "-c")
}

// startCaddy runs a Caddyfile with options that keep it in its folder.
func startCaddy(t *testing.T, dir, recipe string, port int) {
	t.Helper()
	options := fmt.Sprintf("{\nadmin off\ndefault_bind 127.0.0.1\nhttp_port %d\nhttps_port %d\n}\n", freePort(), port)
	startProxy(t, dir, "caddy", "caddy", options+recipe, "run", "--adapter", "caddyfile", "--config")
}

// startProxy runs a proxy until the test ends; the name of its configuration
// follows the arguments.
func startProxy(t *testing.T, dir, program, in, config string, args ...string) {
	t.Helper()
	path := program
	for _, folder := range []string{"", "/usr/sbin/"} { // which is not on everybody's PATH
		if found, err := exec.LookPath(folder + program); err == nil {
			path = found
		}
	}
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := os.Create(filepath.Join(dir, "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	cmd := exec.Command(path, append(args, file)...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: apt-get install %s, or make tools", err, in)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		limit := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
		defer limit.Stop()
		_ = cmd.Wait()
		if t.Failed() {
			text, _ := os.ReadFile(said.Name())
			t.Logf("%s said:\n%s", program, text)
		}
	})
}

// A visitor is a browser that comes through a proxy.
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

func (v *visitor) request(ctx context.Context, method, path, body string, header map[string]string) (*http.Response, error) {
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

// await waits until the proxy passes something on.
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

// next is the next frame, which has to come while the stream is open.
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

// mayNotPlay: without the token nothing can be done or seen of what is secret,
// whatever a stranger says of itself.
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

// mayPlay joins as a phone does, and plays one input.
func (v *visitor) mayPlay(token string) {
	v.t.Helper()
	if status, _ := v.do("GET", "/"+key(token), "", nil); status != http.StatusOK {
		v.t.Errorf("joining: %d", status)
	}
	if status, body := v.do("POST", "/api/input", "red choose +1", map[string]string{"Origin": v.origin}); status != http.StatusOK {
		v.t.Errorf("playing with the cookie: %d %s", status, body)
	}
	if status, body := v.do("POST", "/api/input", "red choose +1", map[string]string{"Origin": "https://evil.example"}); status != http.StatusForbidden {
		v.t.Errorf("another site's request with the cookie: %d %s", status, body)
	}
	v.client.Jar, _ = cookiejar.New(nil)
	if status, body := v.do("GET", "/join.png", "", map[string]string{"Authorization": "Bearer " + token}); status != http.StatusOK {
		v.t.Errorf("the code with the token: %d %.100s", status, body)
	}
}

// countsAsOne: a visitor that says it is another one each time still gets no
// more than its share of places.
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
