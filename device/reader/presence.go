package reader

import (
	"cmp"
	"slices"

	"tableside/device"
)

// A Presence holds the tags on one reader. It turns the results of polls into changes, by
// these rules:
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
//  9. A tag lies in one place. While another reader has the tag, it is not tapped on this
//     reader.
//
// The zero value is a reader that was never looked at.
type Presence struct {
	// TapInitial reports whether tags found at the first look count as tapped. If it is true,
	// rule 6 does not apply.
	TapInitial bool

	goodPolls     int  // polls so far that did not fail
	firstLookOver bool // see rule 6
	tags          []lyingTag
	changes       []Change // used again by the next poll
}

// A lyingTag is a tag that is believed to be on the reader.
type lyingTag struct {
	tag    string
	text   string // read from it
	policy Policy

	identified bool // its text was read, or it is in the catalogue
	tries      int  // attempts to identify it so far

	hits    int  // polls in a row that have found it
	misses  int  // clean polls in a row that have missed it
	present bool // the newest poll has found it
	initial bool // it was there at the first look
	tapped  bool // a change has reported it as tapped or laid
}

// An Outcome says how far a poll can be trusted; see rule 1.
type Outcome uint8

// Outcomes of a poll.
const (
	Clean   Outcome = iota // it found every tag on the reader
	Blurred                // something on the reader could not be read
	Failed                 // the chip did not answer properly: nothing is known
)

// A Change reports an event of one tag on a reader.
type Change struct {
	Kind ChangeKind
	Tag  string
	Text string // read from the tag, or ""
}

// A ChangeKind is a kind of change on a reader.
type ChangeKind uint8

// These are the kinds of change on a reader.
const (
	Laid   ChangeKind = iota // it was there before the first look
	Tapped                   // it was put there
	Lifted
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

// Environment is Presence's view of the board and the chip.
type Environment interface {
	// Take gives a tag to the reader, unless another reader has the tag. Take reports
	// whether the reader has the tag now.
	Take(tag string) bool
	// Identify returns the text on a tag, and the policy of the tag's kind. The text is ""
	// if the tag has none, or if the tag's meaning is known without it. ok is false if the
	// tag could not be read.
	Identify(tag string) (text string, policy Policy, ok bool)
}

// See handles the outcome of a poll and the tags that the poll found, and returns the
// changes. The changes are valid until the next call.
func (p *Presence) See(outcome Outcome, found []string, env Environment) []Change {
	p.changes = p.changes[:0]
	if outcome == Failed {
		for i := range p.tags {
			p.tags[i].misses, p.tags[i].hits = 0, 0
		}
		return nil
	}
	p.mark(outcome, found)
	p.lift(env)
	p.tap(env)
	p.goodPolls++
	p.firstLookOver = p.firstLookOver || outcome == Clean || p.goodPolls >= maxFirstPolls
	return p.changes
}

// mark adds the new tags to those on the reader. For each tag on the reader, it counts how
// many polls in a row have found the tag, or have missed it.
func (p *Presence) mark(outcome Outcome, found []string) {
	for i := range p.tags {
		p.tags[i].present = false
	}
	old := len(p.tags)
	for _, tag := range found {
		i := p.index(tag)
		if i < 0 {
			i = len(p.tags)
			p.tags = append(p.tags, lyingTag{tag: tag, policy: PolicyOf(device.CardTag),
				initial: !p.firstLookOver && !p.TapInitial})
		}
		p.tags[i].present = true
	}
	if len(p.tags) > old+1 {
		slices.SortStableFunc(p.tags[old:], func(a, b lyingTag) int { return cmp.Compare(a.tag, b.tag) })
	}
	for i := range p.tags {
		switch t := &p.tags[i]; {
		case t.present:
			t.hits, t.misses = t.hits+1, 0
		case outcome == Clean:
			t.hits, t.misses = 0, t.misses+1
		default:
			t.hits, t.misses = 0, 0
		}
	}
}

// lift removes the tags that enough polls have missed. If such a tag was reported before, lift
// reports the tag as lifted. If a tag was not reported before because its text could not be
// read, lift first reports the tag as tapped or laid (rule 7).
func (p *Presence) lift(env Environment) {
	kept := p.tags[:0]
	for _, t := range p.tags {
		if t.misses < t.policy.LiftAfter {
			kept = append(kept, t)
			continue
		}
		if !t.tapped && !t.identified && t.tries > 0 && env.Take(t.tag) { // rule 7
			p.say(t.arrival(), &t)
			t.tapped = true
		}
		if t.tapped {
			p.say(Lifted, &t)
		}
	}
	clear(p.tags[len(kept):])
	p.tags = kept
}

// tap reports the tags that were found often enough, with their texts: rules 6 to 9.
func (p *Presence) tap(env Environment) {
	for i := range p.tags {
		t := &p.tags[i]
		if !t.present || t.tapped && !t.isReadDue() || !env.Take(t.tag) {
			continue
		}
		if !t.identified && !t.identify(env) {
			continue
		}
		if t.hits >= t.policy.TapAfter || t.initial {
			t.tapped = true
			p.say(t.arrival(), t)
		}
	}
}

// isReadDue reports whether it is time to try the tag's text once more. The reader had given
// up reading it.
func (t *lyingTag) isReadDue() bool {
	return !t.identified && t.hits%retryEvery == 0
}

// identify tries to find out what a tag means, and reports whether to tap the tag now. For a
// new tag, the result is true once the tag was identified, or after maxTextTries attempts. For
// a tag that was tapped before, the result is true only if a text was read.
func (t *lyingTag) identify(env Environment) bool {
	text, policy, ok := env.Identify(t.tag)
	if ok {
		t.identified, t.text, t.policy = true, text, policy
		return !t.tapped || text != ""
	}
	t.tries++
	return !t.tapped && t.tries >= maxTextTries
}

func (t *lyingTag) arrival() ChangeKind {
	if t.initial {
		return Laid
	}
	return Tapped
}

func (p *Presence) say(kind ChangeKind, t *lyingTag) {
	p.changes = append(p.changes, Change{Kind: kind, Tag: t.tag, Text: t.text})
}

// Forget removes a tag, but reports no Change, because another reader has the tag now.
func (p *Presence) Forget(tag string) {
	if i := p.index(tag); i >= 0 {
		p.tags = slices.Delete(p.tags, i, i+1)
	}
}

func (p *Presence) index(tag string) int {
	for i := range p.tags {
		if p.tags[i].tag == tag {
			return i
		}
	}
	return -1
}
