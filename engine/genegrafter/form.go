package genegrafter

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// divider separates the values when one input contains the values of a whole form.
const divider = " | "

// form returns the form for the unknown fields of the card that a question concerns. A
// question has a form if it asks for a field, or if it waits until the card is resolved by
// hand. For any other question, form returns nil. It also returns nil if the form would have
// no fields. A question may ask for a field piece by piece, such as the second of several
// powers. The form leaves that field out.
func (s *state) form(q *question) *engine.CardForm {
	asks, isAsked := strings.CutPrefix(q.Key, "ask-")
	if q.About == nil || !isAsked && q.Key != "by-hand" {
		return nil
	}
	k := q.About.kind
	f := &engine.CardForm{Card: k.ID, Input: "table set " + k.ID}
	for _, name := range cardFields.Names() {
		if name == asks && q.N > 0 || name == "copies" {
			continue
		}
		if field := k.formField(name); field.Field != "" {
			f.Fields = append(f.Fields, field)
		}
	}
	if len(f.Fields) == 0 {
		return nil
	}
	return f
}

// formField returns a field of the form for a card. If the field is known, or if cards of the
// kind do not have the field, the result is the zero value.
func (k *Kind) formField(name string) engine.FormField {
	field := fieldNamed(name)
	f := engine.FormField{Field: name}
	switch {
	case slices.Contains(cardfile.LanguageFields, name):
		f.Quote = true
		if k.hasTitle() {
			return engine.FormField{}
		}
		return f
	case name == "text":
		f.Quote = true
		if k.Printed != "" || k.knownFields&FieldDoes != 0 && !k.hasEffect(ByHand) {
			return engine.FormField{}
		}
		return f
	case k.Type == UnknownType && field != FieldType:
		f.Only = kindsWith(field)
		if field == FieldDoes {
			f.Only = slices.DeleteFunc(f.Only, func(kind string) bool { return kind == typeNames[Character] })
		}
	case k.unknownFields()&field == 0:
		return engine.FormField{}
	}
	switch f.Most = 1; field {
	case FieldAttack, FieldDefence, FieldBase, FieldSuper:
		for n := range maxAsked + 1 {
			f.Words = append(f.Words, engine.FormWord{Word: strconv.Itoa(n)})
		}
		return f
	case FieldPower, FieldMarkers:
		f.Most, f.Again = maxListed, field == FieldMarkers
		f.Words = append(f.Words, engine.FormWord{Word: "none", Key: "does.none"})
	case FieldDoes:
		f.Most = 0
	}
	for _, a := range fieldChoices[field] {
		f.Words = append(f.Words, engine.FormWord{Word: a.Word, Key: a.About.(engine.Word)})
	}
	return f
}

func (k *Kind) hasTitle() bool {
	n := slotNumber(k.ID)
	return n == 0 || k.Names != newSlot(n).Names
}

func kindsWith(field Field) (kinds []string) {
	for t, fields := range fieldsOf {
		if fields&field != 0 && Type(t) != UnknownType {
			kinds = append(kinds, typeNames[t])
		}
	}
	return kinds
}

// setForm sets the values of a form that was filled in for the card with the id. It sets all
// values or, after a refusal, none of them. After a refusal, the match is folded again.
func (s *state) setForm(id, values string) error {
	for value := range strings.SplitSeq(values, divider) {
		if err := s.learn("card " + id + " " + value); err != nil {
			return owners.Refuse(err)
		}
	}
	s.resume()
	return nil
}
