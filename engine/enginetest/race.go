//go:build race

package enginetest

// raceEnabled reports whether the race detector is on.
const raceEnabled = true
