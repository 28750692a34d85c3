package mutants

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// cardFields holds the fields of a mutant's card. The genes and the freeze value are not shown
// by their fields, because Kind.Lines adds both.
var cardFields = cardfile.Schema[Kind]{
	{Name: "kind", Example: "advanced", Required: true,
		Control: cardfile.Control{Kind: cardfile.OneWord, Words: kindNames}, Read: cardfile.Value(
			func(l *cardfile.Line) (string, error) { return l.Among("a kind of card", kindNames) },
			func(k *Kind, kind string) { k.Basic = kind == "basic" })},
	cardfile.Title(engine.English, "Leech Lord", (*Kind).names),
	cardfile.Title(engine.French, "Leech Lord", (*Kind).names),
	{Name: "genes", Example: "necro saber", Required: true,
		Control: cardfile.Control{Kind: cardfile.Several, Words: geneNames[:], Most: 2, Again: true},
		Read: func(l *cardfile.Line) (func(*Kind), error) {
			genes, inferred, err := readGenes(l)
			return func(k *Kind) { k.setGenes(genes, inferred) }, err
		}},
	{Name: "freeze", Example: "1 per necro",
		Control: cardfile.Control{Kind: cardfile.Number, High: maxPoints, Per: geneNames[:]},
		Read:    cardfile.Value(readFreeze, func(k *Kind, v Value) { k.Freeze = v }),
		Gap:     func(k *Kind) bool { return k.Freeze.Unknown }},
	abilityField("deploy", abilityKind{transform: true}, func(k *Kind) *Ability { return &k.Deploy }),
	abilityField("leave", abilityKind{}, func(k *Kind) *Ability { return &k.Leave }),
	abilityField("block", abilityKind{block: true}, func(k *Kind) *Ability { return &k.Block }),
	abilityField("ongoing", abilityKind{waits: true}, func(k *Kind) *Ability { return &k.Ongoing }),
	cardfile.Text(func(k *Kind) *string { return &k.Printed }),
	{Name: "draft", Control: cardfile.Control{Kind: cardfile.Flag},
		Read: func(*cardfile.Line) (func(*Kind), error) { return func(k *Kind) { k.Draft = true }, nil }},
}

var kindNames = []string{"basic", "advanced"}

// actionFields holds the fields of a boss's action card: FR "Anatomie d'une
// carte Action".
var actionFields = cardfile.Schema[Kind]{
	{Name: "boss", Example: exampleBoss, Required: true, Read: readDeck,
		Show: func(k *Kind) (engine.Text, bool) { return engine.T("card." + k.Action.Boss), true }},
	actionTitle(engine.English), actionTitle(engine.French),
	{Name: "arrow", Example: "left", Control: cardfile.Control{Kind: cardfile.OneWord, Words: []string{"left", "right"}},
		Read: cardfile.Value(
			func(l *cardfile.Line) (string, error) {
				return l.Among("where the arrow points", []string{"left", "right", "?"})
			},
			func(k *Kind, arrow string) { k.Action.Arrow = zonesByName[arrow] }),
		Gap: func(k *Kind) bool { return k.Action.Arrow == 0 },
		Show: func(k *Kind) (engine.Text, bool) {
			if k.Action.Arrow == 0 {
				return engine.T("does.unknown"), true
			}
			return engine.T("arrow." + zoneNames[k.Action.Arrow]), true
		}},
	abilityField("deploy", abilityKind{boss: true}, func(k *Kind) *Ability { return &k.Deploy }),
	abilityField("leave", abilityKind{boss: true}, func(k *Kind) *Ability { return &k.Leave }),
	{Name: "weakness", Example: "3 when knocked down",
		Control: cardfile.Control{Kind: cardfile.Sentence, None: true},
		Read: cardfile.Value(cardfile.OrPrinted(readWeakness, func(_ string, noRow bool) Weakness {
			return Weakness{N: unknownWeakness.N, Exploit: unknownWeakness.Exploit, noRow: noRow}
		}), (*Kind).setWeakness),
		Gap:  func(k *Kind) bool { return k.Action.Weakness.N < 0 || k.Action.Weakness.Exploit.Unknown },
		Show: func(k *Kind) (engine.Text, bool) { return k.Action.Weakness.Text(), k.Action.Weakness != Weakness{} }},
	cardfile.Text(func(k *Kind) *string { return &k.Printed }),
}

// bossFields holds the fields of a boss's own card.
var bossFields = cardfile.Schema[Boss]{
	cardfile.Title(engine.English, "Jack Ice", (*Boss).names), cardfile.Title(engine.French, "Jack Ice", (*Boss).names),
	{Name: "health", Example: "30", Control: cardfile.Control{Kind: cardfile.Number, Low: 1, High: maxHealth},
		Read: readNumber("a health", 1, maxHealth, func(b *Boss) *int { return &b.Health }),
		Gap:  func(b *Boss) bool { return b.Health == 0 },
		Show: func(b *Boss) (engine.Text, bool) {
			if b.Health == 0 {
				return engine.T("does.unknown"), true
			}
			return engine.T("card-number", "n", b.Health), true
		}},
	showAlways(abilityField("set-up", abilityKind{boss: true}, func(b *Boss) *Ability { return &b.SetUp })),
	showAlways(abilityField("power", abilityKind{boss: true, waits: true}, func(b *Boss) *Ability { return &b.Power })),
}

// boardFields holds the fields of the main board.
var boardFields = cardfile.Schema[Board]{
	{Name: "spaces", Example: "12",
		Control: cardfile.Control{Kind: cardfile.Number, Low: minSpaces, High: maxSpaces},
		Read:    readNumber("a number of spaces", minSpaces, maxSpaces, func(b *Board) *int { return &b.Spaces }),
		Gap:     func(b *Board) bool { return b.Spaces == 0 }},
	{Name: "red-zone", Example: "3",
		Control: cardfile.Control{Kind: cardfile.Number, Low: 1, High: maxSpaces - 2},
		Read:    readNumber("a number of spaces", 1, maxSpaces-2, func(b *Board) *int { return &b.RedZone }),
		Gap:     func(b *Board) bool { return b.RedZone == 0 }},
	{Name: "rounds", Example: exampleRounds, Read: cardfile.Value(readRounds, (*Board).setRounds),
		Gap: func(b *Board) bool {
			return slices.ContainsFunc(b.Rounds, func(p Points) bool { return p.Red < 0 || p.Black < 0 })
		}},
}

// preconFields holds the fields of a ready-made gene pool.
var preconFields = cardfile.Schema[Precon]{
	cardfile.Title(engine.English, "Leech Lord", (*Precon).names),
	cardfile.Title(engine.French, "Leech Lord", (*Precon).names),
	{Example: "krunk marv anubis omikami wampara primal", Read: readPool},
}

func (k *Kind) names() *engine.Wording   { return &k.Names }
func (b *Boss) names() *engine.Wording   { return &b.Names }
func (p *Precon) names() *engine.Wording { return &p.Names }

func (k *Kind) fields() cardfile.Schema[Kind] {
	if k.Action != nil {
		return actionFields
	}
	return cardFields
}

func actionTitle(lang engine.Lang) cardfile.Field[Kind] {
	f := cardfile.Title(lang, "Heat Death", (*Kind).names)
	missing := f.Gap
	f.Gap = func(k *Kind) bool {
		return missing(k) || strings.HasPrefix(k.ID, k.Action.Boss+"-") &&
			strings.ReplaceAll(strings.ToLower(k.Names.In(lang)), " ", "-") == k.ID
	}
	return f
}

func readNumber[T any](what string, low, high int, at func(*T) *int) func(*cardfile.Line) (func(*T), error) {
	return cardfile.Value(
		func(l *cardfile.Line) (int, error) { return l.NumberOr(0, what, low, high) },
		func(t *T, n int) { *at(t) = n })
}

func showAlways(f cardfile.Field[Boss]) cardfile.Field[Boss] {
	show := f.Show
	f.Show = func(b *Boss) (engine.Text, bool) {
		text, _ := show(b)
		return text, true
	}
	return f
}

func abilityField[T any](name string, is abilityKind, at func(*T) *Ability) cardfile.Field[T] {
	slot, _ := is.slots()
	fits := func(said cardfile.Slot) bool {
		a := abilityOf(said)
		return is.refusal(&a) == ""
	}
	example := "gain 2 power"
	if is.waits {
		example = "each time you deploy 1 mutant, gain 2 power"
	}
	printed := func(words string, noRow bool) Ability { return Ability{Unknown: true, Printed: words, noRow: noRow} }
	return cardfile.Field[T]{Name: name, Example: example,
		Control: cardfile.Control{Kind: cardfile.Sentence, Keeps: true, Table: rows(), Slot: slot, Fits: fits},
		Read:    cardfile.Value(cardfile.OrPrinted(is.read, printed), func(t *T, a Ability) { *at(t) = a }),
		Gap:     func(t *T) bool { return at(t).Unknown && at(t).Printed == "" },
		Show:    func(t *T) (engine.Text, bool) { return at(t).Text(), at(t).Unknown || len(at(t).Steps) > 0 },
	}
}

func readGenes(l *cardfile.Line) (genes []Gene, inferred bool, err error) {
	words := append(geneNames[:len(geneNames):len(geneNames)], "inferred")
	for !l.Done() {
		column := l.Column()
		word, err := l.Among("a gene", words)
		switch {
		case err != nil:
			return nil, false, err
		case word == "inferred" && len(genes) > 0:
			return genes, true, nil
		case word == "inferred":
			return nil, false, l.FailAt(column, "the genes are missing before %q", "inferred")
		case len(genes) == 2:
			return nil, false, l.FailAt(column, "a card has at most two genes")
		}
		genes = append(genes, Gene(slices.Index(geneNames[:], word)))
	}
	if len(genes) == 0 {
		err = l.Fail("the genes are missing: one or two of %s", strings.Join(geneNames[:], ", "))
	}
	return genes, false, err
}

func (k *Kind) setGenes(genes []Gene, inferred bool) {
	k.Genes, k.Inferred, k.keywords = genes, inferred, nil
	for _, g := range genes {
		k.keywords = append(k.keywords, g.String())
	}
}

// readFreeze reads "3", "1 per necro" or "?".
func readFreeze(l *cardfile.Line) (Value, error) {
	n, err := l.NumberOr(-1, "a freeze value", 0, maxPoints)
	if err != nil || n < 0 {
		return Value{Unknown: n < 0}, err
	}
	v := Value{N: n}
	if l.Done() {
		return v, nil
	}
	if _, err := l.Among("what follows a freeze value", []string{"per"}); err != nil {
		return v, err
	}
	gene, err := l.Among("a gene", geneNames[:])
	v.Per, v.Gene = true, Gene(max(0, slices.Index(geneNames[:], gene)))
	return v, err
}

func readDeck(l *cardfile.Line) (func(*Kind), error) {
	boss, err := l.Identifier("a boss", exampleBoss)
	n := 1
	if err == nil && !l.Done() {
		n, err = l.Number("a number of copies", 0, maxBossCopies)
	}
	return func(k *Kind) { k.Action.Boss, k.Action.Copies = boss, n }, err
}

// maxBossCopies is the greatest number of copies that a boss's deck may have of one card. The
// copies in the box are numbered from 1.
const maxBossCopies = 9

var unknownWeakness = Weakness{N: -1, Exploit: Exploit{Unknown: true}}

// setWeakness sets a weakness. A "?" in place of a part does not replace the known part.
func (k *Kind) setWeakness(w Weakness) {
	before := k.Action.Weakness
	if w.N < 0 && before.N > 0 {
		w.N = before.N
	}
	if w.Exploit.Unknown && before != (Weakness{}) {
		w.Exploit = before.Exploit
	}
	k.Action.Weakness = w
}

// preconCards is the number of different cards in a gene pool: EN "Set up", two
// copies of each.
const preconCards = 6

func readPool(l *cardfile.Line) (func(*Precon), error) {
	var cards []string
	var columns []int
	for !l.Done() {
		column := l.Column()
		id, err := l.Identifier("a card", exampleCard)
		switch {
		case err != nil:
			return nil, err
		case slices.Contains(cards, id):
			return nil, l.FailAt(column, "duplicate card %q: a gene pool has two copies of each card anyway", id)
		}
		cards, columns = append(cards, id), append(columns, column)
	}
	if len(cards) != preconCards {
		return nil, l.Fail("a ready-made gene pool has %d different cards, not %d", preconCards, len(cards))
	}
	return func(p *Precon) { p.Cards, p.columns = cards, columns }, nil
}

const exampleRounds = "3/1,4/2,5/2,6/3,8/4"

func readRounds(l *cardfile.Line) ([]Points, error) {
	if l.Done() {
		return nil, l.Fail("the rounds are missing: five as red/black, as in %s", exampleRounds)
	}
	column := l.Column()
	return parseRoundsAt(l.Next(), column)
}

// setRounds sets the points of the rounds. A "?" does not replace a known number.
func (b *Board) setRounds(rounds []Points) {
	for i, p := range rounds {
		if p.Red >= 0 {
			b.Rounds[i].Red = p.Red
		}
		if p.Black >= 0 {
			b.Rounds[i].Black = p.Black
		}
	}
}

func parseRounds(words string) ([]Points, error) { return parseRoundsAt(words, 1) }

func parseRoundsAt(words string, column int) ([]Points, error) {
	fail := func(at int, format string, args ...any) error {
		return &engine.SyntaxError{Column: column + at, Reason: fmt.Sprintf(format, args...), Format: format, Args: args}
	}
	var all []Points
	at := 0
	for pair := range strings.SplitSeq(words, ",") {
		red, black, ok := strings.Cut(pair, "/")
		p := Points{parsePoints(red), parsePoints(black)}
		switch {
		case len(all) == roundCount:
			return nil, fail(at, "there are %d rounds, not more", roundCount)
		case pair == "":
			return nil, fail(at, "the points of a round are missing: write them without spaces, as in 3/1,4/2")
		case !ok:
			return nil, fail(at, "%q is not the points of a round: expected red/black, as in 3/1", pair)
		case p.Red < -1:
			return nil, fail(at, "%q is not points: a number from 0 to %d, or ?", red, maxPoints)
		case p.Black < -1:
			return nil, fail(at+len(red)+1, "%q is not points: a number from 0 to %d, or ?", black, maxPoints)
		}
		all = append(all, p)
		at += len(pair) + 1
	}
	if len(all) < roundCount {
		return nil, fail(len(words), "there are %d rounds, not %d: as in %s", roundCount, len(all), exampleRounds)
	}
	return all, nil
}

func parsePoints(s string) int {
	if s == "?" {
		return -1
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxPoints {
		return -2
	}
	return n
}
