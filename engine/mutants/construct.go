package mutants

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"

	"tableside/engine"
)

// In EN "Constructed", FR "Mode ADN construit" and the Uprising, each player picks any twelve
// advanced mutants, at most two of a kind. The table counts the taps and names no card: a gene
// pool is laid face down, and only its tops are seen.

func (s *state) constructPools() {
	if s.boss == nil {
		s.inTurn(s.constructPool)
		return
	}
	s.constructPool(s.hero())
}

func (s *state) constructPool(p *player) {
	if !p.constructs {
		return
	}
	q := question{Seat: p.seat, Key: "construct", N: poolSize - len(p.picked)}
	if second := p.missingCopies(); len(second) == poolSize/maxCopies && len(p.picked) == len(second) {
		q.Fixed = pairsAnswer // FR "6 Mutants en double"
		q.Chosen = func(answer) { s.pick(p, second...) }
	}
	q.Again = func() { s.constructPool(p) }
	s.Ask(q)
}

// tapConstructed checks that a card goes into the gene pool that a player constructs, or out again.
func (s *state) tapConstructed(p *player, name string) (act func(), err error) {
	kind, err := s.copyOf(name)
	if err != nil {
		return nil, err
	}
	if i := slices.Index(p.picked, name); i >= 0 {
		return func() { s.putBack(p, i) }, nil
	}
	if err := s.rules.forbids(kind); err != nil {
		if setup, ok := errors.AsType[*engine.SetupError](err); ok {
			return nil, &engine.Refusal{Text: setup.Text}
		}
		return nil, err
	}
	if !kind.advanced() {
		return nil, engine.Refuse("refusal.construct", "seat", p.seat)
	}
	return func() {
		s.pick(p, name)
		s.askConstructed()
	}, nil
}

func (s *state) putBack(p *player, i int) {
	name := p.picked[i]
	p.picked = slices.Delete(p.picked, i, i+1)
	s.Emit(engine.Event{Name: "construct-returns", Seat: p.seat, N: len(p.picked), Unseen: []string{name},
		From: p.place(InPile1), To: string(p.seat) + draftPicked})
	p.piles[0].n--
	s.askConstructed()
}

func (s *state) askConstructed() {
	if s.Question.Key == "construct" {
		s.AskAgain()
	}
}

// pick puts cards into the gene pool that a player constructs. With the twelfth card, the pool
// is laid out in three piles (EN "Set up", FR "Position").
func (s *state) pick(p *player, names ...string) {
	pile := p.place(InPile1)
	p.picked = append(p.picked, names...)
	s.Emit(engine.Event{Name: "construct-takes", Seat: p.seat, N: len(p.picked), Unseen: names,
		From: string(p.seat) + draftPicked, To: pile})
	if p.piles[0].n = len(p.picked); len(p.picked) < poolSize {
		return
	}
	s.addCopies(p, p.picked...)
	p.picked, p.constructs = nil, false
	s.layPiles(p, "construct")
}

func (s *state) layPiles(p *player, word string) {
	first := p.place(InPile1)
	s.Emit(engine.Event{Name: engine.EventShuffle + "-" + word, Seat: p.seat, N: poolSize, From: first, To: first})
	for i := range p.piles {
		p.piles[i].n = pileSize
		if i > 0 {
			s.Emit(engine.Event{Name: "lays-pile", Seat: p.seat, N: pileSize, From: first, To: p.place(pileZone[i])})
		}
	}
}

var pairsAnswer = []answer{{Verb: engine.Key, Word: "next", Label: "pairs"}}

func otherCopy(name string) string {
	id, number := engine.SplitCopy(name)
	return id + "." + strconv.Itoa(maxCopies+1-number)
}

// missingCopies returns the other copies of the cards of which a player has picked only one.
func (p *player) missingCopies() []string {
	var missing []string
	for _, name := range p.picked {
		if other := otherCopy(name); !slices.Contains(p.picked, other) {
			missing = append(missing, other)
		}
	}
	return missing
}

func (p *player) pickedKinds() int { return (len(p.picked) + len(p.missingCopies())) / maxCopies }

func (s *state) addCopies(p *player, names ...string) {
	for _, name := range names {
		id, _ := engine.SplitCopy(name)
		p.addPool([]*Kind{s.rules.kinds[id]})
	}
}

// constructBox deals the cards from which the players of a simulated table construct their gene
// pools: each has six kinds of its own.
func (s *state) constructBox(chance *rand.Rand) []engine.Pile {
	taken := map[*Kind]bool{}
	for _, p := range s.players {
		for _, c := range p.cards {
			taken[c.kind] = true
		}
	}
	var kinds []*Kind
	for i := range s.rules.data.Kinds {
		k := s.rules.kinds[s.rules.data.Kinds[i].ID]
		if k.advanced() && !taken[k] && s.rules.forbids(k) == nil {
			kinds = append(kinds, k)
		}
	}
	chance.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	var piles []engine.Pile
	for _, p := range s.players {
		const each = poolSize / maxCopies
		if !p.constructs || len(kinds) < each {
			continue
		}
		hand := engine.Pile{Place: string(p.seat) + draftPicked}
		for _, k := range kinds[:each] {
			hand.Cards = append(hand.Cards, k.ID+".1", k.ID+".2")
		}
		kinds, piles = kinds[each:], append(piles, hand)
	}
	return piles
}
