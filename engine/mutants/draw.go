package mutants

// drawCards draws n cards, or all if there are fewer: "4 Draw", FR "Cycle", REMARQUE. The
// callback, unless it is nil, gets the number of cards drawn.
func (s *state) drawCards(p *player, n int, then func(drawn int)) {
	s.drawMore(p, n, 0, then)
}

func (s *state) drawMore(p *player, n, drawn int, then func(int)) {
	now := min(n-drawn, p.deck)
	s.drawn(p, now)
	drawn += now
	if drawn < n && len(p.discard) > 0 {
		s.Do(func() { s.reshuffle(p) }, func() { s.drawMore(p, n, drawn, then) })
		return
	}
	if then != nil {
		then(drawn)
	}
}

// reshuffle follows "4 Draw", IMPORTANT. When the deck is empty, the player chooses one
// discarded mutant and freezes it. The rest of the discard pile becomes the new deck.
func (s *state) reshuffle(p *player) {
	step := Step{Do: Freeze, What: FromDiscard, N: 1}
	s.Do(
		func() { s.choose(source{p: p}, &step, "freeze-for-deck", s.freezeCard) },
		func() { s.shuffled(p) },
	)
}

// drawUpTo draws cards one by one as long as the player wants another, but at most n.
func (s *state) drawUpTo(src source, step *Step, n int) {
	if n == 0 || !s.possible(src, step) {
		return
	}
	s.askMay(src, "may-draw", 1,
		func() { s.Do(func() { s.drawCards(src.p, 1, nil) }, func() { s.drawUpTo(src, step, n-1) }) },
		nil,
		func() { s.drawUpTo(src, step, n) })
}

// discardSome asks for n cards of the hand, one by one, or for all if there are fewer. The
// step may say that fewer will do, or that the cards are chosen at random. The cards are
// recorded in the note, unless it is nil.
func (s *state) discardSome(p *player, noted *note, step *Step, n int) {
	n = min(n, p.hand)
	if n == 0 {
		return
	}
	q := question{Seat: p.seat, Key: "discard", N: n, In: InHand,
		Tap: func(c *card) {
			s.move("discards", c, InHand, InDiscard)
			if noted != nil {
				noted.card = c
				noted.n++
			}
			s.discardSome(p, noted, step, n-1)
		},
		Again: func() { s.discardSome(p, noted, step, n) },
	}
	if step.Random {
		q.Key = "discard-random"
	}
	if step.UpTo {
		q.Key = "discard-up-to"
		q.Fixed, q.Chosen = enough, func(answer) {}
	}
	s.Ask(q)
}

// plainDiscard is shared by all discards without further conditions.
var plainDiscard = Step{Do: Discard}

// transform follows "Transform". If the mutant is in the arena, it leaves and is discarded.
// Then the top card of the deck is deployed.
func (s *state) transform(src source) {
	p := src.p
	s.triggersLater(p, EachTransform, cause{})
	s.Do(func() {
		if src.card.where&inArena != 0 {
			s.leave(src.card)
		}
	}, func() { s.takeTop(p, "deploy-top", s.deploy) })
}

// deployTop deploys the top card of the deck.
func (s *state) deployTop(p *player) {
	key := "deploy-top"
	if p == s.boss {
		key = "boss-card"
	}
	s.askTop(p, key, s.deploy)
}

// takeTop asks for the top card of the deck and passes it to the callback. If the deck is
// empty, the discard pile becomes the deck first: "4 Draw". If both are empty, nothing
// happens.
func (s *state) takeTop(p *player, key string, then func(c *card, from Zone)) {
	s.Do(func() {
		if p.deck == 0 && len(p.discard) > 0 {
			s.reshuffle(p)
		}
	}, func() { s.askTop(p, key, then) })
}

// topKeys holds the prompt that asks for the top card of the deck, for each effect on that
// card.
var topKeys = map[Effect]string{Deploy: "deploy-top", Freeze: "freeze-top", Take: "move-top"}

// askTop asks for the top card of the deck, which the table may not know, and passes it to the
// callback. If the deck is empty, it does nothing.
func (s *state) askTop(p *player, key string, then func(c *card, from Zone)) {
	if p.deck == 0 {
		return
	}
	s.Ask(question{Seat: p.seat, Key: key, In: InDeck,
		Fits: func(c *card) unfit {
			n := len(p.deckTop)
			return unfit{Key: "refusal.not-deck-top", Override: true}.If(n > 0 && p.deckTop[n-1] != c)
		},
		Tap: func(c *card) {
			if n := len(p.deckTop); n > 0 && p.deckTop[n-1] != c {
				p.unsettle(0) // so the order of the deck was wrong
			}
			then(c, InDeck)
		},
		Again: func() { s.askTop(p, key, then) },
	})
}
