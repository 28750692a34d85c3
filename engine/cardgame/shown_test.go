package cardgame

import (
	"testing"

	"tableside/engine"
)

// Views that were returned before keep their cards, whatever the pile does later.
func TestShown(t *testing.T) {
	var shown ViewCache
	type pile []engine.Card
	named := func(names ...string) (p pile) {
		for _, n := range names {
			p = append(p, Face(n))
		}
		return p
	}
	var views, want []pile
	for _, p := range []pile{
		named(), named("ape.1"), named("ape.1", "bee.2"), named("ape.1", "bee.2", "cat.3"), named("ape.1"),
		named("ape.1", "dog.1"), {Face("ape.1"), {State: FaceDown}}, named("ape.1", "dog.1", "cat.3"), named("cat.3"),
		named(), {{Kind: "ape", Copy: 1, Keywords: []string{"fierce"}}}, named("ape.1"),
	} {
		views = append(views, shown.Cards(len(p), func(i int) engine.Card { return p[i] }))
		want = append(want, p)
	}
	for i, p := range want {
		if len(views[i]) != len(p) {
			t.Fatalf("view %d has %d cards, want %d", i, len(views[i]), len(p))
		}
		for j := range p {
			if !looksLike(&views[i][j], p[j]) {
				t.Errorf("view %d shows %+v, want %+v", i, views[i][j], p[j])
			}
		}
	}
	many := named("ape.1", "bee.2", "cat.3")
	all := func() { shown.Cards(len(many), func(i int) engine.Card { return many[i] }) }
	if n := testing.AllocsPerRun(10, all); n != 0 {
		t.Errorf("a pile that did not change takes %v allocations", n)
	}
}
