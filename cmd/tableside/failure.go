package main

import (
	"errors"
	"fmt"
	"strings"

	"tableside/engine"
)

// A failure ends a command: one line on standard error, and a hint where
// there is one. A failure without a what was already said.
type failure struct {
	code int
	what string
	why  string
	hint string
}

func (f *failure) Error() string { return f.what + ": " + f.why }

// wrong is a failure of usage or configuration.
func wrong(what, why, hint string) error {
	return &failure{code: exitWrong, what: what, why: why, hint: hint}
}

// no is the answer no.
func no(what, why, hint string) error {
	return &failure{code: exitNo, what: what, why: why, hint: hint}
}

// report prints the error and returns the exit code.
func (p *program) report(err error) int {
	if err == nil {
		return exitDone
	}
	f := &failure{}
	if !errors.As(err, &f) {
		f = &failure{code: exitNo, what: "error", why: err.Error()}
	}
	if f.what != "" {
		fmt.Fprintf(p.err, "tableside: %s: %s\n", oneLine(f.what), oneLine(f.why))
	}
	if f.hint != "" {
		fmt.Fprintf(p.err, "hint: %s\n", oneLine(f.hint))
	}
	return f.code
}

func oneLine(s string) string { return strings.Join(strings.FieldsFunc(s, isBreak), "; ") }

func isBreak(r rune) bool { return r == '\n' || r == '\r' }

// suggest is a hint: the word that was probably meant, else what follows.
func suggest(word string, among []string, otherwise string) string {
	if near := nearest(word, among); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// nearest finds the word that was probably meant: one that is written much
// the same, or begins so.
func nearest(word string, among []string) string {
	if near := engine.Nearest(word, among); near != "" || len(word) < 2 {
		return near
	}
	for _, candidate := range among {
		if strings.HasPrefix(candidate, word) {
			return candidate
		}
	}
	return ""
}

// setupFailure says in words why a match cannot begin.
func (p *program) setupFailure(what string, game engine.Game, err error) error {
	var setup *engine.SetupError
	if !errors.As(err, &setup) {
		return wrong(what, err.Error(), "")
	}
	words := engine.Merge(engine.CoreWords(), game.Info().Words)
	known, _ := setup.Text.Args["known"].(string)
	meant, _ := setup.Text.Args["value"].(string)
	if meant == "" {
		meant, _ = setup.Text.Args["name"].(string)
	}
	hint := ""
	if known != "" {
		hint = suggest(meant, strings.Split(known, ", "), "")
	}
	return wrong(what, words.Say(p.lang, setup.Text, nil), hint)
}
