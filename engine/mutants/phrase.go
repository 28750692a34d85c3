package mutants

import (
	"slices"

	"tableside/engine/cardfile"
)

var verbPhrases = cardfile.Phrases[Effect]{
	{GainPower, "gain-power", "gain / gains"},
	{LosePower, "lose-power", "lose / loses"},
	{Draw, "draw", "draw / draws"},
	{Discard, "discard", "discard / discards"},
	{Cycle, "cycle", "cycle / cycles"},
	{Freeze, "freeze", "freeze / freezes"},
	{KnockDown, "knock-down", "knock down / knocks down"},
	{FlipUp, "flip-up", "flip / flips"},
	{Take, "take", "take / move / takes|moves|put|puts|return|returns"},
	{Deploy, "deploy", "deploy / play"},
	{Transform, "transform", "transform"}, {Copy, "copy", "copy"}, {Attack, "attack", "attack"},
	{Swap, "swap", "swap / exchange"},
	{Ignore, "ignore", "ignore the attack"},

	// These share a verb with GainPower or LosePower: the word after the number decides, see readGain.
	{GainPoints, "gain-points", "gain"}, {LosePoints, "lose-points", "lose"}, {Heal, "heal", "gain"},
	{GainCard, "gain-card", "gain"},
}

// targetEffects holds the verbs for the effects of an attack on its target.
var targetEffects = []Effect{GainPower, LosePower, Draw, Discard, Cycle, Freeze, KnockDown, FlipUp, Take, Swap}

// priceEffects lists the effects that a price may consist of.
var priceEffects = []Effect{LosePower, LosePoints, Discard, Freeze, KnockDown, Take}

// These variables list what a boss's abilities may say. A boss has no hand, gene pool,
// incubator or freeze zone, and it blocks nothing. For a boss, the verb "gain" can also be
// followed by an amount of health.
var (
	bossVerbs      = []Effect{GainPower, LosePower, KnockDown, FlipUp, Copy, Attack}
	bossTriggers   = []Trigger{EachDeploy, EachAttacked}
	bossConditions = []Condition{InTopSpace, IfInRedZone, IfDominated, IfDominating, IfNotDominating}
	bossPlaces     = []Object{AnotherInArena, FromDiscard}
	bossCounts     = []CountItem{
		Mutants, OtherMutants, DownMutants, DiscardedCards, DeckCards,
		Opponents, OpponentsDominating, OpponentsDominated, OpponentsInRedZone, OpponentsOnTop,
	}
)

// conditionPhrases follow "if". In some sentences, the words "you are" come between "if" and
// the phrase.
var conditionPhrases = cardfile.Phrases[Condition]{
	{InTopSpace, "top", "in the top space / on the top space"},
	{IfInRedZone, "red-zone", "in the red zone"},
	{IfDominated, "dominated", "dominated / dominated by an opponent / an opponent dominates you"},
	{IfDominating, "dominating", "dominating / dominating an opponent / you dominate an|any opponent"},
	{IfNotDominating, "not-dominating", "not dominating / dominating no opponent / you dominate no opponent"},
	{IfIncubating, "incubating", "incubating / a mutant is incubating"},
	{IfThisActive, "active", "this is in the active slot / this mutant|card is in [the|your] active slot"},
	{IfThisLeft, "left", "this is in the left slot / this mutant|card is in|on [the|your] left slot|flank"},
	{IfThisRight, "right", "this is in the right slot / this mutant|card is in|on [the|your] right slot|flank"},
}

var triggerPhrases = cardfile.Phrases[Trigger]{
	{EachFreeze, "freeze", "each time you freeze / each|every time you freeze a|another mutant|card / " +
		"whenever|when you freeze [a] [mutant|card]"},
	{EachBreed, "breed", "each time you breed / each|every time you breed a|another mutant|card / " +
		"whenever|when you breed [a] [mutant|card]"},
	{EachIncubate, "incubate", "each time you incubate / each|every time you incubate a|another mutant|card / " +
		"whenever|when you incubate [a] [mutant|card]"},
	{EachDeploy, "deploy", "each time you deploy / each|every time you deploy a|another mutant|card / " +
		"whenever|when you deploy [a] [mutant|card]"},
	{EachBlock, "block", "each time you block / each|every time you block an attack / " +
		"whenever|when you block [an] [attack]"},
	{EachAttacked, "attacked", "each time you are attacked / each|every time an opponent attacks you / " +
		"whenever|when you are attacked / whenever|when an opponent attacks you"},
	{EachTurn, "turn", "at the start of your turn / at the beginning of your turn / each turn"},
	{EachAttack, "attack", "each time you attack / each|every time you attack an opponent / " +
		"whenever|when you attack [an] [opponent]"},
	{EachGain, "gain", "each time you gain a mutant / each|every time you gain a|another card / " +
		"whenever|when you gain a mutant|card"},
	{EachCycle, "cycle", "each time you cycle / every time you cycle / whenever|when you cycle"},
	{EachLeave, "leave", "each time a mutant leaves your arena / each|every time a mutant leaves [your|the] [arena] / " +
		"each|every time one of your mutants leaves [your|the] [arena] / " +
		"whenever|when a mutant leaves [your|the] [arena] / " +
		"whenever|when one of your mutants leaves [your|the] [arena] / each|every time a mutant of yours leaves"},
	{EachTransform, "transform", "each time you transform / every time you transform / " +
		"whenever|when you transform [a] [mutant]"},
	{EachCrush, "crush", "each time you crush / every time you crush / " +
		"whenever|when you crush [the] [competition]"},
	{EachCrushed, "crushed", "each time an opponent crushes / every time an opponent crushes / " +
		"whenever|when an opponent crushes [the] [competition]"},
}

// heroPhrases lists further triggers of a boss's power: acts of the player.
var heroPhrases = cardfile.Phrases[Trigger]{
	{OfHero | EachFreeze, "hero-freeze", "each time the player freezes"},
	{OfHero | EachBreed, "hero-breed", "each time the player breeds"},
	{OfHero | EachIncubate, "hero-incubate", "each time the player incubates"},
	{OfHero | EachDeploy, "hero-deploy", "each time the player deploys"},
	{OfHero | EachBlock, "hero-block", "each time the player blocks"},
	{OfHero | EachAttack, "hero-attack", "each time the player attacks"},
	{OfHero | EachCycle, "hero-cycle", "each time the player cycles"},
	{OfHero | EachTransform, "hero-transform", "each time the player transforms"},
	{OfHero | EachGain, "hero-gain", "each time the player gains a mutant"},
}

var targetPhrases = cardfile.Phrases[Targets]{
	{EachOpponent, "each", "each opponent / all|every [of] [your|the] opponents|opponent / [your] opponents / " +
		"each|every other player / all other players"},
	{Dominating, "dominating", "opponents dominating you / each opponent dominating you / " +
		"[each|all|every] opponents|opponent who|that dominate|dominates|dominating you / " +
		"all|every opponents|opponent dominating you"},
	{Dominated, "dominated", "opponents you dominate / each opponent you dominate / " +
		"[each|all|every] opponents|opponent whom|who|that you dominate / " +
		"all|every opponents|opponent you dominate"},
	{InRedZone, "red-zone", "opponents in the red zone / each opponent in the red zone / " +
		"[each|all|every] opponents|opponent [who|that] [is|are] in the red zone"},
	{ChosenOpponent, "chosen", "an opponent / one opponent / any opponent / an|one|any opponent of your choice"},
	{OnTop, "top", "opponents in the top space / each opponent in the top space / " +
		"[each|all|every] opponents|opponent [who|that] [is|are] in|on the top space"},
	{Leader, "leader", "the leader"}, {Attacker, "attacker", "the attacker / that opponent|player"},
	{OneOf | Dominating, "one-dominating", "an opponent dominating you / " +
		"one|any opponent [who|that] dominating|dominates you / an opponent who|that dominates you"},
	{OneOf | Dominated, "one-dominated", "an opponent you dominate / one|any opponent you dominate"},
	{OneOf | InRedZone, "one-red-zone", "an opponent in the red zone / one|any opponent in the red zone"},
	{OneOf | OnTop, "one-top", "an opponent in the top space / one|any opponent in|on the top space"},
}

// samePhrases holds phrases such as "that opponent", which refer to the targets of an attack
// that the text has named before. A phrase with the value false continues a part of the
// attack. A phrase with the value true begins the next part.
var samePhrases = cardfile.Phrases[bool]{
	{false, "", "that opponent / that|those opponent|opponents|player|players / they"},
	{true, "", ", then that opponent / [,|.] then that|those opponent|opponents|player|players / [,|.] then they / " +
		",|. that|those opponent|opponents|player|players / ,|. they"},
}

var objectPhrases = cardfile.Phrases[Object]{
	{This, "this", "this / this mutant / this card"},
	{AMutant, "one", "a mutant / one mutant / a|one of your|their mutants / a|one mutant of their choice / " +
		"a|one mutant in|from [your|their|the] arena"},
	{AllMutants, "all", "all mutants / every mutant / all [of] [your|their|the] mutants / each mutant / " +
		"all|every|each mutants|mutant in [your|their|the] arena"},
	{SameSlot, "same-slot", "their mutant in the same slot / the mutant in the same slot / " +
		"their|the mutant in|on the same flank|side / their|the mutant opposite [this] [one|mutant]"},
	{FromHand, "hand", "a card from hand / a mutant from hand / a|one card|mutant from|in [your|their|the] hand"},
	{FromDiscard, "discard", "a card from discard / a mutant from discard / " +
		"a|one card|mutant from|in [your|their|the] discard [pile]"},
	{FromPool, "pool", "a card from pool / a mutant from pool / " +
		"a|one card|mutant from|in [your|their|the] gene pool / " +
		"a|one card|mutant from|in [your|their|the] pool|gene-pool"},
	{AnotherInArena, "arena", "another mutant / another mutant in|from [your|their|the] arena / " +
		"another of your mutants"},
	{InActiveSlot, "active", "the active mutant / your|their active mutant / " +
		"the|your|their mutant in [the|your|their] active slot"},
	{InLeftSlot, "left", "the left mutant / your|their left mutant / " +
		"the|your|their mutant in|on [the|your|their] left slot|flank"},
	{InRightSlot, "right", "the right mutant / your|their right mutant / " +
		"the|your|their mutant in|on [the|your|their] right slot|flank"},
	{Incubated, "incubated", "the incubated mutant / the|your|their|an incubated mutant|card / " +
		"the|your|their|a mutant|card in|from [the|your|their] incubator"},
	{DeckTop, "deck-top", "the top card of the deck / [the] top card of [the|your|their] deck"},
}

// severalPhrases follow a number: "2 mutants", "up to 2 cards from hand".
var severalPhrases = cardfile.Phrases[Object]{
	{AMutant, "one", "mutants / mutant / of your|their mutants / mutants|mutant in|from [your|their|the] arena"},
	{AnotherInArena, "arena", "other mutants / other mutant"},
	{FromHand, "hand", "cards from hand / cards|card|mutants|mutant from|in [your|their|the] hand"},
	{FromDiscard, "discard", "cards from discard / " +
		"cards|card|mutants|mutant from|in [your|their|the] discard [pile]"},
	{FromPool, "pool", "cards from pool / cards|card|mutants|mutant from|in [your|their|the] gene pool / " +
		"cards|card|mutants|mutant from|in [your|their|the] pool|gene-pool"},
}

// copyPhrases name the zones from which an ability can be copied. If the copying ability names
// none, it copies from the arena.
var copyPhrases = cardfile.Phrases[Object]{
	{AnotherInArena, "arena", " / of another mutant / of another|a mutant in|from [your|the] arena"},
	{FromHand, "hand", "from hand / of another|a mutant|card in|from [your|the] hand / from your|the hand"},
	{FromDiscard, "discard", "from discard / of another|a mutant|card in|from [your|the] discard [pile] / " +
		"from your|the discard [pile]"},
	{FromPool, "pool", "from pool / of another|a mutant|card in|from [your|the] gene pool / " +
		"from your|the gene pool / of another|a mutant|card in|from [your|the] pool|gene-pool / " +
		"from your|the pool|gene-pool"},
	{AnotherAnywhere, "anywhere", "from anywhere"},
	{Incubated, "incubated", "from incubator / of the|your incubated mutant|card / " +
		"of the mutant in [your|the] incubator / from your|the incubator"},
	{InActiveSlot, "active", "from the active mutant / of the|your active mutant"},
	{InLeftSlot, "left", "from the left mutant / of the|your left mutant"},
	{InRightSlot, "right", "from the right mutant / of the|your right mutant"},
}

var timingPhrases = cardfile.Phrases[Timing]{
	{OnDeploy, "deploy", "a deploy / another mutant's deploy / a|the deploy [ability] / " +
		"another mutant's deploy ability"},
	{OnLeave, "leave", "a leave / another mutant's leave / a|the leave [ability] / another mutant's leave ability"},
	{OnDeploy | OnLeave, "either", "a deploy or leave / another mutant's deploy or leave / " +
		"a|the deploy or [the] leave [ability] / another mutant's deploy or leave ability"},
}

// objects lists what each effect can apply to: see objectsOf.
var objects = map[Effect][]Object{
	Freeze: {
		This, AMutant, AnotherInArena, InActiveSlot, InLeftSlot, InRightSlot,
		FromHand, FromDiscard, FromPool, Incubated, DeckTop,
	},
	KnockDown: {This, AMutant, AnotherInArena, AllMutants, InActiveSlot, InLeftSlot, InRightSlot},
	FlipUp:    {AMutant, AllMutants, InActiveSlot, InLeftSlot, InRightSlot},
	Take: {
		This, AMutant, AnotherInArena, InActiveSlot, InLeftSlot, InRightSlot,
		FromHand, FromDiscard, Incubated, DeckTop,
	},
	Deploy: {FromHand, FromDiscard, FromPool, Incubated, DeckTop},
}

func objectsOf(e Effect, attacked bool) []Object {
	if !attacked {
		return objects[e]
	}
	own := func(o Object) bool { return o == This || o == AnotherInArena }
	return append(slices.DeleteFunc(slices.Clone(objects[e]), own), SameSlot)
}

// destinations lists the zones that each effect can put a card into.
var destinations = map[Effect][]Zone{
	GainCard: {InHand, InDeck, InIncubator, InDiscard, InFreeze},
	Take:     {InHand, InDeck, InIncubator, InDiscard},
}

// zonePhrases name the zones that effects put cards into.
var zonePhrases = cardfile.Phrases[Zone]{
	{InHand, "hand", "hand / your|their|the hand"},
	{InDeck, "deck", "deck / your|their|the deck / [the] top of [your|their|the] deck"},
	{InIncubator, "incubator", "incubator / your|their|the incubator"},
	{InDiscard, "discard", "discard / [your|their|the] discard pile / your|their|the discard"},
	{InFreeze, "freeze", "freeze / [your|their|the] freeze zone"},
}

// valuePhrases name the freeze values that power or points may equal.
var valuePhrases = cardfile.Phrases[CountItem]{
	{FreezeThis, "this", "this mutant's freeze value / this card's freeze value / " +
		"the freeze value of this [mutant|card] / its own freeze value"},
	{FreezeThat, "that", "its freeze value / that card's|mutant's freeze value / the freeze value / " +
		"the freeze value of that card|mutant / the frozen card's|mutant's freeze value"},
}

// countPhrases say what is counted, in singular or plural: after "for each" and in conditions.
var countPhrases = cardfile.Phrases[CountItem]{
	{Mutants, "mutant", "mutant in your arena / mutant|mutants / mutant|mutants in [your|their|the] arena / " +
		"of your|their mutants"},
	{OtherMutants, "other", "other mutant in your arena / other mutant|mutants / " +
		"other mutant|mutants in [your|their|the] arena"},
	{DownMutants, "down", "knocked-down mutant in your arena / knocked-down|face-down mutant|mutants / " +
		"knocked-down|face-down mutant|mutants in [your|their|the] arena"},
	{HandCards, "hand", "card in your hand / card|cards|mutant|mutants in [your|their|the] hand / hand card|cards"},
	{FrozenCards, "frozen", "card in your freeze zone / card|cards|mutant|mutants in [your|their|the] freeze [zone] / " +
		"frozen card|cards|mutant|mutants"},
	{DiscardedCards, "discard", "card in your discard pile / " +
		"card|cards|mutant|mutants in [your|their|the] discard [pile]"},
	{DeckCards, "deck", "card in your deck / card|cards in [your|their|the] deck"},
	{PoolCards, "pool", "card in your gene pool / card|cards|mutant|mutants in [your|their|the] gene pool / " +
		"card|cards|mutant|mutants in [your|their|the] pool|gene-pool"},
	{ArenaGenes, "arena-gene", "gene in your arena / [gene|genes] in [your|their|the] arena"},
	{FrozenGenes, "frozen-gene", "gene in your freeze zone / [gene|genes] in [your|their|the] freeze [zone]"},
	{Opponents, "opponent", "opponent / opponents"},
	{OpponentsDominating, "dominating", "opponent dominating you / " +
		"opponent|opponents [who|that] dominating|dominates|dominate you|them"},
	{OpponentsDominated, "dominated", "opponent you dominate / opponent|opponents [whom|that] you|they dominate"},
	{OpponentsInRedZone, "red-zone", "opponent in the red zone / " +
		"opponent|opponents [who|that] [is|are] in the red zone"},
	{OpponentsOnTop, "top", "opponent in the top space / opponent|opponents [who|that] [is|are] in|on the top space"},
}

// eachPhrases may follow "for each". They are the countPhrases, and phrases for the cards that
// the previous part applied to. The latter follow nothing but "for each".
var eachPhrases = append(slices.Clip(countPhrases), cardfile.Phrases[CountItem]{
	{Those, "those", "of them / card|mutant so discarded|frozen / card|mutant discarded|frozen this way / " +
		"card|mutant discarded|frozen"},
}...)

// manyPhrases are the plural phrases for what is counted. They follow words such as "at least
// 2".
var manyPhrases = cardfile.Phrases[CountItem]{
	{Mutants, "", "mutants in your arena"}, {OtherMutants, "", "other mutants in your arena"},
	{DownMutants, "", "knocked-down mutants in your arena"}, {HandCards, "", "cards in your hand"},
	{FrozenCards, "", "cards in your freeze zone"}, {DiscardedCards, "", "cards in your discard pile"},
	{DeckCards, "", "cards in your deck"}, {PoolCards, "", "cards in your gene pool"},
	{ArenaGenes, "", "genes in your arena"}, {FrozenGenes, "", "genes in your freeze zone"},
	{Opponents, "", "opponents"}, {OpponentsDominating, "", "opponents dominating you"},
	{OpponentsDominated, "", "opponents you dominate"}, {OpponentsInRedZone, "", "opponents in the red zone"},
	{OpponentsOnTop, "", "opponents in the top space"},
}

// exploitPhrases say what exploits the weakness of a boss's card. In these phrases, "you" means
// the boss's opponent.
var exploitPhrases = cardfile.Phrases[Exploit]{
	{Exploit{Down: true}, "down", "knocked down"}, {Exploit{Unknown: true}, "unknown", "?"},
	{Exploit{Trigger: EachFreeze}, "freeze", "you freeze"}, {Exploit{Trigger: EachBreed}, "breed", "you breed"},
	{Exploit{Trigger: EachIncubate}, "incubate", "you incubate"},
	{Exploit{Trigger: EachDeploy}, "deploy", "you deploy"}, {Exploit{Trigger: EachBlock}, "block", "you block"},
	{Exploit{If: InTopSpace}, "top", "you are in the top space"}, {Exploit{Other: true}, "other", "something else"},
}

// anyPhrases are conditions that hold if any opponent meets them; incubatorPhrases say
// whether one's incubator holds a mutant.
var (
	anyPhrases = cardfile.Phrases[CountItem]{
		{OpponentsInRedZone, "", "an opponent is in the red zone"}, {OpponentsOnTop, "", "an opponent is in the top space"},
	}
	incubatorPhrases = cardfile.Phrases[bool]{
		{true, "", "you have a mutant in your incubator"},
		{false, "", "your incubator is empty / no mutant is incubating"},
	}
)

// Words that may come before conditions, counts and the like.
var (
	youPhrases   = cardfile.Phrases[bool]{{true, "", "you are / you're / your marker is"}}
	havePhrases  = cardfile.Phrases[bool]{{true, "", "you have / there are|is"}}
	perPhrases   = cardfile.Phrases[bool]{{true, "", "for each / for every / per"}}
	pointPhrases = cardfile.Phrases[bool]{{true, "", "victory points / victory point / points|point|vp|vps"}}
	equalPhrases = cardfile.Phrases[bool]{ // true for points, false for power
		{false, "", "power equal to / as much power as"},
		{true, "", "victory points equal to / points equal to / as many victory points as"},
	}
)

// thanPhrases come before a number in conditions. The 1 or -1 is added to that number, because
// "more than 2" means "at least 3".
var thanPhrases = cardfile.Phrases[bound]{
	{bound{AtLeast, 0}, "at-least", "at least"}, {bound{AtLeast, 1}, "", "more than"},
	{bound{AtMost, 0}, "at-most", "at most"}, {bound{AtMost, -1}, "", "fewer than / less than"},
	{bound{Exactly, 0}, "exactly", "exactly"},
}

type bound struct {
	comparison Comparison
	offset     int
}

// orPhrases follow a number in conditions: "2 or more".
var orPhrases = cardfile.Phrases[Comparison]{{AtLeast, "", "or more"}, {AtMost, "", "or fewer / or less"}}

// geneNames holds the words for genes in card files, in the order of the Gene constants.
var geneNames = [geneCount]string{"cyber", "necro", "saber", "zoomorph", "galactic", "mythic"}
