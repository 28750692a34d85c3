package engine

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

var fullSetup = Setup{
	Game: "mutants/second-edition", Rules: 3,
	Options: map[string]string{"spaces": "12", "rounds": "3/1,4/2", "empty": "", "odd": `a "b" #c`},
	Seats:   []Player{{"red", "Alice"}, {"blue", "Max Power"}, {"green", ""}, {"yellow", "#1"}},
	Pools:   []Pool{{"red", "zombie-king", 2}, {"blue", "cold-hearted", 0}},
	First:   "blue",
	Definitions: []string{
		`card zombie "freeze 1, then draw" 2`,
		"board spaces 12",
	},
	Begin: time.Date(2026, 11, 20, 20, 15, 0, 0, time.UTC),
}

const head = "tableside-journal 1\ngame tally/score rules 1\nseat red\nbegin 2026-11-20T20:15:00Z\n"

func TestHeadReadsBack(t *testing.T) {
	var sealed strings.Builder
	for _, line := range fullSetup.Head() {
		sealed.WriteString(Seal(line))
	}
	for name, text := range map[string]string{
		"plain":   strings.Join(fullSetup.Head(), "\n") + "\n",
		"sealed":  sealed.String(),
		"dos":     strings.Join(fullSetup.Head(), "\r\n") + "\r\n",
		"no end":  strings.Join(fullSetup.Head(), "\n"),
		"comment": "# by hand\n\n" + strings.Join(fullSetup.Head(), "\n# why\n") + "\n",
	} {
		j, err := ParseJournal("f", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !reflect.DeepEqual(j.Setup, fullSetup) || j.Length != len(text) || j.Torn {
			t.Errorf("%s: %+v\nwant %+v", name, j.Setup, fullSetup)
		}
	}
	if got := fullSetup.MatchID(); got != "2026-11-20T20-15-00Z" {
		t.Errorf("the match is called %s", got)
	}
}

func TestJournalLines(t *testing.T) {
	text := head + "0.5s red key plus\nred key minus\n1s red undo # a slip\n" +
		Seal("1.5s red redo") + Seal("mark 4 1a2b3c4d")
	j, err := ParseJournal("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range j.Lines {
		if line.Mark != nil {
			got = append(got, line.Mark.String())
		} else {
			got = append(got, line.Input.String())
		}
	}
	want := "0.5s red key plus|0.5s red key minus|1s red undo|1.5s red redo|mark 4 1a2b3c4d"
	if strings.Join(got, "|") != want || j.Lines[0].Number != 5 {
		t.Errorf("%v from line %d\nwant %s", got, j.Lines[0].Number, want)
	}
}

// TestTornLine cuts a journal within its last line, as a power cut does.
func TestTornLine(t *testing.T) {
	whole := head + Seal("0s red key plus")
	for cut := range len(Seal("1s red key minus")) {
		torn := whole + Seal("1s red key minus")[:cut]
		j, err := ParseJournal("f", []byte(torn))
		if err != nil {
			t.Fatalf("cut after %d: %v", cut, err)
		}
		if len(j.Lines) != 1 || j.Length != len(whole) || j.Torn != (cut > 0) {
			t.Errorf("cut after %d: %d lines, %d bytes, torn %t", cut, len(j.Lines), j.Length, j.Torn)
		}
	}
}

func TestChecksum(t *testing.T) {
	// The check value of CRC-32C, RFC 3720 appendix B.4 and elsewhere.
	if got := Seal("123456789"); got != "123456789 #=e3069283\n" {
		t.Errorf("sealed %q: every journal that was ever written would be damaged", got)
	}
	// Every flipped bit is found, except in " #=" itself: without that, the
	// line looks as if written by hand.
	line := Seal("12.5s red tap zombie.1")
	for i := range len(line) - 1 {
		broken := []byte(line)
		broken[i] ^= 1
		if _, err := ParseJournal("f", append([]byte(head), broken...)); err == nil && !strings.Contains(" #=", line[i:i+1]) {
			t.Errorf("%q is read as undamaged", broken)
		}
	}
}

func TestMalformedJournals(t *testing.T) {
	begin := "begin 2026-11-20T20:15:00Z\n"
	for _, c := range []struct{ text, want string }{
		{"", `f:1:1: the journal ends before its begin line`},
		{"\n\n", `f:2:1: the journal ends before its begin line`},
		{"hello\n", `f:1:1: a journal begins with the line "tableside-journal 1"`},
		{"tableside-journal 3\n", `f:1:1: a journal begins with the line "tableside-journal 1"`},
		{"tableside-journal 2\n",
			`f:1:1: "tableside-journal 2" needs checksums, which only a table writes; a journal written by hand begins with "tableside-journal 1"`},
		{"# mine\n" + Seal("tableside-journal 2"),
			`f:2:1: "tableside-journal 2" has to be the first line; a journal written by hand begins with "tableside-journal 1"`},
		{"tableside-journal 1\ngame tally/score\nseat red\n", `f:3:1: the journal ends before its begin line`},
		{"tableside-journal 1\n" + begin, `f:2:1: missing game line before this one`},
		{"tableside-journal 1\ngame\n", `f:2:1: want a line such as "game mutants/second-edition rules 1"`},
		{"tableside-journal 1\ngame a/b rules none\n", `f:2:10: want "rules 1" after the game`},
		{"tableside-journal 1\ngame a/b rules 0\n", `f:2:10: want "rules 1" after the game`},
		{"tableside-journal 1\ngame a/b rule 1\n", `f:2:10: want "rules 1" after the game`},
		{"tableside-journal 1\noption spaces\n", `f:2:1: want a line such as "option spaces 12"`},
		{"tableside-journal 1\noption start 0, 5\n",
			`f:2:17: quote a value of several words, as in option counters "Victory Points"`},
		{"tableside-journal 1\noption sets a\noption sets b\n",
			`f:3:8: duplicate option "sets"; write several values on one line, with commas between them`},
		{"tableside-journal 1\ngame a/b\ngame a/c\n", `f:3:1: a journal has one game; a line before says "a/b"`},
		{"tableside-journal 1\nfirst red\nfirst blue\n", `f:3:1: only one seat is first; a line before says "red"`},
		{"tableside-journal 1\ndefine\n", `f:2:1: want a line such as "define card zombie freeze 1"`},
		{"tableside-journal 1\nseat\n", `f:2:1: want a line such as "seat red Alice"`},
		{"tableside-journal 1\nseat red Mary Ann\n", `f:2:15: quote a name of several words, as in seat red "Mary Ann"`},
		{"tableside-journal 1\npool red\n", `f:2:1: want a line such as "pool red zombie-king 2"`},
		{"tableside-journal 1\npool red zombie many\n", `f:2:17: "many" is not a number of copies`},
		{"tableside-journal 1\npool red zombie 0\n", `f:2:17: "0" is not a number of copies`},
		{"tableside-journal 1\nseat Red\n", `f:2:6: "Red" cannot name a seat`},
		{"tableside-journal 1\nfirst \"a b\"\n", `f:2:7: "a b" cannot name a seat`},
		{"tableside-journal 1\ngame a\nbegin 0000-01-01T00:00:00Z\n",
			`f:3:7: "0000-01-01T00:00:00Z" is not a moment such as 2026-11-20T20:15:00Z`},
		{head + "mark 1 hash\n", `f:5:8: "hash" is not a fingerprint of a view`},
		{"tableside-journal 1\nfirst\n", `f:2:1: want a line such as "first blue"`},
		{"tableside-journal 1\ngame a/b\nbegin now\n", `f:3:7: "now" is not a moment such as 2026-11-20T20:15:00Z`},
		{"tableside-journal 1\nbegin\n", `f:2:1: want a line such as "begin 2026-11-20T20:15:00Z"`},
		{"tableside-journal 1\nseats red\n",
			`f:2:1: unexpected "seats" in the head of a journal (want game, preset, option, define, seat, computer, pool, after, first or begin)`},
		{"tableside-journal 1\nseat red \"Al\n", `f:2:10: quoted word has no end`},
		{head + "red dance\n",
			`f:5:5: "dance" is not a verb; the verbs are tap, lift, key, choose, roll, set, undo and redo`},
		{head + "2s red undo\n1s red undo\n", `f:6:1: time runs backwards: 1s after 2s`},
		{head + "mark 1\n", `f:5:1: want a mark such as "mark 42 1a2b3c4d"`},
		{head + "mark one 1a2b3c4d\n", `f:5:6: "one" is not a number of inputs`},
		{head + "0s red undo #=00000000\n", `f:5:13: got checksum 00000000, want f472d3f4: the line was damaged`},
		{head + "0s red \xff\n", `f:5:1: line is not UTF-8 text`},
		{head + "0s red " + strings.Repeat("a", MaxLine) + "\n", `f:5:4096: line is longer than 4096 bytes`},
		{strings.Replace(head, "seat", "seat red #=00000000\nseat", 1),
			`f:3:10: got checksum 00000000, want dc6a41d6: the line was damaged`},
	} {
		if _, err := ParseJournal("f", []byte(c.text)); message(err) != c.want {
			t.Errorf("%q:\n     %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Only the name that MatchID gives is one: a match has one name.
func TestBeginOf(t *testing.T) {
	if begin := BeginOf("2026-11-20T20-15-00Z"); !begin.Equal(fullSetup.Begin) {
		t.Errorf("got %s, want %s", begin, fullSetup.Begin)
	}
	for _, id := range []string{"", "x", "2026-11-20", "2026-11-20T20-15-00.0Z", "2026-11-20T20-15-00,000Z",
		"2026-11-20T20-15-0Z", "2026-11-20T20-15-00Z ", "2026-02-30T20-15-00Z"} {
		if begin := BeginOf(id); !begin.IsZero() {
			t.Errorf("%q began %s", id, begin)
		}
	}
}

func TestHeadSaysPresetAndWhatTheComputerPlays(t *testing.T) {
	with := fullSetup
	with.Computer = map[Seat]string{"green": "strong", "blue": "easy"}
	with.Preset = "skull-king"
	text := strings.Join(with.Head(), "\n") + "\n"
	j, err := ParseJournal("f", []byte(text))
	if err != nil || !reflect.DeepEqual(j.Setup, with) {
		t.Errorf("%v\n%s", err, text)
	}
	twice := strings.Replace(text, "computer blue easy", "computer green easy", 1)
	if _, err := ParseJournal("f", []byte(twice)); err == nil || !strings.Contains(err.Error(), "duplicate computer") {
		t.Error(err)
	}
}
