package mutants

import (
	_ "embed"
	"fmt"

	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed cardwords.txt
var cardWordsFile string

// cardWords holds the texts of abilities and gaps.
var cardWords = engine.MustWords("mutants/cardwords.txt", cardWordsFile)

// Words returns the texts of the cards: titles and the texts of abilities. The title of a card
// has the key "card.<id>". The title of a ready-made gene pool has the keys "precon.<id>" and,
// at a seat, "state.<id>".
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
		if p.Names == (engine.Wording{}) {
			words["precon."+p.ID] = engine.Worded(func(engine.Lang) string { return p.ID })
		}
		words["state."+p.ID] = words["precon."+p.ID]
	}
	return engine.Merge(cardWords, words)
}

// Text returns an ability as people read it, in the words of Data.Words. Examples are "gain 2
// power, then cycle 1" and "gagne 2 de Force, puis Cycle 1".
func (a Ability) Text() engine.Text {
	if a.Trigger != NoTrigger {
		return engine.T("does.if", "when", a.Trigger.Text(), "do", a.effects())
	}
	return a.effects()
}

func (a Ability) effects() engine.Text {
	switch {
	case a.Printed != "":
		return engine.T("printed", "text", a.Printed)
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

// Text returns one part of an ability as people read it.
func (s Step) Text() engine.Text {
	text := s.partText(s.May)
	if s.Price != nil {
		text = engine.T("does.price", "price", joinEffects(s.Price, s.May), "do", s.partText(true))
	}
	if s.May {
		text = engine.T("does.may", "do", text)
	}
	if s.Else != nil {
		text = engine.T("does.otherwise", "do", text, "else", joinEffects(s.Else, false))
	}
	if len(s.If.Clauses) > 0 {
		return engine.T("does.if", "when", s.If.Text(), "do", text)
	}
	return text
}

// partText returns the text for the effects of one part of an ability. If bare is true, the
// text has the verb form that follows "may" and "to". Otherwise the text is a sentence.
func (s Step) partText(bare bool) engine.Text {
	if s.Do != Choose {
		return joinEffects(s.splitGroup(), bare)
	}
	var text engine.Text
	for i, option := range s.Or {
		text = joinedText("does.or", i, text, option.partText(bare))
	}
	return text
}

// joinEffects joins the texts of effects with "and". If bare is true, the texts have the verb
// form that follows "may" and "to".
func joinEffects(steps []Step, bare bool) engine.Text {
	var text engine.Text
	for i, s := range steps {
		next := s.effect(bare)
		if s.Do == Choose {
			next = s.partText(bare)
		}
		text = joinedText("does.and", i, text, next)
	}
	return text
}

func joinedText(key string, i int, first, next engine.Text) engine.Text {
	if i == 0 {
		return next
	}
	return engine.T(key, "first", first, "next", next)
}

// effect returns the text of a single effect. If bare is true, the text has the verb form that
// follows "may" and "to". Otherwise the text is a sentence.
func (s Step) effect(bare bool) engine.Text {
	text := engine.Text{Key: "does." + verbPhrases.Key(s.Do), Args: engine.Args{}}
	switch s.Do {
	case GainPower, LosePower, GainPoints, LosePoints:
		text.Args["n"] = s.N
		if s.Per.Item == FreezeThis || s.Per.Item == FreezeThat {
			text = engine.T(text.Key+"-equal", "what", engine.Word("does.value."+valuePhrases.Key(s.Per.Item)))
		}
	case Draw, Discard:
		text.Args["n"] = s.N
		if s.UpTo {
			text.Key += "-up-to"
		}
		if s.Random {
			text.Key += "-random"
		}
	case Cycle, Heal:
		text.Args["n"] = s.N
	case GainCard:
		text.Args["what"] = s.objectText(AMutant)
		text.Args["to"] = engine.Word("does.to." + zonePhrases.Key(s.To))
	case Take:
		text.Args["what"] = s.objectText(s.Object)
		text.Args["to"] = engine.Word("does.to." + zonePhrases.Key(s.To))
		if s.Object != FromDiscard {
			text.Key = "does.move"
		}
	case FlipUp:
		text.Args["what"] = s.objectText(s.Object)
	case Copy:
		text.Args["ability"] = engine.Word("does.timing." + timingPhrases.Key(s.Copies))
		text.Args["what"] = engine.Word("does.copied." + copyPhrases.Key(s.Object))
	case Attack:
		text.Args["whom"] = engine.Word("does.whom." + targetPhrases.Key(s.Targets))
		text.Args["suffers"] = joinEffects(s.Attack, false)
	case Transform, Swap, Ignore:
	default:
		text.Args["what"] = s.objectText(s.Object)
	}
	if bare {
		text.Key += ".bare"
	}
	if s.Per != (Count{}) && s.Per.Item != FreezeThis && s.Per.Item != FreezeThat {
		text = engine.T("does.for-each", "do", text, "what", s.Per.text("one"))
	}
	return text
}

// objectText returns the text of an effect's object. FlipUp has its own texts, because it
// applies to knocked-down mutants.
func (s Step) objectText(what Object) engine.Text {
	kind := "does.what."
	if s.Do == FlipUp {
		kind = "does.down."
	}
	if s.N < 2 && !s.UpTo {
		return engine.T(kind + objectPhrases.Key(what))
	}
	text := engine.T("does.some."+severalPhrases.Key(what), "n", s.N)
	if s.Do == FlipUp {
		text.Key = "does.some.down"
	}
	if s.UpTo {
		return engine.T("does.up-to", "what", text)
	}
	return text
}

func (c Count) text(form string) engine.Text {
	text := engine.T("does."+form+"."+eachPhrases.Key(c.Item), "gene", c.Gene.Word())
	if c.ByGene && c.Item != ArenaGenes && c.Item != FrozenGenes {
		text.Key += ".gene"
	}
	if c.Attacker {
		text = engine.T("does.attackers", "what", text)
	}
	return text
}

// Text returns the conditions of a part as people read them.
func (t Test) Text() engine.Text {
	key := "does.and"
	if t.Any {
		key = "does.or"
	}
	var text engine.Text
	for i, c := range t.Clauses {
		text = joinedText(key, i, text, c.text())
	}
	return text
}

func (c Clause) text() engine.Text {
	switch {
	case c.Condition == IfCount && c.Comparison == AtMost && c.N == 0:
		return engine.T("does.count.none", "what", c.Count.text("one"))
	case c.Condition == IfCount && c.N == 1:
		return engine.T("does.count."+thanPhrases.Key(bound{c.Comparison, 0}), "n", c.N, "what", c.Count.text("one"))
	case c.Condition == IfCount:
		return engine.T("does.count."+thanPhrases.Key(bound{c.Comparison, 0}), "n", c.N, "what", c.Count.text("many"))
	case c.Not:
		return engine.T("does.if-not." + conditionPhrases.Key(c.Condition))
	}
	return engine.T("does.if." + conditionPhrases.Key(c.Condition))
}

// Text returns the event that an ongoing ability waits for.
func (t Trigger) Text() engine.Text {
	if t&OfHero != 0 {
		return engine.T("does.each." + heroPhrases.Key(t))
	}
	return engine.T("does.each." + triggerPhrases.Key(t))
}

// Text returns a freeze value as people read it.
func (v Value) Text() engine.Text {
	switch {
	case v.Unknown:
		return engine.T("does.unknown")
	case v.Per:
		return engine.T("freeze-value.per", "n", v.N, "gene", v.Gene.Word())
	}
	return engine.T("freeze-value.fixed", "n", v.N)
}

func (g Gene) String() string { return geneNames[g] }

// String writes a freeze value as in a card file.
func (v Value) String() string {
	switch {
	case v.Unknown:
		return "?"
	case v.Per:
		return fmt.Sprintf("%d per %s", v.N, v.Gene)
	}
	return fmt.Sprint(v.N)
}

// Word returns the catalogue key of a gene's name.
func (g Gene) Word() engine.Word { return engine.Word("gene." + g.String()) }
