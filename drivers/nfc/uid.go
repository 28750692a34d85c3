package nfc

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// A UID is the number that a tag was given when it was made. It has 4, 7 or 10 bytes (ISO/IEC
// 14443-3, 6.5.4). UIDs can be compared, and can be the keys of a map. The zero UID belongs to
// no tag.
type UID struct {
	n uint8
	b [10]byte
}

// NewUID returns the UID with these bytes. The bytes are in the order in which they are sent
// and printed. If there are not 4, 7 or 10 bytes, NewUID returns an error.
func NewUID(b []byte) (UID, error) {
	switch len(b) {
	case 4, 7, 10:
	default:
		return UID{}, fmt.Errorf("nfc: got a UID of %d bytes, want 4, 7 or 10", len(b))
	}
	u := UID{n: uint8(len(b))}
	copy(u.b[:], b)
	return u, nil
}

// ParseUID parses a UID in the form that String returns, in upper or lower case. The bytes may
// be separated by ":", "-" or " ".
func ParseUID(s string) (UID, error) {
	var digits strings.Builder
	rest := s
	for rest != "" {
		if digits.Len() > 0 && strings.ContainsRune(":- ", rune(rest[0])) {
			rest = rest[1:]
		}
		if len(rest) < 2 {
			return UID{}, fmt.Errorf("nfc: got %q, want a UID with two hexadecimal digits a byte", s)
		}
		digits.WriteString(rest[:2])
		rest = rest[2:]
	}
	b, err := hex.DecodeString(digits.String())
	if err != nil {
		return UID{}, fmt.Errorf("nfc: got %q, want a UID with two hexadecimal digits a byte", s)
	}
	u, err := NewUID(b)
	if err != nil {
		return UID{}, fmt.Errorf("nfc: got %q with %d bytes, want a UID of 4, 7 or 10", s, len(b))
	}
	return u, nil
}

// String returns the bytes in hexadecimal, upper case, with nothing between
// them: "04A1B2C3D4E5F6".
func (u UID) String() string {
	return fmt.Sprintf("%X", u.b[:u.n])
}

// Len returns the number of bytes in the UID: 4, 7, 10, or 0 for the zero UID.
func (u UID) Len() int { return int(u.n) }

// Bytes returns a copy of the UID's bytes.
func (u UID) Bytes() []byte { return u.AppendTo(nil) }

// AppendTo appends the bytes of the UID to the slice b, and returns the extended slice.
func (u UID) AppendTo(b []byte) []byte { return append(b, u.b[:u.n]...) }
