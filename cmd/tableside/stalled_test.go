package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestStalledConnections lets 1,300 connections from one address send half a header and renew
// themselves while the program may have 1,024 files open, as under systemd. Pages must answer, and
// a match must begin and be kept. With each question, a fourteenth of the connections is renewed:
// a slow machine accepts as many of them before it answers as a fast one. An answer may take 300 ms,
// or as long as the machine takes for as many questions before there are strangers.
func TestStalledConnections(t *testing.T) {
	const stalled, renewed = 1300, 1300 / 14
	limited := exec.Command("sh", "-c", `ulimit -n 1024 && exec "$0" "$@"`, binary(),
		"demo", "--http", "127.0.0.1:0", "--mqtt", "127.0.0.1:0", "--new", "--data", t.TempDir())
	p := startCommand(t, limited)
	fresh := http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	var took []time.Duration
	ask := func(method, path, body string) string {
		t.Helper()
		began := time.Now()
		request, _ := http.NewRequestWithContext(t.Context(), method, p.page+path, strings.NewReader(body))
		answer, err := fresh.Do(request)
		if err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		defer answer.Body.Close()
		var text bytes.Buffer
		if _, err := text.ReadFrom(answer.Body); err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		took = append(took, time.Since(began))
		return text.String()
	}
	began := time.Now()
	for range renewed {
		ask("GET", "/api/view", "")
	}
	bearable := max(300*time.Millisecond, time.Since(began))
	ctx, stop := context.WithCancel(t.Context())
	var strangers sync.WaitGroup
	defer strangers.Wait()
	defer stop()
	var dialled atomic.Int64
	all, renew := make(chan bool), make(chan bool)
	for range stalled {
		strangers.Go(func() {
			for ctx.Err() == nil {
				c, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", strings.TrimPrefix(p.page, "http://"))
				if err != nil {
					continue
				}
				_, _ = c.Write([]byte("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "))
				if dialled.Add(1) == stalled {
					close(all)
				}
				select {
				case <-ctx.Done():
				case <-renew:
				}
				c.Close()
			}
		})
	}
	<-all
	besieged := func(method, path, body string) string {
		t.Helper()
		for range renewed {
			select {
			case renew <- true:
			case <-time.After(30 * time.Second):
				t.Fatal("no connection is there to be renewed")
			}
		}
		return ask(method, path, body)
	}
	middle := bearable + 1
	for round := 0; round < 5 && middle > bearable; round++ { // other work may slow down a round, not all
		took = nil
		for range 7 {
			besieged("GET", "/", "")
			besieged("GET", "/api/view", "")
		}
		slices.Sort(took)
		t.Log(took)
		middle = took[len(took)/2]
	}
	if middle > bearable {
		t.Errorf("answers take %v, want at most %v", middle, bearable)
	}
	begun := besieged("POST", "/api/match", `{"do":"begin","setup":{"game":"tally/score","seats":[{"seat":"red"},{"seat":"blue"}]}}`)
	played := besieged("POST", "/api/input", "red key plus")
	if !strings.Contains(begun, `"accepted"`) || !strings.Contains(played, `"accepted"`) {
		t.Errorf("the match begins with %s, the first input with %s", begun, played)
	}
	var well struct{ Keeping bool }
	if text := besieged("GET", "/healthz", ""); json.Unmarshal([]byte(text), &well) != nil || !well.Keeping {
		t.Errorf("the match is not kept: %s", text)
	}
	stop()
	strangers.Wait()
	p.interrupt()
	if log := p.errs.String(); strings.Contains(log, "too many open files") {
		t.Errorf("the log says:\n%s", log)
	}
}
