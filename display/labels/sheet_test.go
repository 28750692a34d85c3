package labels

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"tableside/display/labels/labelstest"
	"tableside/display/qr"
	"tableside/display/qr/qrtest"
	"tableside/engine/enginetest"
)

func some(n int) []Label {
	names := []string{"Bo", "Chameleon Sniper", "Sharky Crab-Dog-Mummypus", "Œuvre de la démonette à trois têtes",
		"Donaudampfschifffahrtsgesellschaftskapitän"}
	var all []Label
	for i := range n {
		code := fmt.Sprintf("tableside:mindbug/card-%d.1", i)
		all = append(all, Label{code, names[i%len(names)], fmt.Sprintf("Mindbug %d/9", i)})
	}
	return all
}

// TestSheetsAreRead checks that the first and the last code of a page are read, for every
// size of label, as they are drawn and held at an angle; with the race detector, on one
// paper.
func TestSheetsAreRead(t *testing.T) {
	const perMM = 6.0
	papers := Papers
	if enginetest.Brief() {
		papers = papers[:1]
	}
	for _, paper := range papers {
		sizes := append(slices.Clone(Sizes), Size{Name: "25x25", W: 25, H: 25}, Size{Name: "100x20", W: 100, H: 20})
		for _, size := range sizes {
			if size.paper != "" && size.paper != paper.Name {
				continue
			}
			t.Run(paper.Name+"/"+size.Name, func(t *testing.T) {
				sheet := Sheet{Title: "Œ", Paper: paper, Size: size, Footer: func(page, pages int) string { return "sheet" }}
				g, err := sheet.layout()
				if err != nil {
					t.Fatal(err)
				}
				each := g.cols * g.rows
				var pdf bytes.Buffer
				if pages, err := sheet.Write(&pdf, some(each+1)); err != nil || pages != 2 {
					t.Fatalf("%d pages, %v", pages, err)
				}
				pages := labelstest.Pages(t, pdf.Bytes(), perMM)
				if len(pages) != 2 {
					t.Fatalf("the file has %d pages", len(pages))
				}
				for i, l := range some(each) {
					x, y := g.left+float64(i%g.cols)*g.stepX, g.top+float64(i/g.cols)*size.H
					if i > 0 && i < each-1 {
						continue
					}
					part := pages[0].SubImage(image.Rect(int(x*perMM), int(y*perMM), int((x+size.W)*perMM),
						int((y+size.H)*perMM)))
					if got := qr.Read(part); len(got) != 1 || got[0].Text != l.Code {
						t.Errorf("label %d: got %+v, want %q", i, got, l.Code)
					}
					if i == 0 {
						if got := qr.Read(qrtest.Seen(part, 0.2, 0.2)); len(got) != 1 || got[0].Text != l.Code {
							t.Errorf("at an angle: got %+v", got)
						}
					}
				}
				var again bytes.Buffer
				if _, err := sheet.Write(&again, some(each+1)); err != nil || !bytes.Equal(pdf.Bytes(), again.Bytes()) {
					t.Errorf("the same labels make another file, %v", err)
				}
			})
		}
	}
}

// TestNamesFit checks that no name is wider than its label, and that it is cut only
// where it would be too small to read.
func TestNamesFit(t *testing.T) {
	d, err := newDocument("", Papers[0])
	if err != nil {
		t.Fatal(err)
	}
	p := d.page()
	for _, w := range []float64{8, 15, 27, 60} {
		for _, l := range some(5) {
			size := 6.0
			lines := p.fit(l.Name, w, &size, 2)
			for _, line := range lines {
				if got := d.width(bold, size, line); got > w {
					t.Errorf("%q is %.1f wide, want %g", line, got, w)
				}
			}
			joined := strings.NewReplacer(" ", "", "-", "").Replace(strings.Join(lines, ""))
			whole := strings.NewReplacer(" ", "", "-", "").Replace(l.Name)
			if len(lines) > 2 || joined != whole && !strings.Contains(joined, "…") || w == 60 && joined != whole {
				t.Errorf("%q on %g mm: %q", l.Name, w, lines)
			}
		}
	}
}

// TestBadSheets checks the sentences for sizes that cannot be.
func TestBadSheets(t *testing.T) {
	for size, want := range map[string]string{
		"10x10": "too small", "300x10": "does not fit on a4", "5160": "are letter, not a4",
		"0x0": "got", "-5x5": "got", "40": "got", "NaNx20": "got", "1e9x5": "got", "banana": "sleeve, mini",
	} {
		s, err := FindSize(size)
		if err == nil {
			_, err = Sheet{Paper: Papers[0], Size: s}.Write(&bytes.Buffer{}, some(1))
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", size, err, want)
		}
	}
	if _, err := FindPaper("a3"); err == nil || !strings.Contains(err.Error(), "a4 or letter") {
		t.Error(err)
	}
}

// TestSmallestLabel tests that labels of the size that an error asks for can be
// printed, even if a later label has a longer code than the first.
func TestSmallestLabel(t *testing.T) {
	long := "tableside:a/" + strings.Repeat("long", 9) + ".1"
	list := []Label{{Code: "tableside:a/b.1", Name: "B"}, {Code: long, Name: "L"}}
	write := func(w, h float64) error {
		_, err := Sheet{Paper: Papers[0], Size: Size{W: w, H: h}}.Write(&bytes.Buffer{}, list)
		return err
	}
	var w, h float64
	_, words, _ := strings.Cut(fmt.Sprint(write(5, 5)), "need ")
	if n, err := fmt.Sscanf(words, "%gx%g mm", &w, &h); n != 2 || w < 10 {
		t.Fatalf("got %q, want a size: %v", words, err)
	}
	if err := write(w, h); err != nil {
		t.Errorf("%g x %g mm were asked for: %v", w, h, err)
	}
	if err := write(w-1, h); err == nil {
		t.Errorf("%g x %g mm are enough, too", w-1, h)
	}
}

// TestStickersAreCentred tests that the margins of sheets that are already cut are the
// same on both sides, as they are sold.
func TestStickersAreCentred(t *testing.T) {
	for _, z := range Sizes {
		paper, err := FindPaper(z.OnlyPaper())
		if err != nil {
			continue // of no such sheet
		}
		right := paper.W - z.left - float64(z.cols-1)*z.stepX - z.W
		bottom := paper.H - z.top - float64(z.rows)*z.H
		if math.Abs(right-z.left) > 0.01 || math.Abs(bottom-z.top) > 0.01 {
			t.Errorf("%s: %.3f left, %.3f right, %.3f above, %.3f below", z.Name, z.left, right, z.top, bottom)
		}
	}
}
