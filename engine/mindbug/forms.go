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
	{"frenzy", Frenzy}, {"hunter", Hunter}, {"poisonous", Poisonous}, {"sneaky", Sneaky}, {"tough", Tough},
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
			all = append(all, struct {
				Words string
				Is    Effect
			}{words, f.does})
		}
	}
	return all
}()

func formOf(e Effect) *effectForm {
	return &effects[slices.IndexFunc(effects, func(f effectForm) bool { return f.does == e })]
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
