package genegrafter

import (
	"fmt"
	"slices"
	"strings"

	"tableside/engine/cardfile"
)

// effectForms are what abilities, events and gear do, in this order.
var effectForms = cardfile.Phrases[Effect]{
	{"heal a character", HealOne},
	{"roll a die again", RollAgain},
	{"turn a die to <face>", TurnDie},
	{"change a die by hand", ChangeDie},
	{"draw <cards>", Draws},
	{"opponent discards <cards>", OpponentDiscards},
	{"each player discards their hand", DiscardHands},
	{"each player destroys a character", Destroy},
	{"the highest and the lowest gene pools change hands", SwapPools},
	{"each player draws <cards>", EachDraws},
	{"each player loses <n> health", EachLoses},
	{"<+n> attack", MoreAttack},
	{"<+n> defence", MoreDefence},
	{"has <power>", GivesPower},
	{"has a <category> marker", GivesMarker}, {"has an <category> marker", GivesMarker},
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
	var s Step
	var err error
	s.Do, err = cardfile.Match(p, "an effect", effectForms, cardfile.Holes{
		"<n>":    cardfile.Number(&s.N, startHealth),
		"<face>": cardfile.Number(&s.N, dieFaces),
		"<cards>": func(p *cardfile.Parser) error {
			if p.Take("a") {
				s.N = 1
			} else if err := cardfile.Number(&s.N, maxCards)(p); err != nil {
				return err
			}
			if !p.Take("card") && !p.Take("cards") {
				return p.Expected("what follows the number", "card", "cards")
			}
			return nil
		},
		"<+n>": func(p *cardfile.Parser) (err error) {
			if !strings.HasPrefix(p.Peek(), "+") {
				return p.Expected("an effect", effectBegins...)
			}
			s.N, err = p.More(maxDice)
			return err
		},
		"<power>": func(p *cardfile.Parser) error {
			word, err := oneWord(p, "a power", powerNames)
			s.Power = powerNamed(word)
			return err
		},
		"<category>": func(p *cardfile.Parser) error {
			word, err := oneWord(p, "a category", categoryNames)
			s.Category = Category(max(0, slices.Index(categoryNames, word)))
			return err
		},
	})
	// What holes of other forms have tried.
	if s.Do != GivesPower {
		s.Power = 0
	}
	if s.Do != GivesMarker {
		s.Category = 0
	}
	if slices.Contains([]Effect{HealOne, RollAgain, ChangeDie, DiscardHands, Destroy, SwapPools, GivesPower, GivesMarker}, s.Do) {
		s.N = 0
	}
	return s, err
}

// effectBegins are the words with which effects begin.
var effectBegins = []string{"heal", "roll", "turn", "change", "draw", "opponent", "each", "the", "+1", "has"}

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
	words := cardfile.Written(effectForms, s.Do)
	if s.Do == GivesMarker && s.Category == Energy {
		words = strings.Replace(words, " a ", " an ", 1)
	}
	return strings.NewReplacer("<n>", fmt.Sprint(s.N), "<+n>", fmt.Sprintf("+%d", s.N), "<face>", fmt.Sprint(s.N), "<cards>", cards,
		"<power>", strings.Join(s.Power.list(), " "), "<category>", categoryNames[s.Category]).Replace(words)
}
