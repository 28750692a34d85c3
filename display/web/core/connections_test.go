package core

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"tableside/device"
)

// peer is a connection from an address, which records when it is closed.
type peer struct {
	net.Conn
	from   string
	closed bool
}

func (p *peer) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(p.from))
}
func (p *peer) Close() error { p.closed = true; return nil }

// TestConnectionsGiveWay checks which connection is closed if four may be open. A letter stands
// for an address, and h for this machine: a small one for a connection that waits for a request, a
// capital one for a connection whose request is being answered.
func TestConnectionsGiveWay(t *testing.T) {
	for _, c := range []struct{ open, want, why string }{
		{"abcd", "....", "all have a place"},
		{"aaab", "x...", "one address has half of the places"},
		{"AAa", "..x", "what is answered goes on"},
		{"aabcd", "x....", "the address that has most gives way"},
		{"Aabcd", ".x...", "first what waits"},
		{"AAbcd", "x....", "then what is answered"},
		{"hhhhb", "x....", "a proxy has all places, and gives way to others"},
		{"hhhhh", "x....", "and to itself"},
		{"HhHHH", ".x...", "first what waits there, too"},
	} {
		l := &connections{maxTotal: 4, open: map[net.Conn]*connection{}}
		var peers []*peer
		for _, letter := range c.open {
			from := "127.0.0.1:1"
			if low := unicode.ToLower(letter); low != 'h' {
				from = fmt.Sprintf("192.0.2.%d:1", low)
			}
			p := &peer{from: from}
			peers = append(peers, p)
			l.follow(p, http.StateNew)
			if unicode.IsUpper(letter) {
				l.follow(p, http.StateActive)
			}
		}
		got := ""
		for _, p := range peers {
			got += map[bool]string{true: "x", false: "."}[p.closed]
			l.follow(p, http.StateIdle)
			l.follow(p, http.StateClosed)
		}
		if got != c.want || len(l.open) > 0 {
			t.Errorf("%s: closed %s, want %s (%s); %d are left", c.open, got, c.want, c.why, len(l.open))
		}
	}
}

// TestConnectionsOfManyAddresses checks that stalled connections, each from another address of one
// machine, take no place from players whose requests are being answered, here or through a proxy.
func TestConnectionsOfManyAddresses(t *testing.T) {
	l := &connections{maxTotal: 512, open: map[net.Conn]*connection{}}
	add := func(state http.ConnState, format string, args ...any) *peer {
		p := &peer{from: fmt.Sprintf(format, args...)}
		for _, s := range []http.ConnState{http.StateNew, state} {
			l.follow(p, s)
		}
		return p
	}
	var players []*peer
	for i := range 30 {
		players = append(players, add(http.StateActive, "127.0.0.1:%d", 1000+i))
	}
	for i := range 6 {
		players = append(players, add(http.StateActive, "192.0.2.5:%d", 1000+i))
	}
	for i := range 2000 {
		add(http.StateNew, "[fe80::%x]:1", i+1)
		if i%100 == 0 {
			players = append(players, add(http.StateActive, "192.0.2.%d:1", 10+i/100))
		}
	}
	for _, p := range players {
		if p.closed {
			t.Errorf("a connection of %s gave way", p.from)
		}
	}
}

// A fullListener is that of a program that has all its files open.
type fullListener struct{ net.Listener }

func (fullListener) Accept() (net.Conn, error) {
	return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
}
func (fullListener) Close() error { return nil }

// TestServerLog checks that failures to accept a connection, whose texts differ in how long the server
// waits, fill no disk, and that each panic is logged meanwhile.
func TestServerLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		log := device.LimitLog(slog.New(slog.NewTextHandler(&b, nil)))
		s := New(&Config{Log: log}, nil, nil)
		ctx, end := context.WithTimeout(t.Context(), time.Hour)
		defer end()
		go func() {
			for range 3 {
				fmt.Fprint(serverLog{log}, "http: panic serving 192.0.2.1:1: oops\n")
				time.Sleep(time.Second)
			}
		}()
		if err := s.Listen(ctx, fullListener{}, http.NotFoundHandler(), func() {}); err != nil {
			t.Error(err)
		}
		accepts, panics := strings.Count(b.String(), "http: Accept error: "), strings.Count(b.String(), "oops")
		if accepts != 2 || panics != 3 {
			t.Errorf("%d failures to accept and %d panics are logged:\n%s", accepts, panics, b.String())
		}
	})
}

// A pipeListener accepts one connection.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
}

func (l pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}
func (l pipeListener) Close() error { close(l.done); return nil }
func (pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// TestSlowHeadersEnd checks that a client that sends one letter a second loses its connection.
func TestSlowHeadersEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		client, server := net.Pipe()
		l := pipeListener{make(chan net.Conn, 1), make(chan struct{})}
		l.conns <- &addressed{server}
		go New(&Config{Log: slog.New(slog.DiscardHandler)}, nil, nil).Listen(ctx, l, http.NotFoundHandler(), func() {})
		var slow sync.WaitGroup
		defer slow.Wait()
		began := time.Now()
		slow.Go(func() {
			for _, letter := range "GET / HTTP/1.1\r\nHost: table\r\n" {
				_, _ = client.Write([]byte(string(letter)))
				time.Sleep(time.Second)
			}
		})
		_, _ = io.Copy(io.Discard, client)
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("it kept its connection for %v", took)
		}
	})
}

// An addressed connection is that of a client elsewhere.
type addressed struct{ net.Conn }

func (addressed) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)} }
