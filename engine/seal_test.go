package engine

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// sealedJournal returns a journal as the daemon writes it, with a line for each input,
// quoted names and a mark.
func sealedJournal(inputs int) []byte {
	head, sealer := fullSetup.SealedHead()
	var b bytes.Buffer
	b.WriteString(head)
	for i := range inputs {
		b.WriteString(sealer.Seal(fmt.Sprintf("%ds red choose +%d", i, i+1)))
		if i == 5 {
			b.WriteString(sealer.Seal("6s red set name Bob"))
			b.WriteString(sealer.Seal("6s blue set name \"a #=b\""))
			b.WriteString(sealer.Seal("mark 8 1a2b3c4d"))
		}
	}
	return b.Bytes()
}

// headLines is the number of lines in the head of a sealedJournal.
var headLines = len(fullSetup.Head())

func TestSealedJournalReadsBack(t *testing.T) {
	data := sealedJournal(10)
	j, err := ParseJournal("f", data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(j.Setup, fullSetup) || len(j.Lines) != 13 || j.Length != len(data) || j.Torn {
		t.Errorf("%+v", j)
	}
	// A line after the journal that was read.
	longer := append(bytes.Clone(data), j.Sealer.Seal("99s red undo")...)
	if j, err = ParseJournal("f", longer); err != nil || len(j.Lines) != 14 {
		t.Errorf("%v: %d lines", err, len(j.Lines))
	}
	// Lines that end as Windows does are still whole.
	if _, err := ParseJournal("f", bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))); err != nil {
		t.Error(err)
	}
}

// agrees fails if a partial journal has any lines but the first ones of the
// whole journal.
func agrees(t *testing.T, whole *Journal, j *Journal, what string) {
	t.Helper()
	if !reflect.DeepEqual(j.Setup, whole.Setup) || len(j.Lines) > len(whole.Lines) {
		t.Fatalf("%s: %+v", what, j)
	}
	for i, line := range j.Lines {
		if !reflect.DeepEqual(line, whole.Lines[i]) {
			t.Fatalf("%s: line %d is read as %+v, was %+v", what, line.Number, line, whole.Lines[i])
		}
	}
}

// TestFlippedBit checks that any flipped bit is found and reported as damage in
// its line.
func TestFlippedBit(t *testing.T) {
	data := sealedJournal(10)
	whole, _ := ParseJournal("f", data)
	line := 1
	for i, c := range data {
		for bit := range 8 {
			flipped := bytes.Clone(data)
			flipped[i] ^= 1 << bit
			j, err := ParseJournal("f", flipped)
			e, ok := err.(*SyntaxError)
			if !ok || !e.Damaged || e.Line != line {
				t.Fatalf("byte %d, bit %d of line %d: %v", i, bit, line, err)
			}
			if (j == nil) != (line <= headLines) {
				t.Fatalf("line %d: %+v", line, j)
			}
			if j != nil {
				agrees(t, whole, j, err.Error())
			}
		}
		if c == '\n' {
			line++
		}
	}
}

// TestMissingLine checks that a line that is missing, duplicate or swapped with
// the next one is found in the shortest journal. Only the last line may be
// missing, like every line that has not been written yet.
func TestMissingLine(t *testing.T) {
	data := sealedJournal(10)
	whole, _ := ParseJournal("f", data)
	lines := bytes.SplitAfter(data, []byte("\n"))
	lines = lines[:len(lines)-1]
	for i := range lines {
		before, here, after := bytes.Join(lines[:i], nil), lines[i], bytes.Join(lines[i+1:], nil)
		kinds := map[string][]byte{"doubled": bytes.Join([][]byte{before, here, here, after}, nil)}
		if i < len(lines)-1 {
			kinds["lost"] = bytes.Join([][]byte{before, after}, nil)
			kinds["swapped"] = bytes.Join([][]byte{before, lines[i+1], here, bytes.Join(lines[i+2:], nil)}, nil)
		}
		for kind, file := range kinds {
			at := i + 1
			if kind == "doubled" {
				at++
			}
			j, err := ParseJournal("f", file)
			e, ok := err.(*SyntaxError)
			if !ok || e.Line != at || !e.Damaged && at > 1 {
				t.Errorf("line %d %s: %v", i+1, kind, err)
			}
			if j != nil {
				agrees(t, whole, j, kind)
			}
		}
	}
}

// TestZeroedBlock reads journals with a block of zeros: disks lose whole blocks.
func TestZeroedBlock(t *testing.T) {
	data := sealedJournal(400)
	whole, _ := ParseJournal("f", data)
	for _, size := range []int{512, 4096} {
		for at := 0; at < len(data); at += size {
			zeroed := bytes.Clone(data)
			clear(zeroed[at:min(at+size, len(data))])
			j, err := ParseJournal("f", zeroed)
			if e, ok := err.(*SyntaxError); !ok || !e.Damaged && at > 0 {
				t.Errorf("%d bytes from %d: %v", size, at, err)
			}
			if j != nil {
				agrees(t, whole, j, err.Error())
				lost := CountMoves(zeroed[j.Length:], len(j.Lines))
				if lost < 0 || lost > 402-len(j.Lines)+1 {
					t.Errorf("%d bytes from %d: %d moves are lost behind %d lines", size, at, lost, len(j.Lines))
				}
			}
		}
	}
}

// TestTruncated checks that a file that ends early is read up to its last whole
// line.
func TestTruncated(t *testing.T) {
	data := sealedJournal(10)
	whole, _ := ParseJournal("f", data)
	head, _ := fullSetup.SealedHead()
	for n := range data {
		j, err := ParseJournal("f", data[:n])
		if n < len(head)-1 {
			if err == nil {
				t.Fatalf("%d bytes of the head: no error", n)
			}
			continue
		}
		if err != nil || j.Torn != (data[n-1] != '\n' && n >= len(head)) {
			t.Fatalf("%d bytes: torn %t, %v", n, j.Torn, err)
		}
		agrees(t, whole, j, "truncated")
		if lines := bytes.Count(data[:n], []byte("\n")) - headLines; n >= len(head) && len(j.Lines) != lines {
			t.Fatalf("%d bytes: %d lines", n, len(j.Lines))
		}
	}
}

func TestEditedJournal(t *testing.T) {
	data := string(sealedJournal(3))
	for _, c := range []struct{ name, file, want string }{
		{"a line added", data + "9s red undo\n",
			`f:20:1: this line has no checksum: it was damaged, or written by hand. Whoever edits a journal removes all its checksums and begins it with "tableside-journal 1"`},
		{"a comment added", data + "# why?\n", `f:20:1: this line has no checksum`},
		{"a line changed", strings.Replace(data, "+1", "+2", 1), `f:17:18: got checksum`},
		{"a line twice", data + data[strings.LastIndex(data[:len(data)-1], "\n")+1:], "f:20:1: duplicate line"},
		{"no end", data[:len(data)-1] + "!", "f:19:28: the line does not end after its checksum"},
	} {
		_, err := ParseJournal("f", []byte(c.file))
		if e, ok := err.(*SyntaxError); !ok || !e.Damaged || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

// TestFlippedBitInLooseJournal checks that a flipped bit is found in the
// journals of earlier versions, too, which are sealed line by line.
func TestFlippedBitInLooseJournal(t *testing.T) {
	var b strings.Builder
	for _, line := range append(fullSetup.Head(), "1s red set name Bob", "2s red key plus", "mark 2 1a2b3c4d") {
		b.WriteString(Seal(line))
	}
	data := []byte(b.String())
	for i := range data[:len(data)-1] { // without its end, the last line was not whole
		for bit := range 8 {
			flipped := bytes.Clone(data)
			flipped[i] ^= 1 << bit
			if _, err := ParseJournal("f", flipped); err == nil || !err.(*SyntaxError).Damaged {
				t.Errorf("%q: %v", flipped, err)
			}
		}
	}
}

// TestSealWithoutItsSpace checks that "#=" and eight digits at the end of a line
// are a seal whatever precedes them.
func TestSealWithoutItsSpace(t *testing.T) {
	sealed := Seal("1s red set name Bob")
	for _, with := range []string{"0", "\t", "\""} {
		broken := head + strings.Replace(sealed, " #=", with+"#=", 1)
		if _, err := ParseJournal("f", []byte(broken)); err == nil || !strings.Contains(err.Error(), "the line was damaged") {
			t.Errorf("%q: %v", broken, err)
		}
	}
}

// TestCommentIsNoSeal checks that a comment after a line is not taken for a
// seal.
func TestCommentIsNoSeal(t *testing.T) {
	for _, comment := range []string{" # 20261120", " # deadbeef", " #deadbeef", " #1: Alice", " #= three"} {
		if _, err := ParseJournal("f", []byte(head+"1s red key plus"+comment+"\n")); err != nil {
			t.Errorf("%q: %v", comment, err)
		}
	}
}

func TestMiscounted(t *testing.T) {
	j,
		err := ParseJournal("f",
		[]byte(head+"1s red key plus\nmark 1 00\n2s red key plus\nmark 3 00\n3s red key plus\nmark 4 00\n"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, false, true, true, true, true} {
		if got := j.Miscounted(i); got != want {
			t.Errorf("line %d: %t", i, got)
		}
	}
	for rest, want := range map[string]int{
		"":                                   0,
		"2s red key plus\n3s red ke":         2,
		"2s red\x00\x00\n\n# so\nend lost\n": 1,
		"mark 9 00\n9s red key plus\n":       1,
		"2s red\x00\x00key plus\nmark 9 00\n9s red undo\nmark 10 00\nend finished red\n": 6,
	} {
		if got := CountMoves([]byte(rest), 4); got != want {
			t.Errorf("%q: %d moves, want %d", rest, got, want)
		}
	}
}
