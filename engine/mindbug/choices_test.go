package mindbug_test

import (
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mindbug"
)

// TestChoices checks, with any mix of boxes, that every question has answers with
// different results.
func TestChoices(t *testing.T) {
	t.Parallel()
	for i, mix := range mixes() {
		t.Run(mix, func(t *testing.T) {
			enginetest.Choices(t, mindbug.Games()[0], sanctioned, setup("sets", mix, "mindbug", []string{"turn", "action"}[i%2]))
		})
	}
}

// sanctioned reports whether docs/rulings.md has a question asked nevertheless: the
// program never takes a turn and chooses no attacker, and only playing out different
// effects would show whether their results are the same.
func sanctioned(p engine.Prompt) bool {
	switch p.Key {
	case "must-hunt", "turn", "turn-action", "force-attack":
		return true
	case "order", "copy-play", "trigger-play":
		return !alike(p.Options)
	case "defeat": // a waiting effect may defeat what this one leaves
		return slices.Contains([]any{engine.CardWord("explosive-toad"), engine.CardWord("cosmic-joe"),
			engine.CardWord("tornado-dragon")}, p.Args["card"])
	}
	return false
}

func alike(all []engine.Answer) bool {
	kind := func(a engine.Answer) string {
		words := strings.Fields(a.Input)
		id, _ := engine.SplitCopy(words[len(words)-1])
		return id
	}
	return !slices.ContainsFunc(all, func(a engine.Answer) bool { return kind(a) != kind(all[0]) })
}
