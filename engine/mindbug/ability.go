package mindbug

// Kind is a card as it is printed.
type Kind struct {
	ID       string
	Names    map[string]string // by language: en, fr
	Set      string            // the box it comes from
	Copies   int
	Power    int
	Dice     int // 002 "Symbole de Lancer de dé"
	Keywords Keywords

	Energy bool // an Energy card and no creature
	Price  int  // of it

	Play, Attack, Defeated, Action Ability
	Effect                         Ability // of an Energy card
	LifeLost                       Ability // while it lies in the discard pile of who loses life
	Always                         []Rule  // in force while it is in play
	Unruled                        bool    // what it always does is not known
}

// Keywords is a set of them.
type Keywords uint8

const (
	Frenzy     Keywords = 1 << iota // attacks twice in a turn
	Hunter                          // its player may choose who blocks
	Poisonous                       // defeats whatever it fights
	Sneaky                          // only sneaky creatures block it
	Tough                           // is tilted the first time it would be defeated
	noKeywords Keywords = 0
)

// An Ability is what a card does when something triggers it, read from a few
// plain words: "defeat an enemy creature with power 6 or more".
type Ability struct {
	Steps   []Step
	Unknown bool // nobody has entered it yet: players resolve it by hand
}

func (a *Ability) none() bool { return !a.Unknown && len(a.Steps) == 0 }

// A Step is one effect of an ability.
type Step struct {
	If   Condition
	May  bool // its player chooses whether it resolves
	Do   Effect
	N    int // life, or cards
	What Creatures
	Card Filter // PlayCard, DrawCard
	From Pile
	Gift Rule // ThisTurn
}

// A Filter says which cards of a pile.
type Filter struct {
	With string // "play", "defeated": cards with such an effect
	Low  int    // the least printed power; 0: any
}

// An Effect is a verb of the card language. The player of an effect is who
// controls the creature.
type Effect uint8

const (
	GainLife Effect = iota + 1
	LoseLife
	OpponentLoses
	OpponentKeeps    // all life is lost but N
	LifeAsOpponent   // one's own life becomes as much as the opponent's
	OpponentDiscards // N cards, the opponent's choice
	Steal            // N cards of the opponent's hand, at random
	DrawDiscard      // the whole pile of one's own
	PlayCard         // one Card From a pile
	DrawCard         // one Card From a pile into one's hand
	PlayGiven        // a card of the opponent's hand, the opponent's choice
	PlayOrKeep       // the same, or it goes to one's hand
	PlayThis         // the card itself, out of the discard pile
	Defeat           // What
	TakeControl      // What
	Return           // What to one's hand
	TriggerPlay      // of What
	GainEnergy       // N cubes
	EnergyPerEnemy   // N cubes for each enemy creature
	TakeEnergyCard   // one of the row, for nothing
	TakeTopEnergy    // the top one of the deck, for nothing
	ThisTurn         // Gift holds
	StopBlock        // What cannot block this turn
)

// A Pile is where a card comes from.
type Pile uint8

const (
	OwnDiscard Pile = iota + 1
	TheirDiscard
	AnyDiscard
	OwnHand
	Unused
)

// Creatures says which and how many.
type Creatures struct {
	Count Count
	Most  int // UpTo
	Side  Side
	Low   int // the least power; 0: any
	High  int // the greatest power; 0: any
	Power Extreme
}

// An Extreme is the greatest or least power among the creatures of a side, of
// both sides where none is named.
type Extreme uint8

const (
	Highest Extreme = iota + 1
	Lowest
)

// A Count is how many creatures an effect takes hold of.
type Count uint8

const (
	One Count = iota
	UpTo
	All
)

// A Side is whose creatures. Without one, creatures are those of both: "A
// creature" in a card's text includes one's own.
type Side uint8

const (
	AnySide Side = iota
	Enemy
	Allied
	OtherAllied // not the creature itself
	This        // only the creature itself
)

// A Condition is checked when its step begins, or all the time for a rule.
type Condition uint8

const (
	Always Condition = iota
	FewerCreatures
	MoreCreatures
	OwnTurn
	OnlyCreature
	OneLife
)

// A Rule is in force as long as its card is in play: "Autres capacités",
// Capacités permanentes.
type Rule struct {
	While    Condition
	Is       Ruling
	Who      Creatures // whom it is about; this creature, or all of some
	Power    int
	Per      bool // Power for each other allied creature
	Dice     int
	Keywords Keywords
}

// A Ruling is what a permanent ability says.
type Ruling uint8

const (
	Have          Ruling = iota + 1 // Who have more Power, or Keywords
	Mirror                          // this has those of the Keywords that an enemy creature has
	NotBlockedBy                    // Who cannot block this
	CannotBlock                     // Who cannot block
	SilencesPlays                   // Play effects of opponents do not trigger
	CannotAttack                    // Who cannot attack
	CannotHunt                      // this cannot choose Who as a Hunter
	RollMore                        // one more throw of the dice
)
