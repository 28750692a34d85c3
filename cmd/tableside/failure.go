package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/host"
	"tableside/cmd/tableside/rig"
	"tableside/engine"
)

// A failure is an error that ends a command. It is printed as one line on standard error. If
// the failure has a hint, the hint is printed as a second line. The field subject names the
// thing that is wrong. If this field is "", the failure only sets the exit code, because the
// command has already printed its answer.
type failure struct {
	code    int
	subject string
	reason  string
	hint    string
}

// Hint returns a text that says what to do about the failure. If that is unknown, the text
// is "".
func (f *failure) Hint() string { return f.hint }

func (f *failure) Error() string { return f.subject + ": " + f.reason }

// usageFailure returns a failure with exit code 2, for faults of usage or configuration. The
// hint says what to do. It may be "".
func usageFailure(subject, reason, hint string) error {
	return &failure{code: exitWrong, subject: subject, reason: reason, hint: hint}
}

// negativeFailure returns a failure with exit code 1, for a command whose answer is no. The
// hint says what to do. It may be "".
func negativeFailure(subject, reason, hint string) error {
	return &failure{code: exitNo, subject: subject, reason: reason, hint: hint}
}

// reason returns why a file or a sheet of labels cannot be used, in the program's language.
func (p *program) reason(err error) string { return engine.ErrorIn(config.Cause(err), p.lang) }

// report prints the error and returns the exit code.
func (p *program) report(err error) int {
	if err == nil {
		return exitDone
	}
	f := failureOf(err)
	if f.subject != "" {
		fmt.Fprintf(p.err, "tableside: %s: %s\n", oneLine(f.subject), oneLine(f.reason))
	}
	if f.hint != "" {
		fmt.Fprintf(p.err, "hint: %s\n", oneLine(f.hint))
	}
	return f.code
}

// failureOf turns the error of any package into a failure with an exit code. It has to know
// all these errors, because no other package knows exit codes.
func failureOf(err error) *failure {
	var f *failure
	var c *config.Error
	var r *rig.Error
	var h *host.Error
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &c):
		return &failure{code: exitWrong, subject: c.Where(), reason: c.Reason, hint: c.Hint}
	case errors.As(err, &r):
		return &failure{code: exitNo, subject: r.Subject, reason: r.Reason, hint: r.Hint()}
	case errors.As(err, &h) && h.Usage:
		return &failure{code: exitWrong, subject: h.Subject, reason: h.Reason, hint: h.Hint}
	case errors.As(err, &h):
		return &failure{code: exitNo, subject: h.Subject, reason: h.Reason, hint: h.Hint}
	}
	return &failure{code: exitNo, subject: "error", reason: err.Error()}
}

// oneLine returns a text as one line without control characters. It shortens long words and a
// long text, because a message may quote what somebody typed.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(s, isBreak), "; ")
	var b strings.Builder
	for _, r := range s {
		if unicode.IsGraphic(r) {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return shorten(regexp.MustCompile(`\S+`).ReplaceAllStringFunc(b.String(),
		func(word string) string { return shorten(word, maxWord) }), maxLine)
}

const (
	maxWord = 300  // a path is not longer
	maxLine = 2000 // a terminal of 80 by 25
)

// shorten returns a text unchanged if it has no more letters than the limit. Otherwise it
// returns only the beginning and the end of the text. Between the two, shorten writes how many
// letters the whole text has.
func shorten(s string, limit int) string {
	letters := []rune(s)
	if len(letters) <= limit {
		return s
	}
	const head, tail = 60, 30
	return fmt.Sprintf("%s… (%d letters) …%s", string(letters[:head]), len(letters), string(letters[len(letters)-tail:]))
}

func isBreak(r rune) bool { return r == '\n' || r == '\r' }

// setupFailure returns the failure of a match that cannot begin. If the error is about the
// setup, the text of the failure is in the program's language. The failure begins with source,
// which says where the setup comes from.
func (p *program) setupFailure(source string, game engine.Game, s engine.Setup, err error) error {
	var setup *engine.SetupError
	if !errors.As(err, &setup) {
		return usageFailure(source, err.Error(), "")
	}
	words := engine.Merge(engine.CoreWords(), game.Info().Words)
	known, _ := setup.Text.Args["known"].(string)
	meant, _ := setup.Text.Args["value"].(string)
	if meant == "" {
		meant, _ = setup.Text.Args["name"].(string)
	}
	hint := ""
	if known != "" {
		hint = config.Suggest(meant, strings.Split(known, ", "), "")
	}
	if setup.Text.Key == "setup.seat-name" {
		hint = seatsHint(s.Seats, meant)
	}
	return usageFailure(source, words.Say(p.lang, setup.Text, nil), hint)
}

// seatsHint returns a hint that shows how to write the seats of the players. If the seat of a
// player is invalidSeat, or is no valid word, the hint has a usual seat that is free in its
// place. If this player has no name, the hint shows the old word as the player's name.
func seatsHint(players []engine.Player, invalidSeat string) string {
	var written, usual []string
	free := slices.DeleteFunc(slices.Clone(engine.UsualSeats), func(s engine.Seat) bool {
		return slices.ContainsFunc(players, func(p engine.Player) bool { return p.Seat == s })
	})
	for _, p := range players {
		if (!engine.IsWord(string(p.Seat)) || string(p.Seat) == invalidSeat) && len(free) > 0 {
			p.Seat, p.Name, free = free[0], cmp.Or(p.Name, string(p.Seat)), free[1:]
		}
		written = append(written, strings.TrimSuffix(string(p.Seat)+"="+p.Name, "="))
	}
	for _, seat := range engine.UsualSeats {
		usual = append(usual, string(seat))
	}
	return "write " + strings.Join(written, ",") + "; the usual seats are " + strings.Join(usual, ", ")
}
