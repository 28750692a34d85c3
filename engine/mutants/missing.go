package mutants

import (
	"cmp"
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// A Gap is something that the data lacks, or that a stand-in fills.
type Gap struct {
	Card    string // "" for the board
	Field   string // of the card file
	StandIn bool   // it is filled with what was made up
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
		for _, lang := range cardfile.LanguageFields {
			if k.Names[lang] == "" {
				gaps = append(gaps, Gap{Card: k.ID, Field: lang})
			}
		}
		for _, f := range k.unknownFields() {
			gaps = append(gaps, Gap{Card: k.ID, Field: f})
		}
	}
	for _, b := range d.Bosses {
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
