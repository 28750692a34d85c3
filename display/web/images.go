package web

import (
	"image"
	"image/png"
	"net/http"
	"strings"

	"tableside/display/qr"
	"tableside/engine"
)

// join serves the table's address as a QR code. The address normally contains the token. With
// ?seat=red, the address contains the result of SeatCode for the seat "red" instead. A browser
// that may play only for one seat gets only the address for that seat. With ?reader=1, the
// address leads to the page that makes a phone a card reader.
func (s *Server) join(w http.ResponseWriter, r *http.Request) {
	f, _ := s.currentFrame("")
	seat := engine.Seat(r.URL.Query().Get("seat"))
	switch has := s.rightsOf(r); {
	case !has.everySeat() && seat != has.Seat:
		s.forbid(w, r, onlyFor(has.Seat))
		return
	case seat != "" && (!engine.IsWord(string(seat)) || seat == engine.Table):
		s.failf(w, r, http.StatusBadRequest, `"seat" names a seat, as in ?seat=red`)
		return
	case f.Status.Address == "":
		s.failf(w, r, http.StatusNotFound, "the table listens on this machine only")
		return
	}
	address := s.addressFor(f.Status.Address, seat)
	if r.URL.Query().Has("reader") {
		address = strings.Replace(address, "/?", "/reader?", 1)
	}
	code, err := qr.New(address, qr.Medium)
	if err != nil {
		s.failf(w, r, http.StatusInternalServerError, "the address does not fit a QR code")
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-store")
	_ = png.Encode(w, code.Picture(8))
}

// panel serves the picture that the panel shows. The picture may contain the table's token.
// Therefore, at a table with a token, a browser with the code of one seat may not see the
// picture.
func (s *Server) panel(w http.ResponseWriter, r *http.Request) {
	if has := s.rightsOf(r); s.config.Token != "" && !has.everySeat() {
		s.forbid(w, r, onlyFor(has.Seat))
		return
	}
	s.picture(s.config.Panel)(w, r)
}

// picture returns a handler that serves the image returned by source, a picture of the panel
// or of the lights. If source returns nil, the handler answers with an error. If the table has
// no panel or no lights, source itself is nil.
func (s *Server) picture(source func() image.Image) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if source == nil {
			s.failf(w, r, http.StatusNotFound, "this table has no such part")
			return
		}
		img := source()
		if img == nil {
			s.failf(w, r, http.StatusNotFound, "nothing is shown yet")
			return
		}
		w.Header().Set("Content-Type", "image/png")
		_ = png.Encode(w, img) // an error means that the browser has gone
	}
}
