package mutants

import (
	"slices"
	"strings"

	"tableside/engine/cardfile"
)

func pointsOf(lose bool) Effect {
	if lose {
		return LosePoints
	}
	return GainPoints
}

// points takes "victory points", or looks whether a number of them stands
// here.
func (p *parser) points(ahead bool) bool {
	before := *p.Parser
	if ahead {
		if _, err := p.Number(maxPoints); err != nil {
			return false
		}
	}
	found := p.TakeAll("victory", "points") || p.TakeAll("victory", "point") || p.TakeAny("points", "point", "vp", "vps")
	if ahead {
		*p.Parser = before
	}
	return found
}

// equal reads "power equal to this mutant's freeze value".
func (p *parser) equal(s *Step, lose bool) (bool, error) {
	switch {
	case p.boss:
		return false, nil
	case p.TakeAll("power", "equal", "to"), p.TakeAll("as", "much", "power", "as"):
	case p.TakeAll("victory", "points", "equal", "to"), p.TakeAll("points", "equal", "to"), p.TakeAll("as", "many", "victory", "points", "as"):
		s.Do = pointsOf(lose)
	default:
		return false, nil
	}
	var err error
	s.N = 1
	s.Per.Of, err = valuePhrases.Read(p.Parser, "a freeze value")
	return true, err
}

// forEach reads what a number counts for: "for each opponent".
func (p *parser) forEach(s *Step, attacked bool) error {
	if !p.TakeAll("for", "each") && !p.TakeAll("for", "every") && !p.Take("per") {
		return nil
	}
	var err error
	s.Per, err = p.count(eachPhrases, attacked)
	return err
}

// withGenes are what can be counted by gene: cards that everybody sees.
var withGenes = []Counted{Mutants, OtherMutants, FrozenCards, DiscardedCards, ArenaGenes, FrozenGenes}

// count reads what is counted. In an attack "you" are the attacker, and what
// is said of nobody is the target's.
func (p *parser) count(phrases cardfile.Phrases[Counted], attacked bool) (Count, error) {
	var c Count
	phrases = slices.Concat(phrases, countPhrases)
	if p.boss {
		phrases = phrases.Only(bossCounts...)
	}
	from, before := p.Column(), p.Left()
	frozen := p.Take("frozen")
	if i := slices.Index(geneNames[:], p.Peek()); i >= 0 {
		p.Take(p.Peek())
		c.ByGene, c.Gene = true, Gene(i)
	}
	if frozen {
		_, err := cardfile.Phrases[bool]{{true, "", "card|cards|mutant|mutants"}}.Read(p.Parser, "what to count")
		c.Of = FrozenCards
		return c, err
	}
	var err error
	if c.Of, err = phrases.Read(p.Parser, "what to count"); err != nil {
		return c, err
	}
	switch genes := c.Of == ArenaGenes || c.Of == FrozenGenes; {
	case genes && !c.ByGene:
		return c, p.FailAt(from, "which gene is missing: expected %s", cardfile.OneOf(geneNames[:]))
	case c.ByGene && !slices.Contains(withGenes, c.Of):
		return c, p.FailAt(from, "the genes of %s cannot be counted", manyPhrases.Write(c.Of))
	}
	if attacked && c.Of != Those {
		said := " " + strings.ToLower(strings.TrimSuffix(before, p.Left())) + " "
		theirs := strings.Contains(said, " they ") || strings.Contains(said, " them ")
		yours := strings.Contains(said, " you ") || strings.Contains(said, " your ")
		c.Attacker = yours || !theirs && c.Of >= Opponents && c.Of <= OpponentsOnTop
	}
	return c, nil
}
