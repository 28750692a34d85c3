package mutants

import (
	"fmt"
	"slices"
	"strings"

	"tableside/engine/cardfile"
)

// String prints an ability in the canonical words of the card language, which
// parseAbility reads back as the same ability.
func (a Ability) String() string {
	switch {
	case a.Unknown:
		return "?"
	case len(a.Steps) == 0:
		return "none"
	}
	parts := make([]string, len(a.Steps))
	for i, s := range a.Steps {
		parts[i] = s.String()
	}
	return strings.Join(parts, ", then ")
}

func (s Step) String() string { return s.words(false) }

// words writes a part; in an attack it writes "their" for things of the target.
func (s Step) words(attacked bool) string {
	var b strings.Builder
	if len(s.If.Clauses) > 0 {
		fmt.Fprintf(&b, "if %s: ", s.If)
	}
	if s.May {
		b.WriteString("may ")
	}
	if s.Price != nil {
		b.WriteString(joined(s.Price, " and ", false) + " to ")
	}
	if s.Do == Choose {
		b.WriteString(joined(s.Or, " or ", attacked))
	} else {
		s.write(&b, attacked)
	}
	if s.And != nil {
		b.WriteString(" and " + joined(s.And, " and ", attacked))
	}
	if s.Else != nil {
		b.WriteString(", otherwise " + joined(s.Else, " and ", attacked))
	}
	return b.String()
}

func joined(steps []Step, by string, attacked bool) string {
	parts := make([]string, len(steps))
	for i, s := range steps {
		parts[i] = s.words(attacked)
	}
	return strings.Join(parts, by)
}

// write writes the effect alone.
func (s Step) write(b *strings.Builder, attacked bool) {
	switch s.Do {
	case GainPower, LosePower:
		s.writeAmount(b, "power", "power", attacked)
	case GainPoints, LosePoints:
		s.writeAmount(b, "victory point", "victory points", attacked)
	case Heal:
		s.writeAmount(b, "health", "health", attacked)
	case Draw, Discard:
		s.writeAmount(b, "card", "cards", attacked)
	case Cycle:
		s.writeAmount(b, "", "", attacked)
	case FlipUp:
		fmt.Fprintf(b, "%s %s face up", s.Do, s.object())
	case GainCard:
		s.Object = AMutant // gaining writes it so
		fmt.Fprintf(b, "gain %s to %s", s.object(), zoneNames[s.To])
	case Take:
		verb := "move"
		if s.Object == FromDiscard {
			verb = "take"
		}
		fmt.Fprintf(b, "%s %s to %s", verb, s.object(), zoneNames[s.To])
	case Copy:
		fmt.Fprintf(b, "%s %s", s.Do, timingPhrases.Write(s.Copies))
		if from := copyPhrases.Write(s.Object); from != "" {
			b.WriteString(" " + from)
		}
	case Attack:
		fmt.Fprintf(b, "%s %s: %s", s.Do, s.Targets, joined(s.Attack, " and ", true))
	case Swap:
		fmt.Fprintf(b, "%s %s", s.Do, swapPhrases.Write(true))
	case Transform, Ignore:
		b.WriteString(s.Do.String())
	default:
		fmt.Fprintf(b, "%s %s", s.Do, s.object())
	}
}

// writeAmount writes the amount of an effect.
func (s Step) writeAmount(b *strings.Builder, one, several string, attacked bool) {
	b.WriteString(s.Do.String())
	if s.Per.Item == FreezeThis || s.Per.Item == FreezeThat {
		fmt.Fprintf(b, " %s equal to %s", several, valuePhrases.Write(s.Per.Item))
		return
	}
	if s.UpTo {
		b.WriteString(" up to")
	}
	fmt.Fprintf(b, " %d", s.N)
	if s.N == 1 {
		several = one
	}
	if several != "" {
		b.WriteString(" " + several)
	}
	if s.Random {
		b.WriteString(" at random")
	}
	if s.Per != (Count{}) {
		b.WriteString(" for each " + s.Per.words(eachPhrases, attacked))
	}
}

func (s Step) object() string {
	switch {
	case s.UpTo:
		return fmt.Sprintf("up to %d %s", s.N, severalPhrases.Write(s.Object))
	case s.N > 1:
		return fmt.Sprintf("%d %s", s.N, severalPhrases.Write(s.Object))
	}
	return s.Object.String()
}

func (c Count) words(phrases cardfile.Phrases[CountItem], attacked bool) string {
	words := phrases.Write(c.Item)
	if attacked && !c.Attacker {
		words = theirs.Replace(words)
	}
	if c.ByGene {
		return c.Gene.String() + " " + words
	}
	return words
}

var theirs = strings.NewReplacer("your", "their", "dominating you", "dominating them", "you dominate", "they dominate")

// String writes conditions as they follow "if".
func (t Test) String() string {
	by := " and "
	if t.Any {
		by = " or "
	}
	parts := make([]string, len(t.Clauses))
	for i, c := range t.Clauses {
		parts[i] = c.String()
	}
	return strings.Join(parts, by)
}

func (c Clause) String() string {
	switch {
	case c.Condition != IfCount && c.Not:
		return "not " + c.Condition.String()
	case c.Condition != IfCount:
		return c.Condition.String()
	case c.Comparison == AtMost && c.N == 0:
		return "no " + c.Count.words(manyPhrases, false)
	}
	phrases := manyPhrases
	if c.N == 1 {
		phrases = eachPhrases
	}
	return fmt.Sprintf("%s %d %s", thanPhrases.Write(bound{c.Comparison, 0}), c.N, c.Count.words(phrases, false))
}

func (e Effect) String() string {
	return verbPhrases.Write(e)
}

func (o Object) String() string    { return objectPhrases.Write(o) }
func (t Targets) String() string   { return targetPhrases.Write(t) }
func (c Condition) String() string { return conditionPhrases.Write(c) }
func (t Trigger) String() string   { return slices.Concat(triggerPhrases, heroPhrases).Write(t) }
