package engine

import (
	"slices"
	"strings"
)

// A CardTap is the tap of a card that a page shows.
type CardTap struct {
	Seat  Seat     // who would tap it
	Card  string   // "zombie.2"
	Place string   // of the pile that hides the card; "" for an open card
	One   bool     // whether only this seat would tap the card
	Hand  []string // the cards in the hand of the seat, as far as they are known
}

// A Verdict says whether the rules accept the tap of a card.
type Verdict struct {
	CardTap
	Why    Text // without a key if the tap is accepted
	Unpaid Text // why the accepted tap leads nowhere with this hand; usually without a key
}

// CardTaps returns the taps that a page has to know of: those of all open cards, and those of the
// hidden cards from which somebody is asked to choose. An open card that answers no prompt is
// tapped by its owner if the owner or nobody in particular is asked, and else by the seat that is
// asked first. The view may be spoken.
func CardTaps(v *View, piles []Pile) []CardTap {
	if len(v.Winners) > 0 {
		return nil
	}
	answers, asked := map[string][]Seat{}, []Seat{} // by card or place
	for _, r := range AppendReplies(nil, v.Prompts) {
		if what := r.Zone + r.Input.Arg(0); r.Input.Verb == Tap && !slices.Contains(answers[what], r.Input.Seat) {
			answers[what] = append(answers[what], r.Input.Seat)
		}
	}
	for _, p := range v.Prompts {
		if !p.May {
			asked = append(asked, p.Seat)
		}
	}
	var taps []CardTap
	open := map[string]bool{}
	var add func(owner Seat, cards []Card)
	add = func(owner Seat, cards []Card) {
		for _, c := range cards {
			if id := c.ID(); c.Copy > 0 && id != "" {
				open[id] = true
				seat := owner
				if len(answers[id]) > 0 {
					seat = answers[id][0]
				} else if len(asked) > 0 && !slices.Contains(asked, owner) && !slices.Contains(asked, Table) {
					seat = asked[0]
				}
				taps = append(taps, CardTap{Seat: seat, Card: id, One: true, Hand: cardsIn(piles, string(seat)+"/hand")})
			}
			add(owner, c.Under)
			add(owner, c.Attached)
		}
	}
	for _, s := range v.Seats {
		for _, z := range s.Zones {
			add(s.ID, z.Cards)
		}
	}
	for _, z := range v.Zones {
		add(Table, z.Cards)
	}
	for _, p := range piles {
		seats := answers[p.Place]
		owner, _, _ := strings.Cut(p.Place, "/")
		if len(seats) == 0 && IsHand(p.Place) && slices.Contains(asked, Seat(owner)) {
			seats = []Seat{Seat(owner)}
		}
		for _, seat := range seats {
			for _, card := range p.Cards {
				if !open[card] {
					taps = append(taps, CardTap{Seat: seat, Card: card, Place: p.Place, One: len(seats) == 1})
				}
			}
		}
	}
	return taps
}

// Judge judges taps without a trial. It leaves out those that are refused as OutOfReach, and those
// that only a trial can judge.
func (m *Match) Judge(taps []CardTap) []Verdict {
	var verdicts []Verdict
	for _, tap := range taps {
		in := Input{Seat: tap.Seat, Verb: Tap, Args: []string{tap.Card}}
		v, err := Verdict{CardTap: tap}, m.judge(in)
		if err != nil {
			r, ok := AsRefusal(err)
			if !ok || r.OutOfReach {
				continue
			}
			v.Why = r.Reason()
		} else if payer, ok := m.state.(Payer); ok && tap.Hand != nil {
			if r, ok := AsRefusal(payer.Unpaid(in, tap.Hand)); ok {
				v.Unpaid = r.Reason()
			}
		}
		verdicts = append(verdicts, v)
	}
	return verdicts
}
