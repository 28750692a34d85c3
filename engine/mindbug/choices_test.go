package mindbug_test

import (
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mindbug"
)

// TestChoices: nobody is asked what makes no difference, whatever boxes are
// mixed.
func TestChoices(t *testing.T) {
	t.Parallel()
	for i, mix := range mixes() {
		t.Run(mix, func(t *testing.T) {
			enginetest.Choices(t, mindbug.Games()[0], sanctioned, setup("sets", mix, "mindbug", []string{"turn", "action"}[i%2]))
		})
	}
}

// sanctioned are the questions that docs/rulings.md has asked all the same:
// a turn is never taken by the program, and no attacker chosen; and whether
// different effects come to the same end only playing them out would tell.
func sanctioned(p engine.Prompt) bool {
	switch p.Key {
	case "must-hunt", "turn", "turn-action", "force-attack":
		return true
	case "order", "copy-play", "trigger-play":
		return !alike(p.Options)
	case "defeat": // what one leaves, another that waits may defeat
		return slices.Contains([]any{engine.CardWord("explosive-toad"), engine.CardWord("cosmic-joe"), engine.CardWord("tornado-dragon")}, p.Args["card"])
	}
	return false
}

// alike reports whether all answers are a tap of cards of one kind.
func alike(all []engine.Answer) bool {
	kind := func(a engine.Answer) string {
		words := strings.Fields(a.Input)
		id, _ := engine.SplitCopy(words[len(words)-1])
		return id
	}
	return !slices.ContainsFunc(all, func(a engine.Answer) bool { return kind(a) != kind(all[0]) })
}
