package mutants

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/cardgame"
)

// View returns the match as everybody at the table sees it.
func (s *state) View() engine.View {
	v := engine.View{
		Phase:   s.phase,
		Round:   s.round,
		Rounds:  len(s.rules.board.Rounds),
		Tracks:  s.tracks(),
		Seats:   make([]engine.SeatView, 0, len(s.players)),
		Winners: slices.Clone(s.Winners),
	}
	if s.first >= 0 {
		v.First = engine.Null(s.players[s.first].seat)
		if len(s.Winners) == 0 {
			v.Turn = engine.Null(s.players[s.active].seat)
		}
	}
	for _, p := range s.players {
		if p != s.boss {
			v.Seats = append(v.Seats, engine.SeatView{ID: p.seat, State: s.seatState(p), Counters: s.counters(p),
				Zones: s.zones(p)})
		}
	}
	if s.boss != nil {
		s.addBoss(&v)
		v.Zones = s.zones(s.boss)
		v.Notices = s.bossNotices()
	}
	s.addDraft(&v)
	if s.draft != nil && s.rules.cards {
		switch {
		case len(s.rules.draftedKinds()) < boxDrafted:
			v.Notices = append(v.Notices, "draft-unknown")
		case s.rules.revision >= rules3 && slices.ContainsFunc(s.rules.draftedKinds(), (*Kind).isUnnamed):
			v.Notices = append(v.Notices, "draft-unnamed")
		}
	}
	v.Prompts = s.prompts()
	if s.rules.board.StandIn {
		v.Notices = append(v.Notices, "stand-in-board")
	}
	if s.rules.cards && s.standsIn() {
		v.Notices = append(v.Notices, "stand-in-cards")
	}
	return v
}

// Words returns the titles of the cards of this match, including the cards that the owner has
// added.
func (s *state) Words() engine.Words {
	words := s.rules.data.Words()
	if s.boss != nil {
		words["seat.table"] = cardfile.Titles(s.rules.boss.Names)
	}
	return words
}

// standsIn reports whether any card at the table has a part that was made up for this project.
// The boss's action cards do not count.
func (s *state) standsIn() bool {
	for _, p := range s.players {
		if slices.ContainsFunc(p.cards, func(c *card) bool { return c.kind.StandIn && c.kind.Action == nil }) {
			return true
		}
	}
	return false
}

// lastPrinted is the last number of the score track on the main board.
const lastPrinted = 49

// tracks returns the Power Track, if it is known, and the score track. The score track ends at
// 49. For a boss with more health, it ends at that health. Markers may lie beyond the end of
// the track.
func (s *state) tracks() []engine.Track {
	board := s.rules.board
	score := engine.Track{ID: "score", First: 0, Last: lastPrinted, Areas: []engine.Area{}, Stacks: s.stacks(&s.score)}
	if s.boss != nil { // FR "Mise en place", REMARQUE
		score.ID = "health"
		if s.rules.revision >= rules2 { // a boss with more health needs a longer track
			score.Last = max(lastPrinted, s.rules.boss.Health+s.rules.extraHealth)
		}
	}
	if board.Spaces == 0 || s.first < 0 {
		return []engine.Track{score}
	}
	return []engine.Track{{
		ID: "power", First: 1, Last: board.Spaces,
		Areas: []engine.Area{
			{ID: "red-zone", From: 1, To: board.RedZone},
			{ID: "second", From: board.Spaces - 1, To: board.Spaces - 1},
			{ID: "top", From: board.Spaces, To: board.Spaces},
		},
		Stacks: s.stacks(&s.power),
	}, score}
}

func (s *state) stacks(t *track) map[int][]engine.Seat {
	stacks := map[int][]engine.Seat{}
	order := t.ranking()
	slices.Reverse(order)
	for _, i := range order {
		if space := t.space(i); t.placed(i) {
			stacks[space] = append(stacks[space], s.players[i].seat)
		}
	}
	return stacks
}

func (s *state) counters(p *player) engine.Counters {
	var counters engine.Counters
	counter := func(name string, n int) { counters = append(counters, engine.Counter{Name: name, Value: n}) }
	if s.boss == nil {
		counter("score", s.score.space(p.index))
	}
	counter("power", s.power.space(p.index))
	if s.boss == nil && len(s.Winners) > 0 {
		counter("freeze-points", p.freezePoints)
	}
	if !s.rules.cards {
		return counters
	}
	counter("hand", p.hand)
	counter("deck", p.deck)
	if p.constructs {
		counter("drafted", poolSize-len(p.picked))
	}
	if s.draft != nil {
		hand, picked := s.draftCounters(p)
		counter("draft", hand)
		counter("drafted", picked)
	}
	return counters
}

func (s *state) zones(p *player) engine.Zones {
	if !s.rules.cards {
		return nil
	}
	var zones engine.Zones
	zone := func(z Zone, cards []engine.Card) {
		zones = append(zones, engine.Zone{Name: zoneNames[z], Cards: cards})
	}
	if p == s.boss {
		lead := faces(p.bossCard)
		lead[0].State = []string{"special-power"}
		if s.phase == "set-up" {
			lead[0].State = []string{"set-up"}
		}
		zone(OnBoard, lead)
	}
	for _, slot := range slots {
		zone(slot, p.lying(slot))
	}
	if leaving := p.leavingCards(); leaving != nil {
		zone(InLeaving, faces(leaving...))
	}
	if p == s.boss {
		zone(InDiscard, faces(p.discard...))
		if len(p.removed) > 0 {
			zone(InBox, faces(p.removed...))
		}
		return zones
	}
	var incubator []engine.Card
	if p.incubator != nil {
		incubator = faces(p.incubator)
	}
	zone(InIncubator, incubator)
	zone(InDiscard, faces(p.discard...))
	zone(InFreeze, faces(p.freeze...))
	for i, z := range pileZone {
		pile := make([]engine.Card, p.piles[i].n)
		if len(pile) > 0 {
			pile[0] = face(p.piles[i].top)
		}
		zone(z, pile)
	}
	return zones
}

// slots lists the slots of the arena, from left to right.
var slots = [...]Zone{InLeft, InActive, InRight}

func (p *player) leavingCards() []*card {
	var cards []*card
	for _, c := range p.cards {
		if c.zone == InLeaving {
			cards = append(cards, c)
		}
	}
	return cards
}

// lying returns the views of the cards in a slot.
func (p *player) lying(slot Zone) []engine.Card {
	var cards []engine.Card
	for _, m := range p.arena {
		if m.zone != slot {
			continue
		}
		c := face(m)
		if m.down {
			c.State = cardgame.FaceDown
		}
		cards = append(cards, c)
	}
	return cards
}

func faces(cards ...*card) []engine.Card {
	list := make([]engine.Card, len(cards))
	for i, c := range cards {
		list[i] = face(c)
	}
	return list
}

func face(c *card) engine.Card {
	if c == nil || c.name == "" {
		return engine.Card{}
	}
	return engine.Card{Kind: engine.Null(c.kind.ID), Copy: c.copy, Keywords: c.kind.keywords}
}

// prompts returns the prompts that the players see. There are prompts for the set-up, the question, for
// pile tops that seats still have to show, for late mulligans, and for what the hero may say
// at any time. When the match is over, prompts returns nil.
func (s *state) prompts() []engine.Prompt {
	if len(s.Winners) > 0 {
		return nil
	}
	prompts := s.Guide.Prompts(nil, nil)
	for _, q := range s.questions() {
		prompts = append(prompts, s.prompt(q))
	}
	return append(prompts, s.sidePrompts()...)
}

// questions returns the question, once for each player that it asks.
func (s *state) questions() (list []question) {
	each := s.playersAsked()
	if each == nil && s.Question.Key != "" {
		return []question{s.Question}
	}
	for _, p := range each {
		list = append(list, s.questionFor(s.Question, p))
	}
	return list
}

// sidePrompts returns what players may do beside the question.
func (s *state) sidePrompts() (prompts []engine.Prompt) {
	if !s.rules.cards || s.draft != nil || s.Question.Closed {
		return nil
	}
	for i := range s.players {
		p := s.clockwise(s.active, i)
		if s.Question.Key == "show-pool" && s.playerAsked(&s.Question) == p {
			continue
		}
		if p.owed() > 0 {
			prompts = append(prompts, engine.Prompt{Seat: p.seat, Key: "reveal", Args: engine.Args{"n": p.nextOwed() + 1}, May: true,
				Options: append(p.showable(), s.listOptions(p)...)})
		}
	}
	for _, p := range s.players {
		if s.mayMulligan(p) {
			prompts = append(prompts, engine.Prompt{Seat: p.seat, Key: "mulligan-late", Args: engine.Args{}, May: true,
				Options: []engine.Answer{{Key: "mulligan", Input: string(p.seat) + " choose mulligan"}}})
		}
	}
	if s.boss != nil && s.phase != "set-up" {
		prompts = append(prompts, s.anyTimePrompts()...)
	}
	return prompts
}

// Replies is the method of an engine.Judge.
func (s *state) Replies(list []engine.Reply) []engine.Reply {
	if len(s.Winners) > 0 {
		return list
	}
	list = s.Guide.Replies(list)
	for _, q := range s.questions() {
		list = engine.AppendReplies(list, []engine.Prompt{{Options: s.taps(&q)}})
		q.Seat = s.asks(&q)
		list = q.Replies(list)
	}
	return engine.AppendReplies(list, s.sidePrompts())
}

func (p *player) showable() []engine.Answer {
	i := p.nextOwed()
	return []engine.Answer{{Key: "show", Args: engine.Args{"n": i + 1}, Input: string(p.seat) + " tap",
		Zone: p.place(pileZone[i])}}
}

func (s *state) prompt(q question) engine.Prompt {
	seat, taps := s.asks(&q), s.taps(&q)
	q.Seat = seat
	if p := s.playerAsked(&q); q.Key == "show-pool" && s.rules.revision >= rules3 {
		q.Key = p.showKey()
	}
	prompt := q.Prompt(taps, func(a *answer) engine.Args {
		args := engine.Args{"n": a.N, "seat": a.Seat}
		switch about := a.About.(type) {
		case Gene:
			args["gene"] = about.Word()
		case *Precon:
			args["list"] = about.Word()
		case *Step:
			args["what"] = about.Text()
		case Zone:
			if c := s.playerAsked(&q).mutantIn(about); c != nil {
				args["card"] = c.Word()
			}
		}
		return args
	})
	if q.Key == "show-list" {
		prompt.Args["list"] = s.playerAsked(&q).list.Word()
	}
	prompt.Form = s.form(&q)
	return prompt
}

// taps returns the answers to a question that tap a card.
func (s *state) taps(q *question) []engine.Answer {
	seat, taps := s.asks(q), s.tapAnswers(q)
	switch p := s.playerAsked(q); {
	case q.Key == "draft-take":
		return []engine.Answer{{Key: "tap-drafted", Input: string(seat) + " tap", Zone: string(seat) + draftPicked}}
	case q.Key == "draft-match" && s.rules.cards:
		return []engine.Answer{{Key: "tap-copy", Input: string(seat) + " tap", Zone: draftCopies}}
	case q.Key == "construct":
		return []engine.Answer{{Key: "tap-chosen", Input: string(seat) + " tap", Zone: string(seat) + draftPicked}}
	case q.Key == "show-pool" || q.In&inPool != 0 && len(taps) == 0 && p.owed() > 0:
		return p.showable()
	}
	return taps
}

// tapAnswers returns the answers that tap a card. Open cards are named. For cards that only
// their owner sees, an answer says only in which zone they lie.
func (s *state) tapAnswers(q *question) []engine.Answer {
	if q.In == 0 || q.Key == "choose-leaving" { // its keys name the cards
		return nil
	}
	p, seat := s.playerAsked(q), string(s.asks(q))
	var answers []engine.Answer
	hand, deck, pool := "tap-hand", "tap-deck", "tap-card"
	if q.Key == "action" {
		hand, pool = "deploy-hand", "breed-card"
	}
	if p == s.boss {
		deck = "tap-boss-deck"
	}
	hidden := func(key string, z Zone, n int) {
		if q.In&z != 0 && n > 0 {
			answers = append(answers, engine.Answer{Key: key, Input: seat + " tap", Zone: p.place(z)})
		}
	}
	open := func(key string, z Zone, c *card) {
		if c != nil && c.name != "" && q.In&z != 0 && q.Takes(c) {
			answers = append(answers, engine.Answer{Key: key, Args: engine.Args{"card": engine.CardWord(c.kind.ID)},
				Input: seat + " tap " + c.name})
		}
	}
	hidden(hand, InHand, p.hand)
	hidden(deck, InDeck, p.deck)
	for i, z := range pileZone {
		open(pool, z, p.piles[i].top)
	}
	for _, c := range p.arena {
		open("tap-card", c.zone, c)
	}
	unnamed := 0
	for _, c := range p.discard {
		open("tap-card", InDiscard, c)
		if c == nil || c.name == "" {
			unnamed++
		}
	}
	hidden("tap-discard", InDiscard, unnamed)
	return answers
}
