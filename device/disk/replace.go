package disk

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Replace writes a file so that even a power cut or a full disk leaves a complete file, the
// old or the new one. It writes another file, syncs that file, and renames it. If there is no
// folder for the file, Replace makes the folder. If the file is a symbolic link, the link
// remains, and Replace replaces the file to which the link points.
func Replace(file, text string) error { return replace(file, mode(file), stringWriter(text)) }

// ReplacePrivate replaces a file in the way that Replace does, but only the owner of the file
// may read it.
func ReplacePrivate(file, text string) error { return replace(file, 0o600, stringWriter(text)) }

// Write replaces a file that everybody may read, with a text that comes piece by piece. The
// function write must write this text. After any error, even an error of write, the old file remains.
func Write(file string, write func(io.Writer) error) error { return replace(file, 0o644, write) }

func stringWriter(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func replace(file string, mode os.FileMode, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	f, err := createTemporary(dir, "."+filepath.Base(file)+"-*")
	if err != nil {
		return err
	}
	defer f.Close() // nothing is lost: it is synced, or not used
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	keepOwner(f, file)
	buffer := bufio.NewWriter(f)
	if err = errors.Join(write(buffer), buffer.Flush(), f.Chmod(mode), f.Sync()); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), file); err != nil {
		return err
	}
	_ = SyncFolder(dir) // some file systems cannot: the file is renamed, and reaches the disk later
	return nil
}

// createTemporary creates a file that Sweep leaves alone. If Sweep has taken the file before it was
// locked, createTemporary creates another one.
func createTemporary(dir, pattern string) (*os.File, error) {
	for {
		f, err := os.CreateTemp(dir, pattern)
		if err != nil {
			return nil, err
		}
		_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX) // some file systems cannot; Sweep then removes nothing
		if _, err := os.Lstat(f.Name()); !errors.Is(err, fs.ErrNotExist) {
			return f, nil
		}
		_ = f.Close()
	}
}

// keepOwner gives a new file the owner of the file that it replaces. If there is no such file,
// the owner of the folder becomes the owner. Without keepOwner, the file would belong to root
// after "sudo tableside cards learn", and the table could not use it any more.
func keepOwner(f *os.File, file string) {
	if os.Geteuid() != 0 { // only root can give files away
		return
	}
	info, err := os.Stat(file)
	if err != nil {
		info, err = os.Stat(filepath.Dir(file))
	}
	if err != nil {
		return
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(stat.Uid), int(stat.Gid)) // some file systems have no owners
	}
}

// mode returns the mode of a file. If the file does not exist, the result is 0640, the mode of
// a table's other files.
func mode(file string) os.FileMode {
	if info, err := os.Stat(file); err == nil {
		return info.Mode().Perm()
	}
	return 0o640
}
