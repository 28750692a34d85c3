package mutants

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tableside/engine"
)

// ParseAbility reads an ability in the card language, which docs/cards.md
// describes: "gain 2 power, then cycle 1". "none" and "?" are abilities too.
// The error is an *engine.SyntaxError whose column is the word at fault.
func ParseAbility(words string) (Ability, error) {
	return parseAbility(words, 1, true)
}

const (
	maxPower = 20 // of one effect, more than any power track has spaces to lose
	maxCards = 9  // of one effect, more than a hand holds
	maxSteps = 8  // of one ability or one attack
)

type lexeme struct {
	text   string
	column int
}

// lex divides words at spaces, commas and colons.
func lex(words string, column int) []lexeme {
	var all []lexeme
	start := -1
	end := func(i int) {
		if start >= 0 {
			text := strings.ReplaceAll(strings.ToLower(words[start:i]), "’", "'")
			all = append(all, lexeme{text, column + start})
			start = -1
		}
	}
	for i, r := range words {
		switch {
		case unicode.IsSpace(r):
			end(i)
		case r == ',' || r == ':':
			end(i)
			all = append(all, lexeme{string(r), column + i})
		case start < 0:
			start = i
		}
	}
	end(len(words))
	return all
}

type parser struct {
	words     []lexeme
	at        int
	end       int  // the column behind the last word
	transform bool // whether the ability may transform
}

func newParser(words string, column int) *parser {
	trimmed := strings.TrimRightFunc(words, unicode.IsSpace)
	return &parser{words: lex(words, column), end: column + len(trimmed)}
}

// parseAbility is ParseAbility for words that begin at a column of a line.
func parseAbility(words string, column int, transform bool) (Ability, error) {
	p := newParser(words, column)
	p.transform = transform
	return p.ability(strings.TrimSpace(words))
}

// parseOngoing reads "each time you freeze: gain 2 power".
func parseOngoing(words string, column int) (Trigger, Ability, error) {
	p := newParser(words, column)
	if t := p.peek(); len(p.words) == 1 && (t == "none" || t == "?") {
		a, err := p.ability(t)
		return NoTrigger, a, err
	}
	trigger, err := matchPhrase(p, "what an ongoing ability waits for", triggerPhrases)
	if err != nil {
		return 0, Ability{}, err
	}
	if err := p.punctuation(":", "after what an ongoing ability waits for"); err != nil {
		return 0, Ability{}, err
	}
	from := p.column()
	a, err := p.ability(strings.TrimSpace(words[min(from-column, len(words)):]))
	if err == nil && len(a.Steps) == 0 {
		err = &engine.SyntaxError{Column: from, Reason: "an ongoing ability does something; without one write \"ongoing none\""}
	}
	return trigger, a, err
}

func (p *parser) ability(source string) (Ability, error) {
	a := Ability{Source: source}
	if t := p.peek(); t == "none" || t == "?" {
		p.at++
		a.Unknown = t == "?"
		if p.at < len(p.words) {
			return Ability{}, p.fail("nothing can follow %q", t)
		}
		return a, nil
	}
	for {
		if len(a.Steps) == maxSteps {
			return Ability{}, p.fail("an ability has at most %d parts", maxSteps)
		}
		step, err := p.step()
		if err != nil {
			return Ability{}, err
		}
		a.Steps = append(a.Steps, step)
		comma := p.take(",")
		then := p.take("then")
		switch {
		case p.at == len(p.words) && !comma && !then:
			return a, nil
		case !comma && !then:
			if s := engine.Nearest(p.peek(), []string{"then"}); s != "" {
				return Ability{}, p.fail("%q does not follow here; did you mean %q?", p.peek(), ", then")
			}
			return Ability{}, p.fail("%q does not follow here: the ability ends, or goes on with %q", p.peek(), ", then")
		}
	}
}

func (p *parser) step() (Step, error) {
	var s Step
	var err error
	if p.take("if") {
		if s.If, err = matchPhrase(p, "a condition", conditionPhrases); err != nil {
			return s, err
		}
		if err := p.punctuation(":", "after a condition"); err != nil {
			return s, err
		}
	}
	may := p.take("may")
	err = p.effect(&s, false)
	s.May = may
	return s, err
}

// effect reads a verb and what belongs to it.
func (p *parser) effect(s *Step, attacked bool) error {
	verb := p.column()
	known := verbPhrases
	if attacked {
		known = slices.DeleteFunc(slices.Clone(verbPhrases), func(v phrase[Effect]) bool { return !slices.Contains(sufferable, v.is) })
	}
	var err error
	if s.Do, err = matchPhrase(p, "a verb", known); err != nil {
		return err
	}
	switch s.Do {
	case GainPower:
		if !startsNumber(p.peek()) && !attacked {
			return p.gainCard(s)
		}
		return p.power(s)
	case LosePower:
		return p.power(s)
	case Draw, Discard, Cycle:
		return p.cards(s)
	case Transform:
		if !p.transform {
			return &engine.SyntaxError{Column: verb, Reason: "only a deploy ability can transform"}
		}
		return nil
	case Copy:
		if s.Copies, err = matchPhrase(p, "what to copy", timingPhrases); err != nil {
			return err
		}
		s.What, err = matchPhrase(p, "where to copy from", copyPhrases)
		return err
	case Attack:
		return p.attack(s)
	}
	if err := p.object(s, attacked); err != nil {
		return err
	}
	switch s.Do {
	case FlipUp:
		_, err = matchPhrase(p, "how a mutant is flipped", []phrase[bool]{{"face up", true}})
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
	s.What, err = matchPhrase(p, fmt.Sprintf("what to %s", written(verbPhrases, s.Do)), only(objectPhrases, can))
	return err
}

func (p *parser) gainCard(s *Step) error {
	s.Do = GainCard
	switch p.peek() {
	case "a":
	case "":
		return p.fail("what to gain is missing: a number of power, or a mutant")
	default:
		return p.fail("%q is neither a number of power nor a mutant", p.peek())
	}
	if _, err := matchPhrase(p, "what to gain", []phrase[bool]{{"a mutant", true}, {"a card", true}}); err != nil {
		return err
	}
	return p.zone(s)
}

func (p *parser) zone(s *Step) error {
	if err := p.word("to", "before the zone"); err != nil {
		return err
	}
	var known []phrase[Zone]
	for _, z := range destinations[s.Do] {
		known = append(known, phrase[Zone]{zoneNames[z], z})
	}
	var err error
	s.To, err = matchPhrase(p, "a zone", known)
	return err
}

func (p *parser) power(s *Step) error {
	var err error
	if s.N, err = p.number(maxPower); err != nil {
		return err
	}
	return p.word("power", "after the number")
}

func (p *parser) cards(s *Step) error {
	if s.Do != Cycle && p.peek() == "a" {
		p.at++
		s.N = 1
		return p.word("card", "after \"a\"")
	}
	var err error
	if s.N, err = p.number(maxCards); err != nil {
		return err
	}
	if !p.take("card") {
		p.take("cards")
	}
	return nil
}

func (p *parser) attack(s *Step) error {
	var err error
	if s.Targets, err = matchPhrase(p, "whom to attack", targetPhrases); err != nil {
		return err
	}
	if err := p.punctuation(":", "after whom to attack"); err != nil {
		return err
	}
	for {
		if len(s.Attack) == maxSteps {
			return p.fail("an attack has at most %d parts", maxSteps)
		}
		var suffered Step
		if err := p.effect(&suffered, true); err != nil {
			return err
		}
		s.Attack = append(s.Attack, suffered)
		if !p.take("and") {
			return nil
		}
	}
}

func (p *parser) peek() string {
	if p.at < len(p.words) {
		return p.words[p.at].text
	}
	return ""
}

func (p *parser) column() int {
	if p.at < len(p.words) {
		return p.words[p.at].column
	}
	return p.end
}

func (p *parser) take(word string) bool {
	if p.peek() != word {
		return false
	}
	p.at++
	return true
}

func (p *parser) fail(format string, args ...any) error {
	return &engine.SyntaxError{Column: p.column(), Reason: fmt.Sprintf(format, args...)}
}

// punctuation takes a sign.
func (p *parser) punctuation(sign, where string) error {
	switch {
	case p.take(sign):
		return nil
	case p.at == len(p.words):
		return p.fail("%q is missing %s", sign, where)
	}
	return p.fail("%q stands where %q is needed, %s", p.peek(), sign, where)
}

// word takes a word that must stand here.
func (p *parser) word(word, where string) error {
	switch {
	case p.take(word):
		return nil
	case p.at == len(p.words):
		return p.fail("%q is missing %s", word, where)
	case engine.Nearest(p.peek(), []string{word}) != "":
		return p.fail("%q stands %s; did you mean %q?", p.peek(), where, word)
	}
	return p.fail("%q stands where %q is needed, %s", p.peek(), word, where)
}

func (p *parser) number(high int) (int, error) {
	t := p.peek()
	if t == "" {
		return 0, p.fail("a number from 1 to %d is missing", high)
	}
	n, err := strconv.Atoi(t)
	if err != nil || n < 1 || n > high || strconv.Itoa(n) != t {
		return 0, p.fail("%q is not a number from 1 to %d", t, high)
	}
	p.at++
	return n, nil
}

func startsNumber(s string) bool {
	return s != "" && (s[0] == '-' || s[0] == '+' || '0' <= s[0] && s[0] <= '9')
}
