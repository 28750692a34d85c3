package mindbug

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// TestOwnersCards plays matches with cards that an owner may write: each effect and
// rule of the language, with all samples in its holes, on the creatures of First
// Contact. It checks that no card is lost and that each prompt has words.
func TestOwnersCards(t *testing.T) {
	abilities := []string{"?", "text \"Sing.\"", "you may gain 1 life, then lose 1 life",
		"choose one: gain 1 life or your opponent loses 1 life",
		"you may choose one: defeat this creature or take a boost card into your hand"}
	rules := []string{"?"}
	for _, do := range effects[:len(effects)-1] { // to evolve needs a line of cards
		list := slices.DeleteFunc(everyStep(), func(s Step) bool { return s.Do != do || s.N > 2 })
		for _, s := range fewOf(list, 24) {
			abilities = append(abilities, Ability{Steps: []Step{s}}.String())
		}
	}
	for _, ruling := range rulings {
		for _, r := range fewOf(slices.DeleteFunc(everyRule(), func(r Rule) bool { return r.Ruling != ruling }), 24) {
			rules = append(rules, r.String())
		}
	}
	for _, c := range conditions[1:] {
		abilities = append(abilities, Ability{Steps: []Step{{If: c, Do: GainLife, N: 1}}}.String())
		rules = append(rules, Rule{While: c, Ruling: Have, Creatures: Creatures{Count: Some, Side: This}, Keywords: Frenzy}.String())
	}
	chance := rand.New(rand.NewPCG(5, 5))
	boxes := 12
	if enginetest.Brief() {
		boxes = 2
	}
	for range boxes {
		setup := engine.Setup{Seats: enginetest.Seats(2), First: "red",
			Options: map[string]string{"sets": "first-contact, king-of-tokyo"}}
		for _, k := range printedKinds(t) {
			if k.Set != "first-contact" {
				continue
			}
			for _, trigger := range []string{"play", "attack", "defeated", "action", "discarded", "life-lost"} {
				setup.Definitions = append(setup.Definitions, fmt.Sprintf("card %s %s %s", k.ID, trigger,
					abilities[chance.IntN(len(abilities))]))
			}
			setup.Definitions = append(setup.Definitions, fmt.Sprintf("card %s always %s", k.ID, rules[chance.IntN(len(rules))]))
		}
		setup, err := Games()[0].Info().Complete(setup)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			playOwners(t, setup, chance)
		}
	}
}

// playOwners plays a match until it ends or its cards lead nowhere.
func playOwners(t *testing.T, setup engine.Setup, chance *rand.Rand) {
	g := Games()[0]
	words := g.Info().Words
	h := sit(t, g, setup, chance)
	for n := 0; len(h.s.Winners) == 0 && n < 400; n++ {
		in := h.answer()
		events, err := h.s.Apply(in)
		if r, ok := engine.AsRefusal(err); ok && r.Text.Key == "refusal.endless" {
			return // players would correct that by hand
		}
		if err != nil {
			t.Fatalf("%q: %v\n%s", in.Command(), err, strings.Join(setup.Definitions, "\n"))
		}
		for i := range events {
			h.follow(&events[i])
		}
		problem := h.problem()
		if key := "prompt." + h.s.Question.Key; len(h.s.Winners) == 0 && !words.Has(key) {
			problem = "there is no " + key
		}
		if problem != "" {
			t.Fatalf("%q: %s\n%s", in.Command(), problem, strings.Join(setup.Definitions, "\n"))
		}
	}
}

func printedKinds(t *testing.T) []Kind {
	d, err := Build(Printed())
	if err != nil {
		t.Fatal(err)
	}
	return d.Kinds
}
