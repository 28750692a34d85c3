package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"strings"

	"tableside/display/qr"
	"tableside/engine"
)

// Limits of a camera's frame.
const (
	maxFrame          = 512 << 10 // bytes
	maxLong, maxShort = 1280, 720 // pixels; a phone may be held upright
	maxPageID         = 32        // characters
	cardScheme        = "tableside:"
)

// reader serves the page that makes a phone a card reader. No other page may use the camera.
func (s *Server) reader(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("token") {
		s.admit(w, r)
		return
	}
	w.Header().Set("Permissions-Policy", "camera=(self)")
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	s.serve(w, r, "reader.html")
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
func (s *Server) frameOf(w http.ResponseWriter, r *http.Request) {
	if s.config.Readers == nil || s.config.Readers.See == nil {
		s.failWith(w, r, http.StatusNotFound, engine.T("reader.none"))
		return
	}
	place, page := r.URL.Query().Get("place"), r.URL.Query().Get("page")
	if len(page) > maxPageID {
		s.failf(w, r, http.StatusBadRequest, `"page" has %d characters at most`, maxPageID)
		return
	}
	seat, ok := s.config.Readers.Seat(place)
	if !ok {
		s.failWith(w, r, http.StatusNotFound, engine.T("reader.no-place", "place", printable(place)))
		return
	}
	if !s.mayInput(w, r, inputAt(string(seat), engine.Tap, "")) {
		return
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxFrame))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		s.failWith(w, r, http.StatusRequestEntityTooLarge, engine.T("reader.too-long", "n", maxFrame>>10))
		return
	case err != nil:
		s.failf(w, r, http.StatusBadRequest, "the request broke off")
		return
	}
	if !s.scanning.TryLock() {
		s.failWith(w, r, http.StatusTooManyRequests, engine.T("reader.busy"))
		return
	}
	defer s.scanning.Unlock()
	img, wrong := decodeFrame(data)
	if wrong.Key != "" {
		s.failWith(w, r, http.StatusBadRequest, wrong)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), doLimit)
	defer cancel()
	seen := qr.Read(img)
	texts := make([]string, len(seen))
	for i, code := range seen {
		texts[i] = code.Text
	}
	receipts := s.config.Readers.See(ctx, s.client(r).String(), page, place, texts)
	s.tellCodes(w, r, seen, receipts)
}

// decodeFrame decodes a JPEG of at most maxLong × maxShort pixels, upright or not. On failure
// the returned text gives the reason. On success the text is empty. The size is checked before
// any pixels are decoded.
func decodeFrame(data []byte) (image.Image, engine.Text) {
	size, err := jpeg.DecodeConfig(bytes.NewReader(data))
	long, short := max(size.Width, size.Height), min(size.Width, size.Height)
	switch {
	case err != nil:
		return nil, engine.T("reader.no-jpeg")
	case long > maxLong || short > maxShort || short < 1:
		return nil, engine.T("reader.size", "width", size.Width, "height", size.Height,
			"most", fmt.Sprintf("%d × %d", maxLong, maxShort))
	}
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, engine.T("reader.no-jpeg")
	}
	return img, engine.Text{}
}

// tellCodes answers with the codes that were seen in a camera's frame. For each code, the
// answer says where the code is, what it stands for, and what came of its tap. There is one
// receipt for each code, in the same order as the codes.
func (s *Server) tellCodes(w http.ResponseWriter, r *http.Request, seen []qr.Sight, receipts []engine.Receipt) {
	f, _ := s.currentFrame(s.langFor(r))
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
	reply(w, http.StatusOK, map[string]any{"codes": codes})
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
		return cardName(f, name)
	case f.Words.Has("key." + name):
		return f.Words.Say(f.Lang, engine.T("key."+name), nil)
	}
	return ""
}

// failWith answers with an error in the browser's language.
func (s *Server) failWith(w http.ResponseWriter, r *http.Request, status int, why engine.Text) {
	fail(w, status, Words().Say(s.langFor(r), why, nil))
}
