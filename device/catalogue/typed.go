package catalogue

import (
	"net/url"
	"strings"

	"tableside/device"
)

// typedPrefix is the prefix of a code, other than a UID, from a card reader that works as a
// keyboard. Such a code is, for example, the ten digits of a 125 kHz tag or the digits of a
// barcode. Readers turn a UID into digits in different ways, so the catalogue keeps the digits
// as they are.
const typedPrefix = "typed:"

// maxTypedLen is the greatest length, in bytes, of a tag that is not a UID.
const maxTypedLen = 256

// Typed returns the tag for a line from a card reader that works as a keyboard. If the line is
// a UID, Typed returns the UID in the catalogue's form. Any other line is escaped, gets the
// prefix "typed:", and is cut to maxTypedLen.
func Typed(line string) string {
	line = strings.TrimSpace(line)
	if uid, err := ParseTag(line); err == nil && !isTyped(uid) {
		return uid
	}
	escaped := typedPrefix + url.PathEscape(line)
	return escaped[:min(len(escaped), maxTypedLen)]
}

// isTyped reports whether a tag is a typed code, or stands for a key of a keyboard. Such a tag
// is not a UID. A typed code must have the form that Typed returns.
func isTyped(s string) bool {
	code, ok := strings.CutPrefix(s, typedPrefix)
	if !ok {
		code, ok = strings.CutPrefix(s, device.PressedKey)
	}
	return ok && code != "" && len(s) <= maxTypedLen && !strings.ContainsFunc(code, func(r rune) bool {
		return r <= ' ' || r > '~' || r == '"' || r == '#'
	})
}
