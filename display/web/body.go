package web

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"sync"

	"tableside/engine"
)

// failure is the body of every error response.
type failure struct {
	Error   string         `json:"error"`
	Outcome engine.Outcome `json:"outcome,omitempty"`
}

func fail(w http.ResponseWriter, status int, why string) { reply(w, status, failure{Error: why}) }

//go:embed french.txt
var frenchFile string

// frenchErrors returns the French texts of the routes' errors.
var frenchErrors = sync.OnceValue(func() engine.Translation { return engine.ParseTranslation(frenchFile) })

// failf answers a request with an error in the browser's language. The translation of the
// format comes from french.txt. If that file has no translation, the error is in English.
func (s *Server) failf(w http.ResponseWriter, r *http.Request, status int, format string, args ...any) {
	why := fmt.Sprintf(format, args...)
	if s.langFor(r) == engine.French {
		why = cmp.Or(frenchErrors().Format(format, args...), why)
	}
	fail(w, status, why)
}

// translate returns the French translation of an English text if the browser's language is
// French. Otherwise, or if french.txt lacks the text, it returns the English text.
func (s *Server) translate(r *http.Request, text string) string {
	if s.langFor(r) == engine.French {
		return cmp.Or(frenchErrors()[text], text)
	}
	return text
}

func reply(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		status, data = http.StatusInternalServerError, []byte(`{"error":"the answer cannot be written as JSON"}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n'))
}

func isJSON(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == "application/json"
}

// read returns the body of a request. If the body is longer than the limit, in bytes, or
// cannot be read, the method writes an error response and returns false.
func (s *Server) read(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, bool) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		s.failf(w, r, http.StatusRequestEntityTooLarge, "the request is longer than %d bytes", limit)
	case err != nil:
		s.failf(w, r, http.StatusBadRequest, "the request broke off")
	}
	return data, err == nil
}

// decode reads a body of at most maxBody bytes into a value. The body must be exactly one JSON
// value, without unknown fields. If it is not, decode writes an error response and returns
// false.
func (s *Server) decode(w http.ResponseWriter, r *http.Request, into any) bool {
	return s.decodeUpTo(w, r, maxBody, into)
}

// decodeUpTo does the same as decode, but for a body of at most limit bytes.
func (s *Server) decodeUpTo(w http.ResponseWriter, r *http.Request, limit int64, into any) bool {
	data, ok := s.read(w, r, limit)
	return ok && s.parse(w, r, data, into)
}

// parse decodes a body that is already read: data is what the method read has returned. If
// the body is wrong, parse writes an error response and returns false.
func (s *Server) parse(w http.ResponseWriter, r *http.Request, data []byte, into any) bool {
	err := engine.DecodeJSON(data, into)
	if err != nil {
		fail(w, http.StatusBadRequest, engine.ErrorIn(err, s.langFor(r)))
	}
	return err == nil
}

// langOf returns the language that a request names, as in "?lang=fr". If the request names
// none, langOf returns "", which stands for the language of the table.
func langOf(r *http.Request) engine.Lang {
	if lang := r.URL.Query().Get("lang"); lang != "" {
		return engine.ParseLang(lang)
	}
	return ""
}
