package enginetest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
)

// textFault matches a fault of a catalogue in a spoken text. Such a fault is an argument that was
// not filled, or a key in guillemets. A key follows its guillemet directly. A French quotation
// has a space there.
var textFault = regexp.MustCompile("«[^\\s\u00a0]|[{}]")

// sayProblems puts a text into words in every language, and returns the problems with these
// words.
func sayProblems(words engine.Words, t engine.Text, names map[engine.Seat]string) []string {
	var r report
	for _, lang := range engine.Languages {
		if words[t.Key].In(lang) == "" && !strings.HasPrefix(t.Key, "card.") {
			r.add("key %q has no words in %q", t.Key, lang)
		} else if s := words.Say(lang, t, names); strings.ContainsAny(s, "«{}") && textFault.MatchString(s) {
			r.add("key %q says %q", t.Key, s)
		}
	}
	return r
}

func eventProblems(words engine.Words, names map[engine.Seat]string, events []engine.Event) []string {
	var r report
	for _, e := range events {
		r = append(r, sayProblems(words, e.Text(), names)...)
	}
	return r
}

// A labelSet holds the labels that were found in every language.
type labelSet map[label]bool

// A label is a name in a view that people read. It also holds the kind of the name, such as
// "phase", "zone" or "keyword".
type label struct{ kind, name string }

// findProblems puts the prompts, answers and labels of a view into words, and returns the
// faults of these texts. It skips each label that is in the receiver already, and adds all
// other labels of the view to the receiver.
func (known labelSet) findProblems(words engine.Words, v engine.View) []string {
	var r report
	names := v.Names()
	say := func(key string, args engine.Args) {
		r = append(r, sayProblems(words, engine.Text{Key: key, Args: args}, names)...)
	}
	for _, p := range v.Prompts {
		args := maps.Clone(p.Args)
		args["seat"] = p.Seat
		say("prompt."+p.Key, args)
		for _, o := range p.Options {
			say("answer."+o.Key, o.Args)
		}
	}
	eachLabel(v, func(l label) {
		if !known[l] {
			say(l.kind+"."+l.name, nil)
			known[l] = true
		}
	})
	return r
}

func titleProblems(words engine.Words, v engine.View) []string {
	var r report
	for _, lang := range engine.Languages {
		if s := mustJSON(words.SpeakView(lang, v)); strings.Contains(s, "«card.") || strings.Contains(s, "«game.") {
			r.add("a title is missing in %q: %s", lang, s)
		}
	}
	return r
}

// eachLabel calls visit for each name that people read in a view.
func eachLabel(v engine.View, visit func(label)) {
	visit(label{"phase", v.Phase})
	each := func(of string, names []string) {
		for _, name := range names {
			visit(label{of, name})
		}
	}
	each("notice", v.Notices)
	counted := func(counters engine.Counters) {
		for _, c := range counters {
			visit(label{"counter", c.Name})
		}
	}
	zoned := func(zones engine.Zones) {
		for _, z := range zones {
			visit(label{"zone", z.Name})
			cardsOf(z.Cards, func(c engine.Card) {
				counted(c.Counters)
				each("state", c.State)
				each("keyword", c.Keywords)
			})
		}
	}
	counted(v.Counters)
	zoned(v.Zones)
	for _, s := range v.Seats {
		each("state", s.State)
		counted(s.Counters)
		zoned(s.Zones)
	}
	if v.Sheet != nil {
		for _, row := range v.Sheet.Rows {
			if row.Round == 0 {
				visit(label{"row", row.ID})
			}
			for _, part := range row.Parts {
				visit(label{"part", part.Name})
			}
		}
	}
	for _, t := range v.Tracks {
		visit(label{"track", t.ID})
		for _, a := range t.Areas {
			visit(label{"area", a.ID})
		}
	}
	for _, d := range v.Dice {
		if d.Face != "" {
			visit(label{"face", string(d.Face)})
		}
	}
}

var argument = regexp.MustCompile(`\{(\w+)`)

// checkInfo checks the Info of a game, and that its catalogue has all words in every language.
func checkInfo(t *testing.T, info engine.Info) {
	if !regexp.MustCompile(`^[a-z0-9-]+/[a-z0-9-]+$`).MatchString(info.Name) {
		t.Errorf("got name %q, want title/edition", info.Name)
	}
	if info.Rules < 1 || info.MinSeats < 1 || info.MaxSeats < info.MinSeats {
		t.Errorf("rules %d, seats %d to %d", info.Rules, info.MinSeats, info.MaxSeats)
	}
	words := engine.Merge(engine.CoreWords(), info.Words)
	need := []string{"game." + engine.Title(info.Name)}
	for _, o := range info.Options {
		need = append(need, "option."+o.Name+".help")
		if err := o.Accepts(o.Default); err != nil {
			t.Errorf("option %s does not accept its default %q: %v", o.Name, o.Default, err)
		}
	}
	for _, card := range info.Cards {
		need = append(need, "card."+card)
	}
	for _, key := range need {
		for _, problem := range sayProblems(words, engine.Text{Key: key}, nil) {
			t.Error(problem)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(info.Words)) {
		said := info.Words[key]
		if said.In(engine.English) == "" || said.In(engine.French) == "" && !strings.HasPrefix(key, "card.") {
			t.Errorf("key %q lacks a language", key)
			continue
		}
		// A language may fill an argument more than once, but both must fill the same arguments.
		if en, fr := arguments(said.In(engine.English)), arguments(said.In(engine.French)); said.In(engine.French) != "" &&
			!slices.Equal(en, fr) {
			t.Errorf("key %q fills %v in English and %v in French", key, en, fr)
		}
	}
}

func arguments(template string) []string {
	names := map[string]bool{}
	for _, m := range argument.FindAllStringSubmatch(template, -1) {
		names[m[1]] = true
	}
	return slices.Sorted(maps.Keys(names))
}
