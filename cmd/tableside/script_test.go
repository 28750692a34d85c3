package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// TestScriptAgreesWithReplay tests that "demo --script" ends with the view of
// "replay", for random journals. A key must not move the cursor of a prompt; an answer
// to the empty table, or to the table after a match, is refused; the table throws no
// dice; stand-ins are not the default. With chips, the hands must not turn a knob whose
// key is itself an answer. With the race detector, only those with chips are played: a
// raced start takes ten times as long. In make check these are left out.
func TestScriptAgreesWithReplay(t *testing.T) {
	t.Parallel()
	const seats = "seat red\nseat blue\n"
	scripts := map[string]string{
		"yes for the cursor": "game mutants/second-edition\noption cards off\n" + seats +
			"first red\nBEGIN\n0s red key yes\n1s red key right\n2s red key yes\n3s red key next\n",
		"no stand-ins": "game mutants/second-edition\n" + seats +
			"first red\nBEGIN\n0s red key next\n1s blue key next\n2s red tap zombie.1\n",
		"who begins": "game mindbug/first-contact\n" + seats +
			"BEGIN\n0s table key right\n0s table key yes\n0s red key yes\n",
		"dice": "game mindbug/king-of-tokyo\n" + seats +
			"first red\nBEGIN\n0s red key roll\n0s table key roll\n0s red key yes\n",
		"after the end": "game tally/score\noption target 3\n" + seats +
			"BEGIN\n0s red choose +3\n1s table choose rematch\n1s table choose new\n1s table key yes\n2s red undo\n3s " +
			"red redo\n",
		"keys that count": "game tally/score\noption counters life,energy\n" + seats +
			"BEGIN\n0s red key right\n0s red key plus\n0s red key left\n0s red key left\n0s red choose +5\n0s blue key " +
			"yes\n0s table key right\n0s red key minus\n1s red undo\n1s red redo\n2s red key next\n",
		"keys of a list": "game tally/score\n" + seats +
			"BEGIN\n0s red key right\n0s red choose +5\n0s red key left\n0s red key plus\n0s red key yes\n1s red key " +
			"next\n2s blue choose +10\n",
		"a mark that is not so": "game tally/score\n" + seats + "BEGIN\n0s red key plus\nmark 1 00000000\n1s red key plus\n",
	}
	for _, game := range allGames() {
		name := game.Info().Name
		scripts["anything in "+name] = "game " + name + "\n" + anything(name)
	}
	for name, script := range scripts {
		if keys := strings.HasPrefix(name, "keys"); enginetest.Raced && !keys || testing.Short() && keys {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "a.journal")
			text := "tableside-journal 1\n" + strings.Replace(script, "BEGIN", "begin 2026-11-20T20:15:00Z", 1)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, out, errs := speak(t, "", "replay", "--json", file)
			var want, got engine.View
			if err := json.Unmarshal([]byte(out), &want); err != nil {
				t.Fatalf("%v: %s%s", err, out, errs)
			}
			args := []string{"--script", file, "--fast"}
			if strings.HasPrefix(name, "keys") {
				args = append(args, "--chips")
			}
			p := startDemo(t, args...)
			select {
			case <-p.played:
			case <-time.After(30 * time.Second):
				t.Fatal("the script is not played to its end")
			}
			got, err := p.view()
			if err != nil {
				t.Fatal(err)
			}
			p.interrupt()
			want.Match, want.Table = got.Match, got.Table
			// What the table asks itself, and offers, is no part of the match.
			want.Prompts, got.Prompts, want.Labels, got.Labels = nil, nil, nil, nil
			if a, b := asJSON(want), asJSON(got); a != b {
				t.Errorf("replay leads to\n%s\nand the table to\n%s\nwith\n%s", a, b, text)
			}
		})
	}
}

// anything returns a journal of random inputs, sensible or not.
func anything(game string) string {
	chance := rand.New(rand.NewPCG(uint64(len(game)), 7))
	pick := func(words ...string) string { return words[chance.IntN(len(words))] }
	var b strings.Builder
	b.WriteString("seat red\n")
	if game != "mutants/uprising" {
		b.WriteString("seat blue\n")
	}
	b.WriteString("BEGIN\n")
	for i := range 150 {
		seat := pick("red", "blue", "table")
		verb := pick("key "+pick(engine.Keys...), "key "+pick("yes", "next", "right", "plus"),
			"choose "+pick("red", "blue", "+1", "3", "end", "new", "rematch", game),
			"undo", "redo", "set score 4", "set name Bob", "tap "+pick("zombie.1", "robot.1", "alien.1"))
		fmt.Fprintf(&b, "%ds %s %s\n", i, seat, verb)
	}
	return b.String()
}
