package mutants

// drawCards draws n cards ("4 Draw", FR "Cycle", REMARQUE). If there are fewer cards, it draws
// all of them. The callback gets the number of cards drawn, and may be nil.
func (s *state) drawCards(p *player, n int, then func(drawn int)) {
	s.drawMore(p, n, 0, then)
}

func (s *state) drawMore(p *player, n, drawn int, then func(int)) {
	now := min(n-drawn, p.deck)
	s.moveDrawn(p, now)
	drawn += now
	if drawn < n && len(p.discard) > 0 {
		s.Do(func() { s.reshuffle(p) }, func() { s.drawMore(p, n, drawn, then) })
		return
	}
	if then != nil {
		then(drawn)
	}
}

// reshuffle makes a new deck when the deck is empty ("4 Draw", IMPORTANT). The player chooses
// one discarded mutant and freezes it. The rest of the discard pile becomes the new deck.
func (s *state) reshuffle(p *player) {
	step := Step{Do: Freeze, Object: FromDiscard, N: 1}
	s.Do(
		func() { s.choose(source{p: p}, &step, "freeze-for-deck", s.freezeCard) },
		func() { s.shuffleDiscard(p) },
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

// discardSome asks for n cards of the hand, one by one. If the hand has fewer cards, it asks
// for all of them. The step may say "up to", or that the cards are chosen at random. If there
// is a note, the cards are recorded there.
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

// plainDiscard is the step that all discards without further conditions share.
var plainDiscard = Step{Do: Discard}

func (s *state) transform(src source) {
	p := src.p
	s.triggersLater(p, EachTransform, cause{})
	s.Do(func() {
		if src.card.zone&inArena != 0 {
			s.removeMutant(src.card)
		}
	}, func() { s.takeTop(p, "deploy-top", s.deploy) })
}

func (s *state) deployTop(p *player) {
	key := "deploy-top"
	if p == s.boss {
		key = "boss-card"
	}
	s.askTop(p, key, s.deploy)
}

// takeTop asks for the top card of the deck and passes the card to the callback. If the deck
// is empty, the discard pile first becomes the deck ("4 Draw"). If both are empty, nothing
// happens.
func (s *state) takeTop(p *player, key string, then func(c *card, from Zone)) {
	s.Do(func() {
		if p.deck == 0 && len(p.discard) > 0 {
			s.reshuffle(p)
		}
	}, func() { s.askTop(p, key, then) })
}

// topKeys maps an effect on the top card of the deck to the key of the prompt that asks for
// this card.
var topKeys = map[Effect]string{Deploy: "deploy-top", Freeze: "freeze-top", Take: "move-top"}

// askTop asks for the top card of the deck and passes the card to the callback. The table may
// not know that card. If the deck is empty, nothing happens.
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
