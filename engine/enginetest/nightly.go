package enginetest

import (
	"os"
	"strconv"
	"strings"
)

// nightly is the variable that "make nightly" sets. It holds counts for long runs, such as
// "kills=200 steps=2000".
const nightly = "TABLESIDE_NIGHTLY"

// Nightly reports whether everything is tested, however long it takes.
func Nightly() bool { return os.Getenv(nightly) != "" }

// Count returns the count that the nightly run sets by this name, otherwise the usual one.
func Count(name string, usual int) int {
	for field := range strings.FieldsSeq(os.Getenv(nightly)) {
		if text, found := strings.CutPrefix(field, name+"="); found {
			if n, err := strconv.Atoi(text); err == nil {
				return n
			}
			panic(nightly + ": " + field + " is no count")
		}
	}
	return usual
}

// matches is how many random matches of each game a nightly run plays, over all its setups; 0 is
// the usual number.
func matches() uint64 { return uint64(Count("matches", 0)) }
