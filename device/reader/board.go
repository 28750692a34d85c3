package reader

import (
	"sync"
	"time"

	"tableside/device"
)

// takeOverAfter is how long a reader must miss a tag before another reader that
// finds it takes it over: the first one is dead, or blurred by something else.
// While both find it, it lies between them and stays with the first.
const takeOverAfter = 500 * time.Millisecond

// A Board records on which of a table's readers each tag lies: it can lie on
// one only. A card that is moved is lifted before it is tapped.
type Board struct {
	mu sync.Mutex
	at map[string]*spot // by tag
}

// A spot is where a tag lies.
type spot struct {
	reader *Reader
	seen   time.Time // when that reader last saw it
	known  bool      // to the table
	text   string
}

// NewBoard returns an empty board.
func NewBoard() *Board { return &Board{at: map[string]*spot{}} }

// saw records the tags that a reader has just found, and returns those that
// other readers have taken over from it.
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
	case time.Since(s.seen) < takeOverAfter:
		return false
	default:
		s.reader.forgotten = append(s.reader.forgotten, tag)
		b.lift(tag, r.emit)
	}
	b.at[tag] = &spot{reader: r, seen: time.Now()}
	return true
}

// tell emits a change to the table. The changes of one tag are emitted in the
// order in which they happened, whichever readers saw them.
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
		s.known, s.text = true, c.Text
	}
}

func (b *Board) lift(tag string, emit device.Emit) {
	s := b.at[tag]
	delete(b.at, tag)
	if s.known {
		emit(device.TagOff{Place: s.reader.Place, Seat: s.reader.Seat, Tag: tag, Text: s.text})
	}
}
