package device

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tableside/device/history"
	"tableside/engine"
)

// kept plays a match and returns its journal: 9 lines of head, a line for
// each input, and a mark after every fifty.
func kept(t *testing.T, inputs int) (dir, path string, journal []byte) {
	t.Helper()
	dir = t.TempDir()
	table := start(t, configured(dir))
	table.begin("red", "blue")
	for range inputs {
		table.must("red key plus")
	}
	path = table.store.path(string(table.Frame().View.Match))
	if err := table.stop(); err != nil {
		t.Fatal(err)
	}
	journal, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return dir, path, journal
}

// TestDamageInTheMiddle checks that, after a yes, a match goes on from the
// undamaged part of its journal. The players are told what they lose, and the
// file is set aside.
func TestDamageInTheMiddle(t *testing.T) {
	cut := func(journal []byte, from, to int) []byte { // lines, from 0
		lines := bytes.SplitAfter(journal, []byte("\n"))
		return bytes.Join(append(lines[:from:from], lines[to:]...), nil)
	}
	const head = 9 // lines
	for _, c := range []struct {
		name      string
		damage    func([]byte) []byte
		good, bad int
		reason    string
	}{
		{"a flipped bit", func(j []byte) []byte { return bytes.Replace(j, []byte("plus"), []byte("pltr"), 1) }, 0, 60,
			"checksum"},
		{"a line is lost", func(j []byte) []byte { return cut(j, head+20, head+21) }, 20, 40, "is missing"},
		{"a line twice", func(j []byte) []byte {
			lines := bytes.SplitAfter(j, []byte("\n"))
			return bytes.Join(append(lines[:head+21:head+21], lines[head+20:]...), nil)
		}, 21, 39, "duplicate line"},
		{"lines swapped", func(j []byte) []byte {
			lines := bytes.SplitAfter(j, []byte("\n"))
			lines[head+30], lines[head+31] = lines[head+31], lines[head+30]
			return bytes.Join(lines, nil)
		}, 30, 30, "out of order"},
		{"zeros", func(j []byte) []byte {
			at := bytes.Index(j, []byte("mark 50")) - 600
			clear(j[at : at+512])
			return j
		}, -1, -1, ""},
		{"zeros at the end", func(j []byte) []byte { clear(j[len(j)-100:]); return j }, -1, -1, ""},
		{"by hand", func(j []byte) []byte { return append(j, "99s red key plus\n"...) }, 60, 1, "no checksum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, path, whole := kept(t, 60)
			damaged := c.damage(bytes.Clone(whole))
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			id := strings.TrimSuffix(filepath.Base(path), ".journal")
			table := start(t, configured(dir))
			table.order(engine.Order{Do: "resume"})
			f := table.Frame()
			if f.View.Match != "" || f.View.Prompts[0].Key != "lobby-damaged" || f.Status.Unfinish != id {
				t.Fatalf("match %q is asked for with %+v", f.View.Match, f.View.Prompts)
			}
			if m := table.Matches(); m[0].State != "unfinished" || !strings.Contains(m[0].Reason, c.reason) {
				t.Errorf("matches %+v", m)
			}
			r := table.order(engine.Order{Do: "resume", Match: id})
			good, bad := c.good, c.bad
			if good < 0 {
				good, bad = r.Text.Args["n"].(int), r.Text.Args["lost"].(int)
				if good < 20 || good > 59 || !strings.Contains(c.name, "end") && good+bad != 60 {
					t.Errorf("%d moves are good, %d are lost", good, bad)
				}
			}
			want := fmt.Sprintf("The journal is damaged: it can be read up to move %d. Press yes to continue from there; %d ",
				good, bad)
			if r.Outcome != engine.Refused || !r.Override || !strings.HasPrefix(r.Spoken, want) {
				t.Errorf("%+v\nwant %s", r, want)
			}
			if read(t, path) != string(damaged) {
				t.Error("the journal was changed before anyone said yes")
			}
			if r := table.must("table key yes"); r.Seq != good {
				t.Errorf("receipt %+v", r)
			}
			table.must("blue key plus")
			if n := table.count("red"); n != good {
				t.Errorf("red has %d, want %d", n, good)
			}
			if aside := read(t, path+".aside-1"); aside != string(damaged) {
				t.Errorf("set aside:\n%s", aside)
			}
			table.stop()
			again := start(t, configured(dir))
			if r := again.order(engine.Order{Do: "resume"}); r.Outcome != engine.Accepted || r.Seq != good+1 {
				t.Errorf("then: %+v", r)
			}
		})
	}
}

// TestDamageInFinishedMatch checks that a match that was put away before its
// journal was damaged is not offered, but can still be resumed.
func TestDamageInFinishedMatch(t *testing.T) {
	dir, path := written(t, head+"1s red key plus #=00000000\nend finished red\n")
	table := start(t, configured(dir))
	if f := table.Frame(); f.Status.Unfinish != "" || table.Matches()[0].State != "damaged" || len(f.View.Notices) != 1 {
		t.Errorf("%+v", table.Matches())
	}
	if r := table.order(engine.Order{Do: "resume", Match: headID}); !r.Override || r.Text.Key != "receipt.partly-damaged" {
		t.Errorf("resume: %+v", r)
	}
	table.must("table key yes", "red key plus")
	if aside := read(t, path+".aside-1"); !strings.Contains(aside, "end finished") {
		t.Errorf("set aside: %s", aside)
	}
}

// TestAbandonDamaged checks that a damaged journal that is abandoned is set
// aside, too.
func TestAbandonDamaged(t *testing.T) {
	journal := head + "1s red key plus\n2s red key plus #=00000000\n3s red key plus\n"
	dir, path := written(t, journal)
	table := start(t, configured(dir))
	table.do("table key yes") // now the table asks about the damage
	if r := table.order(engine.Order{Do: "abandon"}); r.Outcome != engine.Accepted {
		t.Fatalf("abandon: %+v", r)
	}
	if f := table.Frame(); f.Status.Unfinish != "" {
		t.Errorf("%s still waits", f.Status.Unfinish)
	}
	if read(t, path+".aside-1") != journal || !strings.HasPrefix(read(t, path), head+"1s red key plus\nend abandoned #=") {
		t.Errorf("the journal is\n%s", read(t, path))
	}
}

// TestSetAsideOnFullDisk checks that a copy that does not fit leaves nothing: every
// further yes would take more of a disk that has no room.
func TestSetAsideOnFullDisk(t *testing.T) {
	journal := head + "1s red key plus\n2s red key plus #=00000000\n3s red key plus\n"
	dir, path := written(t, journal)
	disk := &faultyDisk{size: int64(len(journal)) - 10}
	table := start(t, configured(dir), disk.into)
	table.do("table key yes") // now the table asks about the damage
	for range 3 {
		if r := table.order(engine.Order{Do: "abandon"}); r.Outcome != engine.Failed ||
			r.Text.Key != "receipt.unreadable" {
			t.Errorf("abandon: %+v", r)
		}
	}
	if left, err := filepath.Glob(path + ".aside-*"); err != nil || len(left) > 0 {
		t.Errorf("left over: %q, %v", left, err)
	}
	if read(t, path) != journal {
		t.Errorf("the journal is\n%s", read(t, path))
	}
	disk.set(func(d *faultyDisk) { d.size = 0 })
	if r := table.order(engine.Order{Do: "abandon"}); r.Outcome != engine.Accepted || read(t, path+".aside-1") != journal {
		t.Errorf("with room again: %+v", r)
	}
}

// TestDamageAfterAnEnd checks that a match that went on after it was put away is
// unfinished, even if the first line after its end is damaged; zeros after an end
// are not a move.
func TestDamageAfterAnEnd(t *testing.T) {
	const end = "1s red key plus\nend abandoned\n"
	for name, c := range map[string]struct{ lines, state string }{
		"it went on": {end + "mark 1 00 #=00000000\n2s red key plus\n3s red key plus\n", "unfinished"},
		"zeros":      {end + strings.Repeat("\x00", 40), "abandoned"},
		"zeros, end": {end + "2s red key plus #=00000000\nend abandoned\n" + strings.Repeat("\x00", 40), "abandoned"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := written(t, head+c.lines)
			table := start(t, configured(dir))
			if m := table.Matches()[0]; m.State != c.state ||
				(table.Frame().Status.Unfinish != "") != (c.state == "unfinished") {
				t.Errorf("%+v", m)
			}
		})
	}
}

// TestAbandonBeforeUnreadableLine abandons a journal with a sealed line that this
// program cannot read: its chain is then whole.
func TestAbandonBeforeUnreadableLine(t *testing.T) {
	dir, path, journal := kept(t, 3)
	j, err := engine.ParseJournal("", journal)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(journal, j.Sealer.Seal("99s red dance")...), 0o600); err != nil {
		t.Fatal(err)
	}
	table := start(t, configured(dir))
	if r := table.order(engine.Order{Do: "abandon"}); r.Outcome != engine.Accepted {
		t.Fatalf("abandon: %+v", r)
	}
	if j, err := engine.ParseJournal("", []byte(read(t, path))); err != nil || j.End == nil || len(j.Lines) != 3 {
		t.Errorf("%v\n%s", err, read(t, path))
	}
}

// TestLinesLostFromOldJournal checks that lines lost from an old journal, which
// is sealed line by line, are found at the next mark and not taken for a change
// of the rules, even if the rules fail before it.
func TestLinesLostFromOldJournal(t *testing.T) {
	for name, lines := range map[string]string{
		"at the mark": "1s red key plus\nmark 2 00000000\n",
		"before":      "1s red key plus\n2s red key jump\nmark 3 00000000\n3s red key plus\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := written(t, head+lines)
			table := start(t, configured(dir))
			if r := table.order(engine.Order{Do: "resume"}); r.Text.Key != "receipt.partly-damaged" || r.Text.Args["n"] != 1 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestEveryFlippedBit flips every bit, and cuts the file everywhere: the table
// replays only what was played, and reports the damage in its line.
func TestEveryFlippedBit(t *testing.T) {
	_, path, journal := kept(t, 12)
	id := strings.TrimSuffix(filepath.Base(path), ".journal")
	games := []engine.Game{countGame{}}
	whole, err := history.ReadBack(games, id, journal)
	if err != nil || whole.Stop != nil || len(whole.Steps) != 12 {
		t.Fatalf("%+v, %v", whole.Stop, err)
	}
	begun := bytes.Index(journal, []byte("\nmark 0"))
	if begun < 0 {
		begun = bytes.Index(journal, []byte("\n0"))
	}
	plays := func(r history.Replay, what string) {
		t.Helper()
		for i, step := range r.Steps {
			if in := step.Input; in.String() != whole.Steps[i].Input.String() {
				t.Fatalf("%s: input %d is %s", what, i, in)
			}
		}
	}
	for i := range journal {
		for bit := range 8 {
			flipped := bytes.Clone(journal)
			flipped[i] ^= 1 << bit
			r, err := history.ReadBack(games, id, flipped)
			if r.Match == nil {
				if i > begun || err == nil || !strings.HasPrefix(err.Error(), id+":") {
					t.Fatalf("byte %d, bit %d: %v", i, bit, err)
				}
				continue
			}
			if r.Stop == nil || !r.Stop.Damaged || r.Stop.Seq+r.Stop.LostMoves < 12 || r.Stop.Seq+r.Stop.LostMoves > 13 {
				t.Fatalf("byte %d, bit %d: %+v", i, bit, r.Stop)
			}
			plays(r, "flipped")
		}
		r, err := history.ReadBack(games, id, journal[:i])
		if i > begun && (err != nil || r.Stop != nil) {
			t.Fatalf("%d bytes: %+v, %v", i, r.Stop, err)
		}
		plays(r, "cut off")
	}
}
