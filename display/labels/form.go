package labels

import (
	"fmt"
	"math"

	"tableside/display/qr"
	"tableside/engine"
)

// A form says how a label is divided between its code and its words. Lengths are in
// millimetres.
type form struct {
	wide        bool    // the words are to the right of the code, not below
	codeSide    float64 // with the border
	nameSize    float64 // of the letters
	wordsHeight float64 // below the code
	maxLines    int     // of the name
}

func (z Size) form() form {
	f := form{wide: z.W > 1.3*z.H, nameSize: min(6, max(1.9, 0.07*z.H)), maxLines: 1}
	if z.H > 45 {
		f.maxLines = 2
	}
	f.wordsHeight = f.nameSize*(1.15*float64(f.maxLines)+1) + 1
	f.codeSide = min(z.W, z.H-f.wordsHeight)
	if f.wide {
		f.nameSize, f.maxLines = min(4.5, max(2.2, 0.13*z.H)), 3
		f.codeSide = min(z.H, 0.6*z.W)
	}
	return f
}

func modules(code qr.Code) float64 { return float64(code.Size() + 2*qr.Border) }

// fits returns an error if a label of this size has no room for the longest code among the
// given labels.
func (z Size) fits(labels []Label) error {
	longest := ""
	for _, l := range labels {
		if len(l.Code) > len(longest) {
			longest = l.Code
		}
	}
	if longest == "" {
		return nil
	}
	code, err := qr.New(longest, qr.Medium)
	if err != nil {
		return fmt.Errorf("labels: %s: %w", longest, err)
	}
	f, need := z.form(), math.Ceil(modules(code)*minModule)
	switch {
	case f.codeSide/modules(code) >= minModule:
		return nil
	case f.wide:
		return engine.Faultf(0, "a label of %gx%g mm is too small: its code alone needs %g mm", z.W, z.H, need)
	}
	return engine.Faultf(0, "a label of %gx%g mm is too small: code and name need %gx%g mm", z.W, z.H, need,
		math.Ceil(need+f.wordsHeight))
}
