package engine

import (
	"fmt"
	"hash/crc32"
	"math/bits"
	"strings"
)

// looseMagic and chainedMagic are the two possible first lines of a journal. The first line
// names the form of the journal. The daemon writes journals in the chained form. People write
// journals in the loose form. docs/decisions/0009 says why there are two forms.
const (
	looseMagic   = "tableside-journal 1"
	chainedMagic = "tableside-journal 2"
)

// A seal is sealMark followed by sealDigits hexadecimal digits.
const (
	sealMark   = "#="
	sealDigits = 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(data []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(data, castagnoli)) }

// Seal returns a line of a loose journal with its checksum and a line end.
func Seal(line string) string { return line + " " + sealMark + checksum([]byte(line)) + "\n" }

// Unseal returns a line that Seal has sealed without its checksum and line end. It reports
// whether the line is undamaged.
func Unseal(line string) (text string, whole bool) {
	line, ended := strings.CutSuffix(line, "\n")
	var loose Sealer
	text, sealed, err := loose.open(line)
	return text, ended && sealed && err == nil
}

// A Sealer seals the lines of one journal, in their order. The zero value is a Sealer for a
// loose journal. In a loose journal, each line is sealed alone.
type Sealer struct {
	chained bool
	last    string // the digits of the previous seal; "" before the first line
}

// Seal returns the next line with its seal and a line end. In a chained journal, the checksum
// also covers the seal of the line before. So a lost, duplicate or moved line breaks the
// checksum.
func (s *Sealer) Seal(line string) string {
	if !s.chained {
		return Seal(line)
	}
	s.last = s.digits(line)
	return line + " " + sealMark + s.last + "\n"
}

// digits returns the checksum that the next line must have.
func (s *Sealer) digits(line string) string {
	if !s.chained {
		return checksum([]byte(line))
	}
	return checksum([]byte(s.last + line))
}

// ChainedSealer returns the sealer of a new chained file.
func ChainedSealer() Sealer { return Sealer{chained: true} }

// Open verifies the seal of the next line of a chained file. It returns the line without the
// seal. The given line must have no line end. The error is a *SyntaxError.
func (s *Sealer) Open(raw string) (string, error) {
	text, _, err := s.open(raw)
	return text, err
}

// SealedHead returns the head of a new journal, in the form in which the daemon writes it. It
// also returns the Sealer for the lines after the head.
func (s Setup) SealedHead() (string, Sealer) {
	sealer := ChainedSealer()
	head := s.Head()
	head[0] = chainedMagic
	var b strings.Builder
	for _, line := range head {
		b.WriteString(sealer.Seal(line))
	}
	return b.String(), sealer
}

// open verifies the seal of the next line and removes the seal. A loose journal may have lines
// without a seal. The result sealed is true if this line had a seal.
func (s *Sealer) open(raw string) (text string, sealed bool, err error) {
	text, digits, found := cutSeal(raw)
	if !found {
		if s.chained {
			return "", false, damaged(1, "this line has no checksum: it was damaged, or written by hand. "+
				"Whoever edits a journal removes all its checksums and begins it with %q", looseMagic)
		}
		return raw, false, nil
	}
	want := s.digits(text)
	switch {
	case !strings.HasPrefix(raw[len(text):], " "+sealMark):
		return "", true, damaged(len(text)+1, "this should be \" %s\" and a checksum: the line was damaged", sealMark)
	case digits != want && s.chained:
		return "", true, damaged(len(text)+2, "got checksum %s, want %s: this line was damaged, "+
			"or a line before it is missing, duplicate or out of order", digits, want)
	case digits != want:
		return "", true, damaged(len(text)+2, "got checksum %s, want %s: the line was damaged", digits, want)
	}
	s.last = digits
	return text, true, nil
}

// cutSeal splits a line from its seal. If the line has no seal, found is false. A damaged seal
// counts as a seal, too. After an undamaged " #=", any eight bytes count as the digits of a
// seal. If one bit of " #=" is wrong, or if another byte replaces its space, eight hexadecimal
// digits must follow.
func cutSeal(raw string) (text, digits string, found bool) {
	const mark = " " + sealMark
	at := len(raw) - len(mark) - sealDigits
	if at < 0 {
		return raw, "", false
	}
	wrong := 0 // bits
	for i := range len(mark) {
		wrong += bits.OnesCount8(raw[at+i] ^ mark[i])
	}
	digits = raw[at+len(mark):]
	switch {
	case wrong == 0:
	case wrong > 1 && raw[at+1:at+len(mark)] != sealMark, strings.Trim(digits, "0123456789abcdefABCDEF") != "":
		return raw, "", false
	}
	return raw[:at], digits, true
}
