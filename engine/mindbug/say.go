package mindbug

import (
	_ "embed"

	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed cardwords.txt
var cardWordsFile string

// cardWords is what abilities and gaps are said with.
var cardWords = engine.MustWords("mindbug/cardwords.txt", cardWordsFile)

// Words is the catalogue of the cards: their titles as card.<id>, and all
// that abilities are said with. A card without a title in a language keeps
// the one it has.
func (d Data) Words() engine.Words {
	words := engine.Words{}
	for _, k := range d.Kinds {
		words["card."+k.ID] = cardfile.Titles(k.Names)
	}
	return engine.Merge(cardWords, words)
}

// Lines tell a card: its power and keywords, then a line for each ability.
func (k *Kind) Lines() []engine.Text {
	if k.Energy {
		return []engine.Text{engine.T("card-price", "n", k.Price), k.Effect.Text()}
	}
	lines := []engine.Text{engine.T("card-power", "n", k.Power)}
	if words := k.Keywords.Text(); k.Keywords != noKeywords {
		lines[0] = engine.T("card-power-keywords", "n", k.Power, "words", words)
	}
	if k.Dice > 0 {
		lines = append(lines, engine.T("card-dice", "n", k.Dice))
	}
	for _, t := range triggers {
		if a := k.ability(t); !a.none() {
			lines = append(lines, engine.T("card-line", "trigger", engine.Word("trigger."+t), "text", a.Text()))
		}
	}
	if k.Level > 0 {
		lines = append(lines, engine.T("card-level", "n", k.Level))
	}
	for _, r := range k.Always {
		lines = append(lines, r.Text())
	}
	for _, r := range k.InDiscard {
		lines = append(lines, engine.T("card-line", "trigger", engine.Word("trigger.in-discard"), "text", r.Text()))
	}
	if len(k.Open) > 0 {
		lines = append(lines, engine.T("does.unknown"))
	}
	return lines
}

// Describe tells what a card does.
func (s *state) Describe(card string) []engine.Text {
	id, _ := engine.SplitCopy(card)
	if k := s.rules.kinds[id]; k != nil {
		return k.Lines()
	}
	return nil
}

// Text is the keywords for people.
func (k Keywords) Text() engine.Text {
	var text engine.Text
	for i, name := range k.list() {
		word := engine.T("keyword." + name)
		if i == 0 {
			text = word
		} else {
			text = engine.T("does.list", "first", text, "next", word)
		}
	}
	return text
}

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
	form := formOf(s.Do)
	text := engine.T("does."+form.key, "n", s.N)
	if form.counts != nil {
		text = engine.T(text.Key, "what", s.What.Text(), "n", s.N)
	}
	switch s.Do {
	case Evolve:
		text = engine.T(text.Key, "what", engine.CardWord(s.Into))
	case PlayCard, DrawCard:
		text = engine.T(text.Key, "what", s.Card.many(s.N), "from", engine.T("does.from"+pileKeys[s.From]))
	case ThisTurn:
		text = engine.T(text.Key, "do", s.Gift.Text())
	}
	if s.Or != nil {
		text = engine.T("does.or", "first", text, "next", s.Or.Text())
	}
	if s.May {
		text = engine.T("does.may", "do", text)
	}
	if s.If != Always {
		text = engine.T("does.if", "when", engine.T("does.when."+conditionKeys[s.If]), "do", text)
	}
	return text
}

// many names several cards of a pile.
func (f Filter) many(n int) engine.Text {
	if n > 1 {
		return engine.T("does.cards", "n", n)
	}
	return f.Text()
}

// Text names a card of a pile.
func (f Filter) Text() engine.Text {
	switch {
	case f.With != "":
		return engine.T("does.card-with", "trigger", engine.Word("trigger."+f.With))
	case f.Low > 0:
		return engine.T("does.card-low", "n", f.Low)
	}
	return engine.T("does.card")
}

// Text names creatures: "all enemy creatures with power 4 or less".
func (c Creatures) Text() engine.Text { return c.text(countKeys[c.Count]) }

// those names them without saying how many: "enemy creatures".
func (c Creatures) those() engine.Text { return c.text("those") }

func (c Creatures) text(count string) engine.Text {
	if c.Side == This {
		return engine.T("does.this")
	}
	text := engine.T("does."+count+sideKeys[c.Side], "n", c.Most)
	switch {
	case c.Low > 0 && c.High > 0:
		return engine.T("does.power-range", "what", text, "low", c.Low, "high", c.High)
	case c.Low > 0:
		return engine.T("does.power-low", "what", text, "n", c.Low)
	case c.High > 0:
		return engine.T("does.power-high", "what", text, "n", c.High)
	case c.Power != 0:
		return engine.T("does.power-"+extremeKeys[c.Power], "what", text)
	case c.Boosted:
		return engine.T("does.with-boosts", "what", text)
	case c.Keywords != noKeywords:
		return engine.T("does.with-keyword", "what", text, "words", c.Keywords.Text())
	}
	return text
}

// Text is a permanent ability for people.
func (r Rule) Text() engine.Text {
	key := "does." + rulingKeys[r.Is]
	switch {
	case r.Is == Have:
		key = "does.have-" + r.gift()
	case r.Who.Side == This && (r.Is == CannotAttack || r.Is == CannotBlock || r.Is == Idle):
		key += ".this"
	case r.Is == CannotBlock && r.Who.Side == AnySide:
		key = "does.cannot-block-any"
	}
	text := engine.T(key, "who", r.Who.those(), "n", max(r.Power, -r.Power, r.Dice), "words", r.Keywords.Text())
	if r.While != Always {
		text = engine.T("does.while", "when", engine.T("does.when."+conditionKeys[r.While]), "do", text)
	}
	return text
}

// gift is how what a rule gives is called in the catalogue.
func (r Rule) gift() string {
	switch {
	case r.Per:
		return "per"
	case r.Dice > 0:
		return "dice"
	case r.Power < 0:
		return "less"
	case r.Power == 0:
		return "keywords"
	case r.Keywords == noKeywords:
		return "power"
	}
	return "both"
}

// The keys of the catalogue, without what they begin with.
var (
	rulingKeys = map[Ruling]string{
		Mirror: "mirror", NotBlockedBy: "not-blocked-by", CannotBlock: "cannot-block", BlockedNear: "blocked-near", Idle: "idle", Upside: "upside",
		LosesMore: "loses-more", MustHunt: "must-hunt", CannotAttack: "cannot-attack", CannotHunt: "cannot-hunt", RollMore: "roll-more",
		SilencesPlays: "silences-plays",
	}
	extremeKeys   = map[Extreme]string{Highest: "highest", Lowest: "lowest", Shared: "shared", Weaker: "weaker"}
	pileKeys      = map[Pile]string{OwnDiscard: ".own", TheirDiscard: ".theirs", AnyDiscard: ".any", OwnHand: ".hand", Unused: ".unused"}
	countKeys     = map[Count]string{One: "one", UpTo: "up-to", All: "all", Any: "any", Exactly: "exactly"}
	sideKeys      = map[Side]string{AnySide: "", Enemy: ".enemy", Allied: ".allied", OtherAllied: ".other"}
	conditionKeys = map[Condition]string{
		FewerCreatures: "fewer", MoreCreatures: "more", OwnTurn: "own-turn", OnlyCreature: "only", OneLife: "one-life",
		NoDiscards: "no-discards", EqualAllies: "equal-allies", TwoCreatures: "two-creatures", ThreeEnemies: "three-enemies", NoMindbugs: "no-mindbugs",
	}
)
