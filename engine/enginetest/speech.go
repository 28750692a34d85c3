package enginetest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
)

// unsaid finds what a catalogue could not say: a key in guillemets (without
// the space that French puts there), or an argument that was not filled.
var unsaid = regexp.MustCompile("«[^\\s\u00a0]|[{}]")

// sayProblems speaks a text in every language.
func sayProblems(words engine.Words, t engine.Text, names map[engine.Seat]string) []string {
	var r report
	for _, lang := range engine.Languages {
		if words[t.Key][lang] == "" && !strings.HasPrefix(t.Key, "card.") {
			r.add("key %q has no words in %q", t.Key, lang)
		} else if s := words.Say(lang, t, names); strings.ContainsAny(s, "«{}") && unsaid.MatchString(s) {
			r.add("key %q says %q", t.Key, s)
		}
	}
	return r
}

func eventProblems(words engine.Words, v engine.View, events []engine.Event) []string {
	var r report
	for _, e := range events {
		r = append(r, sayProblems(words, e.Text(), v.Names())...)
	}
	return r
}

// said holds the keys of labels that were found in every language.
type said map[string]bool

// problems speaks prompts, answers and labels of a view.
func (known said) problems(words engine.Words, v engine.View) []string {
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
	for _, key := range labelKeys(v) {
		if !known[key] {
			say(key, nil)
			known[key] = true
		}
	}
	return r
}

// titleProblems looks for cards and games without a title.
func titleProblems(words engine.Words, v engine.View) []string {
	var r report
	for _, lang := range engine.Languages {
		if s := mustJSON(words.SpeakView(lang, v)); strings.Contains(s, "«card.") || strings.Contains(s, "«game.") {
			r.add("a title is missing in %q: %s", lang, s)
		}
	}
	return r
}

// labelKeys are the names in a view that people read.
func labelKeys(v engine.View) []string {
	keys := map[string]bool{"phase." + v.Phase: true}
	for _, n := range v.Notices {
		keys["notice."+n] = true
	}
	counted := func(counters engine.Counters) {
		for _, c := range counters {
			keys["counter."+c.Name] = true
		}
	}
	zoned := func(zones engine.Zones) {
		for _, z := range zones {
			keys["zone."+z.Name] = true
			cardsOf(z.Cards, func(c engine.Card) {
				counted(c.Counters)
				for _, s := range c.State {
					keys["state."+s] = true
				}
				for _, k := range c.Keywords {
					keys["keyword."+k] = true
				}
			})
		}
	}
	counted(v.Counters)
	zoned(v.Zones)
	for _, s := range v.Seats {
		for _, state := range s.State {
			keys["state."+state] = true
		}
		counted(s.Counters)
		zoned(s.Zones)
	}
	for _, t := range v.Tracks {
		keys["track."+t.ID] = true
		for _, a := range t.Areas {
			keys["area."+a.ID] = true
		}
	}
	for _, d := range v.Dice {
		if d.Face != "" {
			keys["face."+string(d.Face)] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

var argument = regexp.MustCompile(`\{(\w+)`)

// checkInfo checks what a game says of itself before any match.
func checkInfo(t *testing.T, info engine.Info) {
	if !regexp.MustCompile(`^[a-z0-9-]+/[a-z0-9-]+$`).MatchString(info.Name) {
		t.Errorf("a game is named as family/edition, not %q", info.Name)
	}
	if info.Rules < 1 || info.MinSeats < 1 || info.MaxSeats < info.MinSeats {
		t.Errorf("rules %d, seats %d to %d", info.Rules, info.MinSeats, info.MaxSeats)
	}
	words := engine.Merge(engine.CoreWords(), info.Words)
	family, _, _ := strings.Cut(info.Name, "/")
	need := []string{"game." + family}
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
		if said[engine.English] == "" || said[engine.French] == "" && !strings.HasPrefix(key, "card.") {
			t.Errorf("key %q lacks a language", key)
			continue
		}
		// Singular and plural may use what they like; the rest must agree.
		if en, fr := arguments(said[engine.English]), arguments(said[engine.French]); said[engine.French] != "" && !slices.Equal(en, fr) {
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
