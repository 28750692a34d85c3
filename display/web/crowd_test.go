package web

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"tableside/display/web/core"
	"tableside/engine"
)

// TestFrameIsEncodedOnceForAll checks that a frame is encoded once per language
// for any number of pages, and that each page gets the same as if it were alone.
func TestFrameIsEncodedOnceForAll(t *testing.T) {
	tb := newTable(t).begin()
	config := tb.config()
	config.Token = "s3cret"
	s := tb.show(newServer(config))
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

// TestPlacesAreShared checks that pages of one address keep out nobody else, and that no page
// that may only read takes the place of one that may play.
func TestPlacesAreShared(t *testing.T) {
	s := newTable(t).begin().show(newServer(newTable(t).config()))
	for _, c := range []struct {
		places     *core.Places
		each, most int
		reader     string // the peer of a page that finds no place
	}{{&s.readers, readersEach, maxReaders, "192.0.2.1:7"}, {&s.players, playersEach, maxPlayers, "127.0.0.1:7"}} {
		refused := func(peer, why string) {
			t.Helper()
			if said := firstMessage(t, s, request{method: "GET", path: "/api/live", peer: peer}); !strings.Contains(said, why) {
				t.Errorf("a page of %s too many: %q", peer, said)
			}
		}
		here := netip.MustParseAddrPort(c.reader).Addr()
		for n := range c.most {
			from := netip.PrefixFrom(here, 32)
			if n >= c.each {
				from = netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 51, 100, byte(n)}), 32)
			}
			if leave, _ := c.places.Take(from); leave == nil {
				t.Fatalf("no place for page %d", n+1)
			}
			if n == c.each-1 {
				refused(c.reader, "from your address")
			}
		}
		refused(c.reader, "too many pages are open: close one")
		if c.places == &s.readers {
			if live := firstMessage(t, s, request{method: "GET", path: "/api/live", peer: "127.0.0.1:7"}); !strings.Contains(live, "view") {
				t.Errorf("readers keep out a player: %q", live)
			}
		}
	}
}

// TestClientAddress checks which address counts against the limit per client,
// and that a client cannot choose its own by a header.
func TestClientAddress(t *testing.T) {
	s := newServer(Config{Config: core.Config{Hosts: []string{"table.example"}}})
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
		if got := s.Client(r).String(); got != c.want {
			t.Errorf("%s as %s for %q counts as %s, want %s", c.peer, c.host, c.forwarded, got, c.want)
		}
	}
}
