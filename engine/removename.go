package engine

import (
	"bytes"
	"slices"
	"strings"
)

// RemoveNames returns a journal without some players' names, sealed anew, and whether it
// had one. A seat loses its name, a renaming gets the name instead. The marks of a match
// whose game is among games are those of the match without the names; of any other game
// they are left out. A damaged line stays damaged, and so do all after it.
func RemoveNames(data []byte, names []string, instead string, games []Game) (text []byte, changed bool) {
	r := nameRemover{names: names, instead: instead}
	if j, _ := ParseJournal("", data); j != nil {
		r.marks = r.fold(j, games)
	}
	for rest := data; len(rest) > 0; {
		raw, after, whole := bytes.Cut(rest, []byte("\n"))
		r.line(strings.TrimSuffix(string(raw), "\r"), whole)
		rest = after
	}
	return r.out.Bytes(), r.changed
}

// A nameRemover copies a journal line by line.
type nameRemover struct {
	names   []string
	instead string
	marks   *marks // nil where the match cannot be folded

	read, written Sealer
	begun         bool // the first line was read
	broken        bool // a line was damaged
	changed       bool
	out           bytes.Buffer
}

// wrongSeal is what a damaged line ends with, so that it stays damaged.
const wrongSeal = "00000000"

func (r *nameRemover) line(raw string, whole bool) {
	if !r.begun {
		first, _, _ := cutSeal(raw)
		r.begun = true
		r.read.chained = first == chainedMagic
		r.written.chained = r.read.chained
	}
	sealer := r.read
	text, sealed, err := sealer.open(raw)
	if r.broken || err != nil || !whole {
		text, _, sealed = cutSeal(raw)
		r.broken = true
	} else {
		r.read = sealer
	}
	text, keep := r.edit(text)
	switch {
	case !keep:
		return
	case !whole: // a piece of a line, which a power cut has left
		r.piece(raw)
		return
	case r.broken && sealed:
		text += " " + sealMark + wrongSeal
	case sealed:
		text = strings.TrimSuffix(r.written.Seal(text), "\n")
	}
	r.out.WriteString(text)
	r.out.WriteByte('\n')
}

// piece copies a last line without an end. One that ends within a name is left out, as
// every reader does.
func (r *nameRemover) piece(raw string) {
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

// blot replaces the names in a text that cannot be read.
func (r *nameRemover) blot(text string) string {
	for _, name := range r.names {
		if strings.Contains(text, name) {
			text, r.changed = strings.ReplaceAll(text, name, r.instead), true
		}
	}
	return text
}

// edit returns a line without the names, and whether it is kept.
func (r *nameRemover) edit(text string) (edited string, keep bool) {
	tokens, err := Tokens(text)
	if err != nil {
		return r.blot(text), true
	}
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.Text
	}
	isName := func(i int) bool { return slices.Contains(r.names, words[i]) }
	switch last := len(words) - 1; {
	case len(words) == 3 && words[0] == markWord:
		if r.marks == nil {
			return "", false
		}
		return r.marks.next(text), true
	case len(words) == 3 && words[0] == "seat" && isName(last):
		words = words[:last]
	case len(words) >= 4 && words[last-2] == string(Set) && words[last-1] == "name" && isName(last):
		words[last] = r.instead
	default:
		return text, true
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
		if slices.Contains(r.names, s.Seats[i].Name) {
			s.Seats[i].Name = ""
		}
	}
	return s
}

// input returns an input without the names.
func (r *nameRemover) input(in Input) Input {
	if in.Verb == Set && in.Arg(0) == "name" && slices.Contains(r.names, in.Arg(1)) {
		in.Args = []string{"name", r.instead}
	}
	return in
}

// fold returns the marks of a match without the names; nil if it cannot be folded. A mark
// with which today's rules do not agree stays as it is.
func (r *nameRemover) fold(j *Journal, games []Game) *marks {
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

// marks hold the marks of a match without the names, in their order.
type marks struct{ lines []string }

// next returns the next mark, or the one that was read after the last.
func (m *marks) next(read string) string {
	if len(m.lines) == 0 {
		return read
	}
	line := m.lines[0]
	m.lines = m.lines[1:]
	return line
}
