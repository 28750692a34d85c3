package cardfile

import (
	"cmp"
	_ "embed"
	"errors"
	"strings"
	"sync"

	"tableside/engine"
)

//go:embed french.txt
var frenchFile string

var ownFrench = sync.OnceValue(func() engine.Translation { return engine.ParseTranslation(frenchFile) })

// Translations reads a game's translations, and adds those of this package that the game does
// not have.
func Translations(source string) engine.Translation {
	all := engine.ParseTranslation(source)
	for english, french := range ownFrench() {
		if _, own := all[english]; !own {
			all[english] = french
		}
	}
	return all
}

// inFrench returns the reason of an error in French, or "" if it is not known.
func inFrench(t engine.Translation, e *engine.SyntaxError) string {
	if said := t.Say(e); said != "" {
		return said
	}
	format, more := strings.CutSuffix(e.Format, orUnknown)
	said := t.Say(&engine.SyntaxError{Format: format, Args: e.Args})
	if said != "" && more {
		said += ", ou ?"
	}
	return said
}

// Refuse returns the refusal for an error in a statement that was entered at the table. If the
// error is not an *engine.SyntaxError, Refuse returns the error unchanged.
func (r *Owners) Refuse(err error) error {
	var e *engine.SyntaxError
	if !errors.As(err, &e) {
		return err
	}
	reason := engine.Worded(e.In)
	reason.Set(engine.French, cmp.Or(inFrench(Translations(r.French), e), e.In(engine.French)))
	return engine.Refuse("refusal.definition", "reason", reason)
}

func withFrench(err error) error {
	if e, ok := errors.AsType[*engine.SyntaxError](err); ok {
		e.Reasons.Set(engine.French, inFrench(ownFrench(), e))
	}
	return err
}
