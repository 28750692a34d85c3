package device

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"tableside/engine"
)

// lessonLimit is how long a lesson waits for an unknown tag. The time is short, so that a
// forgotten lesson does not teach the catalogue a wrong tag next week.
const lessonLimit = time.Minute

// Lessons teach the catalogue what tags mean.
type lessons struct {
	log      *slog.Logger
	games    []engine.Info
	lang     engine.Lang
	learnTag func(tag string, m Meaning) (before string, err error) // Config.LearnTag
	say      func(engine.Text) string
	clerk    clerk // writes the catalogue

	next   *lesson         // the lesson that waits for its tag, or nil
	taught map[string]bool // tags learnt and not tapped since: such a tag may still lie on its reader
}

// A lesson holds the meaning that the next unknown tag will get.
type lesson struct {
	meaning Meaning
	until   time.Time
}

// handleUnknown handles a tag that has no meaning. If a lesson is pending, the tag gets the
// meaning of the lesson. A pressed key has a tag, too, but only the lesson of a key takes such
// a tag. If no lesson takes the tag, the receipt says that the tag is unknown. With a
// catalogue, it also offers to learn the tag.
func (l *lessons) handleUnknown(tag string, at time.Time) engine.Receipt {
	key, _, isKey := CutPressed(tag)
	// A lesson of cards does not take a key that was pressed by accident.
	if next := l.next; next != nil && !at.After(next.until) && (!isKey || next.meaning.Kind == KeyTag) {
		l.next = nil
		return l.learn(tag, next.meaning)
	}
	text := engine.T("receipt.unknown-tag", "tag", tag)
	if isKey {
		text = engine.T("receipt.unknown-key", "tag", tag, "name", key)
	}
	if l.learnTag != nil {
		text.Args["learn"] = true
	}
	return engine.Receipt{Outcome: engine.Unknown, Text: text}
}

// forget reports whether a tag was learnt and has not been tapped since. It also forgets that
// the tag was learnt, so that the next call reports false.
func (l *lessons) forget(tag string) (learnt bool) {
	learnt = l.taught[tag]
	delete(l.taught, tag)
	return learnt
}

// handleOrder carries out the order "learn". It first ends the pending lesson, if there is
// one. Then the order's tag gets the meaning in the field Card. If the order has no tag, the
// next unknown tag within lessonLimit gets this meaning. If the order has neither a tag nor a
// meaning, it only ends the pending lesson.
func (l *lessons) handleOrder(o engine.Order, at time.Time) engine.Receipt {
	l.next = nil
	if l.learnTag == nil {
		return refused("receipt.no-catalogue")
	}
	if o.Card == "" && o.Tag == "" {
		return engine.Receipt{Outcome: engine.Accepted}
	}
	m, err := ParseMeaning(o.Card)
	if err != nil {
		return malformed("receipt.no-meaning", "reason", engine.ErrorSaid(err))
	}
	if m.Kind == CardTag &&
		!slices.ContainsFunc(l.games, func(g engine.Info) bool { return engine.Title(g.Name) == m.Box }) {
		return refused("receipt.no-such-game", "name", m.Box, "known", gameNames(l.games))
	}
	if o.Tag == "" {
		l.next = &lesson{meaning: m, until: at.Add(lessonLimit)}
		return engine.Receipt{Outcome: engine.Accepted, Text: engine.T("receipt.learn-next", "card", l.title(m))}
	}
	return l.learn(o.Tag, m)
}

func (l *lessons) learn(tag string, m Meaning) engine.Receipt {
	former, err := ask(&l.clerk, func() (string, error) { return l.learnTag(tag, m) })
	var syntax *engine.SyntaxError
	switch {
	case !l.clerk.late && errors.As(err, &syntax) && syntax.File == "": // of the tag; else of the catalogue's file
		return malformed("receipt.no-meaning", "reason", engine.Worded(syntax.In))
	case err != nil:
		l.log.Error("a tag is not kept in the catalogue", "tag", tag, "error", err)
		return failed("receipt.not-learnt", "tag", tag, "reason", wordingOf(err))
	}
	if l.taught == nil {
		l.taught = map[string]bool{}
	}
	l.taught[tag] = true
	text := engine.T("receipt.learnt", "tag", tag, "card", l.title(m))
	if name, _, isKey := CutPressed(tag); isKey {
		text = engine.T("receipt.learnt-key", "tag", tag, "name", name, "card", l.title(m))
	}
	if former != "" {
		text = engine.T("receipt.learnt-again", "tag", tag, "card", l.title(m), "before", former)
	}
	return engine.Receipt{Outcome: engine.Accepted, Text: text}
}

// title returns the name that players read for a card, such as "Zombie 2", or the label of a
// key. For the face of a die, or a card that no game here has, title returns the meaning as
// the catalogue writes it.
func (l *lessons) title(m Meaning) string {
	if m.Kind == KeyTag {
		return l.say(engine.T("receipt.key", "key", engine.Word("key."+m.Name)))
	}
	kind, copy := engine.SplitCopy(m.Name)
	for _, g := range l.games {
		if key := string(engine.CardWord(kind)); m.Kind == CardTag && engine.Title(g.Name) == m.Box && g.Words.Has(key) {
			return fmt.Sprintf("%s %d", g.Words.Say(l.lang, engine.T(key), nil), copy)
		}
	}
	return m.String()
}
