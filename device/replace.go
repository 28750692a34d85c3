package device

import (
	"bufio"
	"errors"
	"io"
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
func ReplacePrivate(file, text string) error { return WritePrivate(file, stringWriter(text)) }

// WritePrivate is ReplacePrivate for a text that comes piece by piece. The function write must
// write this text. After any error, even an error of write, the old file remains.
func WritePrivate(file string, write func(io.Writer) error) error { return replace(file, 0o600, write) }

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
	f, err := os.CreateTemp(dir, "."+filepath.Base(file)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	keepOwner(f, file)
	buffer := bufio.NewWriter(f)
	if err = errors.Join(write(buffer), buffer.Flush(), f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), file); err != nil {
		return err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return nil // the file is renamed; only its folder may reach the disk later
	}
	defer folder.Close()
	_ = folder.Sync() // some file systems cannot
	return nil
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
