package genegrafter

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed rows.txt
var rowsFile string

// rows returns the card language: docs/genegrafter-cards.md. The functions of this file turn
// what its rows say into the values that the engine resolves.
var rows = sync.OnceValue(func() *cardfile.Table {
	return cardfile.Must(cardfile.ParseTable("genegrafter/rows.txt", rowsFile, maxDice))
})

// What a card does is the sentence that was read, and its effects in their order.
type does struct {
	said  cardfile.Slot
	steps []Step
}

// parseEffects reads the word "none" or a list of effects, such as "draw 2 cards, then heal 1
// of your characters".
func parseEffects(p *cardfile.Parser) (d does, err error) {
	if _, nothing, err := p.TakeNone(); nothing || err != nil {
		return d, err
	}
	if d.said, err = p.Sentence(rows(), "ability", "deed", "rule", "if"); err == nil {
		d.steps = stepsOf(d.said)
	}
	return d, err
}

// stepsOf returns the effects of a sentence. An effect behind ", then" happens when the one before
// it does.
func stepsOf(parts cardfile.Slot) (steps []Step) {
	for _, in := range parts.Slots {
		if in.Name != "more" {
			s := Step{said: in}
			s.set(in)
			steps = append(steps, s)
			continue
		}
		next := stepsOf(in)
		for i := range next {
			if next[i].Also = next[i].Also || i == 0 && in.Row != "then"; next[i].Also || next[i].When != "" {
				break
			}
			next[i].When = steps[0].When
		}
		steps = append(steps, next...)
	}
	return steps
}

// set sets what a slot holds, and then what its own slots hold.
func (s *Step) set(v cardfile.Slot) {
	switch v.Name {
	case "wish":
		s.May = strings.HasPrefix(v.Row, "may")
		switch v.Row {
		case "choose":
			for _, deed := range v.Slots {
				one := Step{said: deed}
				one.set(deed)
				s.Either = append(s.Either, one)
			}
			return
		case "price", "may-price":
			s.Price = &Step{}
			s.Price.set(v.Slots[0])
			v.Slots = v.Slots[1:]
		}
	case "effect", "theirs", "rule", "cost":
		s.Do = Effect(v.Row)
	case "who":
		s.Whom = v.Row
	case "chars", "own", "every", "die", "added", "dice", "token", "side", "marker", "place", "from":
		s.Which = v.Row
	case "n":
		s.N = v.N
	case "face":
		s.N, _ = strconv.Atoi(v.Row)
	case "power":
		s.Power = powerOf(v.Row)
	case "when":
		s.When = v.Row
	case "if":
		s.If = v.Row
	case "needs":
		s.Needs = powerOf(v.Row)
	case "category":
		s.Category = v.Row
	}
	for _, inside := range v.Slots {
		s.set(inside)
	}
}

func powerOf(name string) Powers { return 1 << slices.Index(powerNames, name) }

// String writes an effect as it was read, in English.
func (s Step) String() string {
	if s.Printed != "" {
		return "text " + strconv.Quote(s.Printed)
	}
	return rows().Write(engine.English, s.said)
}

// text returns what a card does as people read it.
func (k *Kind) text() engine.Text {
	switch {
	case len(k.Does) == 0:
		return engine.Text{}
	case k.Does[0].Printed != "":
		return engine.T("printed", "text", k.Does[0].Printed)
	}
	return sentence(k.said)
}

func sentence(said cardfile.Slot) engine.Text {
	words := engine.Worded(func(lang engine.Lang) string { return rows().Write(lang, said) })
	return engine.T("does.sentence", "text", words)
}
