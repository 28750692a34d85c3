package nfc

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
)

// Errors that concern the text of a tag. The errors of ReadText and WriteText wrap them.
var (
	ErrNoText   = errors.New("there is no text on the tag")
	ErrReadOnly = errors.New("the tag is locked against writing")
	ErrTooLong  = errors.New("the text is too long for the tag")
)

// ReadText returns the first text record of a tag's NDEF message. If the message has no text
// record, ReadText returns the first URI. If the tag is blank or holds something else, the
// error wraps ErrNoText.
func ReadText(ctx context.Context, m Memory) (string, error) {
	a, err := openArea(ctx, m)
	if err != nil {
		return "", fmt.Errorf("nfc: read text: %w", err)
	}
	t, err := a.find(ctx)
	if err != nil {
		return "", fmt.Errorf("nfc: read text: %w", err)
	}
	if !t.present {
		return "", fmt.Errorf("nfc: read text: no NDEF message: %w", ErrNoText)
	}
	if err := a.need(ctx, t.value+t.length); err != nil {
		return "", fmt.Errorf("nfc: read text: %w", err)
	}
	text, err := messageText(a.data()[t.value : t.value+t.length])
	if err != nil {
		return "", fmt.Errorf("nfc: read text: %w", err)
	}
	return text, nil
}

// Type name formats (NDEF 1.0, 3.2.6) and the flags of a record's first byte
// (3.2).
const (
	tnfWellKnown = 0x01
	tnfMask      = 0x07
	flagBegin    = 0x80
	flagEnd      = 0x40
	flagChunk    = 0x20
	flagShort    = 0x10
	flagID       = 0x08
)

// A record is one record of an NDEF message. Its slices are parts of the message.
type record struct {
	head    byte
	kind    []byte
	payload []byte
}

func (r record) is(kind string) bool {
	return r.head&tnfMask == tnfWellKnown && r.head&flagChunk == 0 && string(r.kind) == kind
}

// nextRecord cuts the first record off a message. ok is false if the message ends within the
// record.
func nextRecord(msg []byte) (r record, rest []byte, ok bool) {
	take := func(n uint64) (b []byte) {
		if !ok || uint64(len(msg)) < n {
			ok = false
			return nil
		}
		b, msg = msg[:n], msg[n:]
		return b
	}
	ok = true
	head := take(2)
	if !ok {
		return record{}, nil, false
	}
	r.head = head[0]
	kindLen := uint64(head[1])
	var payloadLen, idLen uint64
	if r.head&flagShort != 0 {
		if b := take(1); ok {
			payloadLen = uint64(b[0])
		}
	} else if b := take(4); ok {
		payloadLen = uint64(binary.BigEndian.Uint32(b))
	}
	if r.head&flagID != 0 {
		if b := take(1); ok {
			idLen = uint64(b[0])
		}
	}
	r.kind = take(kindLen)
	take(idLen)
	r.payload = take(payloadLen)
	return r, msg, ok
}

// messageText returns the text of an NDEF message: the text that ReadText promises, or an
// error that wraps ErrNoText.
func messageText(msg []byte) (string, error) {
	uri, hasURI := "", false
	for len(msg) > 0 {
		r, rest, ok := nextRecord(msg)
		if !ok {
			break // what came before the damage still counts
		}
		if r.is("T") {
			if text, ok := decodeText(r.payload); ok {
				return text, nil
			}
		}
		if r.is("U") && !hasURI {
			uri, hasURI = decodeURI(r.payload)
		}
		if r.head&flagEnd != 0 {
			break
		}
		msg = rest
	}
	if hasURI {
		return uri, nil
	}
	return "", fmt.Errorf("no text record in the NDEF message: %w", ErrNoText)
}

// decodeText decodes the payload of a text record (RTD Text 1.0, 3.2). The payload is a status
// byte, the language and the text. If the payload is cut off, decodeText returns false.
func decodeText(p []byte) (string, bool) {
	if len(p) == 0 {
		return "", false
	}
	lang := int(p[0] & 0x3F)
	if len(p) < 1+lang {
		return "", false
	}
	text := p[1+lang:]
	if p[0]&0x80 == 0 {
		return strings.ToValidUTF8(string(text), "\uFFFD"), true
	}
	return decodeUTF16(text), true
}

// decodeUTF16 decodes UTF-16 text. The high byte comes first, unless a byte order mark says
// otherwise (RTD Text 1.0, 3.4).
func decodeUTF16(b []byte) string {
	var order binary.ByteOrder = binary.BigEndian
	if len(b) >= 2 {
		switch {
		case b[0] == 0xFE && b[1] == 0xFF:
			b = b[2:]
		case b[0] == 0xFF && b[1] == 0xFE:
			order, b = binary.LittleEndian, b[2:]
		}
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// uriPrefixes are the abbreviations of a URI record (RTD URI 1.0, table 3).
var uriPrefixes = [...]string{
	"", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:",
	"ftp://anonymous:anonymous@", "ftp://ftp.", "ftps://", "sftp://", "smb://",
	"nfs://", "ftp://", "dav://", "news:", "telnet://", "imap:", "rtsp://",
	"urn:", "pop:", "sip:", "sips:", "tftp:", "btspp://", "btl2cap://",
	"btgoep://", "tcpobex://", "irdaobex://", "file://", "urn:epc:id:",
	"urn:epc:tag:", "urn:epc:pat:", "urn:epc:raw:", "urn:epc:", "urn:nfc:",
}

// decodeURI decodes the payload of a URI record. If the payload is empty, decodeURI returns
// false. A reserved prefix counts as no prefix (RTD URI 1.0, 3.2.2).
func decodeURI(p []byte) (string, bool) {
	if len(p) == 0 {
		return "", false
	}
	prefix := ""
	if int(p[0]) < len(uriPrefixes) {
		prefix = uriPrefixes[p[0]]
	}
	return prefix + strings.ToValidUTF8(string(p[1:]), "\uFFFD"), true
}

// encodeText returns an NDEF message of one text record in UTF-8.
func encodeText(text string) []byte {
	const lang = "en"
	payload := 1 + len(lang) + len(text)
	msg := make([]byte, 0, 7+payload)
	if payload < 256 {
		msg = append(msg, flagBegin|flagEnd|flagShort|tnfWellKnown, 1, byte(payload))
	} else {
		msg = append(msg, flagBegin|flagEnd|tnfWellKnown, 1)
		msg = binary.BigEndian.AppendUint32(msg, uint32(payload))
	}
	msg = append(msg, 'T', byte(len(lang)))
	msg = append(msg, lang...)
	return append(msg, text...)
}
