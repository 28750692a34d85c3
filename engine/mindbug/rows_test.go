package mindbug

import (
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

// everyCreatures lists the values of a slot for creatures: each count, side and trait.
func everyCreatures(slot string) (all []Creatures) {
	counts := []Creatures{{Count: Some, N: 1}}
	switch slot {
	case "creatures", "up-to", "whom":
		counts = append(counts, Creatures{Count: All}, Creatures{Count: Some, N: 2}, Creatures{Count: Some, N: 30})
		if slot == "up-to" {
			counts = append(counts, Creatures{Count: UpTo, N: 1}, Creatures{Count: UpTo, N: 2})
		}
	case "shared":
		counts = append(counts, Creatures{Count: Any})
	case "those", "barred", "kind":
		counts = []Creatures{{Count: All}}
	}
	if slot != "kind" && slot != "able" {
		all = append(all, Creatures{Count: Some, Side: This})
	}
	traits := []Creatures{{Trait: "none"}, {Trait: "low", Low: 4}, {Trait: "high", High: 1}, {Trait: "range", Low: 2, High: 5},
		{Trait: Highest}, {Trait: Lowest}, {Trait: Shared}, {Trait: Weaker}, {Trait: Boosted}}
	for _, name := range keywordNames {
		traits = append(traits, Creatures{Trait: "keyword", Keywords: keywordOf(name)})
	}
	for _, c := range counts {
		for _, side := range []Side{AnySide, Enemy, Allied, OtherAllied} {
			if slot == "able" && side != Enemy {
				continue
			}
			for _, has := range traits {
				has.Count, has.N, has.Side = c.Count, c.N, side
				all = append(all, has)
			}
		}
	}
	return all
}

// everyGift lists what rules give.
func everyGift() []Rule {
	all := []Rule{{Power: 1}, {Power: 30}, {Power: -1}, {Power: -2}, {Power: 2, Per: true}, {Dice: 1}, {Dice: 2}}
	for k := Keywords(1); k < 1<<len(keywordNames); k++ {
		all = append(all, Rule{Keywords: k}, Rule{Power: 2, Keywords: k}, Rule{Dice: 1, Keywords: k})
	}
	return all
}

// expand returns copies of values, each with one of the options.
func expand[T, V any](values []T, options []V, set func(*T, V)) (all []T) {
	for _, value := range values {
		for _, option := range options {
			with := value
			set(&with, option)
			all = append(all, with)
		}
	}
	return all
}

// everyStep lists every effect with every value of its slots.
func everyStep() (all []Step) {
	for _, do := range effects {
		list := []Step{{Do: do}}
		row, who, _ := strings.Cut(string(do), " ")
		numbers, slot := []int{1, 2, 30}, "effect"
		if strings.HasPrefix(who, "opponent") {
			slot = "theirs"
		}
		if do == PlayCard || do == DrawUnused || do == DiscardRandom {
			numbers = numbers[:1]
		}
		if do == Evolve {
			list = append(list, Step{Do: do, Into: "frog-prophet"})
		}
		for _, slot := range slotsOf(row, slot) {
			switch slot {
			case "n":
				list = expand(list, numbers, func(s *Step, n int) { s.N = n })
			case "card":
				list = expand(list, []Filter{{}, {Trigger: "play"}, {Trigger: "defeated"}, {Low: 7}},
					func(s *Step, f Filter) { s.Card = f })
			case "discards":
				list = expand(list, []Pile{OwnDiscard, TheirDiscard, AnyDiscard}, func(s *Step, p Pile) { s.From = p })
			case "pile":
				list = expand(list, []Pile{OwnDiscard, TheirDiscard, AnyDiscard, OwnHand}, func(s *Step, p Pile) { s.From = p })
			case "those":
				list = expand(list, everyCreatures(slot), func(s *Step, c Creatures) { s.Gift.Creatures = c })
			case "gifts":
				list = expand(list, everyGift(), func(s *Step, r Rule) {
					r.Ruling, r.Creatures = Have, s.Gift.Creatures
					s.Gift = r
				})
			case "per": // these are effects of their own
			default:
				list = expand(list, everyCreatures(slot), func(s *Step, c Creatures) { s.Creatures = c })
			}
		}
		for _, s := range list {
			if s.Gift.circular(cardfile.NewParser("", 1), 1) == nil {
				all = append(all, s)
			}
		}
	}
	return all
}

// everyRule lists every rule with every value of its slots and every condition.
func everyRule() (all []Rule) {
	for _, ruling := range rulings {
		list := []Rule{{Ruling: ruling}}
		for _, slot := range slotsOf(string(ruling), "rule") {
			switch slot {
			case "n":
				list = expand(list, []int{1, 2, 30}, func(r *Rule, n int) { r.Power = n })
			case "keyword":
				list = expand(list, everyGift(), func(r *Rule, g Rule) { r.Keywords = g.Keywords })
			case "gifts":
				list = expand(list, everyGift(), func(r *Rule, g Rule) {
					g.Ruling, g.Creatures = Have, r.Creatures
					*r = g
				})
			default:
				list = expand(list, everyCreatures(slot), func(r *Rule, c Creatures) { r.Creatures = c })
			}
		}
		list = slices.DeleteFunc(list, func(r Rule) bool { return ruling == Mirror && r.Keywords == noKeywords })
		for i, r := range list {
			if r.While = conditions[i%len(conditions)]; r.circular(cardfile.NewParser("", 1), 1) == nil {
				all = append(all, r)
			}
		}
	}
	return all
}

// fewOf samples a list evenly.
func fewOf[T any](list []T, n int) (few []T) {
	for i := range min(n, len(list)) {
		few = append(few, list[i*len(list)/min(n, len(list))])
	}
	return few
}

// unsaid returns an ability without what it was read from.
func (a Ability) unsaid() Ability {
	a.said, a.Steps = cardfile.Slot{}, slices.Clone(a.Steps)
	for i := range a.Steps {
		s := &a.Steps[i]
		if s.said = (cardfile.Slot{}); s.Or != nil {
			other := *s.Or
			other.said, s.Or = cardfile.Slot{}, &other
		}
	}
	return a
}

// readsBack checks that an ability is written in both languages, and read as itself.
func readsBack(t *testing.T, a Ability) {
	t.Helper()
	for _, lang := range engine.Languages {
		words := a.write(lang)
		if again, err := ParseAbility(words); err != nil || !reflect.DeepEqual(a, again.unsaid()) ||
			rows().Write(lang, again.said) != words {
			t.Errorf("%q is read as %+v and not %+v: %v", words, again, a, err)
		}
	}
}

// TestEveryRow writes every row with every value of its slots, and reads it back.
func TestEveryRow(t *testing.T) {
	steps, rules := everyStep(), everyRule()
	if !enginetest.Nightly() {
		steps, rules = fewOf(steps, 3000), fewOf(rules, 3000)
	}
	for _, s := range steps {
		readsBack(t, Ability{Steps: []Step{s}})
	}
	for _, r := range rules {
		for _, lang := range engine.Languages {
			words := r.write(lang)
			again, err := parseRule(cardfile.NewParser(words, 1), "standing", "rule")
			if err == nil {
				if written := rows().Write(lang, again[0].said); written != words {
					t.Errorf("%q is written %q", words, written)
				}
				again[0].said = cardfile.Slot{}
			}
			if err != nil || !reflect.DeepEqual(again, []Rule{r}) {
				t.Errorf("%q is read as %+v and not %+v: %v", words, again, r, err)
			}
		}
	}
	t.Log(len(steps), "effects,", len(rules), "rules")
}

// TestRandomAbilities reads abilities of up to three parts, with conditions and choices.
func TestRandomAbilities(t *testing.T) {
	chance := rand.New(rand.NewPCG(4, 2))
	steps, n := everyStep(), 2000
	if enginetest.Nightly() {
		n = 60_000
	}
	anyOf := func(list []Step) Step { return list[chance.IntN(len(list))] }
	for range n {
		var a Ability
		for range 1 + chance.IntN(3) {
			s := anyOf(steps)
			s.May = chance.IntN(3) == 0
			if chance.IntN(3) == 0 {
				other := anyOf(steps)
				s.Or = &other
			}
			s.If = conditions[chance.IntN(len(conditions))]
			a.Steps = append(a.Steps, s)
		}
		readsBack(t, a)
	}
}

// TestPrintedSentences reads every sentence of the boxes, and writes it as it stands there.
func TestPrintedSentences(t *testing.T) {
	d, err := Build(Printed())
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		for _, trigger := range triggers {
			said[k.withoutInto(trigger).String()] = true
		}
		for _, r := range slices.Concat(k.Always, k.InDiscard) {
			said[r.String()] = true
		}
	}
	for _, s := range Printed() {
		if s.NoRow != nil {
			t.Error(s.NoRow)
		}
		if words := s.Text[s.ValueAt-1:]; strings.Contains(words, " ") && !strings.HasPrefix(words, `"`) &&
			s.Field != "set" && s.Field != "keywords" && !said[words] {
			t.Errorf("%q is not as the program writes it", s.Text)
		}
	}
	if len(said) < 125 {
		t.Errorf("the boxes have only %d abilities", len(said))
	}
}

// TestOtherSpelling reads what differs only in capital letters, the number 1 and the last full stop.
func TestOtherSpelling(t *testing.T) {
	for said, means := range map[string]string{
		"Gain one life.":                          "gain 1 life",
		"GAIN 2 LIFE":                             "gain 2 life",
		"Defeat a creature.":                      "defeat 1 creature",
		"Play one card from your hand":            "play 1 card from your hand",
		"Détruisez une créature ennemie.":         "defeat 1 enemy creature",
		"Votre adversaire défausse 2 cartes.":     "your opponent discards 2 cards",
		"Vous pouvez détruire 1 créature":         "you may defeat 1 creature",
		"Déclenchez l’effet Jouer d’une créature": "trigger the Play effect of 1 creature",
		"Gagnez 1 PV, puis évoluez.":              "gain 1 life, then evolve",
		"Rien":                                    "none",
		"None.":                                   "none",
	} {
		if a, err := ParseAbility(said); err != nil || a.String() != means {
			t.Errorf("%q is read as %q, %v", said, a, err)
		}
	}
}

// TestNearMisses refuses what people may type instead of a sentence, and lists the rows that
// come nearest; none of these texts may be read as something else.
func TestNearMisses(t *testing.T) {
	for said, near := range map[string]string{
		"gain 2 lifes":                                               `"gain 1 life"`,
		"destroy all enemy creatures":                                `"defeat`,
		"opponent loses 1 life":                                      `"your opponent loses 1 life"`,
		"you may gain 1 life. Lose 1 life":                           `"lose 1 life"`,
		"defeat 2 creature":                                          `"defeat 1 creature"`,
		"defeat all creature":                                        `"defeat`,
		"defeat an enemy creatures":                                  `"defeat`,
		"gain 2 life now":                                            `"gain 1 life"`,
		"gain 2 life, defeat 1 creature":                             `"defeat 1 creature"`,
		"gain 2 life and defeat 1 creature":                          `"gain 1 life"`,
		"return up to 2 creatures to your hand":                      `"return 1 creature to your hand"`,
		"if you have less creatures than your opponent, gain 1 life": `"you have fewer creatures than your opponent"`,
		"boost all creatures with 2 cards":                           `"boost`,
		"gain two life":                                              `"gain 1 life"`,
		"draw 1 card from your hand":                                 `"take a boost card into your hand"`,
		"draw 2 cards from the unused pile":                          `"draw 1 card from the unused pile"`,
		"you lose 1 life for each Mindbug":                           `"`,
		"lose 1 life for each Mindbug they have":                     `"`,
		"Volez 2 carte":                                              `"volez 1 carte au`,
		"Éliminez une créature ennemie":                              `"détruisez`,
		"Gagner 2 PV":                                                `"gagnez 1 PV"`,
		"this creature gains FRENZY and HUNTER":                      `this turn"`,
		"choose one: gain 1 life":                                    `"gain 1 life"`,
		"":                                                           `"gain 1 life"`,
		"gain 1 life, then":                                          `"gain 1 life"`,
		"this creature gains HUNTER and FRENZY this turn":            `this turn"`,
	} {
		a, err := ParseAbility(said)
		var e *engine.SyntaxError
		switch {
		case !errors.As(err, &e) || !errors.Is(err, cardfile.ErrNoRow):
			t.Errorf("%q is read as %q: %v", said, a, err)
		case !strings.Contains(e.Reason, near) || e.Suggest != "":
			t.Errorf("%q: got %v, want %s and no suggestion", said, e, near)
		default:
			t.Log(said, "|", e, "|", cardfile.Translations(faultsFile).Say(e))
		}
	}
}

// TestWordsWithoutRow checks that an owner's older sentence stays as words: it is a fault of the
// file, its card can be played, and its effect is resolved by hand.
func TestWordsWithoutRow(t *testing.T) {
	const file = "card killer-bee play opponent loses 2 life\ncard killer-bee always this has tough\n" +
		"card killer-bee power 6\ncard gorillion play text \"Sing.\"\n"
	lines, faults := owners.Define("mine.txt", file)
	if len(lines) != 4 || len(faults) != 2 || faults[0].Line != 1 || faults[0].Column != 22 {
		t.Fatalf("got the lines %q, faults %v", lines, faults)
	}
	d, err := build(lines)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range d.Kinds {
		var want []engine.Text
		switch k.ID {
		case "killer-bee":
			want = []engine.Text{engine.T("printed", "text", "opponent loses 2 life"), engine.T("printed", "text", "this has tough")}
		case "gorillion":
			want = []engine.Text{engine.T("printed", "text", "Sing.")}
		default:
			continue
		}
		got := []engine.Text{k.Play.Text()}
		for _, r := range k.Always {
			got = append(got, r.Text())
		}
		if !k.Play.Unknown || !reflect.DeepEqual(got, want) || len(k.fields().Gaps(&k)) > 0 {
			t.Errorf("%s: got %v, want %v; %+v", k.ID, got, want, k)
		}
	}
}

// TestManyWordsWithoutRow checks that sentences without a row do not end the check of a file.
func TestManyWordsWithoutRow(t *testing.T) {
	file := strings.Repeat("card killer-bee play opponent loses 2 life\n", 300) +
		"card killer-bee power 6\ncard gorillion pwer 3\n"
	lines, faults := owners.Define("mine.txt", file)
	if len(lines) != 301 || lines[300] != "card killer-bee power 6" {
		t.Errorf("got %d lines", len(lines))
	}
	if len(faults) < 2 || faults[0].Line != 1 || faults[len(faults)-1].Line != 302 {
		t.Errorf("got %d faults, the last %v", len(faults), faults[len(faults)-1])
	}
}

// TestNoWords refuses a value without words, or with words that no text may have.
func TestNoWords(t *testing.T) {
	for _, words := range []string{"", ".", "; .", " # later", "gain {n} life", strings.Repeat("Abracadabra ", 40)} {
		for _, field := range []string{"play", "always", "in-discard"} {
			line := "card killer-bee " + field + " " + words
			lines, faults := owners.Define("mine.txt", line)
			if len(lines) > 0 || len(faults) != 1 || errors.Is(faults[0], cardfile.ErrNoRow) {
				t.Errorf("%q gives %q, %v", line, lines, faults)
			}
		}
	}
}

// TestWordsOfPrint checks what sentences of cards must not leave out.
func TestWordsOfPrint(t *testing.T) {
	d, err := Build(Printed())
	if err != nil {
		t.Fatal(err)
	}
	words := d.Words()
	for id, want := range map[string][2]string{
		"strange-barrel":   {"at random from your opponent's hand", "au hasard dans la main de votre adversaire"},
		"cybertooth":       {"you may roll the dice once more", "vous pouvez relancer"},
		"ant-zombie-horde": {"with up to 2 cards", "avec 2 cartes au plus"}, "hiss-holiness": {"up to 4", "4 cartes au plus"},
		"cake-trickster":   {"choose 1 enemy creature", "choisissez 1 créature ennemie"},
		"captain-hippo":    {"if able", "s'il le peut"},
		"cheeky-chimpborg": {"for each of their creatures", "chacune de ses créatures"},
		"alienoid":         {"for free", "gratuitement"},
		"random-mutation":  {"reveal the top Energy card to take it for free", "révélez"},
		"cursed-gorillion": {"(at least 1 is left)", "(au moins 1)"}, "mechamster": {"(2 at most)", "(2 au plus)"},
		"extra-head": {"(2 at most)", "(2 au plus)"}, "koibra": {"reveal a random card", "révélez une carte au hasard"},
		"hungry-hungry-hamster": {"from their hand", "de sa main"}, "the-globe-smasher": {"from their hand", "de sa main"},
		"iron-back":  {"gain 1 Energy for each enemy creature", "1 cube d'Énergie"},
		"tiger-wasp": {"from your hand at random", "de votre main au hasard"},
		"the-king":   {"other allied creatures cannot attack", "les autres créatures alliées ne peuvent attaquer"},
	} {
		k := d.Kinds[slices.IndexFunc(d.Kinds, func(k Kind) bool { return k.ID == id })]
		for i, lang := range engine.Languages {
			said := ""
			for _, line := range k.Lines() {
				said += words.Say(lang, line, nil) + "\n"
			}
			if !strings.Contains(said, want[i]) {
				t.Errorf("%s lacks %q:\n%s", id, want[i], said)
			}
		}
	}
}

// TestMayOfOthers checks that a player may decline what is not about that player.
func TestMayOfOthers(t *testing.T) {
	for _, c := range [][2]string{
		{"you may: your opponent loses 1 life", "facultatif : votre adversaire perd 1 PV"},
		{"you may: this creature gains FRENZY this turn", "facultatif : cette créature gagne FURIE lors de ce tour"},
		{"you may choose one: gain 1 life or your opponent loses 1 life",
			"facultatif, au choix : gagnez 1 PV ou votre adversaire perd 1 PV"},
	} {
		said, french := c[0], c[1]
		a, err := ParseAbility(said)
		if err != nil || !a.Steps[0].May || a.String() != said || a.write(engine.French) != french {
			t.Errorf("%q is read as %+v, %v", said, a, err)
		}
	}
}

// TestMarksOfRules3 replays a match whose marks hold texts of alternatives, as they were before the rows.
func TestMarksOfRules3(t *testing.T) {
	data, err := os.ReadFile("testdata/rules-3-either.journal")
	if err != nil {
		t.Fatal(err)
	}
	j, err := engine.ParseJournal("rules-3-either", data)
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	m, err := engine.Replay(Games()[0], j, nil, func(m *engine.Match, _ engine.Step) error {
		if v := m.View(); len(v.Prompts) > 0 && v.Prompts[0].Key == "either" {
			for _, lang := range engine.Languages {
				words := m.Words().Say(lang, v.Prompts[0].Options[0].Args["do"].(engine.Text), v.Names())
				if said++; words == "" || strings.ContainsAny(words, "{«") {
					t.Errorf("an alternative is %q", words)
				}
			}
		}
		return nil
	})
	if err != nil || !m.Over() || said == 0 {
		t.Errorf("%v, %d alternatives", err, said)
	}
}

// TestUnreadIsReplaced checks that a later line with a row, or with words that were resolved by hand
// before, too, replaces a sentence that no row has.
func TestUnreadIsReplaced(t *testing.T) {
	const line = "card gorillion always this has hunter"
	for later, want := range map[string]string{line: "this has hunter",
		"card gorillion always this creature has HUNTER": "", "card gorillion always none": "",
		"card gorillion always text \"Sing.\"": ""} {
		d, err := build([]string{line, later})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(d.Kinds, func(k Kind) bool { return k.ID == "gorillion" })
		if got := d.Kinds[i].unread(); got != want {
			t.Errorf("after %q, unread is %q, want %q", later, got, want)
		}
	}
}

// TestOlderWords plays random matches of rules before 4 with words that only those rules could read.
func TestOlderWords(t *testing.T) {
	enginetest.PromisesIn(t, 10, Games()[0], engine.Setup{Seats: enginetest.Seats(2), Rules: rules3,
		Definitions: []string{"card killer-bee play may gain 2 life", "card gorillion always this has hunter",
			"card luchataur attack opponent loses 1 life", "card axolotl-healer defeated gains 2 life"}})
}
