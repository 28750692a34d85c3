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

// nearest finds the word that was probably meant: at most a third of its
// letters differ, or it begins so.
func nearest(word string, among []string) string {
	best, least := "", len(word)/3+1
	for _, candidate := range among {
		if d := distance(word, candidate); d <= least && (best == "" || d < least) {
			best, least = candidate, d
		}
	}
	if best != "" || len(word) < 2 {
		return best
	}
	for _, candidate := range among {
		if strings.HasPrefix(candidate, word) {
			return candidate
		}
	}
	return ""
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour (optimal string alignment).
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
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
