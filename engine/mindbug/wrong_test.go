package mindbug

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// TestWrongAnswers gives wrong answers at every prompt that random players of any boxes reach: each is refused for a
// reason, and nothing changes.
func TestWrongAnswers(t *testing.T) {
	chance := rand.New(rand.NewPCG(7, 7))
	games := Games()
	seen := map[string]bool{}
	for n := range 1500 {
		if len(seen) >= len(reachable()) && n > 60 {
			break
		}
		if !enginetest.Nightly() && n > 60 {
			return // not every prompt
		}
		g := games[n%len(games)]
		setup := mixed(t, g, chance)
		setup.Begin = time.Unix(0, 0)
		match, err := engine.NewMatch(g, setup)
		if err != nil {
			t.Fatal(err)
		}
		h := deal(match.State().(*state), chance)
		play := func(in engine.Input) {
			step, err := match.Apply(in)
			if err != nil {
				t.Fatalf("%q: %v", in.Command(), err)
			}
			for i := range step.Events {
				h.follow(&step.Events[i])
			}
		}
		if h.s.rules.cards && setup.First != "" {
			for _, in := range h.thickOfIt() {
				play(in)
			}
		}
		for !match.Over() {
			if key := h.s.Question.Key; !seen[key] {
				seen[key] = true
				for _, in := range h.wrong() {
					refused(t, match, in, key)
				}
				h.s = match.State().(*state) // the refusal replaced the state
			}
			in := h.answer()
			in.Args = slices.Clone(in.Args)
			play(in)
		}
	}
	seen["whose-discard"] = whoseDiscard(t)
	t.Logf("%d prompts", len(seen))
	if missing := slices.DeleteFunc(reachable(), func(key string) bool { return seen[key] }); len(missing) > 0 {
		t.Errorf("no match reached the prompts %v", missing)
	}
}

// whoseDiscard gives wrong answers at a prompt that random players hardly reach: for a card that may lie unnamed in
// either discard pile. It reports whether it reached it.
func whoseDiscard(t *testing.T) bool {
	g := Games()[0]
	match, err := engine.NewMatch(g, engine.Setup{Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}, First: "red",
		Begin:   time.Unix(0, 0),
		Options: map[string]string{"sets": "first-contact,beyond-eternity"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"blue set gorillion.1 play", "red set luchataur.1 play", "blue set hand 2",
		"blue set deck 0", "red set hand 3", "red set deck 0",
		"red tap ferret-bomber.1", "blue key no", "blue key next", "blue set hand 1", "blue tap ferret-bomber.2",
		"red key no", "red key next",
		"red set hand 1", "red tap water-antler.1", "blue key no", "red tap killer-bee.1"} {
		in, err := engine.ParseInput(line)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := match.Apply(in); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	h := &held{s: match.State().(*state), chance: rand.New(rand.NewPCG(8, 8))}
	key := h.s.Question.Key
	for _, in := range h.wrong() {
		refused(t, match, in, key)
	}
	return key == "whose-discard"
}

func reachable() []string {
	var keys []string
	for key := range engine.MustWords("words.txt", wordsFile) {
		if name, ok := strings.CutPrefix(key, "prompt."); ok && name != "free-other" && name != "free-count" &&
			!strings.HasPrefix(name, "set-up-") {
			keys = append(keys, name)
		}
	}
	return slices.Sorted(slices.Values(keys))
}

// refused checks that an input is refused and changes nothing.
func refused(t *testing.T, match *engine.Match, in engine.Input, key string) {
	t.Helper()
	before := match.View()
	_, err := match.Apply(in)
	if _, ok := engine.AsRefusal(err); !ok {
		t.Fatalf("prompt %s: %q is not refused: %v", key, in.Command(), err)
	}
	if after := match.View(); !reflect.DeepEqual(before, after) {
		t.Fatalf("prompt %s: %q is refused and changes the view", key, in.Command())
	}
}

// wrong returns inputs that the question does not accept.
func (h *held) wrong() []engine.Input {
	s, q := h.s, &h.s.Question
	seats := []engine.Seat{engine.Table, "red", "blue"}
	var list []engine.Input
	add := func(seat engine.Seat, verb engine.Verb, args ...string) {
		list = append(list, engine.Input{Seat: seat, Verb: verb, Args: args})
	}
	offered := map[string]bool{"yes": !s.rules.cards} // without cards yes may be a Mindbug
	if !s.Guide.Over() {
		offered["yes"], offered["no"] = true, true
	}
	for _, a := range q.Fixed {
		offered[a.Word] = true
	}
	some := "killer-bee.1"
	if len(s.Cards) > 0 {
		some = s.Cards[0].Name
	}
	for _, seat := range seats {
		add(seat, engine.Lift, some)
		add(seat, engine.Choose, "nothing")
		add(seat, engine.Tap, "nobody.1")
		add(seat, engine.Set, "life", "-1")
		add(seat, engine.Set, some, "nowhere")
		add(seat, engine.Set, some, "under", some)
		add(seat, engine.Roll, "growth-4")
		add(seat, engine.Roll, slices.Repeat([]string{"growth-1"}, q.Roll+1)...)
		for _, word := range []string{"left", "right", "next", "yes", "no"} {
			if !offered[word] {
				add(seat, engine.Key, word)
			}
		}
		for _, c := range s.Cards { // open cards that are not accepted
			if c.Open && (q.In&c.Where == 0 || !q.Takes(c)) {
				add(seat, engine.Tap, c.Name)
			}
		}
	}
	if p := s.playerAt(q.Seat); p != nil { // correct answers from the wrong player
		other := s.opponentOf(p).seat
		for _, a := range q.Fixed {
			if a.Word != "plus" && a.Word != "minus" { // these are anybody's at any time
				add(other, a.Verb, a.Word)
			}
		}
		h.cardsIn(q.In, func(c *card) { add(other, engine.Tap, c.Name) })
	}
	return list
}
