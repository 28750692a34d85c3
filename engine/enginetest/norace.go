//go:build !race

package enginetest

// raced reports whether the race detector watches.
const raced = false
