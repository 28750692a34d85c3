package web

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"tableside/engine"
)

// input applies one line, which is sent as plain text or as JSON, such as {"input": "red tap
// zombie.1"}. A time in the line is ignored, because the table's clock decides.
func (s *Server) input(w http.ResponseWriter, r *http.Request) {
	var line string
	if isJSON(r) {
		var body struct {
			Input string `json:"input"`
		}
		if !s.decode(w, r, &body) {
			return
		}
		line = body.Input
	} else {
		data, ok := s.read(w, r, maxBody)
		if !ok {
			return
		}
		line = strings.TrimSpace(string(data))
	}
	in, err := engine.ParseInput(line)
	if err != nil {
		reply(w, http.StatusBadRequest, failure{Error: engine.ErrorIn(err, s.langFor(r)), Outcome: engine.Malformed})
		return
	}
	in.At = 0
	if !s.mayInput(w, r, in) {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), doLimit)
	defer cancel()
	s.answer(w, r, s.config.Input(ctx, in))
}

// order carries out an engine.Order sent as JSON.
func (s *Server) order(w http.ResponseWriter, r *http.Request) {
	var order engine.Order
	if !s.decode(w, r, &order) {
		return
	}
	const known = "begin, resume, abandon, rematch, learn, call, call-off, dismiss"
	if !slices.Contains(strings.Split(known, ", "), order.Do) {
		s.failf(w, r, http.StatusBadRequest, `"do" is one of %s`, known)
		return
	}
	if !s.mayOrder(w, r, order) {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), doLimit)
	defer cancel()
	s.answer(w, r, s.config.Order(ctx, order))
}

// show starts or stops the match that plays itself.
func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	var order struct {
		Do string `json:"do"`
	}
	if s.config.Show == nil {
		s.failf(w, r, http.StatusNotFound, "this table has no match that plays itself")
		return
	}
	if !s.decode(w, r, &order) {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), doLimit)
	defer cancel()
	switch order.Do {
	case "start":
		s.answer(w, r, s.config.Show.Start(ctx))
	case "stop":
		s.config.Show.Stop()
		reply(w, http.StatusOK, struct{}{})
	default:
		s.failf(w, r, http.StatusBadRequest, `"do" is start or stop`)
	}
}

// showState returns the state of a match that plays by itself. While such a match plays, the
// state is "playing". If the table is empty and could play such a match, the state is
// "offered". Otherwise it is "".
func (s *Server) showState(f engine.Frame) string {
	switch {
	case s.config.Show == nil:
		return ""
	case s.config.Show.Playing():
		return "playing"
	case f.View.Match == "" && f.Status.Unfinish == "":
		return "offered"
	}
	return ""
}

// answer writes a receipt, with the HTTP status for its outcome. The receipt is in the
// requested language or, if the request names none, in the table's language.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, receipt engine.Receipt) {
	if f, _ := s.currentFrame(""); f.Words != nil {
		lang := langOf(r)
		if lang == "" {
			lang = f.Lang
		}
		if spoken := f.Words.SpeakStatus(lang, engine.Status{Receipt: &receipt}, f.View.Names()); spoken.Receipt != nil {
			receipt = *spoken.Receipt
		}
	}
	status := http.StatusInternalServerError
	switch receipt.Outcome {
	case engine.Accepted:
		status = http.StatusOK
	case engine.Refused, engine.Unknown:
		status = http.StatusConflict
	case engine.Malformed:
		status = http.StatusBadRequest
	}
	reply(w, status, receipt)
}
