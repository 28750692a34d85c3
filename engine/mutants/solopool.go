package mutants

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"tableside/engine"
)

// reserved is a card that no gene pool of the Uprising may have: FR "Mise en
// place", IMPORTANT.
const reserved = "valkyrie"

// barred reports whether a card has a gene that the challenge forbids: FR
// "Défis supplémentaires", "Réserve de Gènes limitée".
func (r *rules) barred(k *Kind) bool {
	return slices.ContainsFunc(k.Genes, func(g Gene) bool { return slices.Contains(r.lacks, g) })
}

// forbids says why a card cannot be in a gene pool. Genes that are only
// inferred forbid nothing: there is a notice instead.
func (r *rules) forbids(k *Kind) error {
	switch {
	case r.boss == nil:
		return nil
	case k.ID == reserved:
		return engine.NewSetupError("setup.pool-reserved", "card", engine.CardWord(k.ID))
	case r.barred(k) && !k.Inferred:
		return engine.NewSetupError("setup.pool-gene", "card", engine.CardWord(k.ID), "gene", r.lacks[0].Word())
	}
	return nil
}

// construct is for a hero who has declared no gene pool: the first mutants
// that may be in it, two copies of each. FR "Mode ADN construit" recommends
// six different ones to begin with.
func (g *gathered) construct(engine.Setup) error {
	for i := range g.rules.data.Kinds {
		kind := &g.rules.data.Kinds[i]
		if len(g.pool) == poolSize || !kind.advanced() || g.rules.barred(kind) || g.rules.forbids(kind) != nil {
			continue
		}
		if err := g.add(kind.ID, mostCopies); err != nil {
			return err
		}
	}
	return nil
}

// bossDeck is the boss's shuffled deck at a table that is only simulated.
func (s *state) bossDeck(chance *rand.Rand) engine.Pile {
	deck := engine.Pile{Place: s.boss.place(InDeck)}
	next := map[string]int{}
	for _, c := range s.boss.cards {
		next[c.kind.ID]++
		deck.Cards = append(deck.Cards, c.kind.ID+"."+strconv.Itoa(next[c.kind.ID]))
	}
	shuffle(chance, deck.Cards)
	return deck
}
