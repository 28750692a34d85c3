package mutants

import (
	"fmt"
	"slices"

	"tableside/engine/cardfile"
)

// readEffect reads a verb and its objects. An effect on other players may omit the word
// "attack", as in "each opponent loses 1 power". If attacked is true, this is an effect of an
// attack on its target.
func (p *parser) readEffect(s *Step, attacked bool) error {
	if !attacked && slices.Contains(otherPlayerWords, p.Peek()) {
		s.Do = Attack
		return p.readAttack(s, true)
	}
	if attacked {
		samePhrases.Only(false).Take(p.Parser)
	}
	verb := p.Column()
	known := verbPhrases
	switch {
	case attacked:
		known = verbPhrases.Only(targetEffects...)
	case p.boss:
		known = verbPhrases.Only(bossVerbs...)
	}
	var err error
	if s.Do, err = known.Read(p.Parser, "a verb"); err != nil {
		return err
	}
	switch s.Do {
	case GainPower, LosePower:
		return p.readGain(s, attacked)
	case Draw, Discard, Cycle:
		return p.cards(s, attacked)
	case Swap:
		_, err = swapPhrases.Read(p.Parser, "what to swap")
		return err
	case Ignore:
		if !p.block {
			return p.FailAt(verb, "only a block ability ignores an attack")
		}
		return nil
	case Transform:
		if !p.transform {
			return p.FailAt(verb, "only a deploy ability can transform")
		}
		return nil
	case Copy:
		return p.copies(s)
	case Attack:
		return p.readAttack(s, p.Take(":"))
	}
	return p.readObjectPhrase(s, attacked)
}

var swapPhrases = cardfile.Phrases[bool]{
	{true, "", "the left and right mutants / [your|their|the] left and [your|their|the] right mutant|mutants / " +
		"[your|their|the] mutants on [your|their|the] flanks"},
}

// otherPlayerWords holds the first words of sentences about effects on other players.
var otherPlayerWords = []string{"each", "every", "all", "an", "any", "one", "the", "opponents", "that"}

// readObjectPhrase reads the object of an effect, and the words that follow the object. If
// attacked is true, it is an effect that an attack has on its target.
func (p *parser) readObjectPhrase(s *Step, attacked bool) error {
	if err := p.object(s, attacked); err != nil {
		return err
	}
	switch s.Do {
	case FlipUp:
		_, err := cardfile.Phrases[bool]{{true, "", "face up / face-up"}}.Read(p.Parser, "how a mutant is flipped")
		return err
	case Take:
		if err := p.zone(s); err != nil {
			return err
		}
		if p.TakeAll("instead", "of", "discarding", "it") {
			return nil
		}
		p.Take("instead")
	}
	return nil
}

func (p *parser) object(s *Step, attacked bool) error {
	can := objectsOf(s.Do, attacked)
	what := fmt.Sprintf("what to %s", verbPhrases.Write(s.Do))
	several := p.TakeAll("up", "to")
	s.UpTo = several
	if several || startsNumber(p.Peek()) {
		some := severalPhrases.Only(can...)
		if s.Do == Deploy || len(some) == 0 {
			return p.Fail("a number cannot stand here: one card at a time comes into the active slot")
		}
		if err := p.readCardCount(s, maxCards); err != nil {
			return err
		}
		var err error
		s.Object, err = some.Read(p.Parser, what)
		return err
	}
	var err error
	at := p.Column()
	if _, theirs := objectPhrases.Only(SameSlot).Take(p.Parser); theirs && !attacked {
		return p.FailAt(at, "whose mutant? Say so, as in \"each opponent knocks down their mutant in the same slot\"")
	} else if theirs {
		s.Object = SameSlot
		return nil
	}
	s.Object, err = objectPhrases.Only(can...).Read(p.Parser, what)
	return err
}

// readCardCount reads a number of cards, up to the given limit. The number 1 is stored as 0,
// unless it follows "up to".
func (p *parser) readCardCount(s *Step, limit int) (err error) {
	if p.TakeAny("a", "an", "one") {
		s.N = 1
	} else if s.N, err = p.Number(limit); err != nil {
		return err
	}
	if s.N == 1 && !s.UpTo {
		s.N = 0
	}
	return nil
}

func (p *parser) zone(s *Step) error {
	if !p.TakeAny("into", "in", "onto", "on") {
		if err := p.Need("to", "before the zone"); err != nil {
			return err
		}
	}
	at := p.Column()
	var err error
	if s.To, err = zonePhrases.Only(destinations[s.Do]...).Read(p.Parser, "a zone"); err != nil {
		return err
	}
	switch {
	case s.Do == Take && zonesOf(s) == s.To:
		return p.FailAt(at, "%s is where it comes from", zonePhrases.Write(s.To))
	case s.To == InIncubator && (s.N > 1 || s.UpTo):
		return p.FailAt(at, "an incubator holds one mutant")
	case s.Do == Take && s.Object == FromHand && s.To == InDiscard:
		return p.FailAt(at, "a card goes from the hand to the discard pile by \"discard\"")
	}
	return nil
}

// readGain reads how much of something is gained or lost. A player gains or loses power,
// victory points, or mutants of the gene pool. A boss can gain health instead, but neither
// points nor mutants. If attacked is true, the effect applies to the target of an attack.
func (p *parser) readGain(s *Step, attacked bool) error {
	lose := s.Do == LosePower
	if equal, err := p.equalAmount(s, lose); equal || err != nil {
		return err
	}
	if !attacked && !p.boss && !lose {
		if word := p.Peek(); !startsNumber(word) && !slices.Contains([]string{"a", "an", "one", "up"}, word) {
			return p.Expected("what to gain", "a number of power", "a mutant")
		}
		if found, err := p.gainCards(s); found || err != nil {
			return err
		}
	}
	if p.TakeAny("a", "one") {
		s.N = 1
	} else {
		most := maxPower
		if p.ofPoints() {
			most = maxPoints
		}
		var err error
		if s.N, err = p.Number(most); err != nil {
			return err
		}
	}
	if !p.boss {
		if _, found := pointPhrases.Take(p.Parser); found {
			s.Do = pointsOf(lose)
			return p.forEach(s, attacked)
		}
	}
	switch {
	case !p.boss || attacked || lose:
		if err := p.Need("power", "after the number"); err != nil {
			return err
		}
	case p.Take("health"):
		s.Do = Heal
		return nil
	case p.Take("power"):
	default:
		return p.Expected("what a boss gains", "power", "health")
	}
	return p.forEach(s, attacked)
}

// gainCards reads the gain of cards, such as "a mutant to hand" or "up to 2 mutants to
// discard". The result reports whether the words are about cards at all.
func (p *parser) gainCards(s *Step) (bool, error) {
	before := *p.Parser
	upTo := p.TakeAll("up", "to")
	one := p.TakeAny("a", "an", "one")
	n := 1
	if !one {
		var err error
		if n, err = p.Number(maxCards); err != nil {
			if !upTo {
				*p.Parser = before
				err = nil
			}
			return upTo, err
		}
	}
	advanced := p.Take("advanced")
	if !p.TakeAny("mutant", "mutants", "card", "cards") {
		if upTo || advanced || one && !slices.Contains([]string{"power", "victory", "point", "vp"}, p.Peek()) {
			return true, p.Expected("what to gain", "mutant", "card")
		}
		*p.Parser = before
		return false, nil
	}
	if p.Take("from") {
		p.TakeAny("your", "the")
		if !p.TakeAll("gene", "pool") && !p.TakeAny("gene-pool", "pool") {
			return true, p.Expected("where mutants are gained from", "gene pool")
		}
	}
	s.Do, s.UpTo = GainCard, upTo
	if n > 1 || upTo {
		s.N = n
	}
	if p.Done() || slices.Contains([]string{",", ".", "and", "or", "then", "otherwise"}, p.Peek()) {
		s.To = InHand // EN "Player turn example": "to gain a mutant from her Gene-pool"
		return true, nil
	}
	return true, p.zone(s)
}

func (p *parser) cards(s *Step, attacked bool) error {
	if s.Do == Discard && !p.boss {
		if what, found := objectPhrases.Only(Incubated, DeckTop).Take(p.Parser); found {
			s.Do, s.Object, s.To = Take, what, InDiscard // a card from elsewhere than the hand is moved
			return nil
		}
	}
	s.UpTo = s.Do != Cycle && p.TakeAll("up", "to")
	one := s.Do != Cycle && !s.UpTo && p.TakeAny("a", "one")
	s.N = 1
	if !one {
		var err error
		if s.N, err = p.Number(maxCards); err != nil {
			return err
		}
	}
	switch {
	case p.Take("card"), !one && p.Take("cards"):
	case s.Do == Discard && (p.Take("mutant") || !one && p.Take("mutants")):
		return p.readFromHand(s, attacked, true)
	case one:
		return p.Need("card", "after \"a\"")
	}
	if s.Do == Discard {
		return p.readFromHand(s, attacked, false)
	}
	return p.forEach(s, attacked)
}

// readFromHand reads the words that may follow the cards of a discard, such as "from hand" and
// "at random". If needed is true, the words "from hand" must be there. If attacked is true,
// the discard is an effect that an attack has on its target.
func (p *parser) readFromHand(s *Step, attacked, needed bool) error {
	from := p.Take("from")
	if needed && !from {
		return p.Fail("where the mutant is discarded from is missing: expected %q", "from hand")
	}
	if from {
		p.TakeAny("your", "their", "the")
		if err := p.Need("hand", "after \"from\""); err != nil {
			return err
		}
	}
	s.Random = p.TakeAll("at", "random")
	return p.forEach(s, attacked)
}

func (p *parser) copies(s *Step) error {
	var err error
	if s.Copies, err = timingPhrases.Read(p.Parser, "what to copy"); err != nil {
		return err
	}
	places := copyPhrases
	if p.boss {
		places = places.Only(bossPlaces...)
	}
	s.Object, err = places.Read(p.Parser, "where to copy from")
	return err
}

// readAttack reads the targets of an attack and the effects on them. A colon follows the
// targets. If sentence is true, the colon may be missing, as in "each opponent loses 1 power"
// and in "attack: the leader loses 1 power".
func (p *parser) readAttack(s *Step, sentence bool) error {
	at, that := p.Column(), p.Peek() == "that"
	var err error
	if s.Targets, err = targetPhrases.Read(p.Parser, "whom to attack"); err != nil {
		return err
	}
	switch attacker := s.Targets == Attacker && !p.answers && !p.block; {
	case attacker && that:
		return p.FailAt(at, "which opponent? Name one first: an opponent discards 1 card, then that opponent loses 2 power")
	case attacker:
		return p.FailAt(at, "there is an attacker only in a block ability, or where an ongoing ability answers an attack")
	}
	if !p.Take(":") && !sentence {
		return p.Need(":", "after whom to attack")
	}
	suffered, err := p.readDeed(true)
	if err != nil {
		return err
	}
	s.Attack = suffered.splitGroup()
	for {
		at := p.Column()
		if _, same := samePhrases.Only(true).Take(p.Parser); !same {
			return nil
		}
		next, err := p.effectGroup(true)
		s.Attack = append(s.Attack, next.splitGroup()...)
		switch {
		case err != nil:
			return err
		case suffered.Do == Choose, p.Take("or"), p.TakeAll(",", "or"):
			return p.FailAt(at, "an attack with \"or\" has no other part: join the effects on an opponent with \"and\"")
		case len(s.Attack) > maxSteps:
			return p.FailAt(at, "an attack has at most %d parts", maxSteps)
		}
	}
}
