package displaytest

import "tableside/engine"

// Genegrafter returns a frame of a battle of four players in their last turns. One player is
// out and one has already had the last turn.
func Genegrafter(lang engine.Lang) engine.Frame {
	fighter := func(en, fr string, attack, defence int, state ...string) engine.Card {
		return engine.Card{Kind: "c", Copy: 1, Name: inLang(lang, en, fr), State: state,
			Counters: counters("attack", attack, "defence", defence, "genes", 1), Keywords: []string{"physical"}}
	}
	down := engine.Card{State: []string{"face-down"}}
	numbers := func(health, genes, hand int) engine.Counters {
		return counters("health", health, "genes", genes, "attack-tokens", 3, "defence-tokens", 1, "hand", hand)
	}
	red := seat("red", 0, "Alice", numbers(4, 3, 2),
		zone("play", fighter("Nightshade", "Belladone", 3, 1, "attacking"),
			fighter("Cinder", "Escarbille", 2, 1, "wounded", "has-attacked")), zone("battle", down, down))
	blue := seat("blue", 1, "Max", numbers(6, 5, 1),
		zone("play", fighter("Bulwark", "Rempart", 1, 5, "defending", "wounded")), zone("battle", down))
	yellow := seat("yellow", 2, "Zoé", numbers(2, 4, 7),
		zone("play", fighter("Storm Caller", "Appel-tempête", 2, 2, "tired")))
	green := seat("green", 3, "John O'Hara", counters("health", 0, "genes", 0, "attack-tokens", 0, "defence-tokens", 0,
		"hand", 0))
	red.State, blue.State, green.State = []string{"last-turn"}, []string{"one-more-turn"}, []string{"out"}
	strand := card(inLang(lang, "DNA strand", "Chaîne d'ADN"))
	return frame(lang, engine.View{
		Game: "genegrafter/standard", Title: "Genegrafter", Phase: "battle", Turn: "red", First: "yellow",
		Seats:    []engine.SeatView{red, blue, yellow, green},
		Zones:    engine.Zones{zone("dna", strand, strand, strand)},
		Counters: counters("deck", 13), Notices: []string{"last-turns", "stand-in-cards"},
		Prompts: []engine.Prompt{{Seat: "blue", Key: "battle-card",
			Text: inLang(lang, "Lay a card face down, use a token, or finish",
				"Posez une carte face cachée ou un marqueur, ou finissez"),
			Options: []engine.Answer{
				{Key: "face-down", Text: inLang(lang, "Lay a card face down", "Poser une carte face cachée"),
					Input: "blue key plus"},
				{Key: "defence-token", Text: inLang(lang, "Defence token (1 left)", "Marqueur de défense (reste 1)"),
					Input: "blue choose defence-token"},
				{Key: "done", Text: inLang(lang, "Finish", "Finir"), Input: "blue key next"}}}},
	})
}
