package host

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// releaseStart unmaps the pages of the program's own file, most of which only its start needed,
// or nobody: the kernel maps 64 KB around each page that is touched. Pages that are used again
// are mapped again, from the kernel's cache or from the file.
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
	for _, r := range unchanged(f, program) {
		if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, r.from, r.to-r.from, syscall.MADV_DONTNEED); errno != 0 {
			return os.NewSyscallError("madvise", errno)
		}
	}
	return nil
}

// A region is a part of the address space: from its first byte up to, but without, to.
type region struct{ from, to uintptr }

// unchanged returns the regions that map a file only for reading and hold no page that differs
// from the file, read from the text of /proc/self/smaps. A program that was linked to run at any
// address has pages that differ: they hold addresses, and cannot be read again.
func unchanged(smaps io.Reader, file string) []region {
	var all []region
	var r region
	ours := false
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		var next region
		var mode string
		line := lines.Text()
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &next.from, &next.to, &mode); n == 3 {
			r, ours = next, strings.HasPrefix(mode, "r-") && strings.HasSuffix(line, " "+file)
		} else if key, size, _ := strings.Cut(line, ":"); ours && key == "Anonymous" && strings.TrimSpace(size) == "0 kB" {
			all = append(all, r)
		}
	}
	return all
}
