package mutants

import "tableside/engine/cardfile"

var verbPhrases = cardfile.Phrases[Effect]{
	{"gain", GainPower}, {"lose", LosePower}, {"draw", Draw}, {"discard", Discard}, {"cycle", Cycle},
	{"freeze", Freeze}, {"knock down", KnockDown}, {"flip", FlipUp}, {"take", Take}, {"move", Take},
	{"deploy", Deploy}, {"transform", Transform}, {"copy", Copy}, {"attack", Attack},
	{"swap", Swap}, {"ignore the attack", Ignore},

	{"gains", GainPower}, {"loses", LosePower}, {"draws", Draw}, {"discards", Discard}, {"cycles", Cycle},
	{"freezes", Freeze}, {"knocks down", KnockDown}, {"flips", FlipUp}, {"takes|moves|put|puts|return|returns", Take},
	{"play", Deploy}, {"exchange", Swap},
}

// sufferable are the verbs of what an attack does to its target.
var sufferable = []Effect{GainPower, LosePower, Draw, Discard, Cycle, Freeze, KnockDown, FlipUp, Take, Swap}

// payable are the verbs of a price.
var payable = []Effect{LosePower, LosePoints, Discard, Freeze, KnockDown, Take}

// What a boss can do and meet, who has no hand, gene pool, incubator or freeze
// zone, and blocks nothing. Of GainPower it has health, too.
var (
	bossVerbs      = []Effect{GainPower, LosePower, KnockDown, FlipUp, Copy, Attack}
	bossTriggers   = []Trigger{EachDeploy, EachAttacked}
	bossConditions = []Condition{InTopSpace, IfInRedZone, IfDominated, IfDominating, IfNotDominating}
	bossPlaces     = []Object{AnotherInArena, FromDiscard}
	bossCounts     = []Counted{
		Mutants, OtherMutants, DownMutants, DiscardedCards, DeckCards,
		Opponents, OpponentsDominating, OpponentsDominated, OpponentsInRedZone, OpponentsOnTop,
	}
)

// conditionPhrases follow "if", and "you are" where the sentence has it.
var conditionPhrases = cardfile.Phrases[Condition]{
	{"in the top space", InTopSpace}, {"in the red zone", IfInRedZone},
	{"dominated", IfDominated}, {"dominating", IfDominating},
	{"not dominating", IfNotDominating}, {"incubating", IfIncubating},
	{"this is in the active slot", IfThisActive}, {"this is in the left slot", IfThisLeft}, {"this is in the right slot", IfThisRight},

	{"on the top space", InTopSpace},
	{"dominated by an opponent", IfDominated}, {"an opponent dominates you", IfDominated},
	{"dominating an opponent", IfDominating}, {"you dominate an|any opponent", IfDominating},
	{"dominating no opponent", IfNotDominating}, {"you dominate no opponent", IfNotDominating},
	{"a mutant is incubating", IfIncubating},
	{"this mutant|card is in [the|your] active slot", IfThisActive},
	{"this mutant|card is in|on [the|your] left slot|flank", IfThisLeft},
	{"this mutant|card is in|on [the|your] right slot|flank", IfThisRight},
}

var triggerPhrases = cardfile.Phrases[Trigger]{
	{"each time you freeze", EachFreeze}, {"each time you breed", EachBreed},
	{"each time you incubate", EachIncubate}, {"each time you deploy", EachDeploy},
	{"each time you block", EachBlock}, {"each time you are attacked", EachAttacked},
	{"at the start of your turn", EachTurn}, {"each time you attack", EachAttack},
	{"each time you gain a mutant", EachGain}, {"each time you cycle", EachCycle},
	{"each time a mutant leaves your arena", EachLeave}, {"each time you transform", EachTransform},
	{"each time you crush", EachCrush}, {"each time an opponent crushes", EachCrushed},

	{"each|every time you freeze a|another mutant|card", EachFreeze}, {"whenever|when you freeze [a] [mutant|card]", EachFreeze},
	{"each|every time you breed a|another mutant|card", EachBreed}, {"whenever|when you breed [a] [mutant|card]", EachBreed},
	{"each|every time you incubate a|another mutant|card", EachIncubate}, {"whenever|when you incubate [a] [mutant|card]", EachIncubate},
	{"each|every time you deploy a|another mutant|card", EachDeploy}, {"whenever|when you deploy [a] [mutant|card]", EachDeploy},
	{"each|every time you block an attack", EachBlock}, {"whenever|when you block [an] [attack]", EachBlock},
	{"each|every time an opponent attacks you", EachAttacked},
	{"whenever|when you are attacked", EachAttacked}, {"whenever|when an opponent attacks you", EachAttacked},
	{"at the beginning of your turn", EachTurn}, {"each turn", EachTurn},
	{"each|every time you attack an opponent", EachAttack}, {"whenever|when you attack [an] [opponent]", EachAttack},
	{"each|every time you gain a|another card", EachGain}, {"whenever|when you gain a mutant|card", EachGain},
	{"every time you cycle", EachCycle}, {"whenever|when you cycle", EachCycle},
	{"each|every time one of your mutants leaves [your|the] [arena]", EachLeave},
	{"whenever|when a mutant leaves your arena", EachLeave}, {"whenever|when one of your mutants leaves [your|the] [arena]", EachLeave},
	{"each|every time a mutant of yours leaves", EachLeave},
	{"every time you transform", EachTransform}, {"whenever|when you transform [a] [mutant]", EachTransform},
	{"every time you crush", EachCrush}, {"whenever|when you crush [the] [competition]", EachCrush},
	{"every time an opponent crushes", EachCrushed}, {"whenever|when an opponent crushes [the] [competition]", EachCrushed},
}

// heroPhrases are what a boss's power may wait for besides: that the player
// does something.
var heroPhrases = cardfile.Phrases[Trigger]{
	{"each time the player freezes", OfHero | EachFreeze}, {"each time the player breeds", OfHero | EachBreed},
	{"each time the player incubates", OfHero | EachIncubate}, {"each time the player deploys", OfHero | EachDeploy},
	{"each time the player blocks", OfHero | EachBlock},
	{"each time the player attacks", OfHero | EachAttack}, {"each time the player cycles", OfHero | EachCycle},
	{"each time the player transforms", OfHero | EachTransform}, {"each time the player gains a mutant", OfHero | EachGain},
}

var targetPhrases = cardfile.Phrases[Targets]{
	{"each opponent", EachOpponent},
	{"opponents dominating you", Dominating}, {"each opponent dominating you", Dominating},
	{"opponents you dominate", Dominated}, {"each opponent you dominate", Dominated},
	{"opponents in the red zone", InRedZone}, {"each opponent in the red zone", InRedZone},
	{"an opponent", ChosenOpponent}, {"one opponent", ChosenOpponent},
	{"opponents in the top space", OnTop}, {"each opponent in the top space", OnTop},
	{"the leader", Leader}, {"the attacker", Attacker},
	{"an opponent dominating you", OneOf | Dominating}, {"an opponent you dominate", OneOf | Dominated},
	{"an opponent in the red zone", OneOf | InRedZone}, {"an opponent in the top space", OneOf | OnTop},

	{"all|every [of] [your|the] opponents|opponent", EachOpponent}, {"[your] opponents", EachOpponent},
	{"each|every other player", EachOpponent}, {"all other players", EachOpponent},
	{"[each|all|every] opponents|opponent who|that dominate|dominates|dominating you", Dominating},
	{"all|every opponents|opponent dominating you", Dominating},
	{"[each|all|every] opponents|opponent whom|who|that you dominate", Dominated}, {"all|every opponents|opponent you dominate", Dominated},
	{"[each|all|every] opponents|opponent [who|that] [is|are] in the red zone", InRedZone},
	{"[each|all|every] opponents|opponent [who|that] [is|are] in|on the top space", OnTop},
	{"any opponent", ChosenOpponent}, {"an|one|any opponent of your choice", ChosenOpponent},
	{"one|any opponent [who|that] dominating|dominates you", OneOf | Dominating}, {"an opponent who|that dominates you", OneOf | Dominating},
	{"one|any opponent you dominate", OneOf | Dominated},
	{"one|any opponent in the red zone", OneOf | InRedZone}, {"one|any opponent in|on the top space", OneOf | OnTop},
}

var objectPhrases = cardfile.Phrases[Object]{
	{"this", This}, {"this mutant", This},
	{"a mutant", AMutant}, {"one mutant", AMutant},
	{"all mutants", AllMutants}, {"every mutant", AllMutants},
	{"their mutant in the same slot", SameSlot}, {"the mutant in the same slot", SameSlot},
	{"a card from hand", FromHand}, {"a mutant from hand", FromHand},
	{"a card from discard", FromDiscard}, {"a mutant from discard", FromDiscard},
	{"a card from pool", FromPool}, {"a mutant from pool", FromPool},
	{"another mutant", AnotherInArena},
	{"the active mutant", InActiveSlot}, {"the left mutant", InLeftSlot}, {"the right mutant", InRightSlot},
	{"the incubated mutant", Incubated}, {"the top card of the deck", DeckTop},

	{"this card", This},
	{"a|one of your|their mutants", AMutant}, {"a|one mutant of their choice", AMutant},
	{"a|one mutant in|from [your|their|the] arena", AMutant},
	{"another mutant in|from [your|their|the] arena", AnotherInArena}, {"another of your mutants", AnotherInArena},
	{"all [of] [your|their|the] mutants", AllMutants}, {"each mutant", AllMutants},
	{"all|every|each mutants|mutant in [your|their|the] arena", AllMutants},
	{"their|the mutant in|on the same flank|side", SameSlot}, {"their|the mutant opposite [this] [one|mutant]", SameSlot},
	{"a|one card|mutant from|in [your|their|the] hand", FromHand},
	{"a|one card|mutant from|in [your|their|the] discard [pile]", FromDiscard},
	{"a|one card|mutant from|in [your|their|the] gene pool", FromPool}, {"a|one card|mutant from|in [your|their|the] pool|gene-pool", FromPool},
	{"your|their active mutant", InActiveSlot}, {"your|their left mutant", InLeftSlot}, {"your|their right mutant", InRightSlot},
	{"the|your|their mutant in [the|your|their] active slot", InActiveSlot},
	{"the|your|their mutant in|on [the|your|their] left slot|flank", InLeftSlot},
	{"the|your|their mutant in|on [the|your|their] right slot|flank", InRightSlot},
	{"the|your|their|an incubated mutant|card", Incubated}, {"the|your|their|a mutant|card in|from [the|your|their] incubator", Incubated},
	{"[the] top card of [the|your|their] deck", DeckTop},
}

// severalPhrases follow a number: "2 mutants", "up to 2 cards from hand".
var severalPhrases = cardfile.Phrases[Object]{
	{"mutants", AMutant}, {"other mutants", AnotherInArena},
	{"cards from hand", FromHand}, {"cards from discard", FromDiscard}, {"cards from pool", FromPool},

	{"mutant", AMutant}, {"of your|their mutants", AMutant}, {"mutants|mutant in|from [your|their|the] arena", AMutant},
	{"other mutant", AnotherInArena},
	{"cards|card|mutants|mutant from|in [your|their|the] hand", FromHand},
	{"cards|card|mutants|mutant from|in [your|their|the] discard [pile]", FromDiscard},
	{"cards|card|mutants|mutant from|in [your|their|the] gene pool", FromPool},
	{"cards|card|mutants|mutant from|in [your|their|the] pool|gene-pool", FromPool},
}

// copyPhrases are the places that a copy names; with none it means the arena.
var copyPhrases = cardfile.Phrases[Object]{
	{"", AnotherInArena}, {"from hand", FromHand}, {"from discard", FromDiscard},
	{"from pool", FromPool}, {"from anywhere", AnotherAnywhere}, {"from incubator", Incubated},
	{"from the active mutant", InActiveSlot}, {"from the left mutant", InLeftSlot}, {"from the right mutant", InRightSlot},

	{"of another mutant", AnotherInArena}, {"of another|a mutant in|from [your|the] arena", AnotherInArena},
	{"of another|a mutant|card in|from [your|the] hand", FromHand}, {"from your|the hand", FromHand},
	{"of another|a mutant|card in|from [your|the] discard [pile]", FromDiscard}, {"from your|the discard [pile]", FromDiscard},
	{"of another|a mutant|card in|from [your|the] gene pool", FromPool}, {"from your|the gene pool", FromPool},
	{"of another|a mutant|card in|from [your|the] pool|gene-pool", FromPool}, {"from your|the pool|gene-pool", FromPool},
	{"of the|your incubated mutant|card", Incubated}, {"of the mutant in [your|the] incubator", Incubated}, {"from your|the incubator", Incubated},
	{"of the|your active mutant", InActiveSlot}, {"of the|your left mutant", InLeftSlot}, {"of the|your right mutant", InRightSlot},
}

var timingPhrases = cardfile.Phrases[Timing]{
	{"a deploy", OnDeploy}, {"another mutant's deploy", OnDeploy},
	{"a leave", OnLeave}, {"another mutant's leave", OnLeave},
	{"a deploy or leave", OnDeploy | OnLeave}, {"another mutant's deploy or leave", OnDeploy | OnLeave},

	{"a|the deploy [ability]", OnDeploy}, {"another mutant's deploy ability", OnDeploy},
	{"a|the leave [ability]", OnLeave}, {"another mutant's leave ability", OnLeave},
	{"a|the deploy or [the] leave [ability]", OnDeploy | OnLeave}, {"another mutant's deploy or leave ability", OnDeploy | OnLeave},
}

// holds says what each effect can take hold of: of one's own, and as what an
// attack does to its target.
var holds = map[Effect]struct{ own, attacked []Object }{
	Freeze: {
		[]Object{This, AMutant, AnotherInArena, InActiveSlot, InLeftSlot, InRightSlot, FromHand, FromDiscard, FromPool, Incubated, DeckTop},
		[]Object{AMutant, SameSlot, InActiveSlot, InLeftSlot, InRightSlot, FromHand, FromDiscard, FromPool, Incubated, DeckTop},
	},
	KnockDown: {
		[]Object{This, AMutant, AnotherInArena, AllMutants, InActiveSlot, InLeftSlot, InRightSlot},
		[]Object{AMutant, AllMutants, SameSlot, InActiveSlot, InLeftSlot, InRightSlot},
	},
	FlipUp: {
		[]Object{AMutant, AllMutants, InActiveSlot, InLeftSlot, InRightSlot},
		[]Object{AMutant, AllMutants, SameSlot, InActiveSlot, InLeftSlot, InRightSlot},
	},
	Take: {
		[]Object{This, AMutant, AnotherInArena, InActiveSlot, InLeftSlot, InRightSlot, FromHand, FromDiscard, Incubated, DeckTop},
		[]Object{AMutant, SameSlot, InActiveSlot, InLeftSlot, InRightSlot, FromHand, FromDiscard, Incubated, DeckTop},
	},
	Deploy: {own: []Object{FromHand, FromDiscard, FromPool, Incubated, DeckTop}},
}

// single are the objects of which there is one, or that mean all: no number
// stands before them.
var single = []Object{This, AllMutants, SameSlot, InActiveSlot, InLeftSlot, InRightSlot, Incubated, DeckTop}

// destinations are the zones that an effect can put a card into.
var destinations = map[Effect][]Zone{
	GainCard: {InHand, InDeck, InIncubator, InDiscard, InFreeze},
	Take:     {InHand, InDeck, InIncubator, InDiscard},
}

// zonePhrases are the zones that effects put cards into.
var zonePhrases = cardfile.Phrases[Zone]{
	{"hand", InHand}, {"deck", InDeck}, {"incubator", InIncubator}, {"discard", InDiscard}, {"freeze", InFreeze},

	{"your|their|the hand", InHand},
	{"your|their|the deck", InDeck}, {"[the] top of [your|their|the] deck", InDeck},
	{"your|their|the incubator", InIncubator},
	{"[your|their|the] discard pile", InDiscard}, {"your|their|the discard", InDiscard},
	{"[your|their|the] freeze zone", InFreeze},
}

// valuePhrases are the freeze values that power or points may equal.
var valuePhrases = cardfile.Phrases[Counted]{
	{"this mutant's freeze value", FreezeThis}, {"its freeze value", FreezeThat},

	{"this card's freeze value", FreezeThis}, {"the freeze value of this [mutant|card]", FreezeThis}, {"its own freeze value", FreezeThis},
	{"that card's|mutant's freeze value", FreezeThat}, {"the freeze value", FreezeThat},
	{"the freeze value of that card|mutant", FreezeThat}, {"the frozen card's|mutant's freeze value", FreezeThat},
}

// eachPhrases follow "for each".
var eachPhrases = cardfile.Phrases[Counted]{
	{"mutant in your arena", Mutants}, {"other mutant in your arena", OtherMutants}, {"knocked-down mutant in your arena", DownMutants},
	{"card in your hand", HandCards}, {"card in your freeze zone", FrozenCards}, {"card in your discard pile", DiscardedCards},
	{"card in your deck", DeckCards}, {"card in your gene pool", PoolCards},
	{"gene in your arena", ArenaGenes}, {"gene in your freeze zone", FrozenGenes},
	{"opponent", Opponents}, {"opponent dominating you", OpponentsDominating}, {"opponent you dominate", OpponentsDominated},
	{"opponent in the red zone", OpponentsInRedZone}, {"opponent in the top space", OpponentsOnTop},
	{"of them", Those},

	{"card|mutant so discarded|frozen", Those}, {"card|mutant discarded|frozen this way", Those}, {"card|mutant discarded|frozen", Those},
}

// manyPhrases follow "at least 2".
var manyPhrases = cardfile.Phrases[Counted]{
	{"mutants in your arena", Mutants}, {"other mutants in your arena", OtherMutants}, {"knocked-down mutants in your arena", DownMutants},
	{"cards in your hand", HandCards}, {"cards in your freeze zone", FrozenCards}, {"cards in your discard pile", DiscardedCards},
	{"cards in your deck", DeckCards}, {"cards in your gene pool", PoolCards},
	{"genes in your arena", ArenaGenes}, {"genes in your freeze zone", FrozenGenes},
	{"opponents", Opponents}, {"opponents dominating you", OpponentsDominating}, {"opponents you dominate", OpponentsDominated},
	{"opponents in the red zone", OpponentsInRedZone}, {"opponents in the top space", OpponentsOnTop},
}

// countPhrases are understood in either place.
var countPhrases = cardfile.Phrases[Counted]{
	{"mutant|mutants", Mutants}, {"mutant|mutants in [your|their|the] arena", Mutants}, {"of your|their mutants", Mutants},
	{"other mutant|mutants", OtherMutants}, {"other mutant|mutants in [your|their|the] arena", OtherMutants},
	{"knocked-down|face-down mutant|mutants", DownMutants}, {"knocked-down|face-down mutant|mutants in [your|their|the] arena", DownMutants},
	{"card|cards|mutant|mutants in [your|their|the] hand", HandCards}, {"hand card|cards", HandCards},
	{"card|cards|mutant|mutants in [your|their|the] freeze [zone]", FrozenCards}, {"frozen card|cards|mutant|mutants", FrozenCards},
	{"card|cards|mutant|mutants in [your|their|the] discard [pile]", DiscardedCards},
	{"card|cards in [your|their|the] deck", DeckCards},
	{"card|cards|mutant|mutants in [your|their|the] gene pool", PoolCards}, {"card|cards|mutant|mutants in [your|their|the] pool|gene-pool", PoolCards},
	{"gene|genes in [your|their|the] arena", ArenaGenes}, {"gene|genes in [your|their|the] freeze [zone]", FrozenGenes},
	{"opponent|opponents", Opponents},
	{"opponent|opponents [who|that] dominating|dominates|dominate you|them", OpponentsDominating},
	{"opponent|opponents [whom|that] you|they dominate", OpponentsDominated},
	{"opponent|opponents [who|that] [is|are] in the red zone", OpponentsInRedZone},
	{"opponent|opponents [who|that] [is|are] in|on the top space", OpponentsOnTop},
}

// whenPhrases say what exploits the weakness of a boss's card. "You" are who
// plays against the boss.
var whenPhrases = cardfile.Phrases[When]{
	{"knocked down", When{Down: true}}, {"?", When{Unknown: true}},
	{"you freeze", When{Trigger: EachFreeze}}, {"you breed", When{Trigger: EachBreed}},
	{"you incubate", When{Trigger: EachIncubate}}, {"you deploy", When{Trigger: EachDeploy}},
	{"you block", When{Trigger: EachBlock}}, {"you are in the top space", When{If: InTopSpace}},
	{"something else", When{Other: true}},
}
