package mindbug

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
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
	{"boost <cards> onto <creatures>", Boost},
	{"draw <cards> from <pile>", DrawCard},
	{"draw a boost", TakeBoost},
	{"opponent discards their draw pile", DiscardDeck},
	{"opponent discards their hand and draw pile", DiscardAll},
	{"opponent discards <cards> per enemy creature", DiscardPerEnemy},
	{"discard a random card", DiscardRandom},
	{"put a random card of the opponent's hand into any discard pile", PutRandom},
	{"discard up to <cards> to defeat as many creatures", DiscardToDefeat},
	{"defeat all enemy creatures with a keyword of your choice", DefeatNamed},
	{"opponent loses <n> life per mindbug", LifePerMindbug},
	{"opponent takes control of <creatures>", GiveControl},
	{"return <creatures> to the opponent's hand", ReturnTheirs},
	{"opponent attacks with <creatures>", ForceAttack},
	{"<creatures> cannot be defeated this turn", Outlast},
	{"copy the play effect of another creature", CopyPlay},
	{"evolve into <level>", Evolve},
}

// onCreatures are the effects that say of which.
var onCreatures = []Effect{
	Defeat, TakeControl, Return, TriggerPlay, StopBlock, Boost, GiveControl, ReturnTheirs, ForceAttack, Outlast,
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
	{"your discard pile is empty", NoDiscards},
	{"two of your creatures have equal power", EqualAllies},
	{"you have exactly 2 creatures", TwoCreatures},
	{"the opponent has 3 or more creatures", ThreeEnemies},
	{"you have no mindbugs", NoMindbugs},
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
	{"<who> cannot attack or block", Idle},
	{"this can only be blocked by creatures whose power differs by at most <n>", BlockedNear},
	{"the higher power is defeated when this fights", Upside},
	{"opponent loses <n> more life whenever they lose life", LosesMore},
	{"opponent must attack this with a hunter if able", MustHunt},
}

// fromDiscard are the rules that a card in a discard pile may give.
var fromDiscard = []Ruling{Have, CannotBlock, CannotAttack, Idle, SilencesPlays, RollMore, LosesMore}

var countForms = cardfile.Phrases[Count]{
	{"a", One}, {"an", One}, {"up to <n>", UpTo}, {"all", All}, {"any", Any}, {"<n>", Exactly},
}

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
	if err == nil && (s.Do == DrawCard && s.From == OwnHand || s.Do == PlayCard && s.From == Unused) {
		err = p.Fail("cards are drawn from discard piles and the unused pile, and played from discard piles and the hand")
	}
	// What holes of other forms have tried.
	if !slices.Contains(onCreatures, s.Do) {
		s.What = Creatures{}
	}
	if s.Do != PlayCard && s.Do != DrawCard {
		s.Card, s.From = Filter{}, 0
	}
	if s.Do != ThisTurn {
		s.Gift = Rule{}
		return err
	}
	s.Gift.Is = Have
	if reason := s.Gift.circular(); err == nil && reason != "" {
		err = p.FailAt(from, "%s", reason)
	}
	return err
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

// creatures reads "up to 2 enemy creatures with power 5 or less", or "this".
func creatures(into *Creatures) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		var c Creatures
		if p.Take("this") {
			*into = Creatures{Side: This}
			return nil
		}
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
	return parseTrait(p, c)
}

// parseTrait reads what creatures have: "power 5 or less", "poisonous".
func parseTrait(p *cardfile.Parser, c *Creatures) error {
	low, high := 0, 0
	trait, err := cardfile.Match(p, "what they have", traitForms, cardfile.Holes{
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
	{"power <low> or more", "low"}, {"power <high> or less", "high"}, {"power <low> to <high>", "range"},
	{"the highest power", "highest"}, {"the lowest power", "lowest"}, {"equal power", "shared"}, {"less power than this", "weaker"},
	{"boosts", "boosts"}, {"frenzy", "frenzy"}, {"hunter", "hunter"}, {"poisonous", "poisonous"}, {"sneaky", "sneaky"}, {"tough", "tough"},
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

// parseRule reads what a card always does, in play or in a discard pile:
// "while it is your turn: this has +6 power".
func parseRule(p *cardfile.Parser, discarded bool) ([]Rule, bool, error) {
	if unknown, nothing, err := p.Nothing(); nothing || err != nil {
		return nil, unknown, err
	}
	from := p.Column()
	r, err := parseRuling(p)
	if err == nil && discarded && (r.Who.Side == This || !slices.Contains(fromDiscard, r.Is)) {
		err = p.FailAt(from, "a card in a discard pile is no creature: this is a rule of one in play")
	}
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
	from, n := p.Column(), 0
	r.Is, err = cardfile.Match(p, "a permanent ability", ruleForms, cardfile.Holes{
		"<n>":        cardfile.Number(&n, maxNumber),
		"<who>":      who(&r.Who),
		"<them>":     func(p *cardfile.Parser) error { r.Who = Creatures{Count: All}; return parseWhich(p, &r.Who) },
		"<gifts>":    gifts(&r),
		"<keywords>": keywords(&r.Keywords),
	})
	// What holes of other forms have tried.
	switch r.Is {
	case Have:
		if reason := r.circular(); reason != "" {
			return r, p.FailAt(from, "%s", reason)
		}
	case Mirror:
		r = Rule{While: r.While, Is: r.Is, Keywords: r.Keywords}
	case SilencesPlays, RollMore, Upside, MustHunt:
		r = Rule{While: r.While, Is: r.Is}
	case BlockedNear, LosesMore:
		r = Rule{While: r.While, Is: r.Is, Power: n}
	default:
		r = Rule{While: r.While, Is: r.Is, Who: r.Who}
	}
	return r, err
}

// circular says why powers or keywords could never be found, "" where they
// can.
func (r *Rule) circular() string {
	switch byPower := r.Who.Low > 0 || r.Who.High > 0 || r.Who.Power > 0 || r.While == EqualAllies; {
	case r.Power != 0 && (byPower || r.Who.Keywords != noKeywords):
		return "more power cannot depend on power or keywords"
	case r.Keywords != noKeywords && r.Who.Keywords != noKeywords:
		return "keywords cannot depend on keywords"
	case r.Who.Power == Weaker:
		return "only effects compare powers with that of this creature"
	}
	return ""
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
		if strings.HasPrefix(p.Peek(), "+") || strings.HasPrefix(p.Peek(), "-") {
			n, err := signed(p)
			if err != nil {
				return err
			}
			switch {
			case n < 0 && !p.Take("power"):
				return p.Expected("what becomes less", "power")
			case n < 0:
				r.Power = n
				return nil
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

// signed reads "+5" or "-2".
func signed(p *cardfile.Parser) (int, error) {
	word := p.Peek()
	if !strings.HasPrefix(word, "-") {
		return p.More(maxNumber)
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < -maxNumber || n >= 0 || strconv.Itoa(n) != word {
		return 0, p.Fail("%q is not a number from -%d to -1", word, maxNumber)
	}
	p.Take(word)
	return n, nil
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
