package mutants

import "slices"

func (s *state) meets(src source, t *Test) bool {
	for i := range t.Clauses {
		if s.meetsOne(src, &t.Clauses[i]) == t.Any {
			return t.Any
		}
	}
	return !t.Any
}

func (s *state) meetsOne(src source, c *Clause) bool {
	switch c.Condition {
	case IfCount:
		n := s.count(src, c.Count)
		switch c.Comparison {
		case AtMost:
			return n <= c.N
		case Exactly:
			return n == c.N
		}
		return n >= c.N
	case IfThisActive:
		return (src.slot == InActive) != c.Not
	case IfThisLeft:
		return (src.slot == InLeft) != c.Not
	case IfThisRight:
		return (src.slot == InRight) != c.Not
	}
	return s.holds(src.p, c.Condition) != c.Not
}

func (s *state) onTop(p *player) bool { return s.power.space(p.index) == s.rules.board.Spaces }

func (s *state) amount(src source, step *Step) int {
	if step.Per == (Count{}) {
		return step.N
	}
	return step.N * s.count(src, step.Per)
}

// performCounted resolves a step that says "for each". It first counts the amount, and then
// resolves the step for this amount. If the amount depends on a freeze value that nobody has
// entered, performCounted asks the players for the freeze value. If the amount is 0, nothing
// changes.
func (s *state) performCounted(src source, step *Step) {
	if c := s.valued(src, step.Per); c != nil && s.freezeValueOf(c.kind).Unknown {
		s.askFreezeValue(c, func() { s.performCounted(src, step) })
		return
	}
	plain := *step
	plain.N, plain.Per = s.amount(src, step), Count{}
	if plain.N > 0 {
		s.perform(src, &plain)
	}
}

// count returns the number of the things that a condition or the words "for each" speak of.
// The things are those of the source's player. In an attack, this is the target. If
// subject.Attacker is set, the things are those of the attacker.
func (s *state) count(src source, subject Count) int {
	p := src.p
	if subject.Attacker && src.card != nil {
		p = src.card.player
	}
	switch subject.Item {
	case Mutants, OtherMutants, DownMutants, ArenaGenes:
		return countCards(p.arena, subject, func(c *card) bool {
			return c.down == (subject.Item == DownMutants) && (subject.Item != OtherMutants || c != src.card)
		})
	case FrozenCards, FrozenGenes:
		return countCards(p.freeze, subject, anyCard)
	case DiscardedCards:
		return countCards(p.discard, subject, anyCard)
	case HandCards:
		return p.hand
	case DeckCards:
		return p.deck
	case PoolCards:
		return p.pooled()
	case Those:
		if src.note != nil {
			return src.note.n
		}
	case FreezeThis, FreezeThat:
		return s.currentValue(s.valued(src, subject))
	default:
		return s.countOpponents(p, subject.Item)
	}
	return 0
}

func anyCard(*card) bool { return true }

// countCards counts the cards for which the given function returns true. If subject.ByGene is
// set, it counts only the cards with the gene subject.Gene, and no unnamed cards (nil). For
// ArenaGenes and FrozenGenes, it then counts each card as often as the card has the gene. If
// subject.ByGene is not set, it counts all unnamed cards.
func countCards(cards []*card, subject Count, counts func(*card) bool) int {
	n := 0
	for _, c := range cards {
		switch {
		case c == nil && subject.ByGene || c != nil && !counts(c):
		case !subject.ByGene:
			n++
		case subject.Item == ArenaGenes || subject.Item == FrozenGenes:
			for _, g := range c.kind.Genes {
				if g == subject.Gene {
					n++
				}
			}
		case slices.Contains(c.kind.Genes, subject.Gene):
			n++
		}
	}
	return n
}

func (s *state) countOpponents(p *player, which CountItem) int {
	n := 0
	for _, o := range s.players {
		counts := o != p
		switch which {
		case OpponentsDominating:
			counts = counts && s.power.isAhead(o.index, p.index)
		case OpponentsDominated:
			counts = counts && s.power.isAhead(p.index, o.index)
		case OpponentsInRedZone:
			counts = counts && s.inRedZone(o)
		case OpponentsOnTop:
			counts = counts && s.onTop(o)
		}
		if counts {
			n++
		}
	}
	return n
}

func (s *state) valued(src source, what Count) *card {
	switch {
	case what.Item == FreezeThat && src.note != nil && src.note.card != nil:
		return src.note.card
	case what.Item == FreezeThis || what.Item == FreezeThat:
		return src.card
	}
	return nil
}

// currentValue returns the present freeze value of a card. If the card is nil, the value is 0.
// A variable value is zero while the card is not frozen (EN "Variable Freeze Value", FR
// "Valeur de gel variable").
func (s *state) currentValue(c *card) int {
	if c == nil || s.freezeValueOf(c.kind).Per && c.zone != InFreeze {
		return 0
	}
	return s.freezeValue(c.player, c)
}

// A note records the cards that a part of an ability applied to. A later part may refer to
// these cards. The note holds the last of these cards, and how many they are. At first, it
// holds the card that triggered the ability. If the ability answers an attack, the note also
// holds the attacker.
type note struct {
	card     *card
	n        int
	attacker *player
}

func (src source) noteCards(next func(c *card, from Zone)) func(c *card, from Zone) {
	if src.note == nil {
		return next
	}
	return func(c *card, from Zone) {
		src.note.card = c
		src.note.n++
		next(c, from)
	}
}

func (a *Ability) notes(set cause) *note {
	if !a.remembers && set.attacker == nil {
		return nil
	}
	return &note{card: set.card, attacker: set.attacker}
}
