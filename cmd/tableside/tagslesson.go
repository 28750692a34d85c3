package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tableside/device"
	"tableside/device/catalogue"
	"tableside/engine"
)

// A lesson goes through a deck in printed order. One goroutine owns it.
type lesson struct {
	deck
	tags *catalogue.Catalogue
	only *device.Meaning // nothing but this is learnt; nil: the whole deck
	out  io.Writer
	say  func(key string, pairs ...any) string

	// write writes on a tag and reads it back. Nil: nothing is written.
	write func(ctx context.Context, tag, text string) error

	// dealt hears that the tags that were laid down have been dealt with.
	dealt func(context.Context)

	done    map[device.Meaning]bool // here and now
	skipped map[device.Meaning]bool
	history []learnt
	doubt   *device.TagOn // a tag that is something else: y takes it
	asked   string        // what was named last
	health  engine.Health // of the reader
}

// A learnt tag can be forgotten again.
type learnt struct {
	tag    string // "" for a card that was skipped
	card   device.Meaning
	was    *device.Meaning // what the tag was before; nil for nothing
	before string          // the tag that the card had before, or ""
}

func (l *lesson) tell(key string, pairs ...any) { fmt.Fprintln(l.out, l.say(key, pairs...)) }

// begin says what is known already.
func (l *lesson) begin() {
	l.done, l.skipped = map[device.Meaning]bool{}, map[device.Meaning]bool{}
	if l.only == nil {
		l.tell("cli.tags-known", "box", l.box, "n", len(l.copies), "known", len(l.known()))
		l.tell("cli.tags-keys")
	}
}

// known are the copies that the catalogue has.
func (l *lesson) known() map[device.Meaning]bool {
	known := map[device.Meaning]bool{}
	for _, e := range l.tags.Entries() {
		if l.mine(e.Meaning) {
			known[e.Meaning] = true
		}
	}
	return known
}

// mine tells whether a meaning is what this lesson is about.
func (l *lesson) mine(m device.Meaning) bool {
	if l.only != nil {
		return m == *l.only
	}
	return m.Kind == device.CardTag && m.Box == l.box && slices.Contains(l.copies, m.Name)
}

// awaited is what the next tag will be that nobody knows. False: nothing.
func (l *lesson) awaited() (device.Meaning, bool) {
	if l.only != nil {
		return *l.only, !l.done[*l.only]
	}
	known := l.known()
	for _, copy := range l.copies {
		if m := l.meaning(copy); !known[m] && !l.skipped[m] {
			return m, true
		}
	}
	return device.Meaning{}, false
}

// left counts what is still to be done: copies without a tag or, where names
// are written, copies that were not laid down yet.
func (l *lesson) left() int {
	if l.only != nil {
		return 1 - len(l.done)
	}
	done, n := l.done, 0
	if l.write == nil {
		done = l.known()
	}
	for _, copy := range l.copies {
		if m := l.meaning(copy); !done[m] && !l.skipped[m] {
			n++
		}
	}
	return n
}

// ask names what is awaited, once.
func (l *lesson) ask() {
	m, ok := l.awaited()
	name := "any card"
	if ok {
		name = m.String()
	}
	left := l.left()
	if left == 0 || name == l.asked {
		return
	}
	if l.asked = name; !ok {
		l.tell("cli.tags-any", "n", left)
		return
	}
	title := m.Name
	if l.mine(m) && m.Kind == device.CardTag {
		title = l.title(m.Name)
	}
	l.tell("cli.tags-next", "card", name, "title", title)
}

// tap takes a tag that was laid down.
func (l *lesson) tap(ctx context.Context, s device.TagOn) {
	l.doubt = nil
	want, waits := l.awaited()
	known, inCatalogue := l.tags.Meaning(s.Tag, "")
	said, names := device.ParseTagText(s.Text)
	switch {
	case inCatalogue && known.Kind == device.KeyTag && known.Name == string(engine.Undo) && (l.only == nil || *l.only != known):
		l.undo()
	case l.write != nil && inCatalogue && l.mine(known):
		l.keep(ctx, s, known, names && said != known || !names && s.Text != "")
	case !waits:
		l.tell("cli.tags-stranger", "tag", s.Tag)
	case inCatalogue && known != want:
		l.doubt = &s
		l.tell("cli.tags-other", "tag", s.Tag, "other", known.String(), "card", want.String())
	case !inCatalogue && names && said != want:
		l.doubt = &s
		l.tell("cli.tags-says", "tag", s.Tag, "other", said.String(), "card", want.String())
	default:
		l.keep(ctx, s, want, !names && s.Text != "")
	}
	l.ask()
}

// keep learns a tag, and writes on it unless its text is worth a question.
func (l *lesson) keep(ctx context.Context, s device.TagOn, m device.Meaning, foreign bool) {
	if l.write != nil && foreign {
		l.doubt = &s
		l.tell("cli.tags-foreign", "tag", s.Tag, "text", fmt.Sprintf("%.60q", s.Text), "card", m.String())
		return
	}
	l.learn(ctx, s, m)
}

func (l *lesson) learn(ctx context.Context, s device.TagOn, m device.Meaning) {
	step := learnt{tag: s.Tag, card: m}
	if was, ok := l.tags.Meaning(s.Tag, ""); ok {
		step.was = &was
	}
	var err error
	if step.before, err = l.tags.Learn(s.Tag, m); err != nil {
		l.tell("cli.tags-not-learnt", "tag", s.Tag, "reason", strings.TrimPrefix(err.Error(), "column 1: "))
		return
	}
	if step.was == nil || *step.was != m {
		l.history = append(l.history, step)
	}
	switch {
	case l.write == nil:
		l.tell("cli.tags-learnt", "tag", s.Tag, "card", m.String())
	case strings.TrimSpace(s.Text) == m.TagText():
		l.tell("cli.tags-written", "tag", s.Tag, "card", m.String())
	default:
		if err := l.write(ctx, s.Tag, m.TagText()); err != nil {
			l.tell("cli.tags-not-written", "tag", s.Tag, "reason", err.Error())
			return
		}
		l.tell("cli.tags-written", "tag", s.Tag, "card", m.String())
	}
	l.done[m] = true
}

// undo takes back what was learnt last. What is written on a tag stays there
// until something else is.
func (l *lesson) undo() {
	if len(l.history) == 0 {
		l.tell("cli.tags-nothing")
		return
	}
	step := l.history[len(l.history)-1]
	l.history = l.history[:len(l.history)-1]
	l.asked = ""
	if step.tag == "" {
		delete(l.skipped, step.card)
		return
	}
	err := l.restore(step)
	if err != nil {
		l.tell("cli.tags-not-learnt", "tag", step.tag, "reason", err.Error())
		return
	}
	delete(l.done, step.card)
	l.tell("cli.tags-undone", "tag", step.tag, "card", step.card.String())
}

func (l *lesson) restore(step learnt) error {
	if step.was == nil {
		if err := l.tags.Forget(step.tag); err != nil {
			return err
		}
	} else if _, err := l.tags.Learn(step.tag, *step.was); err != nil {
		return err
	}
	if step.before == "" {
		return nil
	}
	_, err := l.tags.Learn(step.before, step.card)
	return err
}

// answer takes a line of the keyboard. True ends the lesson.
func (l *lesson) answer(ctx context.Context, line string) (end bool) {
	doubt := l.doubt
	l.doubt = nil
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "q":
		return true
	case "u":
		l.undo()
	case "s":
		if m, ok := l.awaited(); ok && l.only == nil {
			l.skipped[m] = true
			l.history = append(l.history, learnt{card: m})
		}
	case "y":
		if doubt == nil {
			break
		}
		m, known := l.tags.Meaning(doubt.Tag, "")
		if !known || !l.mine(m) || l.write == nil {
			if want, ok := l.awaited(); ok {
				m = want
			}
		}
		l.learn(ctx, *doubt, m)
	default:
		l.tell("cli.tags-keys")
	}
	l.ask()
	return false
}

// together is how long after a tag another one counts as laid down with it:
// which of them was meant nobody can tell.
const together = 120 * time.Millisecond

// run teaches until everything is known, somebody ends it, or the context
// does.
func (l *lesson) run(ctx context.Context, signals <-chan device.Signal, lines <-chan string) error {
	l.begin()
	l.ask()
	var laid []device.TagOn
	alone := time.NewTimer(0)
	defer alone.Stop()
	for l.left() > 0 {
		select {
		case <-ctx.Done():
			l.sum()
			return nil
		case line, ok := <-lines:
			if !ok {
				lines = nil // nobody types any more
			} else if l.answer(ctx, line) {
				l.sum()
				return nil
			}
		case s := <-signals:
			switch s := s.(type) {
			case device.TagOn:
				laid = append(laid, s)
				alone.Reset(together)
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
				l.tell("cli.tags-two")
			}
			laid = nil
			l.dealt(ctx)
		}
	}
	l.sum()
	return nil
}

// report tells when the reader fails, and when it works again.
func (l *lesson) report(p engine.Part) {
	before := l.health
	if l.health = p.Health; before == p.Health || before == "" && p.Health == engine.OK {
		return
	}
	l.tell("cli.tags-reader", "reader", p.Name, "health", string(p.Health), "reason", p.Reason)
}

// sum says how far it went.
func (l *lesson) sum() {
	if l.only != nil {
		return
	}
	if known := len(l.known()); known < len(l.copies) {
		l.tell("cli.tags-left", "box", l.box, "n", len(l.copies), "known", known)
	} else {
		l.tell("cli.tags-all", "box", l.box, "n", len(l.copies))
	}
}
