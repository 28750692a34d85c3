package mutants

import (
	"fmt"
	"slices"
	"strings"

	"tableside/engine/cardfile"
)

// ParseAbility reads an ability in the card language, which docs/cards.md
// describes: "gain 2 power, then cycle 1". "none" and "?" are abilities too.
// The error is an *engine.SyntaxError whose column is the word at fault.
func ParseAbility(words string) (Ability, error) {
	return (&parser{Parser: cardfile.NewParser(words, 1), transform: true}).ability()
}

const (
	maxPower = 20 // of one effect, more than any power track has spaces to lose
	maxCards = 9  // of one effect, more than a hand holds
	maxSteps = 8  // of one ability or one attack
)

// A parser reads abilities.
type parser struct {
	*cardfile.Parser
	transform bool // whether the ability may transform
	boss      bool // whether it is a boss's
}

func parseOngoing(words *cardfile.Parser) (Trigger, Ability, error) {
	return (&parser{Parser: words}).ongoing()
}

// ongoing reads "each time you freeze: gain 2 power", of a boss its power.
func (p *parser) ongoing() (Trigger, Ability, error) {
	if left := p.Left(); left == "none" || left == "?" {
		a, err := p.ability()
		return NoTrigger, a, err
	}
	trigger, err := p.trigger()
	if err != nil {
		return 0, Ability{}, err
	}
	if err := p.Need(":", "after what an ongoing ability waits for"); err != nil {
		return 0, Ability{}, err
	}
	from := p.Column()
	a, err := p.ability()
	if err == nil && len(a.Steps) == 0 {
		field := "ongoing"
		if p.boss {
			field = "power"
		}
		err = p.FailAt(from, "an ongoing ability does something; without one write \"%s none\"", field)
	}
	return trigger, a, err
}

// trigger reads what an ongoing ability waits for. Of a boss's power "you" are
// the boss: whoever means the player is told how to say so.
func (p *parser) trigger() (Trigger, error) {
	const what = "what an ongoing ability waits for"
	if !p.boss {
		return cardfile.Match(p.Parser, what, triggerPhrases, nil)
	}
	for _, t := range triggerPhrases {
		if strings.HasPrefix(p.Left(), t.Words) && !slices.Contains(bossTriggers, t.Is) {
			return 0, p.Fail("\"you\" are the boss here, who only deploys and is attacked; did you mean %q?", OfHero|t.Is)
		}
	}
	return cardfile.Match(p.Parser, what, slices.Concat(cardfile.Only(triggerPhrases, bossTriggers), heroPhrases), nil)
}

func (p *parser) ability() (Ability, error) {
	a := Ability{Source: p.Left()}
	unknown, nothing, err := p.Nothing()
	if a.Unknown = unknown; nothing || err != nil {
		return a, err
	}
	err = p.Parts(maxSteps, func() error {
		step, err := p.step()
		a.Steps = append(a.Steps, step)
		return err
	})
	if err != nil {
		return Ability{}, err
	}
	return a, nil
}

func (p *parser) step() (Step, error) {
	var s Step
	var err error
	if p.Take("if") {
		conditions := conditionPhrases
		if p.boss {
			conditions = cardfile.Only(conditions, bossConditions)
		}
		if s.If, err = cardfile.Match(p.Parser, "a condition", conditions, nil); err != nil {
			return s, err
		}
		if err := p.Need(":", "after a condition"); err != nil {
			return s, err
		}
	}
	may := p.Take("may")
	err = p.effect(&s, false)
	s.May = may
	return s, err
}

// effect reads a verb and what belongs to it.
func (p *parser) effect(s *Step, attacked bool) error {
	verb := p.Column()
	known := verbPhrases
	switch {
	case attacked:
		known = cardfile.Only(verbPhrases, sufferable)
	case p.boss:
		known = cardfile.Only(verbPhrases, bossVerbs)
	}
	var err error
	if s.Do, err = cardfile.Match(p.Parser, "a verb", known, nil); err != nil {
		return err
	}
	switch s.Do {
	case GainPower:
		if !startsNumber(p.Peek()) && !attacked && !p.boss {
			return p.gainCard(s)
		}
		return p.power(s, p.boss && !attacked)
	case LosePower:
		return p.power(s, false)
	case Draw, Discard, Cycle:
		return p.cards(s)
	case Transform:
		if !p.transform {
			return p.FailAt(verb, "only a deploy ability can transform")
		}
		return nil
	case Copy:
		if s.Copies, err = cardfile.Match(p.Parser, "what to copy", timingPhrases, nil); err != nil {
			return err
		}
		places := copyPhrases
		if p.boss {
			places = cardfile.Only(places, bossPlaces)
		}
		s.What, err = cardfile.Match(p.Parser, "where to copy from", places, nil)
		return err
	case Attack:
		return p.attack(s)
	}
	if err := p.object(s, attacked); err != nil {
		return err
	}
	switch s.Do {
	case FlipUp:
		_, err = cardfile.Match(p.Parser, "how a mutant is flipped", cardfile.Phrases[bool]{{"face up", true}}, nil)
	case Take:
		err = p.zone(s)
	}
	return err
}

func (p *parser) object(s *Step, attacked bool) error {
	can := holds[s.Do].own
	if attacked {
		can = holds[s.Do].attacked
	}
	var err error
	s.What, err = cardfile.Match(p.Parser, fmt.Sprintf("what to %s", cardfile.Written(verbPhrases, s.Do)), cardfile.Only(objectPhrases, can), nil)
	return err
}

func (p *parser) gainCard(s *Step) error {
	s.Do = GainCard
	switch p.Peek() {
	case "a":
	case "":
		return p.Fail("what to gain is missing: a number of power, or a mutant")
	default:
		return p.Fail("%q is neither a number of power nor a mutant", p.Peek())
	}
	if _, err := cardfile.Match(p.Parser, "what to gain", cardfile.Phrases[bool]{{"a mutant", true}, {"a card", true}}, nil); err != nil {
		return err
	}
	return p.zone(s)
}

func (p *parser) zone(s *Step) error {
	if err := p.Need("to", "before the zone"); err != nil {
		return err
	}
	var err error
	s.To, err = cardfile.Match(p.Parser, "a zone", cardfile.Only(zonePhrases, destinations[s.Do]), nil)
	return err
}

// power takes how much is gained or lost: of power, or of a boss's health.
func (p *parser) power(s *Step, health bool) error {
	var err error
	if s.N, err = p.Number(maxPower); err != nil {
		return err
	}
	switch {
	case !health:
		return p.Need("power", "after the number")
	case p.Take("health"):
		s.Do = Heal
		return nil
	case p.Take("power"):
		return nil
	}
	return p.Expected("what a boss gains", "power", "health")
}

func (p *parser) cards(s *Step) error {
	if s.Do != Cycle && p.Take("a") {
		s.N = 1
		return p.Need("card", "after \"a\"")
	}
	var err error
	if s.N, err = p.Number(maxCards); err != nil {
		return err
	}
	if !p.Take("card") {
		p.Take("cards")
	}
	return nil
}

func (p *parser) attack(s *Step) error {
	var err error
	if s.Targets, err = cardfile.Match(p.Parser, "whom to attack", targetPhrases, nil); err != nil {
		return err
	}
	if err := p.Need(":", "after whom to attack"); err != nil {
		return err
	}
	for {
		if len(s.Attack) == maxSteps {
			return p.Fail("an attack has at most %d parts", maxSteps)
		}
		var suffered Step
		if err := p.effect(&suffered, true); err != nil {
			return err
		}
		s.Attack = append(s.Attack, suffered)
		if !p.Take("and") {
			return nil
		}
	}
}

func startsNumber(s string) bool {
	return s != "" && (s[0] == '-' || s[0] == '+' || '0' <= s[0] && s[0] <= '9')
}
