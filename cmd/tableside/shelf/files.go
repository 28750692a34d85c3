package shelf

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/engine"
	"tableside/engine/cardfile"
)

// A UsedFile is an owner's file that has no mistakes and is used in matches.
type UsedFile struct {
	Name        string
	Definitions int
}

// A Fault is a mistake in the owner's card data. A table runs in spite of it.
type Fault struct {
	Text, Fix string
	Playable  bool // matches begin without what is wrong; otherwise no match of the game begins
}

// Files returns two lists about the owner's files in the data folder dir. The first list holds
// the files without a mistake. Matches use these files. The second list holds all faults: each
// is a card with a mistake, a file that cannot be read, or a file whose name no game knows.
func (l List) Files(dir string, lang engine.Lang) (used []UsedFile, faults []Fault) {
	owner := l.Owner(dir)
	var known []string
	for _, box := range l.Boxes() {
		file := owner.File(box.Info().Name)
		if slices.Contains(known, filepath.Base(file)) {
			continue // one file serves every edition
		}
		known = append(known, filepath.Base(file))
		if _, err := os.Stat(file); err != nil {
			continue
		}
		lines, broken, err := owner.Read(box.Info().Name)
		if err != nil {
			faults = append(faults, Fault{Text: err.Error(), Fix: CheckCommand(owner, box)})
			continue
		}
		if len(broken) > 0 {
			text := LeftOut(file, broken, lines, lang)
			faults = append(faults, Fault{Text: text, Fix: CheckCommand(owner, box), Playable: true})
			continue
		}
		used = append(used, UsedFile{file, len(lines)})
	}
	entries, _ := os.ReadDir(filepath.Join(dir, "cards")) // nothing in it is read where it cannot be listed
	for _, e := range entries {
		isBackup := func(file string) bool { return strings.HasPrefix(e.Name(), file) } // or the file itself
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || slices.ContainsFunc(known, isBackup) {
			continue
		}
		faults = append(faults, Fault{
			Text:     filepath.Join(dir, "cards", e.Name()) + " is ignored: no game reads a file of this name",
			Fix:      config.Suggest(strings.ToLower(e.Name()), known, "name it one of "+strings.Join(known, ", ")),
			Playable: true,
		})
	}
	return used, faults
}

// LeftOut returns a text about an owner's file with faults. The text names the cards that are
// not used, if there are any, and the first fault, if possible of those that leave a card out.
// The second argument holds the faults, of which there must be at least one. The third argument
// holds the lines of the file that are used.
func LeftOut(file string, broken []*engine.SyntaxError, sound []string, lang engine.Lang) string {
	leavesOut := func(e *engine.SyntaxError) bool { return !errors.Is(e, cardfile.ErrNoRow) }
	at := slices.IndexFunc(broken, leavesOut)
	first := *broken[max(0, at)]
	first.Reason = first.In(lang)
	data, _ := os.ReadFile(file) // it could be read a moment ago; else no card is named
	var cards []string
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(strings.ToLower(line))
		if len(words) < 2 || strings.HasPrefix(words[0], "#") || slices.Contains(cards, words[1]) {
			continue
		}
		about := words[0] + " " + words[1] + " "
		if !slices.ContainsFunc(sound, func(s string) bool { return strings.HasPrefix(strings.ToLower(s), about) }) {
			cards = append(cards, words[1])
		}
	}
	n := len(cards)
	if most := 5; n > most {
		cards = append(cards[:most], "…")
	}
	text := engine.T("shelf.left-out", "fault", first.Error(), "n", n, "cards", strings.Join(cards, ", "))
	if at < 0 {
		text = engine.T("shelf.by-hand", "fault", first.Error())
	}
	return Words().Say(lang, text, nil)
}

// CheckCommand returns the command with which people check the owner's file of a game.
func CheckCommand(owner device.Owner, box Box) string {
	title := engine.Title(box.Info().Name)
	return "tableside cards check " + title + " --file " + owner.File(title)
}
