package mutants_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/mutants"
)

// TestDraftStaysSecret checks that no view, event or refusal names a drafted
// card before it tops a pile.
func TestDraftStaysSecret(t *testing.T) {
	match, err := engine.NewMatch(mutants.Games()[1], setup(2, "pools", "draft"))
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"table key next", "red tap android.1"}
	for range 6 {
		lines = append(lines, "red key next", "blue key next")
	}
	picked := map[string][]string{"red": {"android", "krunk", "marv", "nebulon", "anubis", "omikami"},
		"blue": {"primal", "wampara", "triple-b", "pit-lord", "rakshasa", "kolossus"}}
	for _, seat := range []string{"red", "blue"} {
		for _, card := range picked[seat] {
			lines = append(lines, seat+" tap "+card+".1")
		}
		lines = append(lines, seat+" tap "+picked[seat][0]+".2", seat+" tap primal.1", seat+" key next", "table undo",
			"table redo")
	}
	for _, line := range lines {
		in, err := engine.ParseInput(line)
		if err != nil {
			t.Fatal(err)
		}
		step, err := match.Apply(in)
		refusal, refused := engine.AsRefusal(err)
		if err != nil && !refused {
			t.Fatalf("%s: %v", line, err)
		}
		seen, err := json.Marshal(map[string]any{"view": match.View(),
			"events": match.Words().SpeakEvents(engine.English, step.Events, nil), "refusal": refusal})
		if err != nil {
			t.Fatal(err)
		}
		for _, cards := range picked {
			for _, card := range cards {
				if strings.Contains(string(seen), card) {
					t.Errorf("after %q %s can be seen in %s", line, card, seen)
				}
			}
		}
	}
	if v := match.View(); v.Prompts[0].Key != "show-pool" {
		t.Errorf("the draft does not end: %+v", v.Prompts)
	}
}

// TestDraftTellsNothing checks that blue learns nothing of red's six, whatever blue taps and
// takes back: not from what is accepted, from refusals, or from what the table shows.
func TestDraftTellsNothing(t *testing.T) {
	lines := []string{"blue tap android.1", "table undo", "blue tap krunk.2", "blue tap krunk.2", "blue tap primal.1",
		"blue tap marv.1", "blue tap kolossus.1", "blue tap omikami.1", "blue tap anubis.1", "blue tap nebulon.1",
		"blue tap wampara.2", "blue tap android.2", "blue tap krunk.1", "table undo", "blue tap zombie.1",
		"blue set android.1 discard", "blue key next", "blue tap android.1"}
	tell := func(picked ...string) []string {
		match, err := engine.NewMatch(mutants.Games()[1], setup(2, "pools", "draft"))
		if err != nil {
			t.Fatal(err)
		}
		play := func(line string) string {
			in, err := engine.ParseInput(line)
			if err != nil {
				t.Fatal(err)
			}
			step, err := match.Apply(in)
			seen, err := json.Marshal([]any{match.View(), step.Events, fmt.Sprint(err)})
			if err != nil {
				t.Fatal(err)
			}
			return string(seen)
		}
		play("table key next")
		for range 6 {
			play("table key next")
		}
		for _, card := range picked {
			play("red tap " + card + ".1")
		}
		var told []string
		for _, line := range lines {
			told = append(told, play(line))
		}
		return told
	}
	first := tell("android", "krunk", "marv", "nebulon", "anubis", "omikami")
	second := tell("rhinotaur", "wampara", "triple-b", "pit-lord", "rakshasa", "dire-despot")
	for i, line := range lines {
		if first[i] != second[i] {
			t.Errorf("after %q the table shows whether red has the card:\n%s\n%s", line, first[i], second[i])
		}
	}
}

// TestDraftIsSecret checks which inputs a draft keeps secret, and until when.
func TestDraftIsSecret(t *testing.T) {
	match, err := engine.NewMatch(mutants.Games()[1], setup(2, "pools", "draft"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(match.Setup().Head(), "\n") + "\ntable key next\n" + strings.Repeat("table key next\n", 6) +
		"red tap big-boss.1\nred undo\n"
	for i, card := range []string{"android", "krunk", "marv", "nebulon", "anubis", "omikami"} {
		text += "red tap " + card + ".1\nblue tap " +
			[]string{"primal", "wampara", "triple-b", "pit-lord", "rakshasa", "kolossus"}[i] + ".2\n"
	}
	text += "red tap krunk.2\ntable key next\nred tap android.1\nred tap krunk.2\nred tap marv.2\nblue tap primal.1\n"
	mask := func(text string, game engine.Game) string {
		journal, err := engine.ParseJournal("draft", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return string(journal.Mask(game, []byte(text), "Not a journal.", nil))
	}
	masked := mask(text, mutants.Games()[1])
	for _, card := range []string{"big-boss", "krunk.1", "marv.1", "nebulon", "anubis", "omikami", "primal.2"} {
		if strings.Contains(masked, card) {
			t.Errorf("%s is not hidden in\n%s", card, masked)
		}
	}
	if n := strings.Count(masked, "red tap android.1\n"); n != 2 || strings.Count(masked, "red tap krunk.2\n") != 2 ||
		!strings.Contains(masked, "0s red tap ?\n") || !strings.Contains(masked, "blue tap primal.1\n") {
		t.Errorf("what has been face up is hidden in\n%s", masked)
	}
	_, err = engine.ParseJournal("draft", []byte(masked))
	if err == nil || !strings.Contains(err.Error(), "hides cards") {
		t.Errorf("the masked journal is read as a journal: %v", err)
	}
	if unknown := mask(text, nil); strings.Contains(unknown, "android") {
		t.Errorf("a game that is not here hides no taps:\n%s", unknown)
	}
	if whole := text + "end finished red\n"; mask(whole, mutants.Games()[1]) != whole {
		t.Error("after the match something is hidden")
	}
}

// TestDraftCounts checks how many cards the table asks players to shuffle for a draft: those of
// the box, even those that nobody has named, and those of an owner.
func TestDraftCounts(t *testing.T) {
	own := func(id, genes string) []string {
		return []string{"card " + id + " kind advanced", "card " + id + " en Own", "card " + id + " genes " + genes,
			"card " + id + " draft"}
	}
	for _, c := range []struct {
		own  []string
		want string
	}{
		{nil, "Shuffle the 36 cards"},
		{own("grave-golem", "cyber necro"), "Shuffle the 36 cards"}, // the pair of an unnamed card
		{own("grave-golem", "necro necro"), "Shuffle the 37 cards"},
		{[]string{`card cyber-necro en "Grave Golem"`, "card cyber-necro freeze 2"}, "Shuffle the 36 cards"},
	} {
		with := setup(4, "pools", "draft", "data", "known", "spaces", "12", "guide", "off")
		with.Definitions = c.own
		if _, err := mutants.Definitions("mine", strings.Join(c.own, "\n")); err != nil {
			t.Errorf("%q: %v", c.own, err)
		}
		match, err := engine.NewMatch(mutants.Games()[1], with)
		if err != nil {
			t.Fatal(err)
		}
		view := match.Words().SpeakView(engine.English, match.View())
		if got := view.Prompts[0].Text; !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %q, want %q…", c.own, got, c.want)
		}
	}
}
