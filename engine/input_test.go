package engine

import (
	"testing"
	"time"
)

func TestInputReadsBack(t *testing.T) {
	for line, want := range map[string]string{
		"0s red tap zombie.1":            "",
		"12.5s red tap zombie.1":         "",
		"12.345s red tap zombie.1":       "",
		"86400s table key next":          "",
		"1s red choose discard zombie.1": "",
		"1s red roll growth-2 energy-1":  "",
		"1s red set score 7":             "",
		`1s red set name "Mary Ann"`:     "",
		"1s red undo":                    "",
		"1s red tap zombie.1 anyway":     "",
		"red redo":                       "0s red redo",
		"  red   key  left # why":        "0s red key left",
		"12.50s red undo":                "12.5s red undo",
		"012s red undo":                  "12s red undo",
	} {
		if want == "" {
			want = line
		}
		in, err := ParseInput(line)
		if err != nil || in.String() != want {
			t.Errorf("%q reads back as %q, %v; want %q", line, in, err, want)
		}
	}
}

func TestMalformedInputs(t *testing.T) {
	for line, want := range map[string]string{
		"":                      `column 1: nothing here; an input is a seat, a verb and its arguments, as in "red tap zombie.1"`,
		"# only a comment":      `column 1: nothing here; an input is a seat, a verb and its arguments, as in "red tap zombie.1"`,
		"red":                   `column 1: a seat and a verb are needed, as in "red tap zombie.1"`,
		"1s red":                `column 1: a seat and a verb are needed, as in "red tap zombie.1"`,
		"1.5 red undo":          `column 1: "1.5" is not a time such as 12.5s`,
		"1.2345s red undo":      `column 1: "1.2345s" is not a time such as 12.5s`,
		"999999999999s red":     `column 1: "999999999999s" is not a time such as 12.5s`,
		"Red undo":              `column 1: "Red" cannot name a seat`,
		"-1s red undo":          `column 1: "-1s" cannot name a seat`,
		"red dance":             `column 5: "dance" is not a verb; the verbs are tap, lift, key, choose, roll, set, undo and redo`,
		"red tap":               `column 5: tap needs an argument`,
		"red tap a.1 b.1":       `column 5: too many arguments: tap takes at most 1, got 2`,
		"red undo anyway":       `column 5: too many arguments: undo takes at most 0, got 1`,
		"red set score":         `column 5: set needs an argument`,
		`red set name "Mary`:    `column 14: quoted word has no end`,
		"3s red key left right": `column 8: too many arguments: key takes at most 1, got 2`,
	} {
		if _, err := ParseInput(line); message(err) != want {
			t.Errorf("%q: %v\nwant %s", line, err, want)
		}
	}
}

func TestTime(t *testing.T) {
	for _, at := range []time.Duration{0, time.Millisecond, 1500 * time.Millisecond, 59*time.Second + 999*time.Millisecond,
		100 * time.Hour, maxAt} {
		got, ok := parseTime(formatTime(at))
		if !ok || got != at {
			t.Errorf("%v is written %q and read %v, %t", at, formatTime(at), got, ok)
		}
	}
	if got := formatTime(1499600 * time.Microsecond); got != "1.5s" {
		t.Errorf("1.4996 s is written %q", got)
	}
}

func TestConfirmed(t *testing.T) {
	in, _ := ParseInput("red tap zombie.1 anyway")
	if !in.Confirmed() || in.Arg(0) != "zombie.1" || in.Arg(2) != "" {
		t.Errorf("%v", in)
	}
	if in, _ = ParseInput("red tap zombie.1"); in.Confirmed() {
		t.Errorf("%v is confirmed", in)
	}
}

func TestSplitCopy(t *testing.T) {
	for card, want := range map[string]struct {
		kind string
		copy int
	}{"zombie.2": {"zombie", 2}, "zombie": {"zombie", 0}, "": {"", 0}, "a.b": {"a.b", 0}} {
		if kind, n := SplitCopy(card); kind != want.kind || n != want.copy {
			t.Errorf("%q: %q, %d", card, kind, n)
		}
	}
}
