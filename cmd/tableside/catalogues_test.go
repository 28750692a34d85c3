package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// catalogues returns all texts of the program for players, by file.
func catalogues(t *testing.T) map[string]engine.Words {
	found := map[string]engine.Words{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "words.txt") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found[path], err = engine.ParseWords(path, string(data))
		return err
	})
	if err != nil || len(found) < 10 {
		t.Fatalf("%d catalogues: %v", len(found), err)
	}
	return found
}

var (
	placeholder = regexp.MustCompile(`\{(\w+)`)
	// unElided is a word in full before a vowel, where onze and oui are none.
	unElided = regexp.MustCompile(`(?i)(^|[^\pL-])(de|jusque|je|la|le|lorsque|ne|puisque|que|se) ([aâeéèêiîoôuyœ]|hélène)`)
	// unspaced is a sign that French sets apart, without the space that keeps
	// it on its line.
	unspaced = regexp.MustCompile("[^\u00a0(][;:!?»]|«[^\u00a0]|[\"’]|\\.\\.\\.")
)

// TestFrench checks elision and spaces in every French text, with all kinds of
// arguments.
func TestFrench(t *testing.T) {
	for file, words := range catalogues(t) {
		for key, said := range words {
			template := said.In(engine.French)
			if found := unspaced.FindString(template); found != "" {
				t.Errorf("%s: %s: %q in %q", file, key, found, template)
			}
			for _, name := range []string{"Alice", "Élodie", "Hélène", "Oscar", "Yves"} {
				if said := words.Say(engine.French, engine.Text{Key: key, Args: filled(template, engine.Seat(name))},
					nil); unElided.MatchString(said) {
					t.Errorf("%s: %s: %q", file, key, said)
				}
			}
		}
	}
}

// TestPagesNeedNoElision tests the texts that are filled in the browser, which cannot
// elide.
func TestPagesNeedNoElision(t *testing.T) {
	file := filepath.Join(root, "display/web/core/words.txt")
	for key, said := range catalogues(t)[file] {
		if template := placeholder.ReplaceAllString(said.In(engine.French), "Alice"); unElided.MatchString(template) {
			t.Errorf("%s: %q", key, said.In(engine.French))
		}
	}
}

func filled(template string, value any) engine.Args {
	args := engine.Args{}
	for _, m := range placeholder.FindAllStringSubmatch(template, -1) {
		args[m[1]] = value
	}
	return args
}

// TestKeysHaveOneName tests that refusals and the page have the same names of keys.
func TestKeysHaveOneName(t *testing.T) {
	page := catalogues(t)[filepath.Join(root, "display/web/core/words.txt")]
	core := engine.CoreWords()
	for _, key := range slices.Concat(engine.Keys, []string{string(engine.Redo)}) {
		for _, lang := range engine.Languages {
			if ours, theirs := core["key."+key].In(lang), page["key."+key].In(lang); ours == "" || ours != theirs {
				t.Errorf("the key %s is %q, and %q on the page", key, ours, theirs)
			}
		}
	}
}

// TestFrenchErrors checks that every package says in French what it says about parts of
// the table, tags, labels and files, and that the causes that drivers give have a French
// text to stand before them.
func TestFrenchErrors(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root, "engine/french.txt"))
	if err != nil {
		t.Fatal(err)
	}
	french, folders := engine.ParseTranslation(string(source)), map[string]bool{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			folders[filepath.Dir(path)] = true
		}
		return err
	})
	if err != nil || len(folders) < 40 {
		t.Fatal(len(folders), err)
	}
	for folder := range folders {
		said := map[string]int{"Faultf": 1, "FaultOf": 1, "wrongAt": 1}
		switch layer, below, _ := strings.Cut(filepath.ToSlash(strings.TrimPrefix(folder, root+"/")), "/"); {
		case strings.HasSuffix(layer, "test") || strings.HasSuffix(below, "test"), layer == "engine":
			continue // cardfile's TestFrench reads the engine
		case layer == "drivers" && below != "tape":
			said["New"] = 0
		}
		enginetest.CheckFrench(t, folder, french, said)
	}
}
