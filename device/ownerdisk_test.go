package device

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const (
	writerDir  = "OWNER_DIR"  // in a process that changes the owner's file
	writerMost = "OWNER_MOST" // bytes of a file until the disk is full
)

// TestOwnerWriter is the process that the tests below start: it replaces the owner's
// file by a version with one line more, again and again.
func TestOwnerWriter(t *testing.T) {
	dir := os.Getenv(writerDir)
	if dir == "" {
		return // the tests below start it
	}
	if most := os.Getenv(writerMost); most != "" {
		n, err := strconv.ParseUint(most, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			t.Fatal(err)
		}
	}
	o := ownerOf(dir)
	for {
		err := o.Change("count/first", func(before string) (string, error) {
			return before + fmt.Sprintf("line-%d\n", strings.Count(before, "\n")), nil
		})
		if err != nil && !errors.Is(err, syscall.EFBIG) {
			t.Error(err)
		}
		if err != nil {
			return
		}
	}
}

func ownerOf(dir string) Owner {
	return Owner{Dir: dir, Box: func(string) Box { return lineBox{} }}
}

func writer(t *testing.T, dir string, env ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOwnerWriter$")
	cmd.Env = append(append(os.Environ(), writerDir+"="+dir), env...)
	return cmd
}

// isWhole checks that the owner's file is a version from before or after a change, and
// that it can be changed again. It returns the number of its lines.
func isWhole(t *testing.T, dir string) (lines int) {
	t.Helper()
	text, err := ownerOf(dir).Text("count/first")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text) {
		if line != fmt.Sprintf("line-%d\n", lines) {
			t.Fatalf("the file is torn:\n%s", text)
		}
		lines++
	}
	if err := ownerOf(dir).Learn("count/first", []string{fmt.Sprintf("line-%d", lines)}); err != nil {
		t.Fatal(err)
	}
	return lines + 1
}

// TestOwnerOnFullDisk checks that a disk that is full after any number of bytes, while
// the file is written, leaves the old version, and nothing beside it.
func TestOwnerOnFullDisk(t *testing.T) {
	for most := range 40 {
		dir := t.TempDir()
		for range 3 {
			isWhole(t, dir)
		}
		if out, err := writer(t, dir, writerMost+"="+strconv.Itoa(most)).CombinedOutput(); err != nil {
			t.Fatalf("%d bytes: %v\n%s", most, err, out)
		}
		isWhole(t, dir)
		left, err := filepath.Glob(filepath.Join(dir, "cards", "history", "*", ".*"))
		more, _ := filepath.Glob(filepath.Join(dir, "cards", ".*"))
		if err != nil || len(left)+len(more) > 0 {
			t.Errorf("%d bytes: %v is left, %v", most, append(left, more...), err)
		}
	}
}

// TestOwnerPowerCut kills the process while it changes the file: that leaves the version
// before or after a change, and everything that was kept before.
func TestOwnerPowerCut(t *testing.T) {
	dir := t.TempDir()
	before := isWhole(t, dir)
	for cut := range 40 {
		cmd := writer(t, dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		file := ownerOf(dir).File("count/first")
		for grown := before; grown < before+1+cut%3; { // it is in the middle of changes
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			grown = strings.Count(string(data), "\n")
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		after := isWhole(t, dir)
		if after <= before {
			t.Fatalf("got %d lines, want more than %d", after, before)
		}
		before = after
	}
	versions, err := os.ReadDir(ownerOf(dir).History("count/first"))
	if err != nil || len(versions) < before-2 {
		t.Errorf("got %d versions of %d, %v", len(versions), before, err)
	}
}
