package cardgame

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tableside/engine"
)

// The places of these tests. Blue's are two higher than red's.
const (
	hand Place = 1 << iota
	deck
	unused  Place = 1 << (FirstOfTable - 2 + iota)
	discard       // some of its cards have no name
	play
)

var spots = Spots{
	Seat:  []Spot{{Name: "hand", Sight: Hidden}, {Name: "deck", Sight: Hidden}},
	Table: []Spot{{Name: "unused", Sight: Hidden}, {Name: "discard", Sight: Mixed}, {Name: "play"}},
}

var hiddenPlaces = []Place{hand, deck, hand << 2, deck << 2, unused, discard}

// A piece is a card that really lies somewhere.
type piece struct {
	Card
	real Place
}

// A round is a table with its real cards.
type round struct {
	Table[*piece]
	counts [5]int
	pile   []*piece // the discard pile
	honest bool     // no card was moved without telling the table
	chance *rand.Rand
}

func newRound(eager bool, chance *rand.Rand) *round {
	r := &round{honest: true, chance: chance}
	cards := make([]*piece, 12)
	for i := range cards {
		c := Card{Name: fmt.Sprintf("card.%d", i+1), Where: hand | deck | hand<<2 | deck<<2 | unused}
		cards[i] = &piece{Card: c, real: hiddenPlaces[i%5]}
	}
	s := spots
	s.Eager = eager
	r.Lay(s.At(engine.Setup{Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}), cards)
	for i := range r.counts {
		r.Counts(hiddenPlaces[i], &r.counts[i])
		r.counts[i] = r.really(hiddenPlaces[i])
	}
	r.Lists(discard, &r.pile)
	r.Exclude()
	return r
}

func (r *round) really(z Place) int {
	n := 0
	for _, c := range r.Cards {
		if c.real == z && !c.Open {
			n++
		}
	}
	return n
}

func (r *round) hiddenIn(z Place) *piece {
	for _, i := range r.chance.Perm(len(r.Cards)) {
		if c := r.Cards[i]; c.real == z && !c.Open {
			return c
		}
	}
	return nil
}

func (r *round) Card(name string) (*piece, error) {
	i := slices.IndexFunc(r.Cards, func(c *piece) bool { return c.Name == name })
	return r.Cards[i], nil
}

func (r *round) shift(from, to Place) {
	if c := r.hiddenIn(from); c != nil && from != to {
		c.real = to
		r.Shift(engine.Event{}, from, to, 1)
	}
}

func (r *round) swap(from, to Place) {
	if a, b := r.hiddenIn(from), r.hiddenIn(to); a != nil && b != nil && a != b {
		a.real, b.real, r.honest = to, from, r.honest && from == to
	}
}

// tap puts a hidden card on a reader, and then into play. The table asks for
// cards of its place or of another one.
func (r *round) tap(z, other Place) error {
	c := r.hiddenIn(z)
	if c == nil {
		return nil
	}
	if !r.honest {
		other = z
	}
	r.Ask(Question[*piece]{In: z | other, Tap: func(c *piece) {
		if !c.Where.single() {
			c.Where = z // the game asks which
		}
		r.TakeOut(c)
		r.PutIn(c, play)
		c.real = play
	}})
	in := engine.Input{Seat: "red", Verb: engine.Tap, Args: []string{c.Name}}
	excluded := c.Where&(z|other) == 0
	act, err := r.CheckTap(in, r)
	if excluded && err == nil {
		return errors.New("a card was taken from where it cannot lie, and nobody has insisted")
	}
	if refusal, ok := engine.AsRefusal(err); ok && refusal.Override && !r.honest {
		in.Args = append(in.Args, engine.Anyway)
		r.honest = true
		act, err = r.CheckTap(in, r)
	}
	if err == nil {
		act()
	}
	return err
}

func (r *round) putBack(to Place) {
	if i := slices.IndexFunc(r.Cards, func(c *piece) bool { return c.real == play }); i >= 0 {
		c := r.Cards[i]
		r.TakeOut(c)
		r.PutIn(c, to)
		c.real = to
	}
}

// problem returns a belief of the table that is wrong, or "".
func (r *round) problem() string {
	for _, z := range hiddenPlaces {
		if got, want := r.Count(z), r.really(z); got != want {
			return fmt.Sprintf("%s has %d cards, want %d", r.PlaceName(z), got, want)
		}
	}
	for _, c := range r.Cards {
		if r.honest && c.Where&c.real == 0 || c.Open && c.Where != c.real {
			return fmt.Sprintf("%s is believed to be in %b, but lies in %s", c.Name, c.Where, r.PlaceName(c.real))
		}
	}
	return ""
}

// FuzzBelief checks that, whatever is drawn, laid and tapped, the beliefs about
// a hidden card never exclude the place where it lies, and that the players can
// insist after a mistake.
func FuzzBelief(f *testing.F) {
	chance := rand.New(rand.NewPCG(1, 1))
	for range 40 {
		data := make([]byte, 200)
		for i := range data {
			data[i] = byte(chance.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 || len(data) > 400 {
			return
		}
		r := newRound(data[0]&1 == 0, rand.New(rand.NewPCG(uint64(len(data)), 2)))
		for i, b := range data[1:] {
			from, to := hiddenPlaces[r.chance.IntN(6)], hiddenPlaces[r.chance.IntN(6)]
			var err error
			switch {
			case b < 100:
				r.shift(from, to)
			case b < 180:
				err = r.tap(from, to)
			case b < 240:
				r.putBack(to)
			case b < 250:
				r.swap(from, to)
			default:
				r.Unsettle()
				r.honest = true
			}
			if problem := r.problem(); err != nil || problem != "" {
				t.Fatalf("step %d: %s, %v", i, problem, err)
			}
		}
	})
}

// TestExcludeGoesOn checks that learning the place of one card may settle that
// of the next one.
func TestExcludeGoesOn(t *testing.T) {
	b := &Belief{secret: hand | deck | unused, counted: hand | deck | unused, count: func(Place) int { return 1 }}
	for _, where := range []Place{deck | unused, hand | deck, hand} {
		b.cards = append(b.cards, &Card{Where: where})
	}
	b.Exclude()
	for i, want := range []Place{unused, deck, hand} {
		if got := b.cards[i].Where; got != want {
			t.Errorf("card %d lies in %b, want %b", i, got, want)
		}
	}
}

// TestOrigin checks that a card that a correction puts down comes from that
// place, if it may lie there, else from the first place that has one to give.
func TestOrigin(t *testing.T) {
	b := &Belief{secret: hand | deck | unused, counted: hand | deck, count: func(z Place) int { return int(z & deck) }}
	for _, c := range []struct{ where, to, want Place }{
		{hand | deck, hand, hand},
		{hand | deck, play, deck},
		{hand | unused, play, unused}, // a place without a count
		{hand, play, 0},
		{play, hand, play}, // it is not hidden
	} {
		card := Card{Where: c.where, Open: c.where == play}
		if b.Origin(&card, c.to, hand, deck); card.Where != c.want {
			t.Errorf("from %b to %b: got %b, want %b", c.where, c.to, card.Where, c.want)
		}
	}
}
