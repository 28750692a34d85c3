package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
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

	Powers Powers        // of a character; on an ability, the powers for which Super counts
	Place  string        // where a gear is worn
	Does   []Step        // of a character: in each battle in which it fights
	said   cardfile.Slot // what it does, as it was read

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
	return slices.ContainsFunc(k.Does, func(s Step) bool { return s.has(e) })
}

func (k *Kind) isByHand() bool {
	return slices.ContainsFunc(k.Does, func(s Step) bool { return s.Do == ByHand })
}

// has reports whether a step has an effect, also as its price or as one that may be chosen.
func (s *Step) has(e Effect) bool {
	return s.Do == e || s.Price != nil && s.Price.has(e) ||
		slices.ContainsFunc(s.Either, func(one Step) bool { return one.has(e) })
}

func (k *Kind) markers() int { return sum(k.Markers[:], func(n int) int { return n }) }

// A Step is one thing that a card does: a row of the card language, with the values of its slots.
type Step struct {
	Do    Effect
	Whom  string // the row for the player or players; "" for the player of the card
	Which string // the row for which characters or dice, or which token, side, marker or place
	N     int    // how many, or the new face of a die
	Power Powers // HasPower

	When   string // the row for what must happen; "" for a battle, or for a card that is used at once
	Also   bool   // it happens even if what stands before it is declined
	May    bool   // its player chooses whether it happens
	Either []Step // of which its player chooses one
	Price  *Step  // what has to be done first

	If       string // the row for a condition; "" for none
	Needs    Powers // of the condition: one of these
	Category string // of the condition: a marker of this category

	Printed string // ByHand: the words on the card
	noRow   bool   // only rules before 4 could read Printed
	said    cardfile.Slot
}

// An Effect is the id of a row of the card language. In the comments below, N is the field N of
// its Step.
type Effect string

const (
	Draw        Effect = "draw"
	Discard     Effect = "discard"
	DiscardHand Effect = "discard-hand"
	GainHealth  Effect = "gain-health"
	LoseHealth  Effect = "lose-health"
	TakeToken   Effect = "token"
	LoseToken   Effect = "lose-token"
	Heal        Effect = "heal" // in a battle, after all damage (004 "Heal Minor Wound")
	Wound       Effect = "wound"
	Tire        Effect = "tire"
	Destroy     Effect = "destroy"
	Return      Effect = "return" // N characters of the gene pool into play (004 "Le dé Spécial")
	Graft       Effect = "graft"
	GivePower   Effect = "give-power" // infinite power to a character (004 "Le dé Spécial")
	SwapPools   Effect = "swap-pools" // those with the most and the fewest markers
	Reshuffle   Effect = "reshuffle"  // the discard pile into the deck

	// A battle has these. Those about a die wait until dice are on the table.
	Steal        Effect = "steal" // N cards of the opponent's hand
	ThrowDice    Effect = "throw" // N dice more or fewer in this battle
	Reroll       Effect = "reroll"
	RerollBetter Effect = "reroll-better"
	TurnDie      Effect = "turn"   // to the face N
	ChangeDie    Effect = "change" // to what the players say
	AddToDie     Effect = "add"    // N
	Safe         Effect = "safe"   // the character is not captured in this battle

	// Only a gear has these.
	MoreDice   Effect = "plus"
	FewerDice  Effect = "minus"
	HasPower   Effect = "has-power"
	HasMarker  Effect = "has-marker" // whose colour counts for rerolls, and for nothing else
	Hasty      Effect = "hasty"
	BearerSafe Effect = "bearer-safe"
	WornOn     Effect = "worn" // sets the place of the card: see readEffects

	ByHand Effect = "by-hand" // what this language has no words for
)

// doers returns the types of the cards that can have an effect. If it is nil, no card can.
func (s *Step) doers() (types []Type) {
	for _, t := range []Type{Ability, Character, Event, Gear} {
		if s.fits(t) {
			types = append(types, t)
		}
	}
	return types
}

// fits reports whether cards of a type can have an effect.
func (s *Step) fits(t Type) bool {
	rerolls := s.Do == Reroll || s.Do == RerollBetter // of a gear, in each battle
	fighter := t == Ability || t == Character || t == Gear && (s.When == "battle" || rerolls)
	inBattle := s.When == "" || s.When == "battle"
	switch {
	case !inBattle && t != Character, s.When == "battle" && t == Event,
		(s.If == "attacking" || s.If == "defending") && !inBattle, s.If != "" && s.If != "no-cards" && !fighter:
		return false
	case len(s.Either) > 0:
		return !slices.ContainsFunc(s.Either, func(one Step) bool {
			one.When = s.When
			return !one.fits(t)
		})
	}
	switch s.Do {
	case ByHand:
		return true
	case MoreDice, FewerDice, HasPower, HasMarker, Hasty, BearerSafe, WornOn:
		return t == Gear
	case Reroll, RerollBetter, TurnDie, ChangeDie, AddToDie, ThrowDice, Steal, Safe:
		return inBattle && fighter
	}
	if s.Which == "this" {
		return t == Character
	}
	return fighter || t == Event && s.Whom != "opponent"
}
