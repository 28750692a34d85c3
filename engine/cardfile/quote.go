package cardfile

import (
	"strings"
	"unicode/utf8"
)

// Word processors and phones write curly quotes and spaces that do not break.
// straighten makes them plain, outside of straight quotes.

var closingQuotes = map[rune]string{'“': "”“", '”': "”", '„': "“”", '«': "»", '»': "«"}

func straighten(line string) string {
	if isPlain(line) {
		return line
	}
	var b strings.Builder
	walk(line, func(_ int, part string) { b.WriteString(part) })
	return b.String()
}

// curled returns the column in line that corresponds to a column in straight(line).
func curled(line string, column int) int {
	if isPlain(line) {
		return column
	}
	at, was := 1, len(line)+1
	walk(line, func(from int, part string) {
		if at <= column && column < at+len(part) {
			was = from + 1
		}
		at += len(part)
	})
	return was
}

func isPlain(line string) bool {
	return !strings.ContainsAny(line, "“”„«»\u00a0\u202f") || !utf8.ValidString(line)
}

// walk straightens a line and splits the result into parts. It passes each part to the
// callback, with the index of the byte where the part begins in the original line.
func walk(line string, with func(from int, part string)) {
	var quoted rune // the sign that began a quote
	pad := false    // a space at the beginning of a quote is dropped
	escaped := false
	for at, r := range line {
		sign := line[at : at+utf8.RuneLen(r)]
		space := r == ' ' || r == '\u00a0' || r == '\u202f'
		switch {
		case quoted == 0 && r == '#':
			with(at, line[at:])
			return
		case quoted == 0 && r == '"', quoted == '"' && r == '"' && !escaped:
			with(at, sign)
			quoted = '"' - quoted
		case quoted == '"':
			with(at, sign)
			escaped = r == '\\' && !escaped
		case quoted == 0 && closingQuotes[r] != "":
			with(at, `"`)
			quoted, pad = r, true
			continue
		case quoted == 0 && space:
			with(at, " ")
		case quoted == 0:
			with(at, sign)
		case strings.ContainsRune(closingQuotes[quoted], r) || r == '"':
			with(at, `"`)
			quoted = 0
		case space && (pad || strings.HasPrefix(line[at+len(sign):], "»")):
			with(at, "")
			continue
		case r == '\\':
			with(at, `\\`)
		case space:
			with(at, " ")
		default:
			with(at, sign)
		}
		pad = false
	}
}
