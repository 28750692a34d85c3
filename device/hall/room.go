package hall

import (
	"fmt"
	"time"

	"tableside/engine"
)

// Limits of what a hall keeps of one table: no hall can know whether a match was played, and
// a table that invents matches shall not fill the disk of all. Ten matches a day, with the
// longest journals that random players write, are years.
const (
	mostJournals = 10_000    // each version of a match counts
	mostBytes    = 512 << 20 // of journals

	// countAgain is how long the count of a table that has too much is believed: somebody may
	// have made room.
	countAgain = time.Minute
)

// held is what the folder has of a table.
type held struct {
	n       int
	size    int64
	counted time.Time
}

// room returns a refusal if the hall has too much of a table. before is the size of the
// journal that the offered one replaces.
func (a *Archive) room(f engine.Finished, before int) error {
	a.keeps.Lock()
	defer a.keeps.Unlock()
	h, known := a.held[f.Table]
	size := int64(f.Bytes - before)
	full := func() bool { return h.n >= a.most.n || h.size+size > a.most.size }
	if !known || full() && time.Since(h.counted) > countAgain {
		n, size, err := a.cfg.Past.Held(f.Table)
		if err != nil {
			return err
		}
		h = held{n, size, time.Now()}
		if len(a.held) >= maxTables {
			clear(a.held)
		}
		a.held[f.Table] = h
	}
	if full() {
		return &refusal{tooMany, fmt.Errorf("the hall has %d journals of this table with %d MiB; it keeps at most %d with %d",
			h.n, h.size>>20, a.most.n, a.most.size>>20)}
	}
	return nil
}

// count notes that a journal was written; keeps is held.
func (a *Archive) count(table string, more int) {
	if h, known := a.held[table]; known {
		h.n, h.size = h.n+1, h.size+int64(more)
		a.held[table] = h
	}
}
