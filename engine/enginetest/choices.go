package enginetest

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
)

// Choices checks that the answer to each prompt matters. It plays random matches. In these
// matches, each prompt must have two answers that lead to different views. Choices skips
// prompts for dice or a hidden card, because the answer reveals something. It also skips the
// prompts for which exempt returns true. If Brief returns true, Choices plays one match with
// the first setup.
func Choices(t *testing.T, game engine.Game, exempt func(engine.Prompt) bool, setups ...engine.Setup) {
	t.Helper()
	each := uint64(8)
	switch {
	case matches() > 0:
		each = max(1, matches()/uint64(len(setups)))
	case Brief():
		setups, each = setups[:1], 1
	}
	for _, setup := range setups {
		for seed := range each {
			choices(t, game, setup, seed, exempt)
		}
	}
}

func choices(t *testing.T, game engine.Game, setup engine.Setup, seed uint64, exempt func(engine.Prompt) bool) {
	t.Helper()
	table, err := sit(game, setup, rand.New(rand.NewPCG(seed, 3)))
	if err != nil {
		t.Fatal(err)
	}
	for !table.isOver() {
		v := *table.view()
		for _, p := range v.Prompts {
			hidden := p.Roll != nil || slices.ContainsFunc(p.Options, func(o engine.Answer) bool { return o.Zone != "" })
			if !hidden && !exempt(p) && !table.differ(t, table.listAnswers(&v, p)) {
				t.Fatalf("seed %d: all answers to %s have the same effect: %s\n%s", seed, p.Key, mustJSON(p), table.inputs())
			}
		}
		if table.match.Seq() > maxInputs {
			t.Fatalf("seed %d: the match is not over after %d inputs", seed, maxInputs)
		}
		if err := table.play(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, table.inputs())
		}
	}
}

// differ reports whether two of the inputs lead to different views. It skips refused inputs
// and undoes all others.
func (t *table) differ(tb testing.TB, all []engine.Input) bool {
	tb.Helper()
	defer func() { t.seen = nil }()
	var first *engine.View
	for _, in := range all {
		if _, err := t.match.Apply(in); err != nil {
			continue // a card that is no valid answer
		}
		v := numberless(t.match.View())
		if _, err := t.match.Apply(engine.Input{Seat: engine.Table, Verb: engine.Undo}); err != nil {
			tb.Fatal(err)
		}
		switch {
		case first == nil:
			first = &v
		case !reflect.DeepEqual(*first, v):
			return true
		}
	}
	return false
}

func (t *table) inputs() string {
	lines := t.match.Setup().Head()
	for _, in := range t.journal {
		lines = append(lines, in.String())
	}
	return strings.Join(lines, "\n")
}
