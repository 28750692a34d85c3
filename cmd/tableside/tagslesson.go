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

// A lesson goes through a deck in printed order. It belongs to one goroutine.
type lesson struct {
	deck
	tags *catalogue.Catalogue
	only *device.Meaning // the only one to learn; nil is the whole deck
	out  io.Writer
	say  func(key string, pairs ...any) string

	// write writes on a tag and reads it back; nil where tags are not written.
	write func(ctx context.Context, tag, text string) error

	// dealt is called when the tags that were laid down have been processed.
	dealt func(context.Context)

	done    map[device.Meaning]bool // in this lesson
	skipped map[device.Meaning]bool
	history []learnt
	doubt   *device.TagOn // a tag that means something else: y takes it anyway
	asked   string        // the last one that was asked for
	health  engine.Health // of the reader
}

// A learnt is a step of the lesson that can be undone.
type learnt struct {
	tag    string // "" for a card that was skipped
	card   device.Meaning
	was    *device.Meaning // what the tag meant before; nil for nothing
	before string          // the tag that the card had before, or ""
}

func (l *lesson) tell(key string, pairs ...any) { fmt.Fprintln(l.out, l.say(key, pairs...)) }

// begin prints how much is known already, and the keys.
func (l *lesson) begin() {
	l.done, l.skipped = map[device.Meaning]bool{}, map[device.Meaning]bool{}
	if l.only == nil {
		l.tell("cli.tags-known", "box", l.box, "n", len(l.copies), "known", len(l.known()))
		l.tell("cli.tags-keys")
	}
}

// known returns the copies that the catalogue has.
func (l *lesson) known() map[device.Meaning]bool {
	known := map[device.Meaning]bool{}
	for _, e := range l.tags.Entries() {
		if l.mine(e.Meaning) {
			known[e.Meaning] = true
		}
	}
	return known
}

// mine reports whether a meaning belongs to this lesson.
func (l *lesson) mine(m device.Meaning) bool {
	if l.only != nil {
		return m == *l.only
	}
	return m.Kind == device.CardTag && m.Box == l.box && slices.Contains(l.copies, m.Name)
}

// awaited returns the meaning that the next unknown tag gets; false where nothing is
// left.
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

// left counts the copies still to be learnt: those without a tag or, where tags are
// written, those that were not laid down yet.
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

// ask asks for what is awaited, once.
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

// tap processes a tag that was laid down.
func (l *lesson) tap(ctx context.Context, s device.TagOn) {
	l.doubt = nil
	want, waits := l.awaited()
	known, inCatalogue := l.tags.Meaning(s.Tag, "")
	said, names := device.ParseTagText(s.Text)
	switch {
	case inCatalogue && known.Kind == device.KeyTag && known.Name == string(engine.Undo) &&
		(l.only == nil || *l.only != known):
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

// keep learns a tag and writes on it. Where it has a foreign text, keep asks first.
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

// undo takes back the last step. The text on a tag stays until it is overwritten.
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

// answer processes a line of the keyboard, and reports whether it ends the lesson.
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

// together is the time within which a second tag counts as laid down with the first:
// nobody can tell which of them was meant.
const together = 120 * time.Millisecond

// run teaches until everything is known, or the user or the context ends it.
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
				lines = nil // the input has ended
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

// report prints when the reader fails, and when it works again.
func (l *lesson) report(p engine.Part) {
	before := l.health
	if l.health = p.Health; before == p.Health || before == "" && p.Health == engine.OK {
		return
	}
	l.tell("cli.tags-reader", "reader", p.Name, "health", string(p.Health), "reason", p.Reason)
}

// sum prints how far the lesson went.
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
