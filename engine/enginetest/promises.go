package enginetest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
)

// seed repeats the match in which a promise was broken.
var seed = flag.Uint64("seed", 0, "play only the random match of this seed")

// allMatches is the number of random matches of a game, for all its setups together.
// thoroughMatches is the number of those matches in which the expensive checks are frequent. In
// the other matches, these checks are rare. Each setup has at least two matches with frequent
// checks. See checkInterval.
const (
	thoroughMatches = 24
	allMatches      = 200
)

// Brief reports whether a few random matches and scripts are enough. This is so if the flag
// -short is given or the race detector is on. Rules have no goroutines for the race detector
// to watch, and take ten times as long with it.
func Brief() bool { return Raced || testing.Short() }

// Promises checks what every game promises, in matches of random players. It plays matches
// with each of the setups. If no setups are given, there are two: one with the fewest seats
// and one with the most seats. If Brief returns true, Promises plays only one match, with the
// first setup; by day, it plays a sixteenth of the matches. These are the promises:
//
//   - The view is complete, survives JSON and has no contradictions: no card
//     and no marker is in two places, and every prompt has an answer.
//   - Cards move as the events say, and are where the view says.
//   - Every input is accepted, or refused with a reason. A refusal changes
//     nothing.
//   - What Match.Takes and Match.Replies say of an input is what Apply does with it.
//   - Undo leads back, redo leads on, and the written journal leads to the
//     same view.
//   - Every text exists in every language.
//   - The match ends.
//
// A failure prints its seed and the journal so far. To run the failed match again, use the
// flag -seed=N.
func Promises(t *testing.T, game engine.Game, setups ...engine.Setup) {
	t.Helper()
	PromisesIn(t, allMatches, game, setups...)
}

// PromisesIn is like Promises, but takes the number of matches for all setups together. A game
// with long matches needs a smaller number. If a nightly run counts matches, or if Brief returns
// true, the given number is ignored.
func PromisesIn(t *testing.T, total uint64, game engine.Game, setups ...engine.Setup) {
	t.Helper()
	info := game.Info()
	t.Run("info", func(t *testing.T) { checkInfo(t, info) })
	if len(setups) == 0 {
		setups = []engine.Setup{{Seats: Seats(info.MinSeats)}, {Seats: Seats(info.MaxSeats)}}
	}
	n, first := uint64(len(setups)), uint64(Count("seed", 1))
	thorough, each := max(2, thoroughMatches/n), (total+n-1)/n
	switch {
	case matches() > 0:
		each = max(thorough, (matches()+n-1)/n)
	case Brief():
		setups, thorough, each = setups[:1], 1, 1
	case !Nightly():
		thorough, each = max(1, thorough/16), max(1, each/16)
	}
	for i, setup := range setups {
		t.Run(fmt.Sprintf("setup-%d", i+1), func(t *testing.T) {
			if *seed > 0 {
				promise(t, game, setup, *seed, true)
				return
			}
			judged := 0
			for s := range each {
				judged += promise(t, game, setup, first+s, s < thorough)
			}
			t.Logf("everything was judged in %d positions", judged)
		})
	}
}

// A witness plays a match and checks it.
type witness struct {
	*table
	t          testing.TB
	info       engine.Info
	words      engine.Words
	seed       uint64
	views      []engine.View // at the beginning and after each input in force, without Seq
	seenLabels labelSet      // found in every language
	thorough   bool          // whether the expensive checks are made often in this match
	judging    *rand.Rand    // of judgeAll, so that a seed plays the same match without it
	judgeIn    int           // inputs until everything is judged
}

func (w *witness) checkInterval() int {
	if w.thorough {
		return 8
	}
	return 128
}

// promise plays a match and returns in how many positions everything was judged.
func promise(t testing.TB, game engine.Game, setup engine.Setup, seed uint64, thorough bool) (judged int) {
	t.Helper()
	table, err := sit(game, setup, rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		t.Fatalf("the match does not begin: %v", err)
	}
	w := &witness{table: table, t: t, info: game.Info(), words: table.match.Words(), seed: seed, seenLabels: labelSet{},
		thorough: thorough, judging: rand.New(rand.NewPCG(seed, 7))}
	w.judgeIn = w.judging.IntN(8 << w.judging.IntN(5))
	w.views = []engine.View{w.look()}
	for !w.isOver() {
		if len(w.views) > maxInputs {
			w.fail("the match is not over after %d inputs", maxInputs)
		}
		sides := 20
		if !w.thorough {
			sides = 100
		}
		switch n := w.chance.IntN(sides); {
		case n == 0:
			w.backAndForth()
		case n < 4:
			w.mischief(w.nonsense())
		case n < 6:
			w.everyPrompt()
		}
		if w.judgeNow() {
			w.judgeAll()
			judged++
		}
		w.step()
	}
	w.backAndForth()
	w.judgeAll()
	w.mischief(w.nonsense())
	w.replay(game)
	return judged + 1
}

func (w *witness) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("seed %d: %s\nafter %d inputs:\n%s", w.seed, fmt.Sprintf(format, args...), len(w.journal), w.inputs())
}

// look fails the test if the view has a problem, and returns the view without its Seq.
func (w *witness) look() engine.View {
	w.t.Helper()
	v := *w.view()
	problems := slices.Concat(ViewProblems(v), w.seenLabels.findProblems(w.words, v), w.cardProblems(&v))
	if len(w.views)%w.checkInterval() == 0 || len(v.Winners) > 0 {
		problems = slices.Concat(problems, matchProblems(w.match, v), titleProblems(w.words, v))
	}
	for _, problem := range problems {
		w.fail("%s", problem)
	}
	return numberless(v)
}

func numberless(v engine.View) engine.View {
	v.Seq = 0
	return v
}

// step plays one answer and checks everything. An answer may be refused, for example a hidden
// card, but must then change nothing.
func (w *witness) step() {
	w.t.Helper()
	all := w.realAnswers()
	w.chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, in := range all {
		if step, ok := w.try(in); ok {
			if err := w.dealer.Follow(step); err != nil {
				w.fail("%q: %v", in.Command(), err)
			}
			w.views = append(w.views, w.look())
			return
		}
	}
	w.fail("the match is not over, and none of %d answers to %d prompts is accepted", len(all), len(w.view().Prompts))
}

// try applies an input and reports whether it was accepted. A refusal must have a reason and
// must change nothing. Any other error is a bug.
func (w *witness) try(in engine.Input) (engine.Step, bool) {
	w.t.Helper()
	seq := w.match.Seq()
	step, err := w.apply(in)
	if err == nil {
		for _, problem := range eventProblems(w.words, w.view().Names(), step.Events) {
			w.fail("%q: %s", in.Command(), problem)
		}
		return step, true
	}
	refusal, ok := engine.AsRefusal(err)
	if !ok {
		w.fail("%q fails, which is a bug: %v", in.Command(), err)
	}
	after := *w.view()
	for _, problem := range sayProblems(w.words, refusal.Text, after.Names()) {
		w.fail("%q is refused: %s", in.Command(), problem)
	}
	if was, now := w.views[len(w.views)-1], numberless(after); !reflect.DeepEqual(now, was) || w.match.Seq() != seq {
		w.fail("%q was refused and yet changed the view\nfrom %s\nto   %s", in.Command(), mustJSON(was), mustJSON(now))
	}
	return engine.Step{}, false
}

// takeBack undoes the last input and checks that the view is as it was before. The dealer did
// not follow this input. In a failure, label names the input.
func (w *witness) takeBack(label string) {
	w.t.Helper()
	if _, ok := w.try(engine.Input{Seat: engine.Table, Verb: engine.Undo}); !ok {
		w.fail("%s cannot be undone", label)
	}
	if now, was := numberless(*w.view()), w.views[len(w.views)-1]; !reflect.DeepEqual(now, was) {
		w.fail("undo of %s does not lead back\nto  %s\nbut %s", label, mustJSON(was), mustJSON(now))
	}
}

// everyPrompt looks for an accepted answer to each prompt, and undoes the answer. If a prompt
// has no such answer, the test fails.
func (w *witness) everyPrompt() {
	w.t.Helper()
	v := w.view()
	for _, p := range v.Prompts {
		all := w.listAnswers(v, p)
		found := slices.ContainsFunc(all, func(in engine.Input) bool {
			_, ok := w.try(in)
			if ok {
				w.takeBack(in.Command())
			}
			return ok
		})
		if !found {
			w.fail("prompt %s of %s: none of its %d answers is accepted: %s", p.Key, p.Seat, len(all), mustJSON(p))
		}
	}
}

// mischief applies an input that players should not give. If the input is refused, the key
// "yes" follows. The key confirms the input if its refusal had Override. An accepted input is
// undone again, because the dealer did not follow it.
func (w *witness) mischief(in engine.Input) {
	w.t.Helper()
	for range 2 {
		if _, ok := w.try(in); ok {
			if in.Verb != engine.Undo && in.Verb != engine.Redo {
				w.takeBack(in.Command())
			}
			return
		}
		in = engine.Input{Seat: in.Seat, Verb: engine.Key, Args: []string{"yes"}}
	}
}

// nonsense returns a random input: wrong seats, impossible cards, verbs that do
// not exist.
func (w *witness) nonsense() engine.Input {
	pick := func(list []string) string { return list[w.chance.IntN(len(list))] }
	seats := []string{"table", "nobody"}
	for _, p := range w.match.Setup().Seats {
		seats = append(seats, string(p.Seat), string(p.Seat))
	}
	cards := []string{"no-such-card", "no-such-card.1", ".", "x.-1"}
	for range min(8, len(w.info.Cards)) {
		cards = append(cards, fmt.Sprintf("%s.%d", pick(w.info.Cards), w.chance.IntN(4)), pick(w.info.Cards))
	}
	words := []string{"0", "1", "-7", "+100000", "99999999999999999999", "left", "plus", "yes", "", "?", "ÿ",
		engine.Anyway}
	v := w.view()
	var answers []engine.Input
	for _, p := range v.Prompts {
		for _, o := range p.Options {
			if in, err := engine.ParseInput(o.Input); err == nil {
				answers = append(answers, in)
				words = append(words, in.Args...)
			}
		}
	}
	in := engine.Input{Seat: engine.Seat(pick(seats))}
	switch w.chance.IntN(8) {
	case 0:
		in.Verb, in.Args = engine.Tap, []string{pick(cards)}
	case 1:
		in.Verb, in.Args = engine.Lift, []string{pick(cards)}
	case 2:
		in.Verb, in.Args = engine.Key, []string{pick(engine.Keys)}
	case 3:
		in.Verb, in.Args = engine.Choose, []string{pick(slices.Concat(words, cards))}
	case 4:
		in.Verb = engine.Roll
		for range 1 + w.chance.IntN(3) {
			in.Args = append(in.Args, pick(words))
		}
	case 5:
		names := []string{"name", "turn", "round", "nothing", pick(cards)}
		for _, s := range v.Seats {
			for _, c := range s.Counters {
				names = append(names, c.Name)
			}
		}
		if v.Sheet != nil {
			for _, row := range v.Sheet.Rows {
				names = append(names, row.ID)
				for _, part := range row.Parts {
					names = append(names, part.ID)
				}
			}
		}
		in.Verb, in.Args = engine.Set, []string{pick(names), pick(slices.Concat(words, cards, seats))}
	case 6:
		in.Verb = engine.Verb(pick([]string{"dance", "", "undo ", "TAP"}))
	case 7: // parts of right answers, perhaps from a wrong seat
		if len(answers) > 0 {
			in.Verb, in.Args = answers[w.chance.IntN(len(answers))].Verb, answers[w.chance.IntN(len(answers))].Args
		}
	}
	return in
}

// backAndForth undoes a few inputs and redoes some of these inputs. After each undo or redo,
// the view must be the same as when the match was last at this point.
func (w *witness) backAndForth() {
	w.t.Helper()
	move := func(verb engine.Verb, depth int) {
		step, ok := w.try(engine.Input{Seat: engine.Table, Verb: verb})
		if !ok {
			w.fail("%s is refused", verb)
		}
		if err := w.dealer.Follow(step); err != nil {
			w.fail("%s: %v", verb, err)
		}
		if now := w.look(); !reflect.DeepEqual(now, w.views[depth]) {
			w.fail("%s leads to %s\nand not to %s", verb, mustJSON(now), mustJSON(w.views[depth]))
		}
	}
	depth := len(w.views) - 1
	back := w.chance.IntN(min(depth, 6) + 1)
	for i := range back {
		move(engine.Undo, depth-1-i)
	}
	forth := back
	if w.chance.IntN(4) == 0 && back > 0 {
		forth = w.chance.IntN(back)
	}
	for i := range forth {
		move(engine.Redo, depth-back+1+i)
	}
	w.views = w.views[:depth-back+forth+1]
}

// replay writes the journal as the daemon does and reads it back. The journal that was read
// must lead to the same view.
func (w *witness) replay(game engine.Game) {
	w.t.Helper()
	var file strings.Builder
	head, sealer := w.match.Setup().SealedHead()
	file.WriteString(head)
	for _, in := range w.journal {
		file.WriteString(sealer.Seal(in.String()))
	}
	journal, err := engine.ParseJournal("journal", []byte(file.String()))
	if err != nil {
		w.fail("the written journal does not parse: %v", err)
	}
	again, err := engine.NewMatch(game, journal.Setup)
	if err != nil {
		w.fail("the written journal does not begin: %v", err)
	}
	for _, line := range journal.Lines {
		if _, err := again.Apply(line.Input); err != nil {
			w.fail("journal:%d: %q is not accepted again: %v", line.Number, line.Input.Command(), err)
		}
	}
	if live, replayed := mustJSON(w.view()), mustJSON(again.View()); live != replayed {
		w.fail("the journal leads to %s\nand not to %s", replayed, live)
	}
}
