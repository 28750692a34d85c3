package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// UnmarshalJSON implements json.Unmarshaler.
func (n *Null) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = ""
		return nil
	}
	s, err := unquoted(data)
	*n = Null(s)
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (z *Zones) UnmarshalJSON(data []byte) error {
	*z = nil
	return unmarshalOrdered(data, func(name string, value []byte) error {
		zone := Zone{Name: name, Cards: []Card{}}
		var err error
		if string(value) != "[]" {
			err = json.Unmarshal(value, &zone.Cards)
		}
		*z = append(*z, zone)
		return err
	})
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Counters) UnmarshalJSON(data []byte) error {
	*c = nil
	return unmarshalOrdered(data, func(name string, value []byte) error {
		counter := Counter{Name: name}
		err := json.Unmarshal(value, &counter.Value)
		*c = append(*c, counter)
		return err
	})
}

const jsonSpace = " \t\r\n"

// unmarshalOrdered calls the callback for each member of a JSON object, in the order of the
// text. The text must be valid JSON. When package json calls an UnmarshalJSON, it has already
// checked the text. unmarshalOrdered does not check the text again, because a hall reads
// thousands of views a second.
func unmarshalOrdered(data []byte, member func(name string, value []byte) error) error {
	rest := bytes.Trim(data, jsonSpace)
	if string(rest) == "null" {
		return nil
	}
	rest, ok := bytes.CutPrefix(rest, []byte("{"))
	for ok {
		rest = bytes.TrimLeft(rest, jsonSpace+",")
		if string(rest) == "}" {
			return nil
		}
		var key, value []byte
		key, rest = cutValue(rest)
		value, rest = cutValue(bytes.TrimLeft(rest, jsonSpace+":"))
		if len(value) == 0 {
			break
		}
		name, err := unquoted(key)
		if err != nil {
			return err
		}
		if err := member(name, value); err != nil {
			return err
		}
	}
	return fmt.Errorf("an object is needed, not %s", data)
}

// cutValue splits a JSON text after the value with which it begins.
func cutValue(text []byte) (value, rest []byte) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			if !quoted && depth == 0 {
				return text[:i+1], text[i+1:]
			}
		case quoted:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			if depth == 0 { // after a number or a word
				return text[:i], text[i:]
			}
			if depth--; depth == 0 {
				return text[:i+1], text[i+1:]
			}
		case depth == 0 && bytes.IndexByte([]byte(jsonSpace+",:"), c) >= 0:
			return text[:i], text[i:]
		}
	}
	return text, nil
}

// unquoted returns the text of a JSON string.
func unquoted(data []byte) (s string, err error) {
	if n := len(data); n >= 2 && data[0] == '"' && data[n-1] == '"' && bytes.IndexByte(data, '\\') < 0 &&
		utf8.Valid(data) {
		return string(data[1 : n-1]), nil
	}
	err = json.Unmarshal(data, &s)
	return s, err
}
