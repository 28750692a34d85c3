package simulated

import (
	"cmp"
	"slices"

	"tableside/device"
	"tableside/engine"
	"tableside/engine/advice"
)

// At a real table, the cards of an Opponent's seats lie face down before people, in the order in which they came:
// a new card goes to the right. People show each to a reader, face down, and later turn over the one that it plays.

// A deed is what people do for a seat of the table's.
type deed struct {
	engine.Prompt
	lays string // the card that they lay face down; "" for none
}

// hand returns the cards of a seat that people have shown, the leftmost first, and how many they have not: all, if
// more were shown than lie there. Copies of a card are alike: the table does not know who holds which. The caller
// holds o.mu.
func (o *Opponent) hand(seat engine.Seat) (cards []string, missing int) {
	piles, unseen := o.match.State().(engine.Believer).Believes()
	place := string(seat) + "/hand"
	i := slices.IndexFunc(piles, func(p engine.Pile) bool { return p.Place == place })
	if i < 0 {
		return nil, 0
	}
	for _, card := range o.rows[o.at][seat] {
		if slices.Contains(piles[i].Cards, card) || mayLie(unseen, card, place) {
			cards = append(cards, card)
		}
	}
	if len(cards) > len(piles[i].Cards) {
		cards = nil
	}
	return cards, len(piles[i].Cards) - len(cards)
}

func mayLie(unseen []engine.Unseen, card, place string) bool {
	return slices.ContainsFunc(unseen, func(u engine.Unseen) bool {
		return engine.SameKind(u.Card, card) && slices.Contains(u.Places, place)
	})
}

// Peek implements device.Computer.
func (o *Opponent) Peek(reader engine.Seat, card string, seq int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.showing() {
		return false
	}
	_, unseen := o.match.State().(engine.Believer).Believes()
	for _, p := range o.setup.Seats {
		if !o.plays(p.Seat) || reader != p.Seat && reader != engine.Table {
			continue
		}
		cards, missing := o.hand(p.Seat)
		switch {
		case o.match.Seq() != seq && reader == p.Seat: // it cannot tell yet: nobody else may learn of it
			return true
		case o.deed == nil && slices.Contains(cards, card): // again by accident
			return true
		case missing > 0 && mayLie(unseen, card, string(p.Seat)+"/hand"):
			o.rows[o.at][p.Seat] = append(cards, card)
			o.tell()
			return true
		}
	}
	return false
}

// Asks implements device.Computer.
func (o *Opponent) Asks(seq int) (p engine.Prompt, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.match != nil && o.match.Seq() != seq {
		return o.shows, len(o.shows.Options) > 0 // until it has caught up
	}
	return o.asks()
}

// showing reports whether people may have to do something for a seat now: not before they have answered what
// everybody is asked, such as who begins. The caller holds o.mu.
func (o *Opponent) showing() bool {
	if !o.Real || o.match == nil || o.match.Over() {
		return false
	}
	prompts := o.match.View().Prompts
	return len(prompts) == 0 || prompts[0].Seat != engine.Table || prompts[0].May
}

func (o *Opponent) asks() (p engine.Prompt, ok bool) {
	o.shows = engine.Prompt{}
	if !o.showing() {
		return p, false
	}
	for _, s := range o.setup.Seats {
		if !o.plays(s.Seat) {
			continue
		}
		if _, missing := o.hand(s.Seat); missing > 0 {
			show := engine.Answer{Key: "computer-show-card", Input: string(s.Seat) + " tap", Zone: string(s.Seat) + "/hand"}
			o.shows = engine.Prompt{Seat: s.Seat, Key: "computer-show", Args: engine.Args{"seat": s.Seat, "n": missing},
				Options: []engine.Answer{show}}
			return o.shows, true
		}
	}
	if o.deed == nil {
		return p, false
	}
	return o.deed.Prompt, true
}

// watch keeps what people have shown in step with the match. The caller holds o.mu.
func (o *Opponent) watch(step engine.Step) {
	o.at = step.Position
	if step.Input.Verb == engine.Undo || step.Input.Verb == engine.Redo {
		return
	}
	row := map[engine.Seat][]string{}
	for seat, cards := range o.rows[step.Position-1] {
		row[seat] = slices.Clone(cards)
	}
	o.rows = append(o.rows[:step.Position], row)
	for seat := range o.setup.Computer {
		place := string(seat) + "/hand"
		gone := func(card string) {
			row[seat] = slices.DeleteFunc(row[seat], func(c string) bool { return c == card })
		}
		for _, e := range step.Events {
			if e.To != place && e.From != place {
				continue
			}
			gone(e.Card)
			for _, card := range e.Unseen {
				gone(card)
			}
			switch {
			case e.To == place && e.Card != "":
				row[seat] = append(row[seat], e.Card)
			case e.To == place || e.To == "" || e.Card != "" || e.N == 0 || len(e.Unseen) > 0:
			case o.deed != nil && o.deed.lays != "" && e.N == 1:
				gone(o.deed.lays)
			default:
				row[seat] = nil // nobody knows which one went
			}
		}
	}
}

// byPeople returns what people do to give an answer of a seat, or nil if it takes no hidden card.
func (o *Opponent) byPeople(seat engine.Seat, best advice.Choice) *deed {
	if best.Pick == "" && best.Place == "" {
		return nil
	}
	cards, _ := o.hand(seat)
	card := cmp.Or(best.Pick, best.Input.Arg(0))
	for _, p := range o.match.View().Prompts {
		for _, a := range p.Options {
			if p.Seat != seat || a.Zone != best.Place || a.Zone == "" && a.Input != best.Input.Command() {
				continue
			}
			d := &deed{Prompt: engine.Prompt{Seat: seat, Key: p.Key, Args: p.Args, Options: []engine.Answer{a}}}
			i := slices.IndexFunc(cards, func(c string) bool { return engine.SameKind(c, card) })
			switch {
			case i < 0 || best.Pick == "" && best.Place != string(seat)+"/hand":
				return d // the game's own words say it, such as the top of a pile
			case best.Pick != "":
				d.Key, d.lays = "computer-lay", cards[i]
			default:
				d.Key = "computer-turn"
			}
			d.Args = engine.Args{"seat": seat, "n": i + 1, "of": len(cards)}
			return d
		}
	}
	return nil
}

var _ device.Computer = (*Opponent)(nil)
