package enginetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"tableside/engine"
)

// maxInputs is the greatest number of inputs that a match of random players may take. This is
// many times what people need. It is still small enough to find a match without an end.
const maxInputs = 4000

// Play lets random players play a match to its end. The players see only the prompts. If there
// is a dealer, they also see the cards in their hands. An error means that the game broke a
// promise. Then Play returns the match so far, or nil if the match does not begin.
func Play(game engine.Game, setup engine.Setup, chance *rand.Rand) (*engine.Match, error) {
	t, err := sit(game, setup, chance)
	if err != nil {
		return nil, err
	}
	for !t.isOver() {
		if t.match.Seq() >= maxInputs {
			return t.match, fmt.Errorf("the match is not over after %d inputs", maxInputs)
		}
		if err := t.play(); err != nil {
			return t.match, err
		}
	}
	return t.match, nil
}

// Seats returns n players at the usual seats, but at most eight.
func Seats(n int) []engine.Player {
	colours := []engine.Seat{"red", "blue", "yellow", "green", "white", "black", "orange", "purple"}
	names := []string{"Alice", "Max", "Zoé", "John O'Hara", "", "Li", "Ana", "Tom"}
	var players []engine.Player
	for i := range min(n, len(colours)) {
		players = append(players, engine.Player{Seat: colours[i], Name: names[i]})
	}
	return players
}

// A table holds a match, its hidden cards and its random players.
type table struct {
	match   *engine.Match
	dealer  *engine.Dealer
	chance  *rand.Rand
	journal []engine.Input // every accepted line, including undo and redo
	clock   time.Duration
	seen    *engine.View // the view since the last input; nil until it is asked for
}

// view returns the view of the match. Callers must not change it.
func (t *table) view() *engine.View {
	if t.seen == nil {
		v := t.match.View()
		t.seen = &v
	}
	return t.seen
}

func (t *table) isOver() bool { return len(t.view().Winners) > 0 }

func sit(game engine.Game, setup engine.Setup, chance *rand.Rand) (*table, error) {
	if setup.Begin.IsZero() {
		setup.Begin = time.Date(2026, 11, 20, 20, 15, 0, 0, time.UTC)
	}
	setup.Game = game.Info().Name
	match, err := engine.NewMatch(game, setup)
	if err != nil {
		return nil, err
	}
	return &table{match: match, dealer: engine.NewDealer(match.State(), chance), chance: chance}, nil
}

// play applies random answers to the prompts until one is accepted. It returns an error if
// none is.
func (t *table) play() error {
	all := t.realAnswers()
	t.chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, in := range all {
		err := t.send(in)
		if _, refused := engine.AsRefusal(err); !refused {
			return err
		}
	}
	return fmt.Errorf("the match is not over, and none of %d answers to %d prompts is accepted", len(all),
		len(t.view().Prompts))
}

func (t *table) send(in engine.Input) error {
	step, err := t.apply(in)
	if err != nil {
		return err
	}
	return t.dealer.Follow(step)
}

// apply applies one input, up to five seconds after the last one, without moving cards.
func (t *table) apply(in engine.Input) (engine.Step, error) {
	t.clock += time.Duration(t.chance.IntN(5000)) * time.Millisecond
	in.At, t.seen = t.clock, nil
	step, err := t.match.Apply(in)
	if err == nil {
		t.journal = append(t.journal, step.Input)
	}
	return step, err
}

// listAnswers returns all inputs that answer a prompt. If any card of a zone may be tapped,
// listAnswers returns one input for each card.
func (t *table) listAnswers(v *engine.View, p engine.Prompt) []engine.Input {
	var all []engine.Input
	add := func(line string) {
		if in, err := engine.ParseInput(line); err == nil {
			all = append(all, in)
		}
	}
	for _, o := range p.Options {
		if o.Zone == "" {
			add(o.Input)
			continue
		}
		for _, card := range t.listTappable(v, o.Zone) {
			add(o.Input + " " + card)
		}
	}
	if p.Roll != nil && len(p.Roll.Faces) > 0 {
		in := engine.Input{Seat: p.Seat, Verb: engine.Roll}
		for range p.Roll.N {
			in.Args = append(in.Args, p.Roll.Faces[t.chance.IntN(len(p.Roll.Faces))])
		}
		all = append(all, in)
	}
	return all
}

// listTappable returns the names of the cards that may be tapped in a place. If the dealer has
// a pile in the place, these are all cards of a hand or a discard pile, but only the top card
// of any other pile. If the dealer has no pile in the place, they are the cards that the view
// names there.
func (t *table) listTappable(v *engine.View, place string) []string {
	for _, p := range t.dealer.Piles() {
		if p.Place == place {
			return p.Takeable()
		}
	}
	var names []string
	cards, _ := zoneAt(v, place)
	for _, c := range cards {
		if id := c.ID(); id != "" {
			names = append(names, id)
		}
	}
	return names
}

// zoneAt returns the cards of a place, such as "red/hand", and their number. The number
// includes the cards that lie under these cards or are attached to them. If the view only
// counts the cards, zoneAt returns nil and their number. If the view does not show the place
// at all, zoneAt returns nil and -1.
func zoneAt(v *engine.View, place string) (cards []engine.Card, count int) {
	zones, counters, name := v.Zones, v.Counters, place
	if seat, zone, found := strings.Cut(place, "/"); found {
		s := v.Seat(engine.Seat(seat))
		if s == nil {
			return nil, -1
		}
		zones, counters, name = s.Zones, s.Counters, zone
	}
	for _, z := range zones {
		if z.Name == name {
			return z.Cards, countCards(z.Cards)
		}
	}
	if n, ok := counters.Get(name); ok {
		return nil, n
	}
	return nil, -1
}

func countCards(cards []engine.Card) int {
	n := len(cards)
	for _, c := range cards {
		n += countCards(c.Under) + countCards(c.Attached)
	}
	return n
}
