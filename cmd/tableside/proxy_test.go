package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/mqtt/porttest"
)

const proxyName = "table.example.org" // as in docs/proxy.md

// TestProxyRecipes tests nginx and Caddy with the configurations of docs/proxy.md, but
// for ports and paths: they pass the page and its live stream, let nobody play without
// the token, and keep the token out of their logs.
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
			dir, port := t.TempDir(), porttest.Pick()
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
			if status, body := b.do("GET", "/?token="+token, "", nil); status != 502 { // a failure, which proxies log
				t.Errorf("join without a table: %d %.100s", status, body)
			}
			tokenIsNotIn(t, dir, token)
		})
	}
}

// TestProxyByDefault tests a proxy that passes on neither the client's address nor its
// own name. Where browsers on this machine need the token, it can only show the page;
// elsewhere it lets everybody play.
func TestProxyByDefault(t *testing.T) {
	const plain = "server { listen 443; location / { proxy_pass http://127.0.0.1:8080; } }"
	for _, local := range []string{config.LocalToken, config.LocalOpen} {
		t.Run(local, func(t *testing.T) {
			p, upstream, _ := tableBehindProxy(t, "[http]\nlisten = \"127.0.0.1:8080\"\nlocal = \""+local+"\"\n")
			port := porttest.Pick()
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

// recipe returns the only block of a language in docs/proxy.md.
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

// replaced replaces a port or path in a recipe, which must contain it.
func replaced(t *testing.T, text, from, to string) string {
	t.Helper()
	if !strings.Contains(text, from) {
		t.Fatalf("%q is not in the recipe:\n%s", from, text)
	}
	return strings.ReplaceAll(text, from, to)
}

// tableBehindProxy starts a table with a configuration for proxies. The token is ""
// where the table needs none.
func tableBehindProxy(t *testing.T, config string) (p *process, upstream, token string) {
	t.Helper()
	dir := t.TempDir()
	upstream = "127.0.0.1:" + strconv.Itoa(porttest.Pick())
	config = replaced(t, config, "127.0.0.1:8080", upstream)
	config = fmt.Sprintf("[table]\ndata = %q\n[game]\nname = \"tally/score\"\noptions = { turns = \"off\" }\n%s", dir,
		config)
	file := filepath.Join(dir, "table.toml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	p = startTable(t, "run", "--config", file)
	data, err := os.ReadFile(filepath.Join(dir, "token"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return p, upstream, strings.TrimSpace(string(data))
}

// certify makes a certificate in the files that the recipes name.
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
	config := fmt.Sprintf("daemon off;\nmaster_process off;\npid %s/pid;\nerror_log %[1]s/error.log;\nevents "+
		"{}\nhttp {\naccess_log %[1]s/access.log;\n%s%s}\n",
		dir, &temporary, recipe)
	startProxy(t, dir, "nginx", "nginx-light", config, "-p", dir, "-e", dir+"/error.log", "-c")
}

func startCaddy(t *testing.T, dir, recipe string, port int) {
	t.Helper()
	options := fmt.Sprintf("{\nadmin off\ndefault_bind 127.0.0.1\nhttp_port %d\nhttps_port %d\n", porttest.Pick(), port)
	config := options + strings.TrimPrefix(recipe, "{\n") // whose first block has its own options
	startProxy(t, dir, "caddy", "caddy", config, "run", "--adapter", "caddyfile", "--config")
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
