package reader

import (
	"sync"
	"time"

	"tableside/device"
)

// gone is how long a reader has not found a tag that another one finds, before
// the other one has it: the first reader is dead, or blurred by something else.
// As long as both find it, it lies between them and stays where it was first.
const gone = 500 * time.Millisecond

// A Board knows on which of the readers of a table each tag lies, since it can
// lie on one only. A card that is moved is lifted before it is tapped.
type Board struct {
	mu sync.Mutex
	at map[string]*spot // by tag
}

// A spot is where a tag lies.
type spot struct {
	reader *Reader
	seen   time.Time // by that reader
	told   bool      // the table knows
	text   string
}

// NewBoard makes a board on which nothing lies.
func NewBoard() *Board { return &Board{at: map[string]*spot{}} }

// saw notes what a reader has just found, and returns the tags that other
// readers have taken over from it.
func (b *Board) saw(r *Reader, tags []string) (forgotten []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, tag := range tags {
		if s := b.at[tag]; s != nil && s.reader == r {
			s.seen = time.Now()
		}
	}
	forgotten, r.forgotten = r.forgotten, nil
	return forgotten
}

// take gives a tag to a reader that has found it, unless another one has it.
func (b *Board) take(r *Reader, tag string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.at[tag]
	switch {
	case s == nil:
	case s.reader == r:
		return true
	case time.Since(s.seen) < gone:
		return false
	default:
		s.reader.forgotten = append(s.reader.forgotten, tag)
		b.lift(tag, r.emit)
	}
	b.at[tag] = &spot{reader: r, seen: time.Now()}
	return true
}

// tell tells the table what has happened. What is said of one tag is said in
// the order in which it happened, whichever readers say it.
func (b *Board) tell(r *Reader, c Change) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.at[c.Tag]
	if s == nil || s.reader != r {
		return // another reader has taken it over since
	}
	switch c.What {
	case Lifted:
		b.lift(c.Tag, r.emit)
	case Tapped:
		r.emit(device.TagOn{Place: r.Place, Seat: r.Seat, Tag: c.Tag, Text: c.Text})
		fallthrough
	case Laid:
		s.told, s.text = true, c.Text
	}
}

func (b *Board) lift(tag string, emit device.Emit) {
	s := b.at[tag]
	delete(b.at, tag)
	if s.told {
		emit(device.TagOff{Place: s.reader.Place, Seat: s.reader.Seat, Tag: tag, Text: s.text})
	}
}
