package rig

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tableside/drivers/nfc"
)

var errReaderGone = errors.New("the reader is gone: plug it in and lay the tag down again")

// These are the limits for writing a tag.
const (
	writeTries = 3
	writeLimit = 2 * time.Second // all tries; NTAG213 needs 4 ms for each of a few pages
)

// Write writes a text on a tag that lies on the reader. It reads the text back as every table
// will read the text. Write tries up to three times (writeTries) within 2 s (writeLimit). If
// the tag can never hold the text, Write tries only once.
func (c *chip) Write(ctx context.Context, tag, text string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	uid, err := nfc.ParseUID(tag)
	if err != nil {
		return err
	}
	if c.dev == nil { // its adapter was unplugged after the tag was found
		return errReaderGone
	}
	for range writeTries {
		if err = c.writeOnce(ctx, uid, text); err == nil || errors.Is(err, nfc.ErrReadOnly) ||
			errors.Is(err, nfc.ErrTooLong) || errors.Is(err, nfc.ErrRefused) {
			break
		}
		_, _ = c.dev.Poll(ctx, nil) // switches the field off, which resets all tags
	}
	return err
}

func (c *chip) writeOnce(ctx context.Context, uid nfc.UID, text string) error {
	memory, err := c.dev.Select(ctx, uid)
	if err != nil {
		return err
	}
	if err := nfc.WriteText(ctx, memory, text); err != nil { // it reads back what it has written
		return err
	}
	got, err := nfc.ReadText(ctx, memory)
	if err == nil && got != text {
		err = fmt.Errorf("it reads back as %q", got)
	}
	return err
}
