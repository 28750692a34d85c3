package catalogue

import (
	"net/url"
	"strings"

	"tableside/device"
)

// typedPrefix begins a tag that is no UID: a code that a reader has typed, such as the ten digits of
// a 125 kHz tag or the digits of a barcode. Readers turn a UID into digits in different ways,
// so the digits are kept as they are.
const typedPrefix = "typed:"

// longestTyped bounds a tag that is no UID, in bytes.
const longestTyped = 256

// Typed returns the tag of a line that a reader has typed. A UID comes in the catalogue's form.
// Any other line is escaped, gets the prefix "typed:", and is cut to longestTyped.
func Typed(line string) string {
	line = strings.TrimSpace(line)
	if uid, err := ParseTag(line); err == nil && !isTyped(uid) {
		return uid
	}
	escaped := typedPrefix + url.PathEscape(line)
	return escaped[:min(len(escaped), longestTyped)]
}

// isTyped reports whether a tag is no UID but a code in the form of Typed, or a key of a
// keyboard.
func isTyped(s string) bool {
	code, ok := strings.CutPrefix(s, typedPrefix)
	if !ok {
		code, ok = strings.CutPrefix(s, device.PressedKey)
	}
	return ok && code != "" && len(s) <= longestTyped && !strings.ContainsFunc(code, func(r rune) bool {
		return r <= ' ' || r > '~' || r == '"' || r == '#'
	})
}
