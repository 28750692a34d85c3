package computer

import (
	"cmp"
	"slices"

	"tableside/engine"
	"tableside/engine/advice"
)

// At a real table, the cards of a Player's seats lie face down before people, in the order in which they came:
// a new card goes to the right. People show each to a reader, face down, and later turn over the one that it plays.

// A deed is what people do for a seat of the table's.
type deed struct {
	engine.Prompt
	lays string // the card that they lay face down; "" for none
}

// hand returns the cards of a seat that people have shown, the leftmost first, and how many they have not: all, if
// more were shown than lie there. Copies of a card are alike: the table does not know who holds which. The caller
// holds p.mu.
func (p *Player) hand(seat engine.Seat) (cards []string, missing int) {
	piles, unseen := p.match.State().(engine.Believer).Believes()
	place := string(seat) + "/hand"
	lying := engine.CardsIn(piles, place)
	for _, card := range p.rows[p.at][seat] {
		if slices.Contains(lying, card) || mayLie(unseen, card, place) {
			cards = append(cards, card)
		}
	}
	if len(cards) > len(lying) {
		cards = nil
	}
	return cards, len(lying) - len(cards)
}

func mayLie(unseen []engine.Unseen, card, place string) bool {
	return slices.ContainsFunc(unseen, func(u engine.Unseen) bool { return u.MayBe(card, place) })
}

// Peek implements device.Computer.
func (p *Player) Peek(reader engine.Seat, card string, seq int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.showing() {
		return false
	}
	_, unseen := p.match.State().(engine.Believer).Believes()
	for _, s := range p.setup.Seats {
		if !p.plays(s.Seat) || reader != s.Seat && reader != engine.Table {
			continue
		}
		cards, missing := p.hand(s.Seat)
		switch {
		case p.match.Seq() != seq && reader == s.Seat, // it cannot tell yet: nobody else may learn of it
			p.deed == nil && slices.Contains(cards, card): // again by accident
			return true
		case missing > 0 && mayLie(unseen, card, string(s.Seat)+"/hand"):
			p.rows[p.at][s.Seat] = append(cards, card)
			p.tell()
			return true
		}
	}
	return false
}

// Asks implements device.Computer.
func (p *Player) Asks(seq int) *engine.Prompt {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.match != nil && p.match.Seq() != seq {
		return p.shows // until it has caught up
	}
	if p.shows = p.show(); p.shows == nil && p.deed != nil {
		return &p.deed.Prompt
	}
	return p.shows
}

// showing reports whether people may have to do something for a seat now: not before they have answered what
// everybody is asked. The caller holds p.mu.
func (p *Player) showing() bool {
	return p.Cards == nil && p.match != nil && !p.match.Over() && !p.match.View().AsksEverybody()
}

func (p *Player) show() *engine.Prompt {
	if !p.showing() {
		return nil
	}
	for _, s := range p.setup.Seats {
		if !p.plays(s.Seat) {
			continue
		}
		if _, missing := p.hand(s.Seat); missing > 0 {
			show := engine.Answer{Key: "computer-show-card", Input: string(s.Seat) + " tap", Zone: string(s.Seat) + "/hand"}
			return &engine.Prompt{Seat: s.Seat, Key: "computer-show", Args: engine.Args{"seat": s.Seat, "n": missing},
				Options: []engine.Answer{show}}
		}
	}
	return nil
}

// watch keeps what people have shown in step with the match. The caller holds p.mu.
func (p *Player) watch(step engine.Step) {
	p.at = step.Position
	if step.Input.Verb == engine.Undo || step.Input.Verb == engine.Redo {
		return
	}
	row := map[engine.Seat][]string{}
	for seat := range p.setup.Computer {
		cards, place := slices.Clone(p.rows[step.Position-1][seat]), string(seat)+"/hand"
		for _, e := range step.Events {
			if e.To != place && e.From != place {
				continue
			}
			laid := ""
			switch {
			case e.To == place || e.To == "" || e.Card != "" || e.N == 0 || len(e.Unseen) > 0:
			case p.deed != nil && p.deed.lays != "" && e.N == 1:
				laid = p.deed.lays
			default:
				cards = nil // nobody knows which one went
			}
			cards = slices.DeleteFunc(cards, func(c string) bool {
				return c == e.Card || c == laid || slices.Contains(e.Unseen, c)
			})
			if e.To == place && e.Card != "" {
				cards = append(cards, e.Card)
			}
		}
		row[seat] = cards
	}
	p.rows = append(p.rows[:step.Position], row)
}

// byPeople returns what people do to give an answer of a seat, or nil if it takes no hidden card.
func (p *Player) byPeople(best advice.Choice) *deed {
	if best.Pick == "" && best.Place == "" {
		return nil
	}
	seat := best.Input.Seat
	cards, _ := p.hand(seat)
	card := cmp.Or(best.Pick, best.Input.Arg(0))
	asked, answer := best.In(p.match.View())
	d := &deed{Prompt: engine.Prompt{Seat: seat, Key: asked.Key, Args: asked.Args, Options: []engine.Answer{answer}}}
	i := slices.IndexFunc(cards, func(c string) bool { return engine.SameKind(c, card) })
	switch {
	case asked.Key == "":
		return nil
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
