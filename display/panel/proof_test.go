package panel

import (
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/display/canvas"
	"tableside/display/displaytest"
	"tableside/display/text"
	"tableside/engine"
	"tableside/engine/enginetest"
)

// allSizes lists the sizes of real panels, and some that do not exist.
var allSizes = []image.Point{
	{250, 122}, {296, 128}, {400, 300}, {264, 176}, {200, 200}, {152, 152}, {212, 104}, {122, 250}, {128, 296}, {300, 400},
	{640, 384}, {648, 480}, {800, 480}, {128, 64}, {128, 32}, {84, 48}, {20, 200}, {7, 7}, {1, 1},
}

// TestNothingOverlaps draws every sample and many made-up frames at every size.
// Blocks and words must stay within the panel and must not overlap, and words
// are cut only by an ellipsis.
func TestNothingOverlaps(t *testing.T) {
	p := NewPainter()
	frames := 25
	if enginetest.Brief() {
		frames = 10
	}
	for _, size := range allSizes {
		for _, s := range displaytest.Samples() {
			prove(t, p, fmt.Sprintf("%s at %v", s.Name, size), s.Frame, size)
		}
		chance := rand.New(rand.NewPCG(uint64(size.X), uint64(size.Y)))
		for i := range frames {
			prove(t, p, fmt.Sprintf("frame %d at %v", i, size), displaytest.MadeUp(chance), size)
		}
	}
}

func prove(t *testing.T, p *Painter, name string, f engine.Frame, size image.Point) {
	t.Helper()
	parts := p.compose(f, size)
	for i, a := range parts {
		if !a.bounds.In(image.Rectangle{Max: size}) {
			t.Errorf("%s: %s at %v leaves the panel", name, a.name, a.bounds)
		}
		for _, b := range parts[:i] {
			if a.bounds.Overlaps(b.bounds) {
				t.Errorf("%s: %s at %v overlaps %s at %v", name, a.name, a.bounds, b.name, b.bounds)
			}
		}
	}
	c := canvas.New(size, Paper)
	p.paint(c, f)
	if size.X < 100 || size.Y < 40 {
		return // too small for any text: drawing must only not panic
	}
	displaytest.CheckTexts(t, name, c.Proof)
}

// TestFromTwoMetres checks that on a large panel a figure is 48 pixels high or
// higher, that the question has letters of 28 pixels to the em or more, and that
// question and answers are complete.
func TestFromTwoMetres(t *testing.T) {
	p := NewPainter()
	legible := newFonts().typesetFor(28).body.Cap()
	for _, size := range []image.Point{{400, 300}, {800, 480}} {
		for _, s := range displaytest.Samples() {
			f := s.Frame
			if f.View.Match == "" || len(f.View.Winners) > 0 {
				continue
			}
			c := canvas.New(size, Paper)
			p.paint(c, f)
			said := " " + strings.Join(c.Texts, " ") + " "
			highest, question := 0, text.QuestionOf(f, min(0, len(f.View.Prompts)-1), true)
			for _, box := range c.Boxes {
				highest = max(highest, box.Dy())
			}
			if highest < 48 && len(f.View.Seats) <= 4 {
				t.Errorf("%s at %v: the highest figure has %d pixels", s.Name, size, highest)
			}
			first, _, _ := strings.Cut(question.Text, " ")
			if !strings.Contains(said, " "+question.Text+" ") || !slices.ContainsFunc(c.Boxes, func(box image.Rectangle) bool {
				return strings.HasPrefix(c.Texts[slices.Index(c.Boxes, box)], first) && box.Dy() >= legible
			}) {
				t.Errorf("%s at %v: %q is cut or too small", s.Name, size, question.Text)
			}
			for _, a := range question.Answers {
				if !slices.Contains(c.Texts, text.Keyed(a)) {
					t.Errorf("%s at %v: no answer %q", s.Name, size, a.Text)
				}
			}
		}
	}
}

// TestSmallPanelAnswers checks that a small panel leaves out the names of cards
// before answers that have a key.
func TestSmallPanelAnswers(t *testing.T) {
	f := displaytest.MindbugBlock(engine.English)
	block := &f.View.Prompts[0]
	block.Text = "Kong (12) attacks. Tap a blocker or lose 1 life."
	for _, name := range []string{"Goblin Werewolf", "Luchataur", "Shark Dog", "Snail Hydra"} {
		blocker := engine.Answer{Key: "block", Text: name, Input: "red tap x.1"}
		block.Options = slices.Insert(block.Options, 0, blocker)
	}
	for f.Status.Cursor = range 2 {
		f.Status.Cursor-- // without a cursor, and with it on the first answer
		c := canvas.New(image.Pt(250, 122), Paper)
		NewPainter().paint(c, f)
		if want := "Do not block"; !slices.Contains(c.Texts, want) {
			t.Errorf("cursor %d: got %q, want %q among them", f.Status.Cursor, c.Texts, want)
		}
	}
}

// TestEveryRune checks that the fonts have every letter of every catalogue in
// the repository, and the letters of European names.
func TestEveryRune(t *testing.T) {
	runes := map[rune]bool{}
	for _, r := range "éèêëçàâùûîïôœæÉÈÊËÇÀÂÙÛÎÏÔŒÆ«»Øøåäöüßñłğžčřőș’…–—×−►◄·+½" {
		runes[r] = true
	}
	files := 0
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".txt") {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		words, err := engine.ParseWords(path, string(data))
		if err != nil {
			return nil // not a catalogue
		}
		files++
		for _, said := range words {
			for _, lang := range engine.Languages {
				for _, r := range said.In(lang) {
					runes[r] = true
				}
			}
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Fatalf("%d catalogues found, %v", files, err)
	}
	f := newFonts()
	little, middle := f.typesetOf(image.Pt(250, 122)), f.typesetOf(image.Pt(300, 200))
	for _, set := range []typeset{little, middle, f.typesetFor(19), f.typesetFor(28), f.typesetFor(41.5)} {
		for _, face := range []*canvas.Face{set.small, set.body, set.bold, set.big, set.huge} {
			for r := range runes {
				c := canvas.New(image.Pt(150, 150), Paper)
				c.Line(face, image.Pt(25, 25), string(r), black)
				inked := slices.Contains(c.Picture.Pix, uint8(black))
				if !face.Has(r) || r != ' ' && r != '\u00a0' && r != '\u202f' && !inked {
					t.Errorf("%q cannot be drawn", r)
				}
			}
		}
	}
	if little.body.Has('李') {
		t.Error("a letter that no Go font has counts as drawable")
	}
}

// TestAlike checks that cards that differ only in their copy are counted
// together, in any order.
func TestAlike(t *testing.T) {
	plain, tilted := engine.Card{Kind: "zombie"}, engine.Card{Kind: "zombie", State: []string{"tilted"}}
	for _, cards := range [][]engine.Card{{plain, tilted, plain}, {tilted, plain, plain}, {plain, plain, tilted}} {
		var sizes []int
		for _, group := range groupAlike(cards) {
			sizes = append(sizes, len(group))
		}
		slices.Sort(sizes)
		if !slices.Equal(sizes, []int{1, 2}) {
			t.Errorf("%v are grouped as %v", cards, sizes)
		}
	}
	if n := len(groupAlike([]engine.Card{tilted, tilted})); n != 2 {
		t.Errorf("two tilted cards make %d groups", n)
	}
}

// TestMarksDiffer checks that the marks of two seats differ, even with the same
// letter.
func TestMarksDiffer(t *testing.T) {
	f := newFonts().typesetOf(image.Pt(250, 122))
	for _, size := range []image.Point{{14, 10}, {19, 10}, {19, 14}} {
		var seen []*image.Paletted
		for i := range styles {
			c := canvas.New(size, Paper)
			mark{style: i, letter: "A"}.draw(c, f.small, c.Rect)
			for j, other := range seen {
				apart := 0
				for k := range other.Pix {
					if other.Pix[k] != c.Picture.Pix[k] {
						apart++
					}
				}
				if apart < 6 {
					t.Errorf("at %v marks %d and %d differ in %d pixels", size, j, i, apart)
				}
			}
			seen = append(seen, c.Picture)
		}
	}
}

// BenchmarkDraw draws the next move of a match on a warm painter.
func BenchmarkDraw(b *testing.B) {
	for _, size := range []image.Point{{250, 122}, {400, 300}, {800, 480}} {
		b.Run(fmt.Sprintf("%dx%d", size.X, size.Y), func(b *testing.B) {
			p := NewPainter()
			f := displaytest.Mutants4(engine.French)
			for b.Loop() {
				p.Draw(f, size)
			}
		})
	}
}
