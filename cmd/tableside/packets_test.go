package main

import (
	bits "encoding/binary" // binary is the program
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"tableside/engine/enginetest"
)

// TestStrangePackets sends malformed packets of MQTT 3.1, 3.1.1 and 5 to the embedded broker of a
// demo, before and after CONNECT, each on a connection of its own, and tests that the table plays
// on. The counts packets and seed of a long run repeat one.
func TestStrangePackets(t *testing.T) {
	count, seed := enginetest.Count("packets", 500), enginetest.Count("seed", 1)
	p := startDemo(t, "--game", "tally/score")
	s := scribe{Rand: rand.New(rand.NewPCG(uint64(seed), 0))}
	var before []byte
	for i := range count {
		sent := s.conversation()
		if err := converse(p.mqtt, sent); err != nil {
			p.kill()
			t.Fatalf("seed %d, packet %d: %v, at this one or the one before it:\n%x\n%x\n%s", seed, i, err, sent, before,
				p.errs.String())
		}
		before = sent
	}
	_, err := p.get("/healthz")
	v, broken := p.view()
	if err = errors.Join(err, broken); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	want := strconv.Itoa(score(v, "red") + 1) // some of the packets were good inputs
	scores := hear(t, p.mqtt, "tableside/demo/seat/red/score")
	if token := connect(t, p.mqtt, "legal").Publish("tableside/demo/input", 1, false, "red key plus"); token.Wait() &&
		token.Error() != nil {
		t.Fatal(token.Error())
	}
	for late := time.After(30 * time.Second); ; {
		select {
		case shown := <-scores:
			if string(shown) == want {
				p.interrupt()
				return
			}
		case <-late:
			_ = p.end(syscall.SIGQUIT)
			t.Fatalf("seed %d: the broker passes nothing on any more:\n%s", seed, p.errs.String())
		}
	}
}

// converse sends the bytes and waits until the broker has read them all and hung up.
func converse(addr string, sent []byte) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return err
	}
	if _, err := conn.Write(sent); err != nil {
		return nil // the broker has already hung up
	}
	_ = conn.(*net.TCPConn).CloseWrite()
	if _, err = io.Copy(io.Discard, conn); os.IsTimeout(err) {
		return fmt.Errorf("the broker does not hang up: %w", err)
	}
	return nil
}

// A scribe writes what clients may send, from good to senseless.
type scribe struct {
	*rand.Rand
	version byte
}

func (s *scribe) one(of ...string) string { return of[s.IntN(len(of))] }

func (s *scribe) bytes(text string) []byte {
	return append(bits.BigEndian.AppendUint16(nil, uint16(len(text))), text...)
}

func (s *scribe) text() []byte {
	return s.bytes(s.one("", "a", "a/b", "tableside/demo/input", "tableside/demo/state", "+/#", "#", "$SHARE/g/#",
		"$share/", "$SYS/broker", "/", "////", "\x00", "\xff", "a/#/b"))
}

// properties are, by packet, those that it may have: MQTT 5, table 2-4. 0 stands for a will's.
var properties = map[byte][]byte{0: {1, 2, 3, 8, 9, 24, 38}, 1: {17, 21, 22, 23, 25, 33, 34, 38, 39},
	3: {1, 2, 3, 8, 9, 11, 35, 38}, 4: {31, 38}, 5: {31, 38}, 6: {31, 38}, 7: {31, 38}, 8: {11, 38}, 10: {38},
	14: {17, 28, 31, 38}, 15: {21, 22, 31, 38}}

func (s *scribe) properties(kind byte) []byte {
	if s.version != 5 {
		return nil
	}
	var all []byte
	for range s.IntN(3) {
		id := byte(s.IntN(43))
		if known := properties[kind]; len(known) > 0 && s.IntN(8) > 0 {
			id = known[s.IntN(len(known))]
		}
		all = append(all, id)
		switch id {
		case 1, 23, 25, 36, 37, 40, 41, 42:
			all = append(all, byte(s.IntN(3)))
		case 2, 17, 24, 39:
			all = bits.BigEndian.AppendUint32(all, s.Uint32()>>s.IntN(33))
		case 19, 33, 34, 35:
			all = bits.BigEndian.AppendUint16(all, uint16(s.Uint32()>>s.IntN(33)))
		case 11:
			all = append(all, s.length(s.IntN(300))...)
		case 38:
			all = append(append(all, s.text()...), s.text()...)
		default:
			all = append(all, s.text()...)
		}
	}
	return append(s.length(len(all)), all...)
}

// length is a variable byte integer, seldom another one than asked for.
func (s *scribe) length(n int) []byte {
	switch s.IntN(40) {
	case 0:
		n = s.IntN(400)
	case 1:
		return slices.Repeat([]byte{0x80}, 1+s.IntN(9))
	case 2:
		return []byte{byte(n) | 0x80, 0}
	}
	return bits.AppendUvarint(nil, uint64(n))
}

func (s *scribe) connect() []byte {
	name := "MQTT"
	if s.version == 3 {
		name = "MQIsdp"
	}
	flags := byte(s.IntN(2)) << 1
	if s.IntN(4) == 0 {
		flags = byte(s.IntN(256)) &^ 1
	}
	body := append(s.bytes(name), s.version, flags, 0, byte(s.IntN(60)))
	body = append(append(body, s.properties(1)...), s.bytes(fmt.Sprint("strange-", s.IntN(200)))...)
	if flags&4 != 0 {
		body = append(append(append(body, s.properties(0)...), s.text()...), s.text()...)
	}
	for _, bit := range []byte{0x80, 0x40} {
		if flags&bit != 0 {
			body = append(body, s.text()...)
		}
	}
	return body
}

// body is what follows the fixed header of a packet of this kind.
func (s *scribe) body(kind, flags byte) []byte {
	id := []byte{0, byte(s.IntN(4))}
	switch kind {
	case 1:
		return s.connect()
	case 3:
		body := s.text()
		if flags&6 != 0 {
			body = append(body, id...)
		}
		return append(append(body, s.properties(3)...), s.one("", "x", "red key plus", "{}")...)
	case 4, 5, 6, 7:
		if s.version != 5 || s.IntN(2) == 0 {
			return id
		}
		return append(append(id, byte(s.IntN(2)*s.IntN(256))), s.properties(kind)...)
	case 8, 10:
		body := append(id, s.properties(kind)...)
		for range s.IntN(4) {
			if body = append(body, s.text()...); kind == 8 {
				body = append(body, byte(s.IntN(64)))
			}
		}
		return body
	case 14, 15:
		if s.IntN(2) == 0 {
			return append([]byte{byte(s.IntN(256))}, s.properties(kind)...)
		}
	case 0, 2, 9, 11:
		return []byte(s.one("", "\x00\x00", "\x00\x01\x00\x00", "\x00\x01\x00\x02\x80"))
	}
	return nil
}

func (s *scribe) damage(data []byte) []byte {
	if len(data) == 0 {
		return []byte{byte(s.IntN(256))}
	}
	at := s.IntN(len(data))
	switch s.IntN(5) {
	case 0:
		return data[:at]
	case 1:
		return data[:len(data)-1]
	case 2:
		data[at] ^= 1 << s.IntN(8)
	case 3:
		data = slices.Delete(data, at, at+1)
	case 4:
		data = slices.Insert(data, at, byte(s.IntN(256)))
	}
	return data
}

func (s *scribe) packet(kind byte, damages int) []byte {
	flags := byte(0)
	switch kind {
	case 3:
		flags = byte(s.IntN(16))
	case 6, 8, 10:
		flags = 2
	}
	if s.IntN(30) == 0 {
		flags = byte(s.IntN(16))
	}
	body := s.body(kind, flags)
	for range damages {
		body = s.damage(body)
	}
	return append(append([]byte{kind<<4 | flags}, s.length(len(body))...), body...)
}

// conversation is one malformed packet, usually after a CONNECT and other good packets.
func (s *scribe) conversation() []byte {
	s.version = byte(3 + s.IntN(3))
	var sent []byte
	if s.IntN(5) > 0 {
		sent = s.packet(1, 0)
		for range s.IntN(3) {
			sent = append(sent, s.packet([]byte{3, 8, 10}[s.IntN(3)], 0)...)
		}
	}
	return append(sent, s.packet(byte(s.IntN(16)), 1+s.IntN(2))...)
}
