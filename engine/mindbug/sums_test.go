package mindbug

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
)

// TestSums plays whole random matches with any mix of boxes. At every moment
// each card lies in one place, as many hidden ones as are counted, and no life
// or cube is less than none. What was played leads to the same again.
func TestSums(t *testing.T) {
	matches := uint64(1000)
	if testing.Short() {
		matches = 50
	}
	chance := rand.New(rand.NewPCG(1, 2))
	games := Games()
	for range matches {
		g := games[chance.IntN(len(games))]
		setup := mixed(t, g, chance)
		h := sit(t, g, setup, chance)
		var inputs []engine.Input
		play := func(in engine.Input) {
			in.Args = slices.Clone(in.Args)
			inputs = append(inputs, in)
			h.play(t, in)
			if problem := h.problem(); problem != "" {
				t.Fatalf("%v: %s after %v", setup.Options, problem, inputs)
			}
		}
		if setup.First != "" && chance.IntN(2) == 0 {
			for _, in := range h.thickOfIt() {
				play(in)
			}
		}
		for len(h.s.winners) == 0 {
			if len(inputs) > 4000 {
				t.Fatalf("%v: no end", setup.Options)
			}
			play(h.answer())
		}
		again, err := g.New(setup)
		for _, in := range inputs {
			if err == nil {
				_, err = again.Apply(in)
			}
		}
		if err != nil || !reflect.DeepEqual(again.View(), h.s.View()) {
			t.Fatalf("%v: %v leads elsewhere: %v", setup.Options, inputs, err)
		}
	}
}

// thickOfIt are corrections that put cards of both hands into play, at any
// level, and into the discard piles.
func (h *held) thickOfIt() []engine.Input {
	var list []engine.Input
	for i, p := range h.s.players {
		for _, name := range h.hands[i][:4] {
			zone := []string{"play", "play", "discard"}[h.chance.IntN(3)]
			for k := h.s.named(name).kind; zone == "play" && k.Into != "" && h.chance.IntN(2) == 0; {
				k = h.s.rules.kinds[k.Into]
				name = k.copyOf(name)
			}
			list = append(list, engine.Input{Seat: p.seat, Verb: engine.Set, Args: []string{name, zone}})
		}
	}
	return append(list, engine.Input{Seat: engine.Table, Verb: engine.Set, Args: []string{"turn", "red"}})
}

// mixed is a match with any boxes.
func mixed(t *testing.T, g engine.Game, chance *rand.Rand) engine.Setup {
	var mix []string
	for len(mix) == 0 {
		mix = slices.DeleteFunc(slices.Clone(sets), func(string) bool { return chance.IntN(2) == 0 })
	}
	setup := engine.Setup{Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}, Options: map[string]string{
		"sets": strings.Join(mix, ","), "mindbug": []string{byRulebook, extraTurn, extraAction}[chance.IntN(3)],
	}}
	if chance.IntN(4) > 0 {
		setup.First = "red"
	}
	setup, err := g.Info().Complete(setup)
	if err != nil {
		t.Fatal(err)
	}
	return setup
}

// problem says what does not add up, "" where all does.
func (h *held) problem() string {
	s := h.s
	open, boosts := 0, 0
	for _, c := range s.cards {
		if c.open() {
			open++
		}
		if c.under != nil {
			boosts++
		}
		if !slices.Contains(h.lie(c), c) && c.open() {
			return c.name + " lies nowhere"
		}
	}
	hiddenCards := s.unused + s.energyDeck
	listed := len(s.revealed) + len(s.stage) + len(s.energyRow) + len(s.energyGone)
	for i, p := range s.players {
		hiddenCards += p.hand + p.deck
		listed += len(p.play) + len(p.discard) + len(p.boosts())
		switch {
		case p.hand != len(h.hands[i]) || p.deck != len(h.decks[i]):
			return "a hand or deck is counted wrong"
		case p.life < 0 || p.mindbugs < 0 || p.energy < 0 || p.mindbugs > startMindbugs:
			return "less than none"
		case p.life == 0 && len(s.winners) == 0:
			return "nobody has won"
		}
	}
	switch {
	case open != listed || hiddenCards+listed != len(s.cards):
		return "cards do not add up"
	case boosts != len(s.boosted()):
		return "boosts do not add up"
	case len(s.winners) == 0 && s.question.key == "":
		return "nobody is asked"
	}
	return ""
}

// lie are the open cards of the place where a card lies.
func (h *held) lie(c *card) []*card {
	s := h.s
	switch c.where {
	case inRevealed:
		return s.revealed
	case onStage:
		return s.stage
	case inEnergyRow:
		return s.energyRow
	case inEnergyDiscard:
		return s.energyGone
	}
	p := s.keeper(c.where)
	switch c.where {
	case p.of(inPlay):
		return p.play
	case p.of(inDiscard):
		return p.discard
	}
	return p.boosts()
}
