package device

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"tableside/device/disk"
	"tableside/engine"
)

// A store manages the folder with the journals, locked for one table.
type store struct {
	dir      string // Config.Dir
	matchDir string // Dir/matches
	lock     *os.File
	open     func(path string, flag int) (file, error)
}

// A file is the part of *os.File that a journal needs.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
	Stat() (fs.FileInfo, error)
}

// A diskFile is a file whose Sync writes the data and the length to the disk, but not the
// times. This saves a write on an SD card.
type diskFile struct{ *os.File }

func (f diskFile) Sync() error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); err != unix.EINTR {
			return err
		}
	}
}

// openFile opens a file. If the file is a symbolic link, openFile returns an error. The table
// writes journals and shows them to strangers. Through a link it could write or show a file
// outside the data folder.
func openFile(path string, flag int) (file, error) {
	f, err := os.OpenFile(path, flag|unix.O_NOFOLLOW, 0o640)
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

const (
	journalSuffix = ".journal"
	lockName      = "lock"
)

// openStore makes the folder if necessary, locks it and checks that it can be written. It
// sweeps the folder.
func openStore(dir string) (*store, error) {
	s := &store{dir: dir, matchDir: filepath.Join(dir, "matches"), open: openFile}
	if err := os.MkdirAll(s.matchDir, 0o750); err != nil {
		return nil, fmt.Errorf("data folder %s: %w", dir, err)
	}
	// A new folder must survive a power cut too. We may lack access to its
	// parent; then the folder is not new.
	_ = disk.SyncFolder(filepath.Dir(filepath.Clean(dir)))
	if err := disk.SyncFolder(dir); err != nil {
		return nil, fmt.Errorf("data folder %s: %w", dir, err)
	}
	var err error
	if s.lock, err = takeLock(dir); err != nil {
		return nil, err
	}
	if err := s.probe(); err != nil {
		s.close()
		return nil, fmt.Errorf("data folder %s cannot be written: %w", s.matchDir, err)
	}
	_ = disk.Sweep(dir) // what is left costs a little room, and is swept again when a name is removed
	return s, nil
}

// takeLock locks a data folder.
func takeLock(dir string) (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o640)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("data folder %s: its file %q is a symbolic link; remove it", dir, lockName)
	}
	if err != nil {
		return nil, fmt.Errorf("data folder %s cannot be written: %w", dir, err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("data folder %s: another tableside%s uses it; stop that one or choose another folder",
				dir, holder(lock))
		}
		return nil, fmt.Errorf("data folder %s: lock: %w", dir, err)
	}
	// The process ID only tells people who holds the lock. A full disk may keep it from being
	// written, and the table can be played all the same.
	if err := lock.Truncate(0); err == nil {
		_, _ = lock.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	}
	return lock, nil
}

// renewLock locks the folder again if somebody has removed the lock, perhaps with the whole
// folder. Only the goroutine that writes journals may call it.
func (s *store) renewLock() error {
	named, err := os.Lstat(filepath.Join(s.dir, lockName))
	held, e := s.lock.Stat()
	if e != nil || err == nil && os.SameFile(named, held) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := takeLock(s.dir)
	if err != nil {
		return err
	}
	_ = s.lock.Close() // of no use any more
	s.lock = lock
	return nil
}

// probe checks that files can be made in the folder. A full disk passes the check, because a
// match can be played on it, and is saved once there is space.
func (s *store) probe() error {
	f, err := os.CreateTemp(s.matchDir, ".probe-*")
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// holder returns the ID of the process that holds the lock, such as " (process 123)". If the
// lock file does not have the ID, the result is "".
func holder(lock *os.File) string {
	data := make([]byte, 20)
	n, _ := lock.ReadAt(data, 0)
	if pid := strings.TrimSpace(string(data[:n])); pid != "" {
		return " (process " + pid + ")"
	}
	return ""
}

func (s *store) close() error { return s.lock.Close() }

func (s *store) path(id string) string { return filepath.Join(s.matchDir, id+journalSuffix) }

// setAside copies a whole journal to a new file, before the end of the original is cut off. It
// returns the name of the new file. This name cannot be mistaken for the name of a journal.
func (s *store) setAside(id string, data []byte) (string, error) {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s%s.aside-%d", id, journalSuffix, n)
		f, err := s.open(filepath.Join(s.matchDir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.WriteAt(data, 0)
		if err == nil {
			err = f.Sync()
		}
		if err = errors.Join(err, f.Close()); err == nil {
			err = disk.SyncFolder(s.matchDir)
		}
		if err != nil { // half a copy helps nobody, and takes room on a disk that may be full
			return "", errors.Join(err, os.Remove(filepath.Join(s.matchDir, name)))
		}
		return name, nil
	}
}

func (s *store) create(id string, setup engine.Setup) *journal {
	head, sealer := setup.SealedHead()
	return &journal{store: s, id: id, sealer: sealer, missing: []byte(head)}
}

// resume opens the journal of a match, so that the match can continue. text is the part of the
// file to keep. Anything after this part is cut off before the next line is written.
func (s *store) resume(id string, text []byte, sealer engine.Sealer) (*journal, error) {
	f, err := s.open(s.path(id), os.O_RDWR)
	if err != nil {
		return nil, err
	}
	j := &journal{store: s, id: id, sealer: sealer, file: f, end: int64(len(text)), dirty: true, entrySynced: true}
	if !bytes.HasSuffix(text, []byte("\n")) { // a begin line that somebody wrote by hand
		j.missing = append(j.missing, '\n')
	}
	return j, nil
}

// createFile makes the file of a journal. If somebody has removed the folder of the journals,
// createFile makes the folder again.
func (s *store) createFile(id string) (file, error) {
	f, err := s.open(s.path(id), os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	err = os.MkdirAll(s.matchDir, 0o750)
	if errors.Is(err, fs.ErrExist) { // fs.ErrExist would mean that the journal's name is taken
		err = fmt.Errorf("%s is a link to a folder that does not exist", filepath.Base(s.matchDir))
	}
	if err := errors.Join(err, disk.SyncFolder(s.dir)); err != nil {
		return nil, err
	}
	return s.open(s.path(id), os.O_RDWR|os.O_CREATE|os.O_EXCL)
}
