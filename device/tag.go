package device

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"tableside/engine"
)

// A Meaning is the card, key or die face that a tag stands for.
type Meaning struct {
	Kind TagKind
	Box  string // of a card: its game without the edition, such as "mutants"; "" means the current game
	Name string // such as the copy "zombie.2", the key "undo" or the face "growth-2"
}

// A TagKind is a kind of thing with a tag.
type TagKind uint8

// The kinds of things with tags.
const (
	CardTag TagKind = iota
	KeyTag          // it presses a key when laid down
	DieTag          // on one side of a die: read when that side is down, it names the face on top
)

// The first words of the meaning of a key and of a die. The meaning of a card begins with the
// name of its box instead.
const (
	keyBox = "key"
	dieBox = "roll"
)

// ParseMeaning reads a meaning such as "mutants/zombie.2", "key/undo" or "roll/growth-2". An
// error is an *engine.SyntaxError.
func ParseMeaning(s string) (Meaning, error) {
	box, name, found := strings.Cut(s, "/")
	if !found {
		return Meaning{}, engine.Faultf(0, `got %q, want a meaning such as "mutants/zombie.2", "key/undo" or "roll/growth-2"`, s)
	}
	switch box {
	case keyBox:
		if name != string(engine.Redo) && !slices.Contains(engine.Keys, name) {
			return Meaning{}, engine.Faultf(0, "%q is not a key; there are %s and redo", name, strings.Join(engine.Keys, ", "))
		}
		return Meaning{Kind: KeyTag, Name: name}, nil
	case dieBox:
		if !isFace(name) {
			return Meaning{}, engine.Faultf(0, "%q cannot be the face of a die", name)
		}
		return Meaning{Kind: DieTag, Name: name}, nil
	}
	if !engine.IsWord(box) {
		return Meaning{}, engine.Faultf(0, "%q cannot be the name of a game", box)
	}
	if kind, copy := engine.SplitCopy(name); !engine.IsWord(kind) || copy < 1 || name != kind+"."+strconv.Itoa(copy) {
		return Meaning{}, engine.Faultf(0, `%q is not a copy of a card, such as "zombie.2"`, name)
	}
	return Meaning{Kind: CardTag, Box: box, Name: name}, nil
}

func isFace(s string) bool { return s != "" && s[0] != '-' && s[0] != '_' && engine.IsWord("x"+s) }

// String returns the meaning as ParseMeaning reads it.
func (m Meaning) String() string {
	switch m.Kind {
	case KeyTag:
		return keyBox + "/" + m.Name
	case DieTag:
		return dieBox + "/" + m.Name
	}
	return m.Box + "/" + m.Name
}

// TagScheme is the prefix of a text on a tag that says what the tag means.
const TagScheme = "tableside:"

// TagText returns the text to write on a tag so that the tag itself says what it means. Such a
// tag needs no entry in a catalogue.
func (m Meaning) TagText() string { return TagScheme + m.String() }

// ParseTagText reads the text on a tag. If the text is not meant for a table, or is damaged,
// ParseTagText returns false.
func ParseTagText(text string) (Meaning, bool) {
	rest, ours := strings.CutPrefix(strings.TrimSpace(text), TagScheme)
	if !ours {
		return Meaning{}, false
	}
	m, err := ParseMeaning(rest)
	return m, err == nil
}

// PressedKey is the prefix of the Tag of a keyboard key that has no meaning in the
// configuration. Such a key is taught like a tag.
const PressedKey = "key:"

// PressedTag returns the tag of a key of one keyboard, such as "key:KEY_F1@1c4f:0002". The
// part before @, such as "key:KEY_F1", is the tag of this key on all keyboards. If the
// catalogue has no meaning for the whole tag, the key has the meaning of that part.
func PressedTag(key, keyboard string) string {
	return PressedKey + key + "@" + strings.ReplaceAll(url.PathEscape(keyboard), "%2F", "/")
}

// CutPressed splits a tag that begins with PressedKey. It returns the name of the key, and the
// tag of the key on every keyboard. For any other tag, ok is false.
func CutPressed(tag string) (key, everywhere string, ok bool) {
	key, ok = strings.CutPrefix(tag, PressedKey)
	key, _, _ = strings.Cut(key, "@")
	return key, PressedKey + key, ok
}

// tagOn handles a tag that was put on a reader. The tag taps a card, presses a key or rolls a
// die. An unknown tag goes to the lessons. A card of another game is refused.
func (l *loop) tagOn(s TagOn, at time.Time) engine.Receipt {
	m, ok := l.meaning(s)
	if ok && m.Kind == CardTag && l.Computer != nil && l.game.match != nil && l.Computer.Peek(seatOr(s.Seat), m.Name, l.game.match.Seq()) {
		return l.note(engine.Receipt{Outcome: engine.Accepted, Seat: seatOr(s.Seat), Place: s.Place})
	}
	l.table.noteTag(s.Tag, m, ok)
	l.lessons.forget(s.Tag)
	switch {
	case !ok:
		r := l.lessons.handleUnknown(s.Tag, at)
		r.Seat, r.Place = seatOr(s.Seat), s.Place
		return l.note(r)
	case m.Kind == KeyTag:
		return l.handleSignal(Press{Place: s.Place, Seat: s.Seat, Key: m.Name}, at)
	case m.Kind == DieTag:
		return l.input(engine.Input{Seat: seatOr(s.Seat), Verb: engine.Roll, Args: []string{m.Name}}, s.Place, at)
	case l.fromOtherBox(m):
		r := refused("receipt.other-box", "game", wordOr(l.game.words, string(titleWord(m.Box)), m.Box))
		r.Seat, r.Place = seatOr(s.Seat), s.Place
		return l.note(r)
	}
	return l.input(engine.Input{Seat: seatOr(s.Seat), Verb: engine.Tap, Args: []string{m.Name}}, s.Place, at)
}

// tagOff handles a tag that has left a reader. If taking a card off a reader means something
// in the game, the card of the tag is lifted. If the tag was learnt while it lay on the
// reader, the tag was never tapped, and so the card is not lifted.
func (l *loop) tagOff(s TagOn, at time.Time) engine.Receipt {
	m, ok := l.meaning(s)
	learnt := l.lessons.forget(s.Tag)
	match := l.game.match
	if !ok || learnt || m.Kind != CardTag || l.fromOtherBox(m) || match == nil || !match.Game().Info().Lifts {
		return engine.Receipt{Outcome: engine.Accepted}
	}
	return l.input(engine.Input{Seat: seatOr(s.Seat), Verb: engine.Lift, Args: []string{m.Name}}, s.Place, at)
}

// Meaning returns what a tag stands for, by its UID or else by the text on it.
func (t *Table) Meaning(tag, text string) (Meaning, bool) {
	return t.loop.meaning(TagOn{Tag: tag, Text: text})
}

func (l *loop) meaning(s TagOn) (Meaning, bool) {
	if l.Tags == nil {
		return Meaning{}, false
	}
	return l.Tags(s.Tag, s.Text)
}

func (l *loop) fromOtherBox(m Meaning) bool {
	return l.game.match != nil && m.Box != "" && m.Box != engine.Title(l.game.match.Setup().Game)
}
