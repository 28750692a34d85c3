package homeassistant

import "cmp"

// tableSensors lists the sensors whose states are in the summary, but for the dice. The key of a
// sensor is also its key in the summary.
var tableSensors = []struct{ key, icon string }{
	{"game", "mdi:gamepad-variant"},
	{"turn", "mdi:account-arrow-right"},
	{"round", "mdi:counter"},
	{"phase", "mdi:progress-clock"},
	{"winners", "mdi:trophy"},
	{"asked", "mdi:account-question"},
	{"prompt", "mdi:comment-question-outline"},
}

// tableKeys lists the keys, but for roll, for which Home Assistant gets a button of the table, not of
// a seat.
var tableKeys = []string{"undo", "next", "yes", "no"}

// keyIcons maps each key in engine.Keys to the name of its icon, one of the Material Design
// Icons.
var keyIcons = map[string]string{
	"yes": "mdi:check", "no": "mdi:close", "left": "mdi:arrow-left", "right": "mdi:arrow-right", "plus": "mdi:plus",
	"minus": "mdi:minus",
	"next":  "mdi:skip-next", "roll": "mdi:dice-multiple", "undo": "mdi:undo",
}

// counterIcons holds the icons of the counters that docs/view.md names.
var counterIcons = map[string]string{
	"score": "mdi:trophy-outline", "power": "mdi:arm-flex", "life": "mdi:heart", "health": "mdi:heart-pulse",
	"mindbugs": "mdi:bug", "energy": "mdi:lightning-bolt", "genes": "mdi:dna",
	"attack-tokens": "mdi:sword", "defence-tokens": "mdi:shield", "hand": "mdi:cards", "deck": "mdi:cards-outline",
}

func icon(counter string) string { return cmp.Or(counterIcons[counter], "mdi:counter") }

// uncharted lists the counters for which Home Assistant keeps no statistics. These counters
// count cards, and nobody wants charts of such numbers over months.
var uncharted = map[string]bool{"hand": true, "deck": true, "energy-deck": true, "unused": true}
