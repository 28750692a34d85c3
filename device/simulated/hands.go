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

// A deed is what people do for a seat of the table's: they answer its question.
type deed struct {
	seat engine.Seat
	key  string // of the text that says which card; "" for the question itself
	args engine.Args
	lays string // the card that they lay face down; "" for none
}

// hand returns the cards of a seat that people have shown, the leftmost first, and how many they have not. The caller holds o.mu.
func (o *Opponent) hand(seat engine.Seat) (cards []string, missing int) {
	piles, unseen := o.match.State().(engine.Believer).Believes()
	place := string(seat) + "/hand"
	i := slices.IndexFunc(piles, func(p engine.Pile) bool { return p.Place == place })
	if i < 0 {
		return nil, 0
	}
	for _, card := range o.rows[o.at][seat] {
		if len(cards) < len(piles[i].Cards) && (slices.Contains(piles[i].Cards, card) || mayLie(unseen, card, place)) {
			cards = append(cards, card)
		}
	}
	return cards, len(piles[i].Cards) - len(cards)
}

func mayLie(unseen []engine.Unseen, card, place string) bool {
	return slices.ContainsFunc(unseen, func(u engine.Unseen) bool { return u.Card == card && slices.Contains(u.Places, place) })
}

// Peek implements device.Computer.
func (o *Opponent) Peek(reader engine.Seat, card string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.Real || o.match == nil {
		return false
	}
	_, unseen := o.match.State().(engine.Believer).Believes()
	for _, p := range o.setup.Seats {
		if !o.plays(p.Seat) || reader != p.Seat && reader != engine.Table {
			continue
		}
		cards, missing := o.hand(p.Seat)
		switch {
		case missing == 0:
		case slices.Contains(cards, card):
			return true // twice by accident
		case mayLie(unseen, card, string(p.Seat)+"/hand"):
			o.rows[o.at][p.Seat] = append(slices.DeleteFunc(o.rows[o.at][p.Seat], func(c string) bool { return c == card }), card)
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
	if o.match == nil || o.match.Seq() != seq {
		return p, false
	}
	return o.asks()
}

func (o *Opponent) asks() (p engine.Prompt, ok bool) {
	if !o.Real {
		return p, false
	}
	for _, s := range o.setup.Seats {
		if !o.plays(s.Seat) {
			continue
		}
		if _, missing := o.hand(s.Seat); missing > 0 {
			show := engine.Answer{Key: "computer-show-card", Input: string(s.Seat) + " tap", Zone: string(s.Seat) + "/hand"}
			return engine.Prompt{Seat: s.Seat, Key: "computer-show", Args: engine.Args{"seat": s.Seat, "n": missing},
				Options: []engine.Answer{show}}, true
		}
	}
	if o.deed == nil {
		return p, false
	}
	return engine.Prompt{Seat: o.deed.seat, Key: o.deed.key, Args: o.deed.args}, true
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
	card := best.Pick
	if card == "" && best.Place == "" {
		return nil
	}
	d := &deed{seat: seat, lays: best.Pick}
	cards, _ := o.hand(seat)
	if i := slices.Index(cards, cmp.Or(card, best.Input.Arg(0))); i >= 0 {
		d.key, d.args = "computer-turn", engine.Args{"seat": seat, "n": i + 1, "of": len(cards)}
		if d.lays != "" {
			d.key = "computer-lay"
		}
	}
	return d
}

var _ device.Computer = (*Opponent)(nil)
