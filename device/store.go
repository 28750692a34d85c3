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

	"tableside/engine"
)

// A store manages the folder with the journals, locked for one table.
type store struct {
	dir      string      // Config.Dir
	matchDir string      // Dir/matches
	lang     engine.Lang // in which it says what is wrong with a journal
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

// openStore makes the folder if necessary, locks it and checks that it can be written.
func openStore(dir string, lang engine.Lang) (*store, error) {
	s := &store{dir: dir, lang: lang, matchDir: filepath.Join(dir, "matches"), open: openFile}
	if err := os.MkdirAll(s.matchDir, 0o750); err != nil {
		return nil, fmt.Errorf("data folder %s: %w", dir, err)
	}
	// A new folder must survive a power cut too. We may lack access to its
	// parent; then the folder is not new.
	_ = SyncFolder(filepath.Dir(filepath.Clean(dir)))
	if err := SyncFolder(dir); err != nil {
		return nil, fmt.Errorf("data folder %s: %w", dir, err)
	}
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
	s.lock = lock
	if err := s.probe(); err != nil {
		s.close()
		return nil, fmt.Errorf("data folder %s cannot be written: %w", s.matchDir, err)
	}
	// The process ID only tells people who holds the lock. A full disk may keep it from being
	// written, and the table can be played all the same.
	if err := lock.Truncate(0); err == nil {
		_, _ = lock.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	}
	return s, nil
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

func (s *store) has(id string) bool {
	if !isJournalID(id) {
		return false
	}
	_, err := os.Lstat(s.path(id))
	return err == nil
}

// isJournalID reports whether an id can be the name of a journal. The name must not be empty
// or hidden, and must be the name of a file in the folder rather than a path.
func isJournalID(id string) bool {
	return id != "" && !strings.HasPrefix(id, ".") && !strings.ContainsAny(id, `/\`)
}

// read returns a journal as it is on the disk. If the folder has no plain file for this id,
// read returns fs.ErrNotExist.
func (s *store) read(id string) ([]byte, error) {
	if !isJournalID(id) {
		return nil, fmt.Errorf("match %q: %w", id, fs.ErrNotExist)
	}
	data, err := ReadJournal(s.path(id))
	for _, no := range []error{syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL, errIrregular} {
		if errors.Is(err, no) {
			return nil, fmt.Errorf("match %q: %w", id, fs.ErrNotExist)
		}
	}
	return data, err
}

// MaxJournal is the size in bytes of the largest journal that is read into memory. A match of
// ten thousand inputs needs less than a megabyte.
const MaxJournal = 64 << 20

var errIrregular = errors.New("this is no plain file")

// ReadJournal reads the file of a journal. It returns an error if the file has more than
// MaxJournal bytes, is a symbolic link, or is not a plain file.
func ReadJournal(path string) ([]byte, error) {
	f, err := openPlain(path, unix.O_NOFOLLOW)
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

// openPlain opens a plain file for reading. If the path leads to anything else, such as a
// folder, openPlain returns errIrregular. flags are further flags for open(2), such as
// O_NOFOLLOW.
func openPlain(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|flags, 0) // else a pipe waits for a writer
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, errIrregular
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
			err = SyncFolder(s.matchDir)
		}
		if err != nil { // half a copy helps nobody, and takes room on a disk that may be full
			return "", errors.Join(err, os.Remove(filepath.Join(s.matchDir, name)))
		}
		return name, nil
	}
}

// create makes the file of a new match. If there is already a file of that name, create
// returns fs.ErrExist. If the file cannot be made for any other reason, create returns the
// journal without an error. The journal then stays in memory until its file can be made.
func (s *store) create(id string, setup engine.Setup) (*journal, error) {
	head, sealer := setup.SealedHead()
	j := &journal{store: s, id: id, sealer: sealer, missing: []byte(head)}
	if err := j.open(); errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return j, nil
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
	if err := errors.Join(err, SyncFolder(s.dir)); err != nil {
		return nil, err
	}
	return s.open(s.path(id), os.O_RDWR|os.O_CREATE|os.O_EXCL)
}
