package cardfile

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"tableside/engine"
)

//go:embed french.txt
var frenchFile string

var ownFrench = sync.OnceValue(func() Translation { return parseFrench(frenchFile) })

// A Translation holds what is wrong with files, and the nouns in it, in French: by
// the English format.
type Translation map[string]string

// Translations reads a game's translations, a French line under each English
// one, and adds those of this package.
func Translations(source string) Translation {
	all := Translation{}
	for _, table := range []Translation{ownFrench(), parseFrench(source)} {
		for english, french := range table {
			all[english] = french
		}
	}
	return all
}

func parseFrench(source string) Translation {
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

// say returns the reason of an error in French, or "" if it is not known.
func (t Translation) say(e *engine.SyntaxError) string {
	format, more := strings.CutSuffix(e.Format, orUnknown)
	french, known := t[format]
	if !known {
		return ""
	}
	args := make([]any, len(e.Args))
	for i, arg := range e.Args {
		switch arg := arg.(type) {
		case OneOf:
			args[i] = arg.join(" ou ")
		case string:
			args[i] = arg
			if noun, found := t[arg]; found {
				args[i] = noun
			}
		default:
			args[i] = arg
		}
	}
	if more {
		french += ", ou ?"
	}
	return fmt.Sprintf(french, args...)
}

// Refuse returns the refusal of a statement that is entered at the table. Any error but
// an *engine.SyntaxError is returned as it is.
func (r Source[S]) Refuse(err error) error {
	var e *engine.SyntaxError
	if !errors.As(err, &e) {
		return err
	}
	reason := engine.Worded(e.In)
	reason.Set(engine.French, cmp.Or(Translations(r.French).say(e), e.Reason))
	return engine.Refuse("refusal.definition", "reason", reason)
}

// inFrench adds the French reason to an error of this package.
func inFrench(err error) error {
	var e *engine.SyntaxError
	if errors.As(err, &e) {
		e.Reasons.Set(engine.French, ownFrench().say(e))
	}
	return err
}
