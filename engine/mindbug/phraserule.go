package mindbug

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine/cardfile"
)

// parseRule reads what a card always does, in play or in a discard pile:
// "while it is your turn: this has +6 power".
func parseRule(p *cardfile.Parser, discarded bool) ([]Rule, bool, error) {
	if unknown, nothing, err := p.Nothing(); nothing || err != nil {
		return nil, unknown, err
	}
	from := p.Column()
	r, err := parseRuling(p)
	if err == nil && discarded && (r.Who.Side == This || !slices.Contains(fromDiscard, r.Is)) {
		err = p.FailAt(from, "a card in a discard pile is no creature: this is a rule of one in play")
	}
	if err == nil && !p.Done() {
		err = p.Fail("%q does not follow here: the ability ends", p.Peek())
	}
	if err != nil {
		return nil, false, err
	}
	return []Rule{r}, false, nil
}

func parseRuling(p *cardfile.Parser) (Rule, error) {
	var r Rule
	var err error
	if p.Take("while") {
		if r.While, err = parseCondition(p); err != nil {
			return r, err
		}
	}
	from, n := p.Column(), 0
	r.Is, err = ruleForms.Match(p, "a permanent ability", cardfile.Holes{
		"<n>":        cardfile.Number(&n, maxNumber),
		"<who>":      who(&r.Who),
		"<them>":     func(p *cardfile.Parser) error { r.Who = Creatures{Count: All}; return parseWhich(p, &r.Who) },
		"<gifts>":    gifts(&r),
		"<keywords>": keywords(&r.Keywords),
	})

	// What holes of other forms have tried.
	switch r.Is {
	case Have:
		if reason := r.circular(); reason != "" {
			return r, p.FailAt(from, "%s", reason)
		}
	case Mirror:
		r = Rule{While: r.While, Is: r.Is, Keywords: r.Keywords}
	case SilencesPlays, RollMore, Upside, MustHunt:
		r = Rule{While: r.While, Is: r.Is}
	case BlockedNear, LosesMore:
		r = Rule{While: r.While, Is: r.Is, Power: n}
	default:
		r = Rule{While: r.While, Is: r.Is, Who: r.Who}
	}
	return r, err
}

// circular says why powers or keywords could never be found, "" where they
// can.
func (r *Rule) circular() string {
	switch byPower := r.Who.Low > 0 || r.Who.High > 0 || r.Who.Power > 0 || r.While == EqualAllies; {
	case r.Power != 0 && (byPower || r.Who.Keywords != noKeywords):
		return "more power cannot depend on power or keywords"
	case r.Keywords != noKeywords && r.Who.Keywords != noKeywords:
		return "keywords cannot depend on keywords"
	case r.Who.Power == Weaker:
		return "only effects compare powers with that of this creature"
	}
	return ""
}

// who reads "this" or "other allied creatures with power 4 or less".
func who(into *Creatures) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		*into = Creatures{Side: This}
		if p.Take("this") {
			return nil
		}
		*into = Creatures{Count: All}
		return parseWhich(p, into)
	}
}

// gifts reads "+5 power and frenzy".
func gifts(r *Rule) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		r.Power, r.Per, r.Dice, r.Keywords = 0, false, 0, noKeywords
		if strings.HasPrefix(p.Peek(), "+") || strings.HasPrefix(p.Peek(), "-") {
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
			case p.Take("die"), p.Take("dice"):
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
			if !p.Take("and") {
				return nil
			}
		}
		return keywords(&r.Keywords)(p)
	}
}

// signed reads "+5" or "-2".
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

// keywords reads "hunter, sneaky and poisonous".
func keywords(into *Keywords) func(*cardfile.Parser) error {
	return func(p *cardfile.Parser) error {
		*into = noKeywords
		for {
			k, err := keywordForms.Read(p, "a keyword")
			if err != nil {
				return err
			}
			*into |= k
			comma, and := p.Take(","), p.Take("and")
			if !comma && !and {
				return nil
			}
		}
	}
}
