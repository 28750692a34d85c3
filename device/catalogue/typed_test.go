package catalogue

import (
	"strings"
	"testing"

	"tableside/device"
)

// TestTyped tests that what a reader types is a tag that can be learnt: a UID in the
// form of other readers, and anything else as it is.
func TestTyped(t *testing.T) {
	c, _ := open(t, "key:KEY_F1 key undo\n")
	m := device.Meaning{Kind: device.KeyTag, Name: "undo"}
	if got, ok := c.Meaning("key:KEY_F1", ""); !ok || got != m {
		t.Errorf("a key: %v, %t", got, ok)
	}
	for line, want := range map[string]string{
		"04a1b2c3d4e5f6":                     "04A1B2C3D4E5F6",
		"04:A1:B2:C3:D4:E5:F6":               "04A1B2C3D4E5F6",
		"0012345678":                         "typed:0012345678",
		" 4006381333931 ":                    "typed:4006381333931",
		"08123456":                           "typed:08123456", // not a phone's random number
		"key:KEY_F1":                         "typed:key:KEY_F1",
		`a b#"c"`:                            "typed:a%20b%23%22c%22",
		"tableside:mindbug/kangsaurus-rex.1": "typed:tableside:mindbug%2Fkangsaurus-rex.1",
	} {
		got := Typed(line)
		if got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
		if _, err := c.Learn(got, m); err != nil {
			t.Errorf("%q: %v", got, err)
		}
		if _, ok := c.Meaning(got, ""); !ok {
			t.Errorf("%q was not learnt", got)
		}
	}
	if got, ok := c.Meaning("typed:x", "tableside:mindbug/kangsaurus-rex.1"); !ok || got.Name != "kangsaurus-rex.1" {
		t.Errorf("a code that names its card: %v", got)
	}
	if got, ok := c.Meaning("key:KEY_F1@1c4f:0002/usb-1.2", ""); !ok || got != m {
		t.Errorf("a key of every keyboard: %v", got)
	}
	for _, bad := range []string{
		"typed:", "key:", "typed:a b", "typed:é", "key:a\"b", "typed:" + strings.Repeat("x", 300),
	} {
		if _, err := ParseTag(bad); err == nil {
			t.Errorf("%q is a tag", bad)
		}
	}
	if got := Typed(strings.Repeat("!", 256)); len(got) > maxTypedLen {
		t.Errorf("%d characters", len(got))
	}
}
