package history

import (
	"testing"
	"unicode"
)

// TestSameName compares what different machines write for one name, and names that differ.
func TestSameName(t *testing.T) {
	for _, same := range [][]string{
		{"Zoé", "Zoe\u0301", "ZOÉ", "zoe\u0301", " Zoé ", "zOE\u0301"},
		{"D'Arcy", "D’Arcy", "d‘arcy", "Dʼarcy", "D`Arcy"},
		{"Jean-Luc Le Goff", "Jean\u2011Luc  Le\u00a0Goff", "jean‐luc le goff", "Jean–Luc Le Goff",
			"Jean—Luc Le Goff", "Jean‒Luc Le Goff", "Jean−Luc Le Goff"},
		{"Ångström", "A\u030angstro\u0308m", "\u212bngström"},
		{"Nguyễn", "Nguye\u0302\u0303n", "NGUYỄN"},
		{"Ελένη", "ελένη", "Ελε\u0301νη"},
		{"한솔", "\u1112\u1161\u11ab\u1109\u1169\u11af"},
		{"İ", "I\u0307"},
	} {
		for _, other := range same {
			if !SameName(same[0], other) {
				t.Errorf("%q is not %q: %q and %q", other, same[0], NameKey(other), NameKey(same[0]))
			}
		}
	}
	for _, apart := range [][2]string{
		{"Zoé", "Zoe"}, {"Ann", "Anne"}, {"Jean Luc", "Jean-Luc"}, {"O'Neil", "ONeil"}, {"Bo", "Bø"},
	} {
		if SameName(apart[0], apart[1]) {
			t.Errorf("%q is taken for %q", apart[0], apart[1])
		}
	}
	for r := range unicode.MaxRune + 1 { // what was compared is compared again
		name := string(r) + "a" + string(r) + "\u0301"
		if unicode.IsGraphic(r) && NameKey(NameKey(name)) != NameKey(name) {
			t.Errorf("%+q becomes %+q, then %+q", name, NameKey(name), NameKey(NameKey(name)))
		}
	}
}
