package doctor

import (
	"os"
	"path/filepath"
	"testing"
)

// wholeTable is a configuration with a bit of everything.
const wholeTable = "../config/testdata/table.toml"

// repository is seen from this folder.
const repository = "../../.."

func noEnv(string) string { return "" }

// piFive is a Raspberry Pi 5 as its device tree names it.
const piFive = "Raspberry Pi 5 Model B Rev 1.0"

// put writes a file of a computer that is looked at below another root.
func put(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
