package mindbug

import (
	"fmt"
	"strings"
)

// String prints an ability in the words from which the same is read.
func (a Ability) String() string {
	switch {
	case a.Unknown:
		return "?"
	case len(a.Steps) == 0:
		return "none"
	}
	var parts []string
	for _, s := range a.Steps {
		parts = append(parts, s.String())
	}
	return strings.Join(parts, ", then ")
}

func (s Step) String() string {
	words := effectForms.Write(s.Do)
	if s.Do == DrawCard && s.N > 1 {
		words = "draw <cards> from <pile>"
	}
	cards := fmt.Sprintf("%d cards", s.N)
	if s.N == 1 {
		cards = "1 card"
	}
	words = strings.NewReplacer("<n>", fmt.Sprint(s.N), "<cards>", cards, "<creatures>", s.What.String(),
		"<card>", s.Card.String(), "<pile>", pileForms.Write(s.From), "<level>", s.Into).Replace(words)
	if s.Do == ThisTurn {
		words = s.Gift.String() + " this turn"
	}
	if s.Or != nil {
		words += " or " + s.Or.String()
	}
	if s.May {
		words = "may " + words
	}
	if s.If != Always {
		words = "if " + conditionForms.Write(s.If) + ": " + words
	}
	return words
}

func (f Filter) String() string {
	switch {
	case f.With != "":
		return "a card with " + filterForms.Write(f.With)
	case f.Low > 0:
		return fmt.Sprintf("a card with power %d or more", f.Low)
	}
	return "a card"
}

func (c Creatures) String() string {
	if c.Side == This {
		return "this"
	}
	many := c.Count != One
	words := c.which(many)
	switch {
	case c.Count == UpTo:
		return fmt.Sprintf("up to %d %s", c.Most, words)
	case c.Count == All:
		return "all " + words
	case c.Count == Any:
		return "any " + words
	case c.Count == Exactly:
		return fmt.Sprintf("%d %s", c.Most, words)
	case strings.ContainsRune("aeiou", rune(words[0])):
		return "an " + words
	}
	return "a " + words
}

func (c Creatures) which(many bool) string {
	words := "creature"
	if many {
		words = "creatures"
	}
	if side := sideForms.Write(c.Side); side != "" {
		words = side + " " + words
	}
	if trait := c.trait(); trait != "" {
		words += " with " + trait
	}
	return words
}

// trait is what they have.
func (c Creatures) trait() string {
	for _, f := range traitForms {
		if e := extremeOf(f.Is); e != 0 && e == c.Power {
			return f.Words
		}
	}
	switch {
	case c.Low > 0 && c.High > 0:
		return fmt.Sprintf("power %d to %d", c.Low, c.High)
	case c.Low > 0:
		return fmt.Sprintf("power %d or more", c.Low)
	case c.High > 0:
		return fmt.Sprintf("power %d or less", c.High)
	case c.Boosted:
		return "boosts"
	}
	return strings.Join(c.Keywords.list(), "")
}

func (r Rule) String() string {
	words := ruleForms.Write(r.Is)
	who := "this"
	if r.Who.Side != This {
		who = r.Who.which(true)
		if r.Is == Have {
			words = "<who> have <gifts>"
		}
		if r.Is == CannotBlock && r.Who.Side != AnySide {
			words = "<who> cannot block"
		}
	}
	var gifts []string
	if r.Power != 0 {
		per := ""
		if r.Per {
			per = " per other allied creature"
		}
		gifts = append(gifts, fmt.Sprintf("%+d power%s", r.Power, per))
	}
	if r.Dice > 0 {
		gifts = append(gifts, fmt.Sprintf("+%d die", r.Dice))
	}
	if r.Keywords != noKeywords {
		gifts = append(gifts, strings.Join(r.Keywords.list(), " and "))
	}
	words = strings.NewReplacer("<who>", who, "<them>", r.Who.which(true), "<gifts>", strings.Join(gifts, " and "),
		"<keywords>", strings.Join(r.Keywords.list(), " and "), "<n>", fmt.Sprint(r.Power)).Replace(words)
	if r.While != Always {
		words = "while " + conditionForms.Write(r.While) + ": " + words
	}
	return words
}

// list names the keywords, in alphabetical order.
func (k Keywords) list() []string {
	var names []string
	for _, f := range keywordForms {
		if k&f.Is != 0 {
			names = append(names, f.Words)
		}
	}
	return names
}
