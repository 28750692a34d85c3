package mindbug

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// parseAbility reads the word "none", a "?", or a list of effects, such as "gain 2 life, then
// defeat a creature".
func parseAbility(p *cardfile.Parser) (Ability, error) {
	listen(p)
	if unknown, nothing, err := p.TakeNone(); nothing || err != nil {
		return Ability{Unknown: unknown}, err
	}
	var a Ability
	err := p.Parts(maxSteps, func() error {
		step, err := parseStep(p)
		a.Steps = append(a.Steps, step)
		return err
	})
	return a, err
}

func parseStep(p *cardfile.Parser) (s Step, err error) {
	if p.Take("if") {
		if s.If, err = parseCondition(p); err != nil {
			return s, err
		}
	}
	if s.May = p.Take("may") || p.TakeAll("you", "may"); s.May {
		p.Take(",") // "facultatif, gagnez 1 PV"
	}
	if err := s.parseEffect(p); err != nil {
		return s, err
	}
	if p.Take("or") {
		s.Or = &Step{}
		err = s.Or.parseEffect(p)
	}
	return s, err
}

// parseEffect reads the effect of a step: "defeat a creature".
func (s *Step) parseEffect(p *cardfile.Parser) (err error) {
	from := p.Column()
	if s.Do, err = effectForms.Read(p, "an effect", s); err != nil {
		return err
	}
	if s.Do == TakeBoost {
		s.N = 1
	}
	counts := countsOf[s.Do]
	switch {
	case s.Do == DrawCard && s.From == OwnHand || s.Do == PlayCard && s.From == Unused:
		return p.Fail("cards are drawn from discard piles and the unused pile, and played from discard piles and the hand")
	case counts != nil && !slices.Contains(counts, s.Creatures.Count):
		return p.FailAt(from, "this effect is not for %q, but for %s", s.Creatures.String(), examples(counts))
	}
	if reason := s.Gift.circular(); reason != "" {
		return p.FailAt(from, "%s", reason)
	}
	return nil
}

func examples(counts []Count) string {
	var words []string
	for _, c := range counts {
		words = append(words, strconv.Quote(Creatures{Count: c, N: 2}.String()))
	}
	return strings.Join(words, ", ")
}

// readLevel reads the id of a card.
func readLevel(id *string, p *cardfile.Parser) error {
	*id = p.Peek()
	switch {
	case p.Done():
		return p.Fail("the id of a card is missing")
	case !engine.IsWord(*id):
		return p.Fail("%q is not the id of a card", *id)
	}
	p.Take(*id)
	return nil
}

func readNumber(n *int, p *cardfile.Parser) (err error) {
	*n, err = p.Number(maxNumber)
	return err
}

func (from *Pile) read(p *cardfile.Parser) (err error) {
	*from, err = pileForms.Read(p, "a pile")
	return err
}

func parseCondition(p *cardfile.Parser) (Condition, error) {
	c, err := conditionForms.Read(p, "a condition")
	if err == nil {
		err = p.Need(":", "after a condition")
	}
	return c, err
}

// read reads the description of a card, such as "a card with power 7 or more".
func (f *Filter) read(p *cardfile.Parser) (err error) {
	switch {
	case !p.Take("a"):
		return p.Expected("which card", "a")
	case !p.Take("card"):
		return p.Expected("what follows \"a\"", "card")
	case p.Take("with"):
		f.Trigger, err = filterForms.Read(p, "what the card has", f)
	}
	return err
}

// readCards reads "a card" or "2 cards".
func readCards(n *int, p *cardfile.Parser) (err error) {
	if *n = 1; !p.Take("a") {
		err = readNumber(n, p)
	}
	if err != nil {
		return err
	}
	if !p.TakeAny("card", "cards") {
		return p.Expected("what follows the number", "card", "cards")
	}
	return nil
}

func (c *Creatures) read(p *cardfile.Parser) (err error) {
	if p.Take("this") {
		c.Side = This
		return nil
	}
	if c.Count, err = countForms.Read(p, "how many creatures", c); err != nil {
		return err
	}
	return c.readWhich(p)
}

// readAll reads the creatures of a rule, such as "enemy creatures". The words contain no
// count, because a rule is always about all such creatures.
func (c *Creatures) readAll(p *cardfile.Parser) error {
	c.Count = All
	return c.readWhich(p)
}

// readWhich reads "enemy creatures with power 5 or less".
func (c *Creatures) readWhich(p *cardfile.Parser) (err error) {
	switch p.Peek() {
	case "creature", "creatures":
	case "":
		return p.Fail("which creatures is missing")
	default:
		if c.Side, err = sideForms.Read(p, "whose creatures"); err != nil {
			return err
		}
	}
	if !p.TakeAny("creature", "creatures") {
		return p.Expected("what follows", "creature", "creatures")
	}
	if p.Take("with") {
		var has Creatures
		has, err = traitForms.Read(p, "what they have", c)
		c.Power, c.Keywords, c.Boosted = has.Power, has.Keywords, has.Boosted
	}
	return err
}

// parseRule reads a permanent ability, such as "while it is your turn: this has +6 power". It
// also reads "none" and "?". The second result reports whether the ability is unknown ("?").
// If discarded is true, the ability belongs to a card in a discard pile, and fewer rules are
// allowed.
func parseRule(p *cardfile.Parser, discarded bool) ([]Rule, bool, error) {
	listen(p)
	if unknown, nothing, err := p.TakeNone(); nothing || err != nil {
		return nil, unknown, err
	}
	from := p.Column()
	r, err := parseRuling(p)
	if err == nil && discarded && (r.Creatures.Side == This || !slices.Contains(discardRulings, r.Ruling)) {
		err = p.FailAt(from, "a card in a discard pile is no creature: this is a rule of one in play")
	}
	if err == nil && !p.Done() {
		err = p.Fail("%q does not follow here: the ability ends", p.Written())
	}
	if err != nil {
		return nil, false, err
	}
	return []Rule{r}, false, nil
}

func parseRuling(p *cardfile.Parser) (r Rule, err error) {
	if p.Take("while") {
		if r.While, err = parseCondition(p); err != nil {
			return r, err
		}
	}
	from := p.Column()
	r.Ruling, err = ruleForms.Read(p, "a permanent ability", &r)
	if reason := r.circular(); r.Ruling == Have && reason != "" {
		err = p.FailAt(from, "%s", reason)
	}
	return r, err
}

// circular returns the reason why a rule is not allowed. A rule must not make a power or a
// keyword depend on itself. It must also not compare powers in a way that is reserved for
// effects. If the rule is fine, circular returns "".
func (r *Rule) circular() string {
	switch byPower := r.Creatures.Low > 0 || r.Creatures.High > 0 || r.Creatures.Power > 0 || r.While == EqualAllies; {
	case r.Power != 0 && (byPower || r.Creatures.Keywords != noKeywords):
		return "more power cannot depend on power or keywords"
	case r.Keywords != noKeywords && r.Creatures.Keywords != noKeywords:
		return "keywords cannot depend on keywords"
	case r.Creatures.Power == Weaker:
		return "only effects compare powers with that of this creature"
	}
	return ""
}

func (r *Rule) readWho(p *cardfile.Parser) error {
	if p.Take("this") {
		r.Creatures.Side = This
		return nil
	}
	return r.Creatures.readAll(p)
}

// readGifts reads what a rule gives, such as "+5 power and frenzy".
func (r *Rule) readGifts(p *cardfile.Parser) error {
	r.Ruling = Have
	if !strings.HasPrefix(p.Peek(), "+") && !strings.HasPrefix(p.Peek(), "-") {
		return r.Keywords.read(p)
	}
	n, err := signed(p)
	if err != nil {
		return err
	}
	switch {
	case n < 0 && !p.Take("power"):
		return p.Expected("what becomes less", "power")
	case n < 0:
		r.Power = n
		return nil
	case p.TakeAny("die", "dice"):
		r.Dice = n
	case p.Take("power"):
		r.Power = n
		if r.Per = p.Take("per"); r.Per {
			_, err := cardfile.Phrases[bool]{{true, "", "other allied creature"}}.Read(p, "what counts")
			return err
		}
	default:
		return p.Expected("what follows the number", "power", "die", "dice")
	}
	if p.Take("and") {
		return r.Keywords.read(p)
	}
	return nil
}

// signed reads a number with its sign, such as "+5" or "-2".
func signed(p *cardfile.Parser) (int, error) {
	word := p.Peek()
	if !strings.HasPrefix(word, "-") {
		return p.More(maxNumber)
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < -maxNumber || n >= 0 || strconv.Itoa(n) != word {
		return 0, p.Fail("%q is not a number from -%d to -1", word, maxNumber)
	}
	p.Take(word)
	return n, nil
}

// read reads a list of keywords, such as "hunter, sneaky and poisonous".
func (k *Keywords) read(p *cardfile.Parser) error {
	for {
		one, err := keywordForms.Read(p, "a keyword")
		if err != nil {
			return err
		}
		*k |= one
		if comma, and := p.Take(","), p.Take("and"); !comma && !and {
			return nil
		}
	}
}
