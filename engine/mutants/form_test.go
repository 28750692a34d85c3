package mutants

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// TestForms plays matches with the real box, most of which nobody has entered, with
// answers one by one and with forms: no form is asked for twice, and once a card is
// entered nothing about it is asked by hand.
func TestForms(t *testing.T) {
	g := Games()[1]
	setup := engine.Setup{Game: g.Info().Name, Seats: enginetest.Seats(2),
		Options: map[string]string{"spaces": "12", "red-zone": "3", "rounds": "3/1,4/2,5/3,6/3,8/4"}}
	asked := func(forms bool) (n, all int) {
		for seed := range uint64(4) {
			count, err := enginetest.Prompts(g, setup, rand.New(rand.NewPCG(seed, 16)), forms)
			if err != nil {
				t.Fatal(err)
			}
			for key, times := range count {
				all += times
				if strings.HasPrefix(key, "by-hand-") || key == "freeze-value" || key == "form" {
					n += times
				}
			}
		}
		return n, all
	}
	before, allBefore := asked(false)
	after, allAfter := asked(true)
	t.Logf("one by one %d of %d answers, with forms %d of %d", before, allBefore, after, allAfter)
	if after*allBefore*2 > before*allAfter { // of all answers: matches differ in length
		t.Errorf("got %d of %d answers about cards with forms, %d of %d without", after, allAfter, before, allBefore)
	}
}

// TestFormIsAskedOnce enters all of a card where its leave ability is first asked for: the
// ability resolves as entered, the owner's file gets each line, and undo asks again. What
// cannot be read is refused, in the players' language, and changes nothing.
func TestFormIsAskedOnce(t *testing.T) {
	m := untilForm(t, "by-hand-leave")
	form := m.View().Prompts[0].Form
	id := form.Card
	set := func(values string) (engine.Step, error) {
		in, err := engine.ParseInput(form.Input + " " + strconv.Quote(values))
		if err != nil {
			t.Fatal(err)
		}
		return m.Apply(in)
	}
	for values, why := range map[string]string{
		"freeze 2 | leave jump around": `"jump" ne convient pas ici ; phrases proches`,
		"kind basic":                   "déjà connu",
	} {
		_, err := set(values)
		refusal, ok := engine.AsRefusal(err)
		if !ok || !strings.Contains(m.Words().Say(engine.French, refusal.Text, nil), why) {
			t.Errorf("%s: got %v", values, err)
		}
		if again := m.View().Prompts[0].Form; again == nil || len(again.Fields) != len(form.Fields) {
			t.Errorf("%s: the form is now %+v", values, again)
		}
	}
	step, err := set("freeze 2 | leave gain 2 power")
	if err != nil {
		t.Fatal(err)
	}
	var learned []string
	for _, e := range step.Events {
		if e.Define != "" {
			learned = append(learned, e.Define)
		}
	}
	want := []string{"card " + id + " freeze 2", "card " + id + " leave gain 2 power"}
	if !slices.Equal(learned, want) {
		t.Errorf("learned %q, want %q", learned, want)
	}
	if v := m.View(); v.Prompts[0].Key == "by-hand-leave" && v.Prompts[0].Args["card"] == engine.CardWord(id) {
		t.Errorf("%s is asked for again: %+v", id, v.Prompts[0])
	}
	if defines := m.Learned(); !slices.Equal(defines[len(defines)-2:], want) {
		t.Errorf("got %q, %v", defines, err)
	}
	if _, err := m.Apply(engine.Input{Seat: engine.Table, Verb: engine.Undo}); err != nil {
		t.Fatal(err)
	}
	if again := m.View().Prompts[0].Form; again == nil || again.Card != id || len(again.Fields) != len(form.Fields) {
		t.Errorf("after undo the form is %+v", again)
	}
}

// untilForm plays a match with random players until a prompt has a form.
func untilForm(t *testing.T, key string) *engine.Match {
	t.Helper()
	g := Games()[1]
	setup := engine.Setup{Game: g.Info().Name, Seats: enginetest.Seats(2), First: "red",
		Options: map[string]string{"spaces": "12", "red-zone": "3", "rounds": "3/1,4/2,5/3,6/3,8/4"}}
	whole, err := enginetest.Play(g, setup, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.NewMatch(g, whole.Setup())
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range whole.Inputs() {
		if p := m.View().Prompts; len(p) > 0 && p[0].Key == key && p[0].Form != nil {
			return m
		}
		if _, err := m.Apply(in); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatalf("no prompt %s has a form", key)
	return nil
}
