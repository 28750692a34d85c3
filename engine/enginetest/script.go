package enginetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
)

// update makes RunScripts and Golden write their results to the files, and then report no
// difference. Review the changed files like any change.
var update = flag.Bool("update", false, "write the answers of scripts and the golden files")

// RunScripts plays the conversations in the files that match glob. A file holds one or more
// matches. Each match begins with the head of a journal. Lines of this form follow:
//
//	red tap zombie.1            an input, with or without its time
//	  > Alice gains 2 power     its events, one on each line
//	  ! why not                 or why it was refused; "(yes insists)" if yes overrides that
//	undo                        "table undo"; redo likewise
//	view                        the view, or parts of it: see Extract
//	  red: power 12, hand 5
//	lang fr                     the language of the answers that follow
//	expect red score 7          a sentence that must hold; -update never changes it (see expect.go)
//
// Lines that begin with '#' are comments and cite the rulebook. Lines that begin with two
// spaces are answers. The test compares the answers. With the flag -update, the test replaces
// them.
func RunScripts(t *testing.T, games []engine.Game, glob string) {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts match %s", glob)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, problems := playScript(games, file, string(data))
			for _, p := range problems {
				t.Error(p)
			}
			switch {
			case got == string(data):
			case *update:
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("%s\nrun with -update to accept", firstDifference(file, string(data), got))
			}
		})
	}
}

// firstDifference describes the first line that differs, and the command that this line
// answers.
func firstDifference(file, want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	command := ""
	for i := range max(len(w), len(g)) {
		at := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return "(end)"
		}
		if at(w) != at(g) {
			return fmt.Sprintf("%s:%d: after %q\nwant %s\ngot  %s", file, i+1, command, at(w), at(g))
		}
		if !strings.HasPrefix(w[i], "  ") {
			command = w[i]
		}
	}
	return ""
}

// A script holds the state of a file while it is played.
type script struct {
	games           []engine.Game
	file            string
	lang            engine.Lang
	line            int
	head            []string      // the lines of a match's head so far; nil outside a head
	match           *engine.Match // nil before the first match, and if the last could not begin
	noMatchReported bool
	words           engine.Words
	out             strings.Builder
	problems        []string
}

// playScript plays a script. It returns its text with the answers that the rules give now, and
// the problems.
func playScript(games []engine.Game, file, source string) (string, []string) {
	s := &script{games: games, file: file, lang: engine.English}
	for text := range strings.Lines(source) {
		s.line++
		text = strings.TrimSuffix(text, "\n")
		if strings.HasPrefix(text, "  ") {
			continue // an answer
		}
		s.say("%s", text)
		s.command(text)
	}
	if s.head != nil {
		s.problem("the match does not begin")
	}
	return s.out.String(), s.problems
}

func (s *script) say(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

func (s *script) problem(format string, args ...any) {
	s.problems = append(s.problems, fmt.Sprintf("%s:%d: %s", s.file, s.line, fmt.Sprintf(format, args...)))
}

func (s *script) command(text string) {
	tokens, err := engine.Tokens(text)
	if err != nil {
		s.problem("%v", err)
	}
	if err != nil || len(tokens) == 0 {
		return
	}
	var words []string
	for _, t := range tokens {
		words = append(words, t.Text)
	}
	switch {
	case words[0] == "lang" && len(words) == 2:
		s.lang = engine.ParseLang(words[1])
	case words[0] == "tableside-journal" || s.head != nil:
		s.addHeading(text, words[0])
	case s.match == nil:
		if !s.noMatchReported { // once is enough
			s.problem("no match has begun")
		}
		s.noMatchReported = true
	case words[0] == "view":
		for _, line := range Extract(s.match.View(), words[1:]...) {
			s.say("  %s", line)
		}
	case words[0] == "expect":
		err := Expect(s.match.View(), words[1:]...)
		if err == nil && words[1] == "no" {
			err = checkSpelling(s.match.Words(), words[2:])
		}
		if err != nil {
			s.problem("%s: %v", text, err)
		}
	case text == "undo" || text == "redo":
		s.input("table " + text)
	default:
		s.input(text)
	}
}

// checkSpelling checks the names in a sentence that must be false. If the catalogue lacks a
// prompt, state, phase, notice or card in the sentence, it returns an error. If an answer in
// the sentence is no input, it also returns an error. Expect has only the view, and so cannot
// tell that these names are misspelt.
func checkSpelling(known engine.Words, words []string) error {
	var keys []string
	add := func(prefix string, names ...string) {
		for _, name := range names {
			keys = append(keys, prefix+name)
		}
	}
	switch words[0] {
	case "prompt":
		add("prompt.", words[2])
	case "answer":
		if _, err := engine.ParseInput(words[3]); err != nil {
			return err
		}
		add("prompt.", words[2])
	case "state":
		add("state.", words[2])
	case "phase", "notice":
		add(words[0]+".", words[1])
	case "zone":
		for _, card := range words[3:] {
			name, states, _ := strings.Cut(card, ":")
			if kind, _, _ := strings.Cut(name, "."); kind != "?" {
				add("card.", kind)
			}
			add("state.", strings.FieldsFunc(states, func(r rune) bool { return r == ':' })...)
		}
	}
	for _, key := range keys {
		if !known.Has(key) {
			return fmt.Errorf("there are no words for %s", key)
		}
	}
	return nil
}

// addHeading adds one line to the head of a journal. At the last line of the head, it begins
// the match. The argument word is the first word of the line.
func (s *script) addHeading(line, word string) {
	if word == "tableside-journal" {
		s.match, s.noMatchReported, s.head = nil, false, []string{}
	}
	s.head = append(s.head, line)
	if word != "begin" {
		return
	}
	head := strings.Join(s.head, "\n") + "\n"
	s.head = nil
	journal, err := engine.ParseJournal(s.file, []byte(head))
	if err != nil {
		s.problem("%v", err)
		return
	}
	game := engine.Find(s.games, journal.Setup.Game)
	if game == nil {
		s.problem("there is no game %q", journal.Setup.Game)
		return
	}
	match, err := engine.NewMatch(game, journal.Setup.FromPreset([]engine.Info{game.Info()}))
	s.words = engine.Merge(engine.CoreWords(), game.Info().Words)
	if impossible, ok := err.(*engine.SetupError); ok {
		s.say("  ! %s", s.words.Say(s.lang, impossible.Text, nil))
		return
	}
	if err != nil {
		s.problem("%v", err)
		return
	}
	s.match, s.words = match, engine.Merge(match.Words(), s.words)
	s.check()
}

func (s *script) input(text string) {
	in, err := engine.ParseInput(text)
	if err != nil {
		s.problem("%v", err)
		return
	}
	if in.At == 0 {
		in.At = s.match.Last()
	}
	before := mustJSON(s.match.View())
	step, err := s.match.Apply(in)
	v := s.match.View()
	if err != nil {
		if after := mustJSON(v); after != before {
			s.problem("%q was refused and yet changed the view", text)
		}
		refusal, ok := engine.AsRefusal(err)
		if !ok {
			s.problem("%v", err)
			return
		}
		insists := ""
		if refusal.Override {
			insists = " (yes insists)"
		}
		s.say("  ! %s%s", s.words.Say(s.lang, refusal.Text, v.Names()), insists)
		return
	}
	isTitle := func(e engine.Event) bool { return e.Word == "field.en" || e.Word == "field.fr" }
	if slices.ContainsFunc(step.Events, isTitle) {
		s.words = s.match.Words() // with the title that was entered
	}
	for _, e := range s.words.SpeakEvents(s.lang, step.Events, v.Names()) {
		s.say("  > %s", e.Spoken)
	}
	s.check()
}

func (s *script) check() {
	v := s.match.View()
	for _, p := range slices.Concat(matchProblems(s.match, v), ViewProblems(v)) {
		s.problem("%s", p)
	}
}
