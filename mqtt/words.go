package mqtt

import (
	_ "embed"

	"tableside/engine"
)

//go:embed words.txt
var source string

// Words is what this package says.
func Words() engine.Words { return engine.MustWords("mqtt/words.txt", source) }
