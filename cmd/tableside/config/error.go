package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// Error says what is wrong in a configuration, and what to do where that can
// be said.
type Error struct {
	File         string // "" for what no file says
	Line, Column int    // 0 where that cannot be told
	Key          string // "mqtt.broker", or the part: "reader red: spi"
	Why          string
	Hint         string // what to do; "" where nothing is known

	section string // of the configuration; "" for what is wrong between two parts
	nth     int    // of that name
}

// Error says where and why, in one line.
func (e *Error) Error() string { return e.Where() + ": " + e.Why }

// Where returns file, line and key, as far as they are known.
func (e *Error) Where() string {
	var where []string
	switch {
	case e.File == "":
	case e.Column > 0:
		where = append(where, fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column))
	default:
		where = append(where, located(e.File, e.Line))
	}
	if e.Key != "" {
		where = append(where, e.Key)
	}
	return strings.Join(where, ": ")
}

// Errorf returns an error about a part, or about a key of one: "panel: model".
func Errorf(where, hint, format string, args ...any) *Error {
	return &Error{Key: where, Why: fmt.Sprintf(format, args...), Hint: hint}
}

// at completes an error that check has found with its place in the file.
func at(file, source string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		e.File, e.Line = file, e.line(source)
	}
	return err
}

// line returns that of the key which is wrong, or of its section where that lacks
// it; 0 for what is wrong between two parts.
func (e *Error) line(source string) int {
	if e.section == "" {
		return 0
	}
	if _, name, ok := strings.Cut(e.Key, ": "); ok {
		if line := lineOf(source, toml.Key{e.section, name}, e.nth); line > 0 {
			return line
		}
	}
	return lineOf(source, toml.Key{e.section}, e.nth)
}

// in says in which section an error is: the nth of its name, from 0.
func in(section string, nth int, err error) error {
	if e, ok := err.(*Error); ok {
		e.section, e.nth = section, nth
	}
	return err
}
