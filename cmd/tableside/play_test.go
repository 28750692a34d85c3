package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// TestPlay plays Mutants on the page as people do, with cards tapped on the simulated
// readers, and then checks that the replay of the journal ends with the view of the
// page.
func TestPlay(t *testing.T) {
	steps := enginetest.Count("steps", 120)
	p := startDemo(t, "--game", "mutants/second-edition", "--seats", "red=Alice,blue=Max")
	chance := rand.New(rand.NewPCG(1, 2))
	taps, accepted, matches := 0, 0, 0
	for range steps {
		v, err := p.view()
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Winners) > 0 {
			p.checkReplay()
			matches++
			if _, err := p.input("table choose rematch"); err != nil {
				t.Fatal(err)
			}
			continue
		}
		tapped, err := p.step(v, chance)
		if err != nil {
			t.Fatal(err)
		}
		after, err := p.view()
		if err != nil {
			t.Fatal(err)
		}
		if tapped {
			taps++
		}
		if after.Seq > v.Seq {
			accepted++
		}
	}
	t.Logf("%d of %d steps were accepted, %d were taps, %d matches came to their end", accepted, steps, taps, matches)
	if accepted < steps/2 || taps == 0 {
		t.Error("hardly anything could be played")
	}
	p.checkReplay()
	p.interrupt()
}

// step gives one of the answers of the prompts; where that is any card of a pile, it
// taps a card that lies there.
func (p *process) step(v engine.View, chance *rand.Rand) (tapped bool, err error) {
	prompt := v.Prompts[0]
	answer := prompt.Options[chance.IntN(len(prompt.Options))]
	if answer.Zone == "" {
		_, err := p.input(answer.Input)
		return false, err
	}
	body, err := p.get("/api/piles")
	if err != nil {
		return false, err
	}
	var piles []struct {
		Place string
		Cards []struct{ ID string }
	}
	if err := json.Unmarshal(body, &piles); err != nil {
		return false, err
	}
	for _, pile := range piles {
		if pile.Place != answer.Zone || len(pile.Cards) == 0 {
			continue
		}
		card := pile.Cards[0].ID
		if strings.HasSuffix(pile.Place, "/hand") {
			card = pile.Cards[chance.IntN(len(pile.Cards))].ID
		}
		return true, p.tap(answer.Input, card)
	}
	return false, fmt.Errorf("no card lies at %s", answer.Zone)
}

// tap lays a card on the reader of the seat that "red tap" names.
func (p *process) tap(input, card string) error {
	place, verb, _ := strings.Cut(input, " ")
	if verb != "tap" {
		_, err := p.input(input + " " + card)
		return err
	}
	answer, err := http.PostForm(p.page+"/api/tap", url.Values{"place": {place}, "tag": {card}})
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusAccepted {
		return fmt.Errorf("tap %s on %s: %s", card, place, answer.Status)
	}
	return nil
}

// checkReplay compares the page's view with a replay of its journal.
func (p *process) checkReplay() {
	p.t.Helper()
	journal, err := p.get("/api/journal")
	if err != nil {
		p.t.Fatal(err)
	}
	file := filepath.Join(p.t.TempDir(), "match.journal")
	if err := os.WriteFile(file, journal, 0o644); err != nil {
		p.t.Fatal(err)
	}
	shown, err := p.view()
	if err != nil {
		p.t.Fatal(err)
	}
	code, out, errs := speak(p.t.(*testing.T), "", "replay", file, "--strict", "--json")
	if code != exitDone {
		p.t.Fatalf("replay: %s\n%s", errs, journal)
	}
	var replayed engine.View
	if err := json.Unmarshal([]byte(out), &replayed); err != nil {
		p.t.Fatal(err)
	}
	// The table's own prompts, before and after a match, are not part of it.
	shown.Prompts = slices.DeleteFunc(shown.Prompts,
		func(p engine.Prompt) bool { return strings.HasPrefix(p.Key, "lobby-") })
	replayed.Table = shown.Table
	if a, b := asJSON(shown), asJSON(replayed); a != b {
		p.t.Errorf("the page shows\n%s\nand the journal leads to\n%s", a, b)
	}
}

func asJSON(v engine.View) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
