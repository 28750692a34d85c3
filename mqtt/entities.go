package mqtt

import "cmp"

// tableSensors are read from the state. Home Assistant shows None as unknown,
// and holds no state longer than 255 characters.
var tableSensors = []struct{ key, icon, template, attributes string }{
	{"game", "mdi:gamepad-variant", "{{ value_json.title }}", ""},
	{"turn", "mdi:account-arrow-right", "{{ value_json.turn }}", ""},
	{"round", "mdi:counter", "{{ value_json.round or None }}", ""},
	{"phase", "mdi:progress-clock", "{{ value_json.labels['phase.' ~ value_json.phase] | default(value_json.phase) }}", ""},
	{"winners", "mdi:trophy", "{{ value_json.winners | join(', ') }}", ""},
	{"asked", "mdi:account-question", "{{ value_json.prompts[0].seat if value_json.prompts else None }}", ""},
	{
		"prompt", "mdi:comment-question-outline", "{{ value_json.prompts[0].text[:255] if value_json.prompts else None }}",
		"{{ ({'seat': value_json.prompts[0].seat, 'key': value_json.prompts[0].key, 'texts': value_json.prompts[0].options | map(attribute='text') | list, " +
			"'inputs': value_json.prompts[0].options | map(attribute='input') | list} if value_json.prompts else {}) | tojson }}",
	},
	{
		"dice", "mdi:dice-multiple", "{% for d in value_json.dice %}{{ value_json.labels['face.' ~ d.face] | default(d.face or '?') }}{{ '' if loop.last else ', ' }}" +
			"{% else %}{{ None }}{% endfor %}",
		"{{ {'dice': value_json.dice} | tojson }}",
	},
}

// tableButtons are keys that nobody in particular presses.
var tableButtons = []struct{ key, icon, input string }{
	{"undo", "mdi:undo", "table undo"},
	{"next", "mdi:skip-next", "table key next"},
	{"yes", "mdi:check", "table key yes"},
	{"no", "mdi:close", "table key no"},
	{"roll", "mdi:dice-multiple", "table key roll"},
}

// icons are those of the counters that docs/view.md names, of Material Design
// Icons.
var icons = map[string]string{
	"score": "mdi:trophy-outline", "power": "mdi:arm-flex", "life": "mdi:heart", "health": "mdi:heart-pulse",
	"mindbugs": "mdi:bug", "energy": "mdi:lightning-bolt", "genes": "mdi:dna",
	"attack-tokens": "mdi:sword", "defence-tokens": "mdi:shield", "hand": "mdi:cards", "deck": "mdi:cards-outline",
}

func icon(counter string) string { return cmp.Or(icons[counter], "mdi:counter") }
