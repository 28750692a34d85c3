package enginetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/tally"
)

// A faulty game is tally with one promise broken.
type faulty struct {
	engine.Game
	apply func(engine.State, engine.Input) ([]engine.Event, error) // nil for tally's
	view  func(engine.View) engine.View                            // nil for tally's
	takes func(engine.Input) error                                 // nil for a trial
	words engine.Words                                             // in addition to tally's
}

func (g faulty) Info() engine.Info {
	info := g.Game.Info()
	info.Words = engine.Merge(info.Words, g.words)
	return info
}

func (g faulty) New(setup engine.Setup) (func() (engine.State, error), error) {
	begin, err := g.Game.New(setup)
	return func() (engine.State, error) {
		s, err := begin()
		return faultyState{s, g}, err
	}, err
}

type faultyState struct {
	engine.State
	game faulty
}

func (s faultyState) Apply(in engine.Input) ([]engine.Event, error) {
	if s.game.apply != nil {
		return s.game.apply(s.State, in)
	}
	return s.State.Apply(in)
}

func (s faultyState) View() engine.View {
	if s.game.view != nil {
		return s.game.view(s.State.View())
	}
	return s.State.View()
}

func (s faultyState) Takes(in engine.Input) error {
	if s.game.takes != nil {
		return s.game.takes(in)
	}
	return engine.ErrTry
}

func (s faultyState) Replies(list []engine.Reply) []engine.Reply {
	return engine.AppendReplies(list, s.State.View().Prompts)
}

// Box deals one card to a deck that the view may or may not show.
func (s faultyState) Box(*rand.Rand) []engine.Pile {
	if s.game.words == nil {
		return nil
	}
	return []engine.Pile{{Place: "deck", Cards: []string{"ace.1", "two.1"}}}
}

var deckWords = engine.MustWords("w", "[zone.deck]\nen = deck\nfr = pioche\n[counter.deck]\nen = deck\nfr = pioche\n"+
	"[event.draw]\nen = draws\nfr = pioche\n[card.ace]\nen = Ace\n[card.two]\nen = Two\n[zone.hand]\nen = hand\nfr "+
	"= main\n[counter.hand]\nen = hand\nfr = main")

// A recorder is a test that is expected to fail.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failure = fmt.Sprintf(format, args...)
	panic(r)
}

func failureOf(t *testing.T, game engine.Game) string {
	for seed := range uint64(10) {
		r := &recorder{TB: t}
		func() {
			defer func() {
				if p := recover(); p != nil && p != any(r) {
					panic(p)
				}
			}()
			promise(r, game, engine.Setup{Seats: Seats(2), Options: map[string]string{"target": "20"}}, seed, true)
		}()
		if r.failure != "" {
			return r.failure
		}
	}
	return ""
}

// TestBrokenPromises checks that every broken promise is noticed.
func TestBrokenPromises(t *testing.T) {
	shared := 0 // state outside the match, which a game must not have
	hide := func(change func(*engine.View)) func(engine.View) engine.View {
		return func(v engine.View) engine.View { change(&v); return v }
	}
	plus := func(in engine.Input) bool { return in.Verb == engine.Key && in.Arg(0) == "plus" }
	for name, c := range map[string]struct {
		game faulty
		want string
	}{
		"none": {},
		"panic": {faulty{apply: func(s engine.State, in engine.Input) ([]engine.Event, error) {
			if in.Verb == engine.Tap {
				panic("no cards")
			}
			return s.Apply(in)
		}}, "fails, which is a bug"},
		"no reason": {faulty{apply: func(s engine.State, in engine.Input) ([]engine.Event, error) {
			if in.Verb == engine.Tap {
				return nil, engine.Refuse("refusal.because")
			}
			return s.Apply(in)
		}}, `key "refusal.because" has no words`},
		"an argument forgotten": {faulty{apply: func(s engine.State, in engine.Input) ([]engine.Event, error) {
			if in.Verb == engine.Tap {
				return nil, engine.Refuse("refusal.turn")
			}
			return s.Apply(in)
		}}, `key "refusal.turn" says "It is {seat}'s turn"`},
		"a silent event": {faulty{apply: func(s engine.State, in engine.Input) ([]engine.Event, error) {
			events, err := s.Apply(in)
			if err == nil && plus(in) {
				events = append(events, engine.Event{Name: "cheer"})
			}
			return events, err
		}}, `key "event.cheer" has no words`},
		"state beside the match": {faulty{apply: func(s engine.State, in engine.Input) ([]engine.Event, error) {
			shared++
			return s.Apply(in)
		}, view: hide(func(v *engine.View) { v.Round = shared })}, "does not lead back"},
		"a view that changes": {faulty{view: hide(func(v *engine.View) { shared++; v.Round = shared })},
			"when it is asked for twice"},
		"a wrong no": {faulty{takes: func(in engine.Input) error {
			if plus(in) {
				return engine.Refuse("refusal.nothing")
			}
			return engine.ErrTry
		}}, "is judged as: refused: refusal.nothing"},
		"a wrong yes": {faulty{words: deckWords, view: hide(func(v *engine.View) {
			v.Counters = engine.Counters{{Name: "deck", Value: 2}}
		}), takes: func(in engine.Input) error {
			if in.Verb == engine.Tap {
				return nil
			}
			return engine.ErrTry
		}}, "is judged as: <nil>"},
		"replies that no prompt offers": {faulty{view: hide(func(v *engine.View) {
			if len(v.Prompts) > 0 {
				v.Prompts[0].Options = v.Prompts[0].Options[:1]
			}
		})}, "and not those of the prompts"},
		"no answer": {faulty{view: hide(func(v *engine.View) { v.Prompts = nil })}, "none of 0 answers"},
		"a prompt without a legal answer": {faulty{view: hide(func(v *engine.View) {
			for i := range v.Prompts {
				if v.Prompts[i].Key == "count" {
					v.Prompts[i].Options = []engine.Answer{{Key: "end-turn", Input: string(v.Prompts[i].Seat) + " key yes"}}
				}
			}
		})}, "none of its 1 answers is accepted"},
		"an answer that does not parse": {faulty{view: hide(func(v *engine.View) {
			if len(v.Prompts) > 0 {
				v.Prompts[0].Options[0].Input = "plus"
			}
		})}, `has the input "plus"`},
		"a marker twice": {faulty{view: hide(func(v *engine.View) { v.Tracks[0].Stacks[19] = []engine.Seat{"red"} })},
			`marker "red" on`},
		"a counter twice": {faulty{view: hide(func(v *engine.View) {
			v.Seats[0].Counters = append(v.Seats[0].Counters, engine.Counter{Name: "score"})
		})}, `counter "score" is there twice`},
		"a card in two places": {faulty{words: deckWords, view: hide(func(v *engine.View) {
			ace := engine.Card{Kind: "ace", Copy: 1}
			v.Zones = engine.Zones{{Name: "deck", Cards: []engine.Card{ace, {}}}, {Name: "hand", Cards: []engine.Card{ace}}}
		})}, "ace.1 lies in"},
		"hidden cards": {faulty{words: deckWords}, "2 cards lie in deck, which the view does not show"},
		"cards that do not move": {faulty{words: deckWords, view: hide(func(v *engine.View) {
			n, _ := v.Seats[0].Counters.Get("score")
			v.Counters = engine.Counters{{Name: "deck", Value: max(0, 2-n)}}
		})}, "2 cards lie in deck, but the view shows "},
		"a card from where it does not lie": {faulty{words: deckWords, view: hide(func(v *engine.View) {
			v.Counters = engine.Counters{{Name: "deck", Value: 2}}
		}), apply: func(s engine.State, in engine.Input) ([]engine.Event, error) {
			events, err := s.Apply(in)
			if err == nil && plus(in) {
				events = append(events, engine.Event{Name: "draw", Card: "ace.1", From: "hand", To: "deck"})
			}
			return events, err
		}}, "moves ace.1 from hand"},
	} {
		t.Run(name, func(t *testing.T) {
			c.game.Game = tally.Games()[0]
			got := failureOf(t, c.game)
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %.500s, want %q", got, c.want)
			}
			if c.want != "" && (!strings.Contains(got, "seed ") || !strings.Contains(got, "tableside-journal 1")) {
				t.Errorf("seed or journal is missing: %.500s", got)
			}
		})
	}
}

func TestPlay(t *testing.T) {
	game := tally.Games()[0]
	m, err := Play(game, engine.Setup{Seats: Seats(3)}, rand.New(rand.NewPCG(1, 2)))
	if err != nil || !m.Over() {
		t.Fatalf("over: %v", err)
	}
	again, _ := Play(game, engine.Setup{Seats: Seats(3)}, rand.New(rand.NewPCG(1, 2)))
	if mustJSON(m.View()) != mustJSON(again.View()) {
		t.Error("the same chance leads to another match")
	}
	endless := faulty{Game: game, view: func(v engine.View) engine.View { v.Winners = nil; return v }}
	endless.apply = func(s engine.State, in engine.Input) ([]engine.Event, error) {
		if in.Verb == engine.Choose {
			return nil, nil
		}
		return s.Apply(in)
	}
	if _, err := Play(endless, engine.Setup{Seats: Seats(1)}, rand.New(rand.NewPCG(1, 2))); err == nil ||
		!strings.Contains(err.Error(), "not over") {
		t.Errorf("a match without an end: %v", err)
	}
}

const conversation = `# by hand
tableside-journal 1
game tally/score rules 1
seat red Alice
begin 2026-11-20T20:15:00Z

`

// TestScript checks the answers and the problems of playScript.
func TestScript(t *testing.T) {
	for _, c := range []struct{ name, commands, want, problem string }{
		{"events", "red key plus\n", "red key plus\n  > Alice: +1 score\n", ""},
		{"old answers go", "red key plus\n  > Bob wins\n# why\n", "red key plus\n  > Alice: +1 score\n# why\n", ""},
		{"refusals", "red tap a.1\n", "red tap a.1\n  ! Cards mean nothing in this game\n", ""},
		{"languages", "lang fr\nred tap a.1\n", "lang fr\nred tap a.1\n  ! Les cartes ne servent pas dans ce jeu\n", ""},
		{"times", "1s red key plus\nred undo\n",
			"1s red key plus\n  > Alice: +1 score\nred undo\n  > Undone: Alice: +1 score\n", ""},
		{"undo and redo", "red key plus\nundo\nredo\n",
			"red key plus\n  > Alice: +1 score\nundo\n  > Undone: Alice: +1 score\nredo\n  > The table " +
				"redoes the move\n  > Alice: +1 score\n", ""},
		{"view", "view red match\n", "view red match\n  play, round 1, turn red\n  red: score 0\n", ""},
		{"expect", "expect red score 0\nexpect no red score 7\n", "expect red score 0\nexpect no red score 7\n", ""},
		{"expect fails", "expect red score 7\n", "expect red score 7\n", `f:7: expect red score 7: it is "0"`},
		{"expect no", "expect no prompt red bid\nexpect no state red out\nexpect no phase over\n",
			"expect no prompt red bid\nexpect no state red out\nexpect no phase over\n", ""},
		{"misspelt prompt", "expect no prompt red trun\n", "expect no prompt red trun\n", "no words for prompt.trun"},
		{"misspelt state", "expect no state red uot\n", "expect no state red uot\n", "no words for state.uot"},
		{"misspelt phase", "expect no phase oevr\n", "expect no phase oevr\n", "no words for phase.oevr"},
		{"misspelt answer", "expect no answer red turn \"red kye no\"\n", "expect no answer red turn \"red kye no\"\n",
			`"kye" is not a verb`},
		{"malformed", "red dance\n", "red dance\n", `"dance" is not a verb`},
		{"not tokens", "red \"\n", "red \"\n", `quoted word has no end`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, problems := playScript(tally.Games(), "f", conversation+c.commands)
			if got != conversation+c.want {
				t.Errorf("wrote\n%s", strings.TrimPrefix(got, conversation))
			}
			if all := strings.Join(problems, "\n"); (all == "") != (c.problem == "") || !strings.Contains(all, c.problem) {
				t.Errorf("problems: %s", all)
			}
			again, _ := playScript(tally.Games(), "f", got)
			if again != got {
				t.Errorf("the second time it wrote\n%s", again)
			}
		})
	}
	for source, want := range map[string]string{
		"red key plus\n":                 "f:1: no match has begun",
		"tableside-journal 1\ngame x\n":  "f:2: the match does not begin",
		"tableside-journal 1\nbegin x\n": "not a moment",
		"tableside-journal 1\ngame chess\nbegin 2026-11-20T20:15:00Z\n": `there is no game "chess"`,
	} {
		if _, problems := playScript(tally.Games(), "f", source); !strings.Contains(strings.Join(problems, "\n"), want) {
			t.Errorf("%q: %v", source, problems)
		}
	}
}

// TestExpect tests Extract and Expect with an example of docs/view.md.
func TestExpect(t *testing.T) {
	red := engine.SeatView{ID: "red", Counters: engine.Counters{{Name: "score", Value: 7}}, Zones: engine.Zones{
		{Name: "active", Cards: []engine.Card{{Kind: "zombie", Copy: 2, State: []string{"face-down"},
			Counters: engine.Counters{{Name: "power", Value: 3}},
			Keywords: []string{"tough"}, Under: []engine.Card{{Kind: "robot"}}, Attached: []engine.Card{{}}}, {}}},
		{Name: "discard"},
	}}
	v := engine.View{
		Phase: "turn", Round: 2, Rounds: 5, Turn: "red", First: "blue", Winners: []engine.Seat{"red", "blue"},
		Notices: []string{"stand-in-board"},
		Seats:   []engine.SeatView{red, {ID: "blue"}}, Counters: engine.Counters{{Name: "deck", Value: 4}},
		Zones:  engine.Zones{{Name: "row"}},
		Tracks: []engine.Track{{ID: "power", Stacks: map[int][]engine.Seat{9: {"blue", "red"}, 12: {"table"}}}},
		Dice:   []engine.Die{{ID: "red-1", Seat: "red", Face: "growth-2", State: "kept"}, {ID: "red-2", Seat: "red"}},
		Prompts: []engine.Prompt{
			{Seat: "red", Key: "flank", Options: []engine.Answer{{Input: "red key left"}, {Input: "red tap", Zone: "red/hand"}}},
			{Seat: "blue", Key: "throw", Roll: &engine.RollRequest{Kind: "kot", N: 2}}},
	}
	for line, want := range map[string]string{
		"red score 7":                          "",
		"red score 8":                          `it is "7"`,
		"red life 1":                           "red has no counter life",
		"green life 1":                         "nobody sits at green",
		"red score":                            `want a line such as "expect red score 7"`,
		"table deck 4":                         "",
		"stack power 9 blue red":               "",
		"stack power 12 table":                 "",
		"stack power 3":                        "",
		"stack power 9 red blue":               `the stack is "blue red"; 12 table | 9 blue red`,
		"stack score 9":                        "there is no track score with a space 9",
		"stack power":                          `want a line such as "expect stack power 9 blue red"`,
		"zone red active zombie ?":             "",
		"zone red active zombie.2:face-down ?": "",
		"zone red active zombie.1 " +
			"?": "there lie zombie.2 (face-down, power 3, tough; under: robot; attached: ?), ?",
		"zone red active zombie:tilted " +
			"?": "there lie zombie.2 (face-down, power 3, tough; under: robot; attached: ?), ?",
		"zone red discard":                        "",
		"zone red discard ?":                      "there lie no cards",
		"zone red graveyard":                      "red has no zone graveyard",
		"zone table row":                          "",
		"prompt red flank":                        "",
		"no prompt blue flank":                    "",
		"answer red flank red\u00a0key\u00a0left": "",
		"prompt red " +
			"turn": "the prompts are prompt red flank: key left | tap …red/hand; prompt blue throw: roll 2 kot",
		"die red-1 growth-2":    "",
		"die red-2 growth-2":    `it is ""`,
		"die red-3 growth-2":    "there is no die red-3",
		"turn red":              "",
		"first blue":            "",
		"phase turn":            "",
		"round 2":               "",
		"winners red blue":      "",
		"winners red":           `it is "red blue"`,
		"notice stand-in-board": "",
		"notice stand-in-cards": "the notices are [stand-in-board]",
		"turn":                  "nothing is expected",
		"turn red blue":         `want a line such as "expect turn red"`,
		"prompt red":            `want a line such as "expect prompt red choose-flank"`,
		"answer red flank":      `want a line such as "expect answer red choose-flank \"red key left\""`,
		"no turn red":           "it holds",
		// What could be there, and is not.
		"no red score 8":                           "",
		"no stack power 9 red":                     "",
		"no zone red discard zombie":               "",
		"no prompt blue turn":                      "",
		"no answer red flank red\u00a0key\u00a0no": "",
		"no die red-2 growth-2":                    "",
		"no state red out":                         "",
		"no turn blue":                             "",
		"no turn table":                            "",
		"no round 3":                               "",
		"no winners red":                           "",
		"no phase over":                            "",
		"no notice stand-in-cards":                 "",
		// What cannot be there is misspelt.
		"no red scroe 7":        "red has no counter scroe",
		"no rde score 7":        "nobody sits at rde",
		"no red score seven":    `"seven" is no number`,
		"no red score":          `want a line such as "expect red score 7"`,
		"no stack pwoer 9 red":  "there is no track pwoer with a space 9",
		"no stack power 9 rde":  "nobody sits at rde",
		"no zone red discrad":   "red has no zone discrad",
		"no prompt rde flank":   "nobody sits at rde",
		"no answer red flank":   `want a line such as "expect answer red choose-flank \"red key left\""`,
		"no die red-3 growth-2": "there is no die red-3",
		"no cell round-1 red 3": "there is no row round-1",
		"no state rde out":      "there is no seat rde",
		"no clock red runs":     "there is no clock of red",
		"no turn rde":           "nobody sits at rde",
		"no first rde":          "nobody sits at rde",
		"no winners red rde":    "nobody sits at rde",
		"no round two":          `"two" is no number`,
		"no notice a b":         `want a line such as "expect notice a"`,
		"no":                    "nothing is expected",
		"no no red score 7":     "it holds",
	} {
		words := strings.Fields(line)
		if i := strings.Index(line, "\u00a0"); i >= 0 { // one quoted word
			words = strings.Split(line, " ")
			words[len(words)-1] = strings.ReplaceAll(words[len(words)-1], "\u00a0", " ")
		}
		got := ""
		if err := Expect(v, words...); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("expect %s: %q, want %q", line, got, want)
		}
	}
	want := `turn, round 2 of 5, turn red, winners red blue, notices stand-in-board
power: 12 table | 9 blue red
red: score 7
red active: zombie.2 (face-down, power 3, tough; under: robot; attached: ?), ?
table: deck 4
die red-1 of red: growth-2 kept
die red-2 of red: ?
prompt red flank: key left | tap …red/hand
prompt blue throw: roll 2 kot`
	if got := strings.Join(Extract(v), "\n"); got != want {
		t.Errorf("extract\n%s\nwant\n%s", got, want)
	}
}

// TestUpdate checks that -update changes nothing but answers.
func TestUpdate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txt")
	before := conversation + "red key plus\n  > wrong\n# why\nexpect red score 1\n"
	if err := os.WriteFile(file, []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	was := *update
	*update = true
	defer func() { *update = was }()
	RunScripts(t, tally.Games(), file)
	after, _ := os.ReadFile(file)
	if want := strings.Replace(before, "  > wrong", "  > Alice: +1 score", 1); string(after) != want {
		t.Errorf("wrote\n%s", after)
	}
}

// TestHoles compares what formats take, in whatever order they say it.
func TestHoles(t *testing.T) {
	for _, c := range []struct {
		english, french string
		same            bool
	}{
		{"%d of %s", "%d de %s", true},
		{"%d of %s", "%[2]s : %[1]d", true},
		{"%d of %s", "%s : %d", false},
		{"%.0f %% of %v", "%.0f %% de %v", true},
		{"%q is odd", "%s est curieux", false},
		{"%s and %s", "%[1]s et %[1]s", false},
		{"100 % of it", "100 % de cela", true},
	} {
		if got := maps.Equal(formatVerbs(c.english), formatVerbs(c.french)); got != c.same {
			t.Errorf("%q and %q: got %v, want %v", c.english, c.french, got, c.same)
		}
	}
}
