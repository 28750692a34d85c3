package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DecodeJSON decodes exactly one JSON value, and accepts no unknown fields. An error is a
// *SyntaxError without the names of Go types.
func DecodeJSON(data []byte, into any) error {
	if !utf8.Valid(data) {
		return malformed(0, "the JSON is not UTF-8 text")
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return explainJSON(data, err)
	}
	if strings.TrimSpace(string(data[d.InputOffset():])) != "" {
		return malformed(0, "something follows the JSON")
	}
	return nil
}

func explainJSON(data []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case strings.HasSuffix(err.Error(), "EOF"): // engine does not import io for its two errors
		return malformed(0, "the JSON ends before it is complete")
	case errors.As(err, &syntax):
		at := min(max(int(syntax.Offset)-1, 0), len(data))
		return malformed(0, "the JSON is wrong at byte %d, near %s", at+1, fmt.Sprintf("%.20q", data[at:]))
	case errors.As(err, &kind) && kind.Field == "" && !insideObject(data, kind.Offset):
		return malformed(0, "the JSON must be %s", jsonOf(kind))
	case errors.As(err, &kind) && kind.Field == "": // a value in a map
		return malformed(0, "a value must be %s (byte %d)", jsonOf(kind), kind.Offset)
	case errors.As(err, &kind):
		return malformed(0, "%q must be %s (byte %d)", jsonPath(kind.Field), jsonOf(kind), kind.Offset)
	}
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return malformed(0, "%s is no field of this request: check its spelling", field)
	}
	return malformed(0, "the JSON cannot be read: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// insideObject reports whether data is a JSON object and the offset is after its first byte.
func insideObject(data []byte, offset int64) bool {
	text := strings.TrimLeft(string(data), " \t\r\n")
	return strings.HasPrefix(text, "{") && offset > int64(len(data)-len(text))+1
}

func jsonPath(field string) string {
	path := strings.Split(field, ".")
	last := len(path) - 1
	path[last] = strings.ToLower(path[last][:1]) + path[last][1:]
	return strings.Join(slices.DeleteFunc(path, func(name string) bool { return unicode.IsUpper(rune(name[0])) }), ".")
}

// jsonOf names the kind of JSON value that is needed, such as "text in quotes". The given
// error reports that the value is of another kind.
func jsonOf(e *json.UnmarshalTypeError) string {
	if e.Type.Name() == "Player" {
		return `an object, as {"seat":"red","name":"Alice"}`
	}
	switch e.Type.Kind().String() {
	case "string":
		return "text in quotes"
	case "bool":
		return "true or false"
	case "slice", "array":
		return "a list, as […]"
	case "struct", "map":
		return "an object, as {…}"
	}
	return "a number"
}
