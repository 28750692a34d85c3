package qr

import (
	"image"
	"strings"
	"testing"

	"tableside/display/qr/qrtest"
)

// TestCodesAreRead checks that what is drawn says what it should, upright, turned and
// seen at an angle, and that even a short text has a code that can be straightened.
func TestCodesAreRead(t *testing.T) {
	for _, text := range []string{
		"a", "tableside:a/b.1", "tableside:mindbug/axolotl-healer.1",
		"tableside:mutants/" + strings.Repeat("long-", 8) + "name.12",
		"https://192.168.178.123:8080/?token=ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	} {
		for _, level := range []Level{Low, Medium} {
			code, err := New(text, level)
			if err != nil {
				t.Fatal(err)
			}
			if code.Size() < 25 {
				t.Errorf("%s: %d modules", text, code.Size())
			}
			picture := code.Picture(6)
			for name, img := range map[string]image.Image{
				"upright": picture, "turned": qrtest.Seen(picture, 0.35, 0), "tilted": qrtest.Seen(picture, 0.1, 0.2),
			} {
				if got := Read(img); len(got) != 1 || got[0].Text != text {
					t.Errorf("%s, level %d, %s: got %+v", text, level, name, got)
				}
			}
		}
	}
	if _, err := New(strings.Repeat("a", 3000), Low); err == nil {
		t.Error("a text that is too long has a code")
	}
}

// TestText checks that the letters of the terminal are the modules.
func TestText(t *testing.T) {
	code, err := New("tableside:mutants/zombie.2", Medium)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(code.Text(), "\n"), "\n")
	n := code.Size() + 2*Border
	if len(lines) != (n+1)/2 {
		t.Fatalf("%d lines for %d rows", len(lines), n)
	}
	for y := range n {
		for x, letter := range []rune(lines[y/2]) {
			light := letter == '█' || letter == []rune("▀▄")[y%2]
			if light == code.Dark(x-Border, y-Border) {
				t.Fatalf("module %d, %d is %q", x, y, letter)
			}
		}
	}
}
