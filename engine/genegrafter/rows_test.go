package genegrafter

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

// read reads what a card does.
func read(words string) (does, error) { return parseEffects(cardfile.NewParser(words, 1)) }

// unsaid returns effects without what they were read from.
func unsaid(steps []Step) []Step {
	steps = slices.Clone(steps)
	for i := range steps {
		steps[i].said, steps[i].Either = cardfile.Slot{}, unsaid(steps[i].Either)
	}
	return steps
}

// TestEveryRow reads each effect, rule and condition in both languages, as itself, and as what
// no other sentence says.
func TestEveryRow(t *testing.T) {
	said := map[string]string{}
	for _, words := range everySentence() {
		d, err := read(words)
		if err != nil {
			t.Errorf("%q: %v", words, err)
			continue
		}
		for _, lang := range engine.Languages {
			written := rows().Write(lang, d.said)
			if again, err := read(written); err != nil || !reflect.DeepEqual(again, d) {
				t.Errorf("%q is written %q, which is read as %+v: %v", words, written, again, err)
			}
			if lang == engine.English && !strings.EqualFold(written+".", words) {
				t.Errorf("%q is written %q", words, written)
			}
		}
		values := fmt.Sprintf("%#v", unsaid(d.steps))
		if before, known := said[values]; known {
			t.Errorf("%q and %q mean the same: %s", before, words, values)
		}
		said[values] = words
		if len(d.steps) != 1 || d.steps[0].Do == "" && len(d.steps[0].Either) != 2 {
			t.Errorf("%q: got %s", words, values)
		}
	}
	t.Log(len(said), "sentences")
}

// everySentence returns a sentence for each effect, person, rule and condition, and for each
// value of a slot.
func everySentence() []string {
	all := slices.Concat(rows().Examples(engine.English, "deed"), rows().Examples(engine.English, "rule"))
	for _, in := range [][2]string{
		{"if", "if %s, draw 1 card"}, {"when", "%s, draw 1 card"}, {"cost", "you may %s to gain 1 health point"},
		{"power", "if your character has %s, draw 1 card"},
		{"category", "if your character has the %s, draw 1 card"}, {"power", "the bearer has %s"},
		{"marker", "the bearer has the %s for rerolls"}, {"place", "worn on %s"}, {"chars", "heal %s"},
		{"chars", "wound %s"}, {"chars", "tire %s"}, {"chars", "destroy %s"}, {"die", "reroll %s"},
		{"die", "reroll %s and keep the better result"}, {"die", "turn %s to 6"}, {"die", "change %s as the card says"},
		{"added", "add 2 to %s"}, {"dice", "your opponent throws %s"}, {"token", "lose 2 %s"},
		{"face", "turn 1 of your dice to %s"},
		{"from", "graft 2 characters from %s"}, {"side", "+2 %s"}, {"who", "%s discards their hand"},
		{"who", "%s takes 1 defence token"}, {"who", "%s destroys 2 of their characters"},
	} {
		for _, value := range rows().Examples(engine.English, in[0]) {
			value = strings.TrimSuffix(value, ".")
			words := fmt.Sprintf(in[1], strings.ToLower(value[:1])+value[1:]) + "."
			if !slices.ContainsFunc(all, func(said string) bool { return strings.EqualFold(said, words) }) {
				all = append(all, words)
			}
		}
	}
	return append(all, "You may heal 1 of your characters.", "Choose one: draw 2 cards or heal 1 of your characters.",
		"You may discard 2 cards to reroll 1 of your dice.", "Lose 1 attack token to draw 2 cards.",
		"In each battle, your opponent throws 1 die fewer.", "At the start of your turn, heal this character.",
		"Each time this character is wounded, you may lose 1 health point to heal this character.",
		"When this character is captured, choose one: draw 1 card or each opponent discards 1 card.",
		"Each player wounds all their characters.", "Each opponent tires 2 of their wounded characters.",
		"If your character has Infinite Power, put 2 characters from your gene pool into play.")
}

// TestRulebook lists what 004 says that cards and the special die do, by its headings, with the
// statement that plays it.
func TestRulebook(t *testing.T) {
	for _, c := range [][3]string{
		{"Explication des cartes, Carte événement", "All players discard their hands", "does chaque joueur défausse sa main"},
		{"Explication des cartes, Carte équipement", "Emplacement de l'équipement", "does porté sur la tête"},
		{"Explication des cartes, Carte capacité", "Bonus si le Super Pouvoir correspond", "super 2"},
		{"Complément sur les cartes", "Heal Minor Wound", "does soignez 1 de vos personnages"},
		{"Complément sur les cartes", "Roll Again", "does relancez 1 dé de votre choix"},
		{"Complément sur les cartes", "Lucky shot", "does changez 1 dé de votre choix comme dit la carte"},
		{"Pouvoir", "Régénération", "power regeneration"},
		{"Pouvoir", "Pouvoir infini", "power infinite-power"},
		{"Règle Bonus Kickstart", "un Gear par emplacement indiqué, torse", "does porté sur le torse"},
		{"Le dé Spécial", "Prenez un personnage de votre réservoir génétique et placez-le en jeu directement",
			"does placez en jeu 1 personnage de votre réserve génétique"},
		{"Le dé Spécial", "Un adversaire de votre choix défausse une carte",
			"does un adversaire de votre choix défausse une carte"},
		{"Le dé Spécial", "Piochez une carte", "does piochez une carte"},
		{"Le dé Spécial", "Vous pouvez choisir un personnage de votre réserve génétique et l'ajouter sur un personnage en jeu",
			"does vous pouvez génégrafter 1 personnage de votre réserve génétique"},
		{"Le dé Spécial", "Choisissez un personnage, il pourra utiliser n'importe quel pouvoir",
			"does donnez Pouvoir Infini à un personnage de votre choix"},
	} {
		s, err := ParseStatement("004", 1, "card x "+c[2])
		if err = cmp.Or(err, s.NoRow); err != nil {
			t.Errorf("%s, %q: %v", c[0], c[1], err)
			continue
		}
		var k Kind
		cardfile.Set(&k, &s)
		for _, step := range k.Does {
			if step.doers() == nil {
				t.Errorf("%s, %q: no card does %q", c[0], c[1], step)
			}
		}
	}
}

// TestPrintedSentences checks that every sentence of the shipped cards has a row, and stands
// there as the program writes it.
func TestPrintedSentences(t *testing.T) {
	n := 0
	for _, s := range append(printedStatements(), standIns()...) {
		if s.NoRow != nil {
			t.Error(s.NoRow)
		}
		if s.Field != "does" || s.Unknown {
			continue
		}
		var k Kind
		cardfile.Set(&k, &s)
		if words := s.Text[s.ValueAt-1:]; written(engine.English, &k) != words {
			t.Errorf("%q is written %q", words, written(engine.English, &k))
		}
		n++
	}
	if n < 20 {
		t.Errorf("the cards have only %d sentences", n)
	}
}

// TestSentencesOfPage checks that the page for owners has every sentence in both languages, and
// that the sentences which join others mean the same.
func TestSentencesOfPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/genegrafter-cards.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, slot := range []string{"deed", "rule", "if", "when"} {
		french := rows().Examples(engine.French, slot)
		for i, english := range rows().Examples(engine.English, slot) {
			if row := fmt.Sprintf("\n| %s | %s |\n", english, french[i]); !strings.Contains(page, row) {
				t.Errorf("the page lacks %s", row)
			}
		}
	}
	joined := regexp.MustCompile("(?m)^\\| [^|`]+ \\| `([^`]+)` \\| `([^`]+)` \\|$").FindAllStringSubmatch(page, -1)
	for _, m := range joined {
		d, err := read(m[1])
		if again, errFrench := read(m[2]); err != nil || errFrench != nil || !reflect.DeepEqual(d, again) {
			t.Errorf("%q is read as %+v, %v, and %q as %+v, %v", m[1], d, err, m[2], again, errFrench)
		}
	}
	if len(joined) < 4 {
		t.Errorf("the page has only %d sentences that join others", len(joined))
	}
}

// TestOtherSpelling reads what differs only in capital letters, the number 1 and the last full stop.
func TestOtherSpelling(t *testing.T) {
	const blackout = "each player discards their hand, then each player draws 3 cards"
	for said, means := range map[string]string{
		"Draw one card.":                              "draw 1 card",
		"DRAW A CARD":                                 "draw 1 card",
		"Heal one of your characters":                 "heal 1 of your characters",
		"Turn a die of your choice to 1":              "turn 1 die of your choice to 1",
		"Turn a die of your choice to one.":           "turn 1 die of your choice to 1",
		"Piochez une carte.":                          "draw 1 card",
		"Relancez un dé de votre choix":               "reroll 1 die of your choice",
		"Relancez un des dés de votre adversaire":     "reroll 1 of your opponent's dice",
		"Le joueur actif prend un marqueur d’attaque": "the active player takes 1 attack token",
		"Chaque joueur défausse sa main, puis chaque joueur pioche 3 cartes": blackout,
		"Gain 1 health point. Draw a card.":                                  "gain 1 health point. Draw 1 card",
		"si votre personnage a le pouvoir chance, piochez 2 cartes":          "if your character has Luck, draw 2 cards",
		"+1 en attaque et -1 en défense":                                     "+1 attack and -1 defence",
		"Porté sur le dos":                                                   "worn on the back",
	} {
		if d, err := read(said); err != nil || rows().Write(engine.English, d.said) != means {
			t.Errorf("%q is read as %q, %v", said, rows().Write(engine.English, d.said), err)
		}
	}
}

// TestNearMisses refuses what people may type instead of a sentence, and lists the rows that
// come nearest.
func TestNearMisses(t *testing.T) {
	for said, near := range map[string]string{
		"heal a character":                                    `"heal 1 of your characters"`,
		"roll a die again":                                    `"reroll 1 die of your choice`,
		"opponent discards 1 card":                            `"your opponent draws 1 card"`,
		"draw 2 card":                                         `"draw 1 card"`,
		"draw two cards":                                      `"draw 1 card"`,
		"draw 2 cards, heal 1 of your characters":             `"heal 1 of your characters"`,
		"draw 2 cards and heal 1 of your characters":          `"`,
		"turn 1 of your dice to 7":                            `"turn 1 die of your choice to 1"`,
		"turn 2 of your dice to 6":                            `"turn 1 die of your choice to 1"`,
		"each player discards your hand":                      `"each player discards their hand"`,
		"gain 1 health":                                       `"gain 1 health point"`,
		"has telekinesis":                                     `"the bearer has`,
		"+one attack":                                         `"+1 attack"`,
		"+1 attack, worn on the head":                         `"worn on the head"`,
		"if your character has wings, draw 1 card":            `"your character has`,
		"the player with the most health lose 1 health point": `"`,
		"draw 1 card, then":                                   `"draw 1 card"`,
		"":                                                    `"draw 1 card"`,
		"Piochez 2 carte":                                     `"piochez 1 carte"`,
		"Votre adversaire défaussez 1 carte":                  `défausse`,
		"the active player takes 1 attack token and 1 defence token": `takes 1 attack token"`,
		"draw 21 cards": "not a number from 1 to 20",
	} {
		d, err := read(said)
		var e *engine.SyntaxError
		switch {
		case !errors.As(err, &e) || !errors.Is(err, cardfile.ErrNoRow):
			t.Errorf("%q is read as %+v: %v", said, d, err)
		case !strings.Contains(e.Reason, near) || e.Suggest != "":
			t.Errorf("%q: got %v, want %s and no suggestion", said, e, near)
		}
	}
}

// TestWordsWithoutRow checks that an owner's older sentence stays as words: it is a fault of the
// file, its card can be played, and its effect is resolved by hand.
func TestWordsWithoutRow(t *testing.T) {
	const file = "card darkness does heal a character\ncard darkness base 2\ncard outbreak does text \"Sing.\"\n"
	lines, faults := owners.Define("mine.txt", file)
	if len(lines) != 3 || len(faults) != 1 || faults[0].Line != 1 || faults[0].Column != 27 {
		t.Fatalf("got the lines %q, faults %v", lines, faults)
	}
	d, _, err := withOwn(true, lines)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"darkness": "heal a character", "outbreak": "Sing."} {
		k := d.kind(id)
		if !k.hasEffect(ByHand) || !reflect.DeepEqual(k.text(), engine.T("printed", "text", want)) ||
			len(cardFields.Gaps(k)) > 0 {
			t.Errorf("%s: got %v, %+v", id, k.text(), k)
		}
	}
}

// TestOwnersCards plays random matches in which cards have every effect and rule, and words
// that no row has. Everything is said in both languages.
func TestOwnersCards(t *testing.T) {
	g := Games()[1].(*game)
	words := engine.Merge(engine.CoreWords(), g.Info().Words)
	n := 0
	for sentences := range slices.Chunk(append(everySentence(), "Nobody may attack this turn."), 24) {
		own := []string{"category mental colour red", "box cards 90"}
		sentences = slices.DeleteFunc(sentences, func(said string) bool { // each says the same of a colour without a category
			return slices.ContainsFunc(colours[1:], func(colour string) bool { return strings.Contains(said, colour) })
		})
		for _, said := range sentences {
			types := []Type{Ability, Event}
			if d, err := read(said); err == nil {
				types = d.steps[0].doers()
			}
			for _, kind := range types {
				n++
				id := fmt.Sprintf("own-%d", n)
				own = append(own, fmt.Sprintf("card %s kind %s", id, typeNames[kind]), fmt.Sprintf("card %s en %q", id, id),
					fmt.Sprintf("card %s does %s", id, said))
				switch kind {
				case Ability:
					own = append(own, "card "+id+" category mental", "card "+id+" base 1", "card "+id+" super 2",
						"card "+id+" power luck telekinesis")
				case Character:
					own = append(own, "card "+id+" attack 1", "card "+id+" defence 2", "card "+id+" power luck",
						"card "+id+" markers mental")
				case Gear:
					own = append(own, "card "+id+" place legs")
				}
			}
		}
		lines, faults := owners.Define("f", strings.Join(own, "\n"))
		if slices.ContainsFunc(faults, func(e *engine.SyntaxError) bool { return !errors.Is(e, cardfile.ErrNoRow) }) {
			t.Fatal(faults)
		}
		d, _, err := withOwn(true, lines)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range d.Kinds {
			for _, lang := range engine.Languages {
				for _, text := range k.Lines() {
					if said := words.Say(lang, text, nil); strings.ContainsAny(said, "{}") || strings.Contains(said, "«does") {
						t.Errorf("%s: %s", k.ID, said)
					}
				}
			}
		}
		setup := engine.Setup{Game: g.Info().Name, Seats: enginetest.Seats(3), Definitions: lines,
			Options: map[string]string{"data": "stand-in", "events": fmt.Sprint(min(maxEvents, d.count(Event)))}}
		if enginetest.Nightly() {
			enginetest.PromisesIn(t, 20, g, setup)
		}
		for seed := range uint64(3) {
			if _, err := enginetest.Play(g, setup, rand.New(rand.NewPCG(seed, 20))); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestChoiceIsNamed checks that a choice says what may be chosen, and before rules 4 what it said
// then.
func TestChoiceIsNamed(t *testing.T) {
	words := engine.Merge(engine.CoreWords(), Games()[1].Info().Words)
	for rules, want := range map[int]string{rules3: "The first|Le premier", rules4: "draw 1 card|piochez 1 carte"} {
		m, err := engine.NewMatch(Games()[1], engine.Setup{Game: "genegrafter/standard", Rules: rules,
			Seats: enginetest.Seats(2), First: "red", Options: map[string]string{"data": "stand-in", "guide": "off"},
			Definitions: []string{"card outbreak does choose one: draw 1 card or lose 1 health point"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Apply(engine.Input{Seat: "red", Verb: engine.Tap, Args: []string{"outbreak.1"}}); err != nil {
			t.Fatal(err)
		}
		first := m.View().Prompts[0].Options[0]
		text := engine.Text{Key: "answer." + first.Key, Args: first.Args}
		if got := words.Say(engine.English, text, nil) + "|" + words.Say(engine.French, text, nil); got != want {
			t.Errorf("rules %d: got %q, want %q", rules, got, want)
		}
	}
}

// TestGapInChoice checks that a card is incomplete if one of two effects is only known to the
// players.
func TestGapInChoice(t *testing.T) {
	for _, said := range []string{"change 1 die of your choice as the card says",
		"choose one: draw 1 card or change 1 die of your choice as the card says",
		"discard 1 card to change 1 die of your choice as the card says"} {
		d, _, err := withOwn(true, []string{"card darkness does " + said})
		if err != nil {
			t.Fatal(err)
		}
		if gaps := cardFields.Gaps(d.kind("darkness")); !slices.Equal(gaps, []string{"does"}) {
			t.Errorf("%q has the gaps %v", said, gaps)
		}
	}
}

// TestOlderWords plays random matches of rules before 4 with words that only those rules could read.
func TestOlderWords(t *testing.T) {
	enginetest.PromisesIn(t, 10, Games()[1], engine.Setup{Seats: enginetest.Seats(3), Rules: rules3,
		Options: map[string]string{"data": "stand-in"}, Definitions: []string{
			"card power-glove does +1 attack, then has telekinesis", "card lumen does may gain 1 health",
			"card anvil does draws a card", "card outbreak does may gain 1 health"}})
}
