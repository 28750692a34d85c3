package genegrafter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// effects holds the phrases for effects. The effects of abilities and characters come first,
// then those of events, then those of gear.
var effects = cardfile.Forms[Effect, Step]{
	Phrases: cardfile.Phrases[Effect]{
		{HealOne, "does.heal", "heal a character / heal one of your characters / heal one character"},
		{RollAgain, "does.roll-again", "roll a die again / reroll a|one die [in] [each] [battle]"},
		{RollBetter, "does.roll-better", "roll a die again and keep the better"},
		{TurnDie, "does.turn-die", "turn a die to <face> / turn a|one die to a <face>"},
		{ChangeDie, "does.change-die", "change a die by hand"},
		{Draws, "does.draw", "draw <cards>"},
		{OpponentDiscards, "does.opponent-discards", "opponent discards <cards> / the|your opponent discards <cards>"},
		{RollOwn, "does.roll-own", "roll one of your dice again / reroll one of your dice"},
		{RollTheirs, "does.roll-theirs", "roll one of the opponent's dice again / reroll one of the|your opponent's dice"},
		{TurnOwn, "does.turn-own", "turn one of your dice to <face> / turn one of your dice to a <face>"},
		{AddToOwn, "does.add-to-own", "add <n> to one of your dice"},
		{FewerDice, "does.fewer-dice", "opponent has <dice> less / the|your opponent has <dice> less|fewer"},
		{GainsHealth, "does.gains-health", "gain <n> health"},
		{TakesAttack, "does.takes-attack", "take an attack token / take|gain an|one attack token"},
		{TakesDefence, "does.takes-defence", "take a defence token / take|gain a|one defence|defense token"},
		{OpponentsDiscard, "does.opponents-discard", "each opponent discards <cards> / " +
			"every opponent discards <cards> / all opponents discard <cards>"},
		{Safe, "does.safe", "your character cannot be captured / " +
			"your|the|this character cannot be captured [in] [this] [battle]"},
		{DiscardHands, "does.discard-hands", "each player discards their hand / every player discards their hand"},
		{Destroy, "does.destroy", "each player destroys a character / every player destroys a|one character"},
		{SwapPools, "does.swap-pools", "the highest and the lowest gene pools change hands"},
		{EachDraws, "does.each-draws", "each player draws <cards> / every player draws <cards> / all players draw <cards>"},
		{MostLoses, "does.most-loses", "the player with the most health loses <n> health"},
		{HealAll, "does.heal-all", "heal all characters / turn all characters upright"},
		{EachDiscards, "does.each-discards", "each player discards <cards> / every player discards <cards> / " +
			"all players discard <cards>"},
		{TireAll, "does.tire-all", "all characters become tired / every|each character becomes tired"},
		{TakesBoth, "does.takes-both", "the active player takes an attack token and a defence token / " +
			"the active player takes one attack token and one defence|defense token"},
		{Reshuffles, "does.reshuffles", "shuffle the discard pile into the deck"},
		{EachLoses, "does.each-loses", "each player loses <n> health / every player loses <n> health / " +
			"all players lose <n> health"},
		{MoreAttack, "does.more-attack", "<+n> attack"},
		{MoreDefence, "does.more-defence", "<+n> defence / <+n> defense"},
		{GivesPower, "does.gives-power", "has <power> / the bearer|wearer has <power>"},
		{Hasty, "does.hasty", "the bearer may attack on the turn it comes into play / " +
			"the bearer|wearer may attack on|in the turn it comes into play"},
		{WornOn, "", "worn on the <place> / worn|held on|in <place> / held in the <place> / worn in the <place>"},
		{GivesMarker, "does.gives-marker", "has <a-category> marker / the bearer|wearer has <a-category> marker / " +
			"counts as <a-category> marker / counts as a marker of the colour|color <colour>"},
		{ByHand, "does.by-hand", "resolve it by hand"},
	},
	Holes: map[string]cardfile.Hole[Step]{
		"<n>":     number(startHealth),
		"<face>":  number(dieFaces),
		"<cards>": counted(maxEffectCards, "card", "cards"),
		"<dice>":  counted(maxDice, "die", "dice"),
		"<+n>": {Read: func(p *cardfile.Parser, s *Step) (err error) {
			if n, found := strings.CutPrefix(p.Peek(), "-"); found {
				if s.N, err = strconv.Atoi("-" + n); err == nil && -maxDice <= s.N && s.N < 0 {
					p.Take(p.Peek())
					return nil
				}
			}
			s.N, err = p.More(maxDice)
			return err
		}, Write: func(s *Step) string { return fmt.Sprintf("%+d", s.N) }},
		"<place>": {Read: func(p *cardfile.Parser, s *Step) (err error) {
			if place := meanings[p.Peek()]; slices.Contains(places, place) {
				p.Take(p.Peek())
				s.Place = place
				return nil
			}
			s.Place, err = oneWord(p, "a place of the body", places)
			return err
		}, Write: func(s *Step) string { return s.Place }},
		"<colour>": {Read: func(p *cardfile.Parser, s *Step) (err error) {
			s.Colour, err = oneWord(p, "a colour", colours)
			return err
		}, Write: func(s *Step) string { return s.Colour }},
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

const maxEffectCards = 9 // of one effect

// effectBegins holds the first word of each phrase that the program writes for an effect. Some
// phrases for gear begin with a number. For these phrases, effectBegins holds "+1".
var effectBegins = func() (begins []string) {
	for _, words := range effects.Phrases.Written() {
		begin, _, _ := strings.Cut(words, " ")
		if begin == "<+n>" {
			begin = "+1"
		}
		if !slices.Contains(begins, begin) {
			begins = append(begins, begin)
		}
	}
	return append(begins, "if")
}()

// parseEffects reads the word "none" or a list of effects, such as "draw 2 cards, then heal a
// character".
func parseEffects(p *cardfile.Parser) (steps []Step, err error) {
	p.Sentences()
	p.TranslateFrench(french())
	p.Replace(otherWords)
	if _, nothing, err := p.TakeNone(); nothing {
		return nil, err
	}
	err = p.Parts(maxSteps, func() error {
		s, err := parseStep(p)
		steps = append(steps, s)
		if err == nil && s.Do == WornOn && p.Take(":") {
			s, err = parseStep(p)
			steps = append(steps, s)
		}
		return err
	})
	return steps, err
}

// otherWords maps number words that people type to the digits that the phrases use.
var otherWords = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
}

// french returns the translator that turns the French of the rulebook into the English words
// of the phrases.
var french = sync.OnceValue(func() *cardfile.French {
	return cardfile.NewFrench(map[string]string{
		"piochez": "draw", "carte": "card", "cartes": "cards", "une carte": "a card", "puis": "then", "gagnez": "gain",
		"soignez un personnage": "heal a character", "soignez un de vos personnages": "heal a character",
		"relancez un dé": "roll a die again", "relancez un de vos dés": "roll one of your dice again",
		"relancez un dé de l'adversaire":     "roll one of the opponent's dice again",
		"relancez un dé de votre adversaire": "roll one of the opponent's dice again",
		"tournez un dé sur":                  "turn a die to", "tournez un de vos dés sur": "turn one of your dice to",
		"votre adversaire défausse": "opponent discards", "l'adversaire défausse": "opponent discards",
		"chaque adversaire défausse": "each opponent discards", "prenez un marqueur d'attaque": "take an attack token",
		"prenez un marqueur de défense":  "take a defence token",
		"chaque joueur défausse sa main": "each player discards their hand", "chaque joueur pioche": "each player draws",
		"chaque joueur défausse": "each player discards", "chaque joueur perd": "each player loses",
		"chaque joueur détruit un personnage": "each player destroys a character",
		"soignez tous les personnages":        "heal all characters", "points de vie": "health", "point de vie": "health",
		"mélangez la défausse dans la pioche": "shuffle the discard pile into the deck",
		"attaque":                             "attack", "en attaque": "attack",
		"défense": "defence", "en défense": "defence", "le porteur a": "has",
		"porté sur la": "worn on the", "porté sur le": "worn on the", "porté sur les": "worn on the", "tête": "head",
		"torse": "torso", "bras": "arms", "mains": "hands", "jambes": "legs", "pieds": "feet",
		"aucun": "none", "aucune": "none",
		"deux": "2", "trois": "3", "quatre": "4", "cinq": "5",
	})
})

func parseStep(p *cardfile.Parser) (s Step, err error) {
	if p.TakeAll("if", "your", "character", "has") {
		word, err := oneWord(p, "a power", powerNames)
		if err != nil {
			return s, err
		}
		if !p.Take(",") {
			if err := p.Need(":", "after a condition"); err != nil {
				return s, err
			}
		}
		s, err = parseStep(p)
		s.If |= 1 << slices.Index(powerNames, word)
		return s, err
	}
	switch begin := p.Peek(); {
	case strings.HasPrefix(begin, "-"):
	case strings.HasPrefix(begin, "+"):
		if n, err := strconv.Atoi(begin); err != nil || n < 1 || n > maxDice {
			return s, p.Fail("%q is not a number from +1 to +%d", begin, maxDice)
		}
	case slices.ContainsFunc(effects.Phrases.First(), func(first string) bool { return first == begin }):
	case engine.Nearest(begin, append([]string{"then"}, effectBegins...)) == "then":
		return s, p.Fail("%q does not follow here; did you mean %q?", p.Written(), "then")
	default:
		return s, p.Expected("an effect", effectBegins...)
	}
	s.Do, err = effects.Read(p, "an effect", &s)
	return s, err
}

func number(high int) cardfile.Hole[Step] {
	return cardfile.Hole[Step]{Read: func(p *cardfile.Parser, s *Step) (err error) {
		s.N, err = p.Number(high)
		return err
	}, Write: func(s *Step) string { return strconv.Itoa(s.N) }}
}

// counted is the hole for a number of things, such as "one die" or "2 dice".
func counted(most int, one, many string) cardfile.Hole[Step] {
	return cardfile.Hole[Step]{Read: func(p *cardfile.Parser, s *Step) (err error) {
		if s.N = 1; !p.TakeAny("a", "one") {
			if s.N, err = p.Number(most); err != nil {
				return err
			}
		}
		if !p.TakeAny(one, many) {
			return p.Expected("what follows the number", one, many)
		}
		return nil
	}, Write: func(s *Step) string {
		if s.N == 1 {
			return "1 " + one
		}
		return strconv.Itoa(s.N) + " " + many
	}}
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
	words := effects.Write(s.Do, &s)
	if s.If != 0 {
		words = "if your character has " + s.If.list()[0] + ": " + words
	}
	return words
}

// Text returns an effect as players read it.
func (s Step) Text() engine.Text {
	if s.Printed != "" {
		return engine.T("printed", "text", s.Printed)
	}
	if power := s.If; power != 0 {
		s.If = 0
		return engine.T("does.if-power", "what", engine.Word("keyword."+power.list()[0]), "do", s.Text())
	}
	text := engine.T(effects.Phrases.Key(s.Do), "n", s.N)
	switch s.Do {
	case MoreAttack, MoreDefence:
		if s.N < 0 {
			text = engine.T(text.Key+".less", "n", -s.N)
		}
	case GivesPower:
		text.Args["what"] = engine.Word("keyword." + s.Power.list()[0])
	case GivesMarker:
		text.Args["what"] = engine.Word("keyword." + categoryNames[s.Category])
	}
	return text
}
