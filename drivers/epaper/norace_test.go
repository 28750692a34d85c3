//go:build !race

package epaper_test

// raced reports whether the race detector is on.
const raced = false
