// Package disk holds how a table and a hall read and replace the files of their data folders.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"tableside/engine"
)

// MaxJournal is the size in bytes of the largest journal that is read into memory. A match of
// ten thousand inputs needs less than a megabyte.
const MaxJournal = 64 << 20

// ErrIrregular says that a path leads to no plain file.
var ErrIrregular = errors.New("this is no plain file")

// ReadJournal reads the file of a journal. It returns an error if the file has more than
// MaxJournal bytes, is a symbolic link, or is not a plain file.
func ReadJournal(path string) ([]byte, error) {
	f, err := OpenPlain(path, unix.O_NOFOLLOW)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadBounded(f)
}

// FreeSpace returns how many bytes may still be written to the file system of a folder.
func FreeSpace(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	return s.Bavail * uint64(s.Bsize), nil
}

// OpenPlain opens a plain file for reading. If the path leads to anything else, such as a
// folder, OpenPlain returns ErrIrregular. flags are further flags for open(2), such as
// O_NOFOLLOW.
func OpenPlain(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|flags, 0) // else a pipe waits for a writer
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, ErrIrregular
	}
	return f, nil
}

// ReadBounded reads a journal to its end, or returns an error if it is longer than
// MaxJournal.
func ReadBounded(from io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, MaxJournal+1))
	if err == nil && len(data) > MaxJournal {
		return nil, fmt.Errorf("the journal is larger than %d MiB", MaxJournal>>20)
	}
	return data, err
}

// SyncFolder returns once the disk holds the names of all files in a folder.
func SyncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}

// Cause returns the operating system's error that is inside an error about a path. It returns
// any other error unchanged.
func Cause(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// Reason returns why a file cannot be used. The text has the name of the file but not
// its folder. People without the token read what the table shows, and must not learn where the
// table keeps its files. The log has the whole error.
func Reason(err error, lang engine.Lang) string {
	var path *fs.PathError
	var link *os.LinkError
	var line *engine.SyntaxError
	switch {
	case errors.As(err, &path):
		return filepath.Base(path.Path) + ": " + engine.ErrorIn(path.Err, lang)
	case errors.As(err, &link):
		return filepath.Base(link.New) + ": " + engine.ErrorIn(link.Err, lang)
	case errors.As(err, &line) && line.File != "":
		here := *line
		here.File = filepath.Base(line.File)
		return here.Told(lang)
	}
	return engine.ErrorIn(err, lang)
}
