package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"tableside/engine"
)

// TestFrameIsEncodedOnceForAll checks that a frame is encoded once per language
// for any number of pages, and that each page gets the same as if it were alone.
func TestFrameIsEncodedOnceForAll(t *testing.T) {
	tb := newTable(t).begin()
	config := tb.config()
	config.Token = "s3cret"
	s := tb.show(New(config))
	url, _ := listen(t, s, "127.0.0.1:0")
	far := remotePeers{s}.listen(t)
	var pages []*listener
	for i := range 48 {
		pages = append(pages, subscribe(t, []string{url, far}[i/44]+"/api/live"+[]string{"", "?lang=en", "?lang=fr"}[i%3]))
	}
	f, _ := s.currentFrame("")
	f.Events = nil
	for round := range 3 {
		for i, page := range pages { // every page reads the frame before the next one is shown
			m := page.frame()
			if len(m.Events) != round {
				t.Fatalf("round %d, page %d: %d events", round, i, len(m.Events))
			}
			want := []engine.Lang{"en", "en", "fr"}[i%3]
			if m.Lang != want || m.Writes != (i < 44) || len(m.Pictures) != 2-i/44 {
				t.Fatalf("page %d: lang %s, writes %t, pictures %v", i, m.Lang, m.Writes, m.Pictures)
			}
		}
		s.mu.Lock()
		if n := len(s.messages); n != 2 {
			t.Errorf("round %d: %d pages cost %d encodings, want 2", round, len(pages), n)
		}
		s.mu.Unlock()
		f.Events = append(f.Events, engine.Event{Name: "play", Seat: "red"})
		_ = s.Show(t.Context(), f)
	}
}

// TestLiveHoldsTheFrame checks that the message has every member of a frame's
// JSON.
func TestLiveHoldsTheFrame(t *testing.T) {
	names := func(v any) map[string]bool {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(data, &members); err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for name := range members {
			names[name] = true
		}
		return names
	}
	want := names(engine.Frame{})
	for _, name := range []string{"history", "writes", "rights", "pictures", "show", "trust"} {
		want[name] = true
	}
	if got := names(Live{}); !reflect.DeepEqual(got, want) {
		t.Errorf("members %v, want %v", got, want)
	}
}

// TestLiveIsWrittenAsDeclared checks that the text assembled from parts equals
// the JSON of Live, the type that documents it.
func TestLiveIsWrittenAsDeclared(t *testing.T) {
	tb := newTable(t).begin()
	s := tb.show(New(tb.config()))
	box := newMailbox(true, netip.Prefix{})
	for _, to := range []audience{{}, {rights: Rights{Play: true, Seat: "red"}, piles: true}, {rights: Rights{Play: true}},
		{rights: Rights{Play: true}, piles: true}, {rights: Rights{Play: true, Keep: true}}} {
		for _, lang := range engine.Languages {
			s.mu.Lock()
			m := s.message(lang, box)
			s.mu.Unlock()
			got, err := m.text(s, to)
			if err != nil {
				t.Fatal(err)
			}
			f := m.frame.In(lang)
			live := Live{f.View, shared{[]engine.Event{}, lang, speak(m.history, f), ""}, s.personal(f.Status, to.rights), nil}
			if to.piles {
				live.Piles = s.pilesFor(f, to.rights)
			}
			want, err := json.Marshal(live)
			if err != nil {
				t.Fatal(err)
			}
			if want := "event: frame\ndata: " + string(want) + "\n\n"; string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		}
	}
}

// TestConnectionLimits checks that read-only pages cannot take all connections,
// and that a page with write access always gets one that is free.
func TestConnectionLimits(t *testing.T) {
	s := newTable(t).begin().show(New(newTable(t).config()))
	open := func(writes bool, from string) string {
		_, why := s.register(writes, netip.MustParsePrefix(from))
		return why
	}
	for range maxPerClient {
		if why := open(false, "192.0.2.1/32"); why != "" {
			t.Fatal(why)
		}
	}
	if why := open(false, "192.0.2.1/32"); !strings.Contains(why, "from your address") {
		t.Errorf("page %d of one reader: %q", maxPerClient+1, why)
	}
	if why := open(true, "192.0.2.1/32"); why != "" {
		t.Errorf("a player at the same address: %s", why)
	}
	for i := 0; len(s.browsers) < maxBrowsers-reservedBrowsers; i++ {
		if why := open(false, fmt.Sprintf("198.51.100.%d/32", i)); why != "" {
			t.Fatal(why)
		}
	}
	if why := open(false, "203.0.113.1/32"); !strings.Contains(why, "too many pages") {
		t.Errorf("reader beyond the limit: %q", why)
	}
	for len(s.browsers) < maxBrowsers {
		if why := open(true, "192.0.2.1/32"); why != "" {
			t.Fatalf("player, with %d pages open: %s", len(s.browsers), why)
		}
	}
	if w := firstMessage(t, s, request{method: "GET", path: "/api/live"}); !strings.Contains(w, "too many pages") {
		t.Errorf("page %d: %q", maxBrowsers+1, w)
	}
}

// TestClientAddress checks which address counts against the limit per client,
// and that a client cannot choose its own by a header.
func TestClientAddress(t *testing.T) {
	s := New(Config{Hosts: []string{"table.example"}})
	for _, c := range []struct{ peer, host, forwarded, want string }{
		{"192.0.2.7:1", "raspberrypi.local", "", "192.0.2.7/32"},
		{"192.0.2.7:1", "table.example", "203.0.113.9", "192.0.2.7/32"},
		{"[::ffff:192.0.2.7]:1", "x", "", "192.0.2.7/32"},
		{"[2001:db8:1:2:3:4:5:6]:1", "x", "", "2001:db8:1:2::/64"},
		{"[fe80::1%eth0]:1", "x", "", "fe80::1/128"},
		{"[fd12:3456::7]:1", "x", "", "fd12:3456::7/128"},
		{"127.0.0.1:1", "localhost", "203.0.113.9", "127.0.0.1/32"},
		{"127.0.0.1:1", "table.example", "", "127.0.0.1/32"},
		{"127.0.0.1:1", "table.example:8443", "203.0.113.9", "203.0.113.9/32"},
		{"[::1]:1", "TABLE.example", "198.51.100.1, 2001:db8::9", "2001:db8::/64"},
		{"127.0.0.1:1", "table.example", "203.0.113.9, unknown", "127.0.0.1/32"},
	} {
		r, _ := http.NewRequest("GET", "http://x/api/live", nil)
		r.RemoteAddr, r.Host = c.peer, c.host
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := s.client(r).String(); got != c.want {
			t.Errorf("%s as %s for %q counts as %s, want %s", c.peer, c.host, c.forwarded, got, c.want)
		}
	}
}
