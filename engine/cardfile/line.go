package cardfile

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tableside/engine"
)

const (
	maxWords  = 60                   // of a statement, so that it fits a journal's define line
	maxLength = engine.MaxLine - 100 // bytes that fit the same line, with a checksum after them
	maxTitle  = 40                   // letters that fit a panel
)

// LanguageFields lists the fields that hold the titles of a card.
var LanguageFields = []string{string(engine.English), string(engine.French)}

// A Line is one statement, whose words are taken one by one.
type Line struct {
	words
	first    int               // the column of its first word
	synonyms map[string]string // see Means
	noRow    error             // see Statement.NoRow
}

// Parse returns the statements of a file: the result of readLine for each line with words. It
// stops at the first error, which is an *engine.SyntaxError with file, line and column.
func Parse(file, source string, readLine func(*Line) (Statement, error)) ([]Statement, error) {
	var all []Statement
	number := 0
	for text := range strings.Lines(strings.TrimPrefix(source, "\ufeff")) {
		number++
		err := ReadLine(file, number, strings.TrimRight(text, "\r\n"), func(l *Line) error {
			s, err := readLine(l)
			all = append(all, s)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// MustParse returns the statements of a file that is embedded in the program. It panics on an
// error.
func MustParse(file, source string, readLine func(*Line) (Statement, error)) []Statement {
	return Must(Parse(file, source, readLine))
}

// Must returns the result of reading an embedded file. It panics on an error.
func Must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

// ReadLine reads one line of a file and passes it to the callback, unless the line has no
// words. The line is given by its number and by its text as it was written. If the callback
// leaves words of the line unread, ReadLine returns an error.
func ReadLine(file string, number int, written string, statement func(*Line) error) error {
	text := straighten(written)
	tokens, err := engine.Tokens(text)
	if !utf8.ValidString(text) {
		err = place{}.FailAt(1, "the line is not UTF-8 text: save the file as UTF-8")
	}
	if err == nil && len(tokens) > 0 {
		end := endOf(text, tokens[len(tokens)-1]) + 1
		l := &Line{words: words{place: place{file, number}, source: text, list: tokens, end: end}, first: tokens[0].Column}
		switch {
		case len(text) > maxLength:
			err = l.FailAt(maxLength+1, "a statement has at most %d bytes", maxLength)
		case len(tokens) > maxWords:
			err = l.FailAt(tokens[maxWords].Column, "a statement has at most %d words", maxWords)
		default:
			if err = statement(l); err == nil && !l.Done() {
				err = l.Fail("unexpected %q: the line is complete without it; say more on a new line", l.Peek())
			}
		}
	}
	if e, ok := err.(*engine.SyntaxError); ok {
		located := *e
		located.File, located.Line, located.Column = file, number, curled(written, e.Column)
		return &located
	}
	return err
}

// ReadOne returns the statement of one line, or the zero value for an empty
// line.
func ReadOne(file string, number int, text string, statement func(*Line) (Statement, error)) (s Statement, err error) {
	err = ReadLine(file, number, text, func(l *Line) error {
		s, err = statement(l)
		return err
	})
	return s, err
}

// Text returns the statement without its comment, as a journal keeps it after
// "define".
func (l *Line) Text() string { return l.source[l.first-1 : l.end-1] }

// endOf returns the byte offset after the last word of a line.
func endOf(line string, last engine.Token) int {
	if !last.Quoted {
		return last.Column - 1 + len(last.Text)
	}
	quoted, _ := strconv.QuotedPrefix(line[last.Column-1:])
	return last.Column - 1 + len(quoted)
}

// Next takes the next word.
func (l *Line) Next() string {
	word := l.Peek()
	l.pos++
	return word
}

// Means adds synonyms for the words that Among and Schema.Read accept. The map has the
// synonyms as keys and the known words as values. For example, it leads from "defense" to
// "defence".
func (l *Line) Means(synonyms map[string]string) { l.synonyms = synonyms }

// Among takes the next word and returns the given word that matches it. The match ignores
// capitals and a comma after the word. The match also accepts synonyms (see Means). If no word
// matches, the error says what is expected. In the error, label names the kind of word, such
// as "a keyword".
func (l *Line) Among(label string, words []string) (string, error) {
	if word := l.nextKnownWord(words); word != "" {
		l.pos++
		return word, nil
	}
	return "", l.expected(label, words)
}

func (l *Line) nextKnownWord(words []string) string {
	got := l.Peek()
	plain := strings.ToLower(strings.TrimRight(got, ",;:"))
	for _, word := range []string{got, plain, l.synonyms[plain], commonSynonyms[plain]} {
		if word != "" && slices.Contains(words, word) {
			return word
		}
	}
	return ""
}

// commonSynonyms holds the synonyms that every game accepts, so that the games need not list
// them. Like the map for Means, it leads from a synonym to the known word.
var commonSynonyms = map[string]string{
	"name": "en", "title": "en", "nom": "fr", "titre": "fr", "carte": "card",
	"none.": "none", "aucun": "none", "aucune": "none",
}

// Identifier takes an id, such as the id of a card, and returns it in small letters. Its
// errors name the owner of the id, such as "a card", and give a good id as the example.
func (l *Line) Identifier(owner, example string) (string, error) {
	got := strings.ToLower(l.Peek())
	switch {
	case l.Done():
		return "", l.Fail("the id of %s is missing", owner)
	case !engine.IsWord(got) || slices.Contains(LanguageFields, got):
		return "", l.Fail("%q cannot be the id of %s: small letters and digits with - between them, as in %q",
			l.Peek(), owner, example)
	}
	l.pos++
	return got, nil
}

// Title takes a name that people read. The name must be the last word of its line. If a name
// of several words has no quotes, Title returns an error that shows the example in quotes.
func (l *Line) Title(example string) (string, error) {
	title := l.Peek()
	switch {
	case l.Done():
		return "", l.Fail("the name is missing")
	case strings.TrimSpace(title) == "" || strings.ContainsAny(title, "{}") || len([]rune(title)) > maxTitle:
		return "", l.Fail("a name has 1 to %d letters, and neither { nor }", maxTitle)
	}
	quoted := l.list[l.pos].Quoted
	l.pos++
	if !l.Done() && !quoted { // after a quoted name, ReadLine reports the words that are left
		whole := strings.Trim(l.source[l.list[l.pos-1].Column-1:l.end-1], `"'`)
		return "", addSuggestion(l.Fail("a name of several words is quoted, as in %q", example), strconv.Quote(whole))
	}
	return title, nil
}

// Number takes a number between low and high, both included. In errors, label says what the
// number is, such as "the number of copies".
func (l *Line) Number(label string, low, high int) (int, error) {
	got := strings.TrimRight(l.Peek(), ",;")
	n, err := strconv.Atoi(got)
	switch {
	case l.Done():
		return 0, l.Fail("%s is missing: a number from %d to %d", label, low, high)
	case err != nil || n < low || n > high || strconv.Itoa(n) != got:
		return 0, l.Fail("%q is not %s: a number from %d to %d", got, label, low, high)
	}
	l.pos++
	return n, nil
}

const orUnknown = ", or ?"

// NumberOr takes a number, as Number does, or a "?". For a "?", it returns its first argument.
func (l *Line) NumberOr(unknown int, label string, low, high int) (int, error) {
	if l.Peek() == "?" {
		l.pos++
		return unknown, nil
	}
	n, err := l.Number(label, low, high)
	if e, ok := err.(*engine.SyntaxError); ok {
		e.Reason, e.Format = e.Reason+orUnknown, e.Format+orUnknown
	}
	return n, err
}

// isUnknown reports whether only "?" is left. A full stop or a semicolon may follow the "?".
// People end abilities with these signs, and Parser.Sentences drops them.
func (l *Line) isUnknown() bool {
	n := 0
	for _, t := range l.list[min(l.pos, len(l.list)):] {
		switch strings.TrimRight(t.Text, ".;") {
		case "?":
			n++
		case "":
		default:
			return false
		}
	}
	return n == 1
}

// Prefix takes the beginning of the next word, up to the given sign, and returns it with its
// column. It drops the sign. For example, the prefix of "first-edition/cyber" is
// "first-edition". If the word lacks the sign, Prefix takes nothing and ok is false.
func (l *Line) Prefix(sign string) (prefix string, column int, ok bool) {
	before, after, ok := strings.Cut(l.Peek(), sign)
	if !ok {
		return "", 0, false
	}
	t := &l.list[l.pos]
	column = t.Column
	t.Text, t.Column = after, column+len(before)+len(sign)
	return before, column, true
}

// Suffix takes the end of the next word, after the given sign, and returns it with its column.
// It drops the sign. For example, the suffix of "leave@first-edition" is "first-edition". If
// the word lacks the sign, Suffix takes nothing and ok is false.
func (l *Line) Suffix(sign string) (suffix string, column int, ok bool) {
	before, after, ok := strings.Cut(l.Peek(), sign)
	if !ok {
		return "", 0, false
	}
	t := &l.list[l.pos]
	t.Text = before
	return after, t.Column + len(before) + len(sign), true
}

// Rest takes all words that are left and returns a Parser of them. A quoted word is an error.
func (l *Line) Rest() (*Parser, error) {
	for _, t := range l.list[min(l.pos, len(l.list)):] {
		if t.Quoted {
			return nil, l.FailAt(t.Column, "an ability is written without quotes")
		}
	}
	column := l.Column()
	words := l.source[min(column, l.end)-1 : l.end-1]
	l.pos = len(l.list)
	return NewParser(words, column), nil
}
