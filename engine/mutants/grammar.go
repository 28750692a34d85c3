package mutants

import (
	"slices"
	"strings"
	"sync"

	"tableside/engine"
	"tableside/engine/cardfile"
)

const (
	maxPower = 20 // of one effect, more than the spaces of an ordinary power track
	maxCards = 9  // of one effect, more than a hand holds
	maxSteps = 8  // of one ability or one attack
)

// A parser reads abilities in the card language. The file docs/cards.md describes that
// language. An error is an *engine.SyntaxError with the column of the wrong word.
type parser struct {
	*cardfile.Parser
	transform bool // whether the ability may transform
	block     bool // whether it is a Block
	answers   bool // whether it answers an attack, so that there is an attacker
	boss      bool // whether the ability is a boss's

	// waitField is the name of the ability's field if the ability waits for an event. The name is
	// "ongoing" for a mutant, and "power" for a boss. For any other ability, it is "".
	waitField string
}

// numberWords maps number words to digits. The word "one" is missing, because phrases such as
// "one opponent" contain it themselves.
var numberWords = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
}

// french returns the translator for French verbs, and for the words that go with them. It
// turns them into English words of the phrases.
var french = sync.OnceValue(func() *cardfile.French {
	return cardfile.NewFrench(map[string]string{
		"gagnez": "gain", "perdez": "lose", "gagne": "gains", "perd": "loses", "piochez": "draw", "pioche": "draws",
		"défaussez": "discard", "défausse": "discards", "congelez": "freeze", "congeler": "freeze", "déployez": "deploy",
		"transformez": "transform", "ignorez l'attaque": "ignore the attack", "mettez k.o.": "knock down",
		"retournez": "flip", "recyclez": "cycle", "copiez": "copy", "attaquez": "attack", "vous pouvez": "you may",
		"puissance": "power", "de puissance": "power", "points de victoire": "victory points", "carte": "card",
		"cartes": "cards", "une carte": "a card", "une carte de votre main": "a card from your hand",
		"une carte de votre défausse": "a card from your discard pile", "un mutant": "a mutant", "ce mutant": "this mutant",
		"cette carte": "this card", "tous les mutants": "all mutants", "mutant incubé": "incubated mutant",
		"chaque adversaire": "each opponent", "un adversaire": "an opponent", "le meneur": "the leader",
		"l'attaquant": "the attacker", "puis": "then", "ou": "or", "si": "if", "sinon": "otherwise", "pour": "to",
		"gelez": "freeze", "geler": "freeze", "force": "power", "de force": "power", "engendrez": "breed",
		"incubez": "incubate", "parez": "block", "peut geler ce mutant": "you may freeze this mutant",
		"chaque fois que vous": "each time you", "à chaque fois que vous": "each time you",
		"quand vous": "when you", "lorsque vous": "when you", "êtes attaqué": "are attacked",
		"au début de votre tour": "at the start of your turn", "écrasez": "crush",
		"chaque fois qu'un adversaire écrase":         "each time an opponent crushes",
		"chaque fois qu'un mutant quitte votre arène": "each time a mutant leaves your arena",
		"quand un mutant quitte votre arène":          "when a mutant leaves your arena",
		"chaque fois que vous êtes attaqué":           "each time you are attacked",
		"quand vous êtes attaqué":                     "when you are attacked",
		"au hasard":                                   "at random",
		"jusqu'à":                                     "up to", "deux": "2", "trois": "3", "quatre": "4", "cinq": "5",
		"aucune": "none", "aucun": "none", "rien": "none",

		// Of bosses.
		"santé": "health", "de santé": "health", "points de santé": "health", "le joueur": "the player",
		"chaque fois que": "each time", "à chaque fois que": "each time", "quand": "when", "lorsque": "when",
		"le joueur gèle": "the player freezes", "le joueur engendre": "the player breeds",
		"le joueur incube": "the player incubates", "le joueur déploie": "the player deploys",
		"le joueur pare": "the player blocks", "le joueur fait une parade": "the player blocks",
		"le joueur attaque": "the player attacks", "le joueur recycle": "the player cycles",
		"le joueur transforme": "the player transforms", "le joueur gagne un mutant": "the player gains a mutant",
	})
})

// bossSynonyms maps words that people use in the abilities of a boss to the words of the phrases.
// For example, "the player" becomes "each opponent", because a boss has only one opponent. The
// outer keys are values of parser.waitField.
var bossSynonyms = map[string]map[string]string{
	"": {"the player": "each opponent"},
	"power": {"when the player": "each time the player", "whenever the player": "each time the player",
		"every time the player": "each time the player", "the player loses": "each opponent loses",
		"the player discards": "each opponent discards"},
}

// weaknessFrench returns the translator for the French words that say how a weakness is exploited.
var weaknessFrench = sync.OnceValue(func() *cardfile.French {
	return cardfile.NewFrench(map[string]string{
		"quand": "when", "lorsque": "when", "si": "when", "quand vous": "when you", "lorsque vous": "when you",
		"si vous": "when you", "s'il est mis k.o.": "when knocked down", "quand il est mis k.o.": "when knocked down",
		"si elle est mise k.o.": "when knocked down", "quand elle est mise k.o.": "when knocked down",
		"mis k.o.": "knocked down", "mise k.o.": "knocked down", "gelez": "freeze", "congelez": "freeze",
		"engendrez": "breed", "incubez": "incubate", "déployez": "deploy", "parez": "block", "faites une parade": "block",
		"êtes sur la case furie": "are in the top space", "autre chose": "something else", "aucune": "none",
		"si ce que dit sa carte arrive": "when something else",
		"deux":                          "2", "trois": "3", "quatre": "4", "cinq": "5",
	})
})

// readAbility reads an ability as people type it, such as "gain 2 power, then cycle 1". For a
// field that waits for an event, it reads words such as "each time you freeze: gain 2 power".
func (p *parser) readAbility() (Ability, error) {
	p.Sentences()
	p.TranslateFrench(french())
	p.Replace(numberWords)
	if p.boss {
		p.Translate(bossSynonyms[p.waitField])
	}
	a := Ability{Source: p.Left()}
	unknown, nothing, err := p.TakeNone()
	if a.Unknown = unknown; nothing || err != nil {
		return a, err
	}
	if p.waitField != "" {
		if a.Trigger, err = p.trigger(); err != nil {
			return Ability{}, err
		}
		a.Source = p.Left()
	}
	return p.effects(a)
}

// trigger reads the event that an ability waits for, and the colon after it.
func (p *parser) trigger() (Trigger, error) {
	t, err := p.waitsFor()
	if err != nil {
		return t, err
	}
	p.answers = t == EachAttacked || t == EachBlock
	if !p.Take(",") {
		err = p.Need(":", "after what an ongoing ability waits for")
	}
	if next := p.Peek(); err == nil && (next == "none" || next == "?") {
		err = p.Fail("an ongoing ability does something; without one write \"%s none\"", p.waitField)
	}
	return t, err
}

// waitsFor reads what an ability waits for. In a boss's power, the word "you" stands for the
// boss. If the words say that the boss causes an event that only the player can cause,
// waitsFor returns an error. This error suggests the words with "the player".
func (p *parser) waitsFor() (Trigger, error) {
	const what = "what an ongoing ability waits for"
	if !p.boss {
		return triggerPhrases.Read(p.Parser, what)
	}
	before := *p.Parser
	meant, err := triggerPhrases.Read(p.Parser, what)
	*p.Parser = before
	for _, t := range triggerPhrases {
		meant := err == nil && t.Value == meant || strings.HasPrefix(p.Left(), triggerPhrases.Write(t.Value))
		if hero := heroPhrases.Write(OfHero | t.Value); meant && hero != "" && !slices.Contains(bossTriggers, t.Value) {
			return 0, p.Fail("\"you\" are the boss here, who only deploys and is attacked; did you mean %q?", hero)
		}
	}
	t, err := slices.Concat(triggerPhrases.Only(bossTriggers...), heroPhrases).Read(p.Parser, what)
	if err == nil && t&OfHero != 0 && p.TakeAny("a", "an", "another", "you") {
		p.TakeAny("mutant", "card", "attack") // "freezes a card", "blocks an attack", "attacks you"
	}
	return t, err
}

func (p *parser) effects(a Ability) (Ability, error) {
	err := p.Parts(maxSteps, func() error {
		from := p.Column()
		step, err := p.step()
		// Where only "and" joins the effects, it is read as "then" if they have nothing in common.
		if len(step.If.Clauses) == 0 && !step.May && step.Price == nil {
			a.Steps = append(a.Steps, step.splitGroup()...)
		} else {
			a.Steps = append(a.Steps, step)
		}
		switch near := engine.Nearest(p.Peek(), []string{"then", "to", "otherwise"}); {
		case err != nil:
		case len(a.Steps) > maxSteps:
			err = p.FailAt(from, "an ability has at most %d parts", maxSteps)
		case step.Price != nil && near == p.Peek() && near == "to":
			err = p.Fail("a part has only one price, and this one has a \"to\" already")
		case near == "otherwise" && near == p.Peek():
			err = p.Fail("a part has one \"otherwise\"")
		case p.Peek() == "if":
			err = p.Fail("a condition goes before its part: if dominated: gain 2 power")
		case near == "to" || near == "otherwise":
			err = p.Fail("%q does not follow here; did you mean %q?", p.Written(), near)
		}
		return err
	})
	if err != nil {
		return Ability{}, err
	}
	a.transforms = anyStep(a.Steps, func(s *Step) bool { return s.Do == Transform })
	a.remembers = anyStep(a.Steps, func(s *Step) bool { return s.Per.Item == Those || s.Per.Item == FreezeThat })
	return a, nil
}

// step reads one part of an ability: its condition, whether it is optional, its price, its
// effects and its "otherwise".
func (p *parser) step() (Step, error) {
	var test Test
	if p.Take("if") {
		var err error
		if test, err = p.test(); err != nil {
			return Step{}, err
		}
		if !p.Take(",") {
			if err := p.Need(":", "after a condition"); err != nil {
				return Step{}, err
			}
		}
	}
	may := p.Take("may") || p.TakeAll("you", "may")
	from, before := p.Column(), p.Left()
	s, err := p.readDeed(false)
	if err != nil {
		return s, err
	}
	words := strings.TrimSpace(strings.TrimSuffix(before, p.Left()))
	if p.takePriceWords() {
		price := s.splitGroup()
		if err := p.checkPrice(from, words, price); err != nil {
			return s, err
		}
		if s, err = p.readDeed(false); err != nil {
			return s, err
		}
		s.Price = price
	}
	s.If, s.May = test, may
	if at := p.Column(); p.Take("otherwise") || p.TakeAll(",", "otherwise") || p.TakeAll(".", "otherwise") {
		if len(test.Clauses) == 0 {
			return s, p.FailAt(at, "\"otherwise\" needs a condition before it: if …: …, otherwise …")
		}
		p.takePause()
		instead, err := p.readDeed(false)
		if err != nil {
			return s, err
		}
		s.Else = instead.splitGroup()
	}
	return s, nil
}

func (p *parser) takePriceWords() bool {
	switch {
	case p.Take("to"), p.TakeAll("in", "order", "to"):
		return true
	case p.TakeAll("if", "you", "do"), p.TakeAll(",", "if", "you", "do"), p.TakeAll(".", "if", "you", "do"):
		p.takePause()
		return true
	}
	return false
}

func (p *parser) takePause() { p.TakeAny(",", ":") }

// checkPrice returns an error if the effects cannot be a price. A price is paid in full, or
// not at all. The price begins at the given column and has the given words.
func (p *parser) checkPrice(column int, words string, price []Step) error {
	for _, s := range price {
		switch {
		case s.Do == Choose:
			return p.FailAt(column, "a price has no \"or\"")
		case !slices.Contains(priceEffects, s.Do):
			return p.FailAt(column, "%q is no price: a price is to discard, lose, freeze, knock down, take or move something",
				words)
		case s.UpTo:
			return p.FailAt(column, "a price is paid in full: \"up to\" says too little")
		}
	}
	return nil
}

// readDeed reads a group of effects, or several groups to choose from. The effects of a group
// are joined by "and". If attacked is true, they are the effects that an attack has on its
// target.
func (p *parser) readDeed(attacked bool) (Step, error) {
	if p.TakeAll("choose", "one", "of") || p.TakeAll("choose", "one") {
		p.Take(":")
	}
	first, err := p.effectGroup(attacked)
	if err != nil {
		return first, err
	}
	choice := Step{Do: Choose, Or: []Step{first}}
	for p.Take("or") || p.TakeAll(",", "or") {
		if len(choice.Or) == maxSteps {
			return first, p.Fail("there are at most %d things to choose from", maxSteps)
		}
		next, err := p.effectGroup(attacked)
		if err != nil {
			return first, err
		}
		choice.Or = append(choice.Or, next)
	}
	if len(choice.Or) == 1 {
		return first, nil
	}
	return choice, nil
}

// effectGroup reads effects that are joined by "and". If attacked is true, they are the
// effects that an attack has on its target.
func (p *parser) effectGroup(attacked bool) (Step, error) {
	var first Step
	if err := p.readEffect(&first, attacked); err != nil {
		return first, err
	}
	for (p.Take("and") || p.TakeAll(",", "and")) && p.Peek() != "then" { // an "and" before "then" joins nothing
		if len(first.And) == maxSteps-1 {
			if attacked {
				return first, p.Fail("an attack has at most %d parts", maxSteps)
			}
			return first, p.Fail("at most %d effects are joined by \"and\"", maxSteps)
		}
		var next Step
		if err := p.readEffect(&next, attacked); err != nil {
			return first, err
		}
		first.And = append(first.And, next)
	}
	return first, nil
}

func (s Step) splitGroup() []Step {
	more := s.And
	s.And = nil
	return append([]Step{s}, more...)
}

func startsNumber(s string) bool {
	return s != "" && (s[0] == '-' || s[0] == '+' || '0' <= s[0] && s[0] <= '9')
}
