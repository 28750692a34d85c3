package genegrafter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// makeRoom: each card that an owner adds takes the place of one that was made
// up, of its kind as long as there is one.
func (d *Data) makeRoom() {
	for i := range d.Kinds {
		k := &d.Kinds[i]
		for n := k.before; n < k.Copies && d.cards() > boxSize; n++ {
			if !d.takeOut(k, k.Type) {
				d.takeOut(k, UnknownType)
			}
		}
	}
	d.Kinds = slices.DeleteFunc(d.Kinds, func(k Kind) bool { return k.Copies == 0 })
}

// takeOut takes out a card that was made up, of a kind or of any, for another
// one.
func (d *Data) takeOut(other *Kind, t Type) bool {
	for i := range slices.Backward(d.Kinds) {
		if k := &d.Kinds[i]; k != other && k.invented && k.Copies > 0 && (k.Type == t || t == UnknownType) {
			k.Copies--
			return true
		}
	}
	return false
}

// fill completes the box with cards of which nothing is known: 004
// "Matériel", 54 cards.
func (d *Data) fill() {
	for n := 1; d.cards() < boxSize; n++ {
		slot := newSlot(n)
		if !slices.ContainsFunc(d.Kinds, func(k Kind) bool { return k.ID == slot.ID }) {
			d.Kinds = append(d.Kinds, slot)
		}
	}
}

// newSlot is a card that nobody has named.
func newSlot(n int) Kind {
	return Kind{ID: fmt.Sprintf("card-%d", n), Copies: 1, slot: true, Names: map[string]string{
		"en": fmt.Sprintf("Card %d", n), "fr": fmt.Sprintf("Carte %d", n),
	}}
}

// slotNumber is 7 for "card-7", 0 for the id of a card with a name.
func slotNumber(id string) int {
	digits, _ := strings.CutPrefix(id, "card-")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > boxSize || newSlot(n).ID != id {
		return 0
	}
	return n
}

// cards counts them.
func (d *Data) cards() int {
	n := 0
	for i := range d.Kinds {
		n += d.Kinds[i].Copies
	}
	return n
}

// checkBox finds what no box can be, and blames the last statement that makes
// it so.
func (d *Data) checkBox(all []Statement) error {
	strands := 0
	for i := range d.Kinds {
		if k := &d.Kinds[i]; k.Type == DNA {
			strands += k.Copies
		}
	}
	for i := range slices.Backward(all) {
		s := &all[i]
		switch {
		case s.field != "kind" && s.field != "copies":
			if s.colour != nil && d.sameColour() {
				return s.fail(s.column, "two categories cannot be of one colour")
			}
		case strands != strandCount && d.isStrand(s.id):
			return s.fail(s.fieldAt, "the box has %d DNA strands, and not %d", strandCount, strands)
		case d.cards() > boxSize && !s.made:
			return s.fail(s.fieldAt, "the box has %d cards, and not %d", boxSize, d.cards())
		}
	}
	return nil
}

func (d *Data) isStrand(id string) bool {
	k := d.kind(id)
	return k != nil && k.Type == DNA
}

func (d *Data) sameColour() bool {
	for i, colour := range d.Colours {
		if colour != "" && slices.Contains(d.Colours[:i], colour) {
			return true
		}
	}
	return false
}
