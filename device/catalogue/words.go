package catalogue

import (
	_ "embed"

	"tableside/engine"
)

//go:embed words.txt
var words string

// Words returns the texts that a lesson prints.
func Words() engine.Words { return engine.MustWords("device/catalogue/words.txt", words) }
