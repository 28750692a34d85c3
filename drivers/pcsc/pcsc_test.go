package pcsc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tableside/drivers/nfc"
	"tableside/drivers/pcsc/pcsctest"
)

const acr = "ACS ACR122U PICC Interface 00 00"

// ntag returns a blank NTAG213: its capability container says 144 bytes.
func ntag(uid ...byte) *pcsctest.Card {
	memory := make([]byte, 45*4)
	copy(memory[12:], []byte{0xE1, 0x10, 0x12, 0x00, 0x03, 0x00, 0xFE})
	return &pcsctest.Card{UID: uid, Memory: memory}
}

func start(t *testing.T) (*pcsctest.Server, *Dev) {
	t.Helper()
	s, err := pcsctest.Listen(filepath.Join(t.TempDir(), "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.Plug(acr)
	return s, dev(t, s, "ACR122U")
}

func dev(t *testing.T, s *pcsctest.Server, name string) *Dev {
	t.Helper()
	d := New(&Daemon{Socket: s.Socket()}, name)
	if err := d.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Halt() })
	return d
}

// poll polls until the result is the wanted one: a message may be on its way.
func poll(t *testing.T, d *Dev, want ...string) {
	t.Helper()
	var got []string
	var err error
	for range 20 {
		var uids []nfc.UID
		uids, err = d.Poll(t.Context(), nil)
		got = nil
		for _, uid := range uids {
			got = append(got, uid.String())
		}
		if err == nil && slices.Equal(got, want) {
			return
		}
	}
	t.Fatalf("polls find %q (%v), want %q", got, err, want)
}

func TestCardsComeAndGo(t *testing.T) {
	s, d := start(t)
	if d.Firmware() != acr {
		t.Errorf("got %q, want %q", d.Firmware(), acr)
	}
	poll(t, d)
	for range 100 {
		s.Place(acr, ntag(4, 1, 2, 3, 4, 5, 6))
		poll(t, d, "04010203040506")
		poll(t, d, "04010203040506")
		s.Place(acr, ntag(4, 9, 9, 9, 9, 9, 9)) // one card for another
		poll(t, d, "04090909090909")
		s.Place(acr, nil)
		poll(t, d)
	}
}

func TestCardIsThereFromTheBeginning(t *testing.T) {
	s, _ := start(t)
	s.Place(acr, ntag(4, 1, 2, 3, 4, 5, 6))
	poll(t, dev(t, s, ""), "04010203040506")
}

func TestTextIsReadAndWritten(t *testing.T) {
	s, d := start(t)
	s.Place(acr, ntag(4, 1, 2, 3, 4, 5, 6))
	poll(t, d, "04010203040506")
	uid, _ := nfc.NewUID([]byte{4, 1, 2, 3, 4, 5, 6})
	m, err := d.Select(t.Context(), uid)
	if err != nil {
		t.Fatal(err)
	}
	const text = "mutants zombie.1"
	if err := nfc.WriteText(t.Context(), m, text); err != nil {
		t.Fatal(err)
	}
	if got, err := nfc.ReadText(t.Context(), m); got != text || err != nil {
		t.Errorf("got %q (%v), want %q", got, err, text)
	}
	other, _ := nfc.NewUID([]byte{4, 9, 9, 9, 9, 9, 9})
	if _, err := d.Select(t.Context(), other); !errors.Is(err, nfc.ErrNoTag) {
		t.Errorf("got %v, want %v", err, nfc.ErrNoTag)
	}
	s.Place(acr, nil)
	if err := m.WritePage(t.Context(), 4, [4]byte{}); !errors.Is(err, nfc.ErrNoTag) {
		t.Errorf("a card that is gone: got %v, want %v", err, nfc.ErrNoTag)
	}
	poll(t, d)
}

func TestCardsThatCannotBeRead(t *testing.T) {
	s, d := start(t)
	s.Place(acr, &pcsctest.Card{Mute: true})
	for range 3 {
		if _, err := d.Poll(t.Context(), nil); err != nil && !errors.Is(err, nfc.ErrUnreadable) {
			t.Fatalf("mute: got %v, want %v", err, nfc.ErrUnreadable)
		}
	}
	s.Place(acr, &pcsctest.Card{UID: []byte{1, 2, 3, 4}}) // a MIFARE Classic
	poll(t, d, "01020304")
	uid, _ := nfc.NewUID([]byte{1, 2, 3, 4})
	m, err := d.Select(t.Context(), uid)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := nfc.ReadText(t.Context(), m); !errors.Is(err, nfc.ErrRefused) {
		t.Errorf("got %v, want %v", err, nfc.ErrRefused)
	}
}

func TestReadersAreTold(t *testing.T) {
	s, d := start(t)
	const other = "ACS ACR1252 Dual Reader PICC 01 00"
	s.Plug(other)
	for _, c := range []struct{ name, want string }{
		{"", "is the name of several readers"},
		{"ACS", "is the name of several readers"},
		{"Omnikey", `pcscd has "` + acr + `", "` + other + `"`},
	} {
		err := New(&Daemon{Socket: s.Socket()}, c.name).Init(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.name, err, c.want)
		}
	}
	second := dev(t, s, "ACR1252")
	s.Place(other, ntag(4, 7, 7, 7, 7, 7, 7))
	poll(t, second, "04070707070707")
	poll(t, d)
	s.Unplug(acr)
	if err := untilError(t, d); !errors.Is(err, ErrNoReader) {
		t.Errorf("unplugged: got %v, want %v", err, ErrNoReader)
	}
	poll(t, second, "04070707070707")
	s.Plug(acr)
	if err := d.Init(t.Context()); err != nil {
		t.Errorf("plugged in again: %v", err)
	}
}

// untilError polls until a poll fails.
func untilError(t *testing.T, d *Dev) error {
	t.Helper()
	for range 20 {
		if _, err := d.Poll(t.Context(), nil); err != nil {
			return err
		}
	}
	t.Fatal("no poll fails")
	return nil
}

func TestServerIsKilledAndStartedAgain(t *testing.T) {
	s, d := start(t)
	s.Place(acr, ntag(4, 1, 2, 3, 4, 5, 6))
	poll(t, d, "04010203040506")
	socket := s.Socket()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := untilError(t, d); !strings.Contains(err.Error(), "pcscd has gone") {
		t.Errorf("got %v", err)
	}
	if err := d.Init(t.Context()); err == nil || !strings.Contains(err.Error(), "does not run") {
		t.Errorf("got %v", err)
	}
	again, err := pcsctest.Listen(socket)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := d.Init(t.Context()); !errors.Is(err, ErrNoReader) {
		t.Errorf("got %v, want %v", err, ErrNoReader)
	}
	again.Plug(acr)
	again.Place(acr, ntag(4, 2, 2, 2, 2, 2, 2))
	if err := d.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	poll(t, d, "04020202020202")
}

// TestVersions tests every version of the protocol that a pcscd may speak: 4.4 of pcscd 1.8.24
// to 2.2, 4.5 of 2.3.0 to 2.4.0, such as Debian 13's, and 4.6.
func TestVersions(t *testing.T) {
	s, d := start(t)
	for _, v := range []pcsctest.Version{{Major: 4, Minor: 4}, {Major: 4, Minor: 5}, {Major: 4, Minor: 6}} {
		s.Version = v
		if err := d.Init(t.Context()); err != nil {
			t.Errorf("%v: %v", v, err)
			continue
		}
		s.Place(acr, ntag(4, 1, 2, 3, 4, 5, 6))
		poll(t, d, "04010203040506")
		s.Place(acr, nil)
		poll(t, d)
		asked := 0
		s.BeforeAnswer = func(kind uint32) {
			if kind == msgVersion {
				asked++
			}
		}
		if err := d.Init(t.Context()); err != nil || asked != 2 { // once for each connection
			t.Errorf("%v: again: %v, asked %d times for the version, want 2", v, err, asked)
		}
		s.BeforeAnswer = nil
	}
	for _, v := range []pcsctest.Version{{Major: 4, Minor: 3}, {Major: 5, Minor: 5}} {
		s.Version = v
		if err := d.Init(t.Context()); !errors.Is(err, errVersion) {
			t.Errorf("%v: got %v, want %v", v, err, errVersion)
		}
	}
}

// TestDeniedClientsAreTold checks that whom polkit denies pcscd or the card learns what to do,
// although pcscd only closes the connection.
func TestDeniedClientsAreTold(t *testing.T) {
	for _, kind := range []uint32{msgVersion, msgConnect} {
		s, d := start(t)
		s.Place(acr, ntag(4, 1, 2, 3, 4, 5, 6))
		s.Denies = kind
		err := d.Init(t.Context())
		var hint interface{ Hint() string }
		if !errors.As(err, &hint) || !strings.Contains(hint.Hint(), "polkit") {
			t.Errorf("message %02Xh is denied: got %v, without a hint", kind, err)
		}
	}
}

func TestPollEndsWithItsContext(t *testing.T) {
	_, d := start(t)
	d.changedAt = time.Time{} // nothing has changed for long, so a poll waits
	ctx, cancel := context.WithCancelCause(t.Context())
	because := errors.New("the table stops")
	cancel(because)
	if _, err := d.Poll(ctx, nil); !errors.Is(err, because) {
		t.Errorf("got %v, want %v", err, because)
	}
}

// TestExchangesThatAreCutOff cuts off exchanges by their context, as happens when pcscd takes
// long. Its late answer must not be taken for the next one's: every poll fails until Init.
func TestExchangesThatAreCutOff(t *testing.T) {
	for _, c := range []struct {
		name string
		kind uint32
		cut  func(ctx context.Context, s *pcsctest.Server, d *Dev, m nfc.Memory) error
	}{
		{"a page is read", msgTransmit, func(ctx context.Context, _ *pcsctest.Server, _ *Dev, m nfc.Memory) error {
			return m.ReadPages(ctx, 4, new([16]byte))
		}},
		{"the reader is looked at", msgWait, untilCut(ntag(4, 2, 2, 2, 2, 2, 2))},
		{"a card that has left is given up", msgDisconnect, untilCut(nil)},
		{"a card is connected", msgConnect, untilCut(ntag(4, 2, 2, 2, 2, 2, 2))},
		{"a UID is read", msgTransmit, untilCut(ntag(4, 2, 2, 2, 2, 2, 2))},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, d := start(t)
			first := ntag(4, 1, 2, 3, 4, 5, 6)
			s.Place(acr, first)
			poll(t, d, "04010203040506")
			m := selected(t, d, first)
			ctx, cancel := context.WithCancelCause(t.Context())
			because := errors.New("it takes too long")
			late := make(chan struct{})
			answer := sync.OnceFunc(func() { close(late) })
			defer answer()
			once := sync.OnceFunc(func() {
				cancel(because)
				<-late
			})
			s.BeforeAnswer = func(kind uint32) {
				if kind == c.kind {
					once()
				}
			}
			if err := c.cut(ctx, s, d, m); !errors.Is(err, because) {
				t.Errorf("got %v, want %v", err, because)
			}
			answer()
			_, err := d.Poll(t.Context(), nil)
			if !errors.Is(err, errCutOff) {
				t.Errorf("the next poll: got %v, want %v", err, errCutOff)
			}
			if err != nil { // as device/reader does
				if err := d.Init(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			second := ntag(4, 9, 9, 9, 9, 9, 9)
			copy(second.Memory[4*8:], "the second card.")
			s.Place(acr, second)
			poll(t, d, "04090909090909")
			var got [16]byte
			err = selected(t, d, second).ReadPages(t.Context(), 8, &got)
			if err != nil || string(got[:]) != "the second card." {
				t.Errorf("got %q (%v)", got, err)
			}
		})
	}
}

// untilCut returns a function that places a card, or none, and polls until a poll fails.
func untilCut(card *pcsctest.Card) func(context.Context, *pcsctest.Server, *Dev, nfc.Memory) error {
	return func(ctx context.Context, s *pcsctest.Server, d *Dev, _ nfc.Memory) error {
		s.Place(acr, card)
		for range 20 {
			if _, err := d.Poll(ctx, nil); err != nil {
				return err
			}
		}
		return nil
	}
}

// selected returns the memory of the card on the reader.
func selected(t *testing.T, d *Dev, card *pcsctest.Card) nfc.Memory {
	t.Helper()
	uid, err := nfc.NewUID(card.UID)
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Select(t.Context(), uid)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestContextThatEndsWithTheAnswer ends a context just before the answer, and has what this sets
// off come late: it must not cut off the next exchange, which has another context.
func TestContextThatEndsWithTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		c := newConn(lateCutOff{ours})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var serving sync.WaitGroup
		serving.Go(func() {
			for range 2 {
				var message [20]byte
				if _, err := io.ReadFull(theirs, message[:]); err != nil {
					return
				}
				if ctx.Err() == nil {
					cancel()
				} else {
					time.Sleep(2 * lateness)
				}
				_, _ = theirs.Write(message[8:])
			}
		})
		for i, ctx := range []context.Context{ctx, t.Context()} {
			if _, err := c.ask(ctx, msgVersion, major, minor, 0); err != nil {
				t.Errorf("exchange %d: %v", i, err)
			}
		}
		_ = c.Close()
		serving.Wait()
	})
}

// A lateCutOff takes a deadline in the past only after lateness.
type lateCutOff struct{ net.Conn }

const lateness = time.Second

func (c lateCutOff) SetDeadline(deadline time.Time) error {
	if !deadline.IsZero() && deadline.Before(time.Now()) {
		time.Sleep(lateness)
	}
	return c.Conn.SetDeadline(deadline)
}

// FuzzAnswers has a server send junk: nothing panics, and every call ends.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, 4000))
	f.Add(bytes.Repeat([]byte{0xFF}, 4000))
	f.Add(append(make([]byte, 24+maxReaders*stateLen+connectLen), 0, 1, 0, 0, 0, 0, 0, 0, 9, 9, 9))
	f.Fuzz(func(t *testing.T, junk []byte) {
		ours, theirs := net.Pipe()
		var serving sync.WaitGroup
		serving.Go(func() { _, _ = io.Copy(io.Discard, theirs) })
		serving.Go(func() {
			_, _ = theirs.Write(junk)
			_ = theirs.Close()
		})
		c := newConn(ours)
		ctx := t.Context()
		_, _ = c.ask(ctx, msgVersion, major, minor, 0)
		_ = c.establish(ctx)
		all, _ := c.register(ctx)
		_, _ = choose(all, "")
		_, _, _ = c.connect(ctx, acr)
		for range 3 {
			_, _ = c.transmit(ctx, &card{}, []byte{0xFF, 0xCA, 0, 0, 0})
			_, _ = c.waitChange(ctx, time.Millisecond)
		}
		_ = c.Close()
		serving.Wait()
	})
}

// BenchmarkTap measures from a card that comes to its UID, the emulated pcscd included.
func BenchmarkTap(b *testing.B) {
	s, err := pcsctest.Listen(filepath.Join(b.TempDir(), "socket"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	s.Plug(acr)
	d := New(&Daemon{Socket: s.Socket()}, "")
	defer d.Halt()
	if err := d.Init(b.Context()); err != nil {
		b.Fatal(err)
	}
	card := ntag(4, 1, 2, 3, 4, 5, 6)
	until := func(want int) {
		for {
			uids, err := d.Poll(b.Context(), nil)
			if err != nil {
				b.Fatal(err)
			}
			if len(uids) == want {
				return
			}
		}
	}
	for b.Loop() {
		s.Place(acr, card)
		until(1)
		b.StopTimer()
		s.Place(acr, nil)
		until(0)
		b.StartTimer()
	}
}
