package mindbug

import (
	"regexp"
	"slices"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// String writes an ability in words that read back as the same ability.
func (a Ability) String() string {
	switch {
	case a.Unknown:
		return "?"
	case len(a.Steps) == 0:
		return "none"
	}
	return a.write(engine.English)
}

// withoutInto returns an ability without what it evolves its card into, which another line says.
func (k *Kind) withoutInto(trigger string) Ability {
	a := *k.ability(trigger)
	a.Steps = slices.Clone(a.Steps)
	for i := range a.Steps {
		a.Steps[i].Into, a.Steps[i].title = "", engine.Wording{}
	}
	return a
}

func (r Rule) String() string { return r.write(engine.English) }

// write writes an ability from its values, and not from what it was read from.
func (a Ability) write(lang engine.Lang) string {
	said := cardfile.Slot{Name: "more", Row: "none"}
	for _, s := range slices.Backward(a.Steps) {
		said = cardfile.Slot{Name: "more", Row: "then", Slots: []cardfile.Slot{s.part(), said}}
	}
	said.Name, said.Row = "ability", "parts"
	return rows().Write(lang, said)
}

func (r Rule) write(lang engine.Lang) string {
	rule := cardfile.Slot{Name: "rule", Row: string(r.Ruling)}
	for _, name := range slotsOf(rule.Row, "rule") {
		rule.Slots = append(rule.Slots, r.slot(name))
	}
	return rows().Write(lang, behindIf("standing", r.While, rule))
}

func behindIf(name string, c Condition, v cardfile.Slot) cardfile.Slot {
	if c == Always {
		return cardfile.Slot{Name: name, Row: "always", Slots: []cardfile.Slot{v}}
	}
	return cardfile.Slot{Name: name, Row: "if", Slots: []cardfile.Slot{{Name: "if", Row: string(c)}, v}}
}

func (s Step) part() cardfile.Slot {
	wish := cardfile.Slot{Name: "wish", Row: "order", Slots: []cardfile.Slot{s.deed()}}
	if s.Or != nil {
		wish.Row, wish.Slots = "choose", append(wish.Slots, s.Or.deed())
	}
	said := wish.Slots[0].Slots[0]
	switch turn := slices.Contains([]string{"this-turn", "stop-block", "outlast"}, said.Row); {
	case !s.May:
	case s.Or != nil:
		wish.Row = "may-choose"
	case turn:
		wish.Row, wish.Slots[0] = "may-aside", cardfile.Slot{Name: "aside", Row: "turn", Slots: []cardfile.Slot{said}}
	case said.Name == "theirs":
		wish.Row, wish.Slots[0] = "may-aside", cardfile.Slot{Name: "aside", Row: "opponent", Slots: []cardfile.Slot{said}}
	default:
		wish.Row, wish.Slots[0] = "may", said
	}
	return behindIf("part", s.If, wish)
}

func (s Step) deed() cardfile.Slot {
	words := strings.Fields(string(s.Do))
	row, slot, deed, per := words[0], "effect", "you", "once"
	for _, word := range words[1:] {
		if word == "opponent" {
			slot, deed = "theirs", word
		} else {
			per = word
		}
	}
	said := cardfile.Slot{Name: slot, Row: row}
	if s.Into != "" {
		said.Row = "evolve-into"
	}
	for _, name := range slotsOf(said.Row, slot) {
		v := cardfile.Slot{Name: name}
		switch name {
		case "n":
			v.N = s.N
		case "per":
			v.Row = per
		case "into":
			v.Row = s.Into
		case "creatures", "up-to", "whom", "one", "able", "shared":
			v = s.Creatures.slot(name)
		case "card":
			v.Row = s.Card.Trigger
			if v.Row == "" {
				v.Row = "any"
			}
			if s.Card.Low > 0 {
				v.Row, v.Slots = "low", []cardfile.Slot{{Name: "least", N: s.Card.Low}}
			}
		case "pile", "discards":
			v.Row = string(s.From)
		default:
			v = s.Gift.slot(name)
		}
		said.Slots = append(said.Slots, v)
	}
	return cardfile.Slot{Name: "deed", Row: deed, Slots: []cardfile.Slot{said}}
}

func (r Rule) slot(name string) cardfile.Slot {
	switch name {
	case "n":
		return cardfile.Slot{Name: name, N: r.Power}
	case "keyword":
		return r.Keywords.slot()
	case "gifts":
		return r.gifts()
	}
	return r.Creatures.slot(name)
}

func (r Rule) gifts() cardfile.Slot {
	v := cardfile.Slot{Name: "gifts", Row: "keywords"}
	add := func(row, name string, n int) {
		v.Row, v.Slots = row, []cardfile.Slot{{Name: name, N: n}}
	}
	switch {
	case r.Per:
		add("per-ally", "power", r.Power)
	case r.Power < 0:
		add("less", "less", -r.Power)
	case r.Power > 0:
		add("power", "power", r.Power)
	case r.Dice > 0:
		add("dice", "dice", r.Dice)
	}
	if r.Keywords != noKeywords {
		if v.Slots = append(v.Slots, r.Keywords.slot()); v.Row != "keywords" {
			v.Row += "-keywords"
		}
	}
	return v
}

func (k Keywords) slot() cardfile.Slot {
	v := cardfile.Slot{Name: "keyword"}
	for _, name := range k.list() {
		v.Slots = append(v.Slots, cardfile.Slot{Row: name})
	}
	return v
}

func (c Creatures) slot(name string) cardfile.Slot {
	if c.Side == This {
		return cardfile.Slot{Name: name, Row: "this"}
	}
	v := cardfile.Slot{Name: name, Row: string(c.Count)}
	if c.N > 0 {
		v.Slots = []cardfile.Slot{{Name: "count", N: c.N}}
	}
	trait := cardfile.Slot{Name: "trait", Row: string(c.Trait)}
	if c.Low > 0 {
		trait.Slots = append(trait.Slots, cardfile.Slot{Name: "low", N: c.Low})
	}
	if c.High > 0 {
		trait.Slots = append(trait.Slots, cardfile.Slot{Name: "high", N: c.High})
	}
	if c.Keywords != noKeywords {
		trait.Slots = []cardfile.Slot{{Name: "has", Row: c.Keywords.list()[0]}}
	}
	v.Slots = append(v.Slots, cardfile.Slot{Name: "side", Row: string(c.Side)}, trait)
	return v
}

var slotPattern = regexp.MustCompile(`\{(?:[^}:]*:)?([^}]*?)\+?\}`)

// slotsOf returns the names of the slots of a row that stands in a slot.
func slotsOf(row, slot string) (names []string) {
	for line := range strings.Lines(rowsFile) {
		columns := strings.Split(line, "|")
		head := strings.Fields(columns[0])
		if len(head) < 3 || head[0] != "row" || head[1] != row || !slices.Contains(head[2:], slot) {
			continue
		}
		for _, m := range slotPattern.FindAllStringSubmatch(columns[1], -1) {
			if m[1] != "your" && !strings.Contains(rowsFile, "\nverb "+m[1]+" |") {
				names = append(names, m[1])
			}
		}
		return names
	}
	return nil
}

var rulings = []Ruling{Have, Mirror, NotBlockedBy, CannotBlock, SilencesPlays, CannotAttack, CannotHunt, RollMore, Idle,
	BlockedNear, Upside, LosesMore, MustHunt}

var conditions = []Condition{Always, FewerCreatures, MoreCreatures, OwnTurn, OnlyCreature, OneLife, NoDiscards, EqualAllies,
	TwoCreatures, ThreeEnemies, NoMindbugs}

// effects lists the effects of the engine.
var effects = []Effect{GainLife, LoseLife, OpponentLoses, OpponentKeeps, LifeAsOpponent, OpponentDiscards, Steal, DrawDiscard,
	PlayCard, DrawCard, DrawUnused, PlayGiven, PlayOrKeep, PlayThis, Defeat, TakeControl, Return, TriggerPlay, GainEnergy,
	EnergyPerEnemy, TakeEnergyCard, TakeTopEnergy, ThisTurn, StopBlock, Boost, TakeBoost, DiscardDeck, DiscardAll,
	DiscardPerEnemy, DiscardRandom, PutRandom, DiscardToDefeat, DefeatNamed, LifePerMindbug, GiveControl, ReturnTheirs,
	ForceAttack, Outlast, CopyPlay, Evolve}
