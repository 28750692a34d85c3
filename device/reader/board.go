package reader

import (
	"context"
	"sync"
	"time"

	"tableside/device"
	"tableside/engine"
)

// takeOverAfter is how long a card reader must miss a tag before another reader may take the
// tag over. By then the tag was moved, or the first reader is dead or disturbed. While both
// readers find the tag, it lies between them and stays with the first reader.
const takeOverAfter = 500 * time.Millisecond

// A Board records the place of each tag on the card readers of a table. A tag lies on only one
// reader. When a card is moved, the table first learns that the card was lifted, and then that
// it was tapped again.
type Board struct {
	mu    sync.Mutex
	spots map[string]*spot // by tag
}

// A spot holds the place where a tag lies, and what is known of the tag there.
type spot struct {
	reader   *Reader
	lastSeen time.Time // when that reader last saw it
	reported bool      // the table knows that the tag lies here
	text     string    // read from the tag, or ""

	tap *call // the tap of a tag that was reported over the network; nil for others
}

// A call is a tap or a lift that was passed to the table. Several devices may wait for its
// receipt.
type call struct {
	answer  <-chan engine.Receipt // from the table; one of those who wait gets it
	done    chan struct{}         // closed when there is a receipt
	receipt engine.Receipt
}

func newCall(answer <-chan engine.Receipt) *call {
	return &call{answer: answer, done: make(chan struct{})}
}

// wait returns the receipt. ok is false if ctx ended before there was one.
func (c *call) wait(ctx context.Context) (receipt engine.Receipt, ok bool) {
	select {
	case c.receipt = <-c.answer:
		close(c.done)
	case <-c.done:
	case <-ctx.Done():
		return engine.Receipt{}, false
	}
	return c.receipt, true
}

// counts reports whether the table has answered a tap, and the tap has not failed.
func (c *call) counts() bool {
	select {
	case <-c.done:
		return c.receipt.Outcome != engine.Failed
	default:
		return false
	}
}

// NewBoard returns an empty board.
func NewBoard() *Board { return &Board{spots: map[string]*spot{}} }

// recordFound records that a card reader has just found some tags. It ignores each tag that
// does not lie on this reader according to the board. It returns the tags that other readers
// have taken over from this reader since the last call of recordFound for this reader.
func (b *Board) recordFound(r *Reader, tags []string) (forgotten []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, tag := range tags {
		if s := b.spots[tag]; s != nil && s.reader == r {
			s.lastSeen = time.Now()
		}
	}
	forgotten, r.forgotten = r.forgotten, nil
	return forgotten
}

// take gives a tag to a card reader that has found it, and reports whether this reader now has
// the tag. If another reader has the tag and has seen it within takeOverAfter, the tag stays
// there. Otherwise the tag is first lifted from the other reader.
func (b *Board) take(r *Reader, tag string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.spots[tag]
	switch {
	case s == nil:
	case s.reader == r:
		return true
	case time.Since(s.lastSeen) < takeOverAfter:
		return false
	default:
		b.takeFrom(s.reader, tag, r.emit)
	}
	b.spots[tag] = &spot{reader: r, lastSeen: time.Now()}
	return true
}

// takeFrom lifts a tag from the card reader where it lay before. If this reader polls, the
// reader forgets the tag at its next poll.
func (b *Board) takeFrom(before *Reader, tag string, emit device.Emit) {
	if before.Chip != nil { // a reader on the network polls and remembers nothing
		before.forgotten = append(before.forgotten, tag)
	}
	b.lift(tag, emit)
}

// arrive puts a tag on a card reader of the network, and returns the call that tells the table
// of the tap. Such a reader reports tags and does not poll.
//
// If the tag was reported on this reader within repeatAfter, arrive does not tap it again. If
// the table has answered the earlier tap and the tap has not failed, arrive returns nil.
// Otherwise it returns the call of the earlier tap. If the tag lies on a reader that polls,
// and that reader has seen the tag within takeOverAfter, the tag stays there. arrive then
// returns nil, and a text that says where the tag lies. In all other cases the text is empty.
func (b *Board) arrive(r *Reader, tag, text string) (*call, engine.Text) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	switch s := b.spots[tag]; {
	case s == nil:
		b.makeRoom(r.emit)
	case s.reader == r && now.Sub(s.lastSeen) < repeatAfter:
		s.lastSeen = now
		if s.tap.counts() {
			return nil, engine.Text{}
		}
		return s.tap, engine.Text{}
	case s.reader.Chip != nil && now.Sub(s.lastSeen) < takeOverAfter:
		return nil, engine.T("receipt.tag-elsewhere", "place", s.reader.Place)
	default:
		b.takeFrom(s.reader, tag, r.emit)
	}
	tap := newCall(r.emit(device.TagOn{Place: r.Place, Seat: r.Seat, Tag: tag, Text: text}))
	b.spots[tag] = &spot{reader: r, lastSeen: now, reported: true, text: text, tap: tap}
	return tap, engine.Text{}
}

// leave takes a tag off a card reader of the network, and returns the call that tells the
// table of the lift. If the table does not know that the tag lies there, leave returns nil.
// The returned text is always empty. It is there only because Network.take handles the results
// of leave and arrive in the same way.
func (b *Board) leave(r *Reader, tag, _ string) (*call, engine.Text) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := b.spots[tag]; s == nil || s.reader != r {
		return nil, engine.Text{}
	}
	answer := b.lift(tag, r.emit)
	if answer == nil {
		return nil, engine.Text{}
	}
	return newCall(answer), engine.Text{}
}

// makeRoom makes room for a tag if there are already maxLying tags on the board. It lifts a
// tag that was reported over the network, the one whose last report is the oldest.
func (b *Board) makeRoom(emit device.Emit) {
	if len(b.spots) < maxLying {
		return
	}
	oldest, since := "", time.Time{}
	for tag, s := range b.spots {
		if s.reader.Chip == nil && (oldest == "" || s.lastSeen.Before(since)) {
			oldest, since = tag, s.lastSeen
		}
	}
	if oldest != "" {
		b.lift(oldest, emit)
	}
}

// tell passes a tap or a lift to the table. If the change is Laid, tell records the tag but
// passes nothing on. The changes of one tag are passed on in the order in which they happened,
// whichever readers saw them.
func (b *Board) tell(r *Reader, c Change) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.spots[c.Tag]
	if s == nil || s.reader != r {
		return // another reader has taken it over since
	}
	switch c.Kind {
	case Lifted:
		b.lift(c.Tag, r.emit)
	case Tapped:
		r.emit(device.TagOn{Place: r.Place, Seat: r.Seat, Tag: c.Tag, Text: c.Text})
		fallthrough
	case Laid:
		s.reported, s.text = true, c.Text
	}
}

// lift takes a tag off its card reader. It returns the channel on which the table's answer
// comes. If the table did not know that the tag lay there, lift returns nil.
func (b *Board) lift(tag string, emit device.Emit) <-chan engine.Receipt {
	s := b.spots[tag]
	delete(b.spots, tag)
	if !s.reported {
		return nil
	}
	return emit(device.TagOff{Place: s.reader.Place, Seat: s.reader.Seat, Tag: tag, Text: s.text})
}
