package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/device"
	"tableside/device/history"
	"tableside/engine"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
)

// A journal whose rules are older and lead elsewhere today says so, and hides no other: no
// more than one that is damaged, of an unknown game, of newer rules, or very long.
func TestOlderRulesHideNoMatch(t *testing.T) {
	const head = "tableside-journal 1\ngame tally/score rules 1\n"
	const rest = "seat red Alice\nseat blue Max\nbegin 2026-11-20T20:15:00Z\n10s red choose +5\n"
	const older = head + rest
	today := strings.Replace(older, "rules 1", "rules 4", 1)
	var long strings.Builder
	long.WriteString(strings.Replace(today, "seat red", "option turns off\nseat red", 1))
	for i := range 20_000 {
		fmt.Fprintf(&long, "%ds red choose +1\n", 11+i)
	}
	const elsewhere = "" +
		"today's rules lead to another view than the one recorded here (the match has rules 1, today's are 5)"
	cases := []struct{ id, journal, state, reason, replay string }{
		{"2026-11-20T20-15-00Z", today + "20s red choose end\nend finished red\n", "finished", "", `"stopped":false`},
		{"2026-11-21T20-15-00Z", older, "unfinished", "", `"stopped":false`},
		{"2026-11-22T20-15-00Z", older + "mark 1 00000000\n20s red key next\n", "damaged", elsewhere, `"stopped":true`},
		{"2026-11-23T20-15-00Z", older + "mark 1 00000000\nend finished blue\n", "finished", elsewhere, `"stopped":true`},
		{"2026-11-24T20-15-00Z", older + "20s red choose sideways\nmark 2 00000000\n", "damaged",
			"line 7: That means nothing here; there are plus, minus, next, and amounts such as +5", `"stopped":true`},
		{"2026-11-25T20-15-00Z", head + "option dealer left\n" + rest, "damaged",
			"There is no option dealer", "no option dealer"},
		{"2026-11-26T20-15-00Z", strings.Replace(today, "rules 4", "rules 99", 1) + "mark 1 00000000\n", "damaged",
			"(the match has rules 99, today's are 5)", `"stopped":true`},
		{"2026-11-27T20-15-00Z", strings.Replace(today, "tally/score", "chess/blitz", 1), "damaged",
			`there is no game "chess/blitz" in this program`, `there is no game \"chess/blitz\" in this program`},
		{"2026-11-28T20-15-00Z", "not a journal\n", "damaged",
			"a journal begins with the line", "a journal begins with the line"},
		{"2026-11-29T20-15-00Z", long.String(), "unfinished", "", `"stopped":true`},
	}
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, "matches"), 0o750); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		writeConf(t, filepath.Join(data, "matches", c.id+".journal"), c.journal)
	}
	check := func(from string, list []byte) {
		t.Helper()
		var got []history.Entry
		if err := json.Unmarshal(list, &got); err != nil {
			t.Fatalf("%s: %v: %.300s", from, err, list)
		}
		for _, c := range cases {
			i := slices.IndexFunc(got, func(e history.Entry) bool { return e.ID == c.id })
			switch {
			case i < 0:
				t.Errorf("%s: %s is hidden", from, c.id)
			case got[i].State != c.state, !strings.Contains(got[i].Reason, c.reason), (got[i].Reason == "") != (c.reason == ""):
				t.Errorf("%s: %s: got %s %q, want %s %q", from, c.id, got[i].State, got[i].Reason, c.state, c.reason)
			}
		}
	}
	code, out, errs := speak(t, "", "history", "--json", "--data", data)
	if code != 0 {
		t.Fatal(code, errs)
	}
	check("tableside history --json", []byte(out))

	p := startDemo(t, "--data", data)
	list, err := p.get("/api/history")
	if err != nil {
		t.Fatal(err)
	}
	check("/api/history", list)
	// Each finished match counts, also the one whose end today's rules do not reach.
	var stats struct {
		Matches int
		Players []struct {
			Name        string
			Played, Won int
		}
	}
	if text, err := p.get("/api/stats"); err != nil || json.Unmarshal(text, &stats) != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	if got := fmt.Sprint(stats.Matches, stats.Players); got != "2 [{Alice 2 1} {Max 2 1}]" {
		t.Errorf("/api/stats: got %s", got)
	}
	for _, c := range cases {
		if text, _ := p.get("/api/replay?match=" + c.id); !strings.Contains(string(text), c.replay) {
			t.Errorf("%s: got the replay %.400s, want %s", c.id, text, c.replay)
		}
	}
}

// TestOlderSentences resumes a match of rules before 4 with an owner's sentences that no row has.
// Without them it is whole. Where one would resolve, its players are told, go on by hand, and
// the journal is set aside as it was.
func TestOlderSentences(t *testing.T) {
	const id = "2026-11-20T20-15-00Z"
	const head = "tableside-journal 1\ngame mindbug/first-contact rules 3\noption cards on\noption mindbug rulebook\n" +
		"option sets first-contact\noption silent-no off\ndefine card killer-bee play opponent loses 2 life\n" +
		"define card gorillion always this has hunter\nseat red\nseat blue\nfirst red\nbegin 2026-11-20T20:15:00Z\n" +
		"1s red tap axolotl-healer.1\n2s blue key no\n3s blue tap luchataur.1\n4s red key no\n"
	const always = "5s red tap gorillion.1\n6s blue key no\n7s blue tap luchataur.1\n8s red tap gorillion.1\n"
	const may = "define card killer-bee play may gain 2 life\nseat red"
	const mayYes = "5s red tap killer-bee.1\n6s blue key no\n7s red key yes\n8s blue tap luchataur.1\n9s red key no\n"
	const rest = "5s red tap killer-bee.1\n6s blue key no\n7s blue tap luchataur.1\n8s red tap axolotl-healer.1\n"
	for _, c := range []struct {
		journal string
		seq     int // from which it goes on
		prompt  string
	}{{head, 4, "turn"}, {head + rest, 6, "by-hand"}, {head + always, 6, "by-hand"},
		{strings.Replace(head, "seat red", may, 1) + mayYes, 6, "by-hand"}} {
		data := t.TempDir()
		file := filepath.Join(data, "matches", id+".journal")
		if err := os.Mkdir(filepath.Join(data, "matches"), 0o750); err != nil {
			t.Fatal(err)
		}
		writeConf(t, file, c.journal)
		table, err := device.New(device.Config{Name: "table", Dir: data, Games: mindbug.Games()})
		if err != nil {
			t.Fatal(err)
		}
		end := background(t, table.Run)
		yes := engine.Input{Seat: engine.Table, Verb: engine.Key, Args: []string{"yes"}}
		r := table.Input(t.Context(), yes)
		if whole := c.journal == head; whole == (r.Text.Key == "receipt.partly") {
			t.Errorf("got the receipt %+v", r)
		} else if !whole {
			r = table.Input(t.Context(), yes)
		}
		if v := table.Frame().View; r.Outcome != engine.Accepted || v.Seq != c.seq || v.Prompts[0].Key != c.prompt {
			t.Errorf("got %+v, and %d inputs with the prompt %s", r, v.Seq, v.Prompts[0].Key)
		}
		if c.prompt == "by-hand" {
			for _, line := range []string{"red choose by-hand", "blue key minus", "blue key minus", "red key yes",
				"blue tap luchataur.1"} {
				in, err := engine.ParseInput(line)
				if err != nil {
					t.Fatal(err)
				}
				if r := table.Input(t.Context(), in); r.Outcome != engine.Accepted {
					t.Errorf("%s: %+v", line, r)
				}
			}
			if aside, err := os.ReadFile(file + ".aside-1"); err != nil || string(aside) != c.journal {
				t.Errorf("set aside: %v\n%s", err, aside)
			}
		}
		end()
	}
}

// TestOlderSentencesOfMutants does the same with a match of Mutants under rules before 4.
func TestOlderSentencesOfMutants(t *testing.T) {
	const id = "2026-11-20T20-15-00Z"
	const head = "tableside-journal 1\ngame mutants/second-edition rules 2\noption cards on\noption data stand-in\n" +
		"option pools ready-made\noption red-zone \"\"\noption rounds \"\"\noption spaces \"\"\n" +
		"define card zombie deploy attack each opponent: lose 1 power\ndefine card robot deploy Piochez deux cartes.\n" +
		"seat red\nseat blue\nfirst red\nbegin 2026-11-20T20:15:00Z\n1s red key next\n2s blue key next\n"
	const ongoing = "define card zombie ongoing each time you draw a card: may gain 1 power\nseat red"
	zombie := head + "3s red tap zombie.1\n"
	for journal, seq := range map[string]int{head: 2,
		zombie + "4s blue tap warrior.1\n": 3, zombie + "4s red key yes\n": 3,
		zombie + "4s red key plus\n": 3, zombie + "4s red choose draw\n": 3, zombie + "4s red set power 5\n": 3,
		strings.Replace(zombie, "seat red", ongoing, 1) + "4s blue tap warrior.1\n": 3} {
		data := t.TempDir()
		file := filepath.Join(data, "matches", id+".journal")
		if err := os.Mkdir(filepath.Join(data, "matches"), 0o750); err != nil {
			t.Fatal(err)
		}
		writeConf(t, file, journal)
		table, err := device.New(device.Config{Name: "table", Dir: data, Games: mutants.Games()})
		if err != nil {
			t.Fatal(err)
		}
		end := background(t, table.Run)
		yes := engine.Input{Seat: engine.Table, Verb: engine.Key, Args: []string{"yes"}}
		if r := table.Input(t.Context(), yes); (r.Text.Key == "receipt.partly") != (seq == 3) {
			t.Errorf("got the receipt %+v", r)
		}
		if seq == 3 {
			table.Input(t.Context(), yes)
			lines := []string{"red choose by-hand", "red key plus", "red key yes"}
			want := "by-hand-deploy"
			if strings.Contains(journal, "ongoing") {
				want, lines = "by-hand-ongoing", append(lines[:1:1], lines...)
			}
			if v := table.Frame().View; v.Seq != seq || v.Prompts[0].Key != want {
				t.Errorf("got %d inputs with the prompt %s", v.Seq, v.Prompts[0].Key)
			}
			for _, line := range lines {
				in, err := engine.ParseInput(line)
				if err != nil {
					t.Fatal(err)
				}
				if r := table.Input(t.Context(), in); r.Outcome != engine.Accepted {
					t.Errorf("%s: %+v", line, r)
				}
			}
			if aside, err := os.ReadFile(file + ".aside-1"); err != nil || string(aside) != journal {
				t.Errorf("set aside: %v\n%s", err, aside)
			}
		}
		end()
	}
}

// TestOlderSentencesOfGenegrafter does the same with a match of Genegrafter under rules before 4.
func TestOlderSentencesOfGenegrafter(t *testing.T) {
	const id = "2026-11-20T20-15-00Z"
	const head = "tableside-journal 1\ngame genegrafter/standard rules 3\noption data stand-in\noption guide off\n" +
		"define card power-glove does +1 attack, then has telekinesis\ndefine card lumen does may gain 1 health\n" +
		"define card outbreak does may gain 1 health\nseat red Alice\nseat blue Max\nfirst red\n" +
		"begin 2026-11-20T20:15:00Z\n1s red set anvil.1 play\n2s red set power-glove.1 on anvil.1\n" +
		"3s blue set rookie.1 play\n"
	for _, c := range []struct {
		journal string
		seq     int
	}{
		{head + "4s red key next\n5s red key next\n6s red tap anvil.1\n7s red key plus\n", 6},
		{head + "4s red key next\n5s red key next\n6s red tap anvil.1\n7s red choose special-die\n", 6},
		{head + "4s red tap outbreak.1\n5s red key yes\n", 4},
		{head + "4s red tap outbreak.1\n5s table set turn blue\n", 4},
		{head + "4s red key next\n5s red tap lumen.1\n6s red key yes\n", 5},
	} {
		data := t.TempDir()
		file := filepath.Join(data, "matches", id+".journal")
		if err := os.Mkdir(filepath.Join(data, "matches"), 0o750); err != nil {
			t.Fatal(err)
		}
		writeConf(t, file, c.journal)
		table, err := device.New(device.Config{Name: "table", Dir: data, Games: genegrafter.Games()})
		if err != nil {
			t.Fatal(err)
		}
		end := background(t, table.Run)
		yes := engine.Input{Seat: engine.Table, Verb: engine.Key, Args: []string{"yes"}}
		if r := table.Input(t.Context(), yes); r.Text.Key != "receipt.partly" {
			t.Errorf("got the receipt %+v", r)
		}
		table.Input(t.Context(), yes)
		if v := table.Frame().View; v.Seq != c.seq || v.Prompts[0].Key != "by-hand" {
			t.Errorf("got %d inputs with the prompt %s", v.Seq, v.Prompts[0].Key)
		}
		for _, line := range []string{"red choose by-hand", "red key minus", "red key yes"} {
			in, err := engine.ParseInput(line)
			if err != nil {
				t.Fatal(err)
			}
			if r := table.Input(t.Context(), in); r.Outcome != engine.Accepted {
				t.Errorf("%s: %+v", line, r)
			}
		}
		if aside, err := os.ReadFile(file + ".aside-1"); err != nil || string(aside) != c.journal {
			t.Errorf("set aside: %v\n%s", err, aside)
		}
		end()
	}
}
