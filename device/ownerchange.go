package device

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"tableside/engine"
)

// Text returns the owner's file for a game as it is; "" without one.
func (o Owner) Text(game string) (string, error) {
	data, err := os.ReadFile(o.File(game))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(data), err
}

// Change replaces the owner's file for a game by what edit makes of it, and returns
// once the disk has it. The old version is kept in History before. An error leaves
// the file unchanged. Changes of other programs wait.
func (o Owner) Change(game string, edit func(before string) (string, error)) (err error) {
	file := o.File(game)
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return fmt.Errorf("owner's file: %w", err)
	}
	folder, err := os.Open(filepath.Dir(file))
	if err != nil {
		return fmt.Errorf("owner's file: %w", err)
	}
	defer folder.Close() // which unlocks it
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("owner's file: lock its folder: %w", err)
	}
	before, err := o.Text(game)
	if err != nil {
		return err
	}
	after, err := edit(before)
	if err != nil || after == before {
		return err
	}
	if before != "" {
		if err := o.keep(game, before); err != nil {
			return fmt.Errorf("owner's file: keep the old version: %w", err)
		}
	}
	if err := Replace(file, after); err != nil {
		return fmt.Errorf("owner's file: %w", err)
	}
	return nil
}

// History returns the folder with the versions of the owner's file for a game:
// 0001.txt is the oldest.
func (o Owner) History(game string) string {
	return filepath.Join(o.Dir, "cards", "history", engine.Title(game))
}

// keep adds a version to the history, unless it is the newest there.
func (o Owner) keep(game, text string) error {
	entries, err := os.ReadDir(o.History(game))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	n := 0
	for _, e := range entries {
		var i int
		if name, isText := strings.CutSuffix(e.Name(), ".txt"); isText {
			if _, err := fmt.Sscanf(name, "%d", &i); err == nil {
				n = max(n, i)
			}
		}
	}
	version := func(n int) string { return filepath.Join(o.History(game), fmt.Sprintf("%04d.txt", n)) }
	if newest, err := os.ReadFile(version(n)); err == nil && string(newest) == text {
		return nil
	}
	return Replace(version(n+1), text)
}
