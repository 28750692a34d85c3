package pcsc

import (
	"context"
	"errors"
	"fmt"

	"tableside/drivers/nfc"
)

// Select returns the memory of the card on the reader. If there is no card that can be read,
// or if the card has another UID, the error wraps nfc.ErrNoTag.
func (d *Dev) Select(ctx context.Context, uid nfc.UID) (nfc.Memory, error) {
	if d.watchConn == nil {
		return nil, errors.New("pcsc: not connected to pcscd")
	}
	if err := d.look(ctx, d.lastState); err != nil {
		return nil, fmt.Errorf("pcsc: %w", err)
	}
	if d.card == nil || d.card.uid != uid {
		return nil, fmt.Errorf("pcsc: select %s: %w", uid, nfc.ErrNoTag)
	}
	return &memory{d, d.card}, nil
}

// A memory is the memory of the card that Select found on the reader. Once this card has been
// taken away, the methods return an error that wraps nfc.ErrNoTag.
type memory struct {
	dev  *Dev
	card *card
}

// ReadPages reads the given page and the three after it (READ BINARY, 3.2.2.1.8).
func (m *memory) ReadPages(ctx context.Context, page byte, to *[16]byte) error {
	answer, err := m.send(ctx, []byte{0xFF, 0xB0, 0, page, 16})
	if err == nil && len(answer) != len(to) {
		err = fmt.Errorf("got %d bytes, want %d: %w", len(answer), len(to), nfc.ErrRefused)
	}
	if err != nil {
		return fmt.Errorf("pcsc: read page %d: %w", page, err)
	}
	copy(to[:], answer)
	return nil
}

// WritePage writes one page (UPDATE BINARY, 3.2.2.1.9).
func (m *memory) WritePage(ctx context.Context, page byte, data [4]byte) error {
	if _, err := m.send(ctx, append([]byte{0xFF, 0xD6, 0, page, 4}, data[:]...)); err != nil {
		return fmt.Errorf("pcsc: write page %d: %w", page, err)
	}
	return nil
}

func (m *memory) send(ctx context.Context, command []byte) ([]byte, error) {
	if m.card != m.dev.card {
		return nil, nfc.ErrNoTag
	}
	return m.dev.send(ctx, command)
}

// send sends a command to the card and returns its answer without the status.
func (d *Dev) send(ctx context.Context, command []byte) ([]byte, error) {
	answer, err := d.cardConn.transmit(ctx, d.card, command)
	switch code, _ := errors.AsType[result](err); {
	case code.ofCard():
		return nil, fmt.Errorf("%w: %w", nfc.ErrNoTag, err)
	case err != nil:
		return nil, err
	case len(answer) < 2:
		return nil, fmt.Errorf("an answer without a status: %w", nfc.ErrUnreadable)
	}
	end := len(answer) - 2
	switch answer[end] {
	case 0x90:
		return answer[:end], nil
	case 0x63, 0x64: // the card did not answer, or not well: it may be coming or going
		return nil, nfc.ErrUnreadable
	}
	return nil, fmt.Errorf("status %X: %w", answer[end:], nfc.ErrRefused)
}
