package mutants

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// divider separates the values when one input contains the values of a whole form.
const divider = " | "

// form returns the form that a question offers beside its answers, or nil. The form asks for
// all values of the card that nobody has entered yet. A form is offered only by a question
// about a missing freeze value or a missing ability. A question about a boss's action card
// offers no form.
func (s *state) form(q *question) *engine.CardForm {
	if s.rules.revision < rules2 || q.About == nil || q.About.kind.Action != nil || q.Again == nil {
		return nil
	}
	when, byHand := strings.CutPrefix(q.Key, "by-hand-")
	k := q.About.kind
	if !(q.Key == "freeze-value" || byHand && k.lacks(when)) {
		return nil
	}
	f := &engine.CardForm{Card: k.ID, Input: "table set " + k.ID}
	for i := range cardFields {
		field := &cardFields[i]
		isTitle := slices.Contains(cardfile.LanguageFields, field.Name)
		switch {
		case field.Name == "freeze" && s.freezeValueOf(k).Unknown:
			f.Fields = append(f.Fields, freezeField())
		case field.Name != "freeze" && !isTitle && field.Gap != nil && field.Gap(k):
			f.Fields = append(f.Fields, engine.FormField{Field: field.Name, None: true})
		case field.Name == "text" && byHand && k.printed(when) == "":
			f.Fields = append(f.Fields, engine.FormField{Field: field.Name, Quote: true})
		}
	}
	if len(f.Fields) == 0 {
		return nil
	}
	return f
}

// lacks reports whether an ability of a card is still missing, because nobody has entered it.
// The given name is the name of the ability's field, such as "deploy".
func (k *Kind) lacks(name string) bool {
	i := slices.IndexFunc(cardFields, func(f cardfile.Field[Kind]) bool { return f.Name == name })
	return i >= 0 && cardFields[i].Gap != nil && cardFields[i].Gap(k)
}

// freezeField returns the form field in which a player chooses a freeze value. The value is a
// number, or 1 for each gene of a certain type.
func freezeField() engine.FormField {
	f := engine.FormField{Field: "freeze", Most: 1}
	for n := range maxFreeze + 1 {
		f.Words = append(f.Words, engine.FormWord{Word: strconv.Itoa(n)})
	}
	for g := range geneCount {
		f.Words = append(f.Words, engine.FormWord{Word: "1 per " + g.String(),
			Key: "form.per-gene", Args: engine.Args{"gene": g.Word()}})
	}
	return f
}

// setForm sets the values of a form for a kind of card. If one value is refused, the other
// values are not set either, because the match is folded again after a refusal. If the form
// answers the pending question, that question is not asked again.
func (s *state) setForm(id, values string) error {
	known := *s.rules.kinds[id]
	for value := range strings.SplitSeq(values, divider) {
		made, err := cardfile.ReadOne("", 1, "card "+id+" "+value, readStatement)
		switch {
		case err != nil:
		case made.NoRow != nil && s.rules.revision >= rules4: // before, its words stay
			err = made.NoRow
		case made.ID != id || !known.fillGap(&made):
			err = made.FailAt(made.FieldAt, "%s is known already", made.Field)
		}
		if err != nil {
			return owners.Refuse(err)
		}
		if made.Field == "freeze" {
			s.learned[id] = known.Freeze
		}
		s.learn(made.Text)
	}
	s.replaceKind(&known)
	s.AskAgain()
	return nil
}

// fillGap sets a field of a card to the value from a form. The field must be missing, and a
// form must be allowed to set it. The result reports whether the field was set.
func (k *Kind) fillGap(made *Statement) bool {
	i := slices.IndexFunc(cardFields, func(f cardfile.Field[Kind]) bool { return f.Name == made.Field })
	isGap := cardFields[i].Gap != nil && cardFields[i].Gap(k) || made.Field == "text" && k.Printed == ""
	if !isGap || made.Edition != "" {
		return false
	}
	cardfile.Set(k, made)
	return true
}

// replaceKind puts a new kind in the place of the kind with the same id. All cards of the old
// kind get the new kind, but only in this match.
func (s *state) replaceKind(with *Kind) {
	old, rules := s.rules.kinds[with.ID], *s.rules
	rules.kinds = maps.Clone(rules.kinds)
	rules.kinds[with.ID] = with
	s.rules = &rules
	for _, p := range s.players {
		for _, c := range p.cards {
			if c.kind == old {
				c.kind = with
			}
		}
	}
}
