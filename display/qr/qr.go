// Package qr makes QR codes. The code of an address is for phones, which open the address. The
// code of a card is for cameras, which recognise the card. The package also reads the codes in
// a picture.
package qr

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode/decoder"
	"github.com/makiuchi-d/gozxing/qrcode/encoder"
)

// A Level says how much of a code may be damaged.
type Level int

// These are the levels of ISO/IEC 18004, 6.5.1, that the program uses.
const (
	Low    Level = iota // 7 %
	Medium              // 15 %
)

// Border is how many light modules a code has on each side, ISO/IEC 18004, 6.3.8.
const Border = 4

// minVersion is the smallest version of QR codes in use here. It is the first version with
// an alignment pattern. Without such a pattern, readers cannot straighten a code that they see
// at an angle.
const minVersion = 2

// A Code is the modules of a QR code, without the border.
type Code struct{ modules *encoder.ByteMatrix }

// New returns the code of a text, or an error if the text is too long.
func New(text string, level Level) (Code, error) {
	correction := decoder.ErrorCorrectionLevel_L
	if level == Medium {
		correction = decoder.ErrorCorrectionLevel_M
	}
	made, err := encoder.Encoder_encode(text, correction, nil)
	if err == nil && made.GetVersion().GetVersionNumber() < minVersion {
		made, err = encoder.Encoder_encode(text, correction,
			map[gozxing.EncodeHintType]any{gozxing.EncodeHintType_QR_VERSION: minVersion})
	}
	if err != nil {
		return Code{}, fmt.Errorf("qr: %d characters: %w", len(text), err)
	}
	return Code{made.GetMatrix()}, nil
}

// Size returns the number of modules on each side.
func (c Code) Size() int { return c.modules.GetWidth() }

// Dark reports whether the module (the small square) at x, y is dark. Outside the code, as in
// its border, all modules are light.
func (c Code) Dark(x, y int) bool {
	n := c.Size()
	return x >= 0 && y >= 0 && x < n && y < n && c.modules.Get(x, y) == 1
}

// Picture returns the code with its border. scale is the side of a module in pixels.
func (c Code) Picture(scale int) image.Image {
	n := c.Size() + 2*Border
	img := image.NewPaletted(image.Rect(0, 0, n*scale, n*scale), color.Palette{color.White, color.Black})
	for y := range n * scale {
		for x := range n * scale {
			if c.Dark(x/scale-Border, y/scale-Border) {
				img.SetColorIndex(x, y, 1)
			}
		}
	}
	return img
}

// Text returns the code and its border in block characters, for a terminal with light letters
// on a dark ground. Each line of text holds two rows of modules.
func (c Code) Text() string {
	var b strings.Builder
	for y := -Border; y < c.Size()+Border; y += 2 {
		for x := -Border; x < c.Size()+Border; x++ {
			upper, lower := !c.Dark(x, y), !c.Dark(x, y+1) && y+1 < c.Size()+Border
			switch {
			case upper && lower:
				b.WriteString("█")
			case upper:
				b.WriteString("▀")
			case lower:
				b.WriteString("▄")
			default:
				b.WriteString(" ")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
