package mqtt

import (
	_ "embed"

	"tableside/engine"
)

//go:embed words.txt
var source string

// Words returns the catalogue of the texts in words.txt.
func Words() engine.Words { return engine.MustWords("mqtt/words.txt", source) }
