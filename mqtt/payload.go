package mqtt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
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
	ID      string         `json:"id,omitempty"` // as the command had it
	Outcome engine.Outcome `json:"outcome"`
	Seq     int            `json:"seq"`
	Reason  engine.Text    `json:"reason,omitzero"`
	Text    string         `json:"text"`
}

// parseInput reads an input message: a line, or JSON with the line or with
// its fields. The id is found also in a message that is otherwise malformed,
// where that can be.
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
	if err := decode(payload, &fields); err != nil {
		return findID(payload), in, err
	}
	if len(fields.ID) > maxID {
		return "", in, fmt.Errorf("the id is longer than %d bytes", maxID)
	}
	in = engine.Input{Seat: fields.Seat, Verb: fields.Verb, Args: fields.Args}
	apart := in.Seat != "" || in.Verb != "" || in.Args != nil
	switch {
	case fields.Input != "" && apart:
		return fields.ID, in, errors.New(`give either "input" or "seat", "verb" and "args"`)
	case !apart:
		in, err = engine.ParseInput(fields.Input)
		in.At = 0
		return fields.ID, in, err
	}
	parsed, err := engine.ParseInput(in.Command())
	if err == nil && (parsed.Seat != in.Seat || parsed.Verb != in.Verb || !slices.Equal(parsed.Args, in.Args)) {
		err = errors.New("seat and verb are one word each")
	}
	return fields.ID, in, err
}

// parseOrder reads a match message: the order as JSON, with or without an id.
func parseOrder(payload []byte) (id string, order engine.Order, err error) {
	var fields struct {
		ID string `json:"id"`
		engine.Order
	}
	if err := decode(payload, &fields); err != nil {
		return findID(payload), order, err
	}
	switch {
	case len(fields.ID) > maxID:
		return "", order, fmt.Errorf("the id is longer than %d bytes", maxID)
	case fields.Do == "":
		return fields.ID, order, errors.New(`"do" is missing; it is begin, select, resume, abandon, rematch or learn`)
	}
	return fields.ID, fields.Order, nil
}

// decode reads exactly one JSON object and no key that is unknown.
func decode(payload []byte, into any) error {
	if !utf8.Valid(payload) {
		return errors.New("not UTF-8 text")
	}
	d := json.NewDecoder(bytes.NewReader(payload))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the JSON object")
	}
	return nil
}

// findID looks for the id in JSON that is otherwise wrong.
func findID(payload []byte) string {
	var fields struct {
		ID string `json:"id"`
	}
	if !utf8.Valid(payload) || json.Unmarshal(payload, &fields) != nil || len(fields.ID) > maxID {
		return ""
	}
	return fields.ID
}
