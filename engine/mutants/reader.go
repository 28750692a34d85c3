package mutants

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// A reader takes the words of one line into a statement.
type reader struct {
	*cardfile.Line
	s *Statement
}

func (r *reader) statement() error {
	what, err := r.Among("what a line begins with", subjects)
	if err != nil {
		return err
	}
	r.s.subject = subject(what)
	switch r.s.subject {
	case aBoard:
		err = r.board()
	case aPrecon:
		err = r.precon()
	case aBoss:
		err = r.boss()
	case aAction:
		err = r.action()
	default:
		err = r.card()
	}
	return err
}

// fieldName takes a field with its edition, as "leave@first-edition".
func (r *reader) fieldName(what string, fields []string) (err error) {
	r.s.columns.field = r.Column()
	if e, column, found := r.Suffix("@"); found {
		if err := checkEdition(e, column); err != nil {
			return err
		}
		r.s.edition = e
	}
	r.s.field, err = r.Among(what, fields)
	r.s.columns.value = r.Column()
	return err
}

func checkEdition(name string, column int) error {
	if slices.Contains(editionNames, name) {
		return nil
	}
	reason := fmt.Sprintf("%q is not an edition: expected %s", name, cardfile.OneOf(editionNames))
	if near := engine.Nearest(name, editionNames); near != "" {
		reason = fmt.Sprintf("%q is not an edition; did you mean %q?", name, near)
	}
	return &engine.SyntaxError{Column: column, Reason: reason}
}

func (r *reader) card() (err error) {
	s := r.s
	s.columns.id = r.Column()
	if s.id, err = r.Identifier("a card", exampleID); err != nil {
		return err
	}
	if err := r.fieldName("a field of a card", cardFields); err != nil {
		return err
	}
	switch s.field {
	case "kind":
		var kind string
		kind, err = r.Among("a kind of card", []string{"basic", "advanced"})
		s.basic = kind == "basic"
	case "en", "fr":
		s.names, err = r.Title("Leech Lord")
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

func (r *reader) genes() error {
	for !r.Done() {
		column := r.Column()
		word, err := r.Among("a gene", append(geneNames[:len(geneNames):len(geneNames)], "inferred"))
		switch {
		case err != nil:
			return err
		case word == "inferred" && len(r.s.genes) > 0:
			r.s.flag = true
			return nil
		case word == "inferred":
			return r.FailAt(column, "the genes are missing before %q", "inferred")
		case len(r.s.genes) == 2:
			return r.FailAt(column, "a card has at most two genes")
		}
		r.s.genes = append(r.s.genes, Gene(slices.Index(geneNames[:], word)))
	}
	if len(r.s.genes) == 0 {
		return r.Fail("the genes are missing: one or two of %s", strings.Join(geneNames[:], ", "))
	}
	return nil
}

func (r *reader) freeze() (Value, error) {
	n, err := r.NumberOr(-1, "a freeze value", 0, maxPoints)
	if err != nil || n < 0 {
		return Value{Unknown: n < 0}, err
	}
	v := Value{N: n}
	if r.Done() {
		return v, nil
	}
	if _, err := r.Among("what follows a freeze value", []string{"per"}); err != nil {
		return v, err
	}
	gene, err := r.Among("a gene", geneNames[:])
	v.Per, v.Gene = true, Gene(max(0, slices.Index(geneNames[:], gene)))
	return v, err
}

func (r *reader) ability() error {
	p, err := r.Rest()
	if err != nil {
		return err
	}
	if r.s.field == "ongoing" {
		r.s.trigger, r.s.ability, err = parseOngoing(p)
		return err
	}
	r.s.ability, err = (&parser{Parser: p, transform: r.s.field == "deploy", block: r.s.field == "block"}).ability()
	return err
}

func (r *reader) board() (err error) {
	s := r.s
	if err := r.fieldName("a field of the board", boardFields); err != nil {
		return err
	}
	switch s.field {
	case "spaces":
		s.n, err = r.NumberOr(0, "a number of spaces", minSpaces, maxSpaces)
	case "red-zone":
		s.n, err = r.NumberOr(0, "a number of spaces", 1, maxSpaces-2)
	default:
		column := r.Column()
		if r.Done() {
			return r.Fail("the rounds are missing: five as red/black, as in %s", exampleRounds)
		}
		s.rounds, err = parseRoundsAt(r.Next(), column)
	}
	return err
}

const exampleID = "leech-lord"

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
	s.columns.id = r.Column()
	if e, column, found := r.Prefix("/"); found {
		if err := checkEdition(e, column); err != nil {
			return err
		}
		s.edition = e
	}
	if s.id, err = r.Identifier("a ready-made gene pool", exampleID); err != nil {
		return err
	}
	s.columns.field = r.Column()
	if slices.Contains(cardfile.LanguageFields, r.Peek()) {
		s.field = r.Next()
		s.names, err = r.Title("Leech Lord")
		return err
	}
	for !r.Done() {
		column := r.Column()
		s.columns.cards = append(s.columns.cards, column)
		id, err := r.Identifier("a card", exampleID)
		switch {
		case err != nil:
			return err
		case slices.Contains(s.cards, id):
			return r.FailAt(column, "card %q stands twice in the gene pool, which has two copies of each card anyway", id)
		}
		s.cards = append(s.cards, id)
	}
	if len(s.cards) != preconCards {
		return r.Fail("a ready-made gene pool has %d different cards, not %d", preconCards, len(s.cards))
	}
	return nil
}

// preconCards: EN "Set up", two copies of each.
const preconCards = 6
