package main

import (
	"strings"
	"testing"

	"tableside/cmd/tableside/doctor"
)

// TestDoctorTells tests that a good line has its evidence in parentheses, and that a
// bad one, which makes the answer no, has what to do.
func TestDoctorTells(t *testing.T) {
	var out strings.Builder
	p := &program{out: &out}
	good := doctor.Finding{Check: "reader table", OK: true, Text: "PN532 1.6, 0 tags on it",
		How: "it answered over SPI0.0"}
	bad := doctor.Finding{Check: "disk", Text: "only 5 KiB are free", Fix: "delete something"}
	if err := p.printFindings([]doctor.Finding{good}, false); err != nil {
		t.Error(err)
	}
	if err := p.printFindings([]doctor.Finding{bad}, false); err != exitCode(exitNo) {
		t.Error(err)
	}
	const want = "ok    reader table   PN532 1.6, 0 tags on it (it answered over SPI0.0)\n" +
		"FAIL  disk           only 5 KiB are free; delete something\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
