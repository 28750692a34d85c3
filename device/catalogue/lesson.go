package catalogue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tableside/device"
	"tableside/engine"
)

// A Lesson teaches the catalogue the tag of each copy in a deck, in printed order. Only one
// goroutine may use a lesson.
type Lesson struct {
	Deck
	Tags *Catalogue
	Only *device.Meaning // the only meaning to learn; nil for the whole deck
	Out  io.Writer
	Lang engine.Lang

	// Write writes a text on a tag and reads it back. Write is nil where tags are not written.
	Write func(ctx context.Context, tag, text string) error

	// Dealt is called when a tag that was laid down has been processed, and once for several
	// tags that were laid down together. It must not be nil.
	Dealt func()

	words       engine.Words
	learnt      map[device.Meaning]bool // in this lesson
	skipped     map[device.Meaning]bool
	history     []learntStep
	doubtfulTag *device.TagOn // is learnt only if the user answers "y"; nil for none
	lastAsked   string        // a meaning, or "any card"; "" to ask again
	health      engine.Health // of the reader
}

// A learntStep is a step of the lesson that can be undone.
type learntStep struct {
	tag        string // "" for a card that was skipped
	card       device.Meaning
	oldMeaning *device.Meaning // what the tag meant before the step; nil for nothing
	oldTag     string          // the tag that the card had before the step, or ""
}

func (l *Lesson) tell(key string, pairs ...any) {
	fmt.Fprintln(l.Out, l.words.Say(l.Lang, engine.T(key, pairs...), nil))
}

func (l *Lesson) knownTags() map[device.Meaning]bool {
	known := map[device.Meaning]bool{}
	for _, e := range l.Tags.Entries() {
		if l.isTaught(e.Meaning) {
			known[e.Meaning] = true
		}
	}
	return known
}

func (l *Lesson) isTaught(m device.Meaning) bool {
	if l.Only != nil {
		return m == *l.Only
	}
	return m.Kind == device.CardTag && m.Box == l.Box && slices.Contains(l.Copies, m.Name)
}

// awaited returns the meaning that the next unknown tag gets, or false if nothing is left to
// learn.
func (l *Lesson) awaited() (device.Meaning, bool) {
	if l.Only != nil {
		return *l.Only, !l.learnt[*l.Only]
	}
	known := l.knownTags()
	for _, copy := range l.Copies {
		if m := l.Meaning(copy); !known[m] && !l.skipped[m] {
			return m, true
		}
	}
	return device.Meaning{}, false
}

// countLeft returns the number of copies that are still to be learnt. These are the copies
// without a tag. In a lesson that also writes on tags, they are the copies that nobody has
// laid down yet. Copies that were skipped are left out.
func (l *Lesson) countLeft() int {
	if l.Only != nil {
		return 1 - len(l.learnt)
	}
	done, n := l.learnt, 0
	if l.Write == nil {
		done = l.knownTags()
	}
	for _, copy := range l.Copies {
		if m := l.Meaning(copy); !done[m] && !l.skipped[m] {
			n++
		}
	}
	return n
}

// ask prints which card to lay down next. It prints nothing if this is the card that it named
// last, or if no card is left to learn.
func (l *Lesson) ask() {
	m, ok := l.awaited()
	name := "any card"
	if ok {
		name = m.String()
	}
	left := l.countLeft()
	if left == 0 || name == l.lastAsked {
		return
	}
	if l.lastAsked = name; !ok {
		l.tell("lesson.any", "n", left)
		return
	}
	title := m.Name
	if l.isTaught(m) && m.Kind == device.CardTag {
		title = l.title(m.Name)
	}
	l.tell("lesson.next", "card", name, "title", title)
}

// tap processes a tag that was laid down.
func (l *Lesson) tap(ctx context.Context, s device.TagOn) {
	l.doubtfulTag = nil
	want, waits := l.awaited()
	known, inCatalogue := l.Tags.Meaning(s.Tag, "")
	said, names := device.ParseTagText(s.Text)
	switch {
	case inCatalogue && known.Kind == device.KeyTag && known.Name == string(engine.Undo) &&
		(l.Only == nil || *l.Only != known):
		l.undo()
	case l.Write != nil && inCatalogue && l.isTaught(known):
		l.keep(ctx, s, known, names && said != known || !names && s.Text != "")
	case !waits:
		l.tell("lesson.stranger", "tag", s.Tag)
	case inCatalogue && known != want:
		l.doubtfulTag = &s
		l.tell("lesson.other", "tag", s.Tag, "other", known.String(), "card", want.String())
	case !inCatalogue && names && said != want:
		l.doubtfulTag = &s
		l.tell("lesson.says", "tag", s.Tag, "other", said.String(), "card", want.String())
	default:
		l.keep(ctx, s, want, !names && s.Text != "")
	}
	l.ask()
}

// keep learns a tag. In a lesson that writes on tags, it also writes on the tag. If foreign is
// true, the tag has a foreign text, which writing would destroy. A lesson that writes on tags
// then learns nothing yet, but asks the user whether to write.
func (l *Lesson) keep(ctx context.Context, s device.TagOn, m device.Meaning, foreign bool) {
	if l.Write != nil && foreign {
		l.doubtfulTag = &s
		l.tell("lesson.foreign", "tag", s.Tag, "text", fmt.Sprintf("%.60q", s.Text), "card", m.String())
		return
	}
	l.learn(ctx, s, m)
}

func (l *Lesson) learn(ctx context.Context, s device.TagOn, m device.Meaning) {
	step := learntStep{tag: s.Tag, card: m}
	if was, ok := l.Tags.Meaning(s.Tag, ""); ok {
		step.oldMeaning = &was
	}
	var err error
	if step.oldTag, err = l.Tags.Learn(s.Tag, m); err != nil {
		l.tell("lesson.not-learnt", "tag", s.Tag, "reason", reasonOf(err))
		return
	}
	if step.oldMeaning == nil || *step.oldMeaning != m {
		l.history = append(l.history, step)
	}
	switch {
	case l.Write == nil:
		l.tell("lesson.learnt", "tag", s.Tag, "card", m.String())
	case strings.TrimSpace(s.Text) == m.TagText():
		l.tell("lesson.written", "tag", s.Tag, "card", m.String())
	default:
		if err := l.Write(ctx, s.Tag, m.TagText()); err != nil {
			l.tell("lesson.not-written", "tag", s.Tag, "reason", reasonOf(err))
			return
		}
		l.tell("lesson.written", "tag", s.Tag, "card", m.String())
	}
	l.learnt[m] = true
}

func reasonOf(err error) engine.Wording {
	if syntax, ok := errors.AsType[*engine.SyntaxError](err); ok && syntax.File == "" {
		return engine.Worded(syntax.In) // its column says nothing
	}
	return engine.ErrorSaid(err)
}

// undo takes back the last step. The text on a tag stays until it is overwritten.
func (l *Lesson) undo() {
	if len(l.history) == 0 {
		l.tell("lesson.nothing")
		return
	}
	last := len(l.history) - 1
	step := l.history[last]
	l.lastAsked = ""
	if step.tag == "" {
		l.history = l.history[:last]
		delete(l.skipped, step.card)
		return
	}
	if err := l.restore(step); err != nil { // the step stays, so that one can try again
		l.tell("lesson.not-learnt", "tag", step.tag, "reason", reasonOf(err))
		return
	}
	l.history = l.history[:last]
	delete(l.learnt, step.card)
	l.tell("lesson.undone", "tag", step.tag, "card", step.card.String())
}

func (l *Lesson) restore(step learntStep) error {
	if step.oldMeaning == nil {
		if err := l.Tags.Forget(step.tag); err != nil {
			return err
		}
	} else if _, err := l.Tags.Learn(step.tag, *step.oldMeaning); err != nil {
		return err
	}
	if step.oldTag == "" {
		return nil
	}
	_, err := l.Tags.Learn(step.oldTag, step.card)
	return err
}

// answer processes a line of the keyboard, and reports whether it ends the lesson.
func (l *Lesson) answer(ctx context.Context, line string) (end bool) {
	doubt := l.doubtfulTag
	l.doubtfulTag = nil
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "q":
		return true
	case "u":
		l.undo()
	case "s":
		if m, ok := l.awaited(); ok && l.Only == nil {
			l.skipped[m] = true
			l.history = append(l.history, learntStep{card: m})
		}
	case "y":
		if doubt == nil {
			break
		}
		m, known := l.Tags.Meaning(doubt.Tag, "")
		if !known || !l.isTaught(m) || l.Write == nil {
			if want, ok := l.awaited(); ok {
				m = want
			}
		}
		l.learn(ctx, *doubt, m)
	default:
		l.tell("lesson.keys")
	}
	l.ask()
	return false
}

// collisionTime is the time within which two tags count as laid down together. Such tags are
// not learnt, because nobody can tell which of them was meant.
const collisionTime = 120 * time.Millisecond

// Run teaches until nothing is left to learn, or until the user or the context ends the
// lesson. The tags and the health of the reader come from signals. The answers of the user
// come from lines.
func (l *Lesson) Run(ctx context.Context, signals <-chan device.Signal, lines <-chan string) {
	l.words = Words()
	l.learnt, l.skipped = map[device.Meaning]bool{}, map[device.Meaning]bool{}
	if l.Only == nil {
		l.tell("lesson.known", "box", l.Box, "n", len(l.Copies), "known", len(l.knownTags()))
		l.tell("lesson.keys")
		defer l.printSummary()
	}
	l.ask()
	var laid []device.TagOn
	alone := time.NewTimer(0)
	defer alone.Stop()
	for l.countLeft() > 0 {
		select {
		case <-ctx.Done():
			return
		case line, ok := <-lines:
			if !ok {
				lines = nil // the input has ended
			} else if l.answer(ctx, line) {
				return
			}
		case s := <-signals:
			switch s := s.(type) {
			case device.TagOn:
				laid = append(laid, s)
				alone.Reset(collisionTime)
			case device.Report:
				l.report(s.Part)
			}
		case <-alone.C:
			switch len(laid) {
			case 0:
				continue
			case 1:
				l.tap(ctx, laid[0])
			default:
				l.tell("lesson.two")
			}
			laid = nil
			l.Dealt()
		}
	}
}

func (l *Lesson) report(p engine.Part) {
	before := l.health
	if l.health = p.Health; before == p.Health || before == "" && p.Health == engine.OK {
		return
	}
	l.tell("lesson.reader", "reader", p.Name, "health", string(p.Health), "reason", p.Said(l.Lang).Reason)
}

func (l *Lesson) printSummary() {
	if known := len(l.knownTags()); known < len(l.Copies) {
		l.tell("lesson.left", "box", l.Box, "n", len(l.Copies), "known", known)
	} else {
		l.tell("lesson.all", "box", l.Box, "n", len(l.Copies))
	}
}
