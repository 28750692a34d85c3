package canvas_test

import (
	"slices"
	"testing"

	"tableside/display/canvas"
)

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
