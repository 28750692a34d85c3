package genegrafter

import (
	"slices"

	"tableside/engine/cardfile"
)

// A Statement is one line of a card file, such as "card super-punch super 2". A statement sets
// one field of a card, of a category or of the box. The file docs/genegrafter-cards.md
// describes the format.
type Statement = cardfile.Statement

const (
	maxDice   = 20
	maxCopies = 9
	maxCards  = 99 // of a box
)

var (
	places  = []string{"head", "torso", "arms", "hands", "legs", "feet", "back", "neck"}
	colours = []string{"red", "blue", "green", "yellow", "orange", "purple", "white", "black"}
)

// meanings maps words that people may type to the words of the card files that they mean.
// People may type other spellings, and the French words of the rulebook.
var meanings = map[string]string{
	"catégorie": "category", "boîte": "box", "cartes": "cards", "color": "colour", "couleur": "colour",
	"genre": "kind", "type": "kind", "exemplaires": "copies", "attaque": "attack", "defense": "defence",
	"défense": "defence",
	"powers":  "power", "pouvoir": "power", "pouvoirs": "power", "marker": "markers", "marqueur": "markers",
	"marqueurs": "markers", "worn": "place", "emplacement": "place", "effect": "does", "effet": "does", "texte": "text",
	"personnage": "character", "capacité": "ability", "événement": "event", "evenement": "event", "équipement": "gear",
	"adn": "dna", "mentale": "mental", "énergie": "energy", "physique": "physical",
	"clairvoyant": "clairvoyance", "voyance": "clairvoyance", "chance": "luck", "ombre": "shadow", "lumière": "light",
	"télékinésie": "telekinesis", "pyrokinésie": "pyrokinesis", "gravité": "gravity", "électricité": "electricity",
	"régénération": "regeneration", "antimatière": "antimatter", "super-force": "super-strength",
	"cryokinésie": "cryokinesis", "kinétique": "kinetics", "radiations": "radiation", "cou": "neck",
	"body": "torso", "chest": "torso", "hand": "hands", "arm": "arms", "leg": "legs", "foot": "feet",
	"tête": "head", "torse": "torso", "bras": "arms", "mains": "hands", "jambes": "legs", "pieds": "feet", "dos": "back",
	"rouge": "red", "bleu": "blue", "vert": "green", "jaune": "yellow", "violet": "purple", "blanc": "white",
	"noir": "black",
}

func parseData(file, source string) ([]Statement, error) {
	return cardfile.Parse(file, source, parseStatement)
}

// ParseStatement reads one line of a card file. For an empty line, the Text of the result is
// "".
func ParseStatement(file string, line int, text string) (Statement, error) {
	return cardfile.ReadOne(file, line, text, parseStatement)
}

func parseStatement(l *cardfile.Line) (s Statement, err error) {
	l.Means(meanings)
	s = l.Statement()
	if s.Subject, err = l.Among("what a line begins with", []string{"card", "category", "box"}); err != nil {
		return s, err
	}
	switch s.IDAt = l.Column(); s.Subject {
	case "category":
		category, err := l.Among("a category", categoryNames)
		if err != nil {
			return s, err
		}
		return s, colourFields(category).Read(l, &s, "a field of a category")
	case "box":
		return s, boxFields.Read(l, &s, "a field of the box")
	}
	if s.ID, err = l.Identifier("a card", "super-punch"); err != nil {
		return s, err
	}
	return s, cardFields.Read(l, &s, "a field of a card")
}

var boxFields = cardfile.Schema[Data]{
	{Name: "cards", Control: cardfile.Control{Kind: cardfile.Number, Low: boxSize, High: maxCards, Aside: true},
		Read: orUnknown(cardfile.Value(
			func(l *cardfile.Line) (int, error) { return l.Number("the number of cards", boxSize, maxCards) },
			func(d *Data, n int) { d.cardCount = n }))},
	sixthFace,
}

// sixthFace is the field for the effect of the special die's sixth face. The project does not
// know this effect.
var sixthFace = named("sixth-face", cardfile.Text(func(d *Data) *string { return &d.SixthFace }))

func named(name string, f cardfile.Field[Data]) cardfile.Field[Data] {
	f.Name, f.Read = name, orUnknown(f.Read)
	f.Gap = func(d *Data) bool { return d.SixthFace == "" }
	return f
}

func colourFields(category string) cardfile.Schema[Data] {
	gap := func(d *Data) bool { return d.Colours[slices.Index(categoryNames, category)] == "" }
	return cardfile.Schema[Data]{{Name: "colour", Gap: gap,
		Control: cardfile.Control{Kind: cardfile.OneWord, Words: colours},
		Read: orUnknown(cardfile.Value(
			func(l *cardfile.Line) (string, error) { return l.Among("a colour", append(colours, "?")) },
			func(d *Data, colour string) { d.Colours[slices.Index(categoryNames, category)] = colour }))}}
}

func orUnknown[T any](read func(*cardfile.Line) (func(*T), error)) func(*cardfile.Line) (func(*T), error) {
	return func(l *cardfile.Line) (func(*T), error) {
		if l.Peek() == "?" {
			l.Next()
			return func(*T) {}, nil
		}
		return read(l)
	}
}
