package mutants

import (
	"cmp"
	"slices"
	"strings"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// An ability that nobody has entered is resolved by hand. Meanwhile the players
// say what they do, which triggers the abilities that wait for such a deed. A
// correction (set) only says how the table looks, and triggers nothing.

// A deed is one thing that a player can do by hand, and the word by which an input names it.
type deed struct {
	word string
	boss bool // a boss can do it too, or it is done to the boss's cards

	// A deed that applies to a card asks for the card with this prompt. A deed never asks for
	// the hand and the discard pile together. A card that was discarded unseen might lie in
	// either place, and the table would not know in which.
	prompt  string
	zones   Zone
	allowed func(*card) bool // which cards of the arena; nil for any
	apply   func(s *state, c *card, from Zone)

	// ready reports whether the deed can be done, and run does it. Both fields are set only
	// for a deed that applies to no card. Such a deed asks the player nothing.
	ready func(p *player) bool
	run   func(s *state, src source)
}

var deeds = []deed{
	{word: "draw", ready: func(p *player) bool { return p.hasHand() && p.deck+len(p.discard) > 0 },
		run: func(s *state, src source) { s.drawCards(src.p, 1, nil) }},
	{word: "discard", prompt: "discard-card", zones: InHand,
		apply: func(s *state, c *card, from Zone) { s.move("discards", c, from, InDiscard) }},
	{word: "freeze", prompt: "freeze-card", zones: inArena | InDiscard | inPool,
		allowed: (*card).isUp, apply: (*state).freezeCard},
	{word: "freeze-hand", prompt: "freeze-card", zones: InHand, apply: (*state).freezeCard},
	{word: "take", prompt: "take-card", zones: InDiscard,
		apply: func(s *state, c *card, from Zone) { s.move("takes", c, from, InHand) }},
	{word: "gain-card", prompt: "gain-card", zones: inPool, apply: (*state).gainWhere},
	{word: "deploy", prompt: "deploy-card", zones: InHand | inPool, apply: (*state).deploy},
	{word: "deploy-discard", prompt: "deploy-card", zones: InDiscard, apply: (*state).deploy},
	{word: "deploy-top", boss: true, ready: func(p *player) bool { return p.deck > 0 },
		run: func(s *state, src source) { s.deployTop(src.p) }},
	{word: "knock-down", boss: true, prompt: "knock-down-card", zones: inArena, allowed: (*card).isUp,
		apply: (*state).knockDown},
	{word: "flip-up", boss: true, prompt: "flip-up-card", zones: inArena,
		allowed: func(c *card) bool { return c.down }, apply: (*state).flipUp},
	{word: "move", boss: true, prompt: "move-mutant", zones: inArena,
		allowed: func(c *card) bool { return len(c.player.freeSlots()) > 0 }, apply: (*state).moveWhere},
	{word: "leave", boss: true, prompt: "leave-card", zones: inArena,
		apply: func(s *state, c *card, _ Zone) { s.removeMutant(c) }},
	{word: "attack", boss: true, ready: func(*player) bool { return true }, run: (*state).attackByHand},
}

// byHandUntilDone lets a player resolve an ability of a card by hand. The given name says
// which ability it is. The player moves markers and cards, and is asked again until all is
// done.
//
// Meanwhile somebody may enter the ability in a form. Then byHandUntilDone calls the callback
// instead of asking the player again. If the callback is nil, the player is asked again
// nevertheless.
func (s *state) byHandUntilDone(p *player, c *card, name string, entered func()) {
	q := question{Seat: p.seat, Key: "by-hand-" + name, About: c, Fixed: s.byHandAnswers(p),
		ByHand: true, Printed: c.kind.printed(name)}
	q.Chosen = func(a answer) {
		switch {
		case a.Label == "done":
			return
		case a.Word == "plus":
			s.gainPower(p, 1)
		case a.Word == "minus":
			s.losePower(p, 1)
		case a.Word == "gain":
			s.gainPower(s.hero(), 1)
		case a.Word == "lose":
			s.losePower(s.hero(), 1)
		default:
			s.fightOneByHand(a.Word)
		}
		s.Do(func() { s.byHandUntilDone(p, c, name, entered) })
	}
	if s.rules.revision >= rules2 {
		q.Again = func() {
			if entered != nil && !c.kind.ability(name).Unknown {
				entered()
			} else {
				s.byHandUntilDone(p, c, name, entered)
			}
		}
	}
	s.Ask(q)
}

func (k *Kind) printed(name string) string { return cmp.Or(k.ability(name).Printed, k.Printed) }

func (s *state) byHandAnswers(p *player) []answer {
	list := ownByHand
	if s.boss != nil {
		if list = heroByHand; p == s.boss {
			list = bossByHand
		}
	}
	if s.rules.revision < rules2 {
		return list
	}
	return append(slices.Clone(list), anyDeed...)
}

var ownByHand = []answer{
	cardgame.Key("plus", "gain-one"),
	cardgame.Key("minus", "lose-one"),
	cardgame.Key("yes", "done"),
}

// ofBossWord begins each word that names a deed of a boss: a deed that the boss does, or one
// that is done to its cards.
const ofBossWord = "boss-"

func (s *state) resolvesByHand() bool {
	return strings.HasPrefix(s.Question.Key, "by-hand-") && s.Question.Key != "by-hand-deed"
}

// anyDeed is the answer that opens the list of deeds. The list is too long to be shown beside
// every ability.
var anyDeed = []answer{cardgame.Choose("deed", "deed")}

// deedNamed returns what a player does by hand, given the word that names the deed or opens the
// list of deeds. After the deed, the question about the ability is asked again.
//
// For any other word, and for a deed that cannot be done now, deedNamed returns nil. If p is nil,
// the player who has to answer the pending question does the deed.
func (s *state) deedNamed(p *player, word string) (act func()) {
	if p == nil {
		p = s.decider(s.playerAsked(&s.Question))
	}
	c := s.Question.About
	if word == anyDeed[0].Word {
		return func() { s.interrupt(func() { s.askDeed(p, c) }) }
	}
	do := s.deedOf(p, word)
	if do == nil {
		return nil
	}
	return func() { s.interrupt(func() { do(c) }) }
}

// deedOf returns a function that does the deed that a word names. That function takes the card
// whose ability is resolved by hand. If there is no such deed, or if the deed cannot be done
// now, deedOf returns nil.
func (s *state) deedOf(p *player, word string) func(c *card) {
	if rest, of := strings.CutPrefix(word, ofBossWord); of && s.boss != nil {
		p, word = s.boss, rest
	}
	i := slices.IndexFunc(deeds, func(d deed) bool { return d.word == word })
	if i < 0 || !s.possibleDeed(&deeds[i], p) {
		return nil
	}
	return func(c *card) { s.doDeed(&deeds[i], source{p: p, card: c, slot: c.zone}) }
}

// askDeed asks what a player does by hand. Instead of a deed, another player can be chosen
// first.
func (s *state) askDeed(p *player, c *card) {
	fixed := s.deedAnswers(p)
	if s.boss != nil {
		fixed = append(fixed, s.deedAnswers(s.boss)...)
	}
	for _, o := range s.opponents(p) {
		if o != s.boss {
			fixed = append(fixed, cardgame.ChooseSeat(o.seat, "deed-seat"))
		}
	}
	s.Ask(question{Seat: p.seat, Key: "by-hand-deed", About: c, Fixed: append(fixed, poolAnswers[2]),
		Chosen: func(a answer) {
			if o := s.playerAt(a.Seat); o != nil {
				s.askDeed(o, c)
			} else if do := s.deedOf(p, a.Word); do != nil {
				do(c)
			}
		}, Again: func() { s.askDeed(p, c) }})
}

func (s *state) possibleDeed(d *deed, p *player) bool {
	switch {
	case p == s.boss && !d.boss:
		return false
	case d.ready != nil:
		return d.ready(p)
	case d.zones&InHand != 0 && p.hand > 0, d.zones&InDiscard != 0 && len(p.discard) > 0,
		d.zones&inPool != 0 && p.pooled() > 0:
		return true
	}
	return slices.ContainsFunc(p.arena, func(c *card) bool { return d.zones&c.zone != 0 && d.fits(c) })
}

func (d *deed) fits(c *card) bool {
	switch {
	case c.zone&inArena != 0:
		return d.allowed == nil || d.allowed(c)
	case c.zone&inPool != 0:
		return c.player.tops(c)
	}
	return true
}

// doDeed does a deed immediately or, if the deed applies to a card, first asks for that card.
func (s *state) doDeed(d *deed, src source) {
	if d.ready != nil {
		d.run(s, src)
		return
	}
	if !s.possibleDeed(d, src.p) {
		return // a correction has taken the last card away
	}
	s.Ask(question{Seat: src.p.seat, Key: d.prompt, About: src.card, N: 1, In: d.zones,
		Fits: func(c *card) unfit {
			return unfit{Key: "refusal.not-this-one", Card: c}.If(!d.fits(c))
		},
		Tap:   func(c *card) { d.apply(s, c, c.zone) },
		Fixed: poolAnswers[2:], Chosen: func(answer) {},
		Again: func() { s.doDeed(d, src) },
	})
}

func (s *state) attackByHand(src source) {
	targets := s.opponents(src.p)
	if len(targets) == 1 {
		s.attackEach(src, targets, nil)
		return
	}
	s.askSeat(src.p.seat, "choose-target", targets, func(o *player) { s.attackEach(src, []*player{o}, nil) })
}

func (s *state) gainWhere(c *card, from Zone) {
	fixed := gainAnswers
	if c.player.incubator != nil {
		fixed = gainAnswers[:len(gainAnswers)-1]
	}
	s.Ask(question{Seat: c.player.seat, Key: "gain-where", About: c, Fixed: fixed, Chosen: func(a answer) {
		s.gainCard(c, from, zonesByName[a.Word])
	}, Again: func() { s.askUnlessGone(c, from, s.gainWhere) }})
}

var gainAnswers = []answer{
	cardgame.Choose("hand", "to-hand"),
	cardgame.Choose("deck", "to-deck"),
	cardgame.Choose("discard", "to-discard"),
	cardgame.Choose("freeze", "to-freeze"),
	cardgame.Choose("incubator", "to-incubator"),
}

func (p *player) freeSlots() []answer {
	var free []answer
	for i, slot := range []Zone{InLeft, InRight, InActive} {
		if p.mutantIn(slot) == nil {
			free = append(free, slotAnswers[i])
		}
	}
	return free
}

var slotAnswers = append(slices.Clone(flanks), cardgame.Choose("active", "slot-active"))

// moveWhere asks for the slot to which a card moves. Moving does not turn the card over.
func (s *state) moveWhere(c *card, from Zone) {
	s.Ask(question{Seat: c.player.seat, Key: "choose-flank", About: c, Fixed: c.player.freeSlots(),
		Chosen: func(a answer) {
			s.moveAcross(c, zonesByName[a.Word])
		}, Again: func() { s.askUnlessGone(c, from, s.moveWhere) }})
}

func (s *state) askUnlessGone(c *card, from Zone, ask func(*card, Zone)) {
	if c.zone == from && (from&inArena == 0 || len(c.player.freeSlots()) > 0) {
		ask(c, from)
	}
}

// deedAnswers returns the answers that name what a player can do by hand now.
func (s *state) deedAnswers(p *player) []answer {
	var list []answer
	for i := range deeds {
		if d := &deeds[i]; s.possibleDeed(d, p) {
			a := answer{Verb: engine.Choose, Word: d.word, Label: "deed-" + d.word}
			if p == s.boss {
				a.Word, a.Label = ofBossWord+d.word, "boss-deed-"+d.word
			}
			list = append(list, a)
		}
	}
	return list
}
