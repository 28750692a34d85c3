//go:build !race

package pn532_test

// raced reports whether the race detector is on.
const raced = false
