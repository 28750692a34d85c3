package device

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tableside/engine"
	"tableside/engine/tally"
)

func presetFolder(t *testing.T, files map[string]string) *Presets {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "presets"), 0o750); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, "presets", name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return &Presets{Dir: dir, Games: tally.Games()}
}

func listed(p *Presets) string {
	kept, faults := p.List()
	var all []string
	for _, k := range kept {
		own := ""
		if k.Own {
			own = " (own)"
		}
		all = append(all, k.Title(engine.English)+own)
	}
	for _, err := range faults {
		all = append(all, err.Error())
	}
	return strings.Join(all, ", ")
}

// A file with a mistake is left out whole, and the others are there.
func TestPresetFilesAreReadWhole(t *testing.T) {
	const head = "tableside-presets 1\ngame tally/score\n"
	p := presetFolder(t, map[string]string{
		"friends.txt": head + "preset skat\ntitle en Skat\noption turns off\npreset own\ntitle en Theirs\n",
		"torn.txt":    head + "preset a\npreset b\noption rounds\n",
		"option.txt":  head + "preset a\npreset b\noption rounds many\n",
		"strange.txt": "tableside-presets 1\ngame chess/blitz\npreset a\n",
		".hidden.txt": "nothing",
		"notes.md":    "nothing",
		"large.txt":   head + strings.Repeat("# a\n", engine.MaxPresetFile/4),
	})
	if err := p.Keep(engine.Preset{Game: "tally/score", Name: "own", Titles: map[engine.Lang]string{"en": "Ours"},
		Options: map[string]string{"target": "50"}}); err != nil {
		t.Fatal(err)
	}
	got := listed(p)
	for _, want := range []string{"Ours (own), Skat, ", "presets/torn.txt:5:1: want a line such as",
		`presets/option.txt: b: Option rounds cannot be "many": a whole number from 0 to 999 is needed`,
		"presets/strange.txt: a: There is no game chess/blitz here", "presets/large.txt: larger than 1048576 bytes"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s\nwant %q", got, want)
		}
	}
	if strings.Contains(got, "Theirs") || strings.Count(got, "presets/") != 4 {
		t.Errorf("got %s", got)
	}
	if err := os.Remove(filepath.Join(p.Dir, "presets", "friends.txt")); err != nil {
		t.Fatal(err)
	}
	if got := listed(p); strings.Contains(got, "Skat") {
		t.Errorf("a removed file is still read: %s", got)
	}
}

// A pipe among the files does not hold up the others.
func TestPresetPipe(t *testing.T) {
	const skat = "tableside-presets 1\ngame tally/score\npreset skat\ntitle en Skat\n"
	p := presetFolder(t, map[string]string{"ours.txt": skat})
	for _, name := range []string{"own.txt", "pipe.txt"} {
		if err := syscall.Mkfifo(filepath.Join(p.Dir, "presets", name), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	const want = "Skat, presets/own.txt: this is no plain file, presets/pipe.txt: this is no plain file"
	if got := listed(p); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if _, err := p.Text(); err == nil {
		t.Error("a pipe is given away as the table's own file")
	}
}

func TestPresetsAreKept(t *testing.T) {
	p := &Presets{Dir: t.TempDir(), Games: tally.Games()}
	preset := engine.Preset{Game: "tally/score", Name: "ours", Titles: map[engine.Lang]string{"fr": "À nous"},
		Options: map[string]string{"counters": "Victory Points"}}
	if err := p.Keep(preset); err != nil {
		t.Fatal(err)
	}
	preset.Options = map[string]string{"target": "30"}
	if err := p.Keep(preset); err != nil {
		t.Fatal(err)
	}
	text, err := p.Text()
	const want = "tableside-presets 1\ngame tally/score\n\npreset ours\ntitle fr \"À nous\"\noption target 30\n"
	if err != nil || string(text) != want {
		t.Errorf("got %q, %v", text, err)
	}
	preset.Name, preset.Options = "wrong", map[string]string{"goal": "middle"}
	var fault *engine.SyntaxError
	if err := p.Keep(preset); !errors.As(err, &fault) {
		t.Errorf("got %v, want why it is not kept", err)
	} else if got := fault.In(engine.French); !strings.Contains(got, "wrong: L'option goal ne peut pas être") {
		t.Errorf("got %s", got)
	}
	if got := listed(p); got != "À nous (own)" {
		t.Errorf("got %s", got)
	}
	if err := p.Remove("tally/score", "wrong"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want that there is none", err)
	}
	if err := p.Remove("tally/score", "ours"); err != nil || listed(p) != "" {
		t.Errorf("got %v, %s", err, listed(p))
	}
}

// TestPresetsAreGamesOfScoreSheets checks that only a game with presets of its own keeps the name of one.
func TestPresetsAreGamesOfScoreSheets(t *testing.T) {
	config := configured(t.TempDir())
	config.Games = append(config.Games, tally.Games()...)
	table := start(t, config)
	for _, c := range []struct {
		setup        engine.Setup
		game, preset string
	}{
		{engine.Setup{Preset: "hearts", Options: map[string]string{"target": "50"}}, "tally/score", "hearts"},
		{engine.Setup{Game: "hearts"}, "tally/score", "hearts"},
		{engine.Setup{Game: "tally/score", Preset: "friday"}, "tally/score", "friday"},
		{engine.Setup{Game: "count/plain", Preset: "quick"}, "count/plain", ""},
		{engine.Setup{Game: "count/plain", Preset: "hearts"}, "count/plain", ""},
	} {
		if r := table.order(engine.Order{Do: "begin", Setup: c.setup}); r.Outcome != engine.Accepted {
			t.Fatalf("%+v: %s", c.setup, r.Spoken)
		}
		if v := table.Frame().View; string(v.Game) != c.game || v.Preset != c.preset {
			t.Errorf("%+v: %s, %q", c.setup, v.Game, v.Preset)
		}
		table.order(engine.Order{Do: "abandon"})
	}
}
