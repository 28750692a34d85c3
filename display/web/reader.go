package web

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"strings"

	"tableside/display/qr"
	"tableside/display/web/core"
	"tableside/engine"
)

// Limits of a camera's frame.
const (
	maxFrame          = 512 << 10 // bytes
	maxLong, maxShort = 1280, 720 // pixels; a phone may be held upright
	maxPageID         = 32        // characters
	cardScheme        = "tableside:"
)

func (s *Server) reader(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Permissions-Policy", "camera=(self)")
	s.Page("reader.html", core.Unframed)(w, r)
}

// A seenCode is a code in a frame.
type seenCode struct {
	Text    string         `json:"text"`
	Name    string         `json:"name"`              // of its card
	Outcome engine.Outcome `json:"outcome"`           // of its tap; "" before two frames agree
	Said    string         `json:"said,omitempty"`    // why it was not accepted
	Corners [][2]int       `json:"corners,omitempty"` // as in qr.Sight, in pixels of the frame
}

// frameOf reads the codes in one frame from a camera. If two frames have shown the same code,
// the tag or card that the code stands for is tapped. The frame is not stored. While frameOf
// reads one frame, it refuses all others, because a newer frame follows anyway.
func (s *Server) frameOf(w http.ResponseWriter, r *http.Request) (any, error) {
	place, page := r.URL.Query().Get("place"), r.URL.Query().Get("page")
	if len(page) > maxPageID {
		return nil, core.Failf(http.StatusBadRequest, `"page" has %d characters at most`, maxPageID)
	}
	seat, ok := s.config.Readers.Seat(place)
	if !ok {
		return nil, core.FailWith(http.StatusNotFound, engine.T("reader.no-place", "place", core.Printable(place)))
	}
	if err := s.MayInput(r, inputAt(string(seat), engine.Tap, "")); err != nil {
		return nil, err
	}
	data, err := core.Read(w, r, maxFrame,
		core.FailWith(http.StatusRequestEntityTooLarge, engine.T("reader.too-long", "n", maxFrame>>10)))
	if err != nil {
		return nil, err
	}
	if !s.scanning.TryLock() {
		return nil, core.FailWith(http.StatusTooManyRequests, engine.T("reader.busy"))
	}
	defer s.scanning.Unlock()
	img, err := decodeFrame(data)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), core.DoLimit)
	defer cancel()
	seen := qr.Read(img)
	texts := make([]string, len(seen))
	for i, code := range seen {
		texts[i] = code.Text
	}
	receipts := s.config.Readers.See(ctx, s.Client(r).String(), page, place, texts)
	return map[string]any{"codes": s.tellCodes(r, seen, receipts)}, nil
}

// decodeFrame decodes a JPEG of at most maxLong × maxShort pixels, upright or not. The size is
// checked before any pixels are decoded.
func decodeFrame(data []byte) (image.Image, error) {
	size, err := jpeg.DecodeConfig(bytes.NewReader(data))
	long, short := max(size.Width, size.Height), min(size.Width, size.Height)
	switch {
	case err != nil:
		return nil, errNoJPEG
	case long > maxLong || short > maxShort || short < 1:
		return nil, core.FailWith(http.StatusBadRequest, engine.T("reader.size", "width", size.Width, "height", size.Height,
			"most", fmt.Sprintf("%d × %d", maxLong, maxShort)))
	}
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, errNoJPEG
	}
	return img, nil
}

var errNoJPEG = core.FailWith(http.StatusBadRequest, engine.T("reader.no-jpeg"))

// tellCodes returns the codes that were seen in a camera's frame. For each code, the
// answer says where the code is, what it stands for, and what came of its tap. There is one
// receipt for each code, in the same order as the codes.
func (s *Server) tellCodes(r *http.Request, seen []qr.Sight, receipts []engine.Receipt) []seenCode {
	f, _ := s.currentFrame(s.LangFor(r))
	codes := make([]seenCode, len(seen))
	for i, code := range seen {
		receipt := receipts[i]
		told := seenCode{Text: code.Text, Name: nameOf(f, code.Text), Outcome: receipt.Outcome}
		if receipt.Text.Key != "" {
			told.Said = f.Words.Say(f.Lang, receipt.Text, f.View.Names())
		}
		for _, p := range code.Corners {
			told.Corners = append(told.Corners, [2]int{p.X, p.Y})
		}
		codes[i] = told
	}
	return codes
}

// nameOf returns the name of a card or key for the text on a tag or in a code. If the text
// stands for no card or key, nameOf returns "".
func nameOf(f engine.Frame, text string) string {
	meaning, ours := strings.CutPrefix(text, cardScheme)
	box, name, _ := strings.Cut(meaning, "/")
	switch {
	case !ours:
		return ""
	case box != "key":
		return f.Words.Card(f.Lang, name)
	case f.Words.Has("key." + name):
		return f.Words.Say(f.Lang, engine.T("key."+name), nil)
	}
	return ""
}
