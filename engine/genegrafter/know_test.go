package genegrafter_test

import (
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
)

// TestHiddenCards checks that what is known of hidden cards never excludes the place
// where one is.
func TestHiddenCards(t *testing.T) {
	beliefs := []string{"refusal.card-elsewhere", "refusal.card-of", "refusal.card-hidden", "refusal.open-asked",
		"refusal.unknown-card", "refusal.no-such-copy"}
	enginetest.Hidden(t, beliefs, begin)
}

func begin(seed uint64) (engine.Game, engine.Setup) {
	games, all := genegrafter.Games(), setups()
	return games[seed%2], all[seed/2%uint64(len(all))]
}

func FuzzApply(f *testing.F) {
	enginetest.FuzzApply(f, func(b byte) (engine.Game, engine.Setup) { return begin(uint64(b)) }, correct)
}

// correct returns any correction, valid or not.
func correct(match *engine.Match, pick enginetest.Picker) []string {
	kind := pick(match.Game().Info().Cards...)
	card := kind + pick(".1", ".2")
	switch pick("card", "card", "host", "counter", "field") {
	case "card":
		set := []string{card, pick("hand", "deck", "play", "play", "pool", "discard", "dna", "aside", "battle")}
		if state := pick("", "", "", "wounded", "tired"); state != "" {
			set = append(set, state)
		}
		return set
	case "host":
		return []string{card, pick("on", "under"), pick(match.Game().Info().Cards...) + ".1"}
	case "counter":
		return []string{pick("hand", "deck", "health", "attack-tokens", "special", "red-1", "blue-1"),
			pick("0", "1", "2", "3", "6", "ready", "draw")}
	}
	return []string{kind, pick("kind", "attack", "power", "markers", "does", "place", "base", "copies"),
		pick("character", "gear", "event", "dna", "3", "?", "none", "mental", "luck", "head", "heal a character", "has luck")}
}
