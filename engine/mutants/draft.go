package mutants

import (
	"math/rand/v2"
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A draft follows FR "Mise en place", EN "Variants", "Draft". Each seat is dealt nine cards,
// keeps one and passes the rest to the left, until it has six; then each of the six is matched
// with its second copy.
//
// Nobody sees what the others have picked, so the table only counts cards until a seat's six
// are tapped. From then on it knows them, but names none: a gene pool is laid face down, and
// only its tops are seen.

const (
	draftDeal  = 9 // cards that a seat is dealt
	draftPicks = 6 // cards that a seat keeps
)

// The additional places where cards lie during a draft.
const (
	draftStack  = "stack"    // one copy of each drafted card
	draftCopies = "copies"   // the other copy of each
	draftHand   = "/draft"   // of a seat: the cards that it picks from
	draftPicked = "/drafted" // of a seat: the cards that it has picked
	draftPassed = "passing"  // one hand of cards, while all pass at once
)

// A draft records how far the players have come in picking and matching their cards.
type draft struct {
	phase   draftPhase
	pick    int       // the number of the current pick, from 1
	waiting []*player // who has not picked, or has not completed the pool
}

type draftPhase uint8

const (
	draftDealing draftPhase = iota
	draftPicking
	draftMatching
)

// startDraft starts a draft if the setup asks for one. If the gene pools of all seats are
// declared, the seats have drafted already, and no draft starts. If only some seats have
// declared pools, startDraft returns an error. It also returns an error if the box has too few
// cards for a draft.
func (s *state) startDraft(setup engine.Setup) error {
	if setup.Option("pools") != "draft" {
		return nil
	}
	declared := 0
	for _, p := range s.players {
		if slices.ContainsFunc(setup.Pools, func(d engine.Pool) bool { return d.Seat == p.seat }) {
			declared++
		}
	}
	switch n := len(s.rules.draftedKinds()); {
	case declared == len(s.players):
		return nil
	case declared > 0:
		return engine.NewSetupError("setup.draft-pools")
	case s.rules.cards && n < draftDeal*len(s.players):
		return engine.NewSetupError("setup.draft-cards", "n", n, "of", draftDeal*len(s.players))
	}
	s.draft = &draft{}
	return nil
}

func (r *rules) draftedKinds() []*Kind {
	var kinds []*Kind
	for i := range r.data.Kinds {
		if k := r.kinds[r.data.Kinds[i].ID]; k.Draft && k.advanced() && (r.draftsUnnamed || !k.isUnnamed()) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// draftPools begins the draft, as a step of the set-up.
func (s *state) draftPools() {
	if s.draft == nil {
		return
	}
	q := question{Key: "draft-deal", Fixed: nextOnly, Chosen: func(answer) {
		s.dealDraft()
		s.pickNext()
	}}
	if s.rules.revision >= rules3 {
		q.Key, q.N = "draft-shuffle", len(s.rules.draftedKinds())
	}
	s.Ask(q)
}

// dealDraft carries out the rule "Deal", "Distribution": it deals nine cards to each seat, and
// puts the rest back into the box.
func (s *state) dealDraft() {
	s.draft.phase = draftPicking
	for _, p := range s.clockwiseFromFirst() {
		s.drift("draft-deals", p, nil, draftDeal, draftStack, string(p.seat)+draftHand)
	}
	if rest := len(s.rules.draftedKinds()) - draftDeal*len(s.players); s.rules.cards && rest > 0 {
		s.drift("draft-rest", nil, nil, rest, draftStack, engine.Away)
	}
}

func (s *state) pickNext() {
	d := s.draft
	d.pick++
	d.waiting = s.clockwiseFromFirst()
	s.askPicks()
}

// askPicks asks the players to confirm that they have picked a card, until all have confirmed.
// A player can confirm alone. A shared key confirms for all players.
func (s *state) askPicks() {
	d := s.draft
	key := "draft-pick"
	if d.pick == draftPicks {
		key = "draft-last-pick"
	}
	s.Ask(question{Key: key, N: d.pick, Fixed: nextOnly, Chosen: func(a answer) {
		for _, p := range s.answeringPlayers(a) {
			s.drift("drafts", p, nil, 1, string(p.seat)+draftHand, string(p.seat)+draftPicked)
			d.waiting = cardgame.Without(d.waiting, p)
		}
		switch {
		case len(d.waiting) > 0:
			s.askPicks()
		case d.pick < draftPicks:
			s.passDraft()
			s.pickNext()
		default:
			s.endPicking()
		}
	}})
}

func (s *state) passDraft() {
	n := draftDeal - s.draft.pick
	round := s.clockwiseFromFirst()
	last := len(round) - 1
	s.drift("draft-passes", round[last], round[0], n, string(round[last].seat)+draftHand, draftPassed)
	for i := last; i > 0; i-- {
		s.drift("draft-passes", round[i-1], round[i], n, string(round[i-1].seat)+draftHand, string(round[i].seat)+draftHand)
	}
	s.drift("draft-passed", nil, nil, n, draftPassed, string(round[0].seat)+draftHand)
}

func (s *state) endPicking() {
	for _, p := range s.clockwiseFromFirst() {
		s.drift("draft-left", p, nil, draftDeal-draftPicks, string(p.seat)+draftHand, engine.Away)
	}
	s.draft.phase = draftMatching
	s.draft.waiting = s.clockwiseFromFirst()
	s.askMatches()
}

// askMatches asks each seat for its six picked cards, and then for the second copies of these
// cards.
func (s *state) askMatches() {
	d := s.draft
	if len(d.waiting) == 0 {
		return // checkPools ends the draft
	}
	s.Ask(question{Key: "draft-match", Fixed: nextOnly, Chosen: func(a answer) {
		for _, p := range s.answeringPlayers(a) {
			s.completePool(p)
		}
		s.askMatches()
	}})
}

func (s *state) questionFor(q question, p *player) question {
	if q.Seat = p.seat; q.Key == "draft-match" && s.rules.cards {
		if n := draftPicks - p.pickedKinds(); n > 0 {
			q.Key, q.N, q.Fixed = "draft-take", n, nil
		}
	}
	return q
}

// tapDrafted checks a tap of one of a seat's six cards, or of the second copy of such a card. The
// card is not named in the event, because only its player has seen it.
func (s *state) tapDrafted(in engine.Input) (act func(), err error) {
	d := s.draft
	p := s.playerAt(in.Seat)
	if p == nil {
		p = d.waiting[0]
	}
	name := in.Arg(0)
	kind, err := s.copyOf(name)
	switch {
	case err != nil:
		return nil, err
	case d.phase != draftMatching:
		return nil, engine.RefuseReach("refusal.draft-hidden")
	case !slices.Contains(d.waiting, p):
		return nil, engine.RefuseReach("refusal.draft-done", "seat", p.seat)
	case !slices.Contains(s.rules.draftedKinds(), kind):
		return nil, engine.Refuse("refusal.draft-icon")
	}
	kinds, matches := p.pickedKinds(), slices.Contains(p.picked, otherCopy(name))
	switch {
	case slices.Contains(p.picked, name):
		return nil, engine.Refuse("refusal.same-card")
	case !matches && kinds == draftPicks:
		return nil, engine.Refuse("refusal.draft-not-yours", "seat", p.seat)
	}
	return func() { s.takeDrafted(p, name, kinds, matches) }, nil
}

func (s *state) takeDrafted(p *player, name string, kinds int, matches bool) {
	e := engine.Event{Name: "draft-takes", Seat: p.seat, N: kinds + 1, Unseen: []string{name},
		From: string(p.seat) + draftPicked, To: p.place(InPile1)}
	p.picked = append(p.picked, name)
	if matches {
		e.Name, e.N, e.From = "draft-matches", len(p.picked)-kinds, draftCopies
	}
	s.addCopies(p, name)
	p.piles[0].n++
	s.Emit(e)
	s.Question = question{}
	if matches && e.N == draftPicks {
		s.completePool(p)
	}
	s.askMatches()
}

// completePool completes the gene pool of a seat ("Position"). It adds the second copies that
// were not tapped, and makes three piles of the twelve cards.
func (s *state) completePool(p *player) {
	d := s.draft
	d.waiting = cardgame.Without(d.waiting, p)
	if !s.rules.cards {
		s.tell("draft-complete", p, poolSize)
		return
	}
	copies := p.missingCopies()
	s.addCopies(p, copies...)
	pile := p.place(InPile1)
	if len(copies) > 0 {
		s.Emit(engine.Event{Name: "draft-copies", Seat: p.seat, N: len(copies), Unseen: copies, From: draftCopies, To: pile})
	}
	s.layPiles(p, "pool")
}

func (s *state) endDraft() {
	if left := len(s.rules.draftedKinds()) - draftPicks*len(s.players); s.rules.cards && left > 0 {
		s.drift("draft-ends", nil, nil, left, draftCopies, engine.Away)
	}
	s.draft = nil
}

// drift emits an event about n unnamed cards that move. The event's field Seat is the seat of
// the player p, and its field Other is the seat of the receiver. Both p and the receiver may
// be nil. In a match without tagged cards, the event names no places.
func (s *state) drift(event string, p, receiver *player, n int, from, to string) {
	e := engine.Event{Name: event, N: n}
	if p != nil {
		e.Seat = p.seat
	}
	if receiver != nil {
		e.Other = receiver.seat
	}
	if s.rules.cards {
		e.From, e.To = from, to
	}
	s.Emit(e)
}

func (s *state) answeringPlayers(a answer) []*player {
	if p := s.playerAt(s.Actor); p != nil {
		return []*player{p}
	}
	return slices.DeleteFunc(slices.Clone(s.draft.waiting), func(p *player) bool {
		return s.rules.cards && s.draft.phase == draftMatching && p.pickedKinds() < draftPicks
	})
}

func (s *state) stackBox(chance *rand.Rand) []engine.Pile {
	stack, copies := engine.Pile{Place: draftStack}, engine.Pile{Place: draftCopies}
	for _, k := range s.rules.draftedKinds() {
		stack.Cards = append(stack.Cards, k.ID+".1")
		copies.Cards = append(copies.Cards, k.ID+".2")
	}
	shuffle(chance, stack.Cards)
	shuffle(chance, copies.Cards)
	return []engine.Pile{stack, copies}
}

// addDraft adds to a view the number of cards in each stack that a draft has on the table.
func (s *state) addDraft(v *engine.View) {
	d := s.draft
	if d == nil || !s.rules.cards {
		return
	}
	n := len(s.rules.draftedKinds())
	if d.phase == draftDealing {
		v.Counters = append(v.Counters, engine.Counter{Name: draftStack, Value: n})
	}
	for _, p := range s.players {
		if d.phase == draftMatching && !slices.Contains(d.waiting, p) {
			n -= draftPicks
			continue
		}
		n -= len(p.picked) - p.pickedKinds()
	}
	v.Counters = append(v.Counters, engine.Counter{Name: draftCopies, Value: n})
}

// boxDrafted is the number of cards with the draft icon that the box holds.
const boxDrafted = 36

// draftCounters returns the number of cards from which a seat picks, and the number of its
// picked cards that are not yet tapped.
func (s *state) draftCounters(p *player) (hand, picked int) {
	d := s.draft
	switch d.phase {
	case draftPicking:
		hand, picked = draftDeal-(d.pick-1), d.pick-1
		if !slices.Contains(d.waiting, p) {
			hand, picked = hand-1, picked+1
		}
	case draftMatching:
		picked = draftPicks - p.pickedKinds()
	}
	return hand, picked
}
