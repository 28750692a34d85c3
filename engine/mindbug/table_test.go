package mindbug_test

import (
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mindbug"
)

// TestHiddenCards checks that a card is refused for its place only if it cannot lie there.
func TestHiddenCards(t *testing.T) {
	beliefs := []string{"refusal.card-elsewhere", "refusal.card-of", "refusal.card-hidden", "refusal.unknown-card",
		"refusal.no-such-copy"}
	games := mindbug.Games()
	enginetest.Hidden(t, beliefs, func(seed uint64) (engine.Game, engine.Setup) {
		all := mixes()
		return games[seed%uint64(len(games))], setup("sets", all[seed%uint64(len(all))])
	})
}

func FuzzApply(f *testing.F) {
	games := mindbug.Games()
	begin := func(b byte) (engine.Game, engine.Setup) {
		all := mixes()
		s := setup("sets", all[int(b)%len(all)], "mindbug", []string{"turn", "action"}[b&1], "cards",
			[]string{"on", "on", "on", "off"}[b>>1&3])
		if b>>3&1 == 0 {
			s.First = ""
		}
		return games[int(b>>4)%len(games)], s
	}
	enginetest.FuzzApply(f, begin, func(match *engine.Match, pick enginetest.Picker) []string {
		if pick("card", "card", "counter") == "counter" {
			return []string{pick("hand", "deck", "life", "mindbugs", "energy"), pick("0", "1", "2", "5", "12")}
		}
		card := pick(match.Game().Info().Cards...) + pick(".1", ".2")
		set := []string{card, pick("hand", "deck", "play", "play", "discard", "unused", "revealed", "stage", "under")}
		if set[1] == "under" {
			return append(set, pick(match.Game().Info().Cards...)+pick(".1", ".2"))
		}
		if pick("upright", "upright", "upright", "tilted") == "tilted" {
			set = append(set, "tilted")
		}
		return set
	})
}
