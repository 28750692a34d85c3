package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tableside/engine"
)

// An ownersFile reads and extends the owner's card data: what is printed on the
// cards of the owner's box. All editions of a game share <data>/cards/mutants.txt.
type ownersFile struct {
	dir   string
	games gameList
}

func (o ownersFile) path(game string) string {
	return filepath.Join(o.dir, "cards", engine.Title(game)+".txt")
}

// check returns the command that checks the file of a box.
func (o ownersFile) check(box cardBox) string {
	title := engine.Title(box.Info().Name)
	return "tableside cards check " + title + " --file " + o.path(title)
}

// definitions returns the file's lines for a match of a game; none without a file.
func (o ownersFile) definitions(game string) ([]string, error) {
	box := o.games.box(game)
	if box == nil {
		return nil, nil
	}
	file := o.path(game)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return box.Define(file, string(data))
}

// learn appends a line unless the file has it, and syncs the file.
func (o ownersFile) learn(game, define string) error {
	file := o.path(game)
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return err
	}
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if slices.Contains(strings.Split(string(before), "\n"), define) {
		return nil
	}
	line := define + "\n"
	if len(before) > 0 && before[len(before)-1] != '\n' {
		line = "\n" + line // the owner's editor did not end the last line
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o640)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("owner's file: %w", err)
	}
	return nil
}
