package mutants

import (
	_ "embed"
	"fmt"

	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed cardwords.txt
var cardWordsFile string

// cardWords holds the texts of abilities and gaps.
var cardWords = engine.MustWords("mutants/cardwords.txt", cardWordsFile)

// Words returns the texts of the cards: titles and the texts of abilities. The title of a card
// has the key "card.<id>". The title of a ready-made gene pool has the keys "precon.<id>" and,
// at a seat, "state.<id>".
func (d Data) Words() engine.Words {
	words := engine.Words{}
	for _, k := range d.Kinds {
		words["card."+k.ID] = cardfile.Titles(k.Names)
	}
	for _, b := range d.Bosses {
		words["card."+b.ID] = cardfile.Titles(b.Names)
	}
	for _, p := range d.Precons {
		words["precon."+p.ID] = cardfile.Titles(p.Names)
		if p.Names == (engine.Wording{}) {
			words["precon."+p.ID] = engine.Worded(func(engine.Lang) string { return p.ID })
		}
		words["state."+p.ID] = words["precon."+p.ID]
	}
	return engine.Merge(cardWords, words)
}

// Text returns an ability as people read it: the sentence of the card file.
func (a Ability) Text() engine.Text {
	switch {
	case a.Printed != "":
		return engine.T("printed", "text", a.Printed)
	case a.Unknown:
		return engine.T("does.unknown")
	case len(a.Steps) == 0:
		return engine.T("does.none")
	}
	return sentence(a.said)
}

// Text returns one of the effects that a player may choose as people read it.
func (s *Step) Text() engine.Text { return sentence(s.said) }

func sentence(said cardfile.Slot) engine.Text {
	words := engine.Worded(func(lang engine.Lang) string { return rows().Write(lang, said) })
	return engine.T("does.sentence", "text", words)
}

// Text returns a freeze value as people read it.
func (v Value) Text() engine.Text {
	switch {
	case v.Unknown:
		return engine.T("does.unknown")
	case v.Per:
		return engine.T("freeze-value.per", "n", v.N, "gene", v.Gene.Word())
	}
	return engine.T("freeze-value.fixed", "n", v.N)
}

func (g Gene) String() string { return geneNames[g] }

// String writes a freeze value as in a card file.
func (v Value) String() string {
	switch {
	case v.Unknown:
		return "?"
	case v.Per:
		return fmt.Sprintf("%d per %s", v.N, v.Gene)
	}
	return fmt.Sprint(v.N)
}

// Word returns the catalogue key of a gene's name.
func (g Gene) Word() engine.Word { return engine.Word("gene." + g.String()) }
