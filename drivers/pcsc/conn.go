package pcsc

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

// Kinds of message of pcscd, from enum pcsc_msg_commands in winscard_msg.h.
//
// A message is a header and a body. The header is two numbers: the length of the body, and the
// kind. The answer is the same body with the results filled in. All numbers have 32 bits, in
// the byte order of this machine.
const (
	msgEstablish  = 0x01
	msgConnect    = 0x04
	msgDisconnect = 0x06
	msgTransmit   = 0x09
	msgVersion    = 0x11
	msgWait       = 0x13 // gets the states of all readers, then a message at the next change
)

// The version of the protocol that the driver names first, that of pcscd 1.8.24 to 2.2. Later
// minor versions change nothing that the driver uses, but only pcscd 2.4.1 and later accept a
// client of another one: see dial.
const major, minor = 4, 4

const (
	nameLen    = 128
	stateLen   = 184 // of a reader
	maxReaders = 16
	connectLen = 4 + nameLen + 5*4
	maxAnswer  = 264
)

var order = binary.NativeEndian

// A result is an error code of pcscd, as pcsclite.h defines it.
type result uint32

const (
	errSharing      result = 0x8010000B
	errNoCard       result = 0x8010000C
	errNotReady     result = 0x80100010
	errNoTransacted result = 0x80100016
	errMute         result = 0x80100066
	errUnpowered    result = 0x80100067
	errReset        result = 0x80100068
	errRemoved      result = 0x80100069
	errNoService    result = 0x8010001D
	errVersion      result = 0x8010001E
	errDenied       result = 0x8010006A
)

func (r result) Error() string {
	switch r {
	case errSharing:
		return "another program has the card for itself"
	case errNoCard, errRemoved:
		return "the card is gone"
	case errMute, errUnpowered, errReset, errNotReady, errNoTransacted:
		return "the card does not answer"
	case errVersion, errNoService:
		return "pcscd speaks a version of its protocol that this program does not; 1.8.24 or later is needed"
	case errDenied:
		return "pcscd denies access"
	}
	return fmt.Sprintf("pcscd answers with error %08Xh", uint32(r))
}

func (r result) ofCard() bool {
	switch r {
	case errSharing, errNoCard, errRemoved, errMute, errUnpowered, errReset, errNotReady, errNoTransacted:
		return true
	}
	return false
}

// A fault is an error that the owner can mend.
type fault struct {
	error
	hint string
}

// Hint returns what the owner can do about the error.
func (f fault) Hint() string { return f.hint }

func (f fault) Unwrap() error { return f.error }

// A state is the state of a reader as pcscd reports it.
type state struct {
	name   string
	events uint32 // counts the cards that came and left
	bits   uint32
}

const bitPresent = 0x4

func (s state) present() bool { return s.bits&bitPresent != 0 }

// isUnchanged reports whether no card has come or left since the given earlier state. If the
// states are of different readers, the result is false. isUnchanged ignores the bits that say
// which programs use the reader.
func (s state) isUnchanged(old state) bool {
	return s.name == old.name && s.events == old.events && s.present() == old.present()
}

// A conn is a connection to pcscd. When an exchange fails, the conn closes itself, so that a
// late answer cannot be taken for the answer to the next message.
//
// An error code in an answer of pcscd does not close the conn. A nil conn counts as closed.
type conn struct {
	net.Conn
	in      *bufio.Reader
	context uint32
	endErr  error // why it closed itself; nil: it did not
}

// polkitHint says what lets this user have the readers.
const polkitHint = "polkit needs a rule for it; the package has that of the user tableside: " +
	"docs/hardware.md, Readers on USB"

var (
	errNotRunning = errors.New("pcscd is not installed, or does not run")
	errGone       = errors.New("pcscd has gone")
	errCutOff     = errors.New("an exchange with pcscd was cut off")
)

func (d *Daemon) dial(ctx context.Context) (*conn, error) {
	ours := cmp.Or(d.minor.Load(), minor)
	c, theirs, err := dialVersion(ctx, d.Socket, ours)
	if errors.Is(err, errVersion) && theirs >= minor && theirs != ours {
		if c, _, err = dialVersion(ctx, d.Socket, theirs); err == nil {
			d.minor.Store(theirs)
		}
	}
	return c, err
}

// dialVersion connects to pcscd as a client of the given minor version. If pcscd refuses the
// client, dialVersion also returns the minor version that pcscd speaks, or 0 if its major
// version is another.
func dialVersion(ctx context.Context, socket string, ours uint32) (c *conn, theirs uint32, err error) {
	var dialer net.Dialer
	nc, err := dialer.DialContext(ctx, "unix", socket)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, 0, fault{fmt.Errorf("%w: there is no %s", errNotRunning, socket),
			"sudo apt install pcscd; it starts by itself when it is needed"}
	case err != nil:
		return nil, 0, fmt.Errorf("pcscd does not answer: %w", err)
	}
	c = newConn(nc)
	numbers, err := c.ask(ctx, msgVersion, major, ours, 0)
	if err == nil {
		return c, ours, nil
	}
	if numbers != nil && numbers[0] == major {
		theirs = numbers[1]
	}
	return nil, theirs, errors.Join(hintDenied(err), c.Close())
}

func hintDenied(err error) error {
	if errors.Is(err, errGone) {
		return fault{err, "if it denies this user, " + polkitHint}
	}
	return err
}

func newConn(nc net.Conn) *conn {
	return &conn{Conn: nc, in: bufio.NewReaderSize(nc, maxReaders*stateLen)}
}

// Close ends the connection.
func (c *conn) Close() error {
	if c == nil || c.endErr != nil {
		return nil
	}
	return c.Conn.Close()
}

func (c *conn) end(err error) error {
	_ = c.Close()
	c.endErr = err
	return err
}

// watchContext makes reads and writes fail as soon as ctx ends or the time limit has passed. A
// limit of 0 means that there is none. The caller calls the returned function once, when it
// has finished reading and writing. After that call, the end of ctx has no effect.
func (c *conn) watchContext(ctx context.Context, limit time.Duration) (done func()) {
	deadline := time.Time{}
	if limit > 0 {
		deadline = time.Now().Add(limit)
	}
	_ = c.SetDeadline(deadline) // fails only where the connection is closed, which the next call finds
	cut := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = c.SetDeadline(time.Unix(1, 0))
		close(cut)
	})
	return func() {
		if !stop() {
			<-cut // else it might cut off the next exchange
		}
	}
}

// exchange sends one message and overwrites body with the answer. The message is a header, the
// bytes of body, and the bytes of tail. The answer has the same length as body.
func (c *conn) exchange(ctx context.Context, kind uint32, body, tail []byte) error {
	defer c.watchContext(ctx, 0)()
	message := order.AppendUint32(nil, uint32(len(body)))
	message = order.AppendUint32(message, kind)
	if _, err := c.Write(append(append(message, body...), tail...)); err != nil {
		return c.closeBroken(ctx, err)
	}
	if _, err := io.ReadFull(c.in, body); err != nil {
		return c.closeBroken(ctx, err)
	}
	return nil
}

func (c *conn) closeBroken(ctx context.Context, err error) error {
	switch {
	case c.endErr != nil:
		return c.endErr
	case ctx.Err() != nil:
		_ = c.end(errCutOff)
		return context.Cause(ctx)
	}
	return c.end(fmt.Errorf("%w: %w", errGone, err))
}

// ask sends numbers to pcscd and returns the numbers in the answer. The answer has as many
// numbers as were sent, and its last number is a result code. If the code is not 0, ask
// returns an error for it, too.
func (c *conn) ask(ctx context.Context, kind uint32, numbers ...uint32) ([]uint32, error) {
	body := make([]byte, 4*len(numbers))
	for i, n := range numbers {
		order.PutUint32(body[4*i:], n)
	}
	if err := c.exchange(ctx, kind, body, nil); err != nil {
		return nil, err
	}
	for i := range numbers {
		numbers[i] = order.Uint32(body[4*i:])
	}
	switch r := result(numbers[len(numbers)-1]); r {
	case 0:
		return numbers, nil
	case errDenied:
		return numbers, fault{r, polkitHint}
	default:
		return numbers, r
	}
}

func (c *conn) establish(ctx context.Context) error {
	const system = 2 // SCARD_SCOPE_SYSTEM
	got, err := c.ask(ctx, msgEstablish, system, 0, 0)
	if err == nil {
		c.context = got[1]
	}
	return err
}

// register returns the states of all readers. It also makes pcscd send a message at the next
// change. The method waitChange waits for that message.
func (c *conn) register(ctx context.Context) ([]state, error) {
	defer c.watchContext(ctx, 0)()
	if _, err := c.Write(order.AppendUint32(order.AppendUint32(nil, 0), msgWait)); err != nil {
		return nil, c.closeBroken(ctx, err)
	}
	body := make([]byte, maxReaders*stateLen)
	if _, err := io.ReadFull(c.in, body); err != nil {
		return nil, c.closeBroken(ctx, err)
	}
	var all []state
	for ; len(body) > 0; body = body[stateLen:] {
		name, _, _ := bytes.Cut(body[:nameLen], []byte{0})
		if len(name) > 0 {
			all = append(all, state{string(name), order.Uint32(body[nameLen:]), order.Uint32(body[nameLen+4:])})
		}
	}
	return all, nil
}

// waitChange waits for pcscd's message about a change of any reader. It reports whether the
// message came within the limit. If the message came, the caller must call register before the
// next waitChange.
func (c *conn) waitChange(ctx context.Context, limit time.Duration) (bool, error) {
	defer c.watchContext(ctx, limit)()
	const length = 8 // a timeout and a result, neither of which is used
	_, err := c.in.Peek(length)
	switch {
	case err == nil:
		_, err = c.in.Discard(length)
		return true, err
	case ctx.Err() == nil && errors.Is(err, os.ErrDeadlineExceeded):
		return false, nil
	}
	return false, c.closeBroken(ctx, err)
}

// connect connects to the card on the reader with the given name. It returns the card's handle
// and protocol. Connecting powers the card.
func (c *conn) connect(ctx context.Context, name string) (handle, protocol uint32, err error) {
	const (
		shared     = 2 // SCARD_SHARE_SHARED
		protocol01 = 3 // T=0 or T=1
	)
	body := make([]byte, connectLen)
	order.PutUint32(body, c.context)
	copy(body[4:4+nameLen-1], name)
	rest := body[4+nameLen:]
	order.PutUint32(rest, shared)
	order.PutUint32(rest[4:], protocol01)
	if err := c.exchange(ctx, msgConnect, body, nil); err != nil {
		return 0, 0, hintDenied(err)
	}
	if r := result(order.Uint32(rest[16:])); r != 0 {
		return 0, 0, r
	}
	return order.Uint32(rest[8:]), order.Uint32(rest[12:]), nil
}

func (c *conn) disconnect(ctx context.Context, handle uint32) error {
	const leave = 0 // SCARD_LEAVE_CARD
	_, err := c.ask(ctx, msgDisconnect, handle, leave, 0)
	if _, refused := errors.AsType[result](err); refused {
		return nil
	}
	return err
}

// transmit sends a command to a card and returns the card's answer. The status bytes are at
// the end of the answer.
func (c *conn) transmit(ctx context.Context, on *card, command []byte) ([]byte, error) {
	const pci = 8 // length of a protocol header, which is in the message already
	body := make([]byte, 0, 32)
	for _, n := range []uint32{on.handle, on.protocol, pci, uint32(len(command)), on.protocol, pci, maxAnswer, 0} {
		body = order.AppendUint32(body, n)
	}
	if err := c.exchange(ctx, msgTransmit, body, command); err != nil {
		return nil, err
	}
	if r := result(order.Uint32(body[28:])); r != 0 {
		return nil, r
	}
	n := order.Uint32(body[24:])
	if n > maxAnswer {
		return nil, c.end(fmt.Errorf("pcscd announces an answer of %d bytes, at most %d were asked for", n, maxAnswer))
	}
	defer c.watchContext(ctx, 0)()
	answer := make([]byte, n)
	if _, err := io.ReadFull(c.in, answer); err != nil {
		return nil, c.closeBroken(ctx, err)
	}
	return answer, nil
}
