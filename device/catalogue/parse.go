package catalogue

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"tableside/device"
	"tableside/engine"
)

// An Entry holds one line of the catalogue: a tag and its meaning.
type Entry struct {
	Tag     string // as ParseTag returns it, such as "04A1B2C3D4E5F6"
	Meaning device.Meaning
	Line    int // in the file, from 1
}

// String returns the line of the entry, without a line break. A key or a die's face stands
// after the word "key" or "roll" and a space. A card stands after its box and a slash.
func (e Entry) String() string {
	meaning := e.Meaning.String()
	if e.Meaning.Kind != device.CardTag {
		meaning = strings.Replace(meaning, "/", " ", 1)
	}
	return e.Tag + " " + meaning
}

// Parse reads a catalogue. It leaves out a line with a mistake. If several lines have the same
// tag, only the first of them counts. For each line that is left out, there is an
// *engine.SyntaxError with file, line and column.
func Parse(file, source string) (entries []Entry, faults []error) {
	lines := map[string]int{}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(source, "\ufeff")) {
		number++
		entry, err := parseLine(strings.TrimRight(line, "\r\n"))
		if err == nil && entry.Tag == "" {
			continue
		}
		if first := lines[entry.Tag]; err == nil && first > 0 {
			err = wrongAt(1, "the tag %s is already in line %d, which counts", entry.Tag, first)
		}
		if syntax, ok := errors.AsType[*engine.SyntaxError](err); ok {
			syntax.File, syntax.Line = file, number
			faults = append(faults, syntax)
			continue
		}
		entry.Line = number
		lines[entry.Tag] = number
		entries = append(entries, entry)
	}
	return entries, faults
}

func wrongAt(column int, format string, args ...any) error {
	return &engine.SyntaxError{Column: column, Reason: fmt.Sprintf(format, args...), Format: format, Args: args}
}

func atColumn(column int, err error) error {
	if syntax, ok := errors.AsType[*engine.SyntaxError](err); ok {
		return wrongAt(column, syntax.Format, syntax.Args...)
	}
	return err
}

// parseLine reads one line. The entry of an empty line or a comment has no tag.
func parseLine(line string) (Entry, error) {
	tokens, err := engine.Tokens(line)
	if err != nil || len(tokens) == 0 {
		return Entry{}, err
	}
	tag, err := ParseTag(tokens[0].Text)
	if err != nil {
		return Entry{}, atColumn(tokens[0].Column, err)
	}
	if len(tokens) == 1 {
		return Entry{}, wrongAt(len(line)+1, `what the tag means is missing, such as "mutants/zombie.2" or "key undo"`)
	}
	meaning, used := tokens[1].Text, 2
	if (meaning == "key" || meaning == "roll") && len(tokens) > 2 {
		meaning, used = meaning+"/"+tokens[2].Text, 3
	}
	m, err := device.ParseMeaning(meaning)
	if err != nil {
		return Entry{}, atColumn(tokens[1].Column, err)
	}
	if len(tokens) > used {
		return Entry{}, wrongAt(tokens[used].Column, "unexpected %q at end of line", tokens[used].Text)
	}
	return Entry{Tag: tag, Meaning: m}, nil
}

// randomUIDPrefix is the first byte of a random UID of four bytes. Phones and bank cards give a
// new random UID each time. (ISO/IEC 14443-3, uid0 in 6.5.4)
const randomUIDPrefix = "08"

// ParseTag reads a UID of 4, 7 or 10 bytes, and returns the UID in the catalogue's form. The
// letters of the UID may be capital or small, and ':' or '-' may stand between its bytes. A
// tag that is not a UID, such as a code from Typed, is returned unchanged. An error is an
// *engine.SyntaxError.
func ParseTag(s string) (string, error) {
	if isTyped(s) {
		return s, nil
	}
	digits := s
	if len(s) > 2 && (s[2] == ':' || s[2] == '-') {
		parts := strings.Split(s, s[2:3])
		for _, part := range parts {
			if len(part) != 2 {
				return "", badTag(s)
			}
		}
		digits = strings.Join(parts, "")
	}
	uid, err := hex.DecodeString(digits)
	if n := len(uid); err != nil || n != 4 && n != 7 && n != 10 {
		return "", badTag(s)
	}
	digits = strings.ToUpper(digits)
	if len(uid) == 4 && digits[:2] == randomUIDPrefix {
		return "", wrongAt(1, "%s is a random number, as a phone or a bank card gives another each time", digits)
	}
	return digits, nil
}

func badTag(s string) error {
	return wrongAt(1, "%q is not the UID of a tag: 8, 14 or 20 hexadecimal digits", s)
}
