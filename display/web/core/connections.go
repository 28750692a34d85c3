package core

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// defaultConnections is how many connections a server has open at once if its Config says
// nothing else: pages, each with its live stream and up to five more connections of a browser.
const defaultConnections = 512

// connections keeps the number of open connections below a limit. When the limit is reached, a
// connection gives way for the new one: of the address with most connections, the one that has
// waited longest for a request, else the oldest. Thus a stranger with a thousand stalled
// connections takes places only from itself. A stranger may have a thousand addresses, too, each
// with a connection. If therefore no address has more than a browser needs, the connection of
// anybody that has waited longest gives way.
type connections struct {
	maxTotal int // an address of another machine has half of them

	mu   sync.Mutex
	open map[net.Conn]*connection
	n    int // of changes so far
}

// A connection is one of the connections of a client.
type connection struct {
	client  netip.Prefix
	waiting bool // for the end of a request's header
	changed int  // counts when it was opened, or last began or ceased to wait
}

// follow is the ConnState function of an http.Server. The server calls it for each new connection
// before it accepts the next one.
func (l *connections) follow(c net.Conn, state http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if state == http.StateClosed || state == http.StateHijacked {
		delete(l.open, c)
		return
	}
	known := l.open[c]
	if state == http.StateNew {
		known = &connection{client: clientOf(c.RemoteAddr().String())}
		l.open[c] = known
	}
	if known == nil {
		return // it gave way
	}
	l.n++
	known.waiting, known.changed = state != http.StateActive, l.n
	if state == http.StateNew {
		l.makeRoom(known.client)
	}
}

// makeRoom closes a connection if there are too many after a client's connection was opened.
func (l *connections) makeRoom(newest netip.Prefix) {
	byClient := map[netip.Prefix]int{}
	for _, c := range l.open {
		byClient[c.client]++
	}
	from, anybody := newest, false
	switch {
	case len(l.open) > l.maxTotal:
		for client, n := range byClient {
			if n > byClient[from] {
				from = client
			}
		}
		anybody = !l.hasMany(byClient)
	// A proxy on this machine brings everybody.
	case byClient[newest] <= l.maxTotal/2 || newest.Addr().IsLoopback():
		return
	}
	var victim net.Conn
	for c, of := range l.open {
		mayYield := of.client == from || anybody && of.waiting && of.changed < l.n // not the new one
		if mayYield && (victim == nil || of.yieldsBefore(l.open[victim])) {
			victim = c
		}
	}
	delete(l.open, victim)
	if sniff, ok := victim.(*sniffConn); ok {
		victim = sniff.Conn // without a farewell of TLS, for which a stalled client may have no room
	}
	victim.Close()
}

// hasMany reports whether a client has more connections than it may be expected to need.
func (l *connections) hasMany(byClient map[netip.Prefix]int) bool {
	for client, n := range byClient {
		most := l.maxTotal / 64 // eight of the usual 512: a browser opens six
		if client.Addr().IsLoopback() {
			most = l.maxTotal / 2
		}
		if n > most {
			return true
		}
	}
	return false
}

// yieldsBefore reports whether a connection gives way before another one.
func (c *connection) yieldsBefore(other *connection) bool {
	if c.waiting != other.waiting {
		return c.waiting
	}
	return c.changed < other.changed
}

// A serverLog writes what http.Server reports to the log of the program. That limits what has an
// "error", such as failures to accept a connection, and tells of every panic.
type serverLog struct{ *slog.Logger }

func (l serverLog) Write(line []byte) (int, error) {
	key := "error"
	if bytes.HasPrefix(line, []byte("http: panic ")) {
		key = "panic"
	}
	l.Error("page", key, string(bytes.TrimSpace(line)))
	return len(line), nil
}

// Listen answers requests on the listener until ctx ends. Then it calls a function that ends the
// live streams, closes the listener, and returns nil after at most two seconds. If the listener
// fails, it returns the error.
func (s *Site) Listen(ctx context.Context, l net.Listener, handler http.Handler, endStreams func()) error {
	all := &connections{maxTotal: cmp.Or(s.config.MaxConnections, defaultConnections), open: map[net.Conn]*connection{}}
	server := &http.Server{
		Handler:           handler,
		ConnState:         all.follow,
		ErrorLog:          log.New(serverLog{s.config.Log}, "", 0),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      answerLimit, // the live stream sets its own
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	if s.config.TLS != nil {
		l, server.ConnContext = sniffListener{l, s.config.TLS}, keepConn
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		endStreams()
		return err
	case <-ctx.Done():
	}
	endStreams()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if server.Shutdown(grace) != nil {
		server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
