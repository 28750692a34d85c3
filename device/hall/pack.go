package hall

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// The limits of a journal that is sent to a hall. Random matches of all games have journals of
// at most 300 KB.
const (
	maxJournal = 4 << 20       // bytes
	maxPacked  = 1<<20 - 1<<10 // bytes once it is compressed: a packet of 1 MiB has its topic, too
)

// errTooLarge reports a journal beyond the limits.
var errTooLarge = fmt.Errorf("its journal has more than %d MiB, or 1 MiB compressed", maxJournal>>20)

// pack compresses a journal with gzip, as it is sent to a hall.
func pack(journal []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(journal)
	if err = errors.Join(err, w.Close()); err == nil && (len(journal) > maxJournal || b.Len() > maxPacked) {
		err = errTooLarge
	}
	return b.Bytes(), err
}

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	journal, err := io.ReadAll(io.LimitReader(r, maxJournal+1))
	if err == nil && len(journal) > maxJournal {
		err = errTooLarge
	}
	return journal, err
}
