package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// Error describes a mistake in a configuration. An Error may have a hint.
type Error struct {
	File         string // "" where the value is from no file
	Line, Column int    // 0 where unknown
	Key          string // "mqtt.broker", or the part: "reader red: spi"
	Reason       string
	Hint         string // what to do; "" where unknown

	section string // of the file; "" for a conflict between two parts
	index   int    // index among the sections of that name
}

// Error returns the place of the mistake and the reason, in one line.
func (e *Error) Error() string { return e.Where() + ": " + e.Reason }

// Where returns the file, line, column and key of the mistake, as far as these are known.
func (e *Error) Where() string {
	var where []string
	switch {
	case e.File == "":
	case e.Column > 0:
		where = append(where, fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column))
	default:
		where = append(where, fileLine(e.File, e.Line))
	}
	if e.Key != "" {
		where = append(where, e.Key)
	}
	return strings.Join(where, ": ")
}

// Errorf returns an error that does not name a file and a line yet. The key of the error is a
// part alone, such as "panel", or a part with one of its settings, such as "panel: model".
func Errorf(key, hint, format string, args ...any) *Error {
	return &Error{Key: key, Reason: fmt.Sprintf(format, args...), Hint: hint}
}

// withLine adds the file and the line to an error that Wiring.check has returned. It finds the
// line in source, the text of the file.
func withLine(file, source string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		e.File, e.Line = file, e.line(source)
	}
	return err
}

// line returns the number of the line on which the wrong key stands. The argument is the text
// of the configuration file. If the text lacks this key, the result is the line on which the
// key's section begins. For a conflict between two parts, the result is 0.
func (e *Error) line(source string) int {
	if e.section == "" {
		return 0
	}
	if _, name, ok := strings.Cut(e.Key, ": "); ok {
		if line := lineOf(source, toml.Key{e.section, name}, e.index); line > 0 {
			return line
		}
	}
	return lineOf(source, toml.Key{e.section}, e.index)
}

// inSection records in an error the section that the error is about, and returns the error. If
// several sections have the same name, nth says which of them is meant, counted from 0.
func inSection(section string, nth int, err error) error {
	if e, ok := err.(*Error); ok {
		e.section, e.index = section, nth
	}
	return err
}
