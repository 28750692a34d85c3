package homeassistant

import (
	_ "embed"

	"tableside/engine"
)

//go:embed words.txt
var source string

func catalogue() engine.Words { return engine.MustWords("mqtt/homeassistant/words.txt", source) }
