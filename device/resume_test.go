package device

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

const head = `tableside-journal 1
game count/plain rules 1
seat red Alice
seat blue
first red
begin 2026-11-20T20:15:00Z
`

const headID = "2026-11-20T20-15-00Z"

// written writes a journal into a new data folder.
func written(t testing.TB, journal string) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	path = filepath.Join(dir, "matches", headID+".journal")
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(journal), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, path
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestContinue(t *testing.T) {
	journal := head + "1s red key plus\n90s red key plus\n"
	for _, c := range []struct {
		name        string
		change      func(*Config)
		prepare     string
		lines       []string
		match, seen string // the match and the first prompt afterwards
	}{
		{name: "asked", match: "", seen: "lobby-continue"},
		{name: "yes", lines: []string{"table key yes"}, match: headID, seen: "count"},
		{name: "yes of a seat", lines: []string{"green key yes"}, match: headID, seen: "count"},
		{name: "no", lines: []string{"table key no"}, seen: "lobby-seats"},
		{name: "resume", prepare: "resume", match: headID, seen: "count"},
		{name: "new", change: func(c *Config) { c.New = true }, seen: "lobby-seats"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, path := written(t, journal)
			config := configured(dir)
			if c.change != nil {
				c.change(&config)
			}
			table := start(t, config)
			if c.prepare != "" {
				table.order(engine.Order{Do: c.prepare})
			}
			table.do("table undo") // answers nothing, or is refused; waits for the start in any case
			if c.match == "" || len(c.lines) > 0 {
				want := headID
				if config.New {
					want = ""
				}
				if got := table.Frame().Status.Unfinish; got != want {
					t.Errorf("continue %q, want %q", got, want)
				}
			}
			table.must(c.lines...)
			if c.name == "resume" {
				table.must("table redo")
			}
			f := table.Frame()
			if string(f.View.Match) != c.match || f.View.Prompts[0].Key != c.seen {
				t.Fatalf("match %q asks %q, want %q and %q", f.View.Match, f.View.Prompts[0].Key, c.match, c.seen)
			}
			if c.name == "asked" || c.match != "" {
				return
			}
			if f.Status.Unfinish != "" || table.Matches()[0].State != "unfinished" || read(t, path) != journal {
				t.Errorf("the match is not left as it was: %+v", table.Matches())
			}
		})
	}
}

func TestResume(t *testing.T) {
	dir, path := written(t, head+"1s red key plus\n90s red key plus\n")
	table := start(t, configured(dir))
	if r := table.order(engine.Order{Do: "resume"}); r.Outcome != engine.Accepted || r.Seq != 2 {
		t.Fatalf("resume: %+v", r)
	}
	if table.count("red") != 2 || table.Frame().View.Seats[0].Name != "Alice" {
		t.Errorf("view %+v", table.Frame().View)
	}
	table.must("red key plus")
	data := read(t, path)
	rest := strings.TrimPrefix(data, head+"1s red key plus\n90s red key plus\n")
	j, err := engine.ParseJournal("", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(rest, "mark 2 ") || len(j.Lines) != 4 || j.Lines[3].Input.At.Seconds() < 90 {
		t.Errorf("the journal goes on with\n%s", rest)
	}
	if r := table.order(engine.Order{Do: "resume", Match: headID}); r.Outcome != engine.Accepted {
		t.Errorf("resuming the match that is played: %+v", r)
	}
	if r := table.order(engine.Order{Do: "begin",
		Setup: engine.Setup{Game: "count/plain"}}); r.Outcome != engine.Refused || r.Text.Key != "receipt.playing" {
		t.Errorf("begin during a match: %+v", r)
	}
}

// TestPast checks that a frame holds the events before a match was resumed apart
// from the current ones: no output repeats them.
func TestPast(t *testing.T) {
	dir,
		_ := written(t,
		head+
			"1s red key plus\n2s red set dice x\n3s red roll 1 2 3\n4s blue key plus\n5s red undo\n6s red redo\n7s red undo\n")
	lights := &album{}
	table := start(t, configured(dir),
		func(table *Table) { table.Add(Part{Name: "lights", Direct: true, Output: lights}) })
	told := func() string {
		var b strings.Builder
		for _, e := range table.Frame().Past {
			fmt.Fprintf(&b, "%d %s, ", e.Seq, e.Name)
		}
		return b.String()
	}
	if table.order(engine.Order{Do: "resume"}); told() != "1 counted, 4 counted, 5 undo, 6 redo, 6 counted, 7 undo, " {
		t.Errorf("the past is %s", told())
	}
	past := told()
	table.must("red redo", "red key plus")
	if f := table.Frame(); told() != past || len(f.Events) != 1 || f.Events[0].Seq != 9 {
		t.Errorf("then the past is %s beside %+v", told(), f.Events)
	}
	if names, _ := lights.events(); !slices.Equal(names, []string{"redo0", "counted1", "counted2"}) {
		t.Errorf("what happens now: %q", names)
	}
	if table.order(engine.Order{Do: "abandon"}); told() != "" {
		t.Errorf("at the empty table the past is %s", told())
	}
	if table.begin("red", "blue"); told() != "" {
		t.Errorf("a new match has the past %s", told())
	}
}

// TestLongPast checks that a long past is cut to its newest inputs.
func TestLongPast(t *testing.T) {
	journal := head + "1s red key plus\n2s red undo\n3s red redo\n"
	for n := range 2 * maxPast {
		journal += fmt.Sprintf("%ds red key plus\n%ds red set dice x\n", n+4, n+4)
	}
	dir, _ := written(t, journal)
	table := start(t, configured(dir))
	table.order(engine.Order{Do: "resume"})
	past := table.Frame().Past
	if len(past) != maxPast {
		t.Fatalf("%d events: %+v", len(past), past)
	}
	if first, last := past[0], past[len(past)-1]; first.Seq != 2*maxPast+4 || last.Seq != 4*maxPast+2 ||
		last.N != 2*maxPast+1 {
		t.Errorf("from %+v to %+v", first, last)
	}
}

// TestResumedAfterAbandoned checks that a match that was abandoned and resumed is
// unfinished, even if power is cut before its next input.
func TestResumedAfterAbandoned(t *testing.T) {
	dir, _ := written(t, head+"1s red key plus\nend abandoned\n")
	table := start(t, configured(dir))
	if r := table.order(engine.Order{Do: "resume", Match: headID}); r.Outcome != engine.Accepted {
		t.Fatalf("resume: %+v", r)
	}
	if err := table.stop(); err != nil {
		t.Fatal(err)
	}
	again := start(t, configured(dir))
	if f := again.Frame(); f.Status.Unfinish != headID || again.Matches()[0].State != "unfinished" {
		t.Errorf("it is not asked for: %+v", again.Matches())
	}
}

func TestTornLine(t *testing.T) {
	kept := head + engine.Seal("1s red key plus")
	dir, path := written(t, kept+"2s red key pl")
	table := start(t, configured(dir))
	if r := table.order(engine.Order{Do: "resume"}); r.Outcome != engine.Accepted || r.Seq != 1 {
		t.Fatalf("resume: %+v", r)
	}
	table.must("red key plus")
	if data := read(t, path); !strings.HasPrefix(data, kept+"mark 1 ") {
		t.Errorf("journal\n%s", data)
	}
	if got := lines(t, table, ""); len(got) != 2 {
		t.Errorf("lines %q", got)
	}
}

// TestUnbegunJournal checks that a journal whose head a power cut has cut off leaves no trace.
func TestUnbegunJournal(t *testing.T) {
	setup := engine.Setup{Game: "count/plain", Begin: time.Unix(0, 0), Seats: []engine.Player{{Seat: "red", Name: "Ann"}}}
	chained, _ := setup.SealedHead()
	loose := "" // as earlier versions wrote it
	for _, line := range setup.Head() {
		loose += engine.Seal(line)
	}
	dir, _ := written(t, "")
	matches := filepath.Join(dir, "matches")
	for form, whole := range []string{chained, loose} {
		begin := strings.Index(whole, "\nbegin ") + len("\nbegin 1970-01-01T00:00:00Z") // a journal without its last seal
		for cut := range begin {
			name := time.Unix(int64(cut), 0).UTC().Format("2006-01-02T15-04-05Z") + fmt.Sprint(form) + journalSuffix
			if err := os.WriteFile(filepath.Join(matches, name), []byte(whole[:cut]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	table, err := New(configured(dir))
	if err != nil {
		t.Fatal(err)
	}
	if m, f := table.Matches(), table.Frame(); len(m) != 0 || len(f.View.Notices) != 0 {
		t.Errorf("%+v, %q", m, f.View.Notices)
	}
	if left, err := os.ReadDir(matches); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if err := closeTable(table); err != nil {
		t.Error(err)
	}
	for _, kept := range []string{"tableside-journal 3 #=", "\n", "tableside-journal 1\nga", chained[:40] + "\x00\x00",
		strings.Replace(chained[:len(chained)-1], "game", "gane", 1)} {
		if engine.Unbegun([]byte(kept)) {
			t.Errorf("%q is no head that the table has written", kept)
		}
	}
}

func TestDamagedJournal(t *testing.T) {
	for _, c := range []struct{ name, journal, reason, french string }{
		{"no begin", "tableside-journal 1\ngame count/plain\n", "before its begin line", "avant sa ligne begin"},
		{"other game", strings.Replace(head, "count/plain", "chess/fast", 1), `no game "chess/fast"`, `pas de jeu "chess/fast"`},
		{"setup", strings.Replace(head, "first red", "option no-such 1", 1),
			"There is no option no-such", "L'option no-such n'existe pas"},
		{"panics", strings.Replace(head, "first red", "define panic", 1), "the rules fail", "les règles échouent"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, path := written(t, c.journal)
			config := configured(dir)
			table := start(t, config)
			table.order(engine.Order{Do: "resume"})
			table.do("table undo")
			m := table.Matches()
			if len(m) != 1 || m[0].State != "damaged" || !strings.Contains(m[0].Reason, c.reason) {
				t.Errorf("matches %+v, want reason %q", m, c.reason)
			}
			f := table.Frame()
			if f.Status.Unfinish != "" || !slices.Contains(f.View.Notices, "damaged-journal") ||
				f.View.Labels["notice.damaged-journal"] == "" {
				t.Errorf("frame %+v", f)
			}
			if r := table.order(engine.Order{Do: "resume", Match: headID}); r.Outcome != engine.Refused ||
				r.Text.Key != "receipt.damaged" {
				t.Errorf("resume: %+v", r)
			} else if said := f.Words.Say(engine.French, r.Text, nil); !strings.Contains(said, c.french) {
				t.Errorf("got %q in French, want %q", said, c.french)
			}
			table.begin("red")
			if data := read(t, path); data != c.journal {
				t.Errorf("the journal was changed:\n%s", data)
			}
		})
	}
}

// TestRulesHaveChanged checks that after a change of the rules, and a yes, a
// match goes on from the last input on which they agree; the old journal is kept.
func TestRulesHaveChanged(t *testing.T) {
	config := configured(t.TempDir())
	old := start(t, config)
	old.begin("red", "blue")
	for range 60 {
		old.must("red key plus")
	}
	id := string(old.Frame().View.Match)
	old.stop()
	journal, err := os.ReadFile(old.store.path(id))
	if err != nil {
		t.Fatal(err)
	}

	config.Games = []engine.Game{countGame{step: 2}}
	table := start(t, config)
	const why = "after 50 inputs the rules lead to another view than the one recorded here"
	if m := table.Matches(); m[0].State != "unfinished" || !strings.Contains(m[0].Reason, why) {
		t.Errorf("matches %+v", m)
	}
	if r := table.do("table key yes"); r.Outcome != engine.Refused || !r.Override { // continue? yes, but …
		t.Errorf("receipt %+v", r)
	}
	f := table.Frame()
	if f.View.Match != "" || f.View.Prompts[0].Key != "lobby-partly" || f.Status.Unfinish != id ||
		f.Status.Receipt == nil {
		t.Fatalf("frame %+v", f)
	}
	if data, _ := os.ReadFile(table.store.path(id)); string(data) != string(journal) {
		t.Error("the journal was changed before anyone said yes")
	}
	if r := table.must("table key yes"); r.Seq != 50 {
		t.Errorf("receipt %+v", r)
	}
	table.must("red key plus")
	if n := table.count("red"); n != 102 {
		t.Errorf("red has %d", n)
	}
	if got := lines(t, table, ""); len(got) != 51 {
		t.Errorf("%d lines", len(got))
	}
	aside, err := os.ReadFile(filepath.Join(config.Dir, "matches", id+".journal.aside-1"))
	if err != nil || string(aside) != string(journal) {
		t.Errorf("set aside: %v\n%s", err, aside)
	}
	table.stop()

	again := start(t, config)
	if m := again.Matches(); len(m) != 1 || m[0].Reason != "" {
		t.Errorf("matches %+v", m)
	}
}

func TestRefusedOnResume(t *testing.T) {
	dir, path := written(t, head+"1s red key plus\n2s red key jump\n3s red key plus\n")
	table := start(t, configured(dir))
	r := table.order(engine.Order{Do: "resume"})
	if r.Outcome != engine.Refused || r.Text.Key != "receipt.partly" || !strings.Contains(r.Spoken, "move 1") {
		t.Errorf("receipt %+v", r)
	}
	table.must("table key no")
	if f := table.Frame(); f.View.Prompts[0].Key != "lobby-seats" || !strings.Contains(read(t, path), "jump") {
		t.Errorf("after no: %+v", f.View.Prompts)
	}
	table.order(engine.Order{Do: "resume"})
	table.must("table key yes", "red undo")
	if data := read(t, path); strings.Contains(data, "jump") || !strings.HasPrefix(data, head+"1s red key plus\nmark 1 ") {
		t.Errorf("journal\n%s", data)
	}
}

func TestListOfMatches(t *testing.T) {
	dir, path := written(t, head+"1s red key plus\nend finished red blue\n")
	for name, journal := range map[string]string{
		"2026-11-21T10-00-00Z.journal": strings.Replace(head, "20T20:15", "21T10:00", 1) +
			"1s red key plus\nend abandoned\n",
		"2026-11-22T10-00-00Z.journal": strings.Replace(head, "20T20:15", "22T10:00", 1) +
			"1s red key plus\n90s red key plus\n",
		"2026-11-23T10-00-00Z.journal": strings.Replace(head, "first red", "option target 3", 1) +
			"1s red key plus\n2s red key plus\n3s red key plus\n",
		"2026-11-23T10-00-00Z.journal.aside-1": "rest",
		"notes.txt":                            "no journal",
	} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), []byte(journal), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table := start(t, configured(dir))
	var got []string
	for _, m := range table.Matches() {
		winners := ""
		for _, w := range m.Winners {
			winners += " " + string(w)
		}
		got = append(got, m.ID[:10]+" "+m.State+winners)
	}
	want := []string{"2026-11-23 finished red", "2026-11-22 unfinished", "2026-11-21 abandoned",
		"2026-11-20 finished red blue"}
	if !slices.Equal(got, want) {
		t.Errorf("matches %q, want %q", got, want)
	}
	last := time.Date(2026, 11, 22, 10, 1, 30, 0, time.UTC)
	m := table.Matches()[1]
	if m.Counter != "count" || m.Score["red"] != 2 || m.Score["blue"] != 0 || !m.Last.Equal(last) {
		t.Errorf("the unfinished match stands at %+v", m)
	}
	if m := table.Matches()[0]; m.Score != nil {
		t.Errorf("the finished match stands at %+v", m)
	}
	if id := table.Frame().Status.Unfinish; id != "2026-11-22T10-00-00Z" {
		t.Errorf("asks to continue %q", id)
	}
	if r := table.order(engine.Order{Do: "abandon"}); r.Outcome != engine.Accepted {
		t.Errorf("abandon: %+v", r)
	}
	if m := table.Matches()[1]; m.State != "abandoned" || table.Frame().Status.Unfinish != "" {
		t.Errorf("match %+v", m)
	}
	if data, _ := table.Journal("2026-11-22T10-00-00Z"); !strings.Contains(string(data), "\nend abandoned #=") {
		t.Errorf("journal\n%s", data)
	}
	if r := table.order(engine.Order{Do: "resume"}); r.Outcome != engine.Refused ||
		r.Text.Key != "receipt.nothing-unfinished" {
		t.Errorf("resume: %+v", r)
	}
	if r := table.order(engine.Order{Do: "resume", Match: "nothing"}); r.Text.Key != "receipt.no-such-match" {
		t.Errorf("resume: %+v", r)
	}
	// An abandoned match can be resumed.
	if r := table.order(engine.Order{Do: "resume", Match: "2026-11-21T10-00-00Z"}); r.Outcome != engine.Accepted ||
		r.Seq != 1 {
		t.Errorf("resume: %+v", r)
	}
}

// TestNewestUnfinished checks that a match from the future, begun when the clock
// was years ahead, is not always the newest; if all matches are, the latest is.
func TestNewestUnfinished(t *testing.T) {
	for _, c := range []struct {
		years []string
		want  string
	}{
		{[]string{"2020", "2021", "2099"}, "2021"},
		{[]string{"2098", "2099"}, "2099"},
	} {
		dir, path := written(t, "")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		for _, year := range c.years {
			file := filepath.Join(filepath.Dir(path), year+"-11-20T20-15-00Z.journal")
			if err := os.WriteFile(file, []byte(strings.Replace(head, "2026", year, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		table := start(t, configured(dir))
		if id := table.Frame().Status.Unfinish; id != c.want+"-11-20T20-15-00Z" {
			t.Errorf("of %v it is %s", c.years, id)
		}
		if r := table.order(engine.Order{Do: "resume"}); r.Outcome != engine.Accepted ||
			string(table.Frame().View.Match)[:4] != c.want {
			t.Errorf("of %v resumed %s: %+v", c.years, table.Frame().View.Match, r)
		}
	}
}

// FuzzResume writes any bytes to the disk as a journal: the table starts, never
// changes a journal that it cannot read, and can read what it resumes again.
func FuzzResume(f *testing.F) {
	f.Add([]byte(head + "1s red key plus\n2s red undo\n3s red redo\n"))
	f.Add([]byte(head + engine.Seal("1s red key plus") + "mark 1 00000000\nend finished red\n2s red"))
	f.Add([]byte(strings.Replace(head, "first red", "define panic", 1)))
	f.Add([]byte("tableside-journal 1\r\ngame count/plain\r\nseat red \"A B\"\r\nbegin 2026-11-20T20:15:00Z\r\n1s " +
		"red set blind x\r\n"))
	sealed, sealer := engine.Setup{Game: "count/plain", Seats: []engine.Player{{Seat: "red"}}}.SealedHead()
	sealed += sealer.Seal("1s red key plus") + sealer.Seal("2s red key plus")
	f.Add([]byte(sealed + sealer.Seal("3s red undo")))
	f.Add([]byte(sealed + "3s red undo\n4s red key plus\n"))
	f.Add([]byte("t")) // a power cut within the head
	f.Fuzz(func(t *testing.T, data []byte) {
		dir, path := written(t, string(data))
		table := start(t, configured(dir))
		r := table.order(engine.Order{Do: "resume", Match: headID})
		switch r.Outcome {
		case engine.Refused:
			left, err := os.ReadFile(path)
			if dropped := errors.Is(err, fs.ErrNotExist) && engine.Unbegun(data); !dropped && string(left) != string(data) {
				t.Errorf("a journal that was not resumed was changed: %v", err)
			}
			table.do("table key yes") // from the last input on which the rules agree, if that was the reason
		case engine.Accepted:
		default:
			t.Fatalf("resume: %+v", r)
		}
		if table.Frame().View.Match == "" {
			return
		}
		seq := table.Frame().View.Seq
		table.do("red key plus")
		if table.Frame().View.Seq > seq {
			seq++
		}
		table.stop()
		again := start(t, configured(dir))
		if r := again.order(engine.Order{Do: "resume", Match: headID}); r.Outcome != engine.Accepted || r.Seq != seq {
			t.Errorf("what was resumed cannot be resumed again at %d: %+v", seq, r)
		}
	})
}
