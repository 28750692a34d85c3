package genegrafter

import (
	"iter"
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A card is one physical card.
type card struct {
	cardgame.Card
	condition
	kind *Kind

	host   *card   // of a graft or a gear
	grafts []*card // 004 "Phase de Genegrafter": under it
	gear   []*card
}

// A condition holds the status flags of a card. They are cleared when the card moves.
type condition struct {
	wounded     bool // 004 "Combattre", 8: turned by 90 degrees
	tired       bool // came into play this turn: 004 "Jouer un personnage"
	fought      bool // attacked this turn
	infinite    bool // the special die gave it infinite power
	gaveMarkers bool // the special die gave its markers to its host
}

// Card returns the card with the given name. If there is no such card, Card returns a refusal
// that gives the reason.
func (s *state) Card(name string) (*card, error) {
	if c := s.cardNamed(name); c != nil {
		return c, nil
	}
	id, _ := engine.SplitCopy(name)
	if kind := s.rules.data.kind(id); kind != nil {
		return nil, engine.Refuse("refusal.no-such-copy", "card", engine.CardWord(id), "n", kind.Copies, "name", name)
	}
	if s.rules.fullBox.data.kind(id) != nil {
		return nil, engine.Refuse("refusal.no-gear")
	}
	return nil, engine.Refuse("refusal.unknown-card", "name", name)
}

func (s *state) cardNamed(name string) *card {
	if i, ok := s.rules.index[name]; ok {
		return s.Cards[i]
	}
	return nil
}

// printed yields the Kind of a character, and then the Kinds of its grafts and of its gear.
func (c *card) printed() iter.Seq[*Kind] {
	return func(yield func(*Kind) bool) {
		for _, list := range [][]*card{{c}, c.grafts, c.gear} {
			for _, part := range list {
				if !yield(part.kind) {
					return
				}
			}
		}
	}
}

// powers returns the super powers of a character. They include the powers that its grafts and
// gear add (004 "Phase de Genegrafter").
func (c *card) powers() Powers {
	var p Powers
	for k := range c.printed() {
		p |= k.Powers
		for i := range k.Does {
			p |= k.Does[i].Power
		}
	}
	if c.infinite {
		p |= InfinitePower
	}
	return p
}

// matches reports whether a character has one of the powers of an ability. The power may be
// that of the character, a graft or a gear. Infinite power matches each power (004
// "Combattre", 6).
func (c *card) matches(ability *Kind) bool {
	powers := c.powers()
	return powers&InfinitePower != 0 && ability.Powers != 0 || powers&ability.Powers != 0
}

// colours reports for each category whether a character, its grafts or its gear have a genetic
// marker of this category.
func (c *card) colours() [categoryCount]bool {
	var has [categoryCount]bool
	for k := range c.printed() {
		for i, n := range k.Markers {
			has[i] = has[i] || n > 0
		}
		for i := range k.Does {
			if step := &k.Does[i]; step.Do == HasMarker {
				has[slices.Index(categoryNames, step.Which)] = true
			}
		}
	}
	return has
}

// strength returns the number of dice that a character throws for itself. The side says
// whether the character attacks or defends. Gear may add dice. Grafts add no dice.
func (c *card) strength(side int) int {
	n := []int{attackSide: c.kind.Attack, defenceSide: c.kind.Defence}[side]
	for _, g := range c.gear {
		for i := range g.kind.Does {
			switch step := &g.kind.Does[i]; {
			case step.Which != sideNames[side]:
			case step.Do == MoreDice:
				n += step.N
			case step.Do == FewerDice:
				n -= step.N
			}
		}
	}
	return n
}

func (c *card) countGenes() int {
	n := c.kind.markers()
	for _, g := range c.grafts {
		if g.gaveMarkers {
			n += g.kind.markers()
		}
	}
	return n
}

func (p *player) genes() int {
	return sum(p.pool, (*card).countGenes) + sum(p.play, (*card).countGenes)
}
