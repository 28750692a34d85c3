package tape

import (
	"bytes"
	"fmt"
	"strconv"
)

// minRun is the least number of equal bytes that are written as a run.
const minRun = 8

const digits = "0123456789abcdef"

// appendBytes appends the bytes b to dest, in hexadecimal. A run of n equal bytes hh is
// written as (hh*n). If b is empty, appendBytes writes "-".
func appendBytes(dest, b []byte) []byte {
	if len(b) == 0 {
		return append(dest, '-')
	}
	for i := 0; i < len(b); {
		run := 1
		for i+run < len(b) && b[i+run] == b[i] {
			run++
		}
		if run >= minRun {
			dest = append(dest, '(', digits[b[i]>>4], digits[b[i]&15], '*')
			dest = strconv.AppendInt(dest, int64(run), 10)
			dest = append(dest, ')')
			i += run
			continue
		}
		for range run {
			dest = append(dest, digits[b[i]>>4], digits[b[i]&15])
		}
		i += run
	}
	return dest
}

// Bytes returns bytes in the notation of a tape.
func Bytes(b []byte) string { return string(appendBytes(nil, b)) }

// maxBytes is the greatest number of bytes in one transfer. It is more than a picture of the
// largest panel needs.
const maxBytes = 1 << 18

// ParseBytes returns the bytes that the text s stands for. The function Bytes writes such
// texts. If s has an error, the second result is the column of the error, counted from 0.
func ParseBytes(s string) (b []byte, column int, err error) { return parseBytes(s, maxBytes) }

func parseBytes(s string, room int) (b []byte, column int, err error) {
	if s == "-" {
		return nil, 0, nil
	}
	for i := 0; i < len(s); {
		run := 1
		at := i
		if s[i] == '(' {
			at++
		}
		if at+2 > len(s) {
			return nil, i, fmt.Errorf("got half a byte, want two hexadecimal digits")
		}
		high, low := bytes.IndexByte([]byte(digits), s[at]), bytes.IndexByte([]byte(digits), s[at+1])
		if high < 0 || low < 0 {
			return nil, at, fmt.Errorf("got %q, want two hexadecimal digits in lower case", s[at:at+2])
		}
		next := at + 2
		if at > i {
			end := next
			for end < len(s) && s[end] != ')' {
				end++
			}
			if next >= len(s) || s[next] != '*' || end == len(s) {
				return nil, i, fmt.Errorf("got %q, want a run such as (00*16)", s[i:min(end+1, len(s))])
			}
			n, err := strconv.Atoi(s[next+1 : end])
			if err != nil || n < minRun || n > maxBytes || s[next+1] == '+' {
				return nil, next + 1, fmt.Errorf("got a run of %q bytes, want %d to %d", s[next+1:end], minRun, maxBytes)
			}
			run, next = n, end+1
		}
		if len(b)+run > room {
			return nil, i, fmt.Errorf("got more than %d bytes", room)
		}
		for range run {
			b = append(b, byte(high<<4|low))
		}
		i = next
	}
	if len(b) == 0 {
		return nil, 0, fmt.Errorf("got nothing, want bytes or -")
	}
	return b, 0, nil
}
