package device

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"tableside/device/disk"
	"tableside/engine"
)

// A journal is the file of one match. The loop owns the missing lines, the sealer and the
// failure. All other fields belong to the goroutine that runs write. There is only one such
// goroutine at a time.
type journal struct {
	store   *store
	id      string
	sealer  engine.Sealer
	missing []byte // sealed lines that the disk does not hold yet
	failure error  // of the last write; nil if there was none

	file        file   // nil until it could be created
	end         int64  // the disk is known to hold everything before it
	held        []byte // what a new file needs first, as the old one is gone; nil once the disk has it
	dirty       bool   // after end there may be the rest of a failed write
	entrySynced bool   // the file's entry in its folder is on the disk

	renewed   bool   // write has made a new file, which is not logged yet
	asideFile string // the file that has the match if another file has taken its name
}

// add seals a line and appends it to j.missing, the lines that the disk does not hold yet.
func (j *journal) add(line string) { j.missing = append(j.missing, j.sealer.Seal(line)...) }

func (j *journal) open() error {
	if j.file != nil {
		return nil
	}
	f, err := j.store.createFile(j.id)
	if err != nil {
		return err
	}
	j.file = f
	return nil
}

// inPlace reports whether the journal's name still leads to the open file. If the file was
// moved, removed or replaced, nobody would find it again, and the result is false. If inPlace
// cannot find out, the result is true.
func (j *journal) inPlace() bool {
	named, err := os.Lstat(j.store.path(j.id))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	written, err := j.file.Stat()
	return err != nil || os.SameFile(named, written)
}

// renew makes a new file with the journal's name. The next write begins with the contents of
// the old file. If another file has taken the name, renew leaves that file alone and returns
// fs.ErrExist.
func (j *journal) renew() error {
	held, err := j.contents()
	if err != nil {
		return err
	}
	f, err := j.store.createFile(j.id)
	if err != nil {
		return err
	}
	_ = j.file.Close() // of no use any more
	j.file, j.held, j.end, j.dirty, j.entrySynced, j.renewed = f, held, 0, true, false, true
	return nil
}

// write writes data at j.end and waits for the disk. Everything before j.end is known to be on
// the disk. After an error the file is cut back to j.end, now or before the next attempt. The
// next attempt then writes the data again. Another sync would not be enough, because the
// kernel may have dropped the pages of a failed sync.
//
// If another file has taken the journal's name, the error is fs.ErrExist. If mayAside is set,
// write then keeps the whole match in a file beside it.
func (j *journal) write(data []byte, mayAside bool) error {
	err := j.append(data)
	if mayAside && errors.Is(err, fs.ErrExist) {
		held, err := j.contents()
		if err != nil {
			return err
		}
		j.asideFile, err = j.store.setAside(j.id, slices.Concat(held, data))
		return err
	}
	return err
}

func (j *journal) append(data []byte) error {
	if err := j.open(); err != nil {
		return err
	}
	if !j.inPlace() {
		if err := j.renew(); err != nil {
			return err
		}
	}
	if j.dirty {
		if err := j.file.Truncate(j.end); err != nil {
			return err
		}
	}
	j.dirty = true
	if j.held != nil {
		data = slices.Concat(j.held, data)
	}
	err := j.put(data)
	if err != nil {
		_ = j.file.Truncate(j.end) // else the next try does it
		return err
	}
	j.end += int64(len(data))
	j.dirty, j.held = false, nil
	return nil
}

// contents returns what the disk has of the journal, or had before its file was gone.
func (j *journal) contents() ([]byte, error) {
	if j.held != nil || j.file == nil {
		return j.held, nil
	}
	held := make([]byte, j.end)
	_, err := j.file.ReadAt(held, 0)
	return held, err
}

func (j *journal) put(data []byte) error {
	if _, err := j.file.WriteAt(data, j.end); err != nil {
		return err
	}
	if err := j.file.Sync(); err != nil {
		return err
	}
	if j.entrySynced {
		return nil
	}
	if err := disk.SyncFolder(j.store.matchDir); err != nil {
		return err
	}
	j.entrySynced = true
	return nil
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
