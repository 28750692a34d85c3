package enginetest

import (
	"os"
	"strings"
	"testing"
)

// Golden compares a text with a file and reports the first line that differs. With the flag
// -update, Golden writes the file instead.
func Golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("%s:%d: got %q, want %q; run with -update to accept", file, i+1, g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%s: got %d lines, want %d; run with -update to accept", file, len(g), len(w))
	}
}

// Updating reports whether the test was run with -update. It is for tests that compare golden
// files of their own.
func Updating() bool { return *update }
