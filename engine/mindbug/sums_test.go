package mindbug

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// TestSums plays whole random matches with any mix of boxes, or without cards, half of them with corrections at any
// moment. At every moment each card lies in one place, the counts of hidden cards are right, and no counter is
// negative. The same inputs lead to the same view again.
func TestSums(t *testing.T) {
	matches := uint64(1000)
	if enginetest.Brief() {
		matches = 10
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
		corrected := chance.IntN(2) == 0
		if h.s.rules.cards && setup.First != "" && chance.IntN(2) == 0 {
			for _, in := range h.thickOfIt() {
				play(in)
			}
		}
		for len(h.s.Winners) == 0 || corrected && chance.IntN(2) == 0 {
			if len(inputs) > 4000 {
				t.Fatalf("%v: no end", setup.Options)
			}
			if len(h.s.Winners) > 0 || corrected && chance.IntN(8) == 0 {
				for _, in := range h.correction() {
					play(in)
				}
				continue
			}
			play(h.answer())
		}
		again, err := begin(t, g, setup), error(nil)
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

// thickOfIt returns corrections that put cards of both hands into play, at any level, and into the discard piles.
func (h *held) thickOfIt() []engine.Input {
	var list []engine.Input
	for i, p := range h.s.players {
		for _, name := range h.hands[i][:4] {
			zone := []string{"play", "play", "discard"}[h.chance.IntN(3)]
			for k := h.s.cardNamed(name).kind; zone == "play" && k.Into != "" && h.chance.IntN(2) == 0; {
				k = h.s.rules.kinds[k.Into]
				name = k.copyOf(name)
			}
			list = append(list, engine.Input{Seat: p.seat, Verb: engine.Set, Args: []string{name, zone}})
		}
	}
	return append(list, engine.Input{Seat: engine.Table, Verb: engine.Set, Args: []string{"turn", "red"}})
}

// correction returns a random correction of a counter, an open card or a card of a hand; none before the match has
// begun.
func (h *held) correction() []engine.Input {
	s, i := h.s, h.chance.IntN(2)
	p := s.players[i]
	set := func(seat engine.Seat, args ...string) []engine.Input {
		return []engine.Input{{Seat: seat, Verb: engine.Set, Args: args}}
	}
	one := func(list []*card) *card { return list[h.chance.IntN(len(list))] }
	to := []string{"play", "discard", "hand", "deck"}[h.chance.IntN(4)]
	switch what := h.chance.IntN(9); {
	case !s.begun:
		return nil
	case len(s.Winners) > 0: // giving life back resumes the match
		if s.players[0].life > 0 {
			p = s.players[1]
		} else {
			p = s.players[0]
		}
		return set(p.seat, "life", "2")
	case what == 0:
		return set(engine.Table, "turn", string(p.seat))
	case what == 1:
		return set(p.seat, "mindbugs", strconv.Itoa(h.chance.IntN(startMindbugs+1)))
	case what == 2 && s.rules.energy:
		return set(p.seat, "energy", strconv.Itoa(h.chance.IntN(4)))
	case what == 3 && len(s.energyRow) > 0:
		return set(engine.Table, one(s.energyRow).Name, "energy-discard")
	case what == 4 && len(p.discard) > 0:
		return set(p.seat, one(p.discard).Name, to)
	case what == 5 && len(p.play) > 0:
		return set(s.players[h.chance.IntN(2)].seat, one(p.play).Name, to)
	case what == 6 && len(s.stage) > 0 && !s.stage[0].kind.Energy:
		return set(p.seat, s.stage[0].Name, to)
	case what == 7 && len(p.discard) > 0 && len(p.play) > 0:
		return set(p.seat, one(p.discard).Name, "under", one(p.play).Name)
	case what == 8 && len(h.hands[i]) > 0:
		return set(p.seat, h.hands[i][h.chance.IntN(len(h.hands[i]))], []string{"play", "discard"}[h.chance.IntN(2)])
	}
	return set(p.seat, "life", strconv.Itoa(h.chance.IntN(5)))
}

// ownDefinitions defines cards whose abilities no printed card has.
var ownDefinitions = sync.OnceValues(func() ([]string, error) {
	return Definitions("mine.txt", `
card guardian set first-contact 3
card guardian en Guardian
card guardian power 4
card guardian play 1 creature cannot be defeated this turn
card guardian attack give your opponent control of 1 allied creature
card guardian defeated give your opponent control of up to 2 allied creatures
card riddle set king-of-tokyo 2
card riddle en Riddle
card riddle power 5
card riddle play ?
card riddle attack return 1 enemy creature to your opponent's hand
`)
})

// mixed returns a random setup with any boxes, perhaps with an owner's cards or without cards.
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
	var err error
	switch chance.IntN(6) {
	case 0:
		setup.Options["cards"] = "off"
	case 1:
		setup.Definitions, err = ownDefinitions()
	}
	if err != nil {
		t.Fatal(err)
	}
	setup, err = g.Info().Complete(setup)
	if err != nil {
		t.Fatal(err)
	}
	return setup
}

// problem returns the first inconsistency, or "".
func (h *held) problem() string {
	s := h.s
	open, boosts := 0, 0
	for _, c := range s.Cards {
		if c.Open {
			open++
		}
		if c.under != nil {
			boosts++
		}
		if !slices.Contains(h.beside(c), c) && c.Open {
			return c.Name + " lies nowhere"
		}
	}
	hiddenCards := s.unused + s.energyDeck
	listed := len(s.revealed) + len(s.stage) + len(s.energyRow) + len(s.energyGone)
	for i, p := range s.players {
		hiddenCards += p.hand + p.deck + p.heap
		listed += len(p.play) + len(p.discard) + len(p.boosts())
		switch {
		case p.hand != len(h.hands[i]) || p.deck != len(h.decks[i]) || p.heap != len(h.heaps[i]):
			return "a hand, deck or heap is counted wrong"
		case p.life < 0 || p.mindbugs < 0 || p.energy < 0 || p.mindbugs > startMindbugs:
			return "less than none"
		case p.life == 0 && len(s.Winners) == 0:
			return "nobody has won"
		}
	}
	switch {
	case open != listed || hiddenCards+listed != len(s.Cards):
		return "cards do not add up"
	case boosts != len(s.boosted()):
		return "boosts do not add up"
	case len(s.Winners) == 0 && s.Question.Key == "":
		return "nobody is asked"
	}
	return ""
}

// beside returns the open cards of the place where a card lies.
func (h *held) beside(c *card) []*card {
	s := h.s
	switch c.Where {
	case inRevealed:
		return s.revealed
	case onStage:
		return s.stage
	case inEnergyRow:
		return s.energyRow
	case inEnergyDiscard:
		return s.energyGone
	}
	p := s.keeper(c.Where)
	switch c.Where {
	case p.placeOf(inPlay):
		return p.play
	case p.placeOf(inDiscard):
		return p.discard
	}
	return p.boosts()
}
