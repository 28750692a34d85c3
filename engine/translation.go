package engine

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed french.txt
var frenchFile string

// frenchReasons returns the French for the errors of this package, such as those of journals
// and presets.
var frenchReasons = sync.OnceValue(func() Translation { return ParseTranslation(frenchFile) })

// A Translation maps English formats of errors, and nouns in them, to French.
type Translation map[string]string

// ParseTranslation parses a source in which a French line follows each English one. Lines that
// begin with '#' are comments.
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

// Format formats arguments with the French translation of an English format. If the
// Translation lacks the format, the result is "". Format also puts some arguments into French.
// These are strings that the Translation has, errors, and lists with a method Join. For a
// list, Format calls Join(" ou "), because "ou" is the French word before the last item.
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
		case error:
			arg = ErrorIn(said, French)
		}
		args[i] = arg
	}
	return fmt.Sprintf(french, args...)
}

// unexplained is the key of the French text for an error whose cause is not known.
const unexplained = "it does not work"

func (t Translation) explain(err error) string {
	if said := t[err.Error()]; said != "" {
		return said
	}
	return cmp.Or(t.cause(err), t[unexplained]) + " (" + err.Error() + ")"
}

// cause returns the French for the first known error in a tree of errors, or "".
func (t Translation) cause(err error) string {
	if said := t[err.Error()]; said != "" {
		return said
	}
	var causes []error
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if next := e.Unwrap(); next != nil {
			causes = []error{next}
		}
	case interface{ Unwrap() []error }:
		causes = e.Unwrap()
	}
	for _, next := range causes {
		if said := t.cause(next); said != "" {
			return said
		}
	}
	return ""
}

// OneOf lists words for an error: "a, b or c".
type OneOf []string

func (words OneOf) String() string { return words.Join(" or ") }

// Join lists the words with commas between them. Before the last word, the list has the link
// in place of a comma. In English, the link is " or ".
func (words OneOf) Join(link string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + link + words[last]
}
