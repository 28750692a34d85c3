package mutants

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

func mustBuild(edition string, standIn bool) Data { return cardfile.Must(build(edition, standIn, nil)) }

func TestPrinted(t *testing.T) {
	d := mustBuild("first-edition", false)
	var basics, advanced int
	for _, k := range d.Kinds {
		if k.Basic {
			basics++
		} else {
			advanced++
		}
		if known := k.Basic || k.ID == "triple-b" || k.isUnnamed(); k.Inferred == known || k.Draft == k.Basic || k.StandIn ||
			k.Names.In(engine.English) == "" || k.Names.In(engine.French) == "" {
			t.Errorf("%+v", k)
		}
	}
	if basics != 6 || advanced != 36 || len(d.Precons) != 4 {
		t.Errorf("%d basic and %d advanced cards, %d gene pools", basics, advanced, len(d.Precons))
	}
	unknown := Points{-1, -1}
	board := Board{RedZone: 3, Rounds: []Points{unknown, unknown, unknown, unknown, unknown}}
	if !reflect.DeepEqual(d.Board, board) {
		t.Errorf("board %+v", d.Board)
	}
	lord := kindOf(t, d, "leech-lord")
	if lord.Ongoing.Trigger != EachFreeze || lord.Freeze != (Value{N: 3}) ||
		lord.Ongoing.String() != "each time you freeze 1 mutant, gain 2 power" ||
		!slices.Equal(lord.Genes, []Gene{Necro, Necro}) || !lord.Deploy.Unknown {
		t.Errorf("%+v", lord)
	}
	if v := kindOf(t, d, "devourer").Freeze; v != (Value{N: 1, Per: true, Gene: Necro}) || v.String() != "1 per necro" {
		t.Errorf("devourer: %+v", v)
	}
}

// TestEditions checks the cards on which the two rulebooks disagree.
func TestEditions(t *testing.T) {
	first, second := mustBuild("first-edition", false), mustBuild("second-edition", false)
	if s := kindOf(t, first, "super-novus").Leave.String(); s != "copy the Leave ability of another of your mutants" {
		t.Error(s)
	}
	s := kindOf(t, second, "super-novus").Leave.String()
	if s != "copy the Deploy or Leave ability of another of your mutants" {
		t.Error(s)
	}
	cold := func(d Data) []string {
		i := slices.IndexFunc(d.Precons, func(p Precon) bool { return p.ID == "cold-hearted" })
		return d.Precons[i].Cards
	}
	if c := cold(first); !slices.Contains(c, "primal") || slices.Contains(c, "britany") {
		t.Error(c)
	}
	if c := cold(second); slices.Contains(c, "primal") || !slices.Contains(c, "britany") {
		t.Error(c)
	}
	for i := range first.Kinds {
		if first.Kinds[i].ID != second.Kinds[i].ID {
			t.Errorf("card %d is %s or %s", i, first.Kinds[i].ID, second.Kinds[i].ID)
		}
	}
}

// TestUnknown lists what is unknown of the real box: a fact that somebody
// finds, or invents, changes this list.
func TestUnknown(t *testing.T) {
	var b strings.Builder
	d := mustBuild("second-edition", false)
	for _, g := range d.Missing() {
		fmt.Fprintf(&b, "%s %s\n", orBoard(g.Card), g.Field)
	}
	enginetest.Golden(t, "testdata/cards/unknown.golden", b.String())
}

func orBoard(card string) string {
	if card == "" {
		return "board"
	}
	return "card " + card
}

func TestStandInsFillEverything(t *testing.T) {
	for _, edition := range editionNames {
		known, full := mustBuild(edition, false), mustBuild(edition, true)
		for _, g := range full.Missing() {
			if !g.StandIn {
				t.Errorf("%s: %s %s is open", edition, orBoard(g.Card), g.Field)
			}
		}
		if !full.Board.StandIn || len(full.Kinds) != 42 {
			t.Errorf("%s: board %+v, %d cards", edition, full.Board, len(full.Kinds))
		}
		pairs := map[[2]Gene]string{}
		for _, k := range full.Kinds {
			if k.Basic {
				continue
			}
			pair := [2]Gene(k.Genes)
			if other := pairs[pair]; other != "" {
				t.Errorf("%s and %s have the same genes", k.ID, other)
			}
			pairs[pair] = k.ID
		}
		if len(pairs) != 36 {
			t.Errorf("%d pairs of genes", len(pairs))
		}
		// Every field marked as known is unchanged.
		for _, k := range known.Kinds {
			f := kindOf(t, full, k.ID)
			if wasOpen := len(removeTitleFields(k.fields().Gaps(&k))) > 0; f.StandIn != wasOpen {
				t.Errorf("%s: stand-in is %v", k.ID, f.StandIn)
			}
		}
	}
}

// TestStandInsOverrideNothing checks that a stand-in never replaces a fact.
func TestStandInsOverrideNothing(t *testing.T) {
	for _, edition := range editionNames {
		d := mustBuild(edition, false)
		open := map[Gap]bool{}
		for _, g := range d.Missing() {
			open[g] = true
		}
		for _, s := range standIns() {
			known := slices.ContainsFunc(d.Kinds, func(k Kind) bool { return k.ID == s.ID })
			if (s.Subject == aBoard || known) && !open[Gap{Card: s.ID, Field: s.Field}] {
				file, line := s.Position()
				t.Errorf("%s:%d: %s is a fact", file, line, s.Text)
			}
		}
	}
}

// TestStandInsCopyOnly checks that abilities that copy do nothing else that
// helps, so that endless copying gains nothing.
func TestStandInsCopyOnly(t *testing.T) {
	d := mustBuild("second-edition", true)
	for _, k := range d.Kinds {
		for _, a := range []Ability{k.Deploy, k.Leave, k.Block, k.Ongoing} {
			copies := slices.ContainsFunc(a.Steps, func(s Step) bool { return s.Do == Copy })
			helps := slices.ContainsFunc(a.Steps, func(s Step) bool { return s.Do != Copy && s.Do != LosePower })
			if copies && helps {
				t.Errorf("%s: %s", k.ID, a)
			}
		}
	}
}

// madeUp returns a file that an owner could write with the whole card language.
func madeUp(t *testing.T) []string {
	t.Helper()
	source, err := os.ReadFile("testdata/cards/made-up.cards")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := Definitions("made-up.txt", string(source))
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestCardsCoverTheLanguage checks that the stand-ins and the made-up cards,
// with which random players play, together use the whole card language.
func TestCardsCoverTheLanguage(t *testing.T) {
	used := map[any]bool{}
	use := func(s *Step) bool {
		used[s.Do], used[s.Object], used[s.Targets], used[s.Copies], used[s.Per.Item] = true, true, true, true, true
		for _, c := range s.If.Clauses {
			used[c.Condition], used[c.Comparison], used[c.Count.Item] = true, true, true
			used["not"] = used["not"] || c.Not
			used["or"] = used["or"] || s.If.Any
			used["and"] = used["and"] || len(s.If.Clauses) > 1 && !s.If.Any
		}
		if s.Do == GainCard || s.Do == Take {
			used[s.To] = true
		}
		for what, is := range map[string]bool{
			"may": s.May, "price": s.Price != nil, "and": s.And != nil, "otherwise": s.Else != nil, "up to": s.UpTo,
			"at random": s.Random,
			"several":   s.N > 1 && s.Object != 0, "the attacker's": s.Per.Attacker, "by gene": s.Per.ByGene,
		} {
			used[what] = used[what] || is
		}
		return false
	}
	made, err := build(uprisingEdition, true, madeUp(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range slices.Concat(mustBuild(uprisingEdition, true).Kinds, made.Kinds) {
		used[k.Ongoing.Trigger] = true
		if k.Action != nil && k.Action.Boss == "vat-mother" {
			used[k.Action.Weakness.Exploit], used[k.Action.Arrow] = true, true
		}
		for _, a := range []Ability{k.Deploy, k.Leave, k.Block, k.Ongoing} {
			anyStep(a.Steps, use)
		}
		used[k.Freeze.Per] = true
	}
	allUsed(t, used, "does", effectNames)
	for name, exploit := range exploits {
		if !used[exploit] && !exploit.Unknown && !exploit.Other {
			t.Errorf("no weakness is exploited by %s", name)
		}
	}
	if !used[InLeft] || !used[InRight] {
		t.Error("an arrow points nowhere")
	}
	allUsed(t, used, "applies to", objectNames)
	allUsed(t, used, "attacks", targetNames)
	allUsed(t, used, "has the condition", conditionNames)
	allUsed(t, used, "compares", comparisonNames)
	allUsed(t, used, "counts", countNames)
	allUsed(t, used, "waits for", triggerNames)
	allUsed(t, used, "copies", timingNames)
	for _, z := range []Zone{InHand, InDeck, InIncubator, InDiscard, InFreeze} {
		if !used[z] {
			t.Errorf("no card puts a mutant to %s", zoneNames[z])
		}
	}
	for _, what := range []string{"may", "price", "and", "or", "not", "otherwise", "up to", "at random", "several",
		"the attacker's", "by gene"} {
		if !used[what] {
			t.Errorf("no card has %q", what)
		}
	}
}

func allUsed[T ~uint8](t *testing.T, used map[any]bool, verb string, all names[T]) {
	t.Helper()
	for value, name := range all[1:] {
		if !used[T(value+1)] {
			t.Errorf("no card %s %s", verb, name)
		}
	}
}

func kindOf(t *testing.T, d Data, id string) Kind {
	t.Helper()
	i := slices.IndexFunc(d.Kinds, func(k Kind) bool { return k.ID == id })
	if i < 0 {
		t.Fatalf("there is no card %s", id)
	}
	return d.Kinds[i]
}

// An owner completes cards and board, and adds cards.
const ownersFile = "\ufeff# my box\r\n" + `
board spaces 14
board rounds 2/1,?/?,?/?,?/?,?/?
card robot leave cycle 2   # copied from the card
card robot freeze ?
card my-own kind advanced
card my-own en "My \"Own\" Card"
card my-own genes cyber necro
card my-own deploy gain 1 power
card my-own draft
precon second-edition/mine my-own android krunk anubis marv primal
`

func TestOwnersFile(t *testing.T) {
	lines, err := Definitions("cards/mutants.txt", ownersFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 10 || lines[2] != "card robot leave cycle 2" || lines[5] != `card my-own en "My \"Own\" Card"` {
		t.Errorf("%q", lines)
	}
	for _, line := range lines {
		journal := "tableside-journal 1\ngame mutants/first-edition\ndefine " + line + "\nbegin 2026-11-20T20:15:00Z\n"
		j, err := engine.ParseJournal("j", []byte(journal))
		if err != nil || j.Setup.Definitions[0] != line {
			t.Errorf("%s: a journal keeps %q, %v", line, j.Setup.Definitions, err)
		}
	}
	d, err := build("second-edition", true, lines)
	if err != nil {
		t.Fatal(err)
	}
	robot := kindOf(t, d, "robot")
	if robot.Leave.String() != "cycle 2" || robot.Freeze.N != 1 || !robot.StandIn {
		t.Errorf("%+v", robot)
	}
	if d.Board.Spaces != 14 || d.Board.Rounds[0] != (Points{2, 1}) || d.Board.Rounds[1] != (Points{4, 2}) ||
		!d.Board.StandIn {
		t.Errorf("%+v", d.Board)
	}
	own := kindOf(t, d, "my-own")
	if own.StandIn || own.Inferred || !own.Freeze.Unknown || own.Names.In(engine.English) != `My "Own" Card` {
		t.Errorf("%+v", own)
	}
	if slices.ContainsFunc(d.Kinds, func(k Kind) bool { return k.ID == "cyber-necro" }) {
		t.Error("the stand-in stays beside the card that it stood for")
	}
	if w := d.Words(); w.Say(engine.French, engine.T("card.my-own"), nil) != `My "Own" Card` {
		t.Error("a card without a French title loses the printed one")
	}
	want := []Gap{{Card: "my-own", Field: "fr"}, {Card: "my-own", Field: "freeze"}}
	if got := slices.DeleteFunc(d.Missing(), func(g Gap) bool { return g.StandIn }); !slices.Equal(got, want) {
		t.Errorf("missing: %v", got)
	}
	first, err := build("first-edition", false, lines)
	if err != nil || len(first.Precons) != 4 {
		t.Errorf("%d gene pools in the first edition, %v", len(first.Precons), err)
	}
}

// TestCardFileErrors checks that every mistake in a card file is found at its word.
func TestCardFileErrors(t *testing.T) {
	own := func(more string) string {
		return "card x kind advanced\ncard x en X\ncard x genes cyber necro\n" + more
	}
	var b strings.Builder
	for _, source := range []string{
		"crad zombie freeze 1",
		"zombie freeze 1",
		"card",
		"card zombie! freeze 1",
		"card en kind basic",
		"card zombie",
		"card zombie freez 1",
		"card zombie colour red",
		"card zombie kind advnaced",
		"card zombie kind basic really",
		"card zombie en",
		"card zombie en The Zombie",
		"card zombie en \"{seat}\"",
		"card zombie en \"Zombie",
		"card zombie fr \"\"",
		"card zombie genes",
		"card zombie genes necor",
		"card zombie genes inferred",
		"card x genes cyber necro saber",
		"card x genes cyber inferred necro",
		"card zombie freeze",
		"card zombie freeze many",
		"card zombie freeze 100",
		"card zombie freeze 1 par necro",
		"card zombie freeze 1 per nekro",
		"card zombie freeze 1 per",
		"card zombie freeze 1 2",
		"card zombie draft yes",
		"card zombie deploy",
		"card zombie deploy \"gain 2 power\"",
		"card zombie deploy gian 2 power",
		"card zombie leave   transform this mutant",
		"card zombie block gain 1 power, then transform this mutant",
		"card zombie ongoing gain 2 power",
		"card zombie ongoing each time you freze 1 mutant, gain 2 power",
		"card zombie ongoing each time you freeze 1 mutant gain 2 power",
		"card zombie ongoing each time you freeze 1 mutant, none",
		"card zombie ongoing each time you freeze 1 mutant,",
		"card zombie leave@first copy a leave",
		"card zombie leave@frist-edition copy a leave",
		"card zombie leve@first-edition copy a leave",
		"board",
		"board spaces",
		"board spaces 3",
		"board spaces twelve",
		"board red-zone 0",
		"board redzone 3",
		"board spaces 7\nboard red-zone 6",
		"board rounds",
		"board rounds 3/1,4/2",
		"board rounds 3/1,4/2,5/2,6/3,8/4,9/5",
		"board rounds 3/1,4/2,5-2,6/3,8/4",
		"board rounds 3/1,x/2,5/2,6/3,8/4",
		"board rounds 3/1,4/,5/2,6/3,8/4",
		"board rounds 3/1, 4/2, 5/2, 6/3, 8/4",
		"precon",
		"precon p android krunk",
		"precon p android krunk android marv primal anubis",
		"precon p android krunk anubis marv primal krnuk2",
		"precon p android krunk anubis marv primal leech-lrod",
		"precon p android krunk anubis marv primal zombie",
		"precon p android krunk anubis marv primal nobody-at-all",
		"precon third-edition/p android krunk anubis marv primal pit-lord",
		"precon second-edition/p en Mine",
		"precon p en Mine\nprecon p en Yours",
		"card x kind advanced",
		"card x kind advanced\ncard x en X",
		"card x kind advanced\ncard x genes cyber necro",
		"card x freeze 2",
		"card zombei freeze 2",
		"card zombie genes cyber necro",
		own("card x genes cyber"),
		own("card x kind basic"),
		"card zombie draft",
		"card zombie kind advanced",
		own("card x kind advanced"),
		own("card x en Y"),
		"card zombie deploy " + strings.Repeat("cycle 1, then ", 20) + "cycle 1",
		"boss",
		"boss Jack health 3",
		"boss jack-ice helath 3",
		"boss jack-ice health",
		"boss jack-ice health 50",
		"boss jack-ice en Jack Ice",
		"boss jack-ice set-up draw 2 cards",
		"boss jack-ice set-up gain 1 mutant to your hand",
		"boss jack-ice set-up gain 2 helath",
		"boss jack-ice power gain 2 power",
		"boss jack-ice power each time you deploy 1 mutant, transform this mutant",
		"boss jack-ice power each time you freeze 1 mutant, gain 1 power",
		"boss jack-ice power each time you deploy 1 mutant, none",
		"boss jack-ice power each time an opponent sleeps, gain 1 power",
		"boss jack-ice power if your incubator is empty, gain 1 power",
		"boss jack-ice set-up if your incubator is empty, gain 1 power",
		"boss jack-ice set-up copy the Deploy ability of 1 card from your hand",
		"boss jack-ice health@first-edition 3",
		"boss min en Min\nboss mine en Mine\naction x boss mine\naction x en X",
		"boss jack-ise health 30",
		"boss my-boss health 30",
		"boss my-boss en Mine",
		"boss zombie en Zombie\naction x boss zombie\naction x en X",
		"action",
		"action heat-death",
		"action heat-death boss",
		"action heat-death boss nobody",
		"action x boss nobody",
		"action x boss jack-ise",
		"action heat-death boss singularity-wizard 10",
		"action heat-death arrow@second-edition left",
		"action heat-death weakness when knocked down",
		"action heat-death boss jack-ice 2 3",
		"action heat-death boss jack-ice\naction heat-death boss jack-ice 2",
		"action heat-death arrow",
		"action heat-death arrow up",
		"action heat-death arrow lfet",
		"action heat-death deploy discard 1 card",
		"action heat-death leave each opponent gains 2 health",
		"action heat-death weakness",
		"action heat-death weakness 0 when knocked down",
		"action heat-death weakness 3",
		"action heat-death weakness 3 wehn knocked down",
		"action heat-death weakness 3 when knocked dwon",
		"action heat-death weakness 3 when you sleep",
		"action heat-death weakness 3 when you freeze, then you breed",
		"action heat-death freeze 3",
		"action heat-deth arrow left",
		"action x arrow left",
		"action x boss jack-ice",
		"action zombie boss jack-ice",
		"card heat-death freeze 3",
		"precon p android krunk anubis marv primal heat-death",
		"card zombie freeze \x00",
		"card zombie freeze \xff",
	} {
		_, err := Definitions("mutants.txt", source)
		if err == nil {
			t.Errorf("%q is no error", source)
			continue
		}
		e, ok := err.(*engine.SyntaxError)
		lines := strings.Split(source, "\n")
		if !ok || e.File != "mutants.txt" || e.Line < 1 || e.Line > len(lines) || e.Column < 1 ||
			e.Column > len(lines[e.Line-1])+1 {
			t.Errorf("%q: %#v", source, err)
			continue
		}
		line := strings.Map(func(r rune) rune {
			if r == 0 || r == '\ufffd' {
				return '·'
			}
			return r
		}, lines[e.Line-1])
		fmt.Fprintf(&b, "%s\n%s^ %s\n", line, strings.Repeat(" ", e.Column-1), err)
	}
	enginetest.Golden(t, "testdata/cards/file-errors.golden", b.String())
}

// TestDefinitionErrors checks that errors in a journal's definition name the
// definition.
func TestDefinitionErrors(t *testing.T) {
	_, err := build("second-edition", false, []string{"board spaces 12", "board spaces x"})
	want := `definition:2:14: "x" is not a number of spaces: a number from 7 to 30, or ?`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := Build("third-edition"); err == nil {
		t.Error("an unknown edition is built")
	}
}

// TestMissingOfBosses checks what is reported as missing of bosses: also names
// that are only numbers, and cards that a deck lacks.
func TestMissingOfBosses(t *testing.T) {
	d, err := build(uprisingEdition, false, []string{
		"action heat-death boss singularity-wizard 2", `action jack-ice-1 en "Frost"`, "action jack-ice-2 boss jack-ice 0",
	})
	if err != nil {
		t.Fatal(err)
	}
	missing := map[Gap]bool{}
	for _, g := range d.Missing() {
		missing[g] = true
	}
	for g, want := range map[Gap]bool{
		{Card: "jack-ice", Field: "fr"}:                             true,
		{Card: "jack-ice-1", Field: "en"}:                           false,
		{Card: "jack-ice-1", Field: "fr"}:                           true,
		{Card: "jack-ice-2", Field: "arrow"}:                        false,
		{Card: "jack-ice-3", Field: "en"}:                           true,
		{Card: "heat-death", Field: "fr"}:                           false,
		{Card: "singularity-wizard", Field: "deck", N: 14, Box: 13}: true,
		{Card: "jack-ice", Field: "deck", N: 20, Box: 21}:           true,
	} {
		if missing[g] != want {
			t.Errorf("%+v is missing: %v", g, !want)
		}
	}
}

// TestValuesEnteredTwice checks that the last value counts: the table appends
// values to the owner's file as they are asked for.
func TestValuesEnteredTwice(t *testing.T) {
	lines, err := Definitions("f", "card robot freeze 1\ncard robot freeze 2\nboard spaces 10\nboard spaces 11\n")
	if err != nil {
		t.Fatal(err)
	}
	d, err := build("first-edition", false, lines)
	if err != nil || kindOf(t, d, "robot").Freeze.N != 2 || d.Board.Spaces != 11 {
		t.Errorf("%+v, %v", d.Board, err)
	}
}

func TestRounds(t *testing.T) {
	got, err := parseRounds("3/1,4/2,?/2,6/?,8/4")
	want := []Points{{3, 1}, {4, 2}, {-1, 2}, {6, -1}, {8, 4}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestShared checks that matches at the same time can share Data.
func TestShared(t *testing.T) {
	d := mustBuild("second-edition", true)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			d.Words()
			d.Missing()
		})
	}
	wait.Wait()
}

// FuzzCardFile checks that reading any owner's file never panics, that errors
// have a position, and that an accepted file is accepted again from a journal.
func FuzzCardFile(f *testing.F) {
	f.Add(ownersFile)
	f.Add("boss b en B\nboss b health 3\nboss b power each time you deploy: gain 2 health\naction a boss b " +
		"2\naction a en A\naction a arrow left\naction a weakness 3 when knocked down\n")
	f.Add("card zombie leave@first-edition copy a leave\nprecon p en \"Mine\"")
	f.Fuzz(func(t *testing.T, source string) {
		lines, err := Definitions("f", source)
		if err != nil {
			if e, ok := err.(*engine.SyntaxError); !ok || e.File != "f" || e.Line < 1 || e.Column < 1 {
				t.Fatalf("error without a place: %#v", err)
			}
			return
		}
		for _, edition := range append([]string{uprisingEdition}, editionNames...) {
			if _, err := build(edition, true, lines); err != nil {
				t.Fatalf("%q is refused by a journal: %v", lines, err)
			}
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	definitions, err := Definitions("f", ownersFile)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := build("second-edition", true, definitions); err != nil {
			b.Fatal(err)
		}
	}
}
