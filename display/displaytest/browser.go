package displaytest

import (
	"os/exec"

	"tableside/engine/enginetest"
)

// Browser returns the path of a browser, or an error if none is installed. It prefers
// Chromium's headless shell. The shell is the same engine without windows, and needs a quarter
// less processor time for the tests of the page.
//
// In "make nightly", Browser does not return the shell. Then the tests run in the browser that
// people have.
func Browser() (path string, err error) {
	names := []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}
	if enginetest.Nightly() {
		names = names[1:]
	}
	for _, name := range names {
		if path, err = exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", err
}
