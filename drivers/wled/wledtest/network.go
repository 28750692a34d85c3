package wledtest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
)

// faults holds the faults of a controller and its network.
type faults struct {
	dead         bool // off, or out of reach
	deaf         bool // UDP packets are lost
	refuse       bool // connections are refused at once
	loseEvery    int  // packets; 0: none is lost
	nextSequence byte // 0 for any
	answer       func(http.ResponseWriter)
}

// Kill takes the controller off the network: it answers nothing.
func (w *WLED) Kill() { w.do(func() { w.dead = true }) }

// Refuse takes the controller off the network so that connections fail immediately, with "no
// route to host".
func (w *WLED) Refuse() { w.do(func() { w.dead, w.refuse = true, true }) }

// Revive undoes Kill and Refuse. The controller comes back as if it had just been switched on.
func (w *WLED) Revive() {
	w.do(func() {
		w.dead, w.refuse, w.liveUntil, w.lastSequence, w.nextSequence = false, false, time.Time{}, 0, 0
	})
}

// Block makes a firewall drop the UDP packets to the controller. If on is false, the firewall
// lets the packets pass again.
func (w *WLED) Block(on bool) { w.do(func() { w.deaf = on }) }

// Lose drops every n-th packet. If n is 0, it drops none.
func (w *WLED) Lose(n int) { w.do(func() { w.loseEvery, w.nextSequence = n, 0 }) }

// Busy makes the JSON API answer that its buffer is in use.
func (w *WLED) Busy() {
	w.Answer(func(r http.ResponseWriter) {
		r.Header().Set("Content-Type", "application/json")
		r.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(r, `{"error":3}`)
	})
}

// Answer makes the function f answer every request to the JSON API. If f is nil, the JSON API
// answers by itself again.
func (w *WLED) Answer(f func(http.ResponseWriter)) { w.do(func() { w.answer = f }) }

// ServeHTTP answers a request to the JSON API.
func (w *WLED) ServeHTTP(r http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(io.LimitReader(q.Body, 4096))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asks = append(w.asks, time.Now())
	if w.answer != nil {
		w.answer(r)
		return
	}
	var said struct {
		Live *bool `json:"live"`
		On   *bool `json:"on"`
	}
	r.Header().Set("Content-Type", "application/json")
	switch {
	case q.Method == http.MethodGet && q.URL.Path == "/json/info":
		mode := ""
		if w.live() {
			mode = "DDP"
		}
		_ = json.NewEncoder(r).Encode(map[string]any{ // an excerpt
			"ver": w.Version, "vid": 2405180, "name": w.Name, "brand": "WLED", "product": "FOSS",
			"udpport": 21324, "live": w.live(), "lm": mode, "lip": "",
			"leds": map[string]any{"count": len(w.pixels), "pwr": 0, "fps": 42, "maxpwr": 850, "maxseg": 32},
		})
	case q.Method == http.MethodGet && q.URL.Path == "/json/state":
		override := 0
		if w.override {
			override = 1
		}
		_ = json.NewEncoder(r).Encode(map[string]any{"on": w.effectOn, "bri": w.brightness, "lor": override}) // an excerpt
	case q.Method == http.MethodPost && q.URL.Path == "/json/state" && err == nil && json.Unmarshal(body, &said) == nil:
		if said.Live != nil && !*said.Live {
			w.liveUntil = time.Time{}
		}
		if said.On != nil {
			w.effectOn = *said.On
		}
		io.WriteString(r, `{"success":true}`)
	default:
		r.WriteHeader(http.StatusNotFound)
	}
}

// Address is the emulated controller's address. The Resolve method returns it for every name.
var Address = netip.MustParseAddr("192.0.2.7") // for documentation (RFC 5737)

// Resolve returns the emulated controller's address, whatever name it is given.
func (w *WLED) Resolve(context.Context, string) ([]netip.Addr, error) {
	return []netip.Addr{Address}, nil
}

// Dial connects to the controller, whatever the address is. Dial uses no real network, so it
// works in a synctest bubble.
func (w *WLED) Dial(ctx context.Context, network, _ string) (net.Conn, error) {
	if strings.HasPrefix(network, "udp") {
		return &datagrams{wled: w}, nil
	}
	w.mu.Lock()
	dead, refuse := w.dead, w.refuse
	w.mu.Unlock()
	if refuse {
		return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", syscall.EHOSTUNREACH)}
	}
	if dead {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	near, far := net.Pipe()
	w.serving.Go(func() {
		l := &connListener{conn: far, done: make(chan struct{})}
		s := &http.Server{Handler: w, ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateClosed {
				l.Close()
			}
		}}
		_ = s.Serve(l) // returns when the only connection ends
		_ = s.Close()
	})
	return near, nil
}

// Wait waits until all connections that Dial made are closed.
func (w *WLED) Wait() { w.serving.Wait() }

// A connListener is a net.Listener that accepts a single connection, conn.
type connListener struct {
	conn  net.Conn
	once  sync.Once
	taken bool
	done  chan struct{}
}

func (l *connListener) Accept() (net.Conn, error) {
	if !l.taken {
		l.taken = true
		return l.conn, nil
	}
	<-l.done
	return nil, net.ErrClosed
}

func (l *connListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *connListener) Addr() net.Addr { return l.conn.LocalAddr() }

// datagrams is a connected UDP socket.
type datagrams struct {
	net.Conn
	wled          *WLED
	mu            sync.Mutex
	refusedWrites int
	closed        bool
}

// Write implements net.Conn. While no controller can be reached, each call of Write after the
// first returns an error, as with a real socket.
func (d *datagrams) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return 0, net.ErrClosed
	}
	d.wled.mu.Lock()
	refuse := d.wled.refuse
	d.wled.mu.Unlock()
	if !refuse {
		d.refusedWrites = 0
	} else if d.refusedWrites++; d.refusedWrites > 1 {
		return 0, &net.OpError{Op: "write", Net: "udp", Err: os.NewSyscallError("write", syscall.EHOSTUNREACH)}
	}
	d.wled.Packet(b)
	return len(b), nil
}

func (d *datagrams) SetWriteDeadline(time.Time) error { return nil }

func (d *datagrams) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	return nil
}

// Listen makes the controller reachable on 127.0.0.1. The first result is the address and port
// of the controller's page. The second result is the UDP port for DDP. The third result is a
// function that closes both ports.
func (w *WLED) Listen() (host string, port int, stop func() error, err error) {
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return "", 0, nil, err
	}
	page, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", 0, nil, errors.Join(err, packets.Close())
	}
	server := &http.Server{Handler: w}
	var both sync.WaitGroup
	both.Go(func() { _ = server.Serve(page) })
	both.Go(func() {
		p := make([]byte, 2048)
		for {
			n, _, err := packets.ReadFrom(p)
			if err != nil {
				return
			}
			w.Packet(p[:n])
		}
	})
	return page.Addr().String(), packets.LocalAddr().(*net.UDPAddr).Port, func() error {
		err := errors.Join(server.Close(), packets.Close())
		both.Wait()
		return err
	}, nil
}
