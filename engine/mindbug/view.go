package mindbug

import (
	"cmp"
	"slices"

	"tableside/engine"
)

// View is the match as everybody at the table sees it.
func (s *state) View() engine.View {
	v := engine.View{Phase: s.phase(), Seats: make([]engine.SeatView, 0, len(s.players))}
	if s.begun && len(s.winners) == 0 {
		v.Turn = engine.Null(s.players[s.active].seat)
	}
	for _, p := range s.players {
		v.Seats = append(v.Seats, s.seatView(p))
	}
	v.Dice = s.diceView()
	if s.rules.cards {
		v.Counters = engine.Counters{{Name: "unused", Value: s.unused}}
		if s.rules.energy {
			v.Counters = engine.Counters{{Name: "energy-deck", Value: s.energyDeck}, {Name: "unused", Value: s.unused}}
			row := faces(s.energyRow)
			for i, c := range s.energyRow {
				row[i].Counters = engine.Counters{{Name: "price", Value: c.kind.Price}}
			}
			v.Zones = engine.Zones{{Name: "energy-row", Cards: row}, {Name: "energy-discard", Cards: faces(s.energyGone)}}
		}
		if len(s.rules.levels) > 0 {
			v.Zones = append(v.Zones, engine.Zone{Name: setAside, Cards: s.aside()})
		}
		if len(s.stage) > 0 {
			v.Zones = append(v.Zones, engine.Zone{Name: "stage", Cards: faces(s.stage)})
		}
		if len(s.revealed) > 0 {
			v.Zones = append(v.Zones, engine.Zone{Name: "revealed", Cards: faces(s.revealed)})
		}
	}
	if q := s.question; q.key != "" {
		v.Prompts = append(v.Prompts, s.prompt(&q))
		if !s.rules.cards && s.begun {
			v.Prompts = append(v.Prompts, s.freePrompt())
		}
	}
	for _, i := range s.winners {
		v.Winners = append(v.Winners, s.players[i].seat)
	}
	return v
}

// Words are the titles of the cards of this match, the owner's among them.
func (s *state) Words() engine.Words { return s.rules.data.Words() }

// phase is where the match is.
func (s *state) phase() string {
	switch s.question.key {
	case "":
		return "over"
	case "first-player", "reveal":
		return "set-up"
	case "roll":
		return "reroll"
	case "energy-row":
		if len(s.stage) == 0 { // no card of the row has just been taken
			return "set-up"
		}
	case "turn", "turn-action", "turn-buy", "turn-buy-action", "must-hunt", "attack-or-action", "free-turn":
		return "turn"
	case "mindbug", "hunt", "block", "frenzy", "reroll":
		return s.question.key
	}
	return "effect"
}

func (s *state) seatView(p *player) engine.SeatView {
	v := engine.SeatView{ID: p.seat, Counters: make(engine.Counters, 0, 5)}
	v.Counters = append(v.Counters, engine.Counter{Name: "life", Value: p.life}, engine.Counter{Name: "mindbugs", Value: p.mindbugs})
	if s.rules.energy {
		v.Counters = append(v.Counters, engine.Counter{Name: "energy", Value: p.energy})
	}
	if !s.rules.cards {
		return v
	}
	v.Counters = append(v.Counters, engine.Counter{Name: "hand", Value: p.hand}, engine.Counter{Name: "deck", Value: p.deck})
	play, discard := faces(p.play), faces(p.discard)
	for i, c := range p.play {
		play[i].Counters = s.countersOf(c)
		play[i].Keywords = s.keywords(c).list()
		play[i].State = s.stateOf(c)
		play[i].Under = s.underneath(c)
	}
	for i, c := range p.discard {
		if len(c.kind.InDiscard) > 0 || !c.kind.LifeLost.none() {
			discard[i].State = []string{"active"}
		}
	}
	for range p.heap {
		discard = append(discard, engine.Card{})
	}
	v.Zones = engine.Zones{{Name: "play", Cards: play}, {Name: "discard", Cards: discard}}
	return v
}

// countersOf are the numbers of a creature in play.
func (s *state) countersOf(c *card) engine.Counters {
	list := engine.Counters{{Name: "power", Value: s.power(c)}}
	add := func(name string, n int) {
		if n > 0 {
			list = append(list, engine.Counter{Name: name, Value: n})
		}
	}
	add("dice", s.diceOf(c))
	add("boosts", len(c.boosts))
	add("level", c.kind.Level)
	return list
}

// underneath are the boosts of a creature, and the levels that it had.
func (s *state) underneath(c *card) []engine.Card {
	list := faces(c.boosts)
	for i := range list {
		list[i].State = []string{"boost"}
	}
	for _, k := range slices.Backward(s.below(c)) {
		_, n := engine.SplitCopy(c.name)
		list = append(list, engine.Card{Kind: engine.Null(k.ID), Copy: n, State: []string{"lower-level"}})
	}
	return list
}

func (s *state) stateOf(c *card) []string {
	var list []string
	if c.tilted {
		list = append(list, "tilted")
	}
	if c.noBlock {
		list = append(list, "no-block")
	}
	if c.lasts {
		list = append(list, "lasts")
	}
	if b := s.battle; b != nil && c == b.attacker && !b.over {
		list = append(list, "attacking")
	} else if b != nil && c == b.blocker {
		list = append(list, "blocking")
	}
	return list
}

func faces(cards []*card) []engine.Card {
	list := make([]engine.Card, len(cards))
	for i, c := range cards {
		kind, copy := engine.SplitCopy(c.name)
		list[i] = engine.Card{Kind: engine.Null(kind), Copy: copy}
	}
	return list
}

func (s *state) prompt(q *question) engine.Prompt {
	seat := engine.Table
	if q.player != nil {
		seat = q.player.seat
	}
	prompt := engine.Prompt{Seat: seat, Key: q.key, Args: q.args()}
	prompt.Options = s.tapAnswers(q, seat)
	if q.roll > 0 {
		prompt.Roll = &engine.RollRequest{Kind: "kot", N: q.roll, Faces: faces6}
	}
	for _, a := range q.fixed {
		args := engine.Args{"n": q.n, "seat": a.seat}
		if a.about != "" {
			args["word"] = a.about
		}
		if a.step != nil {
			args["do"] = a.step.alone().Text()
		}
		prompt.Options = append(prompt.Options, engine.Answer{
			Key: cmp.Or(a.label, a.word), Args: args,
			Input: string(seat) + " " + string(a.verb) + " " + a.word,
		})
	}
	return prompt
}

// tapAnswers lists the cards that may be tapped: by name where they lie open,
// by place where only their owner sees them.
func (s *state) tapAnswers(q *question, seat engine.Seat) []engine.Answer {
	if q.places == 0 {
		return nil
	}
	var answers []engine.Answer
	for _, z := range []Place{inHand, inHand << seatBits, inDeck, inDeck << seatBits, inHeap, inHeap << seatBits, inUnused, inEnergyDeck} {
		if q.places&^q.shut&z != 0 && s.count(z) > 0 {
			label := cmp.Or(q.hidden, "tap-hand")
			switch {
			case z&heaps != 0:
				label = "tap-heap"
			case z&hands == 0:
				label = cmp.Or(q.hidden, "tap-deck")
			}
			answers = append(answers, engine.Answer{Key: label, Input: string(seat) + " tap", Zone: s.place(z)})
		}
	}
	add := func(owner engine.Seat, title any, c *card) {
		if q.places&c.where == 0 || q.refuses(c).key != "" {
			return
		}
		key := cmp.Or(q.open, "tap-card")
		if q.opens != nil {
			key = q.opens(c)
		}
		answers = append(answers, engine.Answer{Key: key, Input: string(seat) + " tap " + c.name,
			Args: engine.Args{"card": title, "seat": owner, "n": c.kind.Price}})
	}
	for _, c := range s.energyRow {
		add(seat, engine.CardWord(c.kind.ID), c)
	}
	first := 0
	if q.player != nil {
		first = q.player.index
	}
	for i := range s.players { // the asked player's own first
		p := s.players[(first+i)%2]
		for _, cards := range [][]*card{p.play, p.discard, p.boosts()} {
			for _, c := range cards {
				add(p.seat, s.title(p, c), c)
			}
		}
	}
	return answers
}

// title names a card; a creature beside another of its kind as it stands on
// the table.
func (s *state) title(p *player, c *card) any {
	word := engine.CardWord(c.kind.ID)
	alike := func(o *card) bool { return o != c && o.kind == c.kind }
	if c.where&plays == 0 || !slices.ContainsFunc(p.play, alike) {
		return word
	}
	key := "creature.upright"
	if c.tilted {
		key = "creature.tilted"
	}
	return engine.T(key, "card", word, "n", s.power(c))
}
