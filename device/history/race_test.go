//go:build race

package history

// raced is whether the race detector watches: it makes the 500 matches of TestStats take
// minutes, so make test runs them without it.
const raced = true
