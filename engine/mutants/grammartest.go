package mutants

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
	if c, found := p.aboutOthers(); found {
		return c, nil
	}
	you := p.TakeAll("you", "are") || p.Take("you're") || p.TakeAll("your", "marker", "is")
	if !you {
		if c, counted, err := p.counted(); counted || err != nil {
			return c, err
		}
	}
	var c Clause
	if p.TakeAll("not", "dominating") {
		if p.Take("an") {
			return Clause{Is: IfNotDominating}, p.Need("opponent", "after \"an\"")
		}
		return Clause{Is: IfNotDominating}, nil
	}
	c.Not = p.Take("not")
	conditions := conditionPhrases
	if p.boss {
		conditions = conditions.Only(bossConditions...)
	}
	var err error
	c.Is, err = conditions.Read(p.Parser, "a condition")
	if c.Not && c.Is == IfNotDominating {
		c = Clause{Is: IfDominating}
	}
	return c, err
}

// aboutOthers reads conditions that people say of their opponents, or of an
// empty incubator.
func (p *parser) aboutOthers() (Clause, bool) {
	one := Clause{Is: IfCount, How: AtLeast, N: 1}
	switch {
	case p.TakeAll("an", "opponent", "is", "in", "the", "red", "zone"):
		one.Of.Of = OpponentsInRedZone
	case p.TakeAll("an", "opponent", "is", "in", "the", "top", "space"):
		one.Of.Of = OpponentsOnTop
	case !p.boss && (p.TakeAll("your", "incubator", "is", "empty") || p.TakeAll("no", "mutant", "is", "incubating")):
		return Clause{Is: IfIncubating, Not: true}, true
	case !p.boss && p.TakeAll("you", "have", "a", "mutant", "in", "your", "incubator"):
		return Clause{Is: IfIncubating}, true
	default:
		return Clause{}, false
	}
	return one, true
}

// counted reads a condition on how many there are of something, and reports
// whether one stands here.
func (p *parser) counted() (Clause, bool, error) {
	c := Clause{Is: IfCount, How: AtLeast}
	before := *p.Parser
	have := p.TakeAll("you", "have") || p.TakeAll("there", "are") || p.TakeAll("there", "is")
	more := 0
	switch {
	case p.TakeAll("at", "least"):
	case p.TakeAll("at", "most"):
		c.How = AtMost
	case p.TakeAll("more", "than"):
		more = 1
	case p.TakeAll("fewer", "than"), p.TakeAll("less", "than"):
		c.How, more = AtMost, -1
	case p.Take("exactly"):
		c.How = Exactly
	case p.Take("no"):
		c.How = AtMost
		return p.ofWhat(c)
	case have && p.TakeAny("a", "an", "one"):
		c.N = 1
		return p.ofWhat(c)
	case startsNumber(p.Peek()):
		c.How = Exactly
	default:
		*p.Parser = before
		return c, false, nil
	}
	var err error
	if c.N, err = p.Number(maxPoints); err != nil {
		return c, true, err
	}
	switch {
	case p.TakeAll("or", "more"):
		c.How = AtLeast
	case p.TakeAll("or", "fewer"), p.TakeAll("or", "less"):
		c.How = AtMost
	}
	c.N += more
	return p.ofWhat(c)
}

func (p *parser) ofWhat(c Clause) (Clause, bool, error) {
	var err error
	c.Of, err = p.count(manyPhrases, false)
	return c, true, err
}
