package mutants

import (
	_ "embed"

	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed cardwords.txt
var cardWordsFile string

// cardWords is what abilities and gaps are said with.
var cardWords = engine.MustWords("mutants/cardwords.txt", cardWordsFile)

// Words is the catalogue of the cards: their titles as card.<id>, those of
// ready-made gene pools as precon.<id>, and all that abilities are said with.
// A card without a title in a language keeps the one it has.
func (d Data) Words() engine.Words {
	words := engine.Words{}
	for _, k := range d.Kinds {
		words["card."+k.ID] = cardfile.Titles(k.Names)
	}
	for _, b := range d.Bosses {
		words["card."+b.ID] = cardfile.Titles(b.Names)
	}
	for _, p := range d.Precons {
		words["precon."+p.ID] = cardfile.Titles(p.Names)
		if len(p.Names) == 0 {
			words["precon."+p.ID] = map[engine.Lang]string{engine.English: p.ID, engine.French: p.ID}
		}
	}
	return engine.Merge(cardWords, words)
}

// Say reads an ability aloud: "gain 2 power, then cycle 1", "gagne 2 de
// Force, puis Cycle 1".
func (a Ability) Say(lang engine.Lang) string { return cardWords.Say(lang, a.Text(), nil) }

// Text is the ability for people, in the words of Data.Words.
func (a Ability) Text() engine.Text {
	switch {
	case a.Unknown:
		return engine.T("does.unknown")
	case len(a.Steps) == 0:
		return engine.T("does.none")
	}
	text := a.Steps[0].Text()
	for _, s := range a.Steps[1:] {
		text = engine.T("does.then", "first", text, "next", s.Text())
	}
	return text
}

// Text is one part of an ability for people.
func (s Step) Text() engine.Text {
	text := engine.Text{Key: "does." + effectNames[s.Do], Args: engine.Args{}}
	if s.May {
		text.Key += ".may"
	}
	switch s.Do {
	case GainPower, LosePower, Draw, Discard, Cycle, Heal:
		text.Args["n"] = s.N
	case GainCard:
		text.Args["to"] = engine.Word("does.to." + zoneNames[s.To])
	case Take:
		text.Args["what"] = engine.Word("does.what." + objectKeys[s.What])
		text.Args["to"] = engine.Word("does.to." + zoneNames[s.To])
	case FlipUp:
		text.Args["what"] = engine.Word("does.down." + objectKeys[s.What])
	case Copy:
		text.Args["ability"] = engine.Word("does.timing." + timingKeys[s.Copies])
		text.Args["what"] = engine.Word("does.copied." + objectKeys[s.What])
	case Attack:
		text.Args["whom"] = engine.Word("does.whom." + targetKeys[s.Targets])
		text.Args["suffers"] = suffers(s.Attack)
	case Transform:
	default:
		text.Args["what"] = engine.Word("does.what." + objectKeys[s.What])
	}
	if s.If != Always {
		return engine.T("does.if", "when", engine.Word("does.if."+conditionKeys[s.If]), "do", text)
	}
	return text
}

// suffers is what an attack does, said of those whom it hits.
func suffers(steps []Step) engine.Text {
	var text engine.Text
	for i, s := range steps {
		if i == 0 {
			text = s.Text()
		} else {
			text = engine.T("does.and", "first", text, "next", s.Text())
		}
	}
	return text
}

// Text is what an ongoing ability waits for.
func (t Trigger) Text() engine.Text {
	if t&OfHero != 0 {
		return engine.T("does.each.hero-" + triggerKeys[t&^OfHero])
	}
	return engine.T("does.each." + triggerKeys[t])
}

// OngoingText is the ongoing ability of a card with what it waits for.
func (k *Kind) OngoingText() engine.Text {
	if k.Trigger == NoTrigger {
		return k.Ongoing.Text()
	}
	return engine.T("does.if", "when", k.Trigger.Text(), "do", k.Ongoing.Text())
}

// Text is a freeze value for people.
func (v Value) Text() engine.Text {
	switch {
	case v.Unknown:
		return engine.T("does.unknown")
	case v.Per:
		return engine.T("freeze-value.per", "n", v.N, "gene", v.Gene.Word())
	}
	return engine.T("freeze-value.fixed", "n", v.N)
}

// Word is the name of a gene.
func (g Gene) Word() engine.Word { return engine.Word("gene." + g.String()) }

// The keys of the catalogue, without what they begin with. Those of effects
// are effectNames.
var (
	objectKeys = map[Object]string{
		This: "this", AMutant: "one", AllMutants: "all", SameSlot: "same-slot",
		FromHand: "hand", FromDiscard: "discard", FromPool: "pool",
		AnotherInArena: "arena", AnotherAnywhere: "anywhere",
	}
	timingKeys = map[Timing]string{OnDeploy: "deploy", OnLeave: "leave", OnDeploy | OnLeave: "either"}
	targetKeys = map[Targets]string{
		EachOpponent: "each", Dominating: "dominating", Dominated: "dominated", InRedZone: "red-zone", ChosenOpponent: "chosen",
	}
	conditionKeys = map[Condition]string{
		InTopSpace: "top", IfInRedZone: "red-zone", IfDominated: "dominated", IfDominating: "dominating",
		IfNotDominating: "not-dominating", IfIncubating: "incubating",
	}
	triggerKeys = map[Trigger]string{
		EachFreeze: "freeze", EachBreed: "breed", EachIncubate: "incubate", EachDeploy: "deploy",
		EachBlock: "block", EachAttacked: "attacked",
	}
)
