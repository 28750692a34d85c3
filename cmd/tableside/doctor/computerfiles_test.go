package doctor

import (
	"os"
	"path/filepath"
	"testing"
)

// wholeTable is a configuration with a bit of everything.
const wholeTable = "../config/testdata/table.toml"

// repository is the path of the repository's root.
const repository = "../../.."

func noEnv(string) string { return "" }

// piFive is the name of a Raspberry Pi 5 in its device tree.
const piFive = "Raspberry Pi 5 Model B Rev 1.0"

func writeFile(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
