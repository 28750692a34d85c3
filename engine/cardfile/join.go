package cardfile

import (
	"cmp"
	"slices"
	"strings"

	"tableside/engine"
)

// A Difference is a field of a card for which two files have other statements. Where they say that
// the card is of another kind, Field is "", and the statements are all about the card.
type Difference struct {
	Card   string   `json:"card"`
	Field  string   `json:"field"`
	Mine   []string `json:"mine"`
	Theirs []string `json:"theirs"`
}

// Decision returns what a map of decisions says about a difference: about its field, such as
// "krunk/freeze", or about its card, such as "krunk". Without either, it returns "".
func (d Difference) Decision(decisions map[string]string) string {
	return cmp.Or(decisions[d.Card+"/"+d.Field], decisions[d.Card])
}

// A Comparison says what another owner's file has that an owner's own file lacks: cards, and
// fields of cards that both have. Differences are the fields in which both contradict each
// other. The case of letters, quotes, a final full stop, the name of a field in another language
// and the order of statements do not.
type Comparison struct {
	Added, Completed []string // cards
	Differences      []Difference
}

// A stated is a statement with the field that it sets, and what it says there.
type stated struct{ text, field, value string }

// stated reads statements. One that cannot be read is as it is written.
func (o *Owners) stated(statements []string) (all []stated) {
	read := o.Reader()
	for _, text := range statements {
		one := stated{text, fieldOf(text), text}
		if s, err := ReadOne("", 1, text, read); err == nil && s.Field != "" {
			one.field, one.value = s.Field, s.Edition+" "+text[min(max(s.ValueAt-1, 0), len(text)):]
		}
		if tokens, err := engine.Tokens(one.value); err == nil {
			var words []string
			for _, t := range tokens {
				words = append(words, t.Text)
			}
			one.value = strings.Join(words, " ")
		}
		one.value = strings.TrimRight(strings.ToLower(one.value), ".")
		all = append(all, one)
	}
	return all
}

// of returns the texts and the sorted values of the statements about a field.
func of(all []stated, field string) (texts, values []string) {
	for _, s := range all {
		if s.field == field {
			texts, values = append(texts, s.text), append(values, s.value)
		}
	}
	slices.Sort(values)
	return texts, values
}

// compare compares what two files say about a card, and returns the statements that complete the
// first one.
func (o *Owners) compare(card string, mine, theirs []string) (more []string, differ []Difference) {
	own, other := o.stated(mine), o.stated(theirs)
	var done []string
	for _, s := range other {
		if slices.Contains(done, s.field) {
			continue
		}
		done = append(done, s.field)
		texts, values := of(own, s.field)
		theirTexts, theirValues := of(other, s.field)
		switch {
		case len(texts) == 0:
			more = append(more, theirTexts...)
		case slices.Equal(values, theirValues):
		case s.field == "kind":
			return nil, []Difference{{card, "", mine, theirs}}
		default:
			differ = append(differ, Difference{card, s.field, texts, theirTexts})
		}
	}
	return more, differ
}

// Compare compares an owner's own file with another owner's file.
func (o *Owners) Compare(mine, theirs string) (c Comparison) {
	_, own := byCard(mine)
	cards, other := byCard(theirs)
	for _, card := range cards {
		if own[card] == nil {
			c.Added = append(c.Added, card)
			continue
		}
		more, differ := o.compare(card, own[card], other[card])
		if c.Differences = append(c.Differences, differ...); len(more) > 0 {
			c.Completed = append(c.Completed, card)
		}
	}
	return c
}

// Merge adds what another owner's file has to an owner's own file. It calls the callback for
// each difference. If the callback returns true, the other owner's statements replace the owner's
// own.
func (o *Owners) Merge(mine, theirs string, takes func(Difference) bool) string {
	_, own := byCard(mine)
	cards, other := byCard(theirs)
	for _, card := range cards {
		all := slices.Clone(own[card])
		more, differ := o.compare(card, all, other[card])
		for _, d := range differ {
			if takes(d) {
				all = slices.DeleteFunc(all, func(s string) bool { return slices.Contains(d.Mine, s) })
				more = append(more, d.Theirs...)
			}
		}
		if len(more) > 0 {
			mine = Replace(mine, card, append(all, more...))
		}
	}
	return mine
}
