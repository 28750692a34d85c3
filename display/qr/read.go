package qr

import (
	"image"

	"github.com/makiuchi-d/gozxing"
	multi "github.com/makiuchi-d/gozxing/multi/qrcode"
)

// maxPatterns is the largest number of corner patterns that Read accepts in a picture. The
// library compares all groups of three patterns. With more patterns, this would take too long.
// A sheet of labels with sixty codes has 180 patterns.
const maxPatterns = 400

// A Sight is a code that was seen in a picture. Text is its text. Corners are the centres of
// its corner patterns, clockwise from the lower left one. If the alignment pattern was found,
// its centre is the fourth corner.
type Sight struct {
	Text    string
	Corners []image.Point
}

// Read returns the codes in a picture. It leaves out a code that is torn or too small. If the
// picture has more than maxPatterns corner patterns, or if the library fails, Read returns
// nil.
func Read(img image.Image) (seen []Sight) {
	bitmap, err := gozxing.NewBinaryBitmap(gozxing.NewHybridBinarizer(luminance(img)))
	if err != nil {
		return nil
	}
	patterns := 0
	count := gozxing.ResultPointCallback(func(gozxing.ResultPoint) {
		if patterns++; patterns > maxPatterns {
			panic("too many patterns") // there is no other way to stop it
		}
	})
	// A picture from elsewhere may also hit a bug of the library.
	defer func() {
		if recover() != nil {
			seen = nil
		}
	}()
	found, _ := multi.NewQRCodeMultiReader().DecodeMultiple(bitmap, map[gozxing.DecodeHintType]any{
		gozxing.DecodeHintType_TRY_HARDER: true, gozxing.DecodeHintType_NEED_RESULT_POINT_CALLBACK: count,
	})
	for _, f := range found {
		s := Sight{Text: f.GetText()}
		for _, p := range f.GetResultPoints() {
			s.Corners = append(s.Corners, image.Pt(int(p.GetX()), int(p.GetY())))
		}
		seen = append(seen, s)
	}
	return seen
}

// luminance returns the brightness of a picture's pixels. A JPEG or a grey picture already
// holds the brightness. For other pictures it is computed.
func luminance(img image.Image) gozxing.LuminanceSource {
	size := img.Bounds().Size()
	switch i := img.(type) {
	case *image.YCbCr:
		return planar(i.Y, i.YStride, size)
	case *image.Gray:
		return planar(i.Pix, i.Stride, size)
	}
	return gozxing.NewLuminanceSourceFromImage(img)
}

func planar(pixels []byte, stride int, size image.Point) gozxing.LuminanceSource {
	// NewPlanarYUVLuminanceSource fails only for a size beyond the stride.
	source, _ := gozxing.NewPlanarYUVLuminanceSource(pixels, stride, size.Y, 0, 0, size.X, size.Y, false)
	return source
}
