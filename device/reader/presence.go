package reader

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"tableside/device"
	"tableside/engine"
)

// A Board holds the tags on all card readers of a table. It turns the results of polls into taps
// and lifts, by these rules:
//
//  1. A poll has one of three outcomes. A clean poll has found every tag on the reader. During
//     a blurred poll, something lay on the reader that could not be read. After a failed
//     poll, nothing is known about the reader.
//  2. A found tag is new if it did not lie on the reader before. A new tag is tapped once,
//     however long it lies there.
//  3. A tag counts as lifted when enough clean polls in a row have missed it. The policy of
//     the tag's kind says how many. A failed or blurred poll lifts no tag; it restarts the
//     count.
//  4. Errors and resets lift no tag. The tags on the reader stay there until rule 3 says
//     otherwise.
//  5. If several tags are found at once, all of them are tapped. Tags that were found earlier
//     come first. Tags that the same poll has found come in the order of their UIDs. Lifted
//     tags come before tapped tags.
//  6. A tag that lies on a reader at the first look was put there before. Such a tag is laid,
//     not tapped, so a restarted program does not play the same card twice. The first look
//     ends with the first clean poll, or after maxFirstPolls blurred polls.
//  7. If the catalogue does not know a tag, the text on the tag may say what the tag means.
//     The reader tries a few times to read the text of a new tag. The tag is tapped when its
//     text was read, when the reader has given up, or when the tag was lifted. After giving
//     up, the reader tries again now and then. If it can read the text later, the tag is
//     tapped again, with its text.
//  8. Tags of some kinds have to settle. For example, a die that still rolls shows more than
//     one face. Such a tag is tapped when enough polls in a row have found it.
//  9. A tag lies in one place. When a card is moved, the table first learns that the card was
//     lifted, and then that it was tapped again. While two readers find a tag, it lies between
//     them and stays with the first one. Another reader may take the tag over when the first one
//     has missed it for takeOverAfter. By then the tag was moved, or that reader is dead or
//     disturbed.
type Board struct {
	mu   sync.Mutex // held during each signal, so that signals of a tag have the order of the events
	tags map[string]*lyingTag
}

const takeOverAfter = 500 * time.Millisecond

// A lyingTag is a tag that is believed to be on a reader.
type lyingTag struct {
	tag    string
	text   string // read from it
	reader *Reader
	policy Policy

	identified bool // its text was read, or it is in the catalogue
	tries      int  // attempts to identify it so far

	hits     int       // polls in a row that have found it
	misses   int       // clean polls in a row that have missed it
	present  bool      // the newest poll has found it
	lastSeen time.Time // when it was last found or reported
	initial  bool      // it was there at the first look
	reported bool      // it counts as laid, or the table knows that it was tapped

	tap *call // the tap of a tag that was reported over the network; nil for others
}

// NewBoard returns an empty board.
func NewBoard() *Board { return &Board{tags: map[string]*lyingTag{}} }

// An Outcome says how far a poll can be trusted; see rule 1.
type Outcome uint8

// Outcomes of a poll.
const (
	Clean   Outcome = iota // it found every tag on the reader
	Blurred                // something on the reader could not be read
	Failed                 // the chip did not answer properly: nothing is known
)

// A Policy holds the numbers of polls after which a tag counts as tapped or as lifted.
type Policy struct {
	TapAfter  int // polls in a row that find it, until it is tapped
	LiftAfter int // clean polls in a row that miss it, until it counts as lifted
}

// PolicyOf returns the policy of a kind of tag. The numbers of polls are for 20 polls a
// second.
//
// A card is tapped at once. It counts as lifted after four polls, that is 0.2 s. A player
// needs longer to take a card up and put it down again. Suppose that one poll in a hundred
// overlooked a card. Even then, four polls in a row would falsely lift the card only once in
// two months of play.
//
// A die has to lie still for 0.2 s. A face that shows only while the die rolls is found once
// or twice.
//
// A key has to be away for 0.4 s, because a key acts each time it is tapped. A false undo does
// more harm than a tap that has to be repeated.
func PolicyOf(kind device.TagKind) Policy {
	switch kind {
	case device.KeyTag:
		return Policy{TapAfter: 1, LiftAfter: 8}
	case device.DieTag:
		return Policy{TapAfter: 4, LiftAfter: 4}
	}
	return Policy{TapAfter: 1, LiftAfter: 4}
}

const (
	// maxTextTries is how often reading the text of a tag is tried.
	maxTextTries = 5
	// retryEvery is the number of polls in a row that must find a tag before the reader
	// tries again to read a text that it had given up.
	retryEvery = 40
	// maxFirstPolls is how many blurred polls the first look may take. Something
	// unreadable that stays longer must not hide the taps that follow.
	maxFirstPolls = 10
)

// see handles the outcome of a reader's poll and the tags that the poll found, and tells the table
// of taps and lifts.
func (b *Board) see(r *Reader, outcome Outcome, found []string) {
	if outcome == Failed {
		for _, t := range r.lying {
			t.misses, t.hits = 0, 0
		}
		return
	}
	b.mu.Lock()
	b.mark(r, outcome, found)
	b.lift(r)
	b.mu.Unlock()
	for _, t := range r.lying {
		if t.present && (!t.reported || !t.identified && t.hits%retryEvery == 0) {
			b.identify(t)
		}
	}
	r.goodPolls++
	r.firstLookOver = r.firstLookOver || outcome == Clean || r.goodPolls >= maxFirstPolls
}

// mark adds the new tags to those on the reader. For each tag on the reader, it counts how
// many polls in a row have found the tag, or have missed it.
func (b *Board) mark(r *Reader, outcome Outcome, found []string) {
	r.lying = slices.DeleteFunc(r.lying, func(t *lyingTag) bool { return b.tags[t.tag] != t })
	for _, t := range r.lying {
		t.present = false
	}
	old, now := len(r.lying), time.Now()
	for _, tag := range found {
		t := b.tags[tag]
		if t != nil && t.reader != r {
			if now.Sub(t.lastSeen) < takeOverAfter {
				continue
			}
			b.remove(t, r.emit)
			t = nil
		}
		if t == nil {
			t = &lyingTag{tag: tag, reader: r, policy: PolicyOf(device.CardTag), initial: !r.firstLookOver && !r.TapInitial}
			b.tags[tag], r.lying = t, append(r.lying, t)
		}
		t.present, t.lastSeen = true, now
	}
	slices.SortStableFunc(r.lying[old:], func(a, b *lyingTag) int { return cmp.Compare(a.tag, b.tag) })
	for _, t := range r.lying {
		switch {
		case t.present:
			t.hits, t.misses = t.hits+1, 0
		case outcome == Clean:
			t.hits, t.misses = 0, t.misses+1
		default:
			t.hits, t.misses = 0, 0
		}
	}
}

// lift removes the tags that enough polls have missed. If such a tag was not reported before
// because its text could not be read, lift first reports the tag (rule 7).
func (b *Board) lift(r *Reader) {
	r.lying = slices.DeleteFunc(r.lying, func(t *lyingTag) bool {
		if t.misses < t.policy.LiftAfter {
			return false
		}
		if !t.reported && !t.identified && t.tries > 0 {
			t.report()
		}
		b.remove(t, r.emit)
		return true
	})
}

// identify finds out what a tag means, which may take a while. It reports the tag if it was found
// often enough: rules 6 to 8.
func (b *Board) identify(t *lyingTag) {
	text, policy, ok := t.text, t.policy, true
	if !t.identified {
		text, policy, ok = t.reader.identify(t.tag)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tags[t.tag] != t {
		return // another reader has taken it over since
	}
	due := !t.reported
	switch {
	case t.identified:
	case ok:
		t.identified, t.text, t.policy = true, text, policy
		due = due || text != ""
	default:
		t.tries++
		due = due && t.tries >= maxTextTries
	}
	if due && (t.hits >= t.policy.TapAfter || t.initial) {
		t.report()
	}
}

func (t *lyingTag) report() {
	t.reported = true
	if !t.initial {
		t.reader.emit(device.TagOn{Place: t.reader.Place, Seat: t.reader.Seat, Tag: t.tag, Text: t.text})
	}
}

// remove takes a tag off the board. If the table knows of the tag, it learns that the tag was
// lifted.
func (b *Board) remove(t *lyingTag, emit device.Emit) <-chan engine.Receipt {
	delete(b.tags, t.tag)
	if !t.reported {
		return nil
	}
	return emit(device.TagOff{Place: t.reader.Place, Seat: t.reader.Seat, Tag: t.tag, Text: t.text})
}

// Remove forgets the tags that lie on a card reader that was removed, which has this name as a
// part. The table hears of no lift, because nobody has seen one: a reader that is set up in its
// place finds the cards lying there.
func (b *Board) Remove(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.tags, func(_ string, t *lyingTag) bool { return t.reader.Chip != nil && t.reader.Name == name })
}
