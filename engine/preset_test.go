package engine

import (
	"reflect"
	"strings"
	"testing"
)

func TestPresetsReadBack(t *testing.T) {
	const file = `tableside-presets 1
game tally/score

preset ours
title en "Friday's game"
title fr "Le jeu du vendredi"
source "Our own book, page 3"
bgg 150145
option counters "Victory Points, Énergie"
option target 50

preset theirs
`
	presets, err := ParsePresets("own.txt", []byte("# ours\n"+file))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(FormatPresets(presets)); got != file {
		t.Errorf("got\n%s\nwant\n%s", got, file)
	}
	if got := presets[0].Title(French) + ", " + presets[1].Title(French); got != "Le jeu du vendredi, theirs" {
		t.Errorf("the titles are %s", got)
	}
	again, err := ParsePresets("own.txt", FormatPresets(presets))
	if err != nil || !reflect.DeepEqual(again, presets) {
		t.Errorf("got %v, %v", again, err)
	}
}

func TestPresetsSayWhatIsWrong(t *testing.T) {
	const head = "tableside-presets 1\ngame tally/score\n"
	for file, want := range map[string]string{
		"":                                `begins with the line "tableside-presets 1"`,
		"preset a\n":                      `own.txt:1:1: a file of presets begins`,
		"tableside-presets 1\npreset a\n": `2:1: want a line such as "game tally/score"`,
		head + "option rounds 3\n":        `3:1: want a line such as "preset skull-king"`,
		head + "preset A\n":               `"A" cannot name a preset`,
		head + "preset a\npreset a\n":     `4:1: duplicate preset "a"`,
		head + "preset a\noption b 1\noption b 2\n": `5:1: duplicate option "b"`,
		head + "preset a\ntitle de Skat\n":          `"de" is not a language`,
		head + "preset a\ntitle en \"\"\n":          `a title has 1 to 40 letters`,
		head + "preset a\nrounds 3\n":               `want a line such as`,
		head + "preset a\nsource \"\"\n":            `a source has 1 to 400 letters`,
		head + "preset a\nbgg 0\n":                  `"0" is not a number of BoardGameGeek`,
		head + "preset a\nbgg 1 2\n":                `want a line such as`,
		head + "preset a\ntitle en \xff\n":          `not UTF-8 text`,
		head + strings.Repeat("#\n", 1<<19):         `larger than 1048576 bytes`,
		head + presetLines(201):                     `too many presets`,
	} {
		_, err := ParsePresets("own.txt", []byte(file))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %q", file, err, want)
		}
	}
}

func presetLines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("preset p" + strings.Repeat("x", i/26) + string(rune('a'+i%26)) + "\n")
	}
	return b.String()
}

func FuzzPresets(f *testing.F) {
	f.Add([]byte("tableside-presets 1\ngame tally/score\npreset a\ntitle en \"A b\"\noption rounds 3\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		presets, err := ParsePresets("", data)
		if err != nil {
			return
		}
		again, err := ParsePresets("", FormatPresets(presets))
		if err != nil || len(again) != len(presets) {
			t.Errorf("%q reads back as %v, %v", data, again, err)
		}
	})
}
