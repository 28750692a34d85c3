// Package pcsctest emulates pcscd, the smart card daemon, for tests. A test plugs readers in
// and puts cards on the readers. Clients connect to the emulator over its socket.
package pcsctest

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
)

// Numbers and lengths of the protocol, from winscard_msg.h and pcsclite.h of PC/SC-lite.
const (
	msgEstablish  = 0x01
	msgConnect    = 0x04
	msgDisconnect = 0x06
	msgTransmit   = 0x09
	msgVersion    = 0x11
	msgWait       = 0x13

	noCard        = 0x8010000C
	otherVersion  = 0x8010001E // SCARD_E_SERVICE_STOPPED
	unknownReader = 0x80100009
	invalidHandle = 0x80100003
	unresponsive  = 0x80100066
	removed       = 0x80100069

	readers  = 16
	nameLen  = 128
	stateLen = 184
)

var order = binary.NativeEndian

// A Card is a tag in the form in which a reader presents it to pcscd.
type Card struct {
	UID    []byte
	Memory []byte // pages of four bytes; nil: none can be read or written
	Mute   bool   // it is on the reader but does not answer
}

// A slot is a reader with the card on it, if there is one.
type slot struct {
	name   string
	events uint32
	card   *Card
}

// A Server is an emulated pcscd.
type Server struct {
	Version      Version           // of the protocol; zero: 4.4
	Denies       uint32            // the kind of message that polkit denies: the connection ends without an answer
	BeforeAnswer func(kind uint32) // called for each message; other clients do not wait for it

	listener  net.Listener
	accepting sync.WaitGroup
	serving   sync.WaitGroup

	mu      sync.Mutex
	slots   []*slot
	clients map[*client]bool
	handles map[uint32]*Card
	lastID  uint32
}

// A Version is a version of the protocol. A pcscd accepts only clients of its own version, but
// that of 4.6 and later also accepts older ones from 4.4.
type Version struct{ Major, Minor uint32 }

func (v Version) accepts(client Version) bool {
	return client == v || v.Minor >= 6 && client.Major == v.Major && client.Minor >= 4 && client.Minor < v.Minor
}

// A client is the server's connection to one client program.
type client struct {
	net.Conn
	waits bool // for a change
}

// Listen starts a server without readers on a Unix socket. The caller must close it.
func Listen(socket string) (*Server, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	return serve(l), nil
}

func serve(l net.Listener) *Server {
	s := &Server{listener: l, clients: map[*client]bool{}, handles: map[uint32]*Card{}}
	s.accepting.Go(s.accept)
	return s
}

// Close ends all connections, in the way that killing pcscd does. Then it waits for the
// server's goroutines.
func (s *Server) Close() error {
	err := s.listener.Close()
	s.accepting.Wait() // until then clients may come
	s.mu.Lock()
	for c := range s.clients {
		err = errors.Join(err, c.Close())
	}
	s.mu.Unlock()
	s.serving.Wait()
	return err
}

func (s *Server) accept() {
	for {
		nc, err := s.listener.Accept()
		if err != nil {
			return
		}
		c := &client{Conn: nc}
		s.mu.Lock()
		s.clients[c] = true
		s.mu.Unlock()
		s.serving.Go(func() { s.serve(c) })
	}
}

// Plug plugs a reader in.
func (s *Server) Plug(name string) {
	s.change(func() { s.slots = append(s.slots, &slot{name: name}) })
}

// Unplug pulls a reader out.
func (s *Server) Unplug(name string) {
	s.change(func() {
		s.slots = slices.DeleteFunc(s.slots, func(r *slot) bool { return r.name == name })
	})
}

// Place puts a card on a reader. The reader must be plugged in. Place removes the card that
// was on the reader before. If card is nil, the reader becomes empty.
func (s *Server) Place(reader string, card *Card) {
	s.change(func() {
		r := s.slot(reader)
		if r.card != nil {
			r.events++
		}
		if r.card = card; card != nil {
			r.events++
		}
	})
}

func (s *Server) slot(name string) *slot {
	for _, r := range s.slots {
		if r.name == name {
			return r
		}
	}
	return nil
}

// change calls a function that changes the readers. Then change tells the waiting clients that
// something has changed.
func (s *Server) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	for c := range s.clients {
		if c.waits {
			c.waits = false
			_, _ = c.Write(make([]byte, 8)) // a client that has gone hears nothing
		}
	}
}

// serve answers one client until its connection ends.
func (s *Server) serve(c *client) {
	defer func() {
		s.mu.Lock()
		delete(s.clients, c)
		s.mu.Unlock()
		_ = c.Close()
	}()
	for {
		var header [8]byte
		if _, err := io.ReadFull(c, header[:]); err != nil {
			return
		}
		body := make([]byte, order.Uint32(header[:]))
		if _, err := io.ReadFull(c, body); err != nil {
			return
		}
		var command []byte
		kind := order.Uint32(header[4:])
		if kind == msgTransmit {
			command = make([]byte, order.Uint32(body[12:]))
			if _, err := io.ReadFull(c, command); err != nil {
				return
			}
		}
		if s.BeforeAnswer != nil {
			s.BeforeAnswer(kind)
		}
		if !s.answer(c, kind, body, command) {
			return
		}
	}
}

// answer answers one message, and reports whether the connection stays open.
func (s *Server) answer(c *client, kind uint32, body, command []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	put := func(at int, n uint32) { order.PutUint32(body[at:], n) }
	switch kind {
	case s.Denies:
		return false
	case msgVersion:
		speaks := s.Version
		if speaks == (Version{}) {
			speaks = Version{4, 4}
		}
		put(8, 0)
		if !speaks.accepts(Version{order.Uint32(body), order.Uint32(body[4:])}) {
			put(8, otherVersion)
		}
		put(0, speaks.Major)
		put(4, speaks.Minor)
	case msgEstablish:
		s.lastID++
		put(4, s.lastID)
		put(8, 0)
	case msgWait:
		c.waits = true
		body = s.states()
	case msgConnect:
		s.connect(body)
	case msgDisconnect:
		delete(s.handles, order.Uint32(body))
		put(8, 0)
	case msgTransmit:
		body = append(body, s.transmit(body, command)...)
	default:
		return false
	}
	_, err := c.Write(body)
	return err == nil
}

func (s *Server) states() []byte {
	all := make([]byte, readers*stateLen)
	for i, r := range s.slots {
		b := all[i*stateLen:]
		copy(b, r.name)
		order.PutUint32(b[nameLen:], r.events)
		bits := uint32(2) // absent
		if r.card != nil {
			bits = 0x4 | 0x10 | 0x20
		}
		order.PutUint32(b[nameLen+4:], bits)
	}
	return all
}

func (s *Server) connect(body []byte) {
	name := body[4 : 4+nameLen]
	end := slices.Index(name, 0)
	rest := body[4+nameLen:]
	r := s.slot(string(name[:end]))
	switch {
	case r == nil:
		order.PutUint32(rest[16:], unknownReader)
	case r.card == nil:
		order.PutUint32(rest[16:], noCard)
	case r.card.Mute:
		order.PutUint32(rest[16:], unresponsive)
	default:
		s.lastID++
		s.handles[s.lastID] = r.card
		order.PutUint32(rest[8:], s.lastID)
		order.PutUint32(rest[12:], 2) // T=1
		order.PutUint32(rest[16:], 0)
	}
}

func (s *Server) transmit(body, command []byte) []byte {
	order.PutUint32(body[24:], 0)
	card := s.handles[order.Uint32(body)]
	there := slices.ContainsFunc(s.slots, func(r *slot) bool { return card != nil && r.card == card })
	switch {
	case card == nil:
		order.PutUint32(body[28:], invalidHandle)
		return nil
	case !there:
		order.PutUint32(body[28:], removed)
		return nil
	}
	answer := card.Answer(command)
	order.PutUint32(body[24:], uint32(len(answer)))
	order.PutUint32(body[28:], 0)
	return answer
}

// Answer executes a command (PC/SC part 3, 3.2.2.1) and returns the card's answer, with the
// status at its end.
func (c *Card) Answer(command []byte) []byte {
	good, noFunction, beyond := []byte{0x90, 0}, []byte{0x6A, 0x81}, []byte{0x6A, 0x82}
	if len(command) < 5 || command[0] != 0xFF {
		return noFunction
	}
	at := 4 * int(command[3])
	switch {
	case command[1] == 0xCA:
		return append(slices.Clone(c.UID), good...)
	case c.Memory == nil:
		return noFunction
	case at >= len(c.Memory):
		return beyond
	case command[1] == 0xB0:
		var answer []byte
		for i := range int(command[4]) {
			answer = append(answer, c.Memory[(at+i)%len(c.Memory)])
		}
		return append(answer, good...)
	case command[1] == 0xD6 && len(command) == 9:
		copy(c.Memory[at:], command[5:])
		return good
	}
	return noFunction
}

// Socket returns the path of the server's socket.
func (s *Server) Socket() string { return s.listener.Addr().String() }
