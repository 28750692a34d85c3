package mutants

import (
	"fmt"
	"slices"
	"strings"

	"tableside/engine/cardfile"
)

// String prints an ability in the canonical words of the card language, from
// which ParseAbility reads the same ability.
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

func (s Step) String() string {
	var b strings.Builder
	if s.If != Always {
		fmt.Fprintf(&b, "if %s: ", s.If)
	}
	if s.May {
		b.WriteString("may ")
	}
	switch s.Do {
	case GainPower, LosePower:
		fmt.Fprintf(&b, "%s %d power", s.Do, s.N)
	case Draw, Discard:
		fmt.Fprintf(&b, "%s %d card", s.Do, s.N)
		if s.N != 1 {
			b.WriteByte('s')
		}
	case Cycle:
		fmt.Fprintf(&b, "%s %d", s.Do, s.N)
	case Heal:
		fmt.Fprintf(&b, "%s %d health", s.Do, s.N)
	case FlipUp:
		fmt.Fprintf(&b, "%s %s face up", s.Do, s.What)
	case GainCard:
		fmt.Fprintf(&b, "gain a mutant to %s", zoneNames[s.To])
	case Take:
		fmt.Fprintf(&b, "%s %s to %s", s.Do, s.What, zoneNames[s.To])
	case Copy:
		fmt.Fprintf(&b, "%s %s", s.Do, cardfile.Written(timingPhrases, s.Copies))
		if from := cardfile.Written(copyPhrases, s.What); from != "" {
			b.WriteString(" " + from)
		}
	case Attack:
		fmt.Fprintf(&b, "%s %s: ", s.Do, s.Targets)
		for i, suffered := range s.Attack {
			if i > 0 {
				b.WriteString(" and ")
			}
			b.WriteString(suffered.String())
		}
	case Transform:
		b.WriteString(s.Do.String())
	default:
		fmt.Fprintf(&b, "%s %s", s.Do, s.What)
	}
	return b.String()
}

func (e Effect) String() string {
	if e == GainCard || e == Heal {
		return cardfile.Written(verbPhrases, GainPower)
	}
	return cardfile.Written(verbPhrases, e)
}

func (o Object) String() string    { return cardfile.Written(objectPhrases, o) }
func (t Targets) String() string   { return cardfile.Written(targetPhrases, t) }
func (c Condition) String() string { return cardfile.Written(conditionPhrases, c) }
func (t Trigger) String() string {
	return cardfile.Written(slices.Concat(triggerPhrases, heroPhrases), t)
}

// geneNames are the words of card files, in the order of the genes.
var geneNames = [geneCount]string{"cyber", "necro", "saber", "zoomorph", "galactic", "mythic"}

func (g Gene) String() string { return geneNames[g] }

// String prints a freeze value as card files have it.
func (v Value) String() string {
	switch {
	case v.Unknown:
		return "?"
	case v.Per:
		return fmt.Sprintf("%d per %s", v.N, v.Gene)
	}
	return fmt.Sprint(v.N)
}
