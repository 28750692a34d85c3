package engine

import (
	"errors"
	"slices"
	"strings"
)

// A Move is an input that a page may show: the tap of a card, or a word that answers a question.
type Move struct {
	Input Input
	Place string   // of the pile that hides the card; "" for an open card
	Hand  []string // the cards in the hand of the seat, as far as they are known
}

// A Verdict says whether the rules accept a move.
type Verdict struct {
	Move
	Why    Text // without a key if the move is accepted
	Unpaid Text // why the accepted move leads nowhere with this hand; usually without a key
}

// Moves returns what a page has to know of: the taps of all open cards, and of the hidden cards from
// which somebody is asked to choose. It also returns the words that a seat may choose whose hand is
// known. An open card that answers no prompt is tapped by its owner if the owner or nobody in
// particular is asked, and else by the seat that is asked first. The view may be spoken.
func Moves(v *View, piles []Pile) []Move {
	if len(v.Winners) > 0 {
		return nil
	}
	var moves []Move
	answers, asked := map[string][]Seat{}, []Seat{} // by card or place
	for _, r := range AppendReplies(nil, v.Prompts) {
		what, hand := r.Zone+r.Input.Arg(0), handIn(piles, r.Input.Seat)
		switch {
		case r.Input.Verb == Tap && !slices.Contains(answers[what], r.Input.Seat):
			answers[what] = append(answers[what], r.Input.Seat)
		case r.Input.Verb == Choose && hand != nil:
			moves = append(moves, Move{Input: r.Input, Hand: hand})
		}
	}
	for _, p := range v.Prompts {
		if !p.May {
			asked = append(asked, p.Seat)
		}
	}
	tap := func(seat Seat, card string) Input { return Input{Seat: seat, Verb: Tap, Args: []string{card}} }
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
				moves = append(moves, Move{Input: tap(seat, id), Hand: handIn(piles, seat)})
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
					moves = append(moves, Move{Input: tap(seat, card), Place: p.Place})
				}
			}
		}
	}
	return moves
}

func handIn(piles []Pile, seat Seat) []string { return CardsIn(piles, string(seat)+"/hand") }

// Judge judges moves that the function Moves has returned for the present view, without a trial. It
// leaves out those that are refused as OutOfReach, and those that only a trial can judge.
func (m *Match) Judge(moves []Move) []Verdict {
	var verdicts []Verdict
	for _, move := range moves {
		v, err := Verdict{Move: move}, m.judge(move.Input)
		payer, pays := m.state.(Payer)
		switch r, refused := AsRefusal(err); {
		case refused && !r.OutOfReach:
			v.Why = r.Reason()
		case refused || errors.Is(err, ErrTry):
			continue
		case err != nil:
			return verdicts // the rules failed: nothing further is asked of them
		case pays && move.Hand != nil:
			err = m.guard(move.Input, func() error { return payer.Unpaid(move.Input, move.Hand) })
			if r, ok := AsRefusal(err); ok {
				v.Unpaid = r.Reason()
			}
		}
		verdicts = append(verdicts, v)
	}
	return verdicts
}
