package genegrafter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// size returns the number of cards in the box. This is the number that the owner has counted.
// If the owner has counted none, it is the number in 004 "Matériel". Gear may come on top of
// that number, because gear is a bonus (004 "Règle Bonus Kickstart").
func (d *Data) size() int {
	if d.cardCount > 0 {
		return d.cardCount
	}
	return boxSize
}

// makeRoom takes made-up cards out of a box that is too full. It takes out one card for each
// card that an owner has added. Made-up cards of the same type come first.
//
// Of some real cards, only the number of copies is made up. If no made-up card is left,
// makeRoom takes out a copy of such a card. It never takes the last copy, because one copy is
// certain to be in the box.
func (d *Data) makeRoom() {
	for _, k := range d.Kinds {
		invented := func(other *Kind) bool { return other != k && other.invented && other.Copies > 0 }
		alike := func(other *Kind) bool { return invented(other) && other.Type == k.Type }
		spare := func(other *Kind) bool { return other != k && other.madeUpFields&FieldCopies != 0 && other.Copies > 1 }
		for n := k.defaultCopies; n < k.Copies && d.cards() > d.size(); n++ {
			_ = d.takeOut(alike) || d.takeOut(invented) || d.takeOut(spare)
		}
	}
}

func (d *Data) takeOut(which func(*Kind) bool) bool {
	for _, k := range slices.Backward(d.Kinds) {
		if which(k) {
			k.Copies--
			return true
		}
	}
	return false
}

func (d *Data) fill() {
	d.Kinds = slices.DeleteFunc(d.Kinds, func(k *Kind) bool { return k.Copies == 0 })
	for n := 1; d.cards() < d.size(); n++ {
		slot := newSlot(n)
		if d.kind(slot.ID) == nil {
			d.Kinds = append(d.Kinds, slot)
		}
	}
}

func newSlot(n int) *Kind {
	k := &Kind{ID: fmt.Sprintf("card-%d", n), Copies: 1, slot: true}
	k.Names.Set(engine.English, fmt.Sprintf("Card %d", n))
	k.Names.Set(engine.French, fmt.Sprintf("Carte %d", n))
	return k
}

func slotNumber(id string) int {
	digits, _ := strings.CutPrefix(id, "card-")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > maxCards || newSlot(n).ID != id {
		return 0
	}
	return n
}

func (d *Data) cards() int { return sum(d.Kinds, func(k *Kind) int { return k.Copies }) }

func (d *Data) count(t Type) (n int) {
	for _, k := range d.Kinds {
		if k.Type == t {
			n += k.Copies
		}
	}
	return n
}

// withoutGear returns the box without its gear, for a match without the bonus rule. If nobody
// has counted the cards of the box, and if the type of some cards is still unknown, unknown
// cards fill the box up to 54 cards again.
func (d Data) withoutGear() Data {
	d.Kinds = slices.DeleteFunc(slices.Clone(d.Kinds), func(k *Kind) bool { return k.Type == Gear })
	if d.cardCount == 0 && d.count(UnknownType) > 0 {
		d.fill()
	}
	return d
}

// checkBox returns an error if the box is impossible. For example, the box may have too many
// cards. The error points at the last statement that can be the cause.
func (d *Data) checkBox(all []Statement) error {
	strands, cards := d.count(DNA), d.cards()
	for i := range slices.Backward(all) {
		s := &all[i]
		switch s.Field {
		case "colour":
			if !s.Unknown && d.sameColour() {
				return s.FailAt(s.IDAt, "two categories cannot be of one colour")
			}
		case "kind", "copies":
			if strands != strandCount && d.kind(s.ID).Type == DNA {
				return s.FailAt(s.FieldAt, "the box has %d DNA strands, and not %d", strandCount, strands)
			}
			if most := d.size(); !s.StandIn && d.cardCount == 0 && cards-d.count(Gear) > most {
				return s.FailAt(s.FieldAt, "the box has %d cards beside its gear, and not %d; "+
					"if yours has more, a line is missing: box cards %d", most, cards-d.count(Gear), cards)
			}
			fallthrough
		case "cards":
			if !s.StandIn && d.cardCount > 0 && cards > d.cardCount {
				return s.FailAt(s.FieldAt, "the box has %d cards, and not %d", d.cardCount, cards)
			}
		}
	}
	return nil
}

func (d *Data) sameColour() bool {
	for i, colour := range d.Colours {
		if colour != "" && slices.Contains(d.Colours[:i], colour) {
			return true
		}
	}
	return false
}
