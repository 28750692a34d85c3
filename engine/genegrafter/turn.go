package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

const maxPlayed = 3 // 004 "Jouer un personnage"

// beginTurn puts a player's turn on the agenda: 004 "Phase de jeu".
func (s *state) beginTurn() {
	p := s.players[s.active]
	p.owesTurn = false
	s.charactersPlayed, s.geared, s.declared, s.heldEvents = 0, false, nil, nil
	for _, c := range p.play {
		c.tired, c.fought = false, false
	}
	s.Do(
		func() { s.draw(p, s.rules.draw) },
		func() { s.playCards(p) },
		func() { s.fight(p) },
		func() { s.discardTo(p, s.rules.handLimit) },
		s.endTurn,
	)
	for _, c := range slices.Backward(p.play) {
		s.happen("turn", p, c)
	}
}

// endTurn passes the turn to the next player, or ends the match. After the third DNA strand
// each player has one more turn (004 "Remportez la partie"). The match ends after these turns.
func (s *state) endTurn() {
	if s.closing && !slices.ContainsFunc(s.players, func(p *player) bool { return p.owesTurn && !p.out }) {
		s.finish()
		return
	}
	s.active = s.opponents(s.players[s.active])[0].index
	s.Tell("turn", s.players[s.active].seat, 0)
	s.beginTurn()
}

// draw lets a player draw n cards (004 "Piochez trois carte"). If a drawn card is an event or
// a DNA strand, the card is shown and resolved, and the player draws another card instead.
// Nobody else sees the other cards.
func (s *state) draw(p *player, n int) {
	before := len(s.heldEvents)
	s.Do(func() { s.heldEvents = s.heldEvents[:min(before, len(s.heldEvents))] })
	s.drawOn(p, n, false)
}

// nothingToShow holds the answer by which a player says that no drawn card has to be shown.
var nothingToShow = []answer{cardgame.Key("next", "nothing-to-show")}

// drawOn lets a player draw n more cards. The argument begun says whether the player has
// already drawn some cards of this draw.
//
// A card that has to be shown usually comes straight from the deck. Nobody can point at a card
// in the deck, so the cards of the deck are not listed as answers. The cards that were drawn
// earlier are in the hand, and one of those may have to be shown, too. Therefore the player is
// asked once more after the last card.
func (s *state) drawOn(p *player, n int, begun bool) {
	if p.out {
		return
	}
	showFirst := begun && s.rules.eventsFirst // the card drawn last may be an event
	if n > 0 && !showFirst {
		s.reshuffle()
	}
	now := min(n, s.deck) // the rest after the next shuffle
	if now <= 0 && !begun {
		return
	}
	q := question{Seat: p.seat, Key: "drawn", Hidden: "show-drawn",
		Fits: func(c *card) unfit {
			return unfit{Key: "refusal.keep-hidden"}.If(c.kind.Type != UnknownType && !isShown(c))
		},
		Tap: func(c *card) { s.drawOpen(p, c, n, begun) },
	}
	if begun {
		q.In = p.placeOf(inHand)
	}
	if now <= 0 {
		q.Fixed = nothingToShow
		if n > 0 && showFirst && len(s.discard) > len(s.heldBack()) {
			q.Chosen = func(answer) {
				s.reshuffle()
				s.Do(func() { s.drawOn(p, n, true) })
			}
		}
	} else {
		q.Key, q.N, q.Unlisted = "draw", now, inDeck
		q.Fixed = []answer{{Verb: engine.Key, Word: "next", Label: "draw-all", N: now}, cardgame.Key("plus", "draw-one")}
		q.Chosen = func(a answer) {
			drawn := now
			switch {
			case a.Word == "plus":
				drawn = 1
				s.Do(func() { s.drawOn(p, n-1, true) })
			case now < n:
				s.Do(func() { s.drawOn(p, n-now, begun || len(s.discard) > 0) })
			}
			s.shift("draws", p, inDeck, p.placeOf(inHand), drawn)
		}
	}
	s.Ask(q)
}

// drawOpen handles a card that was drawn and named. If the type of the card is unknown,
// drawOpen first asks for the type, because the card may be an event. See drawOn for n and
// begun.
func (s *state) drawOpen(p *player, c *card, n int, begun bool) {
	hand := p.placeOf(inHand)
	if c.Where&hand != 0 {
		c.Where = hand
		n++
	} else if !isShown(c) {
		s.move("keeps", p.seat, c, hand)
	}
	s.askUnknown(c, FieldType, func() {
		if !isShown(c) || c.Where&(hand|inDeck) == 0 {
			s.Do(func() { s.drawOn(p, n-1, begun) })
			return
		}
		s.Do(func() { s.drawOn(p, n, begun) })
		s.show(p, c)
	})
}

// playCards lets a player play up to three characters (004 "Jouer un personnage"). A player
// who can play a character must play at least one. Only that player sees whether the hand
// holds a character, unless everybody has seen one there. The player may also play a gear.
func (s *state) playCards(p *player) {
	s.dice = nil // of the last battle: they have been seen long enough
	if p.hand == 0 || p.out {
		return
	}
	var must *card // everybody knows that it is in the hand
	held := func(c *card) bool { return c.Where == p.placeOf(inHand) && c.kind.Type == Character }
	if i := slices.IndexFunc(s.Cards, held); s.charactersPlayed == 0 && i >= 0 {
		must = s.Cards[i]
	}
	q := question{Seat: p.seat, Key: "play", N: maxPlayed - s.charactersPlayed,
		In: p.placeOf(inHand) | p.placeOf(inPlay), Hidden: "play", Label: "attack",
		Fits: func(c *card) unfit {
			switch {
			case c.Where != p.placeOf(inPlay):
				return s.checkPlay(p, c)
			case must != nil:
				return unfit{Key: "refusal.must-play", Card: must}
			}
			return s.attackRefusal(c)
		},
		Tap: func(c *card) {
			if c.Where == p.placeOf(inPlay) {
				s.Do(func() { s.chooseTarget(p, c, func() { s.playCards(p) }) })
				return
			}
			s.askUnknown(c, FieldType, func() { s.playCard(p, c) })
		},
		Fixed: []answer{cardgame.Key("next", "to-fight")},
	}
	if must != nil {
		q.Fixed[0].Doubt = engine.RefuseUnless("refusal.must-play", "card", must.Word())
		q.Chosen = func(answer) { s.Unsettle() }
	}
	if !s.rules.gear || s.geared && s.rules.eventsFirst {
		q.Key = "play-characters"
	}
	switch {
	case s.charactersPlayed == 0:
		q.Fixed[0].Label = "none-to-play"
	case s.charactersPlayed == maxPlayed && (s.geared || !s.rules.gear): // what was overlooked can still be shown
		q.Key, q.In, q.Unlisted = "played-all", p.placeOf(inPlay), p.placeOf(inHand)
	case s.charactersPlayed == maxPlayed:
		q.Key = "play-gear"
	}
	s.Ask(q)
}

// checkPlay returns the reason why a card of the hand cannot be played. If the card can be
// played, checkPlay returns the zero value. The refusal never names the card, but shows which
// kind of card was tapped.
func (s *state) checkPlay(p *player, c *card) unfit {
	switch kind := c.kind.Type; {
	case kind == Character && s.charactersPlayed == maxPlayed:
		return unfit{Key: "refusal.three-played", N: maxPlayed}
	case kind == Gear && !s.rules.gear:
		return unfit{Key: "refusal.no-gear"}
	case kind == Gear && s.geared:
		return unfit{Key: "refusal.gear-played"}
	case kind == Gear && len(bearers(p, c)) == 0:
		return unfit{Key: "refusal.no-bearer"}
	case kind == Ability:
		return unfit{Key: "refusal.battle-only"}
	}
	return unfit{}
}

// playCard plays a card that was tapped and is known by now. A player may have overlooked an
// event or a strand when drawing it. In this case the card is shown, and the player draws
// another card.
func (s *state) playCard(p *player, c *card) {
	s.Do(func() { s.playCards(p) })
	if c.Where != p.placeOf(inHand) {
		return // a correction by hand has taken it away
	}
	if s.checkPlay(p, c).Key != "" {
		s.tellOf("stays", p, c)
		return
	}
	switch c.kind.Type {
	case Character:
		s.charactersPlayed++
		s.enter("plays", p, c)
	case Gear:
		s.askUnknown(c, FieldPlace, func() { s.wear(p, c) })
	default:
		s.Do(func() { s.draw(p, 1) })
		s.show(p, c)
	}
}

func (s *state) enter(event string, p *player, c *card) {
	s.move(event, p.seat, c, p.placeOf(inPlay))
	c.tired = true
	s.happen("enters", p, c)
}

// wear lets a player put the gear c on a character that has room for it. A player may put on
// one gear a turn. A character has room for one gear on each place of the body (004 "Règle
// Bonus Kickstart"). If no character has room, the gear stays in the hand.
func (s *state) wear(p *player, c *card) {
	list := bearers(p, c)
	switch {
	case c.Where != p.placeOf(inHand): // a correction by hand has taken it away
	case len(list) == 0:
		s.tellOf("stays", p, c)
	default:
		s.choose(p, "wear", c, list, func(host *card) {
			s.geared = true
			s.put("wears", p, c, host)
		})
	}
}

func bearers(p *player, c *card) []*card {
	return slices.DeleteFunc(slices.Clone(p.play), func(host *card) bool {
		taken := func(g *card) bool { return g.kind.Place == c.kind.Place }
		return c.kind.Place != "" && slices.ContainsFunc(host.gear, taken)
	})
}

// discardTo asks a player to discard the cards of the hand beyond a limit (004 "Défausse").
// Under revised rules the hand is counted again after each discarded card, because the special
// die may have drawn a card.
func (s *state) discardTo(p *player, limit int) {
	if !s.rules.revised {
		s.discardCards(p, p.hand-limit)
		return
	}
	s.discardOne(p, p.hand-limit, func() { s.discardTo(p, limit) })
}

func (s *state) discardCards(p *player, n int) {
	s.discardOne(p, n, func() { s.discardCards(p, n-1) })
}

// discardOne asks a player to tap one card to discard. The question shows that n cards are
// still to be discarded, or the whole hand if it has fewer cards. After the answer, the
// callback runs as a step of the agenda. If the player taps an event or a strand, the card is
// shown instead of discarded. If the player is out or has no card to discard, nothing happens.
func (s *state) discardOne(p *player, n int, then func()) {
	n = min(n, p.hand)
	if n <= 0 || p.out {
		return
	}
	s.Ask(question{Seat: p.seat, Key: "discard", N: n, In: p.placeOf(inHand), Tap: func(c *card) {
		s.Do(then)
		if isShown(c) {
			s.show(p, c)
			return
		}
		s.move("discards", p.seat, c, inDiscard)
	}})
}
