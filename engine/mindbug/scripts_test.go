package mindbug_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/mindbug"
)

// TestCardScripts checks that every card has a script in the folder of its set. Each of its matches has a heading, and
// among them are
//
//	# Defeated: defeat a creature.      the first: what the card does
//	# Nothing: nobody is left.          an ability that finds nothing to do
//	# Under a Mindbug it explodes ...   a creature: what it does for who took it
func TestCardScripts(t *testing.T) {
	d, err := mindbug.Build(mindbug.Printed())
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/cards-*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	level := map[string]*mindbug.Kind{}
	for i := range d.Kinds {
		if k := &d.Kinds[i]; k.Level > 1 {
			level[k.ID] = k // shown by the creature that evolves into it
		}
	}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		if k.Level > 1 {
			continue
		}
		name := k.ID
		if k.Energy {
			name = "energy-" + k.ID
		}
		file := filepath.Join("testdata", "cards-"+k.Set, name+".txt")
		files = slices.DeleteFunc(files, func(other string) bool { return other == file })
		script, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, missing := range lacks(k, string(script)) {
			t.Errorf("%s: %s", file, missing)
		}
		for next := level[k.Into]; next != nil; next = level[next.Into] {
			if !strings.Contains(string(script), " evolves into "+next.Names.In(engine.English)) {
				t.Errorf("%s: nothing evolves into %s", file, next.ID)
			}
		}
	}
	for _, file := range files {
		t.Errorf("%s is of no card", file)
	}
}

// lacks returns the parts that the script of a card lacks.
func lacks(k *mindbug.Kind, script string) []string {
	parts := strings.Split("\n"+script, "\ntableside-journal 1\n")
	nothing, taken, shown := false, false, false
	var missing []string
	for i, part := range parts[1:] {
		heading := lastComment(parts[i])
		switch {
		case heading == "":
			missing = append(missing, "a match has no heading")
		case strings.HasPrefix(heading, "# Nothing: "):
			nothing = true
		case strings.HasPrefix(heading, "# Under a Mindbug"):
			taken = true
			shown = shown || afterMindbug(part, k.Names.In(engine.English))
		case i == 0:
			continue
		}
		if i == 0 {
			missing = append(missing, "the first match does not show what it does")
		}
	}
	if !nothing && mayFail(k) {
		missing = append(missing, "no match shows it without anything to do")
	}
	if !k.Energy && !taken {
		missing = append(missing, "no match shows it under a Mindbug")
	}
	if !k.Energy && taken && !shown {
		missing = append(missing, "under a Mindbug it only comes into play")
	}
	return missing
}

// lastComment returns the heading of the next match: the first line of the comment
// that ends a part of a script.
func lastComment(part string) string {
	lines := strings.Split(strings.TrimSuffix(part, "\n"), "\n")
	i := len(lines)
	for i > 0 && strings.HasPrefix(lines[i-1], "#") {
		i--
	}
	if i == len(lines) {
		return ""
	}
	return lines[i]
}

func afterMindbug(part, title string) bool {
	_, after, ok := strings.Cut(part, " uses a Mindbug on "+title+": ")
	for line := range strings.Lines(after) {
		if strings.HasPrefix(line, "  ") && !strings.Contains(line, "comes into play") &&
			!strings.Contains(line, " has another ") {
			return ok
		}
	}
	return false
}

// mayFail reports whether a card has an ability that may find nothing to do: not
// those that give or take life or energy, or evolve, and not an attack effect that
// may apply to any creature, as the attacker is one.
func mayFail(k *mindbug.Kind) bool {
	for _, a := range []*mindbug.Ability{&k.Play, &k.Attack, &k.Defeated, &k.Action, &k.Discarded, &k.Effect,
		&k.LifeLost} {
		for _, step := range a.Steps {
			of := step.Creatures
			anybody := of.Trait != mindbug.Boosted &&
				of == mindbug.Creatures{Count: of.Count, N: min(1, of.N), Side: mindbug.AnySide, Trait: of.Trait}
			switch step.Do {
			case mindbug.GainLife, mindbug.LoseLife, mindbug.OpponentLoses, mindbug.GainEnergy, mindbug.Evolve:
				if step.If == mindbug.Always {
					continue
				}
			case mindbug.Defeat, mindbug.StopBlock:
				if a == &k.Attack && anybody {
					continue
				}
			}
			return true
		}
	}
	return len(k.Always)+len(k.InDiscard) > 0
}
