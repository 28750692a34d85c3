// Package pcsc reads tags with the USB readers that pcscd drives. Such readers are the
// ACR122U, the ACR1252 and all others that speak PC/SC. The package talks to pcscd over its
// socket. So the program needs no libpcsclite and can stay statically linked.
//
// The messages are defined in PC/SC-lite, src/winscard_msg.h, protocol 4.4 and later, which
// pcscd has spoken since version 1.8.24 (2018). The commands for tags are defined in "Interoperability
// Specification for ICCs and Personal Computer Systems", part 3, revision 2.01.09, section
// 3.2.2.
package pcsc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"tableside/drivers/nfc"
)

// Socket is the path of the Unix socket on which pcscd usually listens.
const Socket = "/run/pcscd/pcscd.comm"

// A Daemon is a pcscd that listens on a Unix socket, usually the constant Socket. It may be used
// by several readers at a time.
type Daemon struct {
	Socket string // its path

	minor atomic.Uint32 // the version of the protocol that it accepted after a refusal; 0: none
}

// ErrNoReader reports that pcscd has no reader with the wanted name, or none at all.
var ErrNoReader = errors.New("no such reader is plugged in")

// pollWait is how long a poll waits for pcscd to report a change. The wait leaves time to read
// the card within the half second that a poll may take. For one second after a change
// (livelyTime), each poll waits only a millisecond (livelyWait). During that second, the
// caller counts polls to tell a removed tag from a bad contact.
const (
	pollWait   = 100 * time.Millisecond
	livelyWait = time.Millisecond
	livelyTime = time.Second
)

// A Dev is a reader of pcscd. It implements nfc.Reader.
type Dev struct {
	daemon   *Daemon
	namePart string // of the reader

	watchConn *conn // reports changes
	cardConn  *conn // commands for the card
	name      string
	lastState state     // the state of the reader when it was last looked at
	changedAt time.Time // when the last change was seen
	card      *card     // nil while there is none, or none that could be read
}

// A card is the card on the reader, which this program has connected to.
type card struct {
	handle   uint32
	protocol uint32
	uid      nfc.UID
}

// New returns a Dev for the reader whose name in pcscd contains the given name, such as
// "ACR122U". If the name is empty, the Dev is for the only reader that is plugged in. New sends
// nothing; Init connects to pcscd.
func New(daemon *Daemon, name string) *Dev { return &Dev{daemon: daemon, namePart: name} }

func (d *Dev) String() string { return "pcsc(" + d.namePart + ")" }

// Firmware returns the full name of the reader that Init found.
func (d *Dev) Firmware() string { return d.name }

// Init connects to pcscd and finds the reader. If no reader has the name, the error wraps
// ErrNoReader. If several readers have the name, the error lists the readers and does not wrap
// ErrNoReader.
func (d *Dev) Init(ctx context.Context) error {
	_ = d.Halt() // the old connections may be broken
	err := d.connect(ctx)
	if err != nil {
		_ = d.Halt()
		return fmt.Errorf("pcsc: %w", err)
	}
	return nil
}

func (d *Dev) connect(ctx context.Context) error {
	var err error
	if d.watchConn, err = d.daemon.dial(ctx); err != nil {
		return err
	}
	if d.cardConn, err = d.daemon.dial(ctx); err != nil {
		return err
	}
	if err := d.cardConn.establish(ctx); err != nil {
		return err
	}
	all, err := d.watchConn.register(ctx)
	if err != nil {
		return err
	}
	s, err := choose(all, d.namePart)
	if err != nil {
		return err
	}
	d.name, d.lastState, d.changedAt = s.name, state{}, time.Now()
	return d.look(ctx, s)
}

// choose returns the one reader whose name contains label. If no reader or several readers
// match, the error lists the readers that pcscd has.
func choose(all []state, label string) (state, error) {
	var names []string
	var found []state
	for _, s := range all {
		names = append(names, fmt.Sprintf("%q", s.name))
		if strings.Contains(s.name, label) {
			found = append(found, s)
		}
	}
	switch {
	case len(all) == 0:
		return state{}, fault{fmt.Errorf("%w: pcscd has none", ErrNoReader),
			"plug it in; of an ACR122U the kernel has to let go: docs/hardware.md, PC/SC"}
	case len(found) == 0:
		return state{}, fault{fmt.Errorf("%w: got %q, pcscd has %s", ErrNoReader, label, strings.Join(names, ", ")),
			"plug it in, or correct its model"}
	case len(found) > 1:
		return state{}, fault{fmt.Errorf("%q is the name of several readers: pcscd has %s", label, strings.Join(names, ", ")),
			"name more of it as the reader's model"}
	}
	return found[0], nil
}

// List returns the names of the readers that pcscd has.
func (d *Daemon) List(ctx context.Context) ([]string, error) {
	c, err := d.dial(ctx)
	if err != nil {
		return nil, fmt.Errorf("pcsc: %w", err)
	}
	defer c.Close()
	all, err := c.register(ctx)
	if err != nil {
		return nil, fmt.Errorf("pcsc: %w", err)
	}
	var names []string
	for _, s := range all {
		names = append(names, s.name)
	}
	return names, nil
}

// Poll waits up to 100 ms for a change, then appends the UID of the card on the reader to the
// slice seen. If there is no card, Poll appends nothing. If there is a card that cannot be
// read, the error wraps nfc.ErrUnreadable. Once a connection to pcscd has failed, in Poll or
// in another method, Poll fails until Init is called.
func (d *Dev) Poll(ctx context.Context, seen []nfc.UID) ([]nfc.UID, error) {
	seen, err := d.poll(ctx, seen)
	if err != nil {
		return seen, fmt.Errorf("pcsc: %w", err)
	}
	return seen, nil
}

func (d *Dev) poll(ctx context.Context, seen []nfc.UID) ([]nfc.UID, error) {
	if d.watchConn == nil {
		return seen, errors.New("not connected to pcscd")
	}
	if d.cardConn.endErr != nil { // while the card stays, no exchange would notice it
		return seen, d.cardConn.endErr
	}
	wait := pollWait
	if time.Since(d.changedAt) < livelyTime {
		wait = livelyWait
	}
	changed, err := d.watchConn.waitChange(ctx, wait)
	if err != nil {
		return seen, err
	}
	now := d.lastState
	if changed {
		all, err := d.watchConn.register(ctx)
		if err != nil {
			return seen, err
		}
		if now, err = choose(all, d.name); err != nil {
			return seen, err
		}
	}
	if err := d.look(ctx, now); err != nil {
		return seen, err
	}
	switch {
	case d.card != nil:
		return append(seen, d.card.uid), nil
	case d.lastState.present():
		return seen, nfc.ErrUnreadable
	}
	return seen, nil
}

// look records the given state as the state of the reader. If a card was taken away, look
// disconnects from it. If a card is new or could not be read before, look connects to it. If
// connecting fails because of the card, look returns no error and d.card stays nil.
func (d *Dev) look(ctx context.Context, now state) error {
	if !now.isUnchanged(d.lastState) {
		d.changedAt = time.Now()
		if err := d.leave(ctx); err != nil {
			return err
		}
	}
	d.lastState = now
	if !now.present() || d.card != nil {
		return nil
	}
	handle, protocol, err := d.cardConn.connect(ctx, d.name)
	if err != nil {
		return ofCard(err)
	}
	d.card = &card{handle: handle, protocol: protocol}
	answer, err := d.send(ctx, []byte{0xFF, 0xCA, 0, 0, 0}) // get data: the UID
	if err == nil {
		d.card.uid, err = nfc.NewUID(answer)
		if err != nil {
			err = nfc.ErrUnreadable
		}
	}
	if err != nil {
		return cmp.Or(ofCard(err), d.leave(ctx))
	}
	return nil
}

// ofCard returns err, unless the card caused it. For an error of the card, ofCard returns nil,
// because the next poll tries again.
func ofCard(err error) error {
	code, _ := errors.AsType[result](err)
	if code.ofCard() || errors.Is(err, nfc.ErrUnreadable) || errors.Is(err, nfc.ErrRefused) {
		return nil
	}
	return err
}

func (d *Dev) leave(ctx context.Context) error {
	gone := d.card
	if gone == nil {
		return nil
	}
	d.card = nil
	return d.cardConn.disconnect(ctx, gone.handle)
}

// Halt closes both connections to pcscd.
func (d *Dev) Halt() error {
	err := errors.Join(d.watchConn.Close(), d.cardConn.Close())
	d.watchConn, d.cardConn, d.card = nil, nil, nil
	return err
}
