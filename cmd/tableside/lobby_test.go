package main

import (
	"context"
	"regexp"
	"slices"
	"testing"

	"tableside/device"
	"tableside/engine"
)

// unsaid matches a key without a text, as it is shown.
var unsaid = regexp.MustCompile(`«[a-z][a-z.-]*»`)

// TestEmptyTableSpeaks chooses every game by key, up to its beginning, and tests that
// every prompt on the way has a text.
func TestEmptyTableSpeaks(t *testing.T) {
	games := allGames()
	for _, lang := range engine.Languages {
		table, err := device.New(device.Config{Name: "test", Dir: t.TempDir(), Games: games, Lang: lang})
		if err != nil {
			t.Fatal(err)
		}
		stop := background(t, table.Run)
		for _, name := range games.Names() {
			choose(t, table, "table choose "+name)
		}
		stop()
	}
}

// choose answers with input, then with the first option of each prompt, until the
// match could begin; then it takes everything back.
func choose(t *testing.T, table *device.Table, input string) {
	t.Helper()
	answer := func(line string) {
		in, err := engine.ParseInput(line)
		if err != nil {
			t.Fatal(err)
		}
		if r := table.Input(context.Background(), in); r.Outcome != engine.Accepted {
			t.Fatalf("%s: %+v", line, r)
		}
	}
	for n := 0; ; n++ {
		p := table.Frame().View.Prompts[0]
		said := []string{p.Text}
		for _, o := range p.Options {
			said = append(said, o.Text)
		}
		if i := slices.IndexFunc(said, unsaid.MatchString); i >= 0 {
			t.Errorf("%s: %q", p.Key, said[i])
		}
		if p.Key == "lobby-begin" {
			for range n {
				answer("table undo")
			}
			return
		}
		answer(input)
		if next := table.Frame().View.Prompts[0]; len(next.Options) > 0 {
			input = next.Options[0].Input
		}
	}
}
