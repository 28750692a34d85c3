package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/host"
	"tableside/engine"
)

// A usedFile is an owner's file that matches use.
type usedFile struct {
	name        string
	definitions int
}

// ownerFiles returns the owner's files in a data folder that matches use, and what is
// wrong: cards with a mistake, files that cannot be read, and names that no game reads.
func (p *program) ownerFiles(dir string) (used []usedFile, faults []host.CardFault) {
	l := p.games
	owner := l.owner(dir)
	var known []string
	for _, box := range l.boxes() {
		file := owner.File(box.Info().Name)
		if slices.Contains(known, filepath.Base(file)) {
			continue // one file serves every edition
		}
		known = append(known, filepath.Base(file))
		if !exists(file) {
			continue
		}
		lines, broken, err := owner.Read(box.Info().Name)
		if err != nil {
			faults = append(faults, host.CardFault{Text: err.Error(), Fix: checkCommand(owner, box)})
			continue
		}
		if len(broken) > 0 {
			text := p.leftOut(file, broken, lines)
			faults = append(faults, host.CardFault{Text: text, Fix: checkCommand(owner, box), Plays: true})
			continue
		}
		used = append(used, usedFile{file, len(lines)})
	}
	entries, _ := os.ReadDir(filepath.Join(dir, "cards")) // nothing in it is read where it cannot be listed
	for _, e := range entries {
		isBackup := func(file string) bool { return strings.HasPrefix(e.Name(), file) } // or the file itself
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || slices.ContainsFunc(known, isBackup) {
			continue
		}
		faults = append(faults, host.CardFault{
			Text:  filepath.Join(dir, "cards", e.Name()) + " is ignored: no game reads a file of this name",
			Fix:   config.Suggest(strings.ToLower(e.Name()), known, "name it one of "+strings.Join(known, ", ")),
			Plays: true,
		})
	}
	return used, faults
}

// leftOut says which cards of an owner's file are left out, and the first fault.
func (p *program) leftOut(file string, broken []*engine.SyntaxError, sound []string) string {
	first := *broken[0]
	first.Reason = first.In(p.lang)
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
	return p.say("cli.cards-left-out", "fault", first.Error(), "n", n, "cards", strings.Join(cards, ", "))
}

// ownerFaults returns what is wrong with the owner's files in a data folder.
func (p *program) ownerFaults(dir string) []host.CardFault {
	_, faults := p.ownerFiles(dir)
	return faults
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
