package genegrafter

import (
	"cmp"
	"slices"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/cardgame"
)

func (s *state) choose(p *player, key string, subject *card, list []*card, do func(*card)) {
	switch len(list) {
	case 0:
	case 1:
		do(list[0])
	default:
		s.askCharacter(p, key, subject, list, do)
	}
}

func (s *state) askCharacter(p *player, key string, subject *card, list []*card, do func(*card)) {
	places := Place(0)
	for _, c := range list {
		places |= c.Where
	}
	s.Ask(question{Seat: p.seat, Key: key, About: subject, N: len(list), In: places, Cards: list, Tap: do})
}

func (s *state) choosePlayer(p *player, key string, subject *card, list []*player, do func(*player), extra ...answer) {
	switch len(list) {
	case 0:
	case 1:
		do(list[0])
	default:
		s.Ask(question{Seat: p.seat, Key: key, About: subject, Fixed: seatAnswers(list, extra...),
			Chosen: func(a answer) { do(s.playerAt(a.Seat)) }})
	}
}

func seatAnswers(list []*player, more ...answer) []answer {
	answers := make([]answer, 0, len(list)+len(more))
	for _, p := range list {
		answers = append(answers, cardgame.ChooseSeat(p.seat, "seat"))
	}
	return append(answers, more...)
}

// The greatest numbers that the answers to a question offer. Corrections may enter greater
// ones.
const (
	maxAsked  = 9 // dice
	maxListed = 4 // powers, or markers, of a card
)

var (
	categoryChoices = choices("keyword.", categoryNames)

	// fieldChoices holds the answers for each field that asks for a word. Fields that are
	// numbers of dice are not in it.
	fieldChoices = map[Field][]answer{
		FieldType:     choices("kind.", typeNames[Character:DNA]), // not DNA: the strands are known
		FieldCategory: categoryChoices,
		FieldMarkers:  categoryChoices,
		FieldPlace:    choices("keyword.", places),
		FieldPower:    choices("keyword.", powerNames),
	}
)

func choices(prefix string, words []string) []answer {
	var list []answer
	for _, word := range words {
		list = append(list, answer{Verb: engine.Choose, Word: word, Label: "word", About: engine.Word(prefix + word)})
	}
	return list
}

// askUnknown asks about a card in steps on the agenda. There is one question for each of the
// given fields that is unknown on the card. The callbacks follow as further steps.
func (s *state) askUnknown(c *card, fields Field, then ...func()) {
	s.Do(then...)
	if c.kind.Type != UnknownType && c.kind.unknownFields()&fields == 0 {
		return
	}
	for i := range slices.Backward(fieldNames) {
		if field := Field(1 << i); fields&field != 0 {
			s.Do(func() { s.askField(c, fieldNames[i], field, nil) })
		}
	}
}

// askField asks for one field that is printed on a card. If the field is known, askField asks
// nothing. Any player may answer. Powers and markers are asked for one at a time, until the
// players say that there are no more. The answers so far are given as words.
func (s *state) askField(c *card, name string, field Field, words []string) {
	if len(words) == 0 && c.kind.unknownFields()&field == 0 {
		return
	}
	q := question{Key: "ask-" + name, About: c, N: len(words), Fixed: fieldChoices[field]}
	q.Chosen = func(a answer) { s.learn("card " + c.kind.ID + " " + name + " " + a.Word) }
	switch field {
	case FieldAttack, FieldDefence, FieldBase, FieldSuper:
		for n := range maxAsked + 1 {
			q.Fixed = append(q.Fixed, cardgame.ChooseNumber(n))
		}
	case FieldPower, FieldMarkers:
		q.Fixed = slices.DeleteFunc(slices.Clone(q.Fixed), func(a answer) bool {
			return len(words) == maxListed || field == FieldPower && slices.Contains(words, a.Word)
		})
		q.Fixed = append(q.Fixed, cardgame.Key("next", "that-is-all"))
		q.Chosen = func(a answer) {
			if a.Word != "next" {
				s.Do(func() { s.askField(c, name, field, append(slices.Clone(words), a.Word)) })
				return
			}
			s.learn("card " + c.kind.ID + " " + name + " " + cmp.Or(strings.Join(words, " "), "none"))
		}
	}
	s.Ask(q)
}

// learn sets a field that was entered at the table. It also emits the definition for the
// owner's file. The definition is a line such as "card anvil attack 3". If the card or the box
// cannot have the value, learn sets nothing and returns an error.
func (s *state) learn(definition string) error {
	st, err := ParseStatement("set", 1, definition)
	if err != nil {
		return err
	}
	isOf := func(c *card) bool { return c.kind.ID == st.ID }
	k := *s.Cards[slices.IndexFunc(s.Cards, isOf)].kind
	was := k.Type
	cardfile.Set(&k, &st)
	colour := s.rules.data.paint(&k)
	switch {
	case colour != "":
		err = st.FailAt(st.ValueAt, noColour, colour, colour)
	case st.Field == "kind" && was != UnknownType:
		err = st.FailAt(st.FieldAt, "card %q is of kind %s already", k.ID, typeNames[was])
	case st.Unknown:
		err = engine.Refuse("refusal.says-nothing")
	case st.Field == "kind" && k.Type == DNA:
		err = st.FailAt(st.FieldAt, "the box has %d DNA strands already", strandCount)
	case st.Field == "copies": // the box must be valid in the next match, too
		err = checkOwn(append(slices.Clone(s.ownStatements), st))
	default:
		err = checkStatement(&st, &k)
	}
	if err != nil {
		return err
	}
	for _, c := range s.Cards {
		if isOf(c) {
			c.kind = &k
		}
	}
	s.ownStatements = append(s.ownStatements, st)
	event := engine.Event{Name: "learned", Card: st.ID, Word: "field." + st.Field, Define: st.Text}
	if st.NoRow != nil {
		event.Name = "learned-words"
	}
	s.Emit(event)
	return nil
}
