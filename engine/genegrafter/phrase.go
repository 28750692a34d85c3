package genegrafter

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// effects lists the effects of abilities and characters, of events and of gear,
// in this order.
var effects = cardfile.Forms[Effect, Step]{
	Phrases: cardfile.Phrases[Effect]{
		{HealOne, "does.heal", "heal a character"},
		{RollAgain, "does.roll-again", "roll a die again"},
		{RollBetter, "does.roll-better", "roll a die again and keep the better"},
		{TurnDie, "does.turn-die", "turn a die to <face>"},
		{ChangeDie, "does.change-die", "change a die by hand"},
		{Draws, "does.draw", "draw <cards>"},
		{OpponentDiscards, "does.opponent-discards", "opponent discards <cards>"},
		{DiscardHands, "does.discard-hands", "each player discards their hand"},
		{Destroy, "does.destroy", "each player destroys a character"},
		{SwapPools, "does.swap-pools", "the highest and the lowest gene pools change hands"},
		{EachDraws, "does.each-draws", "each player draws <cards>"},
		{EachLoses, "does.each-loses", "each player loses <n> health"},
		{MoreAttack, "does.more-attack", "<+n> attack"},
		{MoreDefence, "does.more-defence", "<+n> defence"},
		{GivesPower, "does.gives-power", "has <power>"},
		{GivesMarker, "does.gives-marker", "has <a-category> marker"},
		{ByHand, "does.by-hand", "resolve it by hand"},
	},
	Holes: map[string]cardfile.Hole[Step]{
		"<n>":    {Read: number(startHealth), Write: func(s *Step) string { return strconv.Itoa(s.N) }},
		"<face>": {Read: number(dieFaces), Write: func(s *Step) string { return strconv.Itoa(s.N) }},
		"<cards>": {Read: readCards, Write: func(s *Step) string {
			if s.N == 1 {
				return "1 card"
			}
			return strconv.Itoa(s.N) + " cards"
		}},
		"<+n>": {Read: func(p *cardfile.Parser, s *Step) (err error) {
			s.N, err = p.More(maxDice)
			return err
		}, Write: func(s *Step) string { return "+" + strconv.Itoa(s.N) }},
		"<power>": {Read: func(p *cardfile.Parser, s *Step) error {
			word, err := oneWord(p, "a power", powerNames)
			s.Power = 1 << max(0, slices.Index(powerNames, word))
			return err
		}, Write: func(s *Step) string { return s.Power.list()[0] }},
		"<a-category>": {Read: func(p *cardfile.Parser, s *Step) error {
			if !p.TakeAny("a", "an") {
				return p.Expected("what a gear gives", "a", "an")
			}
			word, err := oneWord(p, "a category", categoryNames)
			s.Category = Category(max(0, slices.Index(categoryNames, word)))
			return err
		}, Write: func(s *Step) string {
			return map[bool]string{false: "a ", true: "an "}[s.Category == Energy] + categoryNames[s.Category]
		}},
	},
}

const maxCards = 9 // of one effect

// effectBegins are the words with which effects begin; of a gear's any number.
var effectBegins = []string{"heal", "roll", "turn", "change", "draw", "opponent", "each", "the", "+1", "has", "resolve"}

// parseEffects reads "none", or effects: "draw 2 cards, then heal a
// character".
func parseEffects(p *cardfile.Parser) (steps []Step, err error) {
	if _, nothing, err := p.Nothing(); nothing {
		return nil, err
	}
	err = p.Parts(maxSteps, func() error {
		s, err := parseStep(p)
		steps = append(steps, s)
		return err
	})
	return steps, err
}

func parseStep(p *cardfile.Parser) (s Step, err error) {
	switch begin := p.Peek(); {
	case strings.HasPrefix(begin, "+"):
		if n, err := strconv.Atoi(begin); err != nil || n < 1 || n > maxDice {
			return s, p.Fail("%q is not a number from +1 to +%d", begin, maxDice)
		}
	case slices.Contains(effectBegins, begin):
	case engine.Nearest(begin, append([]string{"then"}, effectBegins...)) == "then":
		return s, p.Fail("%q does not follow here; did you mean %q?", begin, "then")
	default:
		return s, p.Expected("an effect", effectBegins...)
	}
	s.Do, err = effects.Read(p, "an effect", &s)
	return s, err
}

func number(high int) func(*cardfile.Parser, *Step) error {
	return func(p *cardfile.Parser, s *Step) (err error) {
		s.N, err = p.Number(high)
		return err
	}
}

// readCards reads "a card", or "2 cards".
func readCards(p *cardfile.Parser, s *Step) (err error) {
	if s.N = 1; !p.Take("a") {
		if s.N, err = p.Number(maxCards); err != nil {
			return err
		}
	}
	if !p.TakeAny("card", "cards") {
		return p.Expected("what follows the number", "card", "cards")
	}
	return nil
}

func oneWord(p *cardfile.Parser, what string, words []string) (string, error) {
	word := p.Peek()
	if !slices.Contains(words, word) {
		return "", p.Expected(what, words...)
	}
	p.Take(word)
	return word, nil
}

// String prints an effect in words that read back as the same effect.
func (s Step) String() string {
	if s.Printed != "" {
		return "text " + strconv.Quote(s.Printed)
	}
	return effects.Write(s.Do, &s)
}

// Text returns an effect as players read it.
func (s Step) Text() engine.Text {
	if s.Printed != "" {
		return engine.T("printed", "text", s.Printed)
	}
	text := engine.T(effects.Phrases.Key(s.Do), "n", s.N)
	switch s.Do {
	case GivesPower:
		text.Args["what"] = engine.Word("keyword." + s.Power.list()[0])
	case GivesMarker:
		text.Args["what"] = engine.Word("keyword." + categoryNames[s.Category])
	}
	return text
}
