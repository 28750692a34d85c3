package genegrafter

import (
	"slices"

	"tableside/engine"
)

// Kind holds what is known of a printed card.
type Kind struct {
	ID     string
	Names  engine.Wording
	Type   Type
	Copies int

	Attack, Defence int                // 004 "Carte personnage": dice
	Markers         [categoryCount]int // genetic markers of each colour

	// Base is the number of dice that an ability adds to its fighter. If the fighter has one
	// of the Powers, the ability adds the number Super instead (004 "Carte capacité").
	Category    Category
	Base, Super int

	Powers Powers // of a character; on an ability, the powers for which Super counts
	Place  string // where a gear is worn
	Does   []Step // of a character: in each battle in which it fights

	Printed string // the words on it, where its owner has entered them

	markerColours []string // colours of markers whose categories paint has still to find

	knownFields   Field // fields that have a value
	madeUpFields  Field // of these, the fields that this project made up
	invented      bool  // the project made up the whole card
	defaultCopies int   // how many copies there were before an owner's lines
	slot          bool  // one of the box's cards that nobody has named
	workingTitle  bool  // its name is this project's own
}

// A Type is one of the kinds of card: 004 "Explication des cartes".
type Type uint8

const (
	UnknownType Type = iota
	Character
	Ability
	Event
	Gear
	DNA
)

var typeNames = []string{
	UnknownType: "unknown", Character: "character", Ability: "ability", Event: "event", Gear: "gear", DNA: "dna",
}

// A Category is a kind of ability, and the colour of the genetic markers of this kind (004
// "Carte capacité"). If the colour is known, Data.Colours holds it.
type Category uint8

const (
	Mental Category = iota
	Energy
	Physical
	categoryCount
)

var categoryNames = []string{"mental", "energy", "physical"}

// Powers is a set of super powers: 004, the list after "Explication des
// cartes".
type Powers uint16

const (
	Clairvoyance Powers = 1 << iota
	Luck
	Radiation
	Shadow
	Kinetics
	Regeneration  // its character goes back to the deck instead of into a gene pool
	InfinitePower // counts as a power of every ability
	Pyrokinesis
	Gravity
	Telekinesis
	Antimatter
	Electricity
	Cryokinesis
	Light
	SuperStrength
)

var powerNames = []string{
	"clairvoyance", "luck", "radiation", "shadow", "kinetics", "regeneration", "infinite-power", "pyrokinesis",
	"gravity", "telekinesis", "antimatter", "electricity", "cryokinesis", "light", "super-strength",
}

// list names the powers, in the order of the rulebook.
func (p Powers) list() (names []string) {
	for i, name := range powerNames {
		if p&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// unknownFields returns the fields that nobody has entered yet. It never returns the effects
// of a character. Nobody is asked for these effects, because 004 "Carte personnage" shows no
// place for them.
func (k *Kind) unknownFields() Field {
	fields := fieldsOf[k.Type] &^ k.knownFields
	if k.Type == Character {
		fields &^= FieldDoes
	}
	return fields
}

func (k *Kind) hasEffect(e Effect) bool {
	return slices.ContainsFunc(k.Does, func(s Step) bool { return s.Do == e })
}

func (k *Kind) markers() int { return sum(k.Markers[:], func(n int) int { return n }) }

// A Step is one thing that a character, an ability, an event or a gear does.
type Step struct {
	Do       Effect
	N        int    // how many, or a number of pips: see Effect
	Power    Powers // GivesPower
	Category Category
	Printed  string // ByHand: the words on the card
	Colour   string // GivesMarker: the marker's colour, until paint finds its category
	Place    string // WornOn
	If       Powers // only for a character with one of these; none: for any
}

// An Effect is a verb of the card language. In the comments below, N is the field N of its
// Step.
type Effect uint8

const (
	HealOne          Effect = iota + 1 // 004 "Heal Minor Wound": after all damage
	RollAgain                          // one die, when dice are on the table
	RollBetter                         // one die, and the better result counts
	TurnDie                            // one die to N, when dice are on the table
	ChangeDie                          // one die to what the players say, when dice are on the table
	Draws                              // N cards
	OpponentDiscards                   // N cards, of the opponent in this battle
	RollOwn                            // one of the player's dice, when dice are on the table
	RollTheirs                         // one of the opponent's dice
	TurnOwn                            // one of the player's dice to N
	AddToOwn                           // adds N to the pips of one of the player's dice
	FewerDice                          // N dice fewer for the opponent in this battle
	GainsHealth                        // N
	TakesAttack                        // an attack token
	TakesDefence                       // a defence token
	OpponentsDiscard                   // N cards each
	Safe                               // the character is not captured in this battle

	DiscardHands // of all players
	Destroy      // each player one character
	SwapPools    // the gene pools with the most and the fewest markers
	EachDraws    // N cards
	MostLoses    // N health, the player with the most health
	HealAll      // characters in play
	EachDiscards // N cards
	TireAll      // characters in play
	TakesBoth    // an attack token and a defence token
	Reshuffles   // the discard pile into the deck
	EachLoses    // N health

	MoreAttack  // N dice for its wearer; fewer, if N is negative
	MoreDefence // N dice for its wearer
	GivesPower
	Hasty       // its wearer may attack on the turn in which it comes into play
	WornOn      // sets the place of the card: see readEffects
	GivesMarker // its colour counts for rerolls, and for nothing else

	ByHand // what this language has no words for
)

// doers returns the types of the cards that can do an effect.
func (e Effect) doers() []Type {
	switch {
	case e == RollAgain, e == RollBetter: // of a gear, in each battle
		return []Type{Ability, Character, Gear}
	case e <= Safe:
		return []Type{Ability, Character}
	case e <= EachLoses:
		return []Type{Event}
	case e <= GivesMarker:
		return []Type{Gear}
	}
	return []Type{Ability, Character, Event, Gear}
}
