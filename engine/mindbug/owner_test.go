package mindbug

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

// samples lists words for the holes of the card language.
var samples = map[string][]string{
	"<n>": {"1", "2"}, "<cards>": {"a card", "2 cards"},
	"<card>": {"a card", "a card with a play effect", "a card with power 5 or more"},
	"<creatures>": {"this", "a creature", "an enemy creature with power 4 or less", "up to 2 creatures",
		"all allied creatures with sneaky", "2 enemy creatures",
		"2 creatures with equal power", "3 creatures with equal power", "any creatures", "up to 2 creatures with boosts",
		"a creature with less power than this", "all creatures with power 2 to 5"},
	"<them>": {"creatures with power 6 or less", "enemy creatures with the lowest power", "creatures with tough"},
	"<who>":  {"this", "other allied creatures", "enemy creatures with boosts", "creatures with equal power"},
	"<gifts>": {"+2 power", "-1 power", "+1 die", "frenzy and tough", "+1 power and hunter",
		"+1 power per other allied creature"},
	"<keywords>": {"frenzy", "hunter and sneaky"}, "<level>": {"nobody"},
}

// spelled returns all ways to fill the holes of a phrase that can be read.
func spelled(words string, read func(words string) error) []string {
	for hole, fills := range samples {
		before, after, found := strings.Cut(words, hole)
		if !found {
			continue
		}
		var all []string
		for _, fill := range fills {
			all = append(all, spelled(before+fill+after, read)...)
		}
		return all
	}
	if strings.Contains(words, "<pile>") {
		var all []string
		for _, pile := range pileForms.Written() {
			all = append(all, spelled(strings.Replace(words, "<pile>", pile, 1), read)...)
		}
		return all
	}
	if strings.Contains(words, "nobody") || read(words) != nil {
		return nil
	}
	return []string{words}
}

// spelledAll does that for each phrase of a table. It fails if one cannot be
// read; but "evolve into <level>" needs a card that is a higher level.
func spelledAll[T comparable](t *testing.T, phrases cardfile.Phrases[T], read func(words string) error) (all []string) {
	for _, row := range phrases {
		list := spelled(row.Words, read)
		if len(list) == 0 && row.Words != "evolve into <level>" {
			t.Errorf("%q cannot be read", row.Words)
		}
		all = append(all, list...)
	}
	return all
}

// TestOwnersCards plays matches with cards that an owner may write: each effect and
// rule of the language, with all samples in its holes, on the creatures of First
// Contact. It checks that no card is lost and that each prompt has words.
func TestOwnersCards(t *testing.T) {
	abilities := []string{"?", "may gain 1 life, then lose 1 life", "gain 1 life or opponent loses 1 life",
		"may defeat this or draw a boost"}
	abilities = append(abilities, spelledAll(t, effectForms.Phrases,
		func(words string) error { _, err := ParseAbility(words); return err })...)
	rules := append([]string{"?"}, spelledAll(t, ruleForms.Phrases,
		func(words string) error { _, _, err := parseRule(cardfile.NewParser(words, 1), false); return err })...)
	for _, condition := range conditionForms.Written() {
		abilities = append(abilities, "if "+condition+": gain 1 life")
		rules = append(rules, "while "+condition+": this has frenzy")
	}
	slices.Sort(abilities) // spelled iterates over a map
	slices.Sort(rules)
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
