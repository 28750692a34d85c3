package cardfile

import (
	"slices"
	"strings"
	"time"

	"tableside/engine"
)

// A Version is an owner's file as it was before a change.
type Version struct {
	N    int
	Text string
	Time time.Time // of that change
}

// A file is edited as text, so that its comments and its order stay. What a line
// is about is its second word, the id of a card; for "board spaces 12" it is the
// first one.

// splitStatement divides a line into its statement and its comment. If the line cannot be
// divided into words, the whole line is the statement. For example, a quote may have no end.
func splitStatement(line string) (words, comment string) {
	line = straighten(strings.TrimPrefix(strings.TrimRight(line, "\r\n"), "\ufeff"))
	tokens, err := engine.Tokens(line)
	switch {
	case err != nil:
		return strings.TrimSpace(line), ""
	case len(tokens) == 0:
		return "", strings.TrimSpace(line)
	}
	end := endOf(line, tokens[len(tokens)-1])
	return line[tokens[0].Column-1 : end], strings.TrimSpace(line[end:])
}

func isReadable(words string) bool {
	_, err := engine.Tokens(words)
	return err == nil
}

func aboutOf(words string) string {
	fields := strings.Fields(strings.ToLower(words))
	switch {
	case len(fields) < 2:
		return ""
	case slices.Contains(withoutID, fields[0]):
		return fields[0]
	}
	return fields[1][strings.Index(fields[1], "/")+1:] // "precon second-edition/mine"
}

// withoutID holds the first words of statements that have no id. In such a statement, a field
// follows the first word.
var withoutID = []string{"board", "box", "category"}

// About returns the statements of a file about the given card, without comments. The card is
// given by its id. A thing without an id, such as "board", is given by its name. The result is
// never nil.
func About(source, card string) []string {
	found := []string{}
	for line := range strings.Lines(source) {
		if words, _ := splitStatement(line); card != "" && aboutOf(words) == card {
			found = append(found, words)
		}
	}
	return found
}

// Named lists the cards that the statements of a file describe. Each card is listed once, in
// the order of the file. A thing without an id, such as "board", counts as a card.
func Named(source string) []string {
	cards, _ := byCard(source)
	return cards
}

// byCard returns the cards of a file in their order, and the statements about each.
func byCard(source string) (cards []string, about map[string][]string) {
	about = map[string][]string{}
	for line := range strings.Lines(source) {
		words, _ := splitStatement(line)
		card := aboutOf(words)
		if card == "" {
			continue
		}
		if about[card] == nil {
			cards = append(cards, card)
		}
		about[card] = append(about[card], words)
	}
	return cards, about
}

// Replace returns a file with new statements about a card in place of the old ones. A
// statement that stays, or that only gets another value, keeps its place and its comment. New
// statements follow the last statement about the card. If there is no such statement, they
// follow the last line. If a statement is removed, its comment stays.
func Replace(source, card string, statements []string) string {
	type row struct {
		raw, words, comment string
		cardLine            bool
	}
	var rows []row
	for line := range strings.Lines(source) {
		words, comment := splitStatement(line)
		rows = append(rows, row{strings.TrimRight(line, "\r\n"), words, comment, card != "" && aboutOf(words) == card})
	}
	left := make([]string, 0, len(statements))
	for _, s := range statements {
		if words, _ := splitStatement(s); words != "" {
			left = append(left, words)
		}
	}
	take := func(fits func(string) bool) (string, bool) {
		i := slices.IndexFunc(left, fits)
		if i < 0 {
			return "", false
		}
		words := left[i]
		left = slices.Delete(left, i, i+1)
		return words, true
	}
	var out []string
	kept := make([]bool, len(rows))
	for i := range rows {
		r := &rows[i]
		if r.cardLine {
			_, kept[i] = take(func(s string) bool { return s == r.words })
		}
	}
	last := -1
	for i, r := range rows {
		if r.cardLine && !kept[i] {
			words, same := take(func(s string) bool { return fieldOf(s) == fieldOf(r.words) })
			if !same {
				if r.comment != "" {
					out = append(out, r.comment)
				}
				continue
			}
			r.raw = words
			switch {
			case r.comment == "":
			case !isReadable(words): // nobody can tell where its comment would begin
				out = append(out, r.comment)
			default:
				r.raw = words + "  " + r.comment
			}
		}
		if out = append(out, r.raw); r.cardLine {
			last = len(out)
		}
	}
	if last < 0 {
		last = len(out)
	}
	out = slices.Insert(out, last, left...)
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, "\n") + "\n"
}

func fieldOf(words string) string {
	fields := strings.Fields(strings.ToLower(words))
	n := 3
	if len(fields) > 0 && (fields[0] == "board" || fields[0] == "box") {
		n = 2
	}
	return strings.Join(fields[:min(n, len(fields))], " ")
}
