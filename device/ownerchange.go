package device

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"tableside/device/disk"
	"tableside/engine"
	"tableside/engine/cardfile"
)

// Text returns the present text of the owner's file for a game. If there is no file, the text
// is "".
func (o Owner) Text(game string) (string, error) {
	data, err := os.ReadFile(o.File(game))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(data), err
}

// Change replaces the text of the owner's file for a game. It passes the present text to the
// function edit, which returns the new text. Change returns once the disk has the new text.
// The old version is first kept in the folder that History returns. After any error, even an
// error of edit, the file is unchanged. While a call of Change runs, other calls wait, even in
// other programs.
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
	if err := disk.Replace(file, after); err != nil {
		return fmt.Errorf("owner's file: %w", err)
	}
	return nil
}

// History returns the folder with the versions of the owner's file for a game:
// 0001.txt is the oldest.
func (o Owner) History(game string) string {
	return filepath.Join(o.Dir, "cards", "history", engine.Title(game))
}

// Versions returns the versions that Change has kept of the owner's file, the newest first. It
// returns at most limit versions. If limit is negative, it returns all versions.
func (o Owner) Versions(game string, limit int) ([]cardfile.Version, error) {
	numbers, err := o.versions(game)
	if err != nil {
		return nil, err
	}
	var all []cardfile.Version
	for _, n := range slices.Backward(numbers) {
		if len(all) == limit {
			break
		}
		data, err := os.ReadFile(o.version(game, n))
		if err != nil {
			return nil, err
		}
		v := cardfile.Version{N: n, Text: string(data)}
		if info, err := os.Stat(o.version(game, n)); err == nil {
			v.Time = info.ModTime()
		}
		all = append(all, v)
	}
	return all, nil
}

func (o Owner) version(game string, n int) string {
	return filepath.Join(o.History(game), fmt.Sprintf("%04d.txt", n))
}

// versions lists the numbers of the versions in the history, from the lowest.
func (o Owner) versions(game string) (numbers []int, err error) {
	entries, err := os.ReadDir(o.History(game))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		name, isText := strings.CutSuffix(e.Name(), ".txt")
		if n, err := strconv.Atoi(name); isText && err == nil && e.Name() == filepath.Base(o.version(game, n)) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// keep adds a version to the history, unless the newest version there has the same text.
func (o Owner) keep(game, text string) error {
	numbers, err := o.versions(game)
	if err != nil {
		return err
	}
	n := 0
	if len(numbers) > 0 {
		n = numbers[len(numbers)-1]
	}
	if newest, err := os.ReadFile(o.version(game, n)); err == nil && string(newest) == text {
		return nil
	}
	return disk.Replace(o.version(game, n+1), text)
}
