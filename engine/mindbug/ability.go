package mindbug

import (
	"tableside/engine"
	"tableside/engine/cardfile"
)

// Kind is a card as printed.
type Kind struct {
	ID       string
	Names    engine.Wording
	Set      string // the box it comes from
	Copies   int
	Power    int
	Dice     int // thrown when it attacks: 002 "Symbole de Lancer de dé"
	Keywords Keywords

	Energy bool // an Energy card, not a creature
	Price  int  // of an Energy card

	Play, Attack, Defeated, Action Ability
	Discarded                      Ability // when it is put into a discard pile, from anywhere
	Effect                         Ability // of an Energy card
	LifeLost                       Ability // in the discard pile of the player who loses life
	Always                         []Rule  // in force while it is in play
	InDiscard                      []Rule  // in force while it lies in a discard pile

	Printed string // the words on it, where its owner has entered them

	Into  string // the creature that its effects evolve it into: 001 lexicon, "Évoluer"
	Level int    // in its line of evolution, from 1; 0 without one
}

// Keywords is a set of keywords.
type Keywords uint8

const (
	Frenzy     Keywords = 1 << iota // attacks twice in a turn
	Hunter                          // its player may choose who blocks
	Poisonous                       // defeats whatever it fights
	Sneaky                          // only sneaky creatures block it
	Tough                           // is tilted the first time it would be defeated
	noKeywords Keywords = 0
)

// Ability holds the effects of a trigger, read from plain words such as "defeat an enemy
// creature with power 6 or more".
type Ability struct {
	Steps   []Step
	Unknown bool   // not entered yet, or only as words: players resolve it by hand
	Printed string // its words, if the card language cannot say them; then Unknown is set

	noRow bool          // only rules before 4 could read Printed
	said  cardfile.Slot // from which Steps were read
}

// deeds yields the steps of an ability and their alternatives.
func (a *Ability) deeds(yield func(*Step) bool) {
	for i := range a.Steps {
		for s := &a.Steps[i]; s != nil; s = s.Or {
			if !yield(s) {
				return
			}
		}
	}
}

func (a *Ability) isNone() bool { return !a.Unknown && len(a.Steps) == 0 }

// Step is one effect of an ability.
type Step struct {
	If        Condition
	May       bool // its player chooses whether it resolves
	Do        Effect
	N         int // life, cards or energy
	Creatures Creatures
	Card      Filter // for PlayCard and DrawCard
	From      Pile
	Gift      Rule           // for ThisTurn: the rule that is then in force
	Into      string         // for Evolve: Kind.Into of its card, which Build sets; or what its sentence says
	title     engine.Wording // of the creature Into; Build sets it
	Or        *Step          // the alternative, if its player may choose

	said cardfile.Slot
}

// Filter selects cards of a pile.
type Filter struct {
	Trigger string // "play", "defeated": cards with such an effect
	Low     int    // the least printed power; 0: any
}

// Effect is a row of the card language, with its person if that is not you, and with what it
// counts. The player of an effect is the player who controls the creature with the effect, or
// who has taken the Energy card. The comments below mention these fields of Step: N, Creatures,
// Card, From, Gift and Into.
type Effect string

const (
	GainLife         Effect = "gain-life"
	LoseLife         Effect = "lose-life"
	OpponentLoses    Effect = "lose-life opponent"
	OpponentKeeps    Effect = "keep-life opponent" // the opponent loses all life but N
	LifeAsOpponent   Effect = "life-as"            // one's own life becomes equal to the opponent's
	OpponentDiscards Effect = "discard opponent"   // N cards, the opponent's choice
	Steal            Effect = "steal"              // N cards of the opponent's hand, at random
	DrawDiscard      Effect = "draw-discard"       // all of one's own discard pile
	PlayCard         Effect = "play"               // one card that fits Card, from the pile From
	DrawCard         Effect = "draw"               // N cards that fit Card, from the pile From, into one's hand
	DrawUnused       Effect = "draw-unused"        // the top card of the unused pile
	PlayGiven        Effect = "play-given"         // a card of the opponent's hand, the opponent's choice
	PlayOrKeep       Effect = "play-or-keep"       // like PlayGiven, but one may also take the card into one's hand
	PlayThis         Effect = "play-this"          // the card itself, out of the discard pile
	Defeat           Effect = "defeat"             // Creatures
	TakeControl      Effect = "control"            // Creatures
	Return           Effect = "return"             // Creatures to one's hand
	TriggerPlay      Effect = "trigger-play"       // the Play effect of Creatures
	GainEnergy       Effect = "energy"             // N cubes
	EnergyPerEnemy   Effect = "energy enemy"       // N cubes for each enemy creature
	TakeEnergyCard   Effect = "take-energy"        // one of the row, free of charge
	TakeTopEnergy    Effect = "top-energy"         // the top one of the deck, free of charge
	ThisTurn         Effect = "this-turn"          // Gift is in force this turn
	StopBlock        Effect = "stop-block"         // Creatures cannot block this turn

	Boost           Effect = "boost"                      // Creatures with N cards: 001 lexicon, "Renforcer"
	TakeBoost       Effect = "take-boost"                 // a boost, from anywhere, into one's hand
	DiscardDeck     Effect = "discard-deck opponent"      // the opponent's deck
	DiscardAll      Effect = "discard-all opponent"       // the opponent's hand and deck
	DiscardPerEnemy Effect = "discard opponent enemy"     // N cards of the opponent's hand for each of their creatures
	DiscardRandom   Effect = "discard-random"             // a card of one's own hand
	PutRandom       Effect = "put-random"                 // a card of the opponent's hand into either discard pile
	DiscardToDefeat Effect = "discard-to-defeat"          // up to N cards of one's own hand, to defeat as many creatures
	DefeatNamed     Effect = "defeat-named"               // all enemies with a keyword that is chosen
	LifePerMindbug  Effect = "lose-life opponent mindbug" // the opponent loses N life for each of their Mindbugs
	GiveControl     Effect = "give-control"               // the opponent takes Creatures
	ReturnTheirs    Effect = "return-theirs"              // Creatures to the opponent's hand
	ForceAttack     Effect = "force-attack"               // the opponent attacks with Creatures, one that is chosen
	Outlast         Effect = "outlast"                    // Creatures cannot be defeated this turn
	CopyPlay        Effect = "copy-play"                  // the Play effect of another creature
	Evolve          Effect = "evolve"                     // into the creature Into
)

// The values of the types below are the ids of rows, or "" where a sentence has no such slot.

// Pile is where a card comes from.
type Pile string

const (
	OwnDiscard   Pile = "own"
	TheirDiscard Pile = "theirs"
	AnyDiscard   Pile = "any"
	OwnHand      Pile = "hand"
)

// Creatures says which creatures an effect applies to, and how many.
type Creatures struct {
	Count    Count
	N        int // how many, for Some and UpTo
	Side     Side
	Trait    Trait
	Low      int      // the least power; 0: any
	High     int      // the greatest power; 0: any
	Keywords Keywords // that they have
}

// Trait is what creatures have. Highest, Lowest and Shared compare a creature's power with the
// powers of all creatures of a side. If no side is named, they compare with the creatures of both
// sides. Weaker compares the power with that of a single creature, the creature that has the
// ability. What the other rows of a trait ask for stands in other fields of Creatures.
type Trait string

const (
	Highest Trait = "highest"
	Lowest  Trait = "lowest"
	Shared  Trait = "shared" // by two or more
	Weaker  Trait = "weaker" // than the creature whose ability it is; for effects only
	Boosted Trait = "boosted"
)

// Count is how many creatures an effect applies to.
type Count string

const (
	Some Count = "some" // N, or all if there are fewer; but with Shared none if fewer share a power
	UpTo Count = "up-to"
	All  Count = "all"
	Any  Count = "any" // any number of creatures, for boosts that are divided among them
)

// Side says whose creatures are selected. The value AnySide stands for both players, because
// "A creature" in a card's text includes one's own.
type Side string

const (
	AnySide     Side = "any"
	Enemy       Side = "enemy"
	Allied      Side = "allied"
	OtherAllied Side = "other" // not the creature itself
	This        Side = "this"  // only the creature itself
)

// Condition is a condition of a step or of a rule. The condition of a step is checked when the
// step begins. The condition of a rule is checked all the time.
type Condition string

const (
	Always         Condition = ""
	FewerCreatures Condition = "fewer"
	MoreCreatures  Condition = "more"
	OwnTurn        Condition = "own-turn"
	OnlyCreature   Condition = "only"
	OneLife        Condition = "one-life"
	NoDiscards     Condition = "no-discards"
	EqualAllies    Condition = "equal-allies" // two of one's own creatures have the same power
	TwoCreatures   Condition = "two-creatures"
	ThreeEnemies   Condition = "three-enemies"
	NoMindbugs     Condition = "no-mindbugs"
)

// Rule is a permanent ability. A rule of Kind.Always is in force while its card is in play
// (001 "Autres capacités", Capacités permanentes). A rule of Kind.InDiscard is in force while
// its card lies in a discard pile (Dans la défausse). The Gift of a step is a rule that is in
// force until the turn ends.
type Rule struct {
	While     Condition
	Ruling    Ruling
	Creatures Creatures // the creatures it is about: this one, or all of a kind
	Power     int       // to add, negative for less; for BlockedNear and LosesMore see Ruling
	Per       bool      // Power for each other allied creature
	Dice      int       // dice to add when Creatures attack
	Keywords  Keywords

	Printed string // its words, if the card language cannot say them; then there is no Ruling
	noRow   bool   // only rules before 4 could read Printed
	Unknown bool   // not entered yet
	said    cardfile.Slot
}

// Ruling is the kind of a permanent ability. In the comments below, Creatures, Power and
// Keywords are fields of Rule, and "this" is the creature that has the ability.
type Ruling string

const (
	Have          Ruling = "have"           // Creatures have more Power, or Keywords
	Mirror        Ruling = "mirror"         // this has each of the Keywords that an enemy creature has
	NotBlockedBy  Ruling = "not-blocked-by" // Creatures cannot block this
	CannotBlock   Ruling = "cannot-block"   // Creatures cannot block
	SilencesPlays Ruling = "silence"        // Play effects of opponents do not trigger
	CannotAttack  Ruling = "cannot-attack"  // Creatures cannot attack
	CannotHunt    Ruling = "cannot-hunt"    // this cannot choose Creatures as a Hunter
	RollMore      Ruling = "roll-more"      // one more throw of the dice
	Idle          Ruling = "idle"           // Creatures can neither attack nor block
	BlockedNear   Ruling = "blocked-near"   // only creatures whose power differs by at most Power block this
	Upside        Ruling = "upside"         // this fights so that the higher power is defeated
	LosesMore     Ruling = "loses-more"     // whenever the opponent loses life, they lose Power more
	MustHunt      Ruling = "must-hunt"      // the opponent attacks this with a hunter if able
)
