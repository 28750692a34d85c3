package device

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"tableside/engine"
)

// lessonLimit is how long the table waits for the tag that it shall learn.
// A tag that is forgotten meanwhile must not be taken for another next week.
const lessonLimit = time.Minute

// A lesson is what the next tag that nobody knows will mean.
type lesson struct {
	meaning Meaning
	until   time.Time
}

// unknown takes a tag that nobody knows: it is what is waited for, or players
// are told, with the offer to learn it where that can be.
func (l *loop) unknown(s TagOn, at time.Time) engine.Receipt {
	if w := l.lesson; w != nil && !at.After(w.until) {
		l.lesson = nil
		r := l.learnTag(s.Tag, w.meaning)
		r.Seat, r.Place = seatOr(s.Seat), s.Place
		return l.note(r)
	}
	text := engine.T("receipt.unknown-tag", "tag", s.Tag)
	if l.LearnTag != nil {
		text.Args["learn"] = true
	}
	return l.note(engine.Receipt{Outcome: engine.Unknown, Seat: seatOr(s.Seat), Place: s.Place, Text: text})
}

// teach is the order "learn": a tag means this card from now on, or the next
// tag does that nobody knows. Without a card it is waited for no longer.
func (l *loop) teach(o engine.Order, at time.Time) engine.Receipt {
	l.lesson = nil
	if l.LearnTag == nil {
		return refused("receipt.no-catalogue")
	}
	if o.Card == "" && o.Tag == "" {
		return engine.Receipt{Outcome: engine.Accepted}
	}
	m, err := ParseMeaning(o.Card)
	if err != nil {
		return malformed("receipt.no-meaning", "reason", err.Error())
	}
	if m.Kind == CardTag && !slices.ContainsFunc(l.table.games, func(g engine.Info) bool { return engine.Title(g.Name) == m.Box }) {
		return refused("receipt.no-such-game", "name", m.Box, "known", l.knownGames())
	}
	if o.Tag == "" {
		l.lesson = &lesson{meaning: m, until: at.Add(lessonLimit)}
		return engine.Receipt{Outcome: engine.Accepted, Text: engine.T("receipt.learn-next", "card", l.title(m))}
	}
	return l.learnTag(o.Tag, m)
}

func (l *loop) learnTag(tag string, m Meaning) engine.Receipt {
	before, err := l.LearnTag(tag, m)
	var syntax *engine.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return malformed("receipt.no-meaning", "reason", syntax.Reason)
	case err != nil:
		l.Log.Error("a tag is not kept in the catalogue", "tag", tag, "error", err)
		return failed("receipt.not-learnt", "tag", tag, "reason", err.Error())
	}
	if l.taught == nil {
		l.taught = map[string]bool{}
	}
	l.taught[tag] = true
	text := engine.T("receipt.learnt", "tag", tag, "card", l.title(m))
	if before != "" {
		text = engine.T("receipt.learnt-again", "tag", tag, "card", l.title(m), "before", before)
	}
	return engine.Receipt{Outcome: engine.Accepted, Text: text}
}

// title is what players call a card: "Zombie 2", or a key: by what is written
// on it. A die's face, and a card that no game here knows, is called as the
// catalogue has it.
func (l *loop) title(m Meaning) string {
	if m.Kind == KeyTag {
		return l.words.Say(l.Lang, engine.T("receipt.key", "key", engine.Word("key."+m.Name)), nil)
	}
	kind, copy := engine.SplitCopy(m.Name)
	for _, g := range l.table.games {
		if key := string(engine.CardWord(kind)); m.Kind == CardTag && engine.Title(g.Name) == m.Box && g.Words.Has(key) {
			return fmt.Sprintf("%s %d", g.Words.Say(l.Lang, engine.T(key), nil), copy)
		}
	}
	return m.String()
}
