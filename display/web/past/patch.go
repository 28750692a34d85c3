package past

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// An operation is one step of a JSON Patch (RFC 6902).
type Operation struct {
	Op    string `json:"op"` // "add", "remove" or "replace"
	Path  string `json:"path"`
	Value any    `json:"value"` // null for "remove", which has none
}

// operations finds the operations that turn one JSON value (from) into another (to), appends
// them to a list, and returns the list. The two values are at the same path, in the form in
// which encoding/json decodes them. If the length of an array differs, the whole array is
// replaced.
func operations(list []Operation, path string, from, to any) []Operation {
	switch from := from.(type) {
	case map[string]any:
		if to, ok := to.(map[string]any); ok {
			return membersChanged(list, path, from, to)
		}
	case []any:
		if to, ok := to.([]any); ok && len(from) == len(to) {
			for i := range to {
				list = operations(list, path+"/"+strconv.Itoa(i), from[i], to[i])
			}
			return list
		}
	default:
		switch to.(type) {
		case map[string]any, []any:
		default:
			if from == to {
				return list
			}
		}
	}
	return append(list, Operation{"replace", path, to})
}

func membersChanged(list []Operation, path string, from, to map[string]any) []Operation {
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if _, kept := to[name]; !kept {
			list = append(list, Operation{"remove", path + "/" + pointerEscaper.Replace(name), nil})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(to)) {
		at := path + "/" + pointerEscaper.Replace(name)
		if before, had := from[name]; had {
			list = operations(list, at, before, to[name])
		} else {
			list = append(list, Operation{"add", at, to[name]})
		}
	}
	return list
}

// pointerEscaper escapes a name for a JSON Pointer (RFC 6901, section 4).
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")
