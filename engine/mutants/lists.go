package mutants

import (
	"slices"
	"strconv"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A seat that has not declared its gene pool plays one of the ready-made lists (EN "Set up", FR
// "Mode ADN prêt-à-jouer"). It says which, or just shows a card: lists of an edition share no
// card. Until then its cards of the gene pool are counted, and none of them is known.

// Word returns the key of the list's title.
func (pc *Precon) Word() engine.Word { return engine.Word("precon." + pc.ID) }

func (p *player) addPool(pool []*Kind) {
	for _, kind := range pool {
		p.cards = append(p.cards, &card{kind: kind, player: p, zone: inPool})
	}
}

func (p *player) isWhole() bool { return p.pooled() == poolSize }

func (s *state) holder(list *Precon, p *player) *player {
	for _, o := range s.players {
		if o != p && slices.ContainsFunc(o.cards, func(c *card) bool { return slices.Contains(list.Cards, c.kind.ID) }) {
			return o
		}
	}
	return nil
}

func (s *state) mayTake(p *player, list *Precon) bool {
	return list != nil && list != p.list && p.isWhole() && s.holder(list, p) == nil
}

func (s *state) listWith(p *player, name string) *Precon {
	id, _ := engine.SplitCopy(name)
	for i := range s.rules.data.Precons {
		if list := &s.rules.data.Precons[i]; p.unlisted && slices.Contains(list.Cards, id) && s.mayTake(p, list) {
			return list
		}
	}
	return nil
}

// inferList lets the first card that a seat shows say which list the seat plays. If no list
// that is left has this advanced mutant, inferList returns a refusal.
func (s *state) inferList(p *player, name string, _ bool) (act func(), err error) {
	kind, err := s.copyOf(name)
	if err != nil || !p.unlisted || !kind.advanced() {
		return nil, nil // what the tap means does not depend on the list
	}
	list := s.listWith(p, name)
	if list == nil {
		return nil, engine.Refuse("refusal.no-list", "seat", p.seat)
	}
	return func() {
		s.takeList(p, list)
		s.revealTop(p, name)
	}, nil
}

// takeList makes a list the gene pool of a player. Tops that were shown before are forgotten.
func (s *state) takeList(p *player, list *Precon) {
	s.dropPool(p)
	g := gatheredPool{rules: s.rules, seat: p.seat, taken: map[string]int{}}
	if g.precon(list) != nil {
		return // checked with the data: a list has six advanced mutants
	}
	p.list, p.unlisted = list, false
	p.addPool(g.pool)
	s.Emit(engine.Event{Name: "list", Seat: p.seat, Word: string(list.Word())})
	if asked := s.playerAsked(&s.Question); s.Question.Key == "show-pool" {
		s.Question.Fixed = s.showAnswers(asked) // without this list
	}
}

// dropPool forgets which cards are in the gene pool of a player. No card has left it.
func (s *state) dropPool(p *player) {
	p.cards = slices.DeleteFunc(p.cards, func(c *card) bool {
		if c.kind.advanced() {
			delete(s.tapped, c.name)
		}
		return c.kind.advanced()
	})
	for i := range p.piles {
		p.piles[i] = pile{n: pileSize}
	}
	p.list, p.unlisted = nil, true
}

// dealList makes a list the gene pool of a player who has said so without showing a card. A
// simulated table may have dealt other cards to the seat.
func (s *state) dealList(p *player, list *Precon) {
	s.takeList(p, list)
	for i, zone := range pileZone {
		place := p.place(zone)
		e := engine.Event{Name: engine.EventShuffle + "-pile", Seat: p.seat, N: pileSize, From: place, To: place}
		for j := range pileSize {
			at := i*pileSize + j
			e.Unseen = append(e.Unseen, list.Cards[at%len(list.Cards)]+"."+strconv.Itoa(1+at/len(list.Cards)))
		}
		s.Emit(e)
	}
}

// setList corrects which list a player plays, as long as its gene pool is whole. If another
// player was thought to play the list, and its gene pool is whole as well, that player is asked
// again.
func (s *state) setList(p *player, list *Precon) error {
	other := s.holder(list, p)
	switch {
	case p.constructs || s.draft != nil:
		return engine.Refuse("refusal.draft-first")
	case !p.isWhole():
		return engine.Refuse("refusal.list-played", "seat", p.seat)
	case other != nil && (other.list == nil || !other.isWhole()):
		return engine.Refuse("refusal.list-held", "seat", other.seat)
	case other != nil:
		s.dropPool(other)
	}
	s.dealList(p, list)
	s.AskAgain()
	return nil
}

func (s *state) showAnswers(p *player) []answer {
	if p.unlisted {
		return append(s.listAnswers(p), showLater)
	}
	if p.dealt != nil {
		return append([]answer{showLater}, s.listAnswers(p)...)
	}
	return nextOnly
}

func (s *state) listAnswers(p *player) []answer {
	label := "other-list"
	if p.unlisted {
		label = "list"
	}
	var list []answer
	for i := range s.rules.data.Precons {
		if pc := &s.rules.data.Precons[i]; s.mayTake(p, pc) {
			a := cardgame.Choose(pc.ID, label)
			a.About = pc
			list = append(list, a)
		}
	}
	return list
}

func (s *state) listOptions(p *player) []engine.Answer {
	if !p.unlisted {
		return nil
	}
	var options []engine.Answer
	for _, a := range s.listAnswers(p) {
		options = append(options, a.View(p.seat, engine.Args{"list": a.About.(*Precon).Word()}))
	}
	return options
}

func (p *player) showKey() string {
	switch {
	case p.unlisted:
		return "choose-list"
	case p.list != nil:
		return "show-list"
	}
	return "show-pool"
}

// seatState says at the seat which list its gene pool is, as long as that can be corrected. The
// views of older rules do not.
func (s *state) seatState(p *player) []string {
	if p.list == nil || s.rules.revision < rules3 || !p.isWhole() {
		return nil
	}
	return []string{p.list.ID}
}
