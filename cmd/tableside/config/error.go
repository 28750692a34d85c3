package config

import (
	"fmt"
	"slices"
	"strings"

	"tableside/engine"
)

// Error describes a mistake in a configuration or in the use of a command, or what else keeps a
// command or a table from working. An Error may have a hint.
type Error struct {
	File         string // "" where the value is from no file
	Line, Column int    // 0 where unknown
	Key          string // "mqtt.broker", or the part: "reader red: spi"
	Reason       string
	Hint         string // what to do; "" where unknown
	Unread       bool   // the file was not read to its end: values may be the defaults
	Failed       bool   // it is no mistake in what people wrote: something did not work

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
	case e.Line > 0:
		where = append(where, fmt.Sprintf("%s:%d", e.File, e.Line))
	default:
		where = append(where, e.File)
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

// Wrong returns an error about what people wrote. A key as in a configuration, a flag, a file or
// an address is its subject.
func Wrong(subject, reason, hint string) error {
	return &Error{Key: subject, Reason: reason, Hint: hint}
}

// Failed returns an error about something that did not work.
func Failed(subject, reason, hint string) error {
	return &Error{Key: subject, Reason: reason, Hint: hint, Failed: true}
}

// line returns the number of the line on which the wrong key stands. The argument is the text
// of the configuration file. If the text lacks this key, the result is the line on which the
// key's section begins. For a conflict between two parts, the result is 0.
func (e *Error) line(source string) int {
	if e.section == "" {
		return lineOf(source, e.Key, 0)
	}
	if _, name, ok := strings.Cut(e.Key, ": "); ok {
		if line := lineOf(source, e.section+"."+name, e.index); line > 0 {
			return line
		}
	}
	return lineOf(source, e.section, e.index)
}

// Errors are all mistakes of a configuration.
type Errors []*Error

func (e Errors) Error() string {
	var all []string
	for _, one := range e {
		all = append(all, one.Error())
	}
	return strings.Join(all, "; ")
}

// Unwrap lets errors.As find the first mistake.
func (e Errors) Unwrap() []error {
	var all []error
	for _, one := range e {
		all = append(all, one)
	}
	return all
}

// err returns the only mistake, or all, or nil if there is none.
func (e Errors) err() error {
	switch len(e) {
	case 0:
		return nil
	case 1:
		return e[0]
	}
	return e
}

// wrong adds a mistake if there is one.
func (e *Errors) wrong(bad bool, key, hint, format string, args ...any) {
	if bad {
		*e = append(*e, Errorf(key, hint, format, args...))
	}
}

// add adds the mistakes that are not nil.
func (e *Errors) add(all ...*Error) {
	*e = append(*e, slices.DeleteFunc(all, func(one *Error) bool { return one == nil })...)
}

func (e *Errors) address(key, addr string) {
	if err := CheckAddr(addr); err != nil {
		e.wrong(true, key, "", "%s", err)
	}
}

func (e *Errors) oneOf(key, value string, choices ...string) {
	all := strings.Join(choices, ", ")
	switch {
	case slices.Contains(choices, value):
	case value == "":
		e.wrong(true, key, "", "missing; must be one of %s", all)
	default:
		e.wrong(true, key, suggestPart(value, choices), "got %q, want one of %s", value, all)
	}
}

func (e *Errors) seat(where, seat string, seats []engine.Seat) {
	known := make([]string, len(seats))
	for i, s := range seats {
		known[i] = string(s)
	}
	e.wrong(seat != "" && !slices.Contains(known, seat), where+": seat", Suggest(seat, known, "add it to table.seats"),
		"nobody sits at %q: the table has %s", seat, strings.Join(known, ", "))
}
