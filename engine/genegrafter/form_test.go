package genegrafter

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/cardgame"
	"tableside/engine/enginetest"
)

// TestForms plays matches of a box that nobody has entered, with answers one by one and
// with forms, and counts the prompts for what is printed on cards.
func TestForms(t *testing.T) {
	g := Games()[1]
	setup := engine.Setup{Game: g.Info().Name, Seats: enginetest.Seats(3), Options: map[string]string{"guide": "off"}}
	asked := func(forms bool) (n, all int) {
		for seed := range uint64(3) {
			count, err := enginetest.Prompts(g, setup, rand.New(rand.NewPCG(seed, 16)), forms)
			if err != nil {
				t.Fatal(err)
			}
			for key, times := range count {
				all += times
				if strings.HasPrefix(key, "ask-") || strings.HasPrefix(key, "what") || key == "by-hand" || key == "form" {
					n += times
				}
			}
			t.Log(forms, count)
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

// TestWhatIsPickedIsRead picks what cards of each type do by random answers: each sentence is read
// as it is written, and the card may do it.
func TestWhatIsPickedIsRead(t *testing.T) {
	chance := rand.New(rand.NewPCG(42, 5))
	seen := map[string]bool{}
	for kind := Character; kind < DNA; kind++ {
		for range 80 {
			var d cardgame.Desk[*card]
			var words string
			cardfile.Ask(&d, question{Seat: "red", Key: "what"}, doings()[kind],
				func(said string) { words = said }, func() { words = "?" })
			for words == "" {
				a := d.Question.Fixed[chance.IntN(len(d.Question.Fixed))]
				d.Question.Chosen(a)
				if err := d.Agenda.Run(func() bool { return false }); err != nil {
					t.Fatal(err)
				}
			}
			s, err := ParseStatement("", 1, "card anvil does "+words)
			if err == nil {
				err = checkStatement(&s, &Kind{ID: "anvil", Type: kind})
			}
			if err != nil || s.NoRow != nil {
				t.Errorf("%s: %s: %v, %v", typeNames[kind], words, err, s.NoRow)
			}
			seen[words] = true
		}
	}
	if len(seen) < 100 {
		t.Errorf("got only %d sentences", len(seen))
	}
}
