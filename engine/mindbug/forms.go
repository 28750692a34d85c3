package mindbug

import (
	"fmt"
	"strconv"
	"strings"

	"tableside/engine/cardfile"
)

// The phrases of the card language: docs/mindbug-cards.md.

const (
	maxNumber = 30 // of life, cards and power in one ability
	maxSteps  = 8
)

var keywordForms = cardfile.Phrases[Keywords]{
	{Frenzy, "keyword.frenzy", "frenzy"}, {Hunter, "keyword.hunter", "hunter"},
	{Poisonous, "keyword.poisonous", "poisonous"}, {Sneaky, "keyword.sneaky", "sneaky"},
	{Tough, "keyword.tough", "tough"},
}

var effectForms = cardfile.Forms[Effect, Step]{
	Phrases: cardfile.Phrases[Effect]{
		{GainLife, "does.gain-life", "gain <n> life"},
		{LoseLife, "does.lose-life", "lose <n> life"},
		{OpponentLoses, "does.opponent-loses", "opponent loses <n> life"},
		{OpponentKeeps, "does.opponent-keeps", "opponent loses all life but <n>"},
		{LifeAsOpponent, "does.life-as-opponent", "your life becomes equal to the opponent's"},
		{OpponentDiscards, "does.opponent-discards", "opponent discards <cards>"},
		{Steal, "does.steal", "steal <cards>"},
		{DrawDiscard, "does.draw-discard", "draw your discard pile"},
		{PlayCard, "does.play-card", "play <card> from <pile>"},
		{DrawCard, "does.draw-card", "draw <card> from <pile>"}, {DrawCard, "", "draw <cards> from <pile>"},
		{PlayGiven, "does.play-given", "play a card that the opponent gives you"},
		{PlayOrKeep, "does.play-or-keep", "play or keep a card that the opponent gives you"},
		{PlayThis, "does.play-this", "play this"},
		{Defeat, "does.defeat", "defeat <creatures>"},
		{TakeControl, "does.control", "take control of <creatures>"},
		{Return, "does.return", "return <creatures> to your hand"},
		{TriggerPlay, "does.trigger-play", "trigger the play effect of <creatures>"},
		{GainEnergy, "does.gain-energy", "gain <n> energy"},
		{EnergyPerEnemy, "does.energy-per-enemy", "gain <n> energy per enemy creature"},
		{TakeEnergyCard, "does.take-energy", "take an energy card"},
		{TakeTopEnergy, "does.top-energy", "take the top energy card"},
		{ThisTurn, "does.this-turn", "<who> have <gifts> this turn"}, {ThisTurn, "", "<who> has <gifts> this turn"},
		{StopBlock, "does.stop-block", "<creatures> cannot block this turn"},
		{Boost, "does.boost", "boost <cards> onto <creatures>"},
		{TakeBoost, "does.take-boost", "draw a boost"},
		{DiscardDeck, "does.discard-deck", "opponent discards their draw pile"},
		{DiscardAll, "does.discard-all", "opponent discards their hand and draw pile"},
		{DiscardPerEnemy, "does.discard-per-enemy", "opponent discards <cards> per enemy creature"},
		{DiscardRandom, "does.discard-random", "discard a random card"},
		{PutRandom, "does.put-random", "put a random card of the opponent's hand into any discard pile"},
		{DiscardToDefeat, "does.discard-to-defeat", "discard up to <cards> to defeat as many creatures"},
		{DefeatNamed, "does.defeat-named", "defeat all enemy creatures with a keyword of your choice"},
		{LifePerMindbug, "does.life-per-mindbug", "opponent loses <n> life per mindbug"},
		{GiveControl, "does.give-control", "opponent takes control of <creatures>"},
		{ReturnTheirs, "does.return-theirs", "return <creatures> to the opponent's hand"},
		{ForceAttack, "does.force-attack", "opponent attacks with <creatures>"},
		{Outlast, "does.outlast", "<creatures> cannot be defeated this turn"},
		{CopyPlay, "does.copy-play", "copy the play effect of another creature"},
		{Evolve, "does.evolve", "evolve into <level>"},
	},
	Holes: map[string]cardfile.Hole[Step]{
		"<n>":         numberHole(func(s *Step) *int { return &s.N }),
		"<cards>":     newHole(func(s *Step) *int { return &s.N }, readCards, cards),
		"<creatures>": newHole(func(s *Step) *Creatures { return &s.Creatures }, (*Creatures).read, Creatures.String),
		"<pile>":      newHole(func(s *Step) *Pile { return &s.From }, (*Pile).read, pileForms.Write),
		"<who>":       newHole(func(s *Step) *Rule { return &s.Gift }, (*Rule).readWho, Rule.subject),
		"<gifts>":     newHole(func(s *Step) *Rule { return &s.Gift }, (*Rule).readGifts, Rule.gifts),
		"<level>":     newHole(func(s *Step) *string { return &s.Into }, readLevel, func(id string) string { return id }),
		"<card>": {
			Read: func(p *cardfile.Parser, s *Step) error {
				s.N = 1
				return s.Card.read(p)
			},
			Write: func(s *Step) string {
				if s.N > 1 {
					return cards(s.N)
				}
				return s.Card.String()
			},
		},
	},
}

// countsOf lists, for each effect, the counts that may come before its creatures, such as
// "all" or "up to 2". An effect that names no creatures is not in the map.
var countsOf = map[Effect][]Count{
	Defeat: choiceCounts, TakeControl: choiceCounts, GiveControl: choiceCounts,
	Return: fixedCounts, StopBlock: fixedCounts, ReturnTheirs: fixedCounts, Outlast: fixedCounts,
	TriggerPlay: {One}, ForceAttack: {One}, Boost: {One, Any},
}

var (
	fixedCounts  = []Count{One, All, Exactly}
	choiceCounts = []Count{One, All, Exactly, UpTo}
)

var pileForms = cardfile.Phrases[Pile]{
	{OwnDiscard, "does.from.own", "your discard pile"}, {TheirDiscard, "does.from.theirs", "the opponent's discard pile"},
	{AnyDiscard, "does.from.any", "any discard pile"}, {OwnHand, "does.from.hand", "your hand"},
	{Unused, "does.from.unused", "the unused pile"},
}

var conditionForms = cardfile.Phrases[Condition]{
	{FewerCreatures, "does.when.fewer", "you have fewer creatures than the opponent"},
	{MoreCreatures, "does.when.more", "you have more creatures than the opponent"},
	{OwnTurn, "does.when.own-turn", "it is your turn"},
	{OnlyCreature, "does.when.only", "this is your only creature"},
	{OneLife, "does.when.one-life", "you have exactly 1 life"},
	{NoDiscards, "does.when.no-discards", "your discard pile is empty"},
	{EqualAllies, "does.when.equal-allies", "two of your creatures have equal power"},
	{TwoCreatures, "does.when.two-creatures", "you have exactly 2 creatures"},
	{ThreeEnemies, "does.when.three-enemies", "the opponent has 3 or more creatures"},
	{NoMindbugs, "does.when.no-mindbugs", "you have no mindbugs"},
}

var ruleForms = cardfile.Forms[Ruling, Rule]{
	Phrases: cardfile.Phrases[Ruling]{
		{Have, "does.have-", "<who> has <gifts>"}, {Have, "", "<who> have <gifts>"},
		{Mirror, "does.mirror", "this has each of <keywords> that an enemy creature has"},
		{NotBlockedBy, "does.not-blocked-by", "this cannot be blocked by <them>"},
		{CannotBlock, "does.cannot-block", "opponent cannot block with <them>"}, {CannotBlock, "", "<who> cannot block"},
		{SilencesPlays, "does.silences-plays", "opponent's play effects do not trigger"},
		{CannotAttack, "does.cannot-attack", "<who> cannot attack"},
		{CannotHunt, "does.cannot-hunt", "this cannot hunt <them>"},
		{RollMore, "does.roll-more", "you may roll once more"},
		{Idle, "does.idle", "<who> cannot attack or block"},
		{BlockedNear, "does.blocked-near", "this can only be blocked by creatures whose power differs by at most <n>"},
		{Upside, "does.upside", "the higher power is defeated when this fights"},
		{LosesMore, "does.loses-more", "opponent loses <n> more life whenever they lose life"},
		{MustHunt, "does.must-hunt", "opponent must attack this with a hunter if able"},
	},
	Holes: map[string]cardfile.Hole[Rule]{
		"<n>":        numberHole(func(r *Rule) *int { return &r.Power }),
		"<who>":      newHole(self[Rule], (*Rule).readWho, Rule.subject),
		"<them>":     newHole(func(r *Rule) *Creatures { return &r.Creatures }, (*Creatures).readAll, Creatures.noun),
		"<gifts>":    newHole(self[Rule], (*Rule).readGifts, Rule.gifts),
		"<keywords>": newHole(func(r *Rule) *Keywords { return &r.Keywords }, (*Keywords).read, Keywords.String),
	},
}

// discardRulings lists the rules that a card in a discard pile may give.
var discardRulings = []Ruling{Have, CannotBlock, CannotAttack, Idle, SilencesPlays, RollMore, LosesMore}

var filterForms = cardfile.Forms[string, Filter]{
	Phrases: cardfile.Phrases[string]{
		{"play", "trigger.play", "a play effect"}, {"defeated", "trigger.defeated", "a defeated effect"},
		{"", "", "power <n> or more"},
	},
	Holes: map[string]cardfile.Hole[Filter]{"<n>": numberHole(func(f *Filter) *int { return &f.Low })},
}

var countForms = cardfile.Forms[Count, Creatures]{
	Phrases: cardfile.Phrases[Count]{
		{One, "does.one", "a"}, {One, "", "an"}, {UpTo, "does.up-to", "up to <n>"}, {All, "does.all", "all"},
		{Any, "does.any", "any"}, {Exactly, "does.exactly", "<n>"},
	},
	Holes: map[string]cardfile.Hole[Creatures]{"<n>": numberHole(func(c *Creatures) *int { return &c.N })},
}

// sideForms holds the words that may come before "creature".
var sideForms = cardfile.Phrases[Side]{
	{Enemy, ".enemy", "enemy"}, {Allied, ".allied", "allied"}, {OtherAllied, ".other", "other allied"},
}

// traitForms holds the words that may come after "creature with", and the traits that these
// words describe. The number 1 in a trait stands for any number in the words.
var traitForms = cardfile.Forms[Creatures, Creatures]{
	Phrases: cardfile.Phrases[Creatures]{
		{Creatures{Low: 1}, "does.power-low", "power <low> or more"},
		{Creatures{High: 1}, "does.power-high", "power <high> or less"},
		{Creatures{Low: 1, High: 1}, "does.power-range", "power <low> to <high>"},
		{Creatures{Power: Highest}, "does.power-highest", "the highest power"},
		{Creatures{Power: Lowest}, "does.power-lowest", "the lowest power"},
		{Creatures{Power: Shared}, "does.power-shared", "equal power"},
		{Creatures{Power: Weaker}, "does.power-weaker", "less power than this"},
		{Creatures{Boosted: true}, "does.with-boosts", "boosts"},
		{Creatures{Keywords: Frenzy}, "does.with-keyword", "frenzy"},
		{Creatures{Keywords: Hunter}, "does.with-keyword", "hunter"},
		{Creatures{Keywords: Poisonous}, "does.with-keyword", "poisonous"},
		{Creatures{Keywords: Sneaky}, "does.with-keyword", "sneaky"},
		{Creatures{Keywords: Tough}, "does.with-keyword", "tough"},
	},
	Holes: map[string]cardfile.Hole[Creatures]{
		"<low>":  numberHole(func(c *Creatures) *int { return &c.Low }),
		"<high>": numberHole(func(c *Creatures) *int { return &c.High }),
	},
}

// newHole returns the cardfile.Hole that reads and writes one field of a value. The first
// function returns a pointer to the field. The second function reads the field from text, and
// the third function returns the field as text.
func newHole[S, F any](of func(*S) *F, read func(*F, *cardfile.Parser) error, write func(F) string) cardfile.Hole[S] {
	return cardfile.Hole[S]{
		Read:  func(p *cardfile.Parser, s *S) error { return read(of(s), p) },
		Write: func(s *S) string { return write(*of(s)) },
	}
}

func self[S any](s *S) *S { return s }

func numberHole[S any](of func(*S) *int) cardfile.Hole[S] {
	return newHole(of, readNumber, strconv.Itoa)
}

func cards(n int) string {
	if n == 1 {
		return "1 card"
	}
	return fmt.Sprintf("%d cards", n)
}

func (f Filter) String() string {
	if f == (Filter{}) {
		return "a card"
	}
	return "a card with " + filterForms.Write(f.Trigger, &f)
}

func (c Creatures) String() string {
	if c.Side == This {
		return "this"
	}
	count, words := countForms.Write(c.Count, &c), c.noun()
	if c.Count == One {
		words = strings.Replace(words, "creatures", "creature", 1)
		if strings.ContainsRune("aeiou", rune(words[0])) {
			count = "an"
		}
	}
	return count + " " + words
}

func (c Creatures) noun() string {
	words := strings.TrimSpace(sideForms.Write(c.Side) + " creatures")
	if trait := traitForms.Write(c.trait(), &c); trait != "" {
		words += " with " + trait
	}
	return words
}

func (c Creatures) trait() Creatures {
	return Creatures{Low: min(c.Low, 1), High: min(c.High, 1), Power: c.Power, Keywords: c.Keywords, Boosted: c.Boosted}
}

func (r Rule) subject() string {
	if r.Creatures.Side == This {
		return "this"
	}
	return r.Creatures.noun()
}

// gifts returns the words for the power, dice and keywords that a rule gives, such as "+5
// power and frenzy".
func (r Rule) gifts() string {
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
	return strings.Join(append(gifts, r.Keywords.list()...), " and ")
}

// String returns the keywords as a card file writes them.
func (k Keywords) String() string { return strings.Join(k.list(), " and ") }

func (k Keywords) list() (names []string) {
	for _, f := range keywordForms {
		if k&f.Value != 0 {
			names = append(names, f.Words)
		}
	}
	return names
}
