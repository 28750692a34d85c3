package genegrafter

import (
	"cmp"
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/cardgame"
)

// View returns the match as everybody at the table sees it.
func (s *state) View() engine.View {
	v := engine.View{Phase: s.phase(), Dice: s.diceView()}
	if s.begun {
		v.First = engine.Null(s.players[s.first].seat)
		if len(s.Winners) == 0 {
			v.Turn = engine.Null(s.players[s.active].seat)
		}
	}
	v.Seats = make([]engine.SeatView, len(s.players))
	for i, p := range s.players {
		v.Seats[i] = s.seatView(p)
	}
	v.Zones = engine.Zones{
		{Name: "dna", Cards: cardgame.Faces(s.dna)},
		{Name: "discard", Cards: cardgame.Faces(s.discard)},
	}
	v.Counters = engine.Counters{{Name: "deck", Value: s.deck}}
	v.Prompts = s.prompts()
	v.Winners = slices.Clone(s.Winners)
	if s.closing && len(s.Winners) == 0 {
		v.Notices = append(v.Notices, "last-turns")
	}
	if slices.ContainsFunc(s.Cards, func(c *card) bool { return c.kind.madeUpFields != 0 }) {
		v.Notices = append(v.Notices, "stand-in-cards")
	}
	return v
}

// Words returns the titles of this match's cards and the texts that say what the cards do. The
// titles include titles from the owner's file and titles entered at the table.
func (s *state) Words() engine.Words {
	words := s.rules.data.Words()
	for _, c := range s.Cards {
		words["card."+c.kind.ID] = cardfile.Titles(c.kind.Names) // perhaps entered at the table
	}
	return words
}

// phases maps the key of a question to its phase. The phase of any other question is "effect".
var phases = map[string]string{
	"": "over", "first-player": "set-up", "tie-break": "over", "draw": "draw", "drawn": "draw",
	"play": "play", "play-characters": "play", "play-gear": "play", "played-all": "play", "wear": "play",
	"fight": "fight", "fight-more": "fight", "target": "fight",
	"defend": "battle", "undefended": "battle", "battle-card": "battle", "reveal": "battle",
	"roll": "dice", "reroll": "dice", "roll-again": "dice", "turn-die": "dice", "change-die": "dice", "new-face": "dice",
	"graft": "graft", "graft-onto": "graft", "discard": "discard",
}

func (s *state) phase() string {
	if !s.Guide.Over() {
		return "set-up"
	}
	return cmp.Or(phases[s.Question.Key], "effect")
}

func (s *state) seatView(p *player) engine.SeatView {
	v := engine.SeatView{ID: p.seat, State: s.stateOf(p)}
	v.Counters = engine.Counters{
		{Name: "health", Value: p.health}, {Name: "genes", Value: p.genes()},
		{Name: "attack-tokens", Value: p.tokens[attackSide]}, {Name: "defence-tokens", Value: p.tokens[defenceSide]},
		{Name: "hand", Value: p.hand},
	}
	if s.finished || len(s.Winners) > 0 { // then genes decide
		v.Counters[0], v.Counters[1] = v.Counters[1], v.Counters[0]
	}
	play := make([]engine.Card, len(p.play))
	for i, c := range p.play {
		play[i] = s.characterView(c)
	}
	pool := cardgame.Faces(p.pool)
	for i, c := range p.pool {
		if c.kind.unknownFields()&FieldMarkers == 0 {
			pool[i].Counters = engine.Counters{{Name: "genes", Value: c.countGenes()}}
		}
	}
	laid := cardgame.Faces(p.battle)
	s.markWaiting(laid, p.battle)
	v.Zones = engine.Zones{{Name: "play", Cards: play}, {Name: "battle", Cards: laid}, {Name: "pool", Cards: pool}}
	return v
}

// markWaiting gives the state "waiting" to the abilities that were turned in an earlier battle
// and still wait for dice. The state is set in the views of these abilities. Each view belongs
// to the card with the same index.
func (s *state) markWaiting(views []engine.Card, cards []*card) {
	waiting := s.carriedOver
	if s.battle != nil {
		waiting = s.battle.ready
	}
	for _, r := range waiting {
		if i := slices.Index(cards, r.card); i >= 0 && r.carried {
			views[i].State = []string{"waiting"}
		}
	}
}

// stateOf returns a word about a player near the end of the match. The word says that the
// player is out, has one more turn to come, or is taking the last turn. For any other player,
// stateOf returns nil.
func (s *state) stateOf(p *player) []string {
	switch {
	case p.out:
		return []string{"out"}
	case !s.closing || s.finished || len(s.Winners) > 0:
		return nil
	case p.owesTurn:
		return []string{"one-more-turn"}
	case p.index == s.active:
		return []string{"last-turn"}
	}
	return nil
}

// characterView returns the view of a character in play, with its present values.
func (s *state) characterView(c *card) engine.Card {
	v := cardgame.Face(c.Name)
	v.Counters = make(engine.Counters, 0, 5)
	count := func(known bool, name string, n int) {
		if known {
			v.Counters = append(v.Counters, engine.Counter{Name: name, Value: n})
		}
	}
	is := func(so bool, state string) {
		if so {
			v.State = append(v.State, state)
		}
	}
	count(c.kind.knownFields&FieldAttack != 0, "attack", c.strength(attackSide))
	count(c.kind.knownFields&FieldDefence != 0, "defence", c.strength(defenceSide))
	count(c.kind.unknownFields()&FieldMarkers == 0, "genes", c.countGenes())
	colours, powers := c.colours(), c.powers().list()
	v.Keywords = make([]string, 0, len(colours)+len(powers))
	for i, has := range colours {
		if has {
			v.Keywords = append(v.Keywords, categoryNames[i])
		}
	}
	v.Keywords = append(v.Keywords, powers...)
	f := s.fighterOf(c)
	if f != nil {
		is(true, []string{attackSide: "attacking", defenceSide: "defending"}[f.side])
		count(len(s.dice) > 0, "dice", f.dice)
		count(len(s.dice) == 0, "dice", f.diceOf())
		count(f.tokens > 0, tokenNames[f.side]+"s", f.tokens)
	}
	is(c.wounded, "wounded")
	is(c.tired, "tired")
	is(s.isDeclared(c), "will-attack")
	is(c.fought && (f == nil || f.side == defenceSide) && c.Where == s.players[s.active].placeOf(inPlay), "has-attacked")
	for _, g := range c.grafts {
		under := cardgame.Face(g.Name)
		under.State = []string{"graft"}
		v.Under = append(v.Under, under)
	}
	for _, g := range c.gear {
		attached := cardgame.Face(g.Name)
		if g.kind.Place != "" {
			attached.Keywords = []string{g.kind.Place}
		}
		v.Attached = append(v.Attached, attached)
	}
	return v
}

// prompts returns what the table shows to the players. If nothing is asked, prompts returns
// nil. The prompts have this order:
//
//   - the set-up step, if one is shown
//   - the question
//   - the answers that replace a throw, if the question has any
//   - a prompt for the special die, for each other player who may throw it
//
// If the question asks for other dice, the player who is asked may also get a prompt for the
// special die.
func (s *state) prompts() []engine.Prompt {
	q := &s.Question
	if q.Key == "" {
		return nil
	}
	var list []engine.Prompt
	list = append(list, s.Guide.Prompts(engine.Args{"n": s.rules.events}, args)...)
	players := s.playersFrom(s.players[s.active])
	list = append(list, s.prompt(q, players))
	if q.Roll > 0 && len(q.Fixed) > 0 {
		instead := question{Seat: q.Seat, Key: "or-say", Fixed: q.Fixed}
		if q.Key == "special-die" {
			instead.Key = "or-keep"
		}
		prompt := instead.Prompt(nil, args)
		prompt.Args = nil
		list = append(list, prompt)
	}
	for _, p := range players {
		if (p.seat != q.Seat || q.Roll > 0) && s.mayThrowSpecial(p) {
			options := []engine.Answer{throwSpecialAnswer(p)}
			list = append(list, engine.Prompt{Seat: p.seat, Key: "may-throw", Options: options, May: true})
		}
	}
	return list
}

func throwSpecialAnswer(p *player) engine.Answer {
	return engine.Answer{Key: "special-die", Input: string(p.seat) + " choose special-die"}
}

func (s *state) prompt(q *question, players []*player) engine.Prompt {
	open := appendOpen(make([]*card, 0, 32), players) // rarely more, and on the stack
	prompt := q.Prompt(s.TapAnswers(q, open, nil), args)
	prompt.Form = s.form(q)
	if p := s.playerAt(q.Seat); p != nil && q.Roll == 0 && s.mayThrowSpecial(p) {
		prompt.Options = append(prompt.Options, throwSpecialAnswer(p))
	}
	return prompt
}

func appendOpen(cards []*card, players []*player) []*card {
	for _, p := range players {
		cards = append(append(cards, p.play...), p.pool...)
	}
	return cards
}

// Replies is the method of an engine.Judge.
func (s *state) Replies(list []engine.Reply) []engine.Reply {
	q, players := &s.Question, s.playersFrom(s.players[s.active])
	list = s.Table.Replies(list, appendOpen(make([]*card, 0, 32), players))
	if q.Roll > 0 {
		instead := question{Seat: q.Seat, Fixed: q.Fixed}
		list = instead.Replies(list)
	}
	for _, p := range players {
		if s.mayThrowSpecial(p) {
			in := engine.Input{Seat: p.seat, Verb: engine.Choose, Args: []string{"special-die"}}
			list = append(list, engine.Reply{Input: in})
		}
	}
	return list
}

func args(a *answer) engine.Args {
	switch {
	case a.Seat != "":
		return engine.Args{"n": a.N, "seat": a.Seat}
	case a.Label == "either":
		return engine.Args{"do": a.About}
	case a.About != nil:
		return engine.Args{"word": a.About}
	}
	return engine.Args{"n": a.N}
}
