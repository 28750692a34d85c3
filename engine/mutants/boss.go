package mutants

import (
	"cmp"
	"slices"
	"strings"

	"tableside/engine"
)

const (
	maxHealth   = lastPrinted // FR "Mise en place": it is shown on the score track
	maxWeakness = 20          // of one card; with more no boss would be worth playing against
	toughHealth = 10          // FR "Défis supplémentaires", "Ultrarésistant"
)

// A Boss is an opponent in the Uprising: FR "Anatomie d'une carte Boss".
type Boss struct {
	ID      string
	Names   engine.Wording
	Health  int     // at the start; 0 means unknown
	SetUp   Ability // of its set-up face
	Power   Ability // of its special-power face
	StandIn bool    // made up for this project
}

// An Action holds the fields that a card has only if it belongs to a boss. The Deploy and
// Leave abilities of such a card resolve for the boss.
type Action struct {
	Boss     string // whose card it is
	Copies   int
	Arrow    Zone // the flank to which it moves: InLeft, InRight; 0 is unknown
	Weakness Weakness
}

// A Weakness says how the player can hurt the boss through a card (FR "Faiblesses"). The zero
// value means that the card has no weakness.
type Weakness struct {
	N       int // health that the boss loses; -1 is unknown
	Exploit Exploit
	noRow   bool // only rules before 4 could read its words
}

// An Exploit is the event or condition that exploits a weakness. Exactly one of its fields is
// set. If there is no weakness, no field is set.
type Exploit struct {
	Unknown bool      // not entered yet: players say when it is exploited
	Other   bool      // something without a word in the card language: players say when it is exploited
	Down    bool      // the card is knocked down
	Trigger Trigger   // the player does this
	If      Condition // this holds for the player
}

// boxDecks holds the number of action cards of each boss in the box. The numbers are from
// reviews, which only speak of "cards". It is not known whether these numbers include the
// boss's own card.
var boxDecks = map[string]int{"singularity-wizard": 13, "jack-ice": 21}

func (d *Data) deck(boss string) int {
	n := 0
	for _, k := range d.Kinds {
		if k.Action != nil && k.Action.Boss == boss {
			n += k.Action.Copies
		}
	}
	return n
}

func (d *Data) complete(b *Boss) bool {
	if len(removeTitleFields(bossFields.Gaps(b))) > 0 {
		return false
	}
	return !slices.ContainsFunc(d.Kinds, func(k Kind) bool {
		return k.Action != nil && k.Action.Boss == b.ID && k.Action.Copies > 0 &&
			len(removeTitleFields(actionFields.Gaps(&k))) > 0
	})
}

// String returns a weakness as a card file writes it.
func (w Weakness) String() string {
	switch w {
	case Weakness{}:
		return "none"
	case unknownWeakness:
		return "?"
	}
	return rows().Write(engine.English, w.said())
}

// Text returns a weakness as people read it.
func (w Weakness) Text() engine.Text {
	if w == unknownWeakness {
		return engine.T("does.unknown")
	}
	return sentence(w.said())
}

// bossOptions returns the options of the Uprising edition. The last two options are from FR
// "Défis supplémentaires". A boss that is only in the owner's file cannot be chosen by key.
// For such a boss, the option "own-boss" takes the id.
func (d *Data) bossOptions() []engine.Option {
	bosses := []string{"any"}
	for i := range d.Bosses {
		bosses = append(bosses, d.Bosses[i].ID)
	}
	return []engine.Option{
		{Name: "boss", Default: "any", Values: bosses},
		{Name: "own-boss", Default: "", Advanced: true},
		{Name: "tough", Default: "off", Values: []string{"off", "on"}},
		{Name: "without", Default: "none", Values: append([]string{"none"}, geneNames[:]...)},
	}
}

// addBoss adds the boss and the challenges that a setup has chosen to the rules of the match.
// If there is no such boss, addBoss returns an error.
func (r *rules) addBoss(setup engine.Setup) error {
	boss, err := r.data.chosenBoss(setup.Option("boss"), setup.Option("own-boss"))
	if err != nil {
		return err
	}
	r.boss = boss
	if setup.Option("tough") == "on" {
		r.extraHealth = toughHealth
	}
	if i := slices.Index(geneNames[:], setup.Option("without")); i >= 0 {
		r.bannedGenes = []Gene{Gene(i)}
	}
	return nil
}

// chosenBoss returns the boss that a match is played against. If ownID is not "", chosenBoss
// returns the boss with that id. Otherwise it returns the boss whose id is the given name, or
// for the name "any", the result of anyBoss. If there is no boss with the id, chosenBoss
// returns an error.
func (d *Data) chosenBoss(name, ownID string) (*Boss, error) {
	if ownID == "" && name == "any" {
		return d.anyBoss(), nil
	}
	known := func(b Boss) bool { return b.ID == cmp.Or(ownID, name) }
	if i := slices.IndexFunc(d.Bosses, known); i >= 0 {
		return &d.Bosses[i], nil
	}
	if ownID == "" {
		return nil, engine.NewSetupError("setup.boss-stand-in", "name", name)
	}
	ids := make([]string, len(d.Bosses))
	for i := range d.Bosses {
		ids[i] = d.Bosses[i].ID
	}
	return nil, engine.NewSetupError("setup.boss", "name", ownID, "known", strings.Join(ids, ", "))
}

// anyBoss returns a boss that is completely known. The owner's bosses come first, then the
// bosses of the box, and made-up bosses last. If no boss is completely known, anyBoss returns
// the first boss of the box.
func (d *Data) anyBoss() *Boss {
	best, rank := &d.Bosses[0], 1
	for i := range d.Bosses {
		b, its := &d.Bosses[i], 2
		if b.StandIn {
			its = 1
		}
		if its >= rank && d.complete(b) {
			best, rank = b, its
		}
	}
	return best
}

// bannedCard is the card that no gene pool of the Uprising may have: FR "Mise en
// place", IMPORTANT.
const bannedCard = "valkyrie"

// barred reports whether a card has a gene that the challenge forbids: FR
// "Défis supplémentaires", "Réserve de Gènes limitée".
func (r *rules) barred(k *Kind) bool {
	return slices.ContainsFunc(k.Genes, func(g Gene) bool { return slices.Contains(r.bannedGenes, g) })
}

// forbids returns an error if a card cannot be in a gene pool. A card whose genes are only
// inferred is not forbidden because of its genes. There is a notice about such a card instead.
func (r *rules) forbids(k *Kind) error {
	switch {
	case r.boss == nil:
		return nil
	case k.ID == bannedCard:
		return engine.NewSetupError("setup.pool-reserved", "card", engine.CardWord(k.ID))
	case r.barred(k) && !k.Inferred:
		return engine.NewSetupError("setup.pool-gene", "card", engine.CardWord(k.ID), "gene", r.bannedGenes[0].Word())
	}
	return nil
}

// construct fills the gene pool of a hero who has declared none. It takes two copies of each
// of the first mutants that may be in the pool. For a start, the rulebook recommends six
// different mutants (FR "Mode ADN construit").
func (g *gatheredPool) construct() error {
	for i := range g.rules.data.Kinds {
		kind := &g.rules.data.Kinds[i]
		if len(g.pool) == poolSize || !kind.advanced() || g.rules.barred(kind) || g.rules.forbids(kind) != nil {
			continue
		}
		if err := g.add(kind.ID, maxCopies); err != nil {
			return err
		}
	}
	return nil
}
