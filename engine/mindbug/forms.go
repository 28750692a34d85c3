package mindbug

import (
	"slices"

	"tableside/engine/cardfile"
)

// The phrases of the card language: docs/mindbug-cards.md.

const (
	maxNumber = 30 // of life, cards and power in one ability
	maxSteps  = 8
)

var keywordForms = cardfile.Phrases[Keywords]{
	{Frenzy, "", "frenzy"}, {Hunter, "", "hunter"}, {Poisonous, "", "poisonous"}, {Sneaky, "", "sneaky"}, {Tough, "", "tough"},
}

// An effectForm is how an effect is written and said.
type effectForm struct {
	does   Effect
	key    string  // of the catalogue: does.<key>
	counts []Count // of the creatures that it names; nil where it names none
	words  []string
}

// How many creatures an effect may name.
var (
	single  = []Count{One}
	divided = []Count{One, Any}
	listed  = []Count{One, All, Exactly}
	chosen  = []Count{One, All, Exactly, UpTo}
)

var effects = []effectForm{
	{GainLife, "gain-life", nil, []string{"gain <n> life"}},
	{LoseLife, "lose-life", nil, []string{"lose <n> life"}},
	{OpponentLoses, "opponent-loses", nil, []string{"opponent loses <n> life"}},
	{OpponentKeeps, "opponent-keeps", nil, []string{"opponent loses all life but <n>"}},
	{LifeAsOpponent, "life-as-opponent", nil, []string{"your life becomes equal to the opponent's"}},
	{OpponentDiscards, "opponent-discards", nil, []string{"opponent discards <cards>"}},
	{Steal, "steal", nil, []string{"steal <cards>"}},
	{DrawDiscard, "draw-discard", nil, []string{"draw your discard pile"}},
	{PlayCard, "play-card", nil, []string{"play <card> from <pile>"}},
	{DrawCard, "draw-card", nil, []string{"draw <card> from <pile>", "draw <cards> from <pile>"}},
	{PlayGiven, "play-given", nil, []string{"play a card that the opponent gives you"}},
	{PlayOrKeep, "play-or-keep", nil, []string{"play or keep a card that the opponent gives you"}},
	{PlayThis, "play-this", nil, []string{"play this"}},
	{Defeat, "defeat", chosen, []string{"defeat <creatures>"}},
	{TakeControl, "control", chosen, []string{"take control of <creatures>"}},
	{Return, "return", listed, []string{"return <creatures> to your hand"}},
	{TriggerPlay, "trigger-play", single, []string{"trigger the play effect of <creatures>"}},
	{GainEnergy, "gain-energy", nil, []string{"gain <n> energy"}},
	{EnergyPerEnemy, "energy-per-enemy", nil, []string{"gain <n> energy per enemy creature"}},
	{TakeEnergyCard, "take-energy", nil, []string{"take an energy card"}},
	{TakeTopEnergy, "top-energy", nil, []string{"take the top energy card"}},
	{ThisTurn, "this-turn", nil, []string{"<who> have <gifts> this turn", "<who> has <gifts> this turn"}},
	{StopBlock, "stop-block", listed, []string{"<creatures> cannot block this turn"}},
	{Boost, "boost", divided, []string{"boost <cards> onto <creatures>"}},
	{TakeBoost, "take-boost", nil, []string{"draw a boost"}},
	{DiscardDeck, "discard-deck", nil, []string{"opponent discards their draw pile"}},
	{DiscardAll, "discard-all", nil, []string{"opponent discards their hand and draw pile"}},
	{DiscardPerEnemy, "discard-per-enemy", nil, []string{"opponent discards <cards> per enemy creature"}},
	{DiscardRandom, "discard-random", nil, []string{"discard a random card"}},
	{PutRandom, "put-random", nil, []string{"put a random card of the opponent's hand into any discard pile"}},
	{DiscardToDefeat, "discard-to-defeat", nil, []string{"discard up to <cards> to defeat as many creatures"}},
	{DefeatNamed, "defeat-named", nil, []string{"defeat all enemy creatures with a keyword of your choice"}},
	{LifePerMindbug, "life-per-mindbug", nil, []string{"opponent loses <n> life per mindbug"}},
	{GiveControl, "give-control", chosen, []string{"opponent takes control of <creatures>"}},
	{ReturnTheirs, "return-theirs", listed, []string{"return <creatures> to the opponent's hand"}},
	{ForceAttack, "force-attack", single, []string{"opponent attacks with <creatures>"}},
	{Outlast, "outlast", listed, []string{"<creatures> cannot be defeated this turn"}},
	{CopyPlay, "copy-play", nil, []string{"copy the play effect of another creature"}},
	{Evolve, "evolve", nil, []string{"evolve into <level>"}},
}

var effectForms = func() (all cardfile.Phrases[Effect]) {
	for _, f := range effects {
		for _, words := range f.words {
			all = append(all, cardfile.Phrases[Effect]{{f.does, "", words}}...)
		}
	}
	return all
}()

func formOf(e Effect) *effectForm {
	return &effects[slices.IndexFunc(effects, func(f effectForm) bool { return f.does == e })]
}

var pileForms = cardfile.Phrases[Pile]{
	{OwnDiscard, "", "your discard pile"}, {TheirDiscard, "", "the opponent's discard pile"},
	{AnyDiscard, "", "any discard pile"}, {OwnHand, "", "your hand"}, {Unused, "", "the unused pile"},
}

var conditionForms = cardfile.Phrases[Condition]{
	{FewerCreatures, "", "you have fewer creatures than the opponent"},
	{MoreCreatures, "", "you have more creatures than the opponent"},
	{OwnTurn, "", "it is your turn"},
	{OnlyCreature, "", "this is your only creature"},
	{OneLife, "", "you have exactly 1 life"},
	{NoDiscards, "", "your discard pile is empty"},
	{EqualAllies, "", "two of your creatures have equal power"},
	{TwoCreatures, "", "you have exactly 2 creatures"},
	{ThreeEnemies, "", "the opponent has 3 or more creatures"},
	{NoMindbugs, "", "you have no mindbugs"},
}

var ruleForms = cardfile.Phrases[Ruling]{
	{Have, "", "<who> has <gifts>"}, {Have, "", "<who> have <gifts>"},
	{Mirror, "", "this has each of <keywords> that an enemy creature has"},
	{NotBlockedBy, "", "this cannot be blocked by <them>"},
	{CannotBlock, "", "opponent cannot block with <them>"}, {CannotBlock, "", "<who> cannot block"},
	{SilencesPlays, "", "opponent's play effects do not trigger"},
	{CannotAttack, "", "<who> cannot attack"},
	{CannotHunt, "", "this cannot hunt <them>"},
	{RollMore, "", "you may roll once more"},
	{Idle, "", "<who> cannot attack or block"},
	{BlockedNear, "", "this can only be blocked by creatures whose power differs by at most <n>"},
	{Upside, "", "the higher power is defeated when this fights"},
	{LosesMore, "", "opponent loses <n> more life whenever they lose life"},
	{MustHunt, "", "opponent must attack this with a hunter if able"},
}

// fromDiscard are the rules that a card in a discard pile may give.
var fromDiscard = []Ruling{Have, CannotBlock, CannotAttack, Idle, SilencesPlays, RollMore, LosesMore}

var countForms = cardfile.Phrases[Count]{
	{One, "", "a"}, {One, "", "an"}, {UpTo, "", "up to <n>"}, {All, "", "all"}, {Any, "", "any"}, {Exactly, "", "<n>"},
}

// sideForms stand before "creature".
var sideForms = cardfile.Phrases[Side]{{Enemy, "", "enemy"}, {Allied, "", "allied"}, {OtherAllied, "", "other allied"}}
