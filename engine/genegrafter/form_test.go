package genegrafter

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tableside/engine"
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
				if strings.HasPrefix(key, "ask-") || key == "by-hand" || key == "form" {
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
