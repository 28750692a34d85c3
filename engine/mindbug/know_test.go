package mindbug_test

import (
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mindbug"
)

// TestHiddenCards: a card is refused for where it lies only if it cannot lie
// there.
func TestHiddenCards(t *testing.T) {
	beliefs := []string{"refusal.card-elsewhere", "refusal.card-of", "refusal.card-hidden", "refusal.unknown-card", "refusal.no-such-copy"}
	games := mindbug.Games()
	enginetest.Hidden(t, beliefs, func(seed uint64) (engine.Game, engine.Setup) {
		return games[seed%uint64(len(games))], setup()
	})
}

func FuzzApply(f *testing.F) {
	games := mindbug.Games()
	begin := func(b byte) (engine.Game, engine.Setup) {
		s := setup("mindbug", []string{"turn", "action"}[b>>3&1], "cards", []string{"on", "on", "on", "off"}[b>>4&3])
		if b>>6&1 == 0 {
			s.First = ""
		}
		return games[int(b&7)%len(games)], s
	}
	enginetest.FuzzApply(f, begin, func(match *engine.Match, pick enginetest.Picker) []string {
		if pick("card", "card", "counter") == "counter" {
			return []string{pick("hand", "deck", "life", "mindbugs", "energy"), pick("0", "1", "2", "5", "12")}
		}
		card := pick(match.Game().Info().Cards...) + pick(".1", ".2")
		set := []string{card, pick("hand", "deck", "play", "play", "discard", "unused", "revealed", "stage")}
		if pick("upright", "upright", "upright", "tilted") == "tilted" {
			set = append(set, "tilted")
		}
		return set
	})
}
