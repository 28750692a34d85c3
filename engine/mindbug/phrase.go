package mindbug

import (
	"slices"
	"strings"

	"tableside/engine"
)

const (
	maxNumber = 30 // of life, cards and power in one ability
	maxSteps  = 8
)

var keywordForms = []form[Keywords]{
	{"frenzy", Frenzy}, {"hunter", Hunter}, {"poisonous", Poisonous}, {"sneaky", Sneaky}, {"tough", Tough},
}

var effectForms = []form[Effect]{
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

var pileForms = []form[Pile]{
	{"your discard pile", OwnDiscard}, {"the opponent's discard pile", TheirDiscard},
	{"any discard pile", AnyDiscard}, {"your hand", OwnHand}, {"the unused pile", Unused},
}

var conditionForms = []form[Condition]{
	{"you have fewer creatures than the opponent", FewerCreatures},
	{"you have more creatures than the opponent", MoreCreatures},
	{"it is your turn", OwnTurn},
	{"this is your only creature", OnlyCreature},
	{"you have exactly 1 life", OneLife},
}

var ruleForms = []form[Ruling]{
	{"<who> has <gifts>", Have}, {"<who> have <gifts>", Have},
	{"this has each of <keywords> that an enemy creature has", Mirror},
	{"this cannot be blocked by <them>", NotBlockedBy},
	{"opponent cannot block with <them>", CannotBlock}, {"<who> cannot block", CannotBlock},
	{"opponent's play effects do not trigger", SilencesPlays},
	{"<who> cannot attack", CannotAttack},
	{"this cannot hunt <them>", CannotHunt},
	{"you may roll once more", RollMore},
}

var countForms = []form[Count]{{"a", One}, {"an", One}, {"up to <n>", UpTo}, {"all", All}}

// sideForms stand before "creature".
var sideForms = []form[Side]{{"enemy", Enemy}, {"allied", Allied}, {"other allied", OtherAllied}}

// parseAbility reads "none", "?" or effects: "gain 2 life, then defeat a
// creature".
func parseAbility(words string, column int) (Ability, error) {
	p := newParser(words, column)
	if unknown, none := p.take("?"), p.take("none"); unknown || none {
		if p.at < len(p.words) {
			return Ability{}, p.fail("nothing can follow %q", p.words[0].text)
		}
		return Ability{Unknown: unknown}, nil
	}
	var a Ability
	for {
		if len(a.Steps) == maxSteps {
			return Ability{}, p.fail("an ability has at most %d parts", maxSteps)
		}
		step, err := p.step()
		if err != nil {
			return Ability{}, err
		}
		a.Steps = append(a.Steps, step)
		if p.at == len(p.words) {
			return a, nil
		}
		comma, then := p.take(","), p.take("then")
		if !comma && !then {
			return Ability{}, p.fail("%q does not follow here: the ability ends, or goes on with %q", p.peek(), ", then")
		}
	}
}

// ParseAbility reads an ability in the card language, which docs/cards.md
// describes. The error is an *engine.SyntaxError whose column is the word at
// fault.
func ParseAbility(words string) (Ability, error) { return parseAbility(words, 1) }

func (p *parser) step() (Step, error) {
	var s Step
	var err error
	if p.take("if") {
		if s.If, err = p.condition(); err != nil {
			return s, err
		}
	}
	s.May = p.take("may")
	s.Do, err = match(p, "an effect", effectForms, fills{
		"<n>":         number(&s.N, maxNumber),
		"<cards>":     cards(&s.N),
		"<creatures>": creatures(&s.What),
		"<pile>": func(p *parser) (err error) {
			s.From, err = match(p, "a pile", pileForms, nil)
			return err
		},
		"<card>":  filter(&s.Card),
		"<who>":   who(&s.Gift.Who),
		"<gifts>": gifts(&s.Gift),
	})
	if err == nil && (s.Do == DrawCard && s.From == OwnHand || s.Do == PlayCard && s.From == Unused) {
		err = p.fail("cards are drawn from discard piles and the unused pile, and played from discard piles and the hand")
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

// condition reads "you have fewer creatures than the opponent:".
func (p *parser) condition() (Condition, error) {
	c, err := match(p, "a condition", conditionForms, nil)
	if err == nil && !p.take(":") {
		err = p.fail("%q is missing after a condition", ":")
	}
	return c, err
}

// filter reads "a card with power 7 or more".
func filter(into *Filter) fill {
	return func(p *parser) error {
		*into = Filter{}
		if !p.take("a") {
			return p.expected("which card", []string{"a"})
		}
		if !p.take("card") {
			return p.expected("what follows \"a\"", []string{"card"})
		}
		if !p.take("with") {
			return nil
		}
		with, err := match(p, "what the card has", filterForms, fills{"<n>": number(&into.Low, maxNumber)})
		if into.With = with; with != "" {
			into.Low = 0
		}
		return err
	}
}

var filterForms = []form[string]{
	{"a play effect", "play"}, {"a defeated effect", "defeated"}, {"power <n> or more", ""},
}

// cards reads "a card" or "2 cards".
func cards(n *int) fill {
	return func(p *parser) error {
		if p.take("a") {
			*n = 1
		} else if err := number(n, maxNumber)(p); err != nil {
			return err
		}
		if !p.take("card") && !p.take("cards") {
			return p.expected("what follows the number", []string{"card", "cards"})
		}
		return nil
	}
}

// creatures reads "up to 2 enemy creatures with power 5 or less".
func creatures(into *Creatures) fill {
	return func(p *parser) error {
		var c Creatures
		var err error
		if c.Count, err = match(p, "how many creatures", countForms, fills{"<n>": number(&c.Most, maxNumber)}); err != nil {
			return err
		}
		if err := p.which(&c); err != nil {
			return err
		}
		*into = c
		return nil
	}
}

// which reads "enemy creatures with power 5 or less".
func (p *parser) which(c *Creatures) error {
	switch {
	case p.peek() == "creature" || p.peek() == "creatures":
	case p.peek() == "":
		return p.fail("which creatures is missing")
	default:
		var err error
		if c.Side, err = match(p, "whose creatures", append(sideForms[:len(sideForms):len(sideForms)], form[Side]{"creatures", AnySide}), nil); err != nil {
			return err
		}
	}
	if !p.take("creature") && !p.take("creatures") {
		return p.expected("what follows", []string{"creature", "creatures"})
	}
	if !p.take("with") {
		return nil
	}
	n := 0
	bound, err := match(p, "a power", powerForms, fills{"<n>": number(&n, maxNumber)})
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

var powerForms = []form[string]{
	{"power <n> or more", "low"}, {"power <n> or less", "high"}, {"the highest power", "highest"}, {"the lowest power", "lowest"},
}

// parseRule reads what a card always does: "while it is your turn: this has
// +6 power".
func parseRule(words string, column int) ([]Rule, bool, error) {
	p := newParser(words, column)
	if unknown, none := p.take("?"), p.take("none"); unknown || none {
		if p.at < len(p.words) {
			return nil, false, p.fail("nothing can follow %q", p.words[0].text)
		}
		return nil, unknown, nil
	}
	r, err := p.rule()
	if err == nil && p.at < len(p.words) {
		err = p.fail("%q does not follow here: the ability ends", p.peek())
	}
	if err != nil {
		return nil, false, err
	}
	return []Rule{r}, false, nil
}

func (p *parser) rule() (Rule, error) {
	var r Rule
	var err error
	if p.take("while") {
		if r.While, err = p.condition(); err != nil {
			return r, err
		}
	}
	from := p.column()
	r.Is, err = match(p, "a permanent ability", ruleForms, fills{
		"<who>":      who(&r.Who),
		"<them>":     func(p *parser) error { r.Who = Creatures{Count: All}; return p.which(&r.Who) },
		"<gifts>":    gifts(&r),
		"<keywords>": keywords(&r.Keywords),
	})
	switch r.Is {
	case Have:
		if r.Power > 0 && (r.Who.Low > 0 || r.Who.High > 0 || r.Who.Power > 0) {
			return r, &engine.SyntaxError{Column: from, Reason: "more power cannot depend on power"}
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
func who(into *Creatures) fill {
	return func(p *parser) error {
		*into = Creatures{Side: This}
		if p.take("this") {
			return nil
		}
		*into = Creatures{Count: All}
		return p.which(into)
	}
}

// gifts reads "+5 power and frenzy".
func gifts(r *Rule) fill {
	return func(p *parser) error {
		r.Power, r.Per, r.Dice, r.Keywords = 0, false, 0, noKeywords
		if strings.HasPrefix(p.peek(), "+") {
			n := 0
			if err := number(&n, maxNumber)(p); err != nil {
				return err
			}
			switch {
			case p.take("die"), p.take("dice"):
				r.Dice = n
			case p.take("power"):
				r.Power = n
				if r.Per = p.take("per"); r.Per {
					_, err := match(p, "what counts", []form[bool]{{"other allied creature", true}}, nil)
					return err
				}
			default:
				return p.expected("what follows the number", []string{"power", "die", "dice"})
			}
			if !p.take("and") {
				return nil
			}
		}
		return keywords(&r.Keywords)(p)
	}
}

// keywords reads "hunter, sneaky and poisonous".
func keywords(into *Keywords) fill {
	return func(p *parser) error {
		*into = noKeywords
		for {
			k, err := match(p, "a keyword", keywordForms, nil)
			if err != nil {
				return err
			}
			*into |= k
			comma, and := p.take(","), p.take("and")
			if !comma && !and {
				return nil
			}
		}
	}
}
