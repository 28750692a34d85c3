package epaper_test

import (
	"errors"
	"fmt"
	"image"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A transcript holds the commands of a maker's software.
type transcript struct {
	panel   string
	packs   packing
	assumes []string
	pace    time.Duration
	lines   []transcriptLine
}

type transcriptLine struct {
	where string // the file and the line
	words []string
}

// A packing describes how a picture becomes bytes.
type packing struct{ turn, bits, before, after, pad int }

func readTranscript(file string) (*transcript, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s := &transcript{}
	for n, line := range strings.Split(string(text), "\n") {
		where := fmt.Sprintf("%s:%d", file, n+1)
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if strings.HasPrefix(line, " ") {
			if len(s.lines) == 0 {
				return nil, fmt.Errorf("%s: data without a command", where)
			}
			last := &s.lines[len(s.lines)-1]
			last.words = append(last.words, words...)
			continue
		}
		switch words[0] {
		case "panel":
			s.panel = words[1]
		case "assumes":
			s.assumes = words[1:]
		case "pace":
			s.pace, err = time.ParseDuration(words[1])
		case "packs":
			s.packs, err = readPacking(words[1:])
		default:
			s.lines = append(s.lines, transcriptLine{where, words})
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
	}
	return s, nil
}

func readPacking(words []string) (p packing, err error) {
	turns := []string{"none", "right", "left"}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		n, bad := strconv.Atoi(value)
		switch key {
		case "turn":
			p.turn, bad = slices.Index(turns, value), nil
			if p.turn < 0 {
				return p, fmt.Errorf("a turn %q", value)
			}
		case "bits":
			p.bits = n
		case "before":
			p.before = n
		case "after":
			p.after = n
		case "pad":
			p.pad = n
		default:
			return p, fmt.Errorf("unknown: %q", w)
		}
		err = errors.Join(err, bad)
	}
	return p, err
}

// pack returns the bytes of a picture: 0 is black, 1 is white.
func (p packing) pack(img *image.Gray) []byte {
	img = turned(img, []int{0, 90, 270}[p.turn])
	var out []byte
	at := 0
	put := func(v int) {
		if at%8 == 0 {
			out = append(out, 0)
		}
		at += p.bits
		out[len(out)-1] |= byte(v << ((8 - at%8) % 8))
	}
	for y := range img.Rect.Dy() {
		for range p.before {
			put(p.pad)
		}
		for x := range img.Rect.Dx() {
			put(int(img.GrayAt(x, y).Y >> 7))
		}
		for range p.after {
			put(p.pad)
		}
	}
	return out
}
