package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"tableside/display/web/core"
	"tableside/engine"
)

// input applies one line, which is sent as plain text or as JSON, such as {"input": "red tap
// zombie.1"}. A time in the line is ignored, because the table's clock decides.
func (s *Server) input(w http.ResponseWriter, r *http.Request) (any, error) {
	var line string
	if core.IsJSON(r) {
		var body struct {
			Input string `json:"input"`
		}
		if err := core.Decode(w, r, &body); err != nil {
			return nil, err
		}
		line = body.Input
	} else {
		data, err := core.Read(w, r, core.MaxBody, core.TooLong(core.MaxBody))
		if err != nil {
			return nil, err
		}
		line = strings.TrimSpace(string(data))
	}
	in, err := engine.ParseInput(line)
	if err != nil {
		return core.WithStatus(http.StatusBadRequest, map[string]any{"error": engine.ErrorIn(err, s.LangFor(r)),
			"outcome": engine.Malformed}), nil
	}
	in.At = 0
	if err := s.MayInput(r, in); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), core.DoLimit)
	defer cancel()
	return s.receipt(r, s.config.Input(ctx, in)), nil
}

// order carries out an engine.Order sent as JSON.
func (s *Server) order(w http.ResponseWriter, r *http.Request) (any, error) {
	var order engine.Order
	if err := core.Decode(w, r, &order); err != nil {
		return nil, err
	}
	const known = "begin, resume, abandon, rematch, learn, call, call-off, dismiss, take-seat, leave-seat, pause, play-now, what-if"
	if !slices.Contains(strings.Split(known, ", "), order.Do) {
		return nil, core.Failf(http.StatusBadRequest, `"do" is one of %s`, known)
	}
	if err := s.MayOrder(r, order); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), core.DoLimit)
	defer cancel()
	return s.receipt(r, s.config.Order(ctx, order)), nil
}

// show starts or stops the match that plays itself.
func (s *Server) show(w http.ResponseWriter, r *http.Request) (any, error) {
	var order struct {
		Do   string `json:"do"`
		Game string `json:"game"` // its title
	}
	if err := core.Decode(w, r, &order); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), core.DoLimit)
	defer cancel()
	switch order.Do {
	case "start":
		if order.Game == "" && len(s.config.Show.Games) > 0 {
			order.Game = s.config.Show.Games[0]
		}
		if !slices.Contains(s.config.Show.Games, order.Game) {
			return nil, core.Failf(http.StatusNotFound, "there is no match of this game to show")
		}
		return s.receipt(r, s.config.Show.Start(ctx, order.Game)), nil
	case "stop":
		s.config.Show.Stop()
		return struct{}{}, nil
	}
	return nil, core.Failf(http.StatusBadRequest, `"do" is start or stop`)
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

// receipt returns a receipt with the HTTP status for its outcome. The receipt is in the
// requested language or, if the request names none, in the table's language.
func (s *Server) receipt(r *http.Request, receipt engine.Receipt) core.Outcome {
	if f, _ := s.currentFrame(""); f.Words != nil {
		lang := cmp.Or(core.LangOf(r), f.Lang)
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
	case engine.Failed:
		switch receipt.Text.Key {
		case "receipt.not-kept", "receipt.no-answer", "receipt.not-running", "receipt.stopped": // it may work later
			status = http.StatusServiceUnavailable
		}
	}
	return core.WithStatus(status, receipt)
}
