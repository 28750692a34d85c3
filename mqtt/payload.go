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
	line := string(bytes.TrimSpace(payload))
	var fields struct {
		ID    string      `json:"id"`
		Input string      `json:"input"`
		Seat  engine.Seat `json:"seat"`
		Verb  engine.Verb `json:"verb"`
		Args  []string    `json:"args"`
	}
	apart := false
	if strings.HasPrefix(line, "{") {
		if err := engine.DecodeJSON([]byte(line), &fields); err != nil {
			return findID(payload), in, err
		}
		line, apart = fields.Input, fields.Seat != "" || fields.Verb != "" || fields.Args != nil
	}
	switch {
	case len(fields.ID) > maxID:
		return "", in, unreadable("mqtt.id-long", "n", maxID)
	case apart && line != "":
		return fields.ID, in, unreadable("mqtt.input-twice")
	case apart:
		line = engine.Input{Seat: fields.Seat, Verb: fields.Verb, Args: fields.Args}.Command()
	}
	in, err = engine.ParseInput(line)
	in.At = 0
	if err == nil && apart && (in.Seat != fields.Seat || in.Verb != fields.Verb || !slices.Equal(in.Args, fields.Args)) {
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

func (c *Client) wrong(err error) string {
	if u, ok := errors.AsType[*unreadableError](err); ok {
		return c.words.Say(c.cfg.Lang, u.text, nil)
	}
	return engine.ErrorIn(err, c.cfg.Lang)
}

// findID returns the id in a JSON payload. Apart from the id, the payload may be wrong, cut
// off or too long. If there is no id, findID returns "".
func findID(payload []byte) (id string) {
	d := json.NewDecoder(bytes.NewReader(payload))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return ""
	}
	for d.More() {
		name, err := d.Token()
		var value any
		if err != nil || d.Decode(&value) != nil {
			return id
		}
		text, ok := value.(string)
		if key, _ := name.(string); ok && strings.EqualFold(key, "id") && len(text) <= maxID &&
			!strings.ContainsRune(text, utf8.RuneError) {
			id = text
		}
	}
	return id
}
