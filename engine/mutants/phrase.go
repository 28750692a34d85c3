package mutants

import "tableside/engine/cardfile"

var verbPhrases = cardfile.Phrases[Effect]{
	{"gain", GainPower}, {"lose", LosePower}, {"draw", Draw}, {"discard", Discard}, {"cycle", Cycle},
	{"freeze", Freeze}, {"knock down", KnockDown}, {"flip", FlipUp}, {"take", Take},
	{"deploy", Deploy}, {"transform", Transform}, {"copy", Copy}, {"attack", Attack},
}

// sufferable are the verbs of what an attack does to its target.
var sufferable = []Effect{GainPower, LosePower, Draw, Discard, Cycle, Freeze, KnockDown, FlipUp}

// What a boss can do and meet, who has no hand, gene pool, incubator or freeze
// zone, and blocks nothing. Of GainPower it has health, too.
var (
	bossVerbs      = []Effect{GainPower, LosePower, KnockDown, FlipUp, Copy, Attack}
	bossTriggers   = []Trigger{EachDeploy, EachAttacked}
	bossConditions = []Condition{InTopSpace, IfInRedZone, IfDominated, IfDominating, IfNotDominating}
	bossPlaces     = []Object{AnotherInArena, FromDiscard}
)

var conditionPhrases = cardfile.Phrases[Condition]{
	{"in the top space", InTopSpace}, {"in the red zone", IfInRedZone},
	{"dominated", IfDominated}, {"dominating", IfDominating},
	{"not dominating", IfNotDominating}, {"incubating", IfIncubating},
}

var triggerPhrases = cardfile.Phrases[Trigger]{
	{"each time you freeze", EachFreeze}, {"each time you breed", EachBreed},
	{"each time you incubate", EachIncubate}, {"each time you deploy", EachDeploy},
	{"each time you block", EachBlock}, {"each time you are attacked", EachAttacked},
}

// heroPhrases are what a boss's power may wait for besides: that the player
// does something.
var heroPhrases = cardfile.Phrases[Trigger]{
	{"each time the player freezes", OfHero | EachFreeze}, {"each time the player breeds", OfHero | EachBreed},
	{"each time the player incubates", OfHero | EachIncubate}, {"each time the player deploys", OfHero | EachDeploy},
	{"each time the player blocks", OfHero | EachBlock},
}

var targetPhrases = cardfile.Phrases[Targets]{
	{"each opponent", EachOpponent},
	{"opponents dominating you", Dominating}, {"each opponent dominating you", Dominating},
	{"opponents you dominate", Dominated}, {"each opponent you dominate", Dominated},
	{"opponents in the red zone", InRedZone}, {"each opponent in the red zone", InRedZone},
	{"an opponent", ChosenOpponent}, {"one opponent", ChosenOpponent},
}

var objectPhrases = cardfile.Phrases[Object]{
	{"this", This}, {"this mutant", This},
	{"a mutant", AMutant}, {"one mutant", AMutant},
	{"all mutants", AllMutants}, {"every mutant", AllMutants},
	{"their mutant in the same slot", SameSlot}, {"the mutant in the same slot", SameSlot},
	{"a card from hand", FromHand}, {"a mutant from hand", FromHand},
	{"a card from discard", FromDiscard}, {"a mutant from discard", FromDiscard},
	{"a card from pool", FromPool}, {"a mutant from pool", FromPool},
}

// copyPhrases are the places that a copy names; with none it means the arena.
var copyPhrases = cardfile.Phrases[Object]{
	{"", AnotherInArena}, {"from hand", FromHand}, {"from discard", FromDiscard},
	{"from pool", FromPool}, {"from anywhere", AnotherAnywhere},
}

var timingPhrases = cardfile.Phrases[Timing]{
	{"a deploy", OnDeploy}, {"another mutant's deploy", OnDeploy},
	{"a leave", OnLeave}, {"another mutant's leave", OnLeave},
	{"a deploy or leave", OnDeploy | OnLeave}, {"another mutant's deploy or leave", OnDeploy | OnLeave},
}

// holds says what each effect can take hold of: of one's own, and as what an
// attack does to its target.
var holds = map[Effect]struct{ own, attacked []Object }{
	Freeze:    {[]Object{This, AMutant, FromHand, FromDiscard, FromPool}, []Object{AMutant, SameSlot, FromHand, FromDiscard, FromPool}},
	KnockDown: {[]Object{This, AMutant, AllMutants}, []Object{AMutant, AllMutants, SameSlot}},
	FlipUp:    {[]Object{AMutant, AllMutants}, []Object{AMutant, AllMutants, SameSlot}},
	Take:      {own: []Object{FromDiscard}},
	Deploy:    {own: []Object{FromHand, FromDiscard, FromPool}},
}

// destinations are the zones that an effect can put a card into.
var destinations = map[Effect][]Zone{
	GainCard: {InHand, InDeck, InIncubator, InDiscard, InFreeze},
	Take:     {InHand, InDeck},
}

// zonePhrases are the zones that effects put cards into.
var zonePhrases = cardfile.Phrases[Zone]{
	{"hand", InHand}, {"deck", InDeck}, {"incubator", InIncubator}, {"discard", InDiscard}, {"freeze", InFreeze},
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
