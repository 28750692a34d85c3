package web

import (
	"image"
	"net/http"
	"strings"

	"tableside/display/qr"
	"tableside/display/web/core"
	"tableside/engine"
)

// join serves the table's address as a QR code. The address normally contains the token. With
// ?seat=red, the address contains the result of SeatCode for the seat "red" instead. A browser
// that may play only for one seat gets only the address for that seat. With ?reader=1, the
// address leads to the page that makes a phone a card reader.
func (s *Server) join(w http.ResponseWriter, r *http.Request) (any, error) {
	f, _ := s.currentFrame("")
	seat := engine.Seat(r.URL.Query().Get("seat"))
	switch has := s.RightsOf(r); {
	case !has.EverySeat() && seat != has.Seat:
		return nil, core.ErrOnlyFor(has.Seat)
	case seat != "" && (!engine.IsWord(string(seat)) || seat == engine.Table):
		return nil, core.Failf(http.StatusBadRequest, `"seat" names a seat, as in ?seat=red`)
	case f.Status.Address == "":
		return nil, core.Failf(http.StatusNotFound, "the table listens on this machine only")
	}
	address := s.AddressFor(f.Status.Address, seat)
	if r.URL.Query().Has("reader") {
		address = strings.Replace(address, "/?", "/reader?", 1)
	}
	code, err := qr.New(address, qr.Medium)
	if err != nil {
		return nil, core.Failf(http.StatusInternalServerError, "the address does not fit a QR code")
	}
	return core.AsPNG(code.Picture(8))
}

// panel serves the picture that the panel shows. The picture may contain the table's token.
// Therefore, at a table with a token, a browser with the code of one seat may not see the
// picture.
func (s *Server) panel(w http.ResponseWriter, r *http.Request) (any, error) {
	if has := s.RightsOf(r); s.config.Token != "" && !has.EverySeat() {
		return nil, core.ErrOnlyFor(has.Seat)
	}
	return picture(s.config.Panel)(w, r)
}

// picture returns a handler that serves the image returned by source, a picture of the panel
// or of the lights. If source returns nil, the handler answers with an error. If the table has
// no panel or no lights, source itself is nil.
func picture(source func() image.Image) core.Handler {
	return func(http.ResponseWriter, *http.Request) (any, error) {
		if source == nil {
			return nil, core.Missing("this table has no such part")
		}
		img := source()
		if img == nil {
			return nil, core.Missing("nothing is shown yet")
		}
		return core.AsPNG(img)
	}
}
