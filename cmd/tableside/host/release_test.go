package host

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestReleaseStart checks that hardly anything of the program's file is mapped afterwards, and
// that the program goes on.
func TestReleaseStart(t *testing.T) {
	before := mapAll(t)
	if err := releaseStart(); err != nil {
		t.Fatal(err)
	}
	if after := mapped(t); after > before/2 {
		t.Errorf("%d kB of the file were mapped, and %d after that; want half of it at most", before, after)
	}
	if got := strings.ToUpper(fmt.Sprint(t.Name())); got != "TESTRELEASESTART" {
		t.Errorf("the program is damaged: it says %q", got)
	}
}

// mapAll reads the program's regions, so that the kernel maps them, and returns how many
// kilobytes are mapped.
func mapAll(t *testing.T) int {
	t.Helper()
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	for _, r := range unchangedRegions(bytes.NewReader(smaps), program(t)) {
		part := io.NewSectionReader(memory, int64(r.start), int64(r.end-r.start))
		if _, err := io.Copy(io.Discard, part); err != nil {
			t.Fatal(err)
		}
	}
	return mapped(t)
}

func program(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// mapped returns how many kilobytes of the program's file are mapped: the sum of Rss.
func mapped(t *testing.T) (all int) {
	t.Helper()
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	ours := false
	for line := range strings.Lines(string(smaps)) {
		var kb int
		if n, _ := fmt.Sscanf(line, "Rss: %d kB", &kb); n == 1 && ours {
			all += kb
		} else if strings.Contains(line, "-") {
			ours = strings.HasSuffix(line, " "+program(t)+"\n")
		}
	}
	return all
}

// TestUnchanged reads a program's regions: code, tables, tables with addresses that were
// entered at the start, in memory and swapped out, variables, and other files.
func TestUnchanged(t *testing.T) {
	const smaps = `00400000-00c00000 r-xp 00000000 fe:01 42    /opt/my table/tableside
Rss:                8000 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
00c00000-01500000 r--p 00800000 fe:01 42    /opt/my table/tableside
Anonymous:             0 kB
01500000-01600000 r--p 01100000 fe:01 42    /opt/my table/tableside
Anonymous:            64 kB
01600000-01640000 r--p 01200000 fe:01 42    /opt/my table/tableside
Anonymous:             0 kB
Swap:                 64 kB
01640000-01680000 rw-p 01200000 fe:01 42    /opt/my table/tableside
Anonymous:             0 kB
7f0000000000-7f0000200000 r-xp 00000000 fe:01 43    /opt/tableside
Anonymous:             0 kB
7f0000200000-7f0000400000 r--p 00000000 00:00 0
Anonymous:             0 kB
`
	want := []region{{0x400000, 0xc00000}, {0xc00000, 0x1500000}}
	if got := unchangedRegions(strings.NewReader(smaps), "/opt/my table/tableside"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}
