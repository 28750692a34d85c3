package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/host"
)

// A usedFile is an owner's file that matches use.
type usedFile struct {
	name        string
	definitions int
}

// ownerFiles returns the owner's files in a data folder that matches use, and what is
// wrong with the others: files with a mistake, and names that no game reads.
func (l gameList) ownerFiles(dir string) (used []usedFile, faults []host.CardFault) {
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
		lines, err := owner.Definitions(box.Info().Name)
		if err != nil {
			faults = append(faults, host.CardFault{Text: err.Error(), Fix: checkCommand(owner, box)})
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
			Text:    filepath.Join(dir, "cards", e.Name()) + " is ignored: no game reads a file of this name",
			Fix:     config.Suggest(strings.ToLower(e.Name()), known, "name it one of "+strings.Join(known, ", ")),
			Ignored: true,
		})
	}
	return used, faults
}

// ownerFaults returns what is wrong with the owner's files in a data folder.
func (l gameList) ownerFaults(dir string) []host.CardFault {
	_, faults := l.ownerFiles(dir)
	return faults
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
