package config

import (
	_ "embed"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExamples tests that the files in docs/examples load as they are.
func TestExamples(t *testing.T) {
	examples, err := filepath.Glob(filepath.Join(repo, "docs", "examples", "*.toml"))
	if err != nil || len(examples) < 4 {
		t.Fatalf("%d examples, %v", len(examples), err)
	}
	for _, file := range append(examples, filepath.Join(repo, "systemd", "tableside.toml")) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := load(string(source)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if line := firmwareComment.Find(source); line != nil {
			t.Errorf("%s: the firmware takes the comment for a part of the setting: %s", file, line)
		}
	}
}

// firmwareComment matches a setting of config.txt with a comment behind it.
var firmwareComment = regexp.MustCompile(`(?m)^#   [a-z_]+=\S+[ \t]+#.*`)

// TestExamplesOfWLED tests that the sections for a WLED in comments and pages load,
// too.
func TestExamplesOfWLED(t *testing.T) {
	for _, file := range []string{"docs/configuration.md", "docs/examples/lights-only.toml", "systemd/tableside.toml"} {
		source, err := os.ReadFile(filepath.Join(repo, file))
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.ReplaceAll(string(source), "\n#", "\n")
		begin := strings.Index(plain, "[lights]\nchip = \"wled\"\n")
		if begin < 0 {
			t.Errorf("%s shows no WLED", file)
			continue
		}
		section, _, _ := strings.Cut(plain[begin:], "```")
		if c, err := load(section); err != nil || c.Lights.Host != "wled-table.local" || c.Lights.Count != 60 {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestExamplesDoNotConflict tests that no two parts of an example claim the same pin, on
// each model that the example is drawn for.
func TestExamplesDoNotConflict(t *testing.T) {
	const zero2, four, five = "Raspberry Pi Zero 2 W Rev 1.0", "Raspberry Pi 4 Model B Rev 1.5",
		"Raspberry Pi 5 Model B Rev 1.0"
	for example, models := range map[string][]string{
		"four-seats": {four, five, "Raspberry Pi 500 Rev 1.0"}, "two-seats": {zero2, four, five},
		"one-reader": {zero2, four, five}, "lights-only": {zero2, four, five},
	} {
		for _, on := range models {
			source, err := os.ReadFile(filepath.Join(repo, "docs", "examples", example+".toml"))
			if err != nil {
				t.Fatal(err)
			}
			c := New(func(string) string { return "" })
			c.Pi5 = IsPi5(on)
			if err := c.read(example, string(source)); err != nil {
				t.Errorf("%s on a %s: %v", example, on, err)
			}
			if c.Panel != nil {
				for _, pin := range []string{c.Panel.Busy, c.Panel.Reset} {
					if pin == "GPIO2" || pin == "GPIO3" {
						t.Errorf("%s: resistors on the board pull up BUSY or RST on %s", example, pin)
					}
				}
			}
		}
	}
}
