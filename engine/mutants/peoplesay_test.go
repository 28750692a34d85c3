package mutants

import (
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

// TestPeopleSay reads sentences as people type them from a card, and compares
// the abilities.
func TestPeopleSay(t *testing.T) {
	for _, test := range []struct{ field, said, means string }{
		{"deploy", "Gain 2 power.", "gain 2 power"},
		{"ongoing", "Chaque fois que vous gelez une carte, gagnez 2 de Force.", "each time you freeze: gain 2 power"},
		{"ongoing", "Quand vous engendrez un mutant : piochez une carte", "each time you breed: draw 1 card"},
		{"ongoing", "Au début de votre tour, gagnez 1 de Force", "at the start of your turn: gain 1 power"},
		{"ongoing", "Chaque fois que vous êtes attaqué, gagnez 1 de Force", "each time you are attacked: gain 1 power"},
		{"ongoing", "Chaque fois qu'un adversaire écrase, piochez 1 carte", "each time an opponent crushes: draw 1 card"},
		{"ongoing", "Chaque fois qu'un mutant quitte votre arène, recyclez 1",
			"each time a mutant leaves your arena: cycle 1"},
		{"deploy", "gain two power", "gain 2 power"},
		{"deploy", "Gain a power", "gain 1 power"},
		{"deploy", "Gain 2 power and cycle 1", "gain 2 power, then cycle 1"},
		{"deploy", "Gain 2 power. Then draw a card.", "gain 2 power, then draw 1 card"},
		{"deploy", "Gain 2 power; cycle 1.", "gain 2 power, then cycle 1"},
		{"deploy", "Draw a card, and then discard a card.", "draw 1 card, then discard 1 card"},
		{"deploy", "Draw 2 cards, then discard 1.", "draw 2 cards, then discard 1 card"},
		{"deploy", "You may freeze this mutant.", "may freeze this"},
		{"deploy", "Discard 1 card to gain 2 power.", "discard 1 card to gain 2 power"},
		{"deploy", "Discard two cards from your hand to gain an advanced mutant to your hand.",
			"discard 2 cards to gain a mutant to hand"},
		{"deploy", "Discard two cards to gain a mutant", "discard 2 cards to gain a mutant to hand"},
		{"deploy", "Gain two mutants from your pool, then lose 1 power.", "gain 2 mutants to hand, then lose 1 power"},
		{"deploy", "You may discard a card. If you do, gain 3 power.", "may discard 1 card to gain 3 power"},
		{"deploy", "You may discard a card in order to draw two cards, then gain 1 power",
			"may discard 1 card to draw 2 cards, then gain 1 power"},
		{"deploy", "lose 1 power and discard a card to gain 1 vp and draw a card",
			"lose 1 power and discard 1 card to gain 1 victory point and draw 1 card"},
		{"deploy", "All opponents lose 1 power.", "attack each opponent: lose 1 power"},
		{"deploy", "Each opponent dominating you discards a card.", "attack opponents dominating you: discard 1 card"},
		{"deploy", "Attack: each opponent loses 2 power.", "attack each opponent: lose 2 power"},
		{"deploy", "Attack: one opponent knocks down their active mutant.",
			"attack an opponent: knock down the active mutant"},
		{"deploy", "Attack: the leader loses 3 power.", "attack the leader: lose 3 power"},
		{"deploy", "Opponents in the Top Space lose 2 power.", "attack opponents in the top space: lose 2 power"},
		{"deploy", "Each other player discards 1 card or loses 1 power",
			"attack each opponent: discard 1 card or lose 1 power"},
		{"deploy", "One opponent discards a card. That opponent loses 2 power, then draw a card.",
			"attack an opponent: discard 1 card and lose 2 power, then draw 1 card"},
		{"deploy", "You may attack an opponent dominating you: knock down a mutant and then they lose 2 power",
			"may attack an opponent dominating you: knock down a mutant and lose 2 power"},
		{"deploy", "Opponents you dominate lose 1 power and those opponents discard a card, then that player cycles 1",
			"attack opponents you dominate: lose 1 power and discard 1 card and cycle 1"},
		{"deploy", "An opponent of your choice discards 1 card at random.", "attack an opponent: discard 1 card at random"},
		{"deploy", "If you dominate an opponent, gain 1 power, otherwise draw a card.",
			"if dominating: gain 1 power, otherwise draw 1 card"},
		{"deploy", "If you have at least 3 frozen cards, gain 2 power.",
			"if at least 3 cards in your freeze zone: gain 2 power"},
		{"deploy", "If you have 2 or more cards in hand: gain 1 power", "if at least 2 cards in your hand: gain 1 power"},
		{"deploy", "If you are not in the Red Zone, lose 1 power.", "if not in the red zone: lose 1 power"},
		{"deploy", "If you are in the Top Space or in the Red Zone, cycle 2.",
			"if in the top space or in the red zone: cycle 2"},
		{"deploy", "If an opponent is in the Red Zone, gain 1 point",
			"if at least 1 opponent in the red zone: gain 1 victory point"},
		{"deploy", "if your incubator is empty: gain a mutant to your incubator",
			"if not incubating: gain a mutant to incubator"},
		{"deploy", "if you have no cards in hand, draw two cards", "if no cards in your hand: draw 2 cards"},
		{"deploy", "Choose one: gain 2 power, or draw 2 cards.", "gain 2 power or draw 2 cards"},
		{"deploy", "Gain up to 2 mutants to your discard pile.", "gain up to 2 mutants to discard"},
		{"deploy", "Gain power equal to this card's freeze value.", "gain power equal to this mutant's freeze value"},
		{"deploy", "Freeze a card from your hand, then gain as much power as its freeze value.",
			"freeze a card from hand, then gain power equal to its freeze value"},
		{"deploy", "Freeze a card from your discard pile.", "freeze a card from discard"},
		{"deploy", "Freeze the top card of your deck.", "freeze the top card of the deck"},
		{"deploy", "Deploy the incubated mutant.", "deploy the incubated mutant"},
		{"deploy", "Put this mutant into your incubator.", "move this to incubator"},
		{"deploy", "Swap your left and right mutants.", "swap the left and right mutants"},
		{"deploy", "Gain 1 VP.", "gain 1 victory point"},
		{"deploy", "Gain 1 power for each Cyber mutant in your arena.", "gain 1 power for each cyber mutant in your arena"},
		{"deploy", "Gain 2 power for each Necro in your Freeze zone.",
			"gain 2 power for each necro gene in your freeze zone"},
		{"deploy", "If you have a cyber in your arena, draw a card", "if at least 1 cyber gene in your arena: draw 1 card"},
		{"deploy", "Gain 1 power per frozen necro card", "gain 1 power for each necro card in your freeze zone"},
		{"deploy", "Each opponent loses 1 power for each mutant in your arena",
			"attack each opponent: lose 1 power for each mutant in your arena"},
		{"deploy", "Discard the incubated mutant to gain 3 power", "move the incubated mutant to discard to gain 3 power"},
		{"deploy", "each opponent puts the mutant in their incubator on top of their deck",
			"attack each opponent: move the incubated mutant to deck"},
		{"leave", "Copy the Deploy ability of another mutant in your arena.", "copy a deploy"},
		{"leave", "You may copy the Leave ability of a mutant in your gene pool.", "may copy a leave from pool"},
		{"leave", "Return this card to your hand instead of discarding it.", "move this to hand"},
		{"leave", "Put this card on top of your deck.", "move this to deck"},
		{"leave", "opponents dominating you knock down their mutant on the same flank",
			"attack opponents dominating you: knock down their mutant in the same slot"},
		{"block", "Ignore the attack.", "ignore the attack"},
		{"block", "The attacker loses 1 power.", "attack the attacker: lose 1 power"},
		{"block", "Knock down this mutant, then gain 1 power.", "knock down this, then gain 1 power"},
		{"ongoing", "Each time you freeze a card, gain 2 power.", "each time you freeze: gain 2 power"},
		{"ongoing", "Whenever an opponent crushes, draw a card.", "each time an opponent crushes: draw 1 card"},
		{"ongoing", "At the start of your turn, gain 1 power.", "at the start of your turn: gain 1 power"},
		{"ongoing", "Each time a mutant leaves your arena, cycle 1.", "each time a mutant leaves your arena: cycle 1"},
		{"ongoing", "Each time a mutant leaves: gain 1 power", "each time a mutant leaves your arena: gain 1 power"},
		{"ongoing", "When an opponent attacks you, that opponent loses 1 power.",
			"each time you are attacked: attack the attacker: lose 1 power"},
		{"ongoing", "When you are attacked: the attacker discards a card",
			"each time you are attacked: attack the attacker: discard 1 card"},
		{"ongoing", "whenever you gain a mutant, you may cycle 1", "each time you gain a mutant: may cycle 1"},
	} {
		got, err := understood(test.field, test.said)
		if err != nil || got != test.means {
			t.Errorf("%s: understood as %q, %v; want %q", test.said, got, err, test.means)
			continue
		}
		if again, err := understood(test.field, got); again != got || err != nil {
			t.Errorf("%s: is written %q, and that is read as %q, %v", test.said, got, again, err)
		}
	}
	for said, want := range map[string]string{
		"discard 1 card to gain 1 power to cycle " +
			"1": `a part has only one price, and this one has a "to" already`,
		"gain 3 power if you are " +
			"dominated": "a condition goes before its part: if dominated: gain 2 power",
		"if dominated: cycle 1, otherwise cycle 2 otherwise cycle 3": `a part has one "otherwise"`,
		"discard 1 card too gain 2 power":                            `"too" does not follow here; did you mean "to"?`,
		"transform":                                                  "only a deploy ability can transform",
		"each oponent loses 1 " +
			"power": `"oponent" is not whom to attack; did you mean "opponent"?`,
		"gain 2 power to discard 1 " +
			"card": `"gain 2 power" is no price: a price is to discard, lose, freeze, knock down, take or move something`,
		"discard up to 2 cards to cycle 1":                   `a price is paid in full: "up to" says too little`,
		"gain 1 power, otherwise cycle 1":                    `"otherwise" needs a condition before it: if …: …, otherwise …`,
		"if dominated and dominating or incubating: cycle 1": `"and" and "or" cannot both join conditions`,
		"attack the attacker: lose 1 " +
			"power": "there is an attacker only in a block ability, or where an ongoing ability answers an attack",
		"gain 1 power, then that opponent loses 2 power": "" +
			"which opponent? Name one first: an opponent discards 1 card, then that opponent loses 2 power",
		"ignore the attack": "only a block ability ignores an attack",
		"gain 1 power for each gene in your " +
			"arena": "which gene is missing: expected cyber, necro, saber, zoomorph, galactic or mythic",
	} {
		_, err := understood("leave", said)
		if e, ok := err.(*engine.SyntaxError); !ok || e.Reason != want {
			t.Errorf("%s: %v, want %s", said, err, want)
		}
	}
}

func understood(field, said string) (string, error) {
	if field == "ongoing" {
		a, err := parseOngoing(said)
		return a.Trigger.String() + ": " + a.String(), err
	}
	a, err := (&parser{Parser: cardfile.NewParser(said, 1), transform: field == "deploy",
		block: field == "block"}).readAbility()
	return a.String(), err
}

// TestPhrasings reads sentences as owners may read them on their cards, and plays
// matches with all of them; what is not understood is kept as text.
func TestPhrasings(t *testing.T) {
	data, err := os.ReadFile("testdata/phrasings.txt")
	if err != nil {
		t.Fatal(err)
	}
	n, understood, taken := 0, 0, map[string]int{}
	game := Games()[1].(*game)
	var own []string
	for line := range strings.Lines(string(data)) {
		field, words, _ := strings.Cut(strings.TrimSpace(line), " ")
		n++
		card := "card " + game.info.Cards[taken[field]] + " " + field + " "
		taken[field]++
		if _, err := Definitions("f", "card zombie "+field+" "+words); err == nil {
			understood++
			own = append(own, card+words)
			continue
		}
		own = append(own, card+"text "+strconv.Quote(words))
		if _, err := Definitions("f", "card zombie "+field+" text "+strconv.Quote(words)); err != nil {
			t.Errorf("%s as text: %v", words, err)
		}
	}
	if understood < 40 {
		t.Errorf("%d of %d are understood", understood, n)
	}
	lines, faults := owners.Define("f", strings.Join(own, "\n"))
	if faults != nil {
		t.Fatal(faults[0])
	}
	enginetest.PromisesIn(t, 10, game, engine.Setup{Game: game.Info().Name, Seats: enginetest.Seats(3),
		Definitions: lines, Options: map[string]string{"data": "stand-in"}})
}

// TestFrenchVerbs reads abilities in French.
func TestFrenchVerbs(t *testing.T) {
	for said, means := range map[string]string{
		"Gagnez 2 de puissance.":                      "gain 2 power",
		"Piochez deux cartes, puis défaussez 1 carte": "draw 2 cards, then discard 1 card",
		"Chaque adversaire perd 1 de puissance":       "attack each opponent: lose 1 power",
		"Vous pouvez congeler ce mutant":              "may freeze this",
		"Gagnez 2 de Force, puis gelez ce Mutant.":    "gain 2 power, then freeze this",
		"Peut geler ce Mutant":                        "may freeze this",
	} {
		got, err := parseAbility(said)
		if want, _ := parseAbility(means); err != nil || !reflect.DeepEqual(got.Steps, want.Steps) {
			t.Errorf("%s: %v, %v", said, got, err)
		}
	}
}
