package genegrafter

import (
	"fmt"
	"slices"
	"strings"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// What answers offer; set takes more.
const (
	mostAsked  = 9 // dice
	mostListed = 4 // powers, or markers, of a card
)

// known asks for what nobody has entered of a card, and then goes on.
func (s *state) known(c *card, fields Field, then ...func()) {
	s.Do(then...)
	if c.kind.Type != UnknownType && c.kind.unknown()&fields == 0 {
		return
	}
	for i := len(fieldNames) - 1; i >= 0; i-- {
		if field := Field(1 << i); fields&field != 0 {
			s.Do(func() { s.askField(c, fieldNames[i], field) })
		}
	}
}

// askField asks for one thing that is printed on a card. Nobody in particular
// has to answer.
func (s *state) askField(c *card, name string, field Field) {
	if c.kind.unknown()&field == 0 {
		return
	}
	q := question{Key: "ask-" + name, About: c}
	switch field {
	case FieldPower, FieldMarkers:
		s.askList(c, name, nil)
		return
	case FieldType:
		q.Fixed = kindChoices
	case FieldCategory:
		q.Fixed = categoryChoices
	case FieldPlace:
		q.Fixed = placeChoices
	default:
		for n := range mostAsked + 1 {
			q.Fixed = append(q.Fixed, cardgame.ChooseNumber(n))
		}
	}
	q.Chosen = func(a answer) { s.learn(fmt.Sprintf("card %s %s %s", c.kind.ID, name, a.Word)) }
	s.Ask(q)
}

var (
	kindChoices     = choices("kind.", typeNames[Character:DNA]) // the strands are known
	categoryChoices = choices("keyword.", categoryNames)
	placeChoices    = choices("keyword.", places)
	powerChoices    = choices("keyword.", powerNames)
)

func choices(prefix string, words []string) []answer {
	var list []answer
	for _, word := range words {
		list = append(list, answer{Verb: engine.Choose, Word: word, Label: "word", About: engine.Word(prefix + word)})
	}
	return list
}

// askList asks for one word after the other, until that is all.
func (s *state) askList(c *card, name string, have []string) {
	words := categoryChoices
	if name == "power" {
		words = powerChoices
	}
	q := question{Key: "ask-" + name, About: c, N: len(have)}
	for _, a := range words {
		if len(have) < mostListed && (name == "markers" || !slices.Contains(have, a.Word)) {
			q.Fixed = append(q.Fixed, a)
		}
	}
	q.Fixed = append(q.Fixed, cardgame.Key("next", "that-is-all"))
	q.Chosen = func(a answer) {
		if a.Word != "next" {
			s.Do(func() { s.askList(c, name, append(slices.Clone(have), a.Word)) })
			return
		}
		value := "none"
		if len(have) > 0 {
			value = strings.Join(have, " ")
		}
		s.learn(fmt.Sprintf("card %s %s %s", c.kind.ID, name, value))
	}
	s.Ask(q)
}

// learn takes in what was entered at the table, and emits it for the owner's
// file.
func (s *state) learn(definition string) error {
	st, err := ParseStatement("set", 1, definition)
	if err != nil {
		return err
	}
	var learned *Kind
	for _, c := range s.Cards {
		if c.kind.ID != st.id {
			continue
		}
		if learned == nil {
			k := *c.kind
			if st.field == fieldNames[0] && k.Type != UnknownType {
				return st.fail(st.fieldAt, "card %q is of kind %s already", k.ID, typeNames[k.Type])
			}
			k.add(&st)
			if err := s.mayLearn(&st, &k); err != nil {
				return err
			}
			learned = &k
		}
		c.kind = learned
	}
	s.own = append(s.own, st)
	s.Emit(engine.Event{Name: "learned", Card: st.id, Word: "field." + st.field, Define: st.Text})
	return nil
}

// mayLearn finds what would be wrong with a line in the owner's file: of a
// card, or of the box, which must be one in the next match, too.
func (s *state) mayLearn(st *Statement, k *Kind) error {
	switch {
	case st.set == nil:
		return engine.Refuse("refusal.says-nothing")
	case st.field == "kind" && k.Type == DNA:
		return st.fail(st.fieldAt, "the box has %d DNA strands already", strandCount)
	case st.field == "copies":
		return checkOwn(append(slices.Clone(s.own), *st))
	}
	return st.check(k)
}
