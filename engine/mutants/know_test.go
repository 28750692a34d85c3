package mutants_test

import (
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mutants"
)

// TestHiddenCards checks that a card is refused for its place only if it cannot lie
// there.
func TestHiddenCards(t *testing.T) {
	beliefs := []string{
		"refusal.card-elsewhere", "refusal.not-yours", "refusal.card-of", "refusal.whose",
		"refusal.unknown-card", "refusal.no-such-copy", "refusal.not-deck-top", "refusal.tops-known",
	}
	enginetest.Hidden(t, beliefs, func(seed uint64) (engine.Game, engine.Setup) {
		return mutants.Games()[seed%2], setup(2+int(seed/2)%3, "spaces", []string{"7", "12", "20"}[seed%3])
	})
}

func FuzzApply(f *testing.F) {
	begin := func(b byte) (engine.Game, engine.Setup) {
		s := setup(2+int(b>>1&3)%3, "data", []string{"known", "stand-in"}[b>>3&1], "cards",
			[]string{"on", "on", "on", "off"}[b>>4&3])
		if b>>6&1 == 0 {
			s.First = ""
		}
		return mutants.Games()[b&1], s
	}
	enginetest.FuzzApply(f, begin, func(match *engine.Match, pick enginetest.Picker) []string {
		if pick("card", "card", "counter") == "counter" {
			return []string{pick("hand", "deck", "power", "score", "freeze-points", "round"), pick("0", "1", "2", "5", "12")}
		}
		basic := pick("zombie", "robot", "alien", "beast", "demon", "warrior") + pick(".1", ".2", ".4", ".8")
		card := pick(match.Game().Info().Cards...) + pick(".1", ".2", ".3")
		set := []string{pick(card, basic, basic), pick("hand", "deck", "left", "active", "right", "incubator", "discard",
			"freeze", "pool-1", "pool-2", "pool-3")}
		if pick("up", "up", "up", "face-down") == "face-down" {
			set = append(set, "face-down")
		}
		return set
	})
}
