package engine

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// RemoveNames returns a journal without the given names of players. Two names are the same if
// the function key returns the same text for both. The replacement takes the place of the names,
// and the lines are sealed again. RemoveNames also reports whether anything changed.
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
func RemoveNames(data []byte, names []string, key func(string) string, replacement string, games []Game) (
	text []byte, changed bool) {
	r := nameRemover{names: names, key: key, replacement: replacement}
	r.seats = r.seatsNamed(data)
	inData := func(name string) bool { return bytes.Contains(data, []byte(name)) }
	hasComment := bytes.Count(data, []byte("#")) > bytes.Count(data, []byte(" "+sealMark))
	if len(r.seats) == 0 && bytes.HasSuffix(data, []byte("\n")) && !hasComment && !slices.ContainsFunc(names, inData) {
		return data, false
	}
	if len(r.seats) > 0 { // else no mark covers a name
		if j, _ := ParseJournal("", data); j != nil {
			r.marks, r.folds = r.foldMarks(j, games)
		}
	}
	for rest := data; len(rest) > 0; {
		raw, after, whole := bytes.Cut(rest, []byte("\n"))
		r.line(strings.TrimSuffix(string(raw), "\r"), whole)
		rest = after
	}
	return r.out.Bytes(), r.changed
}

// ReplaceNames returns a text with the replacement in place of each of the names. Two names are
// the same if the function key returns the same text for both. ReplaceNames replaces only whole
// words. For example, it does not replace the name "Al" in the word "Always". If two names begin
// alike, ReplaceNames replaces the longer name first.
func ReplaceNames(text string, names []string, key func(string) string, replacement string) string {
	keys, longest, whole := map[string]bool{}, 0, ""
	for _, name := range names {
		if whole == "" {
			whole = key(text)
		}
		if k := key(name); k != "" && strings.Contains(whole, k) {
			keys[k] = true
			longest = max(longest, len(k))
		}
	}
	if len(keys) == 0 {
		return text
	}
	var out strings.Builder
	before := ' '
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		n := 0
		if !inWord(before) && !unicode.IsSpace(r) {
			n = lengthOfName(text[i:], 4*longest, func(s string) bool { return keys[key(s)] })
		}
		if n == 0 {
			n = size
			out.WriteString(text[i : i+n])
		} else {
			out.WriteString(replacement)
		}
		before, _ = utf8.DecodeLastRuneInString(text[:i+n])
		i += n
	}
	return out.String()
}

// lengthOfName returns the length of the longest name with which a text begins, or 0. A name is at
// most limit bytes long, and no word goes on behind it.
func lengthOfName(text string, limit int, isName func(string) bool) int {
	found := 0
	for end := 0; end < min(len(text), limit); {
		last, size := utf8.DecodeRuneInString(text[end:])
		end += size
		next, _ := utf8.DecodeRuneInString(text[end:])
		if !inWord(next) && !unicode.IsSpace(last) && isName(text[:end]) {
			found = end
		}
	}
	return found
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

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

// seatsNamed returns the seats of a journal that have one of the names at some time in the match.
func (r *nameRemover) seatsNamed(data []byte) map[Seat]bool {
	keys := map[string]bool{}
	for _, name := range r.names {
		keys[r.key(name)] = true
	}
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
		if seat, name, ok := parseName(words); ok && keys[r.key(name)] {
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
	key         func(string) string // the same for all spellings of a name
	replacement string
	seats       map[Seat]bool // that had one of the names
	marks       []string      // of the match without the names, in their order
	folds       bool          // whether the match can be folded, for the marks

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
	for i := range raw {
		if raw[i] != ' ' && raw[i] != '"' {
			continue
		}
		rest := r.key(raw[i+1:])
		if slices.ContainsFunc(r.names, func(name string) bool {
			name = r.key(name)
			return rest != "" && rest != name && strings.HasPrefix(name, rest)
		}) {
			r.changed = true
			return
		}
	}
	r.out.WriteString(r.blot(raw))
}

// blot replaces the names in a comment, or in a line that cannot be read.
func (r *nameRemover) blot(text string) string {
	without := ReplaceNames(text, r.names, r.key, r.replacement)
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
		if len(r.marks) > 0 {
			text, r.marks = r.marks[0], r.marks[1:]
		}
		return text, r.folds
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

// foldMarks folds the match and returns its marks as they are without the removed names. If the
// game is not among games, or if the match does not begin, the second result is false. If
// today's rules do not agree with a mark, the mark stays as it is.
func (r *nameRemover) foldMarks(j *Journal, games []Game) (marks []string, ok bool) {
	game := Find(games, j.Setup.Game)
	if game == nil {
		return nil, false
	}
	m, err := NewMatch(game, j.Setup)
	if err != nil {
		return nil, false
	}
	for _, line := range j.Lines {
		if line.Mark == nil {
			_, _ = m.Apply(line.Input) // a refused input changes nothing
			continue
		}
		mark := *line.Mark
		if v := m.View(); mark.Seq == m.Seq() && mark.Hash == v.Hash() {
			r.rename(&v, m.Inputs())
			mark.Hash = v.Hash()
		}
		marks = append(marks, mark.String())
	}
	return marks, true
}

// rename gives the seats of a view the names that they have in the new journal.
func (r *nameRemover) rename(v *View, inputs []Input) {
	for i := range v.Seats {
		s := &v.Seats[i]
		if !r.seats[s.ID] {
			continue
		}
		s.Name = ""
		for _, in := range inputs {
			if in.Verb == Set && in.Arg(0) == "name" && in.Seat == s.ID {
				s.Name = r.replacement
			}
		}
	}
}
