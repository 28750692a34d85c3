package host

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// releaseStart unmaps the pages of the program's own file. Then the kernel can drop these
// pages from its cache when it needs room. Most of these pages were needed only by the start.
// Others were needed by nobody, because the kernel maps 64 KB around each page that is
// touched.
//
// If a page is used again, the kernel maps the page again, from its cache or from the file.
func releaseStart() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return err
	}
	defer f.Close()
	for _, r := range unchangedRegions(f, program) {
		if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, r.start, r.end-r.start, syscall.MADV_DONTNEED); errno != 0 {
			return os.NewSyscallError("madvise", errno)
		}
	}
	return nil
}

// A region is a part of the address space. It begins at the address start and ends just before
// the address end.
type region struct{ start, end uintptr }

// unchangedRegions returns the regions of memory that map the given file and still hold what
// the file holds. The program may not write to such a region, and no page in it differs from
// the file. The argument smaps is the text of /proc/self/smaps.
//
// If a program was linked to run at any address, some of its pages differ from the file. These
// pages hold addresses, and cannot be read again from the file.
func unchangedRegions(smaps io.Reader, file string) []region {
	var all []region
	var r region
	same := false // r maps the file, and no page that differs was found
	add := func() {
		if same {
			all = append(all, r)
		}
	}
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		var next region
		var mode string
		line := lines.Text()
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &next.start, &next.end, &mode); n == 3 {
			add()
			r, same = next, strings.HasPrefix(mode, "r-") && strings.HasSuffix(line, " "+file)
		} else if key, size, _ := strings.Cut(line, ":"); key == "Anonymous" || key == "Swap" {
			same = same && strings.TrimSpace(size) == "0 kB"
		}
	}
	add()
	return all
}
