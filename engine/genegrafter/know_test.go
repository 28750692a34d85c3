package genegrafter_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
)

// beliefs are the refusals of a card that the engine thinks lies elsewhere.
var beliefs = []string{
	"refusal.card-elsewhere", "refusal.card-of", "refusal.card-hidden", "refusal.unknown-card", "refusal.no-such-copy",
}

func begin(t *testing.T, seed uint64, data string) (*engine.Match, *engine.Dealer, *rand.Rand) {
	t.Helper()
	games := genegrafter.Games()
	game := games[seed%uint64(len(games))]
	s := setup(2+int(seed/2%3), "data", data, "difficulty", []string{"simple", "medium", "hard"}[seed/6%3])
	s.Game, s.First, s.Begin = game.Info().Name, "red", time.Unix(0, 0)
	match, err := engine.NewMatch(game, s)
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(seed, 1))
	return match, engine.NewDealer(match.State(), chance), chance
}

// TestHiddenCards: what is known of hidden cards never excludes where they
// are. In random matches no card is refused that the dealer holds where the
// prompt asks for one.
func TestHiddenCards(t *testing.T) {
	matches := uint64(40)
	if testing.Short() {
		matches = 10
	}
	for seed := range matches {
		match, dealer, chance := begin(t, seed, []string{"stand-in", "known"}[seed/4%2])
		for n := 0; !match.Over(); n++ {
			if n > 5000 {
				t.Fatalf("seed %d: no end", seed)
			}
			in, ok := realInput(match, dealer, chance)
			if !ok {
				t.Fatalf("seed %d, input %d: nothing can be answered", seed, n)
			}
			_, events, err := match.Apply(in)
			if r, ok := engine.AsRefusal(err); ok && !slices.Contains(beliefs, r.Text.Key) {
				continue // the card is there, but cannot be meant
			}
			if err == nil {
				err = dealer.Follow(events)
			}
			if err != nil {
				t.Fatalf("seed %d, input %d: %q: %v", seed, n, in.Command(), err)
			}
		}
	}
}

// realInput is a random answer to the prompts, with cards that really lie
// where they are asked from; false where the dealer has none.
func realInput(match *engine.Match, dealer *engine.Dealer, chance *rand.Rand) (engine.Input, bool) {
	var lines []string
	for _, p := range match.View().Prompts {
		for _, o := range p.Options {
			if o.Zone == "" {
				lines = append(lines, o.Input)
				continue
			}
			cards := dealer.Cards(o.Zone)
			if !strings.HasSuffix(o.Zone, "/hand") {
				cards = cards[:min(1, len(cards))] // of a pile the top
			}
			for _, c := range cards {
				lines = append(lines, o.Input+" "+c)
			}
		}
		if p.Roll != nil {
			line := string(p.Seat) + " roll"
			for range p.Roll.N {
				line += " " + p.Roll.Faces[chance.IntN(len(p.Roll.Faces))]
			}
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return engine.Input{}, false
	}
	in, err := engine.ParseInput(lines[chance.IntN(len(lines))])
	return in, err == nil
}

// FuzzApply: whatever is done at the table is accepted or refused; nothing
// makes the rules fail, and every prompt has an answer. Each byte is an input.
func FuzzApply(f *testing.F) {
	chance := rand.New(rand.NewPCG(1, 1))
	for i := range 24 {
		data := make([]byte, 200)
		for j := range data {
			data[j] = byte(chance.Uint32())
		}
		data[0] = byte(i)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 || len(data) > 400 {
			return
		}
		match, dealer, _ := begin(t, uint64(data[0]), []string{"stand-in", "stand-in", "known"}[data[0]%3])
		chance := rand.New(rand.NewPCG(uint64(len(data)), 2))
		for _, b := range data[1:] {
			in := fuzzInput(match, dealer, b, chance)
			_, events, err := match.Apply(in)
			if _, refused := engine.AsRefusal(err); err != nil && !refused {
				t.Fatalf("%q: %v\nafter %v", in.Command(), err, match.Inputs())
			}
			if err == nil {
				_ = dealer.Follow(events) // which nonsense may confuse
			}
			v := match.View()
			if len(v.Prompts) == 0 && len(v.Winners) == 0 {
				t.Fatalf("%q leads nowhere\nafter %v", in.Command(), match.Inputs())
			}
			for _, p := range v.Prompts {
				if len(p.Options) == 0 && p.Roll == nil {
					t.Fatalf("%q leads to prompt %s without an answer\nafter %v", in.Command(), p.Key, match.Inputs())
				}
			}
			for _, problem := range enginetest.ViewProblems(v) {
				t.Fatalf("%q: %s\nafter %v", in.Command(), problem, match.Inputs())
			}
		}
	})
}

// fuzzInput is mostly an answer, else a correction or a tap of anything.
// Corrections leave the dealer behind, who knows nothing of them.
func fuzzInput(match *engine.Match, dealer *engine.Dealer, b byte, chance *rand.Rand) engine.Input {
	pick := func(list ...string) string { return list[chance.IntN(len(list))] }
	seats := []string{"table", "red", "blue"}
	in := engine.Input{Seat: engine.Seat(pick(seats...))}
	kind := pick(match.Game().Info().Cards...)
	card := fmt.Sprintf("%s.%d", kind, 1+chance.IntN(2))
	switch {
	case b < 160:
		if real, ok := realInput(match, dealer, chance); ok {
			return real
		}
		in.Verb, in.Args = engine.Key, []string{pick(engine.Keys...)}
	case b < 175:
		in.Verb, in.Args = engine.Tap, []string{card}
		if b%3 == 0 {
			in.Args = append(in.Args, engine.Anyway)
		}
	case b < 190:
		in.Verb, in.Args = engine.Key, []string{pick(engine.Keys...)}
	case b < 220:
		in.Verb, in.Args = engine.Set, []string{card, pick("hand", "deck", "play", "play", "pool", "discard", "dna", "aside", "battle")}
		if b%4 == 0 {
			in.Args = append(in.Args, pick("wounded", "tired"))
		}
	case b < 228:
		in.Verb, in.Args = engine.Set, []string{card, pick("on", "under"), fmt.Sprintf("%s.1", pick(match.Game().Info().Cards...))}
	case b < 240:
		in.Verb, in.Args = engine.Set, []string{pick("hand", "deck", "health", "attack-tokens", "special", "red-1", "blue-1"), pick("0", "1", "2", "3", "6", "ready", "draw")}
	case b < 248:
		in.Verb, in.Args = engine.Set, []string{kind, pick("kind", "attack", "power", "markers", "does", "place", "base"), pick("character", "gear", "event", "3", "none", "mental", "luck", "head", "heal a character", "has luck")}
	case b < 252:
		in.Verb, in.Args = engine.Set, []string{"turn", pick(seats...)}
	default:
		in.Verb = engine.Undo
	}
	return in
}
