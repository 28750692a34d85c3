package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Lang is a language that players read.
type Lang string

const (
	English Lang = "en"
	French  Lang = "fr"
)

// Languages lists the languages of every catalogue.
var Languages = []Lang{English, French}

// ParseLang reads "en", "fr" or a locale such as "fr_FR.UTF-8"; anything else
// is English.
func ParseLang(s string) Lang {
	if strings.HasPrefix(s, string(French)) {
		return French
	}
	return English
}

// Args holds the arguments of a text. An int, a string or a Literal is said unchanged. A Seat
// is said as the player's name. A Word is said as its own text. A value may also be another
// Text or a Wording.
type Args map[string]any

// A Word is a value that is itself a key of the catalogue, like "card.zombie".
type Word string

// A Literal is said unchanged in place of a Word. For example, a counter may have a name that
// somebody typed. No catalogue can know such a name.
type Literal string

// literalMark distinguishes a Literal from a Word in places that lose the type. Such places
// are JSON and the field Word of an Event.
const literalMark = "="

// Word returns the literal in the form that it has in the field Word of an Event.
func (l Literal) Word() string { return literalMark + string(l) }

func (l Literal) MarshalText() ([]byte, error) { return []byte(l.Word()), nil }

// ParseWord returns the word of an Event as a Literal or a Word.
func ParseWord(word string) any {
	if literal, ok := strings.CutPrefix(word, literalMark); ok {
		return Literal(literal)
	}
	return Word(word)
}

// A Text is a text for people: a key of the catalogue and its arguments.
type Text struct {
	Key  string `json:"key"`
	Args Args   `json:"args,omitempty"`
}

// T returns a Text, given its key and its arguments. Each argument is a pair of a name and a
// value.
func T(key string, pairs ...any) Text {
	t := Text{Key: key}
	for i := 0; i+1 < len(pairs); i += 2 {
		if t.Args == nil {
			t.Args = Args{}
		}
		t.Args[pairs[i].(string)] = pairs[i+1]
	}
	return t
}

// Words is a catalogue. For each key, it holds a template in each language. A template writes
// an argument as {name}. Words that depend on a number have the form {n|one|many}. A French
// template always has the full "de {name}". The method Say elides and contracts these words,
// as in "d'Alien" and "du Dévoreur".
type Words map[string]Wording

// ParseWords reads a catalogue. A key stands on a line "[key]". The lines below the key hold
// one text for each language, such as "en = ...". Lines that begin with '#' are comments. An
// error names the line.
func ParseWords(file, source string) (Words, error) {
	words := Words{}
	key := ""
	line := 0
	for text := range strings.Lines(source) {
		line++
		text = strings.TrimSpace(text)
		fail := func(format string, args ...any) error {
			return &SyntaxError{File: file, Line: line, Column: 1, Reason: fmt.Sprintf(format, args...)}
		}
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]"):
			key = text[1 : len(text)-1]
			if words.Has(key) {
				return nil, fail("key %q stands here twice", key)
			}
			words[key] = Wording{}
		default:
			lang, template, ok := strings.Cut(text, "=")
			lang, template = strings.TrimSpace(lang), strings.TrimSpace(template)
			switch {
			case !ok || !slices.Contains(Languages, Lang(lang)):
				return nil, fail("expected a key in brackets, or a line such as \"en = words\"")
			case key == "":
				return nil, fail("text before any key")
			case words[key].In(Lang(lang)) != "":
				return nil, fail("key %q has its %s text twice", key, lang)
			}
			if Lang(lang) == French {
				template = frenchSpaces.Replace(template)
			}
			said := words[key]
			said.Set(Lang(lang), template)
			words[key] = said
		}
	}
	return words, nil
}

// Merge returns the union of catalogues. If several of them have the same key, the last one
// wins.
func Merge(catalogues ...Words) Words {
	all := Words{}
	for _, w := range catalogues {
		maps.Copy(all, w)
	}
	return all
}

// Has reports whether the catalogue has the key.
func (w Words) Has(key string) bool {
	_, has := w[key]
	return has
}

// Card returns the name of a card, or its id if there is no word for it.
func (w Words) Card(lang Lang, card string) string {
	if word := CardWord(card); w.Has(string(word)) {
		return w.Say(lang, Text{Key: string(word)}, nil)
	}
	return card
}

// Say returns a text in a language. If the catalogue lacks the translation, Say returns the
// text in English. A key that the catalogue lacks is said as the key itself, in guillemets, so
// that people notice. A seat is said as the player's name. If no name is given for the seat,
// it is said as its word in the catalogue. If there is no such word, it is said as its id.
func (w Words) Say(lang Lang, t Text, names map[Seat]string) string {
	template := w[t.Key].In(lang)
	if template == "" {
		template = w[t.Key].In(English)
	}
	if template == "" {
		return "«" + t.Key + "»"
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{")
		inside, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			b.WriteString(template)
			return b.String()
		}
		value := w.sayArg(lang, inside, t.Args, names)
		seat, person := t.Args[inside].(Seat)
		if person && b.Len()+len(before) == 0 && names[seat] == "" {
			value = Capital(value) // "The table", where "the table" begins a sentence
		}
		if lang == French {
			if isTitle(t.Args[inside], names) {
				before, value = contract(before, value)
			}
			before = elide(before, value, person)
		}
		b.WriteString(before)
		b.WriteString(value)
		template = after
	}
}

// Capital returns a text with its first letter in upper case.
func Capital(s string) string {
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

func (w Words) sayArg(lang Lang, inside string, args Args, names map[Seat]string) string {
	parts := strings.Split(inside, "|")
	value, ok := args[parts[0]]
	if !ok {
		return "{" + inside + "}"
	}
	if len(parts) == 3 {
		if n, isInt := value.(int); isInt && isOne(lang, n) {
			return parts[1]
		}
		return parts[2]
	}
	switch v := value.(type) {
	case int:
		return strconv.Itoa(v)
	case Seat:
		if name := names[v]; name != "" {
			return name
		}
		if w.Has("seat." + string(v)) {
			return w.Say(lang, Text{Key: "seat." + string(v)}, nil)
		}
		return string(v)
	case Literal:
		return string(v)
	case Word:
		return w.Say(lang, Text{Key: string(v)}, names)
	case Text:
		return w.Say(lang, v, names)
	case Wording:
		return cmp.Or(v.In(lang), v.In(English))
	default:
		return fmt.Sprint(v)
	}
}

// isOne reports whether a number takes the singular, by the plural rules of CLDR. In English,
// only 1 takes the singular. In French, 0 and 1 take the singular. The sign does not matter.
func isOne(lang Lang, n int) bool {
	if n < 0 {
		n = -n
	}
	return n == 1 || lang == French && n == 0
}
