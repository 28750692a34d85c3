package reader

import (
	"cmp"
	"slices"

	"tableside/device"
)

// A Presence knows which tags lie on one reader. It is fed with what polls
// find and says what has happened there. These are its rules:
//
//  1. A poll has one of three outcomes: it was clean, and found every tag that
//     lies there; it was blurred, and something lay there that could not be
//     read; or it failed, and nothing is known.
//  2. A tag that is found and does not lie there yet is new. It is tapped
//     once, however long it lies there.
//  3. It was lifted when so many clean polls in a row have not found it; how
//     many is the policy of its kind. Only clean polls count, and a poll that
//     failed or was blurred begins the count anew: neither is a removal.
//  4. Whatever fails and is set up again: what lay there before lies there
//     still, until clean polls say otherwise. Nothing but rule 3 forgets it.
//  5. Several tags at once are all tapped: those found earlier first, those
//     found by the same poll in the order of their UIDs. What was lifted comes
//     before what was tapped.
//  6. What lies there when a reader is first looked at was put there before:
//     it is laid, not tapped. So a program that is started again with a card
//     on a reader does not play it twice. The first look ends with the first
//     clean poll.
//  7. A tag that nobody knows may say itself what it is. It is asked when it is
//     new, a few times if it cannot be read, and tapped when it has answered,
//     has been given up, or was lifted meanwhile.
//  8. Some kinds have to settle: a die that still rolls shows more than one
//     face. Such a tag is tapped when so many polls in a row have found it.
//  9. A tag lies in one place. While another reader has it, it is not tapped
//     here.
//
// The zero value is a reader that was never looked at.
type Presence struct {
	// Anew makes rule 6 void: what lies there at first is tapped.
	Anew bool

	looks   int // polls so far that were not clean, until one was or firstLooks were not
	looked  bool
	tags    []lying
	changes []Change // used again by the next poll
}

// A lying tag lies on the reader, as far as is known.
type lying struct {
	tag    string
	text   string // what it says of itself
	policy Policy
	named  bool // it was asked, or needs not be
	tries  int  // it did not answer
	found  int  // polls in a row that have found it
	missed int  // clean polls in a row that have not
	here   bool // the newest poll has found it
	before bool // it was there at the first look
	tapped bool // that it lies there has been said
}

// An Outcome is what became of a poll.
type Outcome uint8

// The three outcomes.
const (
	Clean Outcome = iota
	Blurred
	Failed
)

// A Change is something that has happened on a reader.
type Change struct {
	What Happening
	Tag  string
	Text string // what the tag says of itself, "" for nothing
}

// A Happening is what a change is.
type Happening uint8

// What happens on a reader.
const (
	Laid   Happening = iota // it lay there before
	Tapped                  // it was put there
	Lifted
)

// A Policy is what it takes for a tag to have come and gone, in polls.
type Policy struct {
	Settle int // polls in a row that find it before it is tapped
	Gone   int // clean polls in a row that do not before it was lifted
}

// PolicyOf is the policy of a kind of tag. At 20 polls a second:
//
// A card counts at once and was lifted after 0.2 s. That is shorter than a
// hand needs to take it up and put it down again, and long enough for three
// polls in a row to overlook it: one in a hundred such polls would still be a
// false lift only once in two months of play.
//
// A die has to lie still for 0.2 s: a face over which it only rolls is found
// once or twice.
//
// A key acts again each time it is tapped, and a false undo does more harm
// than one that has to be asked for again: it has to be away for 0.4 s.
func PolicyOf(kind device.TagKind) Policy {
	switch kind {
	case device.KeyTag:
		return Policy{Settle: 1, Gone: 8}
	case device.DieTag:
		return Policy{Settle: 4, Gone: 4}
	}
	return Policy{Settle: 1, Gone: 4}
}

const (
	// nameTries is how often a tag is asked that cannot be read.
	nameTries = 5
	// firstLooks is how many blurred polls the first look may take. Then what
	// is unreadable is there to stay, and must not hide what comes.
	firstLooks = 10
)

// Around is what the rules ask of the world.
type Around interface {
	// Take tells whether the reader may have the tag: no other one has it.
	Take(tag string) bool
	// Name asks a tag what it is. False says that it could not be read.
	Name(tag string) (text string, policy Policy, ok bool)
}

// See takes what a poll has found: its outcome, and the tags that it could
// read. The changes are good until the next call.
func (p *Presence) See(outcome Outcome, found []string, around Around) []Change {
	p.changes = p.changes[:0]
	if outcome == Failed {
		for i := range p.tags {
			p.tags[i].missed, p.tags[i].found = 0, 0
		}
		return nil
	}
	p.mark(outcome, found)
	p.lift(around)
	p.tap(around)
	p.looks++
	p.looked = p.looked || outcome == Clean || p.looks >= firstLooks
	return p.changes
}

// mark notes which tags were found and which were missed.
func (p *Presence) mark(outcome Outcome, found []string) {
	for i := range p.tags {
		p.tags[i].here = false
	}
	old := len(p.tags)
	for _, tag := range found {
		i := p.index(tag)
		if i < 0 {
			i = len(p.tags)
			p.tags = append(p.tags, lying{tag: tag, policy: PolicyOf(device.CardTag), before: !p.looked && !p.Anew})
		}
		p.tags[i].here = true
	}
	if len(p.tags) > old+1 {
		slices.SortFunc(p.tags[old:], func(a, b lying) int { return cmp.Compare(a.tag, b.tag) })
	}
	for i := range p.tags {
		switch t := &p.tags[i]; {
		case t.here:
			t.found, t.missed = t.found+1, 0
		case outcome == Clean:
			t.found, t.missed = 0, t.missed+1
		default:
			t.found, t.missed = 0, 0
		}
	}
}

// lift forgets the tags that were missed often enough.
func (p *Presence) lift(around Around) {
	kept := p.tags[:0]
	for _, t := range p.tags {
		if t.missed < t.policy.Gone {
			kept = append(kept, t)
			continue
		}
		if !t.tapped && !t.named && t.tries > 0 && around.Take(t.tag) { // rule 7
			p.say(t.come(), &t)
			t.tapped = true
		}
		if t.tapped {
			p.say(Lifted, &t)
		}
	}
	clear(p.tags[len(kept):])
	p.tags = kept
}

// tap finds the tags that count now.
func (p *Presence) tap(around Around) {
	for i := range p.tags {
		t := &p.tags[i]
		if !t.here || t.tapped || !around.Take(t.tag) {
			continue
		}
		if !t.named {
			text, policy, ok := around.Name(t.tag)
			if t.tries++; !ok && t.tries < nameTries {
				continue
			}
			if t.named = true; ok {
				t.text, t.policy = text, policy
			}
		}
		if t.found >= t.policy.Settle || t.before {
			t.tapped = true
			p.say(t.come(), t)
		}
	}
}

func (t *lying) come() Happening {
	if t.before {
		return Laid
	}
	return Tapped
}

func (p *Presence) say(what Happening, t *lying) {
	p.changes = append(p.changes, Change{What: what, Tag: t.tag, Text: t.text})
}

// Forget takes a tag for lifted without saying so: it lies elsewhere now.
func (p *Presence) Forget(tag string) {
	if i := p.index(tag); i >= 0 {
		p.tags = slices.Delete(p.tags, i, i+1)
	}
}

// Lies tells whether a tag lies there, as far as is known.
func (p *Presence) Lies(tag string) bool {
	i := p.index(tag)
	return i >= 0 && p.tags[i].tapped
}

func (p *Presence) index(tag string) int {
	for i := range p.tags {
		if p.tags[i].tag == tag {
			return i
		}
	}
	return -1
}
