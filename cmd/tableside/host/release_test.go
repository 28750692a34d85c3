package host

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestReleaseStart checks that less of the program's file is mapped afterwards, and that the
// program goes on.
func TestReleaseStart(t *testing.T) {
	before := mapped(t)
	if err := releaseStart(); err != nil {
		t.Fatal(err)
	}
	if after := mapped(t); after > before*3/4 {
		t.Errorf("%d kB of files were mapped, and %d after that; want a quarter less at least", before, after)
	}
	if got := strings.ToUpper(fmt.Sprint(t.Name())); got != "TESTRELEASESTART" {
		t.Errorf("the program is damaged: it says %q", got)
	}
}

// mapped returns how many kilobytes of files this process has mapped, from RssFile.
func mapped(t *testing.T) (kb int) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(status, []byte("RssFile:"))
	if _, err := fmt.Sscan(string(rest), &kb); err != nil {
		t.Fatal(err)
	}
	return kb
}

// TestUnchanged reads a program's regions: code, tables, tables with addresses that were
// entered at the start, variables, and another file.
func TestUnchanged(t *testing.T) {
	const smaps = `00400000-00c00000 r-xp 00000000 fe:01 42    /opt/my table/tableside
Rss:                8000 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
00c00000-01500000 r--p 00800000 fe:01 42    /opt/my table/tableside
Anonymous:             0 kB
01500000-01600000 r--p 01100000 fe:01 42    /opt/my table/tableside
Anonymous:            64 kB
01600000-01680000 rw-p 01200000 fe:01 42    /opt/my table/tableside
Anonymous:             0 kB
7f0000000000-7f0000200000 r-xp 00000000 fe:01 43    /opt/tableside
Anonymous:             0 kB
7f0000200000-7f0000400000 r--p 00000000 00:00 0
Anonymous:             0 kB
`
	want := []region{{0x400000, 0xc00000}, {0xc00000, 0x1500000}}
	if got := unchanged(strings.NewReader(smaps), "/opt/my table/tableside"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}
