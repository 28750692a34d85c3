package mindbug

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// parseAbility reads "none", "?" or effects: "gain 2 life, then defeat a
// creature".
func parseAbility(p *cardfile.Parser) (Ability, error) {
	if unknown, nothing, err := p.Nothing(); nothing || err != nil {
		return Ability{Unknown: unknown}, err
	}
	var a Ability
	err := p.Parts(maxSteps, func() error {
		step, err := parseStep(p)
		a.Steps = append(a.Steps, step)
		return err
	})
	return a, err
}

// ParseAbility reads an ability in the card language, which docs/mindbug-cards.md
// describes. The error is an *engine.SyntaxError whose column is the word at
// fault.
func ParseAbility(words string) (Ability, error) {
	return parseAbility(cardfile.NewParser(words, 1))
}

func parseStep(p *cardfile.Parser) (Step, error) {
	var s Step
	var err error
	if p.Take("if") {
		if s.If, err = parseCondition(p); err != nil {
			return s, err
		}
	}
	s.May = p.Take("may")
	if err := s.parseEffect(p); err != nil {
		return s, err
	}
	if p.Take("or") {
		s.Or = &Step{}
		err = s.Or.parseEffect(p)
	}
	return s, err
}

// parseEffect reads what a step does: "defeat a creature".
func (s *Step) parseEffect(p *cardfile.Parser) (err error) {
	from := p.Column()
	s.Do, err = effectForms.Match(p, "an effect", cardfile.Holes{
		"<n>":         cardfile.Number(&s.N, maxNumber),
		"<cards>":     cards(&s.N),
		"<creatures>": creatures(&s.What),
		"<pile>": func(p *cardfile.Parser) (err error) {
			s.From, err = pileForms.Read(p, "a pile")
			return err
		},
		"<card>":  filter(&s.Card),
		"<who>":   who(&s.Gift.Who),
		"<gifts>": gifts(&s.Gift),
		"<level>": func(p *cardfile.Parser) error {
			s.Into = p.Peek()
			switch {
			case p.Done():
				return p.Fail("the id of a card is missing")
			case !engine.IsWord(s.Into):
				return p.Fail("%q is not the id of a card", s.Into)
			}
			p.Take(s.Into)
			return nil
		},
	})

	if err != nil {
		return err
	}
	s.keep()
	counts := formOf(s.Do).counts
	switch {
	case s.Do == DrawCard && s.From == OwnHand || s.Do == PlayCard && s.From == Unused:
		return p.Fail("cards are drawn from discard piles and the unused pile, and played from discard piles and the hand")
	case counts != nil && !slices.Contains(counts, s.What.Count):
		return p.FailAt(from, "this effect is not for %q, but for %s", s.What.String(), examples(counts))
	}
	if reason := s.Gift.circular(); reason != "" {
		return p.FailAt(from, "%s", reason)
	}
	return nil
}

// keep forgets what holes of other forms have tried.
func (s *Step) keep() {
	if formOf(s.Do).counts == nil {
		s.What = Creatures{}
	}
	switch {
	case s.Do != PlayCard && s.Do != DrawCard:
		s.Card, s.From = Filter{}, 0
	case s.N == 0:
		s.N = 1 // "a card"
	}
	if s.Do == ThisTurn {
		s.Gift.Is = Have
	} else {
		s.Gift = Rule{}
	}
}

// examples are creatures of as many as are counted.
func examples(counts []Count) string {
	var words []string
	for _, c := range counts {
		words = append(words, strconv.Quote(Creatures{Count: c, Most: 2}.String()))
	}
	return strings.Join(words, ", ")
}

// parseCondition reads "you have fewer creatures than the opponent:".
func parseCondition(p *cardfile.Parser) (Condition, error) {
	c, err := conditionForms.Read(p, "a condition")
	if err == nil {
		err = p.Need(":", "after a condition")
	}
	return c, err
}

// filter reads "a card with power 7 or more".
func filter(into *Filter) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		*into = Filter{}
		if !p.Take("a") {
			return p.Expected("which card", "a")
		}
		if !p.Take("card") {
			return p.Expected("what follows \"a\"", "card")
		}
		if !p.Take("with") {
			return nil
		}
		with, err := filterForms.Match(p, "what the card has", cardfile.Holes{"<n>": cardfile.Number(&into.Low, maxNumber)})
		if into.With = with; with != "" {
			into.Low = 0
		}
		return err
	}
}

var filterForms = cardfile.Phrases[string]{
	{"play", "", "a play effect"}, {"defeated", "", "a defeated effect"}, {"", "", "power <n> or more"},
}

// cards reads "a card" or "2 cards".
func cards(n *int) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		if p.Take("a") {
			*n = 1
		} else if err := cardfile.Number(n, maxNumber)(p); err != nil {
			return err
		}
		if !p.Take("card") && !p.Take("cards") {
			return p.Expected("what follows the number", "card", "cards")
		}
		return nil
	}
}

// creatures reads "up to 2 enemy creatures with power 5 or less", or "this".
func creatures(into *Creatures) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		var c Creatures
		if p.Take("this") {
			*into = Creatures{Side: This}
			return nil
		}
		var err error
		if c.Count, err = countForms.Match(p, "how many creatures", cardfile.Holes{"<n>": cardfile.Number(&c.Most, maxNumber)}); err != nil {
			return err
		}
		if err := parseWhich(p, &c); err != nil {
			return err
		}
		*into = c
		return nil
	}
}

// parseWhich reads "enemy creatures with power 5 or less".
func parseWhich(p *cardfile.Parser, c *Creatures) error {
	switch {
	case p.Peek() == "creature" || p.Peek() == "creatures":
	case p.Peek() == "":
		return p.Fail("which creatures is missing")
	default:
		var err error
		if c.Side, err = sideForms.Read(p, "whose creatures"); err != nil {
			return err
		}
	}
	if !p.Take("creature") && !p.Take("creatures") {
		return p.Expected("what follows", "creature", "creatures")
	}
	if !p.Take("with") {
		return nil
	}
	return parseTrait(p, c)
}

// parseTrait reads what creatures have: "power 5 or less", "poisonous".
func parseTrait(p *cardfile.Parser, c *Creatures) error {
	low, high := 0, 0
	trait, err := traitForms.Match(p, "what they have", cardfile.Holes{
		"<low>":  cardfile.Number(&low, maxNumber),
		"<high>": cardfile.Number(&high, maxNumber),
	})

	switch trait {
	case "low":
		c.Low = low
	case "high":
		c.High = high
	case "range":
		c.Low, c.High = low, high
	case "boosts":
		c.Boosted = true
	default:
		c.Power, c.Keywords = extremeOf(trait), keywordOf(trait)
	}
	return err
}

var traitForms = cardfile.Phrases[string]{
	{"low", "", "power <low> or more"}, {"high", "", "power <high> or less"}, {"range", "", "power <low> to <high>"},
	{"highest", "", "the highest power"}, {"lowest", "", "the lowest power"}, {"shared", "", "equal power"}, {"weaker", "", "less power than this"},
	{"boosts", "", "boosts"}, {"frenzy", "", "frenzy"}, {"hunter", "", "hunter"}, {"poisonous", "", "poisonous"}, {"sneaky", "", "sneaky"}, {"tough", "", "tough"},
}

func extremeOf(trait string) Extreme {
	switch trait {
	case "highest":
		return Highest
	case "lowest":
		return Lowest
	case "shared":
		return Shared
	case "weaker":
		return Weaker
	}
	return 0
}
