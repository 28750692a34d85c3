package mutants

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"tableside/engine"
	"tableside/engine/cardgame"
)

const (
	poolSize  = 12
	pileSize  = 4
	maxCopies = 2 // of a card, in one gene pool and in the box
	handSize  = 6
)

// dealCards gives every seat its starter deck and its gene pool (EN "Set up", FR "Mise en
// place"). Gene pools that are drafted or constructed are left out. A seat that has declared
// nothing has three piles of cards that nobody knows: it still has to say which list they are.
func (s *state) dealCards(setup engine.Setup) error {
	taken := map[string]int{}
	for _, p := range s.players {
		s.dealStarter(p)
		if s.draft != nil {
			continue
		}
		declared := slices.ContainsFunc(setup.Pools, func(d engine.Pool) bool { return d.Seat == p.seat })
		asks := !declared && s.rules.revision >= rules3
		if asks && (s.rules.boss != nil || setup.Option("pools") == "constructed") {
			p.constructs = true
			continue
		}
		pool, err := s.poolOf(p, setup, taken)
		if err != nil {
			return err
		}
		if asks {
			p.list, p.dealt, p.unlisted = nil, pool, true
		} else {
			p.addPool(pool)
		}
		for i := range p.piles {
			p.piles[i].n = pileSize
		}
	}
	return nil
}

// guideSteps returns the steps that players carry out by hand (EN "Set up", FR "Mise en place"
// and "La Révolte"). The table itself asks for gene pools that are drafted or constructed.
func (s *state) guideSteps() []string {
	steps := []string{"set-up-1", "set-up-2", "set-up-3", "set-up-4", "set-up-5", "set-up-6"}
	asks := s.draft != nil || slices.ContainsFunc(s.players, func(p *player) bool { return p.constructs })
	if asks && s.boss == nil {
		return steps[:4]
	}
	return steps
}

// dealStarter deals two of each basic mutant: one into the hand and one into the deck.
func (s *state) dealStarter(p *player) {
	for i := range s.rules.data.Kinds {
		kind := &s.rules.data.Kinds[i]
		if kind.Basic {
			hand, deck := &card{kind: kind, player: p, zone: InHand}, &card{kind: kind, player: p, zone: InDeck}
			p.cards = append(p.cards, hand, deck)
			p.hand++
			p.deck++
		}
	}
}

// poolOf returns the gene pool declared for a seat. A seat declares a ready-made pool (precon)
// or single cards. A seat that declares nothing gets the next free precon, or before rules3 in
// the Uprising the pool that construct puts together.
//
// The given map says how many copies of each card the seats have taken so far, and poolOf adds
// the copies of this pool. If the rules or the box do not allow the pool, poolOf returns an
// error.
func (s *state) poolOf(p *player, setup engine.Setup, counts map[string]int) (_ []*Kind, err error) {
	g := gatheredPool{rules: s.rules, seat: p.seat, taken: counts}
	for _, declared := range setup.Pools {
		if declared.Seat != p.seat {
			continue
		}
		if pc := g.rules.precon(declared.Card); pc != nil && declared.N == 0 {
			err = g.precon(pc)
		} else {
			err = g.add(declared.Card, max(declared.N, 1))
		}
		if err != nil {
			return nil, err
		}
	}
	switch n := len(g.pool); {
	case n == poolSize:
	case n > 0:
		err = engine.NewSetupError("setup.pool-size", "seat", string(p.seat), "n", n, "size", poolSize)
	case s.rules.boss != nil:
		err = g.construct()
	default:
		err = g.addPrecon(setup)
	}
	p.list = g.list
	return g.pool, err
}

// A gatheredPool is a gene pool that is being put together.
type gatheredPool struct {
	rules *rules
	seat  engine.Seat
	taken map[string]int // copies of each card, taken by all seats so far
	pool  []*Kind
	list  *Precon // if the pool is one
}

func (g *gatheredPool) addPrecon(setup engine.Setup) error {
	for i := range g.rules.data.Precons {
		if pc := &g.rules.data.Precons[i]; isPreconFree(pc, setup, g.taken) {
			return g.precon(pc)
		}
	}
	return engine.NewSetupError("setup.pool-none", "seat", string(g.seat), "card", g.spareMutant())
}

func (g *gatheredPool) spareMutant() string {
	for i := range g.rules.data.Kinds {
		if k := &g.rules.data.Kinds[i]; k.advanced() && g.taken[k.ID] == 0 {
			return k.ID
		}
	}
	return ""
}

func (g *gatheredPool) precon(pc *Precon) error {
	g.list = pc
	for _, id := range pc.Cards {
		if err := g.add(id, maxCopies); err != nil {
			return err
		}
	}
	return nil
}

func (g *gatheredPool) add(id string, n int) error {
	kind := g.rules.kinds[id]
	if kind == nil || !kind.advanced() {
		return engine.NewSetupError("setup.pool-card", "name", id, "seat", string(g.seat))
	}
	if err := g.rules.forbids(kind); err != nil {
		return err
	}
	if g.taken[id] += n; g.taken[id] > maxCopies {
		return engine.NewSetupError("setup.pool-copies", "card", engine.CardWord(id), "n", maxCopies)
	}
	for range n {
		g.pool = append(g.pool, kind)
	}
	return nil
}

func isPreconFree(pc *Precon, setup engine.Setup, taken map[string]int) bool {
	return !slices.ContainsFunc(pc.Cards, func(id string) bool {
		declared := func(d engine.Pool) bool { return d.Card == id || d.Card == pc.ID }
		return taken[id] > 0 || slices.ContainsFunc(setup.Pools, declared)
	})
}

// Box deals the physical cards of a simulated table. Without tagged cards it returns nil.
func (s *state) Box(chance *rand.Rand) []engine.Pile {
	if !s.rules.cards {
		return nil
	}
	next := map[string]int{}
	var piles []engine.Pile
	for _, p := range s.players {
		var hand, deck, pool []string
		for _, c := range p.cards {
			next[c.kind.ID]++
			name := c.kind.ID + "." + strconv.Itoa(next[c.kind.ID])
			switch c.zone {
			case InHand:
				hand = append(hand, name)
			case InDeck:
				deck = append(deck, name)
			default:
				pool = append(pool, name)
			}
		}
		for i, kind := range p.dealt {
			pool = append(pool, kind.ID+"."+strconv.Itoa(1+i%maxCopies))
		}
		shuffle(chance, deck)
		shuffle(chance, pool)
		if p != s.boss {
			piles = append(piles, engine.Pile{Place: p.place(InHand), Cards: hand})
		}
		piles = append(piles, engine.Pile{Place: p.place(InDeck), Cards: deck})
		for i, zone := range pileZone {
			if s.draft == nil && p != s.boss && !p.constructs {
				piles = append(piles, engine.Pile{Place: p.place(zone), Cards: pool[i*pileSize : (i+1)*pileSize]})
			}
		}
	}
	if s.draft != nil {
		piles = append(piles, s.stackBox(chance)...)
	}
	return append(piles, s.constructBox(chance)...)
}

func shuffle(chance *rand.Rand, cards []string) {
	chance.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
}

func (s *state) chooseFirst() {
	if s.first >= 0 {
		s.active = s.first
		return
	}
	s.askSeat("", "first-player", s.players, func(p *player) {
		s.first, s.active = p.index, p.index
		s.tell("begins", p, 0)
	})
}

func (s *state) askBoard() {
	if s.rules.board.Spaces == 0 {
		s.askNumber("board-spaces", nil, max(minSpaces, s.rules.board.RedZone+2), maxSpaces, func(n int) {
			s.rules.board.Spaces = n
			s.learn(fmt.Sprintf("board spaces %d", n))
		})
	}
}

func (s *state) learn(definition string) {
	s.Emit(engine.Event{Name: "learned", Define: definition})
}

// placeMarkers puts the markers on the tracks (EN "Set up"). Power markers go on the spaces
// from the Second Space down. The player to the right of the first player comes first, then
// the others counter-clockwise. Score markers are stacked on 0 in turn order, with the first
// player's marker at the bottom.
func (s *state) placeMarkers() {
	s.placePowerMarkers()
	for i := range s.players {
		s.score.land(s.clockwise(s.first, i).index, 0)
	}
}

func (s *state) placePowerMarkers() {
	n := len(s.players)
	for i := range n {
		s.power.land(s.clockwise(s.first, n-1-i).index, s.rules.board.Spaces-1-i)
	}
}

func (s *state) askNumber(key string, about *card, low, high int, then func(int)) {
	s.Ask(question{Key: key, About: about, N: s.round, Fixed: numbers(low, high), Chosen: func(a answer) { then(a.N) }})
}

func numbers(low, high int) []answer {
	var list []answer
	for n := low; n <= high; n++ {
		list = append(list, cardgame.ChooseNumber(n))
	}
	return list
}

// maxFreeze is the highest freeze value that the prompt offers as an answer.
const maxFreeze = 12

// askFreezeValue asks for the freeze value that is printed top right on a card. The value is a
// number, or 1 for each gene of a type. The answer is kept for the match and for the owner's
// file. Then the callback is called.
func (s *state) askFreezeValue(c *card, then func()) {
	q := question{Key: "freeze-value", About: c, Fixed: numbers(0, maxFreeze)}
	q.Again = func() { // after a form, the value may be known
		if s.freezeValueOf(c.kind).Unknown {
			s.askFreezeValue(c, then)
		} else {
			s.Do(then)
		}
	}
	for g := range geneCount {
		q.Fixed = append(q.Fixed, answer{Verb: engine.Choose, Word: g.String(), Label: "per-gene", About: g})
	}
	q.Chosen = func(a answer) {
		value := Value{N: a.N}
		if a.Label == "per-gene" {
			value = Value{N: 1, Per: true, Gene: a.About.(Gene)}
		}
		s.learned[c.kind.ID] = value
		s.learn(fmt.Sprintf("card %s freeze %s", c.kind.ID, value))
		s.Do(then)
	}
	s.Ask(q)
}

func (s *state) askSeat(seat engine.Seat, key string, of []*player, then func(*player)) {
	q := question{Seat: seat, Key: key, Chosen: func(a answer) { then(s.playerAt(a.Seat)) }}
	for _, o := range of {
		q.Fixed = append(q.Fixed, cardgame.ChooseSeat(o.seat, "seat"))
	}
	s.Ask(q)
}
