package engine

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed french.txt
var frenchFile string

// frenchReasons holds what is wrong with journals and presets.
var frenchReasons = sync.OnceValue(func() Translation { return ParseTranslation(frenchFile) })

// A Translation maps English formats of errors, and nouns in them, to French.
type Translation map[string]string

// ParseTranslation reads a French line under each English one. Lines that begin with
// '#' are comments.
func ParseTranslation(source string) Translation {
	table := Translation{}
	english := ""
	for line := range strings.Lines(source) {
		switch line = strings.TrimRight(line, "\n"); {
		case line == "" || strings.HasPrefix(line, "#"):
			english = ""
		case english == "":
			english = line
		default:
			table[english], english = line, ""
		}
	}
	return table
}

// Say returns the reason of an error in French, or "" if it is not known.
func (t Translation) Say(e *SyntaxError) string { return t.Format(e.Format, e.Args...) }

// Format formats arguments by the French for an English format, and returns "" if that is
// not known. An argument that lists words may have a method Join, which takes the word
// before the last one.
func (t Translation) Format(english string, values ...any) string {
	french, known := t[english]
	if !known {
		return ""
	}
	args := make([]any, len(values))
	for i, arg := range values {
		switch said := arg.(type) {
		case interface{ Join(or string) string }:
			arg = said.Join(" ou ")
		case string:
			if noun, found := t[said]; found {
				arg = noun
			}
		}
		args[i] = arg
	}
	return fmt.Sprintf(french, args...)
}
