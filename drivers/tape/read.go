package tape

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"
)

// Limits for reading a tape, because a tape may come from anybody.
const (
	maxLineSize = 1 << 20
	maxMemory   = 512 << 20 // of memory for a tape: the fullest of ours takes 300 MB
	maxSame     = 1 << 24   // of one call or line
	maxParts    = 1000
)

// These are the sizes of one line, one call and one word in memory, in bytes. The bytes that
// a line transfers are not counted.
const (
	lineSize = int(unsafe.Sizeof(Line{}))
	callSize = int(unsafe.Sizeof(Call{}))
	wordSize = int(unsafe.Sizeof(""))
)

// A SyntaxError reports where a tape is malformed.
type SyntaxError struct {
	Line, Column int // from 1
	Text         string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

// Read reads a tape from r. The error is an error of r or a *SyntaxError. If the tape was cut
// off, even within a line, Read returns the tape up to its last whole line.
func Read(r io.Reader) (*Tape, error) { return read(r, maxMemory) }

// read reads a tape. room is the most memory that the tape may take, in bytes.
func read(r io.Reader, room int) (*Tape, error) {
	p := &parser{tape: &Tape{}, parts: map[string]*partState{}, room: room}
	lines := bufio.NewReaderSize(r, maxLineSize)
	for {
		raw, err := lines.ReadSlice('\n')
		if err == io.EOF {
			if p.number == 0 {
				return nil, &SyntaxError{1, 1, fmt.Sprintf("got an empty file, want %q", Magic)}
			}
			return p.tape, nil // a line without its end was cut off
		}
		p.number++
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, &SyntaxError{p.number, maxLineSize, fmt.Sprintf("got more than %d bytes in a line", maxLineSize)}
		}
		if err != nil {
			return nil, err
		}
		text := strings.TrimSuffix(string(raw[:len(raw)-1]), "\r") // a mail program may have added it
		if at := strings.IndexFunc(text, isControl); at >= 0 {
			return nil, &SyntaxError{p.number, at + 1, fmt.Sprintf("got %q, want text", text[at])}
		}
		p.rest, p.length = text, len(text)
		if err := p.line(); err != nil {
			return nil, err
		}
	}
}

// isControl reports whether a character is a control character or invalid. A tape must not
// have such characters. Tapes are printed, and a terminal obeys control characters.
func isControl(c rune) bool { return c < ' ' || c >= 0x7F && c < 0xA0 || c == utf8.RuneError }

// A parser reads a tape line by line.
type parser struct {
	tape      *Tape
	parts     map[string]*partState
	room      int // bytes of memory that are left
	number    int
	oldFormat bool // the tape begins with magic1
	inBody    bool // the header is over

	rest   string // of the line
	length int    // of the whole line
}

// A partState is the state of one part while the tape is read.
type partState struct {
	part      *Part
	open      bool    // a call is under way
	fullCalls []int32 // indexes of the calls that are written in full
}

// fail returns a SyntaxError in the current line. The column is counted from 0. The format and
// its arguments are those of fmt.Sprintf.
func (p *parser) fail(column int, format string, args ...any) error {
	return &SyntaxError{p.number, column + 1, fmt.Sprintf(format, args...)}
}

// reserve subtracts a number of bytes from the memory that is left for the tape. If too little
// memory is left, reserve returns an error.
func (p *parser) reserve(size int) error {
	if p.room -= size; p.room < 0 {
		return p.fail(0, "got more than any recording has")
	}
	return nil
}

func (p *parser) column() int { return p.length - len(p.rest) }

// word cuts the next word off the rest of the line. It returns the word and the column of the
// word, counted from 0.
func (p *parser) word() (word string, column int) {
	column = p.column()
	word, p.rest, _ = strings.Cut(p.rest, " ")
	return word, column
}

// quoted cuts a text in quotes off the rest of the line, and returns it without the quotes.
func (p *parser) quoted() (string, error) {
	q, err := strconv.QuotedPrefix(p.rest)
	if err != nil || q[0] != '"' {
		return "", p.fail(p.column(), "got %.20q, want a text in quotes", p.rest)
	}
	text, _ := strconv.Unquote(q) // QuotedPrefix has checked it
	p.rest = p.rest[len(q):]
	return text, nil
}

// count reads the next word, which must be a number from 0 to limit.
func (p *parser) count(limit int64) (int64, error) {
	word, column := p.word()
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 0 || n > limit || strconv.FormatInt(n, 10) != word {
		return 0, p.fail(column, "got %.20q, want a number from 0 to %d", word, limit)
	}
	return n, nil
}

// maxMicros is ten years.
const maxMicros = 10 * 365 * 24 * 3600 * 1_000_000

func (p *parser) micros() (time.Duration, error) {
	n, err := p.count(maxMicros)
	return time.Duration(n) * time.Microsecond, err
}

func (p *parser) line() error {
	switch {
	case p.number == 1:
		if p.oldFormat = p.rest == magic1; !p.oldFormat && p.rest != Magic {
			return p.fail(0, "got %.40q, want %q or %q: this is no tape of this version", p.rest, Magic, magic1)
		}
		return nil
	case p.tape.Whole:
		return p.fail(0, "got a line behind the end of the tape")
	case !p.inBody:
		return p.header()
	}
	at, err := p.micros()
	if err != nil {
		return err
	}
	name, column := p.word()
	if name == "" {
		return p.fail(column, "got no part")
	}
	verb, column := p.word()
	if name == "-" {
		if verb != "end" && verb != "full" {
			return p.fail(column, "got %.20q, want end or full", verb)
		}
		p.tape.Whole = true
		return p.checkLineEnd()
	}
	r := p.part(name)
	if len(p.tape.Parts) > maxParts {
		return p.fail(column, "got more than %d parts", maxParts)
	}
	return r.readLine(p, at, verb, column)
}

func (p *parser) header() error {
	if p.rest == "" {
		p.inBody = true
		return nil
	}
	h := &p.tape.Header
	key, column := p.word()
	switch key {
	case "version":
		h.Version = p.rest
	case "model":
		h.Model = p.rest
	case "kernel":
		h.Kernel = p.rest
	case "config":
		h.Config = append(h.Config, p.rest)
	case "wiring":
		h.Wiring = append(h.Wiring, p.rest)
	default:
		return p.fail(column, "got %.20q, want version, model, kernel, config, wiring or an empty line", key)
	}
	return nil
}

func (p *parser) part(name string) *partState {
	r := p.parts[name]
	if r == nil {
		r = &partState{part: &Part{Name: name}}
		p.parts[name] = r
		p.tape.Parts = append(p.tape.Parts, r.part)
	}
	return r
}

// checkLineEnd returns an error if the line has more text after the last word that belongs to
// it.
func (p *parser) checkLineEnd() error {
	if p.rest != "" {
		return p.fail(p.column(), "got %.20q behind the end of the line", p.rest)
	}
	return nil
}

// readLine reads the rest of a line of the part. The caller passes the time and the verb of
// the line. For errors, the caller also passes the column where the verb begins.
func (r *partState) readLine(p *parser, moment time.Duration, verb string, column int) error {
	calls := r.part.Calls
	switch verb {
	case "call":
		return r.readCall(p, moment, column)
	case "same":
		return r.readSame(p, column)
	case "like":
		return r.readLike(p, column)
	}
	if !r.open {
		return p.fail(column, "got %.20q outside a call", verb)
	}
	call := &calls[len(calls)-1]
	switch verb {
	case "done", "cut", "failed":
		r.open, call.Ended = false, moment
		call.Result = map[string]Result{"done": Done, "cut": Cut, "failed": Failed}[verb]
		if verb == "failed" {
			if _, err := p.quoted(); err != nil {
				return err
			}
		}
		return p.checkLineEnd()
	case "again":
		n, err := p.count(maxSame)
		if err == nil && len(call.Lines) == 0 {
			err = p.fail(column, "got again without a line before")
		}
		if err != nil {
			return err
		}
		l := &call.Lines[len(call.Lines)-1]
		if l.RepeatCount += int(n); l.RepeatCount > maxSame {
			return p.fail(column, "got a line more than %d times", maxSame)
		}
		return p.checkLineEnd()
	}
	return p.readTransfer(call, Line{At: moment, Number: p.number}, verb, column)
}
