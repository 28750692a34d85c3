package genegrafter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// effectForms are what abilities and characters, events and gear do, in this
// order.
var effectForms = cardfile.Phrases[Effect]{
	{HealOne, "", "heal a character"},
	{RollAgain, "", "roll a die again"},
	{RollBetter, "", "roll a die again and keep the better"},
	{TurnDie, "", "turn a die to <face>"},
	{ChangeDie, "", "change a die by hand"},
	{Draws, "", "draw <cards>"},
	{OpponentDiscards, "", "opponent discards <cards>"},
	{DiscardHands, "", "each player discards their hand"},
	{Destroy, "", "each player destroys a character"},
	{SwapPools, "", "the highest and the lowest gene pools change hands"},
	{EachDraws, "", "each player draws <cards>"},
	{EachLoses, "", "each player loses <n> health"},
	{MoreAttack, "", "<+n> attack"},
	{MoreDefence, "", "<+n> defence"},
	{GivesPower, "", "has <power>"},
	{GivesMarker, "", "has a <category> marker"}, {GivesMarker, "", "has an <category> marker"},
	{ByHand, "", "resolve it by hand"},
}

const maxCards = 9 // of one effect

// parseEffects reads "none", or effects: "draw 2 cards, then heal a
// character".
func parseEffects(p *cardfile.Parser) ([]Step, error) {
	if p.Take("none") {
		if !p.Done() {
			return nil, p.Fail("nothing can follow %q", "none")
		}
		return nil, nil
	}
	var steps []Step
	err := p.Parts(maxSteps, func() error {
		s, err := parseStep(p)
		steps = append(steps, s)
		return err
	})
	return steps, err
}

func parseStep(p *cardfile.Parser) (Step, error) {
	switch begin := p.Peek(); {
	case strings.HasPrefix(begin, "+"):
		if n, err := strconv.Atoi(begin); err != nil || n < 1 || n > maxDice {
			return Step{}, p.Fail("%q is not a number from +1 to +%d", begin, maxDice)
		}
	case slices.Contains(effectBegins, begin):
	case engine.Nearest(begin, append([]string{"then"}, effectBegins...)) == "then":
		return Step{}, p.Fail("%q does not follow here; did you mean %q?", begin, "then")
	default:
		return Step{}, p.Expected("an effect", effectBegins...)
	}
	var read Step // by all phrases that are tried
	do, err := effectForms.Match(p, "an effect", cardfile.Holes{
		"<n>":        cardfile.Number(&read.N, startHealth),
		"<face>":     cardfile.Number(&read.N, dieFaces),
		"<cards>":    cards(&read.N),
		"<+n>":       more(&read.N),
		"<power>":    power(&read.Power),
		"<category>": category(&read.Category),
	})

	s := Step{Do: do}
	for word := range strings.FieldsSeq(effectForms.Write(do)) {
		switch word {
		case "<power>":
			s.Power = read.Power
		case "<category>":
			s.Category = read.Category
		case "<n>", "<face>", "<cards>", "<+n>":
			s.N = read.N
		}
	}
	return s, err
}

// effectBegins are the words with which effects begin; of a gear's any number.
var effectBegins = []string{"heal", "roll", "turn", "change", "draw", "opponent", "each", "the", "+1", "has", "resolve"}

// cards is a hole for "a card", or "2 cards".
func cards(n *int) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		if p.Take("a") {
			*n = 1
		} else if err := cardfile.Number(n, maxCards)(p); err != nil {
			return err
		}
		if !p.Take("card") && !p.Take("cards") {
			return p.Expected("what follows the number", "card", "cards")
		}
		return nil
	}
}

// more is a hole for "+2".
func more(n *int) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) (err error) {
		*n, err = p.More(maxDice)
		return err
	}
}

func power(into *Powers) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		word, err := oneWord(p, "a power", powerNames)
		*into = powerNamed(word)
		return err
	}
}

func category(into *Category) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		word, err := oneWord(p, "a category", categoryNames)
		*into = Category(max(0, slices.Index(categoryNames, word)))
		return err
	}
}

func oneWord(p *cardfile.Parser, what string, words []string) (string, error) {
	word := p.Peek()
	if !slices.Contains(words, word) {
		return "", p.Expected(what, words...)
	}
	p.Take(word)
	return word, nil
}

// String prints an effect in the words from which the same is read.
func (s Step) String() string {
	cards := fmt.Sprintf("%d cards", s.N)
	if s.N == 1 {
		cards = "1 card"
	}
	words := effectForms.Write(s.Do)
	if s.Do == GivesMarker && s.Category == Energy {
		words = strings.Replace(words, " a ", " an ", 1)
	}
	return strings.NewReplacer("<n>", fmt.Sprint(s.N), "<+n>", fmt.Sprintf("+%d", s.N), "<face>", fmt.Sprint(s.N), "<cards>", cards,
		"<power>", strings.Join(s.Power.list(), " "), "<category>", categoryNames[s.Category]).Replace(words)
}
