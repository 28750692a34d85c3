package example

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// The places of the first seat. Those of each further seat are seatBits bits higher.
const (
	inHand cardgame.Place = 1 << iota
	inBasket
	seatBits = iota
)

// The places of the table.
const (
	inSea cardgame.Place = 1 << (cardgame.FirstOfTable + iota)
	isAway
)

// spots describes the places, in the order of their constants.
var spots = cardgame.Spots{
	Seat:  []cardgame.Spot{{Name: "hand", Sight: cardgame.Hidden}, {Name: "basket"}},
	Table: []cardgame.Spot{{Name: "sea", Sight: cardgame.Hidden}, {Name: "away"}},
	Eager: true,
}

const handSize = 4 // rules.md "Before the match"

// Of each kind there are eight: rules.md "The cards".
var kinds = []string{"pebble", "shell", "amber", "gull"}

type card struct {
	cardgame.Card
	kind string
}

type player struct {
	seat   engine.Seat
	index  int
	hand   int
	basket []*card
}

func (p *player) of(z cardgame.Place) cardgame.Place { return z << (seatBits * p.index) }

// state is a match at one moment.
type state struct {
	cardgame.Table[*card]
	players []*player // clockwise
	turn    int       // whose turn it is
	sea     int
	away    []*card
}

//go:embed words.txt
var wordsFile string

type game struct{ info engine.Info }

func newGame() game {
	words := engine.MustWords("words.txt", wordsFile)
	return game{engine.Info{Name: "wrackline/example", Rules: 1, MinSeats: 2, MaxSeats: 4, Words: words, Cards: kinds}}
}

func (g game) Info() engine.Info { return g.info }

func (g game) New(setup engine.Setup) (func() (engine.State, error), error) {
	return func() (engine.State, error) { return deal(setup) }, nil
}

// deal deals: rules.md "Before the match". Nobody knows where any card lies.
func deal(setup engine.Setup) (engine.State, error) {
	s := &state{}
	hidden := inSea
	for i, seat := range setup.Seats {
		p := &player{seat: seat.Seat, index: i, hand: handSize}
		s.players, hidden = append(s.players, p), hidden|p.of(inHand)
		if p.seat == setup.First {
			s.turn = i
		}
	}
	var cards []*card
	for _, kind := range kinds {
		for n := range 8 {
			cards = append(cards, &card{cardgame.Card{Name: fmt.Sprintf("%s.%d", kind, n+1), Where: hidden}, kind})
		}
	}
	s.sea = len(cards) - handSize*len(s.players)
	s.Lay(spots.At(setup), cards)
	for _, p := range s.players {
		s.Counts(p.of(inHand), &p.hand)
		s.Lists(p.of(inBasket), &p.basket)
	}
	s.Counts(inSea, &s.sea)
	s.Lists(isAway, &s.away)
	s.Do(func() { s.beginTurn(s.turn) })
	return s, s.Run(s)
}

// Box shuffles and deals the cards of a simulated table.
func (s *state) Box(chance *rand.Rand) []engine.Pile {
	var names []string
	for _, i := range chance.Perm(len(s.Cards)) {
		names = append(names, s.Cards[i].Name)
	}
	piles := []engine.Pile{{Place: "sea", Cards: names[handSize*len(s.players):]}}
	for i, p := range s.players {
		piles = append(piles, engine.Pile{Place: s.PlaceName(p.of(inHand)), Cards: names[handSize*i : handSize*(i+1)]})
	}
	return piles
}

func (s *state) Apply(in engine.Input) ([]engine.Event, error) { return s.Table.Apply(in, s) }

func (s *state) Takes(in engine.Input) error { return s.Table.Takes(in, s) }

func (s *state) Replies(list []engine.Reply) []engine.Reply { return s.Table.Replies(list, s.open()) }

func (s *state) Tap(in engine.Input) (func(), error) { return s.CheckTap(in, s) }

// Card returns the card with a name.
func (s *state) Card(name string) (*card, error) {
	if i := slices.IndexFunc(s.Cards, func(c *card) bool { return c.Name == name }); i >= 0 {
		return s.Cards[i], nil
	}
	return nil, engine.Refuse("refusal.unknown-card", "name", name)
}

// Set corrects by hand what the engine believes, and restarts the turn: "red
// set hand 3", "table set sea 9", "red set shell.1 basket".
func (s *state) Set(in engine.Input) error {
	what, value := in.Arg(0), in.Arg(1)
	to, counter, count := spots.TablePlace(value), "sea", &s.sea
	order := []cardgame.Place{inSea} // where a hidden card comes from: the player's hand, the sea, another hand
	for _, p := range s.players {
		order = append(order, p.of(inHand))
		if p.seat == in.Seat {
			order = append([]cardgame.Place{p.of(inHand)}, order...)
			to, counter, count = to|p.of(spots.SeatPlace(value)), "hand", &p.hand
		}
	}
	c, _ := s.Card(what)
	n, err := strconv.Atoi(value)
	switch {
	case len(in.Args) == 2 && c != nil && to != 0:
		s.Origin(&c.Card, to, order...)
		s.Move("put", in.Seat, c, to)
	case len(in.Args) == 2 && what == counter && err == nil && n >= 0 && n <= len(s.Cards):
		*count = n
		s.Unsettle()
		s.Emit(engine.Event{Name: "set", Seat: in.Seat, N: n, Word: "counter." + what})
	default:
		return engine.RefuseSet(in)
	}
	s.BreakOff()
	s.Winners = nil
	s.Do(func() { s.beginTurn(s.turn) })
	return nil
}

func (s *state) open() (cards []*card) {
	for _, p := range s.players {
		cards = append(cards, p.basket...)
	}
	return cards
}

// View returns the match as everybody at the table sees it.
func (s *state) View() engine.View {
	v := engine.View{Phase: "over", Winners: slices.Clone(s.Winners)}
	v.Counters = engine.Counters{{Name: "sea", Value: s.sea}}
	v.Zones = engine.Zones{{Name: "away", Cards: cardgame.Faces(s.away)}}
	for _, p := range s.players {
		v.Seats = append(v.Seats, engine.SeatView{ID: p.seat,
			Counters: engine.Counters{{Name: "points", Value: p.points()}, {Name: "hand", Value: p.hand}},
			Zones:    engine.Zones{{Name: "basket", Cards: cardgame.Faces(p.basket)}},
		})
	}
	if q := &s.Question; q.Key != "" {
		v.Phase, v.Turn = "turn", engine.Null(s.players[s.turn].seat)
		v.Prompts = []engine.Prompt{q.Prompt(s.TapAnswers(q, s.open(), nil), nil)}
	}
	return v
}
