package enginetest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
)

// Hidden checks that a game's beliefs about hidden cards never exclude the truth. It plays one
// random match for each seed, with the game and setup that newMatch returns. A prompt may ask
// for a card of a place. Then no card that the dealer holds in this place may be refused
// because of a belief. The given list holds the keys of the reasons for such refusals (see
// reasonOf).
func Hidden(t *testing.T, beliefs []string, newMatch func(seed uint64) (engine.Game, engine.Setup)) {
	t.Helper()
	matches := uint64(50)
	if Brief() {
		matches = 3
	}
	for seed := range matches {
		game, setup := newMatch(seed)
		table, err := sit(game, setup, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; !table.isOver(); n++ {
			all := table.realAnswers()
			if n > maxInputs || len(all) == 0 {
				t.Fatalf("seed %d, input %d: %d answers, and no end", seed, n, len(all))
			}
			in := all[table.chance.IntN(len(all))]
			err := table.send(in)
			if r, refused := engine.AsRefusal(err); refused && !slices.Contains(beliefs, reasonOf(r.Text)) {
				continue // the card is there, but is no valid answer
			}
			if err != nil {
				t.Fatalf("seed %d, input %d: %q: %v", seed, n, in.Command(), err)
			}
		}
	}
}

func reasonOf(t engine.Text) string {
	if why, ok := t.Args["why"].(engine.Text); ok {
		return why.Key
	}
	return t.Key
}

func (t *table) realAnswers() []engine.Input {
	v := t.view()
	var all []engine.Input
	for _, p := range v.Prompts {
		all = append(all, t.listAnswers(v, p)...)
	}
	return all
}

// A Picker returns one of several words at random.
type Picker func(words ...string) string

// FuzzApply checks that every input is accepted or refused. It also checks that no input makes
// the rules panic, and that every prompt has an answer. The first callback returns the game
// and the setup of the match, which the first byte chooses. Each other byte chooses an input.
// Most inputs are real answers. The others are taps, keys, undos and corrections. The second
// callback returns the words of most corrections.
func FuzzApply(f *testing.F, begin func(first byte) (engine.Game, engine.Setup),
	correct func(match *engine.Match, pick Picker) []string) {
	chance := rand.New(rand.NewPCG(1, 1))
	for range 16 {
		data := make([]byte, 300)
		for i := range data {
			data[i] = byte(chance.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 || len(data) > 400 {
			return
		}
		game, setup := begin(data[0])
		table, err := sit(game, setup, rand.New(rand.NewPCG(uint64(len(data)), 2)))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range data[1:] {
			in := table.fuzzedInput(b, correct)
			step, err := table.apply(in)
			if _, refused := engine.AsRefusal(err); err != nil && !refused {
				t.Fatalf("%q: %v\nafter %v", in.Command(), err, table.match.Inputs())
			}
			if err == nil {
				_ = table.dealer.Follow(step) // nonsense may confuse it
			}
			v := table.view()
			if len(v.Prompts) == 0 && len(v.Winners) == 0 {
				t.Fatalf("%q leads nowhere\nafter %v", in.Command(), table.match.Inputs())
			}
			for _, p := range v.Prompts {
				if len(p.Options) == 0 && p.Roll == nil {
					t.Fatalf("%q leads to prompt %s without an answer\nafter %v", in.Command(), p.Key, table.match.Inputs())
				}
			}
		}
	})
}

// fuzzedInput returns the input for a byte. If the input is a correction, its words mostly
// come from the callback. After a correction, the dealer may hold other cards than the match.
// So a real answer may be refused.
func (t *table) fuzzedInput(b byte, correct func(*engine.Match, Picker) []string) engine.Input {
	pick := func(words ...string) string { return words[t.chance.IntN(len(words))] }
	seats := []string{string(engine.Table)}
	for _, p := range t.match.Setup().Seats {
		seats = append(seats, string(p.Seat))
	}
	in := engine.Input{Seat: engine.Seat(pick(seats...)), Verb: engine.Key, Args: []string{pick(engine.Keys...)}}
	switch {
	case b < 160:
		if all := t.realAnswers(); len(all) > 0 {
			return all[t.chance.IntN(len(all))]
		}
	case b < 175:
		in.Verb, in.Args = engine.Tap, []string{pick(t.match.Game().Info().Cards...) + pick(".1", ".2", ".3")}
		if b%3 == 0 {
			in.Args = append(in.Args, engine.Anyway)
		}
	case b < 190:
	case b < 245:
		in.Verb, in.Args = engine.Set, correct(t.match, pick)
	case b < 250:
		in.Verb, in.Args = engine.Set, []string{"turn", pick(seats...)}
	default:
		in.Verb, in.Args = engine.Undo, nil
	}
	return in
}

// ShortPrompts checks that every prompt of a game fits on the smallest panel. This panel has
// two lines of about 40 letters each. The prompts are tried with a card that has a long title.
func ShortPrompts(t *testing.T, game engine.Game, card string) {
	t.Helper()
	const most = 80
	words := game.Info().Words
	names := map[engine.Seat]string{"red": "Alice"}
	args := engine.Args{"seat": engine.Seat("red"), "n": 2, "card": engine.CardWord(card)}
	for key := range words {
		if !strings.HasPrefix(key, "prompt.") {
			continue
		}
		for _, lang := range engine.Languages {
			said := words.Say(lang, engine.Text{Key: key, Args: args}, names)
			if n := len([]rune(said)); n > most {
				t.Errorf("%s in %q has %d letters and not at most %d: %s", key, lang, n, most, said)
			}
		}
	}
}

// InputsPage checks a chapter that describes the inputs of a game. The chapter must explain
// every prompt, except the prompts for which exempt returns true. Its example of a match must
// be playable to the end. InputsPage returns the last view of this match.
func InputsPage(t *testing.T, game engine.Game, chapter string, exempt func(prompt string) bool) engine.View {
	t.Helper()
	for key := range game.Info().Words {
		if name, prompt := strings.CutPrefix(key, "prompt."); prompt && !exempt(name) &&
			!strings.Contains(chapter, "`"+name+"`") {
			t.Errorf("prompt %s is not explained", name)
		}
	}
	begin := strings.Index(chapter, "tableside-journal 1")
	source, _, _ := strings.Cut(chapter[max(0, begin):], "```")
	journal, err := engine.ParseJournal("inputs.md", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	match, err := engine.NewMatch(game, journal.Setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range journal.Lines {
		if _, err := match.Apply(line.Input); err != nil {
			t.Fatalf("line %d: %q: %v", line.Number, line.Input.Command(), err)
		}
	}
	return match.View()
}
