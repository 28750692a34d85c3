package mindbug

import (
	"cmp"
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// View returns the match as everybody at the table sees it.
func (s *state) View() engine.View {
	v := engine.View{Phase: s.phase(), Seats: make([]engine.SeatView, 0, len(s.players))}
	if s.begun && len(s.Winners) == 0 {
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
			row := cardgame.Faces(s.energyRow)
			for i, c := range s.energyRow {
				row[i].Counters = engine.Counters{{Name: "price", Value: c.kind.Price}}
			}
			v.Zones = engine.Zones{{Name: "energy-row", Cards: row},
				{Name: "energy-discard", Cards: cardgame.Faces(s.energyGone)}}
		}
		if len(s.rules.levels) > 0 {
			v.Zones = append(v.Zones, engine.Zone{Name: setAside, Cards: s.asideCards()})
		}
		if len(s.stage) > 0 {
			v.Zones = append(v.Zones, engine.Zone{Name: "stage", Cards: cardgame.Faces(s.stage)})
		}
		if len(s.revealed) > 0 {
			v.Zones = append(v.Zones, engine.Zone{Name: "revealed", Cards: cardgame.Faces(s.revealed)})
		}
	}
	if s.Question.Key != "" {
		v.Prompts = append(v.Prompts, s.Guide.Prompts(nil, nil)...)
		v.Prompts = append(v.Prompts, s.prompt())
		if !s.rules.cards && s.begun {
			v.Prompts = append(v.Prompts, s.freePrompt())
		}
	}
	v.Winners = slices.Clone(s.Winners)
	return v
}

// Words returns the titles of this match's cards and the texts of their abilities. The titles
// include titles from the owner's file.
func (s *state) Words() engine.Words { return s.rules.data.Words() }

// phase returns the phase of the match.
func (s *state) phase() string {
	if !s.Guide.Over() {
		return "set-up"
	}
	switch s.Question.Key {
	case "":
		return "over"
	case "first-player", "reveal":
		return "set-up"
	case "roll":
		return "reroll"
	case "energy-row":
		if len(s.stage) == 0 { // if no card of the row was just taken
			return "set-up"
		}
	case "turn", "turn-action", "turn-buy", "turn-buy-action", "must-hunt", "attack-or-action", "free-turn":
		return "turn"
	case "mindbug", "hunt", "block", "frenzy", "reroll":
		return s.Question.Key
	}
	return "effect"
}

func (s *state) seatView(p *player) engine.SeatView {
	v := engine.SeatView{ID: p.seat, Counters: make(engine.Counters, 0, 5)}
	v.Counters = append(v.Counters, engine.Counter{Name: "life", Value: p.life},
		engine.Counter{Name: "mindbugs", Value: p.mindbugs})
	if s.rules.energy {
		v.Counters = append(v.Counters, engine.Counter{Name: "energy", Value: p.energy})
	}
	if !s.rules.cards {
		return v
	}
	v.Counters = append(v.Counters, engine.Counter{Name: "hand", Value: p.hand},
		engine.Counter{Name: "deck", Value: p.deck})
	play, discard := cardgame.Faces(p.play), cardgame.Faces(p.discard)
	for i, c := range p.play {
		play[i].Counters = s.countersOf(c)
		play[i].Keywords = s.keywords(c).list()
		play[i].State = s.stateOf(c)
		play[i].Under = s.cardsUnder(c)
	}
	for i, c := range p.discard {
		if len(c.kind.InDiscard) > 0 || !c.kind.LifeLost.isNone() {
			discard[i].State = []string{"active"}
		}
	}
	for range p.heap {
		discard = append(discard, engine.Card{})
	}
	v.Zones = engine.Zones{{Name: "play", Cards: play}, {Name: "discard", Cards: discard}}
	return v
}

// countersOf returns the counters of a creature in play. The first counter is the power. The
// dice, the boosts and the level follow, but only those that are above 0.
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

// cardsUnder returns the boosts of a creature and the levels that it has had.
func (s *state) cardsUnder(c *card) []engine.Card {
	list := cardgame.Faces(c.boosts)
	for i := range list {
		list[i].State = []string{"boost"}
	}
	for _, k := range slices.Backward(s.pastLevels(c)) {
		_, n := engine.SplitCopy(c.Name)
		list = append(list, engine.Card{Kind: engine.Null(k.ID), Copy: n, State: []string{"lower-level"}})
	}
	return list
}

// stateOf returns the words for the condition of a creature in play.
func (s *state) stateOf(c *card) (list []string) {
	add := func(is bool, name string) {
		if is {
			list = append(list, name)
		}
	}
	add(c.tilted, "tilted")
	add(c.noBlock, "no-block")
	add(c.undefeatable, "lasts")
	b := s.battle
	attacking := b != nil && c == b.attacker && !b.attackerGone
	add(attacking, "attacking")
	add(b != nil && c == b.blocker && !attacking, "blocking")
	return list
}

func (s *state) prompt() engine.Prompt {
	q := &s.Question
	taps := s.TapAnswers(q, s.openTo(q), func(c *card) engine.Args {
		owner, title := q.At(), any(c.Word())
		if c.Where != inEnergyRow {
			p := s.keeper(c.Where)
			owner, title = p.seat, s.title(p, c)
		}
		return engine.Args{"card": title, "seat": owner, "n": c.kind.Price}
	})
	return q.Prompt(taps, func(a *answer) engine.Args {
		args := engine.Args{"n": q.N, "seat": a.Seat}
		switch about := a.About.(type) {
		case engine.Word:
			args["word"] = about
		case *Step:
			args["do"] = about.Text()
			if !s.rules.rows {
				args["do"] = about.textBefore4()
			}
		}
		return args
	})
}

// openTo lists the open cards that could be answers to a question. The Energy row comes first,
// then the cards of the player who is asked, then those of the other player. If anybody may
// answer, the cards of the first seat come before those of the second seat.
func (s *state) openTo(q *question) []*card {
	list := slices.Clone(s.energyRow)
	first := cmp.Or(s.playerAt(q.Seat), s.players[0])
	for _, p := range []*player{first, s.opponentOf(first)} {
		list = slices.Concat(list, p.play, p.discard, p.boosts())
	}
	return list
}

// title returns the title of a card. A player may have two creatures of the same kind in play.
// In this case the title of each also tells its power and whether it is tilted.
func (s *state) title(p *player, c *card) any {
	word := engine.CardWord(c.kind.ID)
	alike := func(o *card) bool { return o != c && o.kind == c.kind }
	if c.Where&plays == 0 || !slices.ContainsFunc(p.play, alike) {
		return word
	}
	key := "creature.upright"
	if c.tilted {
		key = "creature.tilted"
	}
	return engine.T(key, "card", word, "n", s.power(c))
}
