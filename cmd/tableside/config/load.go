package config

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// Load reads and checks a configuration file. Then it reads the setup file in the data folder.
// If file is "", Load reads DefaultFile, which need not exist. The function env returns
// environment variables. If Load fails, it also returns as much as it could read.
func Load(file string, env func(string) string) (Config, error) {
	c, err := loadWritten(file, env)
	if err == nil {
		c.loadSetup()
	}
	return c, err
}

// loadWritten reads and checks the configuration file, which people write. It does not read
// the setup file, which the program writes.
func loadWritten(file string, env func(string) string) (Config, error) {
	c := New(env)
	usual := file == ""
	if usual {
		file = DefaultFile
	}
	data, err := os.ReadFile(file)
	if usual && errors.Is(err, os.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, &Error{File: file, Reason: Reason(err)}
	}
	if err := decode(file, string(data), &c); err != nil {
		return c, err
	}
	err = c.check(file, string(data)) // before return, which copies c: check fills in defaults
	return c, err
}

// decode decodes TOML into a struct. The argument source is the text to decode, and file is
// the name of its file. An unknown key is an error.
func decode(file, source string, into any) error {
	meta, err := toml.Decode(source, into)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Message, "invalid duration: "):
		return &Error{File: file, Line: syntax.Position.Line, Key: syntax.LastKey,
			Reason: fmt.Sprintf("got %s, %s", strings.TrimPrefix(syntax.Message, "invalid duration: "), wantUnit)}
	case errors.As(err, &syntax):
		return &Error{File: file, Line: syntax.Position.Line, Column: syntax.Position.Col, Reason: syntax.Message}
	case err != nil:
		return typeError(file, strings.TrimPrefix(err.Error(), "toml: "))
	}
	for _, key := range meta.Undecoded() {
		known := keysOf(reflect.TypeOf(into), key[:len(key)-1])
		return &Error{
			File: file, Line: lineOf(source, key, -1), Reason: fmt.Sprintf("unknown key %s", key),
			Hint: Suggest(key[len(key)-1], known, "must be one of "+strings.Join(known, ", ")),
		}
	}
	return nil
}

// typeError returns an error about a value of the wrong type. The decoder's error names Go
// types. So typeError translates the text of the decoder's error into words of the
// configuration.
func typeError(file, text string) error {
	m := regexp.MustCompile(`^line (\d+) \(last key "([^"]+)"\): incompatible types: TOML value has type (\S+); destination has type (\S+)$`).FindStringSubmatch(text)
	if m == nil {
		m = regexp.MustCompile(`^line (\d+) \(last key "([^"]+)"\): type mismatch for \S+: expected (\S+) but found (\S+)$`).FindStringSubmatch(text)
		if m == nil {
			return &Error{File: file, Reason: text}
		}
		m[3], m[4] = m[4], m[3]
	}
	got, want := kindOf(m[3]), kindOf(m[4])
	line, _ := strconv.Atoi(m[1]) // digits
	e := &Error{File: file, Line: line, Key: m[2], Reason: fmt.Sprintf("got %s, want %s", got, want)}
	switch {
	case strings.HasSuffix(e.Key, ".poll"): // to the decoder a duration is an integer
		e.Reason = fmt.Sprintf("got %s, %s", got, wantUnit)
	case got == aSection && want == aList:
		e.Hint = fmt.Sprintf("write [[%s]]", e.Key)
	case got == aList && want == aSection:
		e.Hint = fmt.Sprintf("write [%s]", e.Key)
	}
	return e
}

// These are the names of two kinds of values: [x] writes a section, and [[x]] adds to a list
// of sections. People may write one instead of the other.
const (
	aList    = "a list"
	aSection = "a section"
)

// kindOf translates the decoder's name for a type into words that the owner understands. It
// returns an unknown name unchanged.
func kindOf(name string) string {
	if strings.HasPrefix(name, "[]") {
		return aList
	}
	switch name {
	case "string":
		return "text in quotes"
	case "integer": // what a key wants; the decoder calls the value int64
		return "a whole number"
	case "int64", "float64", "float":
		return "a number"
	case "bool", "boolean":
		return "true or false"
	case "slice", "array", "any", "interface":
		return aList
	case "map", "struct", "table", "map[string]any", "map[string]interface {}":
		return aSection
	}
	return name
}

// wantUnit tells the owner how to write a duration.
const wantUnit = `want text with a unit, such as "50ms"`

// keysOf lists the keys of a section of the configuration. It starts at an outer section,
// which is given by its Go type, and follows the path to an inner section. If the path is
// empty, keysOf lists the keys of the outer section. If the path leads to no section, keysOf
// returns nil.
func keysOf(section reflect.Type, path []string) []string {
	for section.Kind() == reflect.Slice || section.Kind() == reflect.Pointer {
		section = section.Elem()
	}
	if section.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for _, f := range reflect.VisibleFields(section) {
		name := f.Tag.Get("toml")
		if name == "" || name == "-" { // an embedded struct, whose fields are visited too; or no key of the file
			continue
		}
		if len(path) > 0 && name == path[0] {
			return keysOf(f.Type, path[1:])
		}
		names = append(names, name)
	}
	if len(path) > 0 { // in an unknown section
		return nil
	}
	return names
}

// fileLine returns "file:line", or only the file if the line is 0, which means unknown.
func fileLine(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// lineOf returns the number of the line on which a key stands, or on which a section begins.
// The decoder does not report this number. If several sections have the same name, nth says in
// which of them lineOf looks, counted from 0. If nth is negative, lineOf looks in all of them.
// If lineOf finds no such line, for example because a key is written in an unusual way, it
// returns 0.
func lineOf(source string, key toml.Key, nth int) int {
	var section []string
	number, sections := 0, 0 // sections so far that may hold the key
	for line := range strings.Lines(source) {
		number++
		line = strings.TrimSpace(line)
		if inside, ok := strings.CutPrefix(line, "["); ok {
			inside, _, _ = strings.Cut(inside, "]")
			section = split(strings.Trim(inside, "["))
			if slices.Equal(section, key) {
				if nth <= 0 {
					return number
				}
				nth--
			}
			if slices.Equal(section, key[:len(key)-1]) {
				sections++
			}
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		if ok && (nth < 0 || max(sections-1, 0) == nth) && slices.Equal(slices.Concat(section, split(name)), key) {
			return number
		}
	}
	return 0
}

// split splits a dotted key into its words.
func split(key string) []string {
	words := strings.Split(key, ".")
	for i := range words {
		words[i] = strings.Trim(strings.TrimSpace(words[i]), `"'`)
	}
	return words
}
