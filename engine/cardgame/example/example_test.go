package example

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

func TestPromises(t *testing.T) {
	enginetest.PromisesIn(t, 60, newGame(), engine.Setup{Seats: enginetest.Seats(2)},
		engine.Setup{Seats: enginetest.Seats(3)}, engine.Setup{Seats: enginetest.Seats(4), First: "yellow"})
}

func TestScripts(t *testing.T) {
	enginetest.RunScripts(t, []engine.Game{newGame()}, "testdata/*.txt")
}

func TestChoices(t *testing.T) {
	onlyDig := func(p engine.Prompt) bool { return p.Key == "turn" } // digging may be the only answer
	enginetest.Choices(t, newGame(), onlyDig, engine.Setup{Seats: enginetest.Seats(3)})
}

func TestPromptsAreShort(t *testing.T) { enginetest.ShortPrompts(t, newGame(), "shell") }

// TestHiddenCards checks that the beliefs about hidden cards never exclude the
// true places.
func TestHiddenCards(t *testing.T) {
	beliefs := []string{"refusal.card-elsewhere", "refusal.card-of", "refusal.card-hidden", "refusal.open-asked"}
	enginetest.Hidden(t, beliefs, begin)
}

// TestViewsHideHands checks that no view names a card that lies in a hand or in
// the sea, not even one that was seen before it got there.
func TestViewsHideHands(t *testing.T) {
	game, setup := begin(1)
	played, err := enginetest.Play(game, setup, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	again, err := engine.NewMatch(game, setup)
	if err != nil {
		t.Fatal(err)
	}
	dealer := engine.NewDealer(again.State(), rand.New(rand.NewPCG(1, 1))) // the same chance deals the same cards
	for _, in := range played.Inputs() {
		step, err := again.Apply(in)
		if err == nil {
			err = dealer.Follow(step)
		}
		if err != nil {
			t.Fatal(err)
		}
		view, err := json.Marshal(again.View())
		if err != nil {
			t.Fatal(err)
		}
		for _, pile := range dealer.Piles() {
			for _, card := range pile.Cards {
				kind, copy := engine.SplitCopy(card)
				shown := bytes.Contains(view, fmt.Appendf(nil, `"card":%q,"copy":%d`, kind, copy))
				offered := bytes.Contains(view, []byte(" "+card+`"`))
				if open := strings.HasSuffix(pile.Place, "/basket") || pile.Place == "away"; shown != open || offered && !open {
					t.Fatalf("after %q %s lies in %s: shown %v, offered %v", in.Command(), card, pile.Place, shown, offered)
				}
			}
		}
	}
}

// TestPage checks that all code in docs/writing-a-card-game.md is the code of
// this game.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/writing-a-card-game.md")
	if err != nil {
		t.Fatal(err)
	}
	code := ""
	for _, file := range []string{"game_test.go", "rules_test.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code += string(text)
	}
	blocks := strings.Split(string(page), "```go\n")[1:]
	for _, block := range blocks {
		if block, _, _ = strings.Cut(block, "```"); !strings.Contains(code, block) {
			t.Errorf("the game has no such lines:\n%s", block)
		}
	}
	if len(blocks) < 15 {
		t.Errorf("the page shows %d pieces of code", len(blocks))
	}
}

func begin(seed uint64) (engine.Game, engine.Setup) {
	return newGame(), engine.Setup{Seats: enginetest.Seats(2 + int(seed%3))}
}

func FuzzApply(f *testing.F) {
	enginetest.FuzzApply(f, func(b byte) (engine.Game, engine.Setup) { return begin(uint64(b)) }, correct)
}

func correct(match *engine.Match, pick enginetest.Picker) []string {
	card := pick(match.Game().Info().Cards...) + pick(".1", ".2")
	return []string{pick(card, card, "hand", "sea"), pick("hand", "basket", "sea", "away", "0", "1", "7", "-1", "33")}
}
