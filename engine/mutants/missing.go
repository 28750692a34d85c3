package mutants

import (
	"cmp"
	"slices"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// A Gap is something that the data lacks, or that a stand-in fills.
type Gap struct {
	Card    string // "" for the board
	Field   string // of the card file
	StandIn bool   // it is filled with what was made up
	N, Box  int    // of a boss's deck: action cards that the data and the box have
}

// Text says the gap to people.
func (g Gap) Text() engine.Text {
	key := "gap.unknown"
	switch {
	case g.StandIn:
		key = "gap.stand-in"
	case g.Field == string(engine.French) || g.Field == string(engine.English):
		key = "gap.no-name"
	}
	if g.Box > 0 {
		return engine.T("gap.deck", "what", engine.CardWord(g.Card), "n", g.N, "box", g.Box)
	}
	what := engine.Word("field.board")
	if g.Card != "" {
		what = engine.CardWord(g.Card)
	}
	return engine.T(key, "what", what, "field", engine.Word("field."+g.Field))
}

// Missing lists what is unknown, then what stand-ins fill, each in printed
// order with the board last.
func (d Data) Missing() []Gap {
	var gaps []Gap
	for _, k := range d.Kinds {
		if k.Action != nil && k.Action.Copies == 0 {
			continue // there is no such card
		}
		for _, lang := range cardfile.LanguageFields {
			if k.Names[lang] == "" || k.numbered(lang) {
				gaps = append(gaps, Gap{Card: k.ID, Field: lang})
			}
		}
		for _, f := range k.unknownFields() {
			gaps = append(gaps, Gap{Card: k.ID, Field: f})
		}
	}
	for _, b := range d.Bosses {
		for _, lang := range cardfile.LanguageFields {
			if b.Names[lang] == "" {
				gaps = append(gaps, Gap{Card: b.ID, Field: lang})
			}
		}
		if n, box := d.deck(b.ID), boxDecks[b.ID]; box > 0 && n != box {
			gaps = append(gaps, Gap{Card: b.ID, Field: "deck", N: n, Box: box})
		}
		for _, f := range b.unknownFields() {
			gaps = append(gaps, Gap{Card: b.ID, Field: f})
		}
	}
	if d.Board.Spaces == 0 {
		gaps = append(gaps, Gap{Field: "spaces"})
	}
	if d.Board.RedZone == 0 {
		gaps = append(gaps, Gap{Field: "red-zone"})
	}
	if slices.ContainsFunc(d.Board.Rounds, func(p Points) bool { return p.Red < 0 || p.Black < 0 }) {
		gaps = append(gaps, Gap{Field: "rounds"})
	}
	return append(gaps, d.made...)
}

// numbered reports whether the card is still named by a number: its id, "jack-ice-3".
func (k *Kind) numbered(lang string) bool {
	return k.Action != nil && strings.HasPrefix(k.ID, k.Action.Boss+"-") &&
		strings.ReplaceAll(strings.ToLower(k.Names[lang]), " ", "-") == k.ID
}

func (k *Kind) unknownFields() []string {
	a := cmp.Or(k.Action, &Action{Arrow: InLeft})
	return open([]openField{
		{"freeze", k.Freeze.Unknown}, {"arrow", a.Arrow == 0}, {"deploy", k.Deploy.Unknown}, {"leave", k.Leave.Unknown},
		{"block", k.Block.Unknown}, {"ongoing", k.Ongoing.Unknown}, {"weakness", a.Weakness.N < 0 || a.Weakness.When.Unknown},
	})
}

func (b *Boss) unknownFields() []string {
	return open([]openField{{"health", b.Health == 0}, {"set-up", b.SetUp.Unknown}, {"power", b.Power.Unknown}})
}

type openField struct {
	name    string
	unknown bool
}

func open(all []openField) []string {
	var fields []string
	for _, f := range all {
		if f.unknown {
			fields = append(fields, f.name)
		}
	}
	return fields
}
