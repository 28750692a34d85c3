package history

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tableside/device/disk"
)

// replacedFile is the name of a file in the folder of a hall. The file lists the SHA-256 of
// each journal that was replaced, for example because a name was removed from it. Each line
// begins with its line break, so that a torn line spoils no other line.
const replacedFile = "replaced"

// Replaced reports whether the hall once had a certain journal of a match and has replaced it
// since. digest is the SHA-256 of that journal.
func (h *History) Replaced(match, digest string) (bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.replaced(match, digest)
}

func (h *History) replaced(match, digest string) (bool, error) {
	text, err := os.ReadFile(filepath.Join(h.data, replacedFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return bytes.Contains(append(text, '\n'), []byte("\n"+match+" "+digest+"\n")), nil
}

// Held counts the journals of a table in the hall. n is the number of journals that the hall
// has ever had, and each version counts. size is the number of bytes of the journals that are
// still there, including journals of deleted matches.
func (h *History) Held(table string) (n int, size int64, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	text, err := os.ReadFile(filepath.Join(h.data, replacedFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, 0, err
	}
	n = bytes.Count(text, []byte(tableSeparator+table+" "))
	files, err := h.files()
	for _, file := range files {
		if strings.HasSuffix(file.ID, tableSeparator+table) {
			n++
			size += file.Size
		}
	}
	return n, size, err
}

// replaces records that a journal is about to be replaced, so that the hall does not accept
// the old journal again. Outside the folder of a hall, replaces does nothing, because tables
// send journals only to halls.
func (h *History) replaces(path string) error {
	match, ok := strings.CutSuffix(filepath.Base(path), suffix)
	if !ok || !strings.Contains(match, tableSeparator) {
		return nil
	}
	journal, err := disk.ReadJournal(path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(h.data, replacedFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString("\n" + match + " " + Digest(journal))
	return errors.Join(err, file.Sync(), file.Close())
}
