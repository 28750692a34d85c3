package halltest

import (
	"io"
	"net"
	"sync"
	"testing"
)

// Routes are the connections between the nodes of a cluster, which a test can cut. Each
// leads through a proxy of its own, so that the clients of a node that is cut off stay
// connected to it.
type routes struct {
	proxies [][]*proxy // by the node that connects, and the node that is connected to
}

func newRoutes(tb testing.TB, nodes ...string) *routes {
	tb.Helper()
	r := &routes{}
	for range nodes {
		var row []*proxy
		for _, to := range nodes {
			row = append(row, newProxy(tb, to))
		}
		r.proxies = append(r.proxies, row)
	}
	return r
}

func (r *routes) address(from, to int) string { return r.proxies[from][to].listener.Addr().String() }

func (r *routes) isolate(node int, cut bool) {
	for other := range r.proxies {
		r.proxies[node][other].cut(cut)
		r.proxies[other][node].cut(cut)
	}
}

// A proxy passes connections on to an address, unless it is cut.
type proxy struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	isCut bool
	open  map[net.Conn]bool
	work  sync.WaitGroup
}

func newProxy(tb testing.TB, to string) *proxy {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &proxy{listener: l, to: to, open: map[net.Conn]bool{}}
	p.work.Go(p.serve)
	tb.Cleanup(func() {
		l.Close()
		p.cut(true)
		p.work.Wait()
	})
	return p
}

func (p *proxy) serve() {
	for {
		in, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.work.Go(func() { p.pass(in) })
	}
}

// pass connects a connection with the other side until one of them ends.
func (p *proxy) pass(in net.Conn) {
	defer in.Close()
	out, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer out.Close()
	if !p.add(in, out) {
		return
	}
	defer p.remove(in, out)
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(in, out) // whichever way ends first ends the other
		in.Close()
	})
	_, _ = io.Copy(out, in)
	out.Close()
	back.Wait()
}

func (p *proxy) add(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.open[c] = true
	}
	return !p.isCut
}

func (p *proxy) remove(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		delete(p.open, c)
	}
}

func (p *proxy) cut(now bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isCut = now
	if now {
		for c := range p.open {
			c.Close()
		}
	}
}
