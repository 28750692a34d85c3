package config

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// decode decodes TOML into a struct. The argument source is the text to decode, and file is
// the name of its file. An unknown key is a mistake. A value with a mistake is left out.
func decode(file, source string, into any) Errors {
	source = strings.TrimPrefix(source, byteOrderMark)
	var fault *toml.DecodeError
	var tree map[string]any
	if err := toml.Unmarshal([]byte(source), &tree); errors.As(err, &fault) {
		return Errors{syntaxError(file, source, fault)}
	} else if err != nil {
		return Errors{{File: file, Reason: err.Error(), Unread: true}}
	}
	d := decoder{file: file, source: source}
	d.set(reflect.ValueOf(into), nil, 0, tree)
	slices.SortStableFunc(d.faults, func(a, b *Error) int { return a.Line - b.Line })
	return d.faults
}

// A decoder puts the values of a file into a struct.
type decoder struct {
	file, source string
	faults       Errors
}

// set sets what belongs to a key, and everything inside it. Of several sections of one name, nth
// says which of them the key is in.
func (d *decoder) set(to reflect.Value, key []string, nth int, value any) {
	from, kind := reflect.ValueOf(value), to.Type()
	if to.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	got, want := writtenKinds[from.Kind()], kinds[kind.Kind()]
	if kind.Kind() != reflect.Interface && got != want && !(from.Kind() == reflect.Int64 && want == aWholeNumber) {
		d.wrong(key, nth, mismatch(strings.Join(key, "."), got, want))
		return
	}
	if to.Kind() == reflect.Pointer {
		if to.IsNil() {
			to.Set(reflect.New(kind))
		}
		to = to.Elem()
	}
	switch {
	case to.Kind() == reflect.Interface:
		to.Set(from)
	case to.Kind() == reflect.Map:
		to.Set(reflect.MakeMap(to.Type()))
		for _, name := range slices.Sorted(maps.Keys(value.(map[string]any))) {
			one := reflect.New(to.Type().Elem()).Elem()
			d.set(one, append(slices.Clone(key), name), nth, value.(map[string]any)[name])
			to.SetMapIndex(reflect.ValueOf(name), one)
		}
	case got == aSection:
		d.setSection(to, key, nth, value.(map[string]any))
	case got == aList:
		for i := range from.Len() {
			one := reflect.New(to.Type().Elem()).Elem()
			if one.Kind() == reflect.Struct {
				nth = i
			}
			d.set(one, key, nth, from.Index(i).Interface())
			to.Set(reflect.Append(to, one))
		}
	default:
		to.Set(from.Convert(to.Type()))
	}
}

func (d *decoder) setSection(to reflect.Value, key []string, nth int, section map[string]any) {
	fields := fieldsOf(to.Type())
	for _, name := range slices.Sorted(maps.Keys(section)) {
		key := append(slices.Clone(key), name)
		var known []string
		field := -1
		for i, f := range fields {
			known = append(known, f.Tag.Get("toml"))
			if strings.EqualFold(known[i], name) {
				field = i
			}
		}
		if field < 0 {
			d.wrong(key, nth, &Error{Reason: "unknown key " + strings.Join(key, "."),
				Hint: Suggest(name, known, "must be one of "+strings.Join(known, ", "))})
			continue
		}
		d.set(to.FieldByIndex(fields[field].Index), key, nth, section[name])
	}
}

// wrong adds a mistake, with the line of the key or of the section or list that it is in.
func (d *decoder) wrong(key []string, nth int, e *Error) {
	e.File = d.file
	for n := len(key); n > 0 && e.Line == 0; n-- {
		e.Line = cmp.Or(lineOf(d.source, strings.Join(key[:n], "."), nth), lineOf(d.source, strings.Join(key[:n], "."), 0))
	}
	d.faults.add(e)
}

// syntaxError returns an error about a text that is no TOML.
func syntaxError(file, source string, fault *toml.DecodeError) *Error {
	e := &Error{File: file, Reason: strings.TrimPrefix(fault.Error(), "toml: "), Unread: true}
	if strings.Contains(source, "\x00") {
		e.Line, e.Reason, e.Hint = 1, "the file is not UTF-8, but probably UTF-16", "save it as UTF-8"
		return e
	}
	e.Line, e.Column = fault.Position()
	line := strings.TrimSuffix(strings.Split(source, "\n")[e.Line-1], "\r")
	_, value, isKey := strings.Cut(line, "=")
	value = strings.TrimSpace(value)
	switch at, _ := utf8.DecodeRuneInString(line[min(e.Column-1, len(line)):]); {
	case strings.ContainsRune("“”„‘’«»", at):
		e.Reason, e.Hint = fmt.Sprintf("got %c, want a value", at), `write straight quotes: "`
	case e.Column > len(line) && strings.HasPrefix(value, `"`):
		e.Reason = "the text ends without its closing quote"
	case e.Column > len(line) && isKey && value == "":
		e.Reason = "the value is missing"
	}
	return e
}

// byteOrderMark is what some editors write at the beginning of a file.
const byteOrderMark = "\ufeff"

// A place is where a key or the head of a section stands in a file.
type place struct {
	key  string
	nth  int // index among the sections of that name
	line int
}

// places returns the sections and keys of a file, up to the first mistake of syntax.
func places(source string) iter.Seq[place] {
	return func(yield func(place) bool) {
		var p unstable.Parser
		p.Reset([]byte(strings.TrimPrefix(source, byteOrderMark)))
		var section []string
		count := map[string]int{}
		for p.NextExpression() {
			e, key := p.Expression(), []string(nil)
			for k := e.Key(); k.Next(); {
				key = append(key, string(k.Node().Data))
			}
			first := e.Key()
			first.Next()
			if e.Kind == unstable.ArrayTable {
				count[strings.Join(key, ".")]++
			}
			if e.Kind == unstable.KeyValue {
				key = slices.Concat(section, key)
			} else {
				section = key
			}
			if !yield(place{strings.Join(key, "."), max(count[key[0]]-1, 0), p.Shape(first.Node().Raw).Start.Line}) {
				return
			}
		}
	}
}

// lineOf returns the number of the line on which a key stands, or on which a section begins.
// If several sections have the same name, nth says which of them is meant, counted from 0. If
// there is no such line, lineOf returns 0.
func lineOf(source, key string, nth int) int {
	for p := range places(source) {
		if strings.EqualFold(p.key, key) && p.nth == nth {
			return p.line
		}
	}
	return 0
}

func mismatch(key, got, want string) *Error {
	e := &Error{Key: key, Reason: fmt.Sprintf("got %s, want %s", got, want)}
	switch {
	case got == aSection && want == aList:
		e.Hint = fmt.Sprintf("write [[%s]]", key)
	case got == aList && want == aSection:
		e.Hint = fmt.Sprintf("write [%s]", key)
	case key == "http.tls":
		e.Hint = `write tls = "own" for a certificate that the table makes itself`
	case key == "http.listen" || key == "hall.listen":
		e.Hint = `write an address and a port, such as "127.0.0.1:8080"`
	case got == aNumber && want == aText:
		e.Hint = `put it in quotes; a pin is written as in "GPIO25"`
	}
	return e
}

// These are the names of kinds of values that people write instead of each other: [x] writes a
// section, and [[x]] adds to a list of sections.
const (
	aList        = "a list"
	aSection     = "a section"
	aNumber      = "a number"
	aWholeNumber = "a whole number"
	aText        = "text in quotes"
	yesOrNo      = "true or false"
)

var (
	kinds = map[reflect.Kind]string{reflect.Struct: aSection, reflect.Map: aSection, reflect.Slice: aList,
		reflect.String: aText, reflect.Bool: yesOrNo, reflect.Int: aWholeNumber, reflect.Float64: aNumber}
	// writtenKinds holds those of the decoder's own types.
	writtenKinds = map[reflect.Kind]string{reflect.Map: aSection, reflect.Slice: aList, reflect.String: aText,
		reflect.Bool: yesOrNo, reflect.Float64: aNumber, reflect.Int64: aNumber, reflect.Struct: "a date or a time"}
)

// fieldsOf returns the fields of a section, or of each section of a list, that are keys.
func fieldsOf(section reflect.Type) []reflect.StructField {
	if section != nil && (section.Kind() == reflect.Slice || section.Kind() == reflect.Pointer) {
		section = section.Elem()
	}
	if section == nil || section.Kind() != reflect.Struct {
		return nil
	}
	return slices.DeleteFunc(reflect.VisibleFields(section), func(f reflect.StructField) bool {
		return f.Tag.Get("toml") == "" || f.Tag.Get("toml") == "-"
	})
}
