package hall

import (
	"fmt"
	"time"

	"tableside/engine"
)

// Limits of what a hall keeps of one table. A hall cannot know whether a match was really
// played, and a table that invents matches must not fill the disk for all other tables. The
// limits are enough for years of ten matches a day, even with the longest journals that random
// players write.
const (
	maxJournals     = 10_000    // each version of a match counts
	maxJournalBytes = 512 << 20 // of journals

	// recountAfter is how long the hall goes on refusing a table that has reached the limits
	// before it counts the table's journals again. Somebody may have made room.
	recountAfter = time.Minute
)

// A journalCount counts the journals of one table. n is the number of journals that the hall
// has ever had, and includes each version of a journal. size is the number of bytes of the
// journals that the hall still has.
type journalCount struct {
	n         int
	size      int64
	countedAt time.Time
}

// checkRoom returns a refusal if the limits for one table leave no room for the offered
// journal. oldSize is the size in bytes of the journal that the offered one replaces; 0 if it
// replaces none.
func (a *Archive) checkRoom(f engine.Finished, oldSize int) error {
	a.keepMu.Lock()
	h, known := a.counts[f.Table]
	a.keepMu.Unlock()
	size := int64(f.Bytes - oldSize)
	full := func() bool { return h.n >= a.quota.n || h.size+size > a.quota.size }
	if !known || full() && time.Since(h.countedAt) > recountAfter {
		var err error
		if h, err = a.recount(f.Table); err != nil {
			return err
		}
	}
	if full() {
		return &refusal{tooMany, fmt.Errorf("the hall has had %d journals of this table, and has %d MiB of them; "+
			"it keeps at most %d and %d MiB", h.n, h.size>>20, a.quota.n, a.quota.size>>20)}
	}
	return nil
}

// recount counts the journals that the hall has had from a table, and remembers the result.
// During the count, matches of other tables may be kept. No match of this table is kept then,
// because the matches of a table come one after another.
func (a *Archive) recount(table string) (journalCount, error) {
	n, size, err := a.cfg.History.Held(table)
	if err != nil {
		return journalCount{}, err
	}
	h := journalCount{n, size, time.Now()}
	a.keepMu.Lock()
	defer a.keepMu.Unlock()
	if len(a.counts) >= maxTables {
		clear(a.counts)
	}
	a.counts[table] = h
	return h, nil
}

// count notes that a journal of a table was written. growth is the number of bytes by which
// the folder has grown. The caller holds a.keepMu.
func (a *Archive) count(table string, growth int) {
	if h, known := a.counts[table]; known {
		h.n, h.size = h.n+1, h.size+int64(growth)
		a.counts[table] = h
	}
}
