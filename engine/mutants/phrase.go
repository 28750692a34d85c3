package mutants

import (
	"slices"
	"strings"

	"tableside/engine"
)

// A phrase is one way to write a value. The first phrase of a value in its
// table is the canonical one.
type phrase[T comparable] struct {
	words string
	is    T
}

var verbPhrases = []phrase[Effect]{
	{"gain", GainPower}, {"lose", LosePower}, {"draw", Draw}, {"discard", Discard}, {"cycle", Cycle},
	{"freeze", Freeze}, {"knock down", KnockDown}, {"flip", FlipUp}, {"take", Take},
	{"deploy", Deploy}, {"transform", Transform}, {"copy", Copy}, {"attack", Attack},
}

// sufferable are the verbs of what an attack does to its target.
var sufferable = []Effect{GainPower, LosePower, Draw, Discard, Cycle, Freeze, KnockDown, FlipUp}

var conditionPhrases = []phrase[Condition]{
	{"in the top space", InTopSpace}, {"in the red zone", IfInRedZone},
	{"dominated", IfDominated}, {"dominating", IfDominating},
	{"not dominating", IfNotDominating}, {"incubating", IfIncubating},
}

var triggerPhrases = []phrase[Trigger]{
	{"each time you freeze", EachFreeze}, {"each time you breed", EachBreed},
	{"each time you incubate", EachIncubate}, {"each time you deploy", EachDeploy},
	{"each time you block", EachBlock}, {"each time you are attacked", EachAttacked},
}

var targetPhrases = []phrase[Targets]{
	{"each opponent", EachOpponent},
	{"opponents dominating you", Dominating}, {"each opponent dominating you", Dominating},
	{"opponents you dominate", Dominated}, {"each opponent you dominate", Dominated},
	{"opponents in the red zone", InRedZone}, {"each opponent in the red zone", InRedZone},
	{"an opponent", ChosenOpponent}, {"one opponent", ChosenOpponent},
}

var objectPhrases = []phrase[Object]{
	{"this", This}, {"this mutant", This},
	{"a mutant", AMutant}, {"one mutant", AMutant},
	{"all mutants", AllMutants}, {"every mutant", AllMutants},
	{"their mutant in the same slot", SameSlot}, {"the mutant in the same slot", SameSlot},
	{"a card from hand", FromHand}, {"a mutant from hand", FromHand},
	{"a card from discard", FromDiscard}, {"a mutant from discard", FromDiscard},
	{"a card from pool", FromPool}, {"a mutant from pool", FromPool},
}

// copyPhrases are the places that a copy names; with none it means the arena.
var copyPhrases = []phrase[Object]{
	{"", AnotherInArena}, {"from hand", FromHand}, {"from discard", FromDiscard},
	{"from pool", FromPool}, {"from anywhere", AnotherAnywhere},
}

var timingPhrases = []phrase[Timing]{
	{"a deploy", OnDeploy}, {"another mutant's deploy", OnDeploy},
	{"a leave", OnLeave}, {"another mutant's leave", OnLeave},
	{"a deploy or leave", OnDeploy | OnLeave}, {"another mutant's deploy or leave", OnDeploy | OnLeave},
}

// holds says what each effect can take hold of: of one's own, and as what an
// attack does to its target.
var holds = map[Effect]struct{ own, attacked []Object }{
	Freeze:    {[]Object{This, AMutant, FromHand, FromDiscard, FromPool}, []Object{AMutant, SameSlot, FromHand, FromDiscard, FromPool}},
	KnockDown: {[]Object{This, AMutant, AllMutants}, []Object{AMutant, AllMutants, SameSlot}},
	FlipUp:    {[]Object{AMutant, AllMutants}, []Object{AMutant, AllMutants, SameSlot}},
	Take:      {own: []Object{FromDiscard}},
	Deploy:    {own: []Object{FromHand, FromDiscard, FromPool}},
}

// destinations are the zones that an effect can put a card into.
var destinations = map[Effect][]Zone{
	GainCard: {InHand, InDeck, InIncubator, InDiscard, InFreeze},
	Take:     {InHand, InDeck},
}

// matchPhrase takes the longest phrase that stands here. Where a phrase begins but
// does not go on, the error is at the word that breaks it.
func matchPhrase[T comparable](p *parser, what string, phrases []phrase[T]) (T, error) {
	best, length, reach := -1, -1, 0
	var next []string
	for i, ph := range phrases {
		words := strings.Fields(ph.words)
		n := 0
		for n < len(words) && p.at+n < len(p.words) && p.words[p.at+n].text == words[n] {
			n++
		}
		if n == len(words) {
			if n > length {
				best, length = i, n
			}
			continue
		}
		if n > reach {
			reach, next = n, nil
		}
		if n == reach && !slices.Contains(next, words[n]) {
			next = append(next, words[n])
		}
	}
	if best >= 0 && reach <= length {
		p.at += length
		return phrases[best].is, nil
	}
	var before string
	if reach > 0 {
		before = p.words[p.at+reach-1].text
	}
	p.at += reach
	var none T
	got := p.peek()
	near := engine.Nearest(got, next)
	switch {
	case near != "":
		return none, p.fail("%q is not %s; did you mean %q?", got, what, near)
	case got == "" && reach > 0:
		return none, p.fail("nothing follows %q: expected %s", before, oneOf(next))
	case got == "":
		return none, p.fail("%s is missing: %s", what, oneOf(canonical(phrases)))
	case reach > 0:
		return none, p.fail("%q cannot follow %q: expected %s", got, before, oneOf(next))
	default:
		return none, p.fail("%q is not %s: expected %s", got, what, oneOf(canonical(phrases)))
	}
}

// canonical is the first phrase of each value.
func canonical[T comparable](phrases []phrase[T]) []string {
	var all []string
	for _, ph := range phrases {
		if written(phrases, ph.is) == ph.words {
			all = append(all, ph.words)
		}
	}
	return all
}

// only keeps the phrases of some values.
func only[T comparable](phrases []phrase[T], values []T) []phrase[T] {
	var kept []phrase[T]
	for _, ph := range phrases {
		if slices.Contains(values, ph.is) {
			kept = append(kept, ph)
		}
	}
	return kept
}

// written is the canonical phrase of a value.
func written[T comparable](phrases []phrase[T], value T) string {
	for _, ph := range phrases {
		if ph.is == value {
			return ph.words
		}
	}
	return ""
}
