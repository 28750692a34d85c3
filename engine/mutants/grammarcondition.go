package mutants

import (
	"slices"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// test reads the conditions of a part: "dominated or in the red zone".
func (p *parser) test() (Test, error) {
	var t Test
	first, err := p.clause()
	if err != nil {
		return t, err
	}
	t.Clauses = []Clause{first}
	for {
		at := p.Column()
		or, and := p.Take("or"), p.Take("and")
		switch {
		case !or && !and:
			return t, nil
		case len(t.Clauses) == maxSteps:
			return t, p.FailAt(at, "a part has at most %d conditions", maxSteps)
		case len(t.Clauses) > 1 && or != t.Any:
			return t, p.FailAt(at, "\"and\" and \"or\" cannot both join conditions")
		}
		t.Any = or
		next, err := p.clause()
		if err != nil {
			return t, err
		}
		t.Clauses = append(t.Clauses, next)
	}
}

// clause reads one condition: "not in the red zone", "at least 3 cards in your
// hand".
func (p *parser) clause() (Clause, error) {
	if of, found := anyPhrases.Take(p.Parser); found {
		return Clause{Condition: IfCount, Comparison: AtLeast, N: 1, Count: Count{Item: of}}, nil
	}
	if !p.boss {
		if full, found := incubatorPhrases.Take(p.Parser); found {
			return Clause{Condition: IfIncubating, Not: !full}, nil
		}
	}
	if _, you := youPhrases.Take(p.Parser); !you {
		if c, counted, err := p.readCountCondition(); counted || err != nil {
			return c, err
		}
	}
	var c Clause
	if p.TakeAll("not", "dominating") {
		if p.Take("an") {
			return Clause{Condition: IfNotDominating}, p.Need("opponent", "after \"an\"")
		}
		return Clause{Condition: IfNotDominating}, nil
	}
	c.Not = p.Take("not")
	conditions := conditionPhrases
	if p.boss {
		conditions = conditions.Only(bossConditions...)
	}
	var err error
	c.Condition, err = conditions.Read(p.Parser, "a condition")
	if c.Not && c.Condition == IfNotDominating {
		c = Clause{Condition: IfDominating}
	}
	return c, err
}

// readCountCondition reads a condition that counts things, such as "no cards in your hand".
// The second result reports whether the next words are such a condition.
func (p *parser) readCountCondition() (Clause, bool, error) {
	c := Clause{Condition: IfCount}
	before := *p.Parser
	_, have := havePhrases.Take(p.Parser)
	than, compares := thanPhrases.Take(p.Parser)
	switch {
	case compares:
	case p.Take("no"):
		c.Comparison = AtMost
		return p.ofWhat(c)
	case have && p.TakeAny("a", "an", "one"):
		c.Comparison, c.N = AtLeast, 1
		return p.ofWhat(c)
	case startsNumber(p.Peek()):
		than.comparison = Exactly
	default:
		*p.Parser = before
		return c, false, nil
	}
	var err error
	if c.N, err = p.Number(maxPoints); err != nil {
		return c, true, err
	}
	if how, found := orPhrases.Take(p.Parser); found {
		than.comparison = how
	}
	c.Comparison, c.N = than.comparison, c.N+than.offset
	return p.ofWhat(c)
}

func (p *parser) ofWhat(c Clause) (Clause, bool, error) {
	var err error
	c.Count, err = p.readCount(slices.Concat(manyPhrases, countPhrases), false)
	return c, true, err
}

func pointsOf(lose bool) Effect {
	if lose {
		return LosePoints
	}
	return GainPoints
}

func (p *parser) ofPoints() bool {
	before := *p.Parser
	_, err := p.Number(maxPoints)
	_, found := pointPhrases.Take(p.Parser)
	*p.Parser = before
	return err == nil && found
}

// equalAmount reads an amount of power or points, such as "power equal to this mutant's freeze
// value". The result reports whether such words follow. If loss is true, the amount is lost.
// Otherwise the amount is gained.
func (p *parser) equalAmount(s *Step, loss bool) (bool, error) {
	if p.boss {
		return false, nil
	}
	points, found := equalPhrases.Take(p.Parser)
	if !found {
		return false, nil
	}
	if points {
		s.Do = pointsOf(loss)
	}
	var err error
	s.N = 1
	s.Per.Item, err = valuePhrases.Read(p.Parser, "a freeze value")
	return true, err
}

func (p *parser) forEach(s *Step, attacked bool) error {
	if _, found := perPhrases.Take(p.Parser); !found {
		return nil
	}
	var err error
	s.Per, err = p.readCount(eachPhrases, attacked)
	return err
}

// itemsWithGenes lists things that can be counted by gene: cards that everybody sees.
var itemsWithGenes = []CountItem{Mutants, OtherMutants, FrozenCards, DiscardedCards, ArenaGenes, FrozenGenes}

// readCount reads what is counted. In an attack, readCount also decides whether the attacker's
// or the target's things are counted. If the words say "you" or "your", the attacker's things
// are counted. If opponents are counted, they are the attacker's opponents, unless the words
// say "they" or "them". In all other cases, the target's things are counted.
func (p *parser) readCount(phrases cardfile.Phrases[CountItem], attacked bool) (Count, error) {
	var c Count
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
		_, err := cardfile.Phrases[bool]{{true, "", "card / cards|mutant|mutants"}}.Read(p.Parser, "what to count")
		c.Item = FrozenCards
		return c, err
	}
	var err error
	if c.Item, err = phrases.Read(p.Parser, "what to count"); err != nil {
		return c, err
	}
	switch genes := c.Item == ArenaGenes || c.Item == FrozenGenes; {
	case genes && !c.ByGene:
		return c, p.FailAt(from, "which gene is missing: expected %s", engine.OneOf(geneNames[:]))
	case c.ByGene && !slices.Contains(itemsWithGenes, c.Item):
		return c, p.FailAt(from, "the genes of %s cannot be counted", manyPhrases.Write(c.Item))
	}
	if attacked && c.Item != Those {
		said := " " + strings.ToLower(strings.TrimSuffix(before, p.Left())) + " "
		theirs := strings.Contains(said, " they ") || strings.Contains(said, " them ")
		yours := strings.Contains(said, " you ") || strings.Contains(said, " your ")
		c.Attacker = yours || !theirs && c.Item >= Opponents && c.Item <= OpponentsOnTop
	}
	return c, nil
}
