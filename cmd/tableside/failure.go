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
	"tableside/device/disk"
	"tableside/engine"
)

func usageFailure(subject, reason, hint string) error { return config.Wrong(subject, reason, hint) }

func negativeFailure(subject, reason, hint string) error { return config.Failed(subject, reason, hint) }

// An exitCode ends a command that has already printed its answer.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// reason returns why a file or a sheet of labels cannot be used, in the program's language.
func (p *program) reason(err error) string { return engine.ErrorIn(disk.Cause(err), p.lang) }

// report prints each error and its hint, each on one line, and returns the exit code.
func (p *program) report(err error) int {
	if err == nil {
		return exitDone
	}
	if code, answered := errors.AsType[exitCode](err); answered {
		return int(code)
	}
	all, several := errors.AsType[config.Errors](err)
	if !several {
		all = config.Errors{errorOf(err)}
	}
	for _, e := range all {
		fmt.Fprintf(p.err, "tableside: %s: %s\n", oneLine(e.Where()), oneLine(e.Reason))
		if e.Hint != "" {
			fmt.Fprintf(p.err, "hint: %s\n", oneLine(e.Hint))
		}
	}
	if all[0].Failed {
		return exitNo
	}
	return exitWrong
}

func errorOf(err error) *config.Error {
	if e, ok := errors.AsType[*config.Error](err); ok {
		return e
	}
	return &config.Error{Key: "error", Reason: err.Error(), Failed: true}
}

// oneLine returns a text as one line without control characters. It shortens long words and a
// long text, because a message may quote what somebody typed.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
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
