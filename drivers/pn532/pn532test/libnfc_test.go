//go:build linux

package pn532test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tableside/drivers/nfc/nfctest"
)

// These tests let libnfc, which others wrote for real chips, use the emulated
// chip through a terminal, and check what it finds and reads.

// A stranger runs libnfc's programs on a chip with some tags.
type stranger struct {
	*testing.T
	field *nfctest.Field
	chip  *Chip
	pty   *PTY
}

func withLibnfc(t *testing.T, tags ...*nfctest.Tag) *stranger {
	t.Helper()
	s := &stranger{T: t, field: new(nfctest.Field)}
	for _, tag := range tags {
		s.field.Put(tag)
	}
	s.chip = New(s.field)
	var err error
	if s.pty, err = s.chip.PTY(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.pty.Close() })
	return s
}

// command prepares a program. It is killed if it does not end.
func (s *stranger) command(name string, args ...string) *exec.Cmd {
	s.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		s.Fatalf("%s is not installed: apt-get install libnfc-bin libnfc-examples", name)
	}
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	s.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "LIBNFC_LOG_LEVEL=0",
		"LIBNFC_AUTO_SCAN=false", "LIBNFC_DEFAULT_DEVICE=pn532_uart:"+s.pty.Path())
	return cmd
}

// patiently tries something up to five times: libnfc gives up on the chip after a
// third of a second, which is sometimes too short on a busy machine.
func (s *stranger) patiently(try func() error) {
	s.Helper()
	var err error
	for range 5 {
		if err = try(); err == nil {
			return
		}
		s.Log("once more, after: ", err)
	}
	s.Fatal("in vain")
}

// run runs a program until its output has all these words in this order. Only
// their spacing may differ.
func (s *stranger) run(name string, args []string, want ...string) {
	s.Helper()
	s.patiently(func() error {
		cmd := s.command(name, args...)
		cmd.Stdin = strings.NewReader(strings.Repeat("n\n", 9)) // no to every question
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", name, err, out)
		}
		rest := strings.Join(strings.Fields(string(out)), " ")
		for _, w := range want {
			_, after, ok := strings.Cut(rest, w)
			if !ok {
				return fmt.Errorf("%s does not say %q:\n%s", name, w, out)
			}
			rest = after
		}
		return nil
	})
}

func TestLibnfcLists(t *testing.T) {
	s := withLibnfc(t, nfctest.NewNTAG213(uid(t, "04A1B2C3D4E5F6")))
	for range 2 { // it leaves the chip asleep, and wakes it
		s.run("nfc-list", []string{"-t", "1"},
			"1 ISO14443A passive target(s) found",
			"ATQA (SENS_RES): 00 44", "UID (NFCID1): 04 a1 b2 c3 d4 e5 f6", "SAK (SEL_RES): 00")
	}
	s.field.Take(s.field.Tags()[0])
	s.run("nfc-list", []string{"-v"}, "0 ISO14443A passive target(s) found", "0 ISO14443B passive target(s) found")
	s.field.Put(nfctest.NewClassic(uid(t, "DEADBEEF")))
	s.run("nfc-list", []string{"-t", "1"}, "ATQA (SENS_RES): 00 04", "UID (NFCID1): de ad be ef", "SAK (SEL_RES): 08")
}

func TestLibnfcListsTwo(t *testing.T) {
	s := withLibnfc(t, nfctest.NewNTAG213(uid(t, "04A1B2C3D4E5F6")), nfctest.NewClassic(uid(t, "DEADBEEF")))
	// Of two tags, the one that sends 1 where they differ is found first.
	s.run("nfc-list", []string{"-t", "1"}, "2 ISO14443A passive target(s) found",
		"UID (NFCID1): de ad be ef", "UID (NFCID1): 04 a1 b2 c3 d4 e5 f6")
}

// TestLibnfcPolls checks that nfc-poll finds a tag and waits until it is removed.
func TestLibnfcPolls(t *testing.T) {
	tag := nfctest.NewNTAG215(uid(t, "04A1B2C3D4E5F6"))
	s := withLibnfc(t)
	s.patiently(func() error {
		cmd := s.command("nfc-poll")
		pipe, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		before := s.field.Frames()
		for i := 0; i < 10_000 && s.field.Frames() < before+3; i++ { // until it looks for tags
			time.Sleep(time.Millisecond)
		}
		s.field.Put(tag)
		defer s.field.Take(tag)
		words := bufio.NewScanner(pipe)
		words.Split(bufio.ScanWords)
		var said []string
		for words.Scan() {
			said = append(said, words.Text())
			if words.Text() == "card" { // "Waiting for card removing..."
				s.field.Take(tag)
			}
		}
		out := strings.Join(said, " ")
		if err := cmd.Wait(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		if !strings.Contains(out, "UID (NFCID1): 04 a1 b2 c3 d4 e5 f6") || !strings.HasSuffix(out, "done.") {
			return fmt.Errorf("nfc-poll says: %s", out)
		}
		return nil
	})
}

// TestLibnfcAnticollision runs nfc-anticol, which sends each frame itself.
func TestLibnfcAnticollision(t *testing.T) {
	s := withLibnfc(t, nfctest.NewNTAG213(uid(t, "04A1B2C3D4E5F6")))
	s.run("nfc-anticol", nil, "Sent bits: 26 (7 bits)", "Received bits: 44 00", "Received bits: 88 04 a1 b2 9f",
		"Sent bits: 50 00 57 cd", "UID: 04a1b2c3d4e5f6", "ATQA: 0044", "SAK: 00")
}

// TestLibnfcCopiesNDEF lets nfc-mfultralight read an NDEF message that our driver
// wrote, and write one that our driver reads.
func TestLibnfcCopiesNDEF(t *testing.T) {
	// By hand, from RTD Text 1.0 and NFC Forum Type 2 Tag 1.1.
	const text = "tableside:mutants/zombie.2"
	message := append([]byte{0x03, 7 + 26, 0xD1, 0x01, 3 + 26, 'T', 0x02, 'e', 'n'}, text+"\xFE"...)

	original := nfctest.NewNTAG213(uid(t, "04A1B2C3D4E5F6"))
	if err := original.SetText(text); err != nil {
		t.Fatal(err)
	}
	s := withLibnfc(t, original)
	file := filepath.Join(t.TempDir(), "dump")
	s.run("nfc-mfultralight", []string{"r", file}, "UID: 04a1b2c3d4e5f6", "NTAG213 (144 user bytes)",
		"45 of 45 pages read")
	dump, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(dump[:len(original.Bytes())-8], original.Bytes()[:len(original.Bytes())-8]) {
		t.Errorf("read % X, on the tag is % X", dump, original.Bytes())
	}
	if !bytes.Contains(dump, message) {
		t.Errorf("% X is not in % X", message, dump)
	}

	s.field.Take(original)
	copied := nfctest.NewNTAG213(uid(t, "04112233445566"))
	s.field.Put(copied)
	s.run("nfc-mfultralight", []string{"w", file}, "Done,", "of 45 pages written", ", 0 pages failed)")
	if got, err := copied.Text(); err != nil || got != text {
		t.Errorf("on the copy: %q, %v", got, err)
	}
}
