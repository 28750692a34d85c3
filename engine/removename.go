package engine

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// RemoveNames returns a journal without the given names of players. The replacement takes the
// place of the names, and the lines are sealed again. RemoveNames also reports whether
// anything changed.
//
// A seat that had one of the names loses every name that it had in this match. Its line in the
// head has no name afterwards, and each later renaming of the seat gives it the replacement as
// its name. Comments occur only in journals written by hand. In comments and in lines that
// cannot be read, the replacement takes the place of the given names only. Everything else
// stays as it is.
//
// If a seat had one of the names, RemoveNames computes the marks again, because they are
// hashes of views. If the game is not among games, or if the match does not begin, the marks
// are left out. From the first damaged line on, every sealed line gets a wrong seal, so that
// the line stays damaged.
func RemoveNames(data []byte, names []string, replacement string, games []Game) (text []byte, changed bool) {
	r := nameRemover{names: names, replacement: replacement, seats: seatsNamed(data, names)}
	inData := func(name string) bool { return bytes.Contains(data, []byte(name)) }
	if len(r.seats) == 0 && bytes.HasSuffix(data, []byte("\n")) && !slices.ContainsFunc(names, inData) {
		return data, false
	}
	if len(r.seats) > 0 { // else no mark covers a name
		if j, _ := ParseJournal("", data); j != nil {
			r.marks = r.foldMarks(j, games)
		}
	}
	for rest := data; len(rest) > 0; {
		raw, after, whole := bytes.Cut(rest, []byte("\n"))
		r.line(strings.TrimSuffix(string(raw), "\r"), whole)
		rest = after
	}
	return r.out.Bytes(), r.changed
}

// ReplaceNames returns a text with the replacement in place of each of the names. It replaces
// only whole words. For example, it does not replace the name "Al" in the word "Always". If
// two names begin alike, ReplaceNames replaces the longer name first.
func ReplaceNames(text string, names []string, replacement string) string {
	longest := slices.SortedFunc(slices.Values(names), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, name := range longest {
		text = replaceWord(text, name, replacement)
	}
	return text
}

func replaceWord(text, word, replacement string) string {
	if word == "" {
		return text
	}
	var out strings.Builder
	begin := 0 // of what is not copied yet
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return out.String() + text[begin:]
		}
		at += from
		end := at + len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if inWord(before) || inWord(after) {
			_, size := utf8.DecodeRuneInString(text[at:])
			from = at + size
			continue
		}
		out.WriteString(text[begin:at] + replacement)
		begin, from = end, end
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// parseName returns the seat and the player's name that a line sets. The line is given as a
// list of words. If the line sets no name, ok is false.
func parseName(words []string) (seat Seat, name string, ok bool) {
	last := len(words) - 1
	switch {
	case len(words) == 3 && words[0] == "seat":
		return Seat(words[1]), words[last], true
	case len(words) >= 4 && words[last-2] == string(Set) && words[last-1] == "name":
		return Seat(words[last-3]), words[last], true
	}
	return "", "", false
}

// seatsNamed returns the seats of a journal that have one of the given names at some time in
// the match.
func seatsNamed(data []byte, names []string) map[Seat]bool {
	seats := map[Seat]bool{}
	for raw := range bytes.Lines(data) {
		if !bytes.Contains(raw, []byte("seat")) && !bytes.Contains(raw, []byte("name")) {
			continue
		}
		text, _, _ := cutSeal(strings.TrimRight(string(raw), "\r\n"))
		words, err := wordsOf(text)
		if err != nil {
			continue
		}
		if seat, name, ok := parseName(words); ok && slices.Contains(names, name) {
			seats[seat] = true
		}
	}
	return seats
}

func wordsOf(line string) ([]string, error) {
	tokens, err := Tokens(line)
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.Text
	}
	return words, err
}

// commentAt returns the offset at which the comment of a readable line begins. For a line
// without a comment, it returns the length of the line.
func commentAt(line string) int {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			if _, err := Tokens(line[:i]); err == nil { // not within quotes
				return i
			}
		}
	}
	return len(line)
}

// A nameRemover copies a journal line by line, and removes certain names from it.
type nameRemover struct {
	names       []string
	replacement string
	seats       map[Seat]bool // that had one of the names
	marks       *marks        // nil where the match cannot be folded

	oldSealer, newSealer Sealer
	begun                bool // the first line was read
	broken               bool // a line was damaged
	changed              bool
	out                  bytes.Buffer
}

// wrongSeal replaces the digits of the seal in a damaged line, so that the line stays damaged.
const wrongSeal = "00000000"

func (r *nameRemover) line(raw string, whole bool) {
	if !r.begun {
		first, _, _ := cutSeal(raw)
		r.begun = true
		r.oldSealer.chained = first == chainedMagic
		r.newSealer.chained = r.oldSealer.chained
	}
	sealer := r.oldSealer
	text, sealed, err := sealer.open(raw)
	if r.broken || err != nil || !whole {
		text, _, sealed = cutSeal(raw)
		r.broken = true
	} else {
		r.oldSealer = sealer
	}
	read := text
	text, keep := r.edit(text)
	switch {
	case !keep, !whole && text != read: // readers drop a line without an end anyway
		return
	case !whole: // a piece of a line, which a power cut has left
		r.copyTornLine(raw)
		return
	case r.broken && sealed:
		text += " " + sealMark + wrongSeal
	case sealed:
		text = strings.TrimSuffix(r.newSealer.Seal(text), "\n")
	}
	r.out.WriteString(text)
	r.out.WriteByte('\n')
}

// copyTornLine copies a last line that has no line end, and replaces the names in the line. If
// the line breaks off within a name, copyTornLine leaves the line out. ParseJournal drops such
// a last line anyway.
func (r *nameRemover) copyTornLine(raw string) {
	for _, name := range r.names {
		for n := range name {
			if n > 0 && (strings.HasSuffix(raw, " "+name[:n]) || strings.HasSuffix(raw, `"`+name[:n])) {
				r.changed = true
				return
			}
		}
	}
	r.out.WriteString(r.blot(raw))
}

// blot replaces the names in a comment, or in a line that cannot be read.
func (r *nameRemover) blot(text string) string {
	without := ReplaceNames(text, r.names, r.replacement)
	r.changed = r.changed || without != text
	return without
}

// edit returns a line without the names, and reports whether the line stays in the journal at
// all.
func (r *nameRemover) edit(text string) (edited string, keep bool) {
	words, err := wordsOf(text)
	if err != nil {
		return r.blot(text), true
	}
	seat, name, ok := parseName(words)
	switch last := len(words) - 1; {
	case len(words) == 3 && words[0] == markWord && len(r.seats) > 0:
		if r.marks == nil {
			return "", false
		}
		return r.marks.takeMark(text), true
	case !ok || !r.seats[seat] || name == r.replacement:
		at := commentAt(text)
		return text[:at] + r.blot(text[at:]), true
	case words[0] == "seat":
		words = words[:last]
	default:
		words[last] = r.replacement
	}
	r.changed = true
	for i := range words {
		words[i] = Quote(words[i])
	}
	return strings.Join(words, " "), true
}

// setup returns a setup without the names.
func (r *nameRemover) setup(s Setup) Setup {
	s.Seats = slices.Clone(s.Seats)
	for i := range s.Seats {
		if r.seats[s.Seats[i].Seat] {
			s.Seats[i].Name = ""
		}
	}
	return s
}

// input returns an input without the names.
func (r *nameRemover) input(in Input) Input {
	if in.Verb == Set && in.Arg(0) == "name" && r.seats[in.Seat] {
		in.Args = []string{"name", r.replacement}
	}
	return in
}

// foldMarks folds the match without the removed names, and returns the marks that result. If
// the game is not among games, or if the match does not begin, foldMarks returns nil. If
// today's rules do not agree with a mark, the mark stays as it is.
func (r *nameRemover) foldMarks(j *Journal, games []Game) *marks {
	game := Find(games, j.Setup.Game)
	if game == nil {
		return nil
	}
	was, err := NewMatch(game, j.Setup)
	if err != nil {
		return nil
	}
	now, err := NewMatch(game, r.setup(j.Setup))
	if err != nil {
		return nil
	}
	m := &marks{}
	for _, line := range j.Lines {
		if line.Mark == nil {
			_, _ = was.Apply(line.Input) // a refused input changes nothing
			_, _ = now.Apply(r.input(line.Input))
			continue
		}
		mark := *line.Mark
		if mark.Seq == was.Seq() && mark.Hash == was.View().Hash() {
			mark.Hash = now.View().Hash()
		}
		m.lines = append(m.lines, mark.String())
	}
	return m
}

// marks holds the marks that a match has once the names are removed, in their order.
type marks struct{ lines []string }

// takeMark removes the first of the marks that are left, and returns it. If no mark is left,
// takeMark returns the original mark, as it was read from the journal.
func (m *marks) takeMark(original string) string {
	if len(m.lines) == 0 {
		return original
	}
	line := m.lines[0]
	m.lines = m.lines[1:]
	return line
}
