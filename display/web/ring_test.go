package web

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"tableside/engine"
)

// ring is a small game for these tests: a player plays a card from the hand,
// then moves one space with the left key or two with the right. The first one at
// space 12 wins.
type ring struct{}

const ringWords = `
[game.ring]
en = Ring
fr = L'Anneau
[option.length]
en = Length
fr = Longueur
[option.length.help]
en = How long it lasts
fr = Durée
[option.length.short]
en = short
fr = courte
[card.fox]
en = Fox
fr = Renard
[card.owl]
en = Owl
fr = Chouette
[card.bear]
en = Bear
fr = Ours
[zone.active]
en = In the ring
fr = Sur l'anneau
[zone.hand]
en = Hand
fr = Main
[counter.score]
en = points
fr = points
[counter.hand]
en = hand
fr = main
[track.power]
en = Power
fr = Force
[area.top]
en = Top
fr = Sommet
[phase.play]
en = Under way
fr = En cours
[prompt.play]
en = {seat}, play a card
fr = {seat}, jouez une carte
[prompt.step]
en = How far does {seat} go?
fr = Jusqu'où va {seat} ?
[answer.from-hand]
en = A card from the hand
fr = Une carte de la main
[answer.pass]
en = Pass
fr = Passer
[answer.one]
en = One space
fr = Une case
[answer.two]
en = Two spaces
fr = Deux cases
[event.play]
en = {seat} plays {card}
fr = {seat} joue {card}
[event.step]
en = {seat} goes {n} {n|space|spaces}
fr = {seat} avance de {n} {n|case|cases}
[event.pass]
en = {seat} passes
fr = {seat} passe
[event.win]
en = {seat} wins
fr = {seat} gagne
[refusal.not-your-turn]
en = It is {seat}'s turn
fr = C'est au tour de {seat}
[refusal.not-in-hand]
en = {card} was not in the hand
fr = {card} n'était pas dans la main
[refusal.no]
en = That means nothing now
fr = Cela ne veut rien dire maintenant
`

func (ring) Info() engine.Info {
	return engine.Info{
		Name: "ring/test", Rules: 1, MinSeats: 2, MaxSeats: 4,
		Options: []engine.Option{{Name: "length", Default: "long", Values: []string{"short", "long"}},
			{Name: "decks", Default: "forest", Values: []string{"forest", "sea", "sky"}, List: true}},
		Words: engine.MustWords("ring", ringWords), Cards: []string{"fox", "owl", "bear"},
	}
}

func (ring) New(setup engine.Setup) (func() (engine.State, error), error) {
	return func() (engine.State, error) { return newRing(setup), nil }, nil
}

func newRing(setup engine.Setup) *ringState {
	s := &ringState{goal: 12}
	if setup.Option("length") == "short" {
		s.goal = 5
	}
	for _, p := range setup.Seats {
		s.seats = append(s.seats, ringSeat{id: p.Seat, at: 1, hand: 6})
		s.stack = append(s.stack, p.Seat)
	}
	return s
}

type ringSeat struct {
	id       engine.Seat
	at, hand int
	active   string
}

type ringState struct {
	seats   []ringSeat
	stack   []engine.Seat // in the order of their last moves
	turn    int
	stepped bool // a card was played; the next question is how far to move
	goal    int
	won     engine.Seat
}

func (s *ringState) Box(*rand.Rand) []engine.Pile {
	var piles []engine.Pile
	for i, seat := range s.seats {
		p := engine.Pile{Place: string(seat.id) + "/hand"}
		for j, kind := range []string{"fox", "fox", "owl", "owl", "bear", "bear"} {
			p.Cards = append(p.Cards, fmt.Sprintf("%s.%d", kind, 2*i+1+j%2))
		}
		piles = append(piles, p)
	}
	return piles
}

func (s *ringState) Apply(in engine.Input) ([]engine.Event, error) {
	p := &s.seats[s.turn]
	if in.Seat != p.id || s.won != "" {
		return nil, engine.Refuse("refusal.not-your-turn", "seat", p.id)
	}
	switch {
	case in.Verb == engine.Tap && !s.stepped:
		if kind, _ := engine.SplitCopy(in.Arg(0)); !slices.Contains([]string{"fox", "owl", "bear"}, kind) {
			return nil, engine.Refuse("refusal.no")
		}
		if in.Arg(0) == p.active && !in.Confirmed() {
			return nil, engine.RefuseUnless("refusal.not-in-hand", "card", engine.CardWord(in.Arg(0)))
		}
		p.active, s.stepped = in.Arg(0), true
		p.hand--
		return []engine.Event{{Name: "play", Seat: p.id, Card: in.Arg(0), From: string(p.id) + "/hand",
			To: string(p.id) + "/active"}}, nil
	case in.Verb == engine.Key && s.stepped && (in.Arg(0) == "left" || in.Arg(0) == "right"):
		n := 1
		if in.Arg(0) == "right" {
			n = 2
		}
		p.at += n
		s.stack = append(slices.DeleteFunc(s.stack, func(id engine.Seat) bool { return id == p.id }), p.id)
		s.stepped, s.turn = false, (s.turn+1)%len(s.seats)
		events := []engine.Event{{Name: "step", Seat: p.id, N: n}}
		if p.at >= s.goal {
			s.won = p.id
			events = append(events, engine.Event{Name: "win", Seat: p.id})
		}
		return events, nil
	case in.Verb == engine.Key && in.Arg(0) == "next" && !s.stepped:
		s.turn = (s.turn + 1) % len(s.seats)
		return []engine.Event{{Name: "pass", Seat: p.id}}, nil
	}
	return nil, engine.Refuse("refusal.no")
}

func (s *ringState) View() engine.View {
	v := engine.View{Phase: "play", Round: 1, Turn: engine.Null(s.seats[s.turn].id)}
	t := engine.Track{ID: "power", First: 1, Last: 12, Areas: []engine.Area{{ID: "top", From: s.goal, To: s.goal}},
		Stacks: map[int][]engine.Seat{}}
	for _, id := range s.stack {
		at := s.seats[slices.IndexFunc(s.seats, func(p ringSeat) bool { return p.id == id })].at
		t.Stacks[at] = append(t.Stacks[at], id)
	}
	v.Tracks = []engine.Track{t}
	for _, p := range s.seats {
		var active []engine.Card
		if kind, n := engine.SplitCopy(p.active); kind != "" {
			active = []engine.Card{{Kind: engine.Null(kind), Copy: n}}
		}
		v.Seats = append(v.Seats, engine.SeatView{ID: p.id,
			Counters: engine.Counters{{Name: "score", Value: p.at}, {Name: "hand", Value: p.hand}},
			Zones:    engine.Zones{{Name: "active", Cards: active}}})
	}
	if s.won != "" {
		v.Winners = []engine.Seat{s.won}
		return v
	}
	p := s.seats[s.turn]
	prompt := engine.Prompt{Seat: p.id, Key: "play", Options: []engine.Answer{
		{Key: "from-hand", Input: string(p.id) + " tap", Zone: string(p.id) + "/hand"},
		{Key: "pass", Input: string(p.id) + " key next"}}}
	if s.stepped {
		prompt = engine.Prompt{Seat: p.id, Key: "step", Options: []engine.Answer{
			{Key: "one", Input: string(p.id) + " key left"}, {Key: "two", Input: string(p.id) + " key right"}}}
	}
	v.Prompts = []engine.Prompt{prompt}
	return v
}
