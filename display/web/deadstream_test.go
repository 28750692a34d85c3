package web

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// A swallower passes bytes on to a server. At a call of swallow, all its connections go dumb
// without a word, as those of a router that has lost its memory, and new ones work.
type swallower struct {
	to string

	mu      sync.Mutex
	through []net.Conn
	dumb    map[net.Conn]bool
}

func swallow(t *testing.T, to string) (s *swallower, url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s = &swallower{to: strings.TrimPrefix(to, "http://"), dumb: map[net.Conn]bool{}}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", s.to)
			if err != nil {
				client.Close()
				continue
			}
			s.mu.Lock()
			s.through = append(s.through, client, server)
			s.mu.Unlock()
			all.Go(func() { s.pass(client, server) })
			all.Go(func() { s.pass(server, client) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		s.mu.Lock()
		for _, c := range s.through {
			c.Close()
		}
		s.mu.Unlock()
		all.Wait()
	})
	return s, "http://" + l.Addr().String()
}

func (s *swallower) pass(from, to net.Conn) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		s.mu.Lock()
		dumb := s.dumb[from]
		s.mu.Unlock()
		if dumb {
			_, _ = io.Copy(io.Discard, from)
			return
		}
		if _, e := to.Write(buffer[:n]); err != nil || e != nil {
			return
		}
	}
}

func (s *swallower) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.through) / 2
}

func (s *swallower) swallow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.through {
		s.dumb[c] = true
	}
}

// A stream dies without a word, and with it all connections that the browser keeps for later
// requests. The page says so within 20 s, and is back within 10 s.
func TestStreamDiesWithoutAWord(t *testing.T) {
	tb := newTable(t).begin()
	s := tb.show(newServer(tb.config()))
	url, _ := listen(t, s, "127.0.0.1:0")
	between, url := swallow(t, url)
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.prompts("Alice, play a card")
	eventually(t, func() bool {
		b.eval(`idle = 0; for (let i = 0; i < 8; i++) fetch("/api/view", { cache: "no-store" }).then(r => r.text()).then(() => idle++); ""`)
		b.until(`idle === 8`)
		return between.connections() >= 6
	})
	between.swallow()
	died := time.Now()
	b.eval(`Date.now = () => 0; ""`) // whatever the clock is set to
	tb.input(t.Context(), tapped("red", "fox.1"))
	b.until(`!!document.querySelector(".note.lost")`)
	noticed := time.Now()
	b.prompts("How far does Alice go?")
	b.until(`!document.querySelector(".note.lost")`)
	notice, back := noticed.Sub(died), time.Since(noticed)
	t.Logf("noticed after %v, back after %v", notice, back)
	if notice > 20*time.Second || back > 10*time.Second {
		t.Error("want 20 s and 10 s at most")
	}
}
