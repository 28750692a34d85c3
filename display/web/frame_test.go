package web

import (
	"strings"
	"testing"

	"tableside/display/web/core"
)

// TestWhoMayFrame checks which sites may show which page in a frame.
func TestWhoMayFrame(t *testing.T) {
	const (
		everybody = "everybody"
		own       = "'self'"
		listed    = "'self' http://homeassistant.local:8123 https://club.example"
	)
	origins := []string{"http://homeassistant.local:8123", "https://club.example"}
	tb := newTable(t).begin()
	config := tb.config()
	plain := tb.show(newServer(config))
	config.Frame = origins
	framed := tb.show(newServer(config))
	list := func(int) (any, int) { return nil, 1 }
	anyTable := func(string) bool { return true }
	hall := NewHall(HallConfig{Config: core.Config{OwnerToken: "0wner", Frame: origins}, List: list, IsTable: anyTable, Archive: &Config{}}).Server
	for _, c := range []struct {
		server     *Server
		path, peer string
		want       string
	}{
		{plain, "/", "", own},
		{plain, "/tv", "", everybody},
		{plain, "/overlay", "", everybody},
		{framed, "/", "", listed},
		{framed, "/history", "", listed},
		{framed, "/matches/current", "", listed},
		{framed, "/overlay/edit", "", listed},
		{framed, "/tv", "", everybody},
		{framed, "/setup", "", "'none'"},
		{framed, "/reader", "", "'none'"},
		{hall, "/", "192.0.2.1:7", everybody},
		{hall, "/", "", listed}, // the owner has buttons
		{hall, "/tables/demo", "", everybody},
		{hall, "/players", "192.0.2.1:7", listed},
	} {
		w := request{method: "GET", path: c.path, peer: c.peer}.send(c.server)
		_, got, found := strings.Cut(w.Header().Get("Content-Security-Policy"), "; frame-ancestors ")
		if !found && strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			got = everybody
		}
		if w.Code != 200 || got != c.want {
			t.Errorf("%s %s: %d, may be framed by %s, want %s", c.peer, c.path, w.Code, got, c.want)
		}
	}
}
