package qr

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	multi "github.com/makiuchi-d/gozxing/multi/qrcode"
)

// read returns the texts of the codes in a picture.
func read(t testing.TB, img image.Image) []string {
	t.Helper()
	bitmap, err := gozxing.NewBinaryBitmap(gozxing.NewHybridBinarizer(gozxing.NewLuminanceSourceFromImage(img)))
	if err != nil {
		t.Fatal(err)
	}
	found, err := multi.NewQRCodeMultiReader().DecodeMultiple(bitmap,
		map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true})
	if err != nil {
		return nil
	}
	var texts []string
	for _, f := range found {
		texts = append(texts, f.GetText())
	}
	return texts
}

// seen returns a picture as a camera sees it: turned, smaller towards one side, and noisy.
func seen(img image.Image, turn, tilt float64) image.Image {
	b := img.Bounds()
	size := max(b.Dx(), b.Dy()) * 3 / 2
	out := image.NewGray(image.Rect(0, 0, size, size))
	chance := rand.New(rand.NewPCG(1, 1))
	sin, cos := math.Sincos(turn)
	for y := range size {
		for x := range size {
			u, v := float64(x-size/2), float64(y-size/2)
			far := 1 + tilt*v/float64(size) // the farther, the smaller
			u, v = (cos*u+sin*v)*far, (cos*v-sin*u)*far
			at := image.Pt(b.Min.X+b.Dx()/2+int(u), b.Min.Y+b.Dy()/2+int(v))
			light := 200.0
			if at.In(b) {
				light = 40 + float64(color.GrayModel.Convert(img.At(at.X, at.Y)).(color.Gray).Y)*0.7
			}
			out.SetGray(x, y, color.Gray{Y: uint8(min(255, max(0, light+4*chance.NormFloat64())))})
		}
	}
	return out
}

// TestCodesAreRead checks that what is drawn says what it should, upright, turned and
// seen at an angle, and that even a short text has a code that can be straightened.
func TestCodesAreRead(t *testing.T) {
	for _, text := range []string{
		"a", "tableside:a/b.1", "tableside:mindbug/axolotl-healer.1",
		"tableside:mutants/" + strings.Repeat("long-", 8) + "name.12",
		"https://192.168.178.123:8080/?token=ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	} {
		for _, level := range []Level{Low, Medium} {
			code, err := New(text, level)
			if err != nil {
				t.Fatal(err)
			}
			if code.Size() < 25 {
				t.Errorf("%s: %d modules", text, code.Size())
			}
			picture := code.Picture(6)
			for name, img := range map[string]image.Image{
				"upright": picture, "turned": seen(picture, 0.35, 0), "tilted": seen(picture, 0.1, 0.2),
			} {
				if got := read(t, img); len(got) != 1 || got[0] != text {
					t.Errorf("%s, level %d, %s: got %q", text, level, name, got)
				}
			}
		}
	}
	if _, err := New(strings.Repeat("a", 3000), Low); err == nil {
		t.Error("a text that is too long has a code")
	}
}

// TestText checks that the letters of the terminal are the modules.
func TestText(t *testing.T) {
	code, err := New("tableside:mutants/zombie.2", Medium)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(code.Text(), "\n"), "\n")
	n := code.Size() + 2*Border
	if len(lines) != (n+1)/2 {
		t.Fatalf("%d lines for %d rows", len(lines), n)
	}
	for y := range n {
		for x, letter := range []rune(lines[y/2]) {
			light := letter == '█' || letter == []rune("▀▄")[y%2]
			if light == code.Dark(x-Border, y-Border) {
				t.Fatalf("module %d, %d is %q", x, y, letter)
			}
		}
	}
}
