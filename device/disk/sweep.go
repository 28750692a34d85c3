package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

func temporaryNames() []string {
	return []string{
		".tags", ".token", ".owner-token", ".setup.toml", ".hall.json", ".history.json", ".matches.json", ".matches.index",
		".history.log*", ".invited.json", ".hall-password", "broker/.passwords", "broker/.access", "broker/.users.conf",
		"tls/.*.pem", "tls/.new", "presets/.*.txt", "imports/.*.json", "cards/.*.txt", "cards/history/*/.*.txt",
		"evenings/.*.journal", "matches/.probe", "matches/.*.journal*", "matches/deleted/.*.journal*",
	}
}

// Sweep removes the temporary files that dead programs have left in a data folder. They may
// hold names of players. It leaves alone a file that a program is writing.
func Sweep(data string) error {
	var all error
	for _, pattern := range temporaryNames() {
		files, err := fs.Glob(os.DirFS(data), pattern+"-*")
		all = errors.Join(all, err)
		for _, file := range files {
			number := file[strings.LastIndexByte(file, '-')+1:]
			if number != "" && strings.Trim(number, "0123456789") == "" {
				all = errors.Join(all, sweepFile(filepath.Join(data, file)))
			}
		}
	}
	return all
}

func sweepFile(file string) error {
	f, err := OpenPlain(file, syscall.O_NOFOLLOW)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrIrregular) || errors.Is(err, syscall.ELOOP) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return nil // replace writes it
	}
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
