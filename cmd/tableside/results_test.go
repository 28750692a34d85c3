package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

// A guest is a table as a process of its own, which names the hall club.
type guest struct {
	*process
	t                *testing.T
	data, conf, name string
}

// startGuest starts a table that plays the smallest match.
func startGuest(t *testing.T, name, broker string) *guest {
	t.Helper()
	folder := t.TempDir()
	g := &guest{t: t, name: name, data: filepath.Join(folder, "data"), conf: filepath.Join(folder, "table.toml")}
	if err := os.MkdirAll(g.data, 0o750); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("[table]\nname = %q\ndata = %q\n[http]\nlisten = \"127.0.0.1:0\"\n[mqtt]\nbroker = \"tcp://%s\"\n"+
		"hall = \"club\"\n", name, g.data, broker)
	if err := os.WriteFile(g.conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	g.start()
	return g
}

func (g *guest) start() { g.process = startTable(g.t, "run", "--config", g.conf) }

// play plays a match until Red has won, and returns its name.
func (g *guest) play() string {
	g.t.Helper()
	g.order(`{"do":"begin","setup":{"game":"tally/score","options":{"target":"5"},` +
		`"seats":[{"seat":"red","name":"Alice"},{"seat":"blue","name":"Max"}]}}`)
	g.does("red choose +5")
	var list []engine.MatchInfo
	g.read("/api/matches", &list)
	return list[0].ID
}

func (g *guest) order(body string) {
	g.t.Helper()
	answer, err := http.Post(g.page+"/api/match", "application/json", strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		g.t.Fatalf("%s: %s", body, answer.Status)
	}
}

func (g *guest) does(line string) {
	g.t.Helper()
	if r, err := g.input(line); err != nil || r.Outcome != engine.Accepted {
		g.t.Fatalf("%s: %+v, %v", line, r, err)
	}
}

func (p *process) read(path string, into any) {
	p.t.Helper()
	data, err := p.get(path)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		p.t.Fatalf("%s: %v: %s", path, err, data)
	}
}

// TestResults plays a match while there is no hall.
func TestResults(t *testing.T) {
	broker := startMosquitto(t)
	one := startGuest(t, "one", broker)
	match := one.play()
	folder := t.TempDir()
	hallConf := filepath.Join(folder, "hall.toml")
	if err := os.WriteFile(hallConf, []byte("[hall]\nname = \"club\"\n[mqtt]\nbroker = \"tcp://"+broker+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startTable(t, "hall", "--config", hallConf, "--http", "127.0.0.1:0", "--data", filepath.Join(folder, "data"))
	var list []map[string]any
	for limit := time.Now().Add(10 * time.Second); len(list) == 0; time.Sleep(20 * time.Millisecond) {
		p.read("/api/history", &list)
		if time.Now().After(limit) {
			t.Fatalf("nothing: %s\n%s", p.errs.String(), one.errs.String())
		}
	}
	t.Log(match, list)
	t.Log(p.errs.String(), one.errs.String())
}
