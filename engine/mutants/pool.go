package mutants

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

func (s *state) showPools() { s.inTurn(s.showPool) }

func (s *state) showPool(p *player) {
	if p.owed() > 0 {
		s.Ask(question{Seat: p.seat, Key: "show-pool", N: p.owed(), Fixed: s.showAnswers(p), Chosen: func(a answer) {
			if list := s.rules.precon(a.Word); list != nil {
				s.dealList(p, list)
				s.Do(func() { s.showPool(p) })
			}
		}, Again: func() { s.showPool(p) }})
	}
}

var (
	nextOnly  = []answer{cardgame.Key("next", "")}
	showLater = cardgame.Key("next", "show-later")
)

// offerMulligans offers each player a mulligan, from the first player clockwise (FR "Mise en
// place", Mulligan). A player may put the top cards of all three piles at the bottom and
// reveal the next cards. If a player has not shown all tops yet, the player may take the
// mulligan later.
func (s *state) offerMulligans() {
	if !s.rules.mulligan || !s.rules.cards {
		return
	}
	ask := s.askMulligan
	if s.rules.revision < rules2 {
		ask = func(p *player) { s.mulligan(p, 0) }
	}
	s.inTurn(ask)
}

// askMulligan asks a player whether to put the top cards of all three piles at the bottom. If
// the player has not shown all tops yet, nothing is asked, and the player may take the
// mulligan later.
func (s *state) askMulligan(p *player) {
	if p.owed() > 0 {
		p.mulligan = true
		return
	}
	s.Ask(question{Seat: p.seat, Key: "mulligan-all", Fixed: mulliganAnswers, In: inPool,
		Tap: func(*card) { s.buryTops(p) },
		Chosen: func(a answer) {
			if a.Word == "yes" {
				s.buryTops(p)
			}
		},
		Again: func() { s.askMulligan(p) },
	})
}

var mulliganAnswers = []answer{cardgame.Key("yes", "mulligan"), cardgame.Key("next", "keep-tops")}

func (s *state) mayMulligan(p *player) bool {
	return p != nil && p.mulligan && (s.Question.Key != "show-pool" || s.playerAsked(&s.Question) != p)
}

func (s *state) lateMulligan(p *player) {
	s.interrupt(func() { s.showPool(p) }, func() {
		if p.owed() == 0 {
			s.buryTops(p)
		}
	})
}

func (s *state) buryTops(p *player) {
	p.mulligan = false
	for i := range p.piles {
		if p.piles[i].top != nil {
			s.bury(p, i)
		}
	}
}

func (s *state) bury(p *player, i int) {
	c := p.piles[i].top
	p.piles[i].top = nil
	c.zone = inPool // the pile does not matter until the card is seen again
	place := p.place(pileZone[i])
	s.Emit(engine.Event{Name: "buries", Seat: p.seat, Card: c.id(), From: place, To: place})
}

// mulligan asks a player whether to put one more pile top under its pile. The set buried holds
// the piles for which this is done already. The question is asked only in journals from before
// rules2.
func (s *state) mulligan(p *player, buried Zone) {
	left := func(pile pile) bool { return pile.top != nil && buried&pile.top.zone == 0 }
	if !slices.ContainsFunc(p.piles[:], left) {
		return
	}
	s.Ask(question{Seat: p.seat, Key: "mulligan", In: inPool, Fixed: nextOnly,
		Fits: func(c *card) unfit {
			return unfit{Key: "refusal.mulligan-once"}.If(buried&c.zone != 0)
		},
		Tap: func(c *card) {
			i := pileOf(c.zone)
			s.bury(p, i)
			s.Do(func() { s.mulligan(p, buried|pileZone[i]) })
		},
		Chosen: func(answer) {},
		Again:  func() { s.mulligan(p, buried) },
	})
}

// reveal checks the tap of a card whose pile has to show its next top (FR "Engendrer un Mutant",
// REMARQUE). The tap may come at any time, even from a seat that is not asked. For any other card,
// reveal returns nothing. If every pile shows its top, reveal returns a refusal.
func (s *state) reveal(p *player, name string, confirmed bool) (act func(), err error) {
	c := s.tapped[name]
	if c != nil && (c.player != p || !p.buried(c)) || c == nil && !p.hidden(name) {
		return nil, nil
	}
	if p.nextOwed() < 0 && (!confirmed || p.misgrouped() == nil) {
		mistaken := !confirmed && p.misgrouped() != nil
		return nil, &engine.Refusal{Override: mistaken, Text: engine.T("refusal.tops-known")}
	}
	_, _, err = s.find(p, name, inPool, false)
	return func() { s.revealTop(p, name) }, err
}

func (s *state) revealTop(p *player, name string) {
	i := p.nextOwed()
	if i < 0 {
		i = p.regroup()
	}
	c, where, _ := s.find(p, name, inPool, false)
	s.place(c, name, where)
	if p.owed() > 1 { // the players may name these tops in another order
		for j := range p.piles {
			p.piles[j].mixed = p.piles[j].mixed || p.piles[j].owes()
		}
	}
	c.zone = pileZone[i]
	p.piles[i].top = c
	s.Emit(engine.Event{Name: engine.EventReveals, Seat: p.seat, Card: c.id(), From: p.place(c.zone)})
	s.updateShowPool(p)
}

func (s *state) updateShowPool(p *player) {
	if s.Question.Key != "show-pool" || s.playerAsked(&s.Question) != p {
		return
	}
	if s.Question.N, s.Question.Fixed = p.owed(), s.showAnswers(p); s.Question.N == 0 {
		s.Question = question{}
	}
}

func (p *player) hidden(name string) bool {
	id, _ := engine.SplitCopy(name)
	return slices.ContainsFunc(p.cards,
		func(c *card) bool { return c.kind.ID == id && c.name == "" && c.zone&inPool != 0 })
}

// buried reports whether a card that was tapped before lies in the gene pool, and is not known
// to be the top of a pile.
func (p *player) buried(c *card) bool { return c.zone&inPool != 0 && !p.tops(c) }

func (p *player) tops(c *card) bool {
	return p.piles[0].top == c || p.piles[1].top == c || p.piles[2].top == c
}

func (p *player) nextOwed() int { return slices.IndexFunc(p.piles[:], pile.owes) }

// misgrouped returns the pile that may in truth have only its top left. Players may have named
// tops in another order than the table assumed. In this case the other cards of that pile lie
// in a pile that is thought to be empty. If there is no such pile, misgrouped returns nil.
func (p *player) misgrouped() *pile {
	var most *pile
	gone := false
	for i := range p.piles {
		pile := &p.piles[i]
		if !pile.mixed {
			continue
		}
		gone = gone || pile.n == 0
		if pile.n > 1 && (most == nil || pile.n > most.n) {
			most = pile
		}
	}
	if !gone {
		return nil
	}
	return most
}

func (p *player) regroup() int {
	from := p.misgrouped()
	if from == nil {
		return -1
	}
	to := slices.IndexFunc(p.piles[:], func(pile pile) bool { return pile.mixed && pile.n == 0 })
	p.piles[to].n, from.n = from.n-1, 1
	return to
}
