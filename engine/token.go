package engine

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLine is the length of the longest journal or command line, in bytes.
const MaxLine = 4096

// A Token is one word of a line, without quotes. Column is the column where the word begins,
// counted from 1 in bytes.
type Token struct {
	Text   string
	Column int
	Quoted bool
}

// A SyntaxError tells where a line, a file or a text is malformed. If File, Line or Column is
// not known, the field is zero. For a line that is read on its own, only Column is known.
type SyntaxError struct {
	File         string
	Line, Column int
	Reason       string
	Damaged      bool // the file was damaged after it was written

	// These fields are set only for a card file, and may be empty. Length is the length of the
	// wrong word in bytes. Suggest is a text that would be understood in place of the word.
	// Reasons holds the Reason in other languages.
	Length  int
	Suggest string
	Reasons Wording

	// Format and Args are the arguments of the call of fmt.Sprintf that made the Reason. A
	// Translation needs both.
	Format string
	Args   []any

	Kind error // what errors.Is finds; nil for none
}

func (e *SyntaxError) Unwrap() error { return e.Kind }

// In returns the reason in a language, or in English if it has no translation.
func (e *SyntaxError) In(lang Lang) string {
	reason := e.Reasons.In(lang)
	if reason == "" && lang == French {
		reason = frenchReasons().Say(e)
	}
	return cmp.Or(reason, e.Reason)
}

// Told returns the error in a language, with its file, line and column.
func (e *SyntaxError) Told(lang Lang) string {
	line, column := "line %d:", "column %d:"
	if lang == French {
		line, column = "ligne %d :", "colonne %d :"
	}
	if e.File != "" || e.Line > 0 && e.Column > 0 {
		line, column = "%d:", "%d:"
	}
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File + ":")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, line, e.Line)
	}
	if e.Column > 0 {
		fmt.Fprintf(&b, column, e.Column)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	return b.String() + e.In(lang)
}

// ErrorIn returns the text of an error in a language. If the error wraps a *SyntaxError, the
// result is only the text of the *SyntaxError. Any other error has only an English text,
// written for a log. The French text of such an error names the cause. If the cause is not
// known, the French text says that something does not work. The English text follows in
// brackets, unless the French text says everything.
func ErrorIn(err error, lang Lang) string {
	if syntax, ok := errors.AsType[*SyntaxError](err); ok {
		return syntax.Told(lang)
	}
	if lang == French {
		return frenchReasons().explain(err)
	}
	return err.Error()
}

// ErrorSaid returns the text of an error in each language. Such a Wording can be an argument
// of a Text.
func ErrorSaid(err error) Wording {
	return Worded(func(lang Lang) string { return ErrorIn(err, lang) })
}

func (e *SyntaxError) Error() string { return e.Told(English) }

func malformed(column int, format string, args ...any) error {
	return &SyntaxError{Column: column, Reason: fmt.Sprintf(format, args...), Format: format, Args: args}
}

// Faultf returns a *SyntaxError for a line of a file that the table writes. Line 0 stands for
// a fault of the whole file. Line 0 also stands for a fault outside of any file, such as in a
// part of the table.
func Faultf(line int, format string, args ...any) error {
	return &SyntaxError{Line: line, Reason: fmt.Sprintf(format, args...), Format: format, Args: args}
}

// FaultOf returns a *SyntaxError without a line, for which errors.Is(err, kind) is true.
func FaultOf(kind error, format string, args ...any) error {
	return &SyntaxError{Reason: fmt.Sprintf(format, args...), Format: format, Args: args, Kind: kind}
}

// damaged returns the error for a line that was changed after the table wrote it.
func damaged(column int, format string, args ...any) error {
	return &SyntaxError{Column: column, Reason: fmt.Sprintf(format, args...), Format: format, Args: args, Damaged: true}
}

// Tokens splits a line into words. Spaces separate the words. A word with spaces in it is
// quoted as a Go string. A word that begins with '#' starts a comment. If the line is
// malformed, Tokens returns a *SyntaxError.
func Tokens(line string) ([]Token, error) {
	if len(line) > MaxLine {
		return nil, malformed(MaxLine, "line is longer than %d bytes", MaxLine)
	}
	if !utf8.ValidString(line) {
		return nil, malformed(1, "line is not UTF-8 text")
	}
	tokens := make([]Token, 0, 5) // as many as most lines have
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			i++
		case c == '#':
			return tokens, nil
		case c == '"':
			quoted, err := strconv.QuotedPrefix(line[i:])
			if err != nil {
				return nil, malformed(i+1, "quoted word has no end")
			}
			text, err := strconv.Unquote(quoted)
			if err != nil || !printable(text) {
				return nil, malformed(i+1, "unprintable character in a quoted word")
			}
			if end := i + len(quoted); end < len(line) && line[end] != ' ' && line[end] != '\t' {
				return nil, malformed(end+1, "missing space after a quoted word")
			}
			tokens = append(tokens, Token{Text: text, Column: i + 1, Quoted: true})
			i += len(quoted)
		default:
			end := i
			for end < len(line) && line[end] != ' ' && line[end] != '\t' {
				end++
			}
			if !printable(line[i:end]) {
				return nil, malformed(i+1, "unprintable character in a word")
			}
			tokens = append(tokens, Token{Text: line[i:end], Column: i + 1})
			i = end
		}
	}
	return tokens, nil
}

func printable(s string) bool {
	for _, r := range s {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return false
		}
	}
	return true
}

// MarkUnseen returns a text with "?" in place of each letter that nobody can see, such as a tab or
// a mark that turns the direction of writing. With such letters two names could look the same.
func MarkUnseen(text string) string {
	return strings.Map(func(r rune) rune {
		if !printable(string(r)) {
			return '?'
		}
		return r
	}, text)
}

// Quote returns a word in the form that Tokens reads back unchanged.
func Quote(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\"#") || !printable(word) {
		return strconv.Quote(word)
	}
	return word
}
