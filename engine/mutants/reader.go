package mutants

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// A reader takes the words of one line into a statement.
type reader struct {
	line   string
	tokens []engine.Token
	at     int
	s      *Statement
}

// end is the byte behind the last word of the line.
func (r *reader) end() int {
	last := r.tokens[len(r.tokens)-1]
	if !last.Quoted {
		return last.Column - 1 + len(last.Text)
	}
	quoted, _ := strconv.QuotedPrefix(r.line[last.Column-1:])
	return last.Column - 1 + len(quoted)
}

func (r *reader) column() int {
	if r.at < len(r.tokens) {
		return r.tokens[r.at].Column
	}
	return r.end() + 1
}

func (r *reader) peek() string {
	if r.at < len(r.tokens) {
		return r.tokens[r.at].Text
	}
	return ""
}

func (r *reader) next() string {
	t := r.peek()
	r.at++
	return t
}

func (r *reader) fail(format string, args ...any) error {
	return &engine.SyntaxError{Column: r.column(), Reason: fmt.Sprintf(format, args...)}
}

// among takes one of the words, or says what was expected.
func (r *reader) among(what string, words []string) (string, error) {
	got := r.peek()
	switch near := engine.Nearest(got, words); {
	case slices.Contains(words, got):
		r.at++
		return got, nil
	case r.at >= len(r.tokens):
		return "", r.fail("%s is missing: %s", what, oneOf(words))
	case near != "":
		return "", r.fail("%q is not %s; did you mean %q?", got, what, near)
	default:
		return "", r.fail("%q is not %s: expected %s", got, what, oneOf(words))
	}
}

func (r *reader) done() error {
	if r.at < len(r.tokens) {
		return r.fail("%q is one word too many", r.peek())
	}
	return nil
}

func (r *reader) statement() error {
	what, err := r.among("what a line begins with", subjects)
	if err != nil {
		return err
	}
	r.s.subject = subject(what)
	switch r.s.subject {
	case aBoard:
		err = r.board()
	case aPrecon:
		err = r.precon()
	default:
		err = r.card()
	}
	if err != nil {
		return err
	}
	return r.done()
}

// identifier takes the id of a card or a precon.
func (r *reader) identifier(what string) (string, error) {
	got := r.peek()
	switch {
	case r.at >= len(r.tokens):
		return "", r.fail("the id of %s is missing", what)
	case !engine.IsWord(got) || slices.Contains(languageNames, got):
		return "", r.fail("%q cannot be the id of %s: small letters and digits with - between them, as in %q", got, what, "leech-lord")
	}
	return r.next(), nil
}

// fieldName takes a field with its edition, as "leave@first-edition".
func (r *reader) fieldName(what string, fields []string) error {
	r.s.columns.field = r.column()
	if name, e, found := strings.Cut(r.peek(), "@"); found {
		token := r.tokens[r.at]
		if err := checkEdition(e, token.Column+len(name)+1); err != nil {
			return err
		}
		r.s.edition = e
		r.tokens[r.at].Text = name
	}
	var err error
	r.s.field, err = r.among(what, fields)
	r.s.columns.value = r.column()
	return err
}

func checkEdition(name string, column int) error {
	if slices.Contains(editionNames, name) {
		return nil
	}
	reason := fmt.Sprintf("%q is not an edition: expected %s", name, oneOf(editionNames))
	if near := engine.Nearest(name, editionNames); near != "" {
		reason = fmt.Sprintf("%q is not an edition; did you mean %q?", name, near)
	}
	return &engine.SyntaxError{Column: column, Reason: reason}
}

func (r *reader) card() (err error) {
	s := r.s
	s.columns.id = r.column()
	if s.id, err = r.identifier("a card"); err != nil {
		return err
	}
	if err := r.fieldName("a field of a card", cardFields); err != nil {
		return err
	}
	switch s.field {
	case "kind":
		var kind string
		kind, err = r.among("a kind of card", []string{"basic", "advanced"})
		s.basic = kind == "basic"
	case "en", "fr":
		s.names, err = r.name()
	case "genes":
		err = r.genes()
	case "freeze":
		s.value, err = r.freeze()
	case "draft":
	default:
		err = r.ability()
	}
	return err
}

func (r *reader) name() (string, error) {
	name := r.peek()
	switch {
	case r.at >= len(r.tokens):
		return "", r.fail("the name is missing")
	case strings.TrimSpace(name) == "" || strings.ContainsAny(name, "{}") || len([]rune(name)) > 40:
		return "", r.fail("a name has 1 to 40 letters, and neither { nor }")
	}
	r.at++
	if r.at < len(r.tokens) {
		return "", r.fail("a name of several words is quoted, as in %q", "Leech Lord")
	}
	return name, nil
}

func (r *reader) genes() error {
	for r.at < len(r.tokens) {
		column := r.column()
		word, err := r.among("a gene", append(geneNames[:len(geneNames):len(geneNames)], "inferred"))
		switch {
		case err != nil:
			return err
		case word == "inferred" && len(r.s.genes) > 0:
			r.s.flag = true
			return nil
		case word == "inferred":
			return &engine.SyntaxError{Column: column, Reason: "the genes are missing before \"inferred\""}
		case len(r.s.genes) == 2:
			return &engine.SyntaxError{Column: column, Reason: "a card has at most two genes"}
		}
		r.s.genes = append(r.s.genes, Gene(slices.Index(geneNames[:], word)))
	}
	if len(r.s.genes) == 0 {
		return r.fail("the genes are missing: one or two of %s", strings.Join(geneNames[:], ", "))
	}
	return nil
}

// number takes a number, or "?" as unknown.
func (r *reader) number(what string, low, high, unknown int) (int, error) {
	got := r.peek()
	n, err := strconv.Atoi(got)
	switch {
	case r.at >= len(r.tokens):
		return 0, r.fail("%s is missing: a number, or ?", what)
	case got == "?":
		n = unknown
	case err != nil || n < low || n > high:
		return 0, r.fail("%q is not %s: a number from %d to %d, or ?", got, what, low, high)
	}
	r.at++
	return n, nil
}

func (r *reader) freeze() (Value, error) {
	n, err := r.number("a freeze value", 0, maxPoints, -1)
	if err != nil || n < 0 {
		return Value{Unknown: n < 0}, err
	}
	v := Value{N: n}
	if r.at == len(r.tokens) {
		return v, nil
	}
	if _, err := r.among("what follows a freeze value", []string{"per"}); err != nil {
		return v, err
	}
	gene, err := r.among("a gene", geneNames[:])
	v.Per, v.Gene = true, Gene(max(0, slices.Index(geneNames[:], gene)))
	return v, err
}

func (r *reader) ability() (err error) {
	for _, t := range r.tokens[r.at:] {
		if t.Quoted {
			r.at = len(r.tokens)
			return &engine.SyntaxError{Column: t.Column, Reason: "an ability is written without quotes"}
		}
	}
	column := r.column()
	words := r.line[min(column-1, r.end()):r.end()]
	r.at = len(r.tokens)
	if r.s.field == "ongoing" {
		r.s.trigger, r.s.ability, err = parseOngoing(words, column)
		return err
	}
	r.s.ability, err = parseAbility(words, column, r.s.field == "deploy")
	return err
}

func (r *reader) board() (err error) {
	s := r.s
	if err := r.fieldName("a field of the board", boardFields); err != nil {
		return err
	}
	switch s.field {
	case "spaces":
		s.n, err = r.number("a number of spaces", minSpaces, maxSpaces, 0)
	case "red-zone":
		s.n, err = r.number("a number of spaces", 1, maxSpaces-2, 0)
	default:
		column := r.column()
		if r.at == len(r.tokens) {
			return r.fail("the rounds are missing: five as red/black, as in %s", exampleRounds)
		}
		s.rounds, err = parseRoundsAt(r.next(), column)
	}
	return err
}

const exampleRounds = "3/1,4/2,5/2,6/3,8/4"

// parseRounds reads the points of the five rounds, red and black, as
// "3/1,4/2,5/2,6/3,?/?".
func parseRounds(words string) ([]Points, error) { return parseRoundsAt(words, 1) }

func parseRoundsAt(words string, column int) ([]Points, error) {
	fail := func(at int, format string, args ...any) error {
		return &engine.SyntaxError{Column: column + at, Reason: fmt.Sprintf(format, args...)}
	}
	var all []Points
	at := 0
	for pair := range strings.SplitSeq(words, ",") {
		red, black, ok := strings.Cut(pair, "/")
		p := Points{parsePoints(red), parsePoints(black)}
		switch {
		case len(all) == roundCount:
			return nil, fail(at, "there are %d rounds, not more", roundCount)
		case !ok:
			return nil, fail(at, "%q is not the points of a round: expected red/black, as in 3/1", pair)
		case p.Red < -1:
			return nil, fail(at, "%q is not points: a number from 0 to %d, or ?", red, maxPoints)
		case p.Black < -1:
			return nil, fail(at+len(red)+1, "%q is not points: a number from 0 to %d, or ?", black, maxPoints)
		}
		all = append(all, p)
		at += len(pair) + 1
	}
	if len(all) < roundCount {
		return nil, fail(len(words), "there are %d rounds, not %d: as in %s", roundCount, len(all), exampleRounds)
	}
	return all, nil
}

// parsePoints is -1 for "?", and -2 for what is no number of points.
func parsePoints(s string) int {
	if s == "?" {
		return -1
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxPoints {
		return -2
	}
	return n
}

func (r *reader) precon() (err error) {
	s := r.s
	s.columns.id = r.column()
	if e, id, found := strings.Cut(r.peek(), "/"); found {
		token := r.tokens[r.at]
		if err := checkEdition(e, token.Column); err != nil {
			return err
		}
		s.edition = e
		r.tokens[r.at].Text = id
	}
	if s.id, err = r.identifier("a ready-made gene pool"); err != nil {
		return err
	}
	s.columns.field = r.column()
	if slices.Contains(languageNames, r.peek()) {
		s.field = r.next()
		s.names, err = r.name()
		return err
	}
	for r.at < len(r.tokens) {
		s.columns.cards = append(s.columns.cards, r.column())
		id, err := r.identifier("a card")
		switch {
		case err != nil:
			return err
		case slices.Contains(s.cards, id):
			r.at--
			return r.fail("card %q stands twice in the gene pool, which has two copies of each card anyway", id)
		}
		s.cards = append(s.cards, id)
	}
	if len(s.cards) != preconCards {
		return r.fail("a ready-made gene pool has %d different cards, not %d", preconCards, len(s.cards))
	}
	return nil
}

// preconCards: EN "Set up", two copies of each.
const preconCards = 6
