package mutants

import (
	"tableside/engine"
	"tableside/engine/cardfile"
)

// An Ability is what the words beside an icon do, such as "gain 2 power, then cycle 1". The
// zero value does nothing.
type Ability struct {
	Trigger Trigger // the event that an Ongoing ability waits for
	Steps   []Step
	Unknown bool   // not entered yet: players resolve it by hand
	Printed string // its words, if the card language cannot say them; then Unknown is set

	noRow      bool          // only rules before 4 could read Printed
	said       cardfile.Slot // from which Steps were read
	remembers  bool          // a part refers to cards of an earlier part, or of the trigger
	transforms bool          // a part is Transform
}

// A Step is one part of an ability. A part is one effect, or several effects joined by "and".
// If there are several effects, the fields of the Step describe the first effect, and the
// field And holds the others.
type Step struct {
	If    Test
	May   bool   // the player chooses whether it resolves
	Also  bool   // it resolves even if a part before it was declined
	Price []Step // paid in full first; if that is impossible, the part does nothing

	Do     Effect
	N      int   // how much power, or how many points or cards; 0 means one card
	UpTo   bool  // fewer than N will do
	Per    Count // the effect is N for each of these; the zero value means just N
	Random bool  // Discard: the cards are chosen at random

	// The cards that the effect applies to, and where it puts them.
	Object Object
	To     Zone

	Copies Timing // Copy: which abilities may be copied

	Targets Targets // Attack: who is attacked
	Attack  []Step  // Attack: the effects on each target

	Or   []Step // Choose: one of these resolves
	And  []Step // more effects under the same condition, "may" and price
	Else []Step // replaces the part if its condition does not hold

	said cardfile.Slot // of one of Or: from which it was read
}

// An Effect is a row of the card language. The comments below mention fields of the Step,
// such as N and Object.
type Effect uint8

const (
	GainPower Effect = iota + 1
	LosePower
	Draw      // N cards
	Discard   // N cards of the hand
	Cycle     // draw N, then discard as many as were drawn
	Freeze    // Object
	KnockDown // Object
	FlipUp    // Object: knocked-down mutants
	GainCard  // a face-up mutant of the gene pool, To a zone
	Take      // Object, To a zone
	Deploy    // Object: one more card comes into the active slot
	Transform
	Copy       // an ability of another mutant, which Object names; Copies says which ability
	Attack     // Targets
	Heal       // N health, of the boss
	GainPoints // N victory points
	LosePoints
	Swap   // the mutants of the left and the right slot
	Ignore // of a Block: the attack is blocked, and nothing else happens
	Choose // Or
	DiscardHand
	Shuffle // the discard pile into the deck
)

// An Object says which cards or mutants an effect applies to.
type Object uint8

const (
	This            Object = iota + 1 // the mutant whose ability it is
	AMutant                           // a face-up mutant in the arena, its owner's choice; for FlipUp a knocked-down one
	AllMutants                        // every face-up mutant; for FlipUp every knocked-down one
	SameSlot                          // the mutant in the slot that the attacking one is or was in
	FromHand                          // a card of the hand
	FromDiscard                       // a card of the discard pile
	FromPool                          // a face-up card of the gene pool
	AnotherInArena                    // another face-up mutant in one's own arena
	AnotherAnywhere                   // Copy: in the arena, the hand, the discard pile or the gene pool
	InActiveSlot                      // the mutant in the active slot; one of them if there are several
	InLeftSlot
	InRightSlot
	Incubated // the card in the incubator
	DeckTop   // the top card of the deck
	AllOthers // every face-up mutant but this one
)

// A Timing says when an ability resolves. In Step.Copies, it may hold both OnDeploy and
// OnLeave.
type Timing uint8

const (
	OnDeploy Timing = 1 << iota
	OnLeave
)

// Targets says whom an attack is aimed at.
type Targets uint8

const (
	EachOpponent   Targets = iota + 1
	Dominating             // each opponent who dominates the attacker
	Dominated              // each opponent whom the attacker dominates
	InRedZone              // each opponent whose marker is in the Red Zone
	ChosenOpponent         // one opponent, the attacker's choice
	OnTop                  // each opponent whose marker is in the Top Space
	Leader                 // the opponent who dominates everybody, if one does
	Attacker               // the attacker: only in answers to an attack
	EachPlayer             // each opponent is attacked, and the player of the effect carries it out too

	OneOf Targets = 16 // combined with one above: one of those opponents, the attacker's choice
)

// A Condition is a fact about a player.
type Condition uint8

const (
	Always          Condition = iota
	InTopSpace                // "in the top space": one's own marker
	IfInRedZone               // "in the red zone"
	IfDominated               // "dominated": by any opponent
	IfDominating              // "dominating": any opponent
	IfIncubating              // "incubating": a card is in the incubator
	IfNotDominating           // "not dominating": dominated by all
	IfThisActive              // the mutant is in the active slot, or was when it left
	IfThisLeft
	IfThisRight
	IfDominatingAll // "dominating each opponent"
	IfCount         // a count, compared with a number
)

// A Test holds the conditions of a part. The conditions are checked when the part begins. If
// there are no conditions, as in the zero value, the part always resolves.
type Test struct {
	Any     bool // one clause is enough ("or"); else all are needed ("and")
	Clauses []Clause
}

// A Clause is one condition of a test.
type Clause struct {
	Condition Condition
	Not       bool

	// For the condition IfCount: how the count must compare with N.
	Comparison Comparison
	N          int
	Count      Count
}

// A Comparison says how a count must compare with a number.
type Comparison uint8

const (
	AtLeast Comparison = iota + 1
	AtMost
	Exactly
)

// A Count says what is counted after "for each" or in a condition.
type Count struct {
	Item     CountItem
	ByGene   bool
	Gene     Gene // only those with this gene, if ByGene
	Attacker bool // in an attack, counts what the attacker has, not what the target has
}

// A CountItem is a kind of thing that can be counted.
type CountItem uint8

const (
	Mutants      CountItem = iota + 1 // face-up in the arena
	OtherMutants                      // except the one whose ability it is
	DownMutants                       // face-down in the arena
	HandCards
	FrozenCards
	DiscardedCards
	DeckCards
	PoolCards
	ArenaGenes // genes of one kind, as printed, of face-up mutants in the arena
	FrozenGenes
	Opponents
	OpponentsDominating
	OpponentsDominated
	OpponentsInRedZone
	OpponentsOnTop
	Those      // cards that the part before applied to
	FreezeThis // the freeze value of the mutant whose ability it is
	FreezeThat // freeze value of the card of the part before, or of the trigger; else FreezeThis
)

// A Trigger names the event that an ongoing ability waits for.
type Trigger uint8

const (
	NoTrigger Trigger = iota
	EachFreeze
	EachBreed
	EachIncubate
	EachDeploy
	EachBlock
	EachAttacked // an opponent's attack, blocked or not
	EachTurn     // one's own turn begins
	EachAttack   // one's own attack that has a target, blocked or not
	EachGain     // one gains a mutant by the Gain ability
	EachCycle
	EachLeave // a mutant leaves one's arena
	EachTransform
	EachCrush
	EachCrushed // an opponent crushes
	EachDown    // one of one's own mutants is knocked down
	EachTurnEnd // one's own turn ends

	OfOpponent Trigger = 64  // combined with one of the above: an opponent's event
	OfOther    Trigger = 128 // combined with EachFreeze: of another mutant
)

// A Gene is one of the six types of mutants.
type Gene uint8

const (
	Cyber Gene = iota
	Necro
	Saber
	Zoomorph
	Galactic
	Mythic
	geneCount
)

// Value is a card's freeze value.
type Value struct {
	Unknown bool
	N       int
	Per     bool // N for each Gene among the frozen cards
	Gene    Gene
}

// Kind holds the data printed on a card.
type Kind struct {
	ID       string
	Names    engine.Wording
	Basic    bool
	Genes    []Gene
	keywords []string // the genes, as displays name them
	Inferred bool     // the genes are a guess: they may lead to a warning, never to a refusal
	Draft    bool     // one of the unique cards that a draft deals
	Freeze   Value

	Deploy, Leave, Block, Ongoing Ability

	Printed string // all words on the card, where its owner has entered them

	Action  *Action // FR "La Révolte": what only a boss's action card has; nil for mutants
	StandIn bool    // parts of it were made up for this project
}

// Precon is a ready-made gene pool. The pool has two copies of each card that Precon lists.
type Precon struct {
	ID    string
	Names engine.Wording
	Cards []string

	columns []int // the column of each card in the statement, for errors
}

// Board holds the numbers printed on the main board. An unknown number is 0, and an
// unknown number of points is -1.
type Board struct {
	Spaces  int // of the Power Track
	RedZone int // how many spaces of the track, at its low end
	Rounds  []Points
	StandIn bool
}

// Points holds the victory points in the two boxes of a round. The red box is for the first
// place. The black box is for the places between first and last. The number -1 means that the
// points are unknown.
type Points struct{ Red, Black int }

// Data holds all facts from the box: cards in printed order, and the board.
type Data struct {
	Kinds   []Kind
	Precons []Precon
	Board   Board
	Bosses  []Boss // of the Uprising

	filledGaps []Gap // the gaps that made-up values fill, in printed order
}
