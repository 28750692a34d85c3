// Package labelstest draws the rectangles on sheets of labels, so that tests can look at them.
// The rectangles are the codes and the cut marks.
package labelstest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	mediaBox = regexp.MustCompile(`/MediaBox \[0 0 (\S+) (\S+)\]`)
	content  = regexp.MustCompile(`/Type /Page /Parent \d+ 0 R /Contents (\d+) 0 R`)
)

// Pages returns a picture of each page of a PDF. The pictures show only the rectangles. The
// caller passes the number of pixels for each millimetre. Pages finds the objects of the PDF
// by the table at the end of the file, as a viewer does.
func Pages(t testing.TB, pdf []byte, perMM float64) []*image.Gray {
	t.Helper()
	box := mediaBox.FindSubmatch(pdf)
	if box == nil {
		t.Fatal("the file has no size of its pages")
	}
	scale := perMM * 25.4 / 72
	w, h := number(t, string(box[1])), number(t, string(box[2]))
	var pages []*image.Gray
	for _, m := range content.FindAllSubmatch(pdf, -1) {
		img := image.NewGray(image.Rect(0, 0, int(w*scale), int(h*scale)))
		draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
		grey := color.Gray{}
		for line := range strings.Lines(stream(t, pdf, string(m[1]))) {
			f := strings.Fields(line)
			switch {
			case len(f) == 2 && f[1] == "g":
				grey.Y = uint8(255 * number(t, f[0]))
			case len(f) == 6 && f[4] == "re":
				x, y, dx, dy := number(t, f[0]), number(t, f[1]), number(t, f[2]), number(t, f[3])
				px := func(v float64) int { return int(math.Round(v * scale)) }
				draw.Draw(img, image.Rect(px(x), px(h-y-dy), px(x+dx), px(h-y)), image.NewUniform(grey), image.Point{}, draw.Src)
			}
		}
		pages = append(pages, img)
	}
	return pages
}

// stream returns the uncompressed content of the object with this number.
func stream(t testing.TB, pdf []byte, object string) string {
	t.Helper()
	at := bytes.LastIndex(pdf, []byte("startxref\n"))
	table, _, _ := strings.Cut(string(pdf[at+len("startxref\n"):]), "\n")
	start, n := int(number(t, table)), int(number(t, object))
	lines := strings.Split(string(pdf[start:at]), "\n")
	if lines[0] != "xref" || len(lines) < n+3 {
		t.Fatalf("the table of objects has no %d: %.40s", n, lines)
	}
	offset, _, _ := strings.Cut(lines[2+n], " ")
	rest := pdf[int(number(t, offset)):]
	if !bytes.HasPrefix(rest, fmt.Appendf(nil, "%d 0 obj", n)) {
		t.Fatalf("object %d is not at %s", n, offset)
	}
	_, packed, _ := bytes.Cut(rest, []byte("stream\n"))
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
