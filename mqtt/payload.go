package mqtt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tableside/engine"
)

const (
	maxInput = engine.MaxLine // bytes of an input message
	maxOrder = 64 << 10       // bytes of a match command, which may carry definitions
	maxID    = 128            // bytes of a correlation id
)

// A Result answers a command.
type Result struct {
	ID      string         `json:"id,omitempty"` // as in the command
	Outcome engine.Outcome `json:"outcome"`
	Seq     int            `json:"seq"`
	Reason  engine.Text    `json:"reason,omitzero"`
	Text    string         `json:"text"`
}

// parseInput reads an input message. The message is a line, or JSON that holds the line or its
// fields. Even if the message is malformed, parseInput tries to find the id.
func parseInput(payload []byte) (id string, in engine.Input, err error) {
	payload = bytes.TrimSpace(payload)
	if !bytes.HasPrefix(payload, []byte("{")) {
		in, err = engine.ParseInput(string(payload))
		in.At = 0
		return "", in, err
	}
	var fields struct {
		ID    string      `json:"id"`
		Input string      `json:"input"`
		Seat  engine.Seat `json:"seat"`
		Verb  engine.Verb `json:"verb"`
		Args  []string    `json:"args"`
	}
	if err := engine.DecodeJSON(payload, &fields); err != nil {
		return findID(payload), in, err
	}
	if len(fields.ID) > maxID {
		return "", in, unreadable("mqtt.id-long", "n", maxID)
	}
	in = engine.Input{Seat: fields.Seat, Verb: fields.Verb, Args: fields.Args}
	apart := in.Seat != "" || in.Verb != "" || in.Args != nil
	switch {
	case fields.Input != "" && apart:
		return fields.ID, in, unreadable("mqtt.input-twice")
	case !apart:
		in, err = engine.ParseInput(fields.Input)
		in.At = 0
		return fields.ID, in, err
	}
	parsed, err := engine.ParseInput(in.Command())
	if err == nil && (parsed.Seat != in.Seat || parsed.Verb != in.Verb || !slices.Equal(parsed.Args, in.Args)) {
		err = unreadable("mqtt.one-word")
	}
	return fields.ID, in, err
}

// orderExample is an example of a match command.
const orderExample = `{"do":"rematch"}`

// parseOrder reads a match message: the order as JSON, with or without an id.
func parseOrder(payload []byte) (id string, order engine.Order, err error) {
	if !bytes.HasPrefix(bytes.TrimSpace(payload), []byte("{")) {
		return "", order, unreadable("mqtt.json-order", "example", orderExample)
	}
	var fields struct {
		ID string `json:"id"`
		engine.Order
	}
	if err := engine.DecodeJSON(payload, &fields); err != nil {
		return findID(payload), order, err
	}
	switch {
	case len(fields.ID) > maxID:
		return "", order, unreadable("mqtt.id-long", "n", maxID)
	case fields.Do == "":
		return fields.ID, order, unreadable("mqtt.do-missing")
	}
	return fields.ID, fields.Order, nil
}

// An unreadableError says in plain words why a command cannot be read.
type unreadableError struct{ text engine.Text }

func (e *unreadableError) Error() string { return fmt.Sprint(e.text.Key, " ", e.text.Args) }

func unreadable(key string, pairs ...any) error { return &unreadableError{engine.T(key, pairs...)} }

// wrong returns the text of an error from parseInput or parseOrder, in the table's language.
func (c *Client) wrong(err error) string {
	var u *unreadableError
	if errors.As(err, &u) {
		return c.words.Say(c.cfg.Lang, u.text, nil)
	}
	return engine.ErrorIn(err, c.cfg.Lang)
}

// findID returns the id in a JSON payload. Apart from the id, the payload may be wrong, cut
// off or too long. If there is no id, findID returns "".
func findID(payload []byte) (id string) {
	d := json.NewDecoder(bytes.NewReader(payload))
	named, field := false, "" // the name of the top-level field whose value comes next, if any
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			return id
		}
		switch t := token.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				depth++
			} else {
				depth--
			}
			if depth == 0 || depth == 1 && t == '[' {
				return id // the object is over, or it is a list
			}
		case string:
			if depth == 1 && !named {
				named, field = true, t
				continue
			}
			if depth == 1 && strings.EqualFold(field, "id") && len(t) <= maxID && !strings.ContainsRune(t, utf8.RuneError) {
				id = t
			}
		}
		named = depth > 1
	}
}
