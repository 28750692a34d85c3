package mutants

import (
	"fmt"
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// A Statement is one line of a card file, such as "card zombie freeze 1". A statement sets one
// field of a card, of the board, of a ready-made gene pool, or of a boss and its cards. The
// file docs/cards.md describes the format.
type Statement = cardfile.Statement

// The words with which a line of a card file can begin.
const (
	aCard   = "card"
	aBoard  = "board"
	aPrecon = "precon"
	aBoss   = "boss"
	aAction = "action" // of a boss
)

const (
	roundCount = 5 // EN "Game flow"
	maxPoints  = 99
	minSpaces  = 7 // four markers from the Second Space down, above a Red Zone
	maxSpaces  = 30
)

const (
	exampleCard = "leech-lord"
	exampleBoss = "jack-ice"
)

var (
	subjects     = []string{aCard, aBoard, aPrecon, aBoss, aAction}
	editionNames = []string{"first-edition", "second-edition"}

	// idSubjects holds, for each subject that has ids, a noun and an example of an id.
	idSubjects = map[string]struct{ noun, example string }{
		aCard: {"a card", exampleCard}, aPrecon: {"a ready-made gene pool", exampleCard},
		aBoss: {"a boss", exampleBoss}, aAction: {"an action card", "heat-death"},
	}
)

// meanings maps words that people may type to the words that a card file uses instead.
var meanings = map[string]string{
	"plateau": "board", "réserve": "precon", "genre": "kind", "type": "kind",
	"gene": "genes", "gène": "genes", "gènes": "genes",
	"freeze-value": "freeze", "gel": "freeze", "congélation": "freeze", "déploiement": "deploy", "retrait": "leave",
	"départ": "leave", "parade": "block", "blocage": "block", "préparation": "set-up",
	"permanent": "ongoing", "permanente": "ongoing", "cases": "spaces", "manches": "rounds", "santé": "health",
	"pouvoir": "power", "faiblesse": "weakness", "flèche": "arrow", "gauche": "left", "droite": "right",
	"base": "basic", "avancée": "advanced", "avancé": "advanced", "zoomorphe": "zoomorph", "galactique": "galactic",
	"mythique": "mythic", "nécro": "necro", "sabreur": "saber", "sabre": "saber", "texte": "text",
}

// fileReader returns a function that reads the statements of one file. Some things may be
// stated only once in a file: see isUnique. If a second statement is about such a
// thing, the function returns an error. Build finds the mistakes that only show when
// statements are combined.
func fileReader() func(*cardfile.Line) (Statement, error) {
	type key struct{ subject, id, field, edition string }
	first := map[key]int{}
	return func(l *cardfile.Line) (Statement, error) {
		s, err := readStatement(l)
		if err != nil || !isUnique(&s) {
			return s, err
		}
		k := key{s.Subject, s.ID, s.Field, s.Edition}
		if line, twice := first[k]; twice {
			return s, l.FailAt(s.FieldAt, "%s is set twice: first on line %d", describe(&s), line)
		}
		_, first[k] = l.Position()
		return s, nil
	}
}

func readStatement(l *cardfile.Line) (s Statement, err error) {
	l.Means(meanings)
	s = l.Statement()
	if s.Subject, err = l.Among("what a line begins with", subjects); err != nil {
		return s, err
	}
	s.IDAt = l.Column()
	if s.Subject == aPrecon {
		if s.Edition, err = readEdition(l.Prefix("/")); err != nil {
			return s, err
		}
	}
	if s.Subject != aBoard {
		thing := idSubjects[s.Subject]
		if s.ID, err = l.Identifier(thing.noun, thing.example); err != nil {
			return s, err
		}
	}
	return s, readField(l, &s)
}

// readField reads the name of a field and then its value. The name may end with an edition, as
// in "leave@first-edition".
func readField(l *cardfile.Line, s *Statement) (err error) {
	if s.Subject != aPrecon {
		at := l.Column()
		if s.Edition, err = readEdition(l.Suffix("@")); err != nil {
			return err
		}
		if s.Edition != "" && (s.Subject == aBoss || s.Subject == aAction) {
			return l.FailAt(at+len(l.Peek()), "bosses are in one edition only; write %q without \"@%s\"", l.Peek(), s.Edition)
		}
	}
	switch s.Subject {
	case aBoard:
		return boardFields.Read(l, s, "a field of the board")
	case aPrecon:
		return preconFields.Read(l, s, "")
	case aBoss:
		return bossFields.Read(l, s, "a field of a boss")
	case aAction:
		return actionFields.Read(l, s, "a field of an action card")
	}
	return cardFields.Read(l, s, "a field of a card")
}

func readEdition(name string, column int, found bool) (edition string, err error) {
	if found {
		err = checkEdition(name, column)
	}
	return name, err
}

func checkEdition(name string, column int) error {
	if slices.Contains(editionNames, name) {
		return nil
	}
	var s cardfile.Statement // without a place
	if near := engine.Nearest(name, editionNames); near != "" {
		return s.FailAt(column, "%q is not %s; did you mean %q?", name, "an edition", near)
	}
	return s.FailAt(column, "%q is not %s: expected %s", name, "an edition", engine.OneOf(editionNames))
}

// isUnique reports whether a file may have only one statement like this one about the same
// thing. A second one must then be a mistake. Other statements may be repeated, because values
// that are asked for at the table are appended to the owner's file. Of several values, the
// last is the valid one.
func isUnique(s *Statement) bool {
	return s.Subject == aPrecon || s.Field == "kind" || s.Field == "boss" ||
		slices.Contains(cardfile.LanguageFields, s.Field)
}

func describe(s *Statement) string {
	switch {
	case s.Subject == aBoard:
		return "the board's " + s.Field
	case s.Field == "":
		return fmt.Sprintf("%s %q", s.Subject, s.ID)
	}
	return fmt.Sprintf("%s of %s %q", s.Field, s.Subject, s.ID)
}
