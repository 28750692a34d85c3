package mindbug

import (
	"slices"
	"strings"

	"tableside/engine/cardfile"
)

const (
	maxNumber = 30 // of life, cards and power in one ability
	maxSteps  = 8
)

var keywordForms = cardfile.Phrases[Keywords]{
	{"frenzy", Frenzy}, {"hunter", Hunter}, {"poisonous", Poisonous}, {"sneaky", Sneaky}, {"tough", Tough},
}

var effectForms = cardfile.Phrases[Effect]{
	{"gain <n> life", GainLife},
	{"lose <n> life", LoseLife},
	{"opponent loses <n> life", OpponentLoses},
	{"opponent loses all life but <n>", OpponentKeeps},
	{"your life becomes equal to the opponent's", LifeAsOpponent},
	{"opponent discards <cards>", OpponentDiscards},
	{"steal <cards>", Steal},
	{"draw your discard pile", DrawDiscard},
	{"play <card> from <pile>", PlayCard},
	{"draw <card> from <pile>", DrawCard},
	{"play a card that the opponent gives you", PlayGiven},
	{"play or keep a card that the opponent gives you", PlayOrKeep},
	{"play this", PlayThis},
	{"defeat <creatures>", Defeat},
	{"take control of <creatures>", TakeControl},
	{"return <creatures> to your hand", Return},
	{"trigger the play effect of <creatures>", TriggerPlay},
	{"gain <n> energy", GainEnergy},
	{"gain <n> energy per enemy creature", EnergyPerEnemy},
	{"take an energy card", TakeEnergyCard},
	{"take the top energy card", TakeTopEnergy},
	{"<who> have <gifts> this turn", ThisTurn}, {"<who> has <gifts> this turn", ThisTurn},
	{"<creatures> cannot block this turn", StopBlock},
}

var pileForms = cardfile.Phrases[Pile]{
	{"your discard pile", OwnDiscard}, {"the opponent's discard pile", TheirDiscard},
	{"any discard pile", AnyDiscard}, {"your hand", OwnHand}, {"the unused pile", Unused},
}

var conditionForms = cardfile.Phrases[Condition]{
	{"you have fewer creatures than the opponent", FewerCreatures},
	{"you have more creatures than the opponent", MoreCreatures},
	{"it is your turn", OwnTurn},
	{"this is your only creature", OnlyCreature},
	{"you have exactly 1 life", OneLife},
}

var ruleForms = cardfile.Phrases[Ruling]{
	{"<who> has <gifts>", Have}, {"<who> have <gifts>", Have},
	{"this has each of <keywords> that an enemy creature has", Mirror},
	{"this cannot be blocked by <them>", NotBlockedBy},
	{"opponent cannot block with <them>", CannotBlock}, {"<who> cannot block", CannotBlock},
	{"opponent's play effects do not trigger", SilencesPlays},
	{"<who> cannot attack", CannotAttack},
	{"this cannot hunt <them>", CannotHunt},
	{"you may roll once more", RollMore},
}

var countForms = cardfile.Phrases[Count]{{"a", One}, {"an", One}, {"up to <n>", UpTo}, {"all", All}}

// sideForms stand before "creature".
var sideForms = cardfile.Phrases[Side]{{"enemy", Enemy}, {"allied", Allied}, {"other allied", OtherAllied}}

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

// ParseAbility reads an ability in the card language, which docs/cards.md
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
	s.Do, err = cardfile.Match(p, "an effect", effectForms, cardfile.Holes{
		"<n>":         cardfile.Number(&s.N, maxNumber),
		"<cards>":     cards(&s.N),
		"<creatures>": creatures(&s.What),
		"<pile>": func(p *cardfile.Parser) (err error) {
			s.From, err = cardfile.Match(p, "a pile", pileForms, nil)
			return err
		},
		"<card>":  filter(&s.Card),
		"<who>":   who(&s.Gift.Who),
		"<gifts>": gifts(&s.Gift),
	})
	if err == nil && (s.Do == DrawCard && s.From == OwnHand || s.Do == PlayCard && s.From == Unused) {
		err = p.Fail("cards are drawn from discard piles and the unused pile, and played from discard piles and the hand")
	}
	// What holes of other forms have tried.
	if !slices.Contains([]Effect{Defeat, TakeControl, Return, TriggerPlay, StopBlock}, s.Do) {
		s.What = Creatures{}
	}
	if s.Do != PlayCard && s.Do != DrawCard {
		s.Card, s.From = Filter{}, 0
	}
	if s.Do == ThisTurn {
		s.Gift.Is = Have
	} else {
		s.Gift = Rule{}
	}
	return s, err
}

// parseCondition reads "you have fewer creatures than the opponent:".
func parseCondition(p *cardfile.Parser) (Condition, error) {
	c, err := cardfile.Match(p, "a condition", conditionForms, nil)
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
		with, err := cardfile.Match(p, "what the card has", filterForms, cardfile.Holes{"<n>": cardfile.Number(&into.Low, maxNumber)})
		if into.With = with; with != "" {
			into.Low = 0
		}
		return err
	}
}

var filterForms = cardfile.Phrases[string]{
	{"a play effect", "play"}, {"a defeated effect", "defeated"}, {"power <n> or more", ""},
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

// creatures reads "up to 2 enemy creatures with power 5 or less".
func creatures(into *Creatures) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		var c Creatures
		var err error
		if c.Count, err = cardfile.Match(p, "how many creatures", countForms, cardfile.Holes{"<n>": cardfile.Number(&c.Most, maxNumber)}); err != nil {
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
		if c.Side, err = cardfile.Match(p, "whose creatures", sideForms, nil); err != nil {
			return err
		}
	}
	if !p.Take("creature") && !p.Take("creatures") {
		return p.Expected("what follows", "creature", "creatures")
	}
	if !p.Take("with") {
		return nil
	}
	n := 0
	bound, err := cardfile.Match(p, "a power", powerForms, cardfile.Holes{"<n>": cardfile.Number(&n, maxNumber)})
	switch bound {
	case "low":
		c.Low = n
	case "high":
		c.High = n
	case "highest":
		c.Power = Highest
	case "lowest":
		c.Power = Lowest
	}
	return err
}

var powerForms = cardfile.Phrases[string]{
	{"power <n> or more", "low"}, {"power <n> or less", "high"}, {"the highest power", "highest"}, {"the lowest power", "lowest"},
}

// parseRule reads what a card always does: "while it is your turn: this has
// +6 power".
func parseRule(p *cardfile.Parser) ([]Rule, bool, error) {
	if unknown, nothing, err := p.Nothing(); nothing || err != nil {
		return nil, unknown, err
	}
	r, err := parseRuling(p)
	if err == nil && !p.Done() {
		err = p.Fail("%q does not follow here: the ability ends", p.Peek())
	}
	if err != nil {
		return nil, false, err
	}
	return []Rule{r}, false, nil
}

func parseRuling(p *cardfile.Parser) (Rule, error) {
	var r Rule
	var err error
	if p.Take("while") {
		if r.While, err = parseCondition(p); err != nil {
			return r, err
		}
	}
	from := p.Column()
	r.Is, err = cardfile.Match(p, "a permanent ability", ruleForms, cardfile.Holes{
		"<who>":      who(&r.Who),
		"<them>":     func(p *cardfile.Parser) error { r.Who = Creatures{Count: All}; return parseWhich(p, &r.Who) },
		"<gifts>":    gifts(&r),
		"<keywords>": keywords(&r.Keywords),
	})
	switch r.Is {
	case Have:
		if r.Power > 0 && (r.Who.Low > 0 || r.Who.High > 0 || r.Who.Power > 0) {
			return r, p.FailAt(from, "more power cannot depend on power")
		}
	case Mirror:
		r.Who, r.Power, r.Per, r.Dice = Creatures{}, 0, false, 0
	case SilencesPlays, RollMore:
		r = Rule{While: r.While, Is: r.Is}
	default:
		r.Power, r.Per, r.Dice, r.Keywords = 0, false, 0, noKeywords
	}
	return r, err
}

// who reads "this" or "other allied creatures with power 4 or less".
func who(into *Creatures) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		*into = Creatures{Side: This}
		if p.Take("this") {
			return nil
		}
		*into = Creatures{Count: All}
		return parseWhich(p, into)
	}
}

// gifts reads "+5 power and frenzy".
func gifts(r *Rule) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		r.Power, r.Per, r.Dice, r.Keywords = 0, false, 0, noKeywords
		if strings.HasPrefix(p.Peek(), "+") {
			n, err := p.More(maxNumber)
			if err != nil {
				return err
			}
			switch {
			case p.Take("die"), p.Take("dice"):
				r.Dice = n
			case p.Take("power"):
				r.Power = n
				if r.Per = p.Take("per"); r.Per {
					_, err := cardfile.Match(p, "what counts", cardfile.Phrases[bool]{{"other allied creature", true}}, nil)
					return err
				}
			default:
				return p.Expected("what follows the number", "power", "die", "dice")
			}
			if !p.Take("and") {
				return nil
			}
		}
		return keywords(&r.Keywords)(p)
	}
}

// keywords reads "hunter, sneaky and poisonous".
func keywords(into *Keywords) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		*into = noKeywords
		for {
			k, err := cardfile.Match(p, "a keyword", keywordForms, nil)
			if err != nil {
				return err
			}
			*into |= k
			comma, and := p.Take(","), p.Take("and")
			if !comma && !and {
				return nil
			}
		}
	}
}
