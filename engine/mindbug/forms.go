package mindbug

import "tableside/engine/cardfile"

// The phrases of the card language: docs/mindbug-cards.md.

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
