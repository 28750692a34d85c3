package canvas_test

import (
	"slices"
	"testing"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"

	"tableside/display/canvas"
)

// TestNoKerning tests that the fonts have no pairs of letters that stand closer or farther
// apart, which lines of words do not ask for.
func TestNoKerning(t *testing.T) {
	for name, ttf := range map[string][]byte{"medium": gomedium.TTF, "bold": gobold.TTF} {
		parsed, err := opentype.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		f, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 200, DPI: 72, Hinting: font.HintingFull})
		if err != nil {
			t.Fatal(err)
		}
		for a := ' '; a <= unicode.MaxLatin1; a++ {
			for b := ' '; b <= unicode.MaxLatin1; b++ {
				if k := f.Kern(a, b); k != 0 {
					t.Fatalf("%s: %q and %q have a kerning of %v", name, a, b, k)
				}
			}
		}
	}
}

func TestWrap(t *testing.T) {
	f := canvas.Medium(13.25)
	for _, test := range []struct {
		text  string
		width int
		lines int
		want  []string
	}{
		{"Que faire\u00a0?", 62, 3, []string{"Que", "faire\u00a0?"}},
		{"Voici «\u00a0Zombie\u00a0»\u00a0!", 78, 3, []string{"Voici", "«\u00a0Zombie\u00a0»\u00a0!"}},
		{"one two three four", 56, 2, []string{"one two", "three f…"}},
		{"", 60, 2, nil},
		{"Anticonstitutionnellement", 60, 2, []string{"Antico…"}},
		{"Alice\u00a0: deux", 48, 1, []string{"Alice…"}}, // no space before the ellipsis
	} {
		if got := f.Wrap(test.text, test.width, test.lines); !slices.Equal(got, test.want) {
			t.Errorf("%q in %d pixels is %q, want %q", test.text, test.width, got, test.want)
		}
	}
}
