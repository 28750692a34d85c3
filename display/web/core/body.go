package core

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"os"
	"path"
	"slices"
	"sync"
	"time"

	"tableside/engine"
)

// A Handler answers a request with a value, which is sent as JSON, or with an answer of one of
// the types below. If it returns an error that is no *failure, the answer is 500 with the reason.
type Handler func(w http.ResponseWriter, r *http.Request) (any, error)

// A Document is an answer that is not JSON.
type Document struct {
	Kind string // media type
	Name string // under which a browser saves it; "" if the browser shows it
	Data []byte
}

// A Long answer is JSON that is worth compressing.
type Long []byte

// An Outcome is an answer in JSON with a status other than 200.
type Outcome struct {
	status int
	body   any
}

// WithStatus returns an answer in JSON with a status other than 200.
func WithStatus(status int, body any) Outcome { return Outcome{status, body} }

// A Failure is an error with its HTTP status. Its text is made when the language of the
// browser is known: the format has a translation in french.txt, and an argument may be an
// error, an engine.Text of the pages' catalogue, or an engine.Wording.
type Failure struct {
	status int
	format string
	args   []any
	more   map[string]any // further fields of the answer
}

func Failf(status int, format string, args ...any) error {
	return &Failure{status: status, format: format, args: args}
}

// FailMore returns a failure like FailWith, whose answer has further fields.
func FailMore(status int, why any, more map[string]any) error {
	return &Failure{status: status, format: "%s", args: []any{why}, more: more}
}

func Missing(format string) error { return Failf(http.StatusNotFound, format) }

var ErrNotFound = Missing("nothing is at this address")

// FailWith returns a failure that says only why: an error, an engine.Text, or what is said already.
func FailWith(status int, why any) error { return Failf(status, "%s", why) }

func (f *Failure) Error() string { return f.in(engine.English) }

func (f *Failure) in(lang engine.Lang) string {
	args := slices.Clone(f.args)
	for i, arg := range args {
		switch arg := arg.(type) {
		case error:
			args[i] = Reason(arg, lang)
		case engine.Text:
			args[i] = Words().Say(lang, arg, nil)
		case engine.Wording:
			args[i] = arg.In(lang)
		}
	}
	why := fmt.Sprintf(f.format, args...)
	if lang == engine.French {
		why = cmp.Or(FrenchErrors().Format(f.format, args...), why)
	}
	return why
}

//go:embed french.txt
var frenchFile string

// FrenchErrors returns the French texts of the routes' errors.
var FrenchErrors = sync.OnceValue(func() engine.Translation { return engine.ParseTranslation(frenchFile) })

// Reason returns why a file cannot be used, in a language. The text does not contain the file's
// folder, because clients must not learn where the table keeps its files.
func Reason(err error, lang engine.Lang) string {
	var file *fs.PathError
	var link *os.LinkError // a file that cannot be renamed
	var line *engine.SyntaxError
	switch {
	case errors.As(err, &file):
		err = file.Err
	case errors.As(err, &link):
		err = link.Err
	case errors.As(err, &line):
		here := *line
		if here.File != "" {
			here.File = path.Base(here.File)
		}
		return here.Told(lang)
	}
	if lang == engine.French {
		if french := FrenchErrors()[err.Error()]; french != "" {
			return french
		}
	}
	return engine.ErrorIn(err, lang)
}

// Do returns the HTTP handler that sends a handler's answers.
func (s *Site) Do(handle Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, err := handle(w, r)
		if r.Context().Err() != nil && errors.Is(err, r.Context().Err()) {
			return // the visitor has left
		}
		// A fold has no deadline, and its answer has one again.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerLimit))
		if err != nil {
			s.Fail(w, r, err)
			return
		}
		switch answer := answer.(type) {
		case Outcome:
			reply(w, answer.status, answer.body)
		case Document:
			answer.send(w)
		case Long:
			answer.send(w, r)
		default:
			reply(w, http.StatusOK, answer)
		}
	}
}

// Fail sends an error in the browser's language: as JSON, or as a page to somebody who opened one.
func (s *Site) Fail(w http.ResponseWriter, r *http.Request, err error) {
	f, ok := errors.AsType[*Failure](err)
	if !ok {
		f = &Failure{status: http.StatusInternalServerError, format: "%s", args: []any{err}}
	}
	why := f.in(s.LangFor(r))
	if isVisit(r) {
		s.explain(w, r, f, why)
		return
	}
	body := map[string]any{"error": why}
	maps.Copy(body, f.more)
	reply(w, f.status, body)
}

const (
	PlainText   = "text/plain; charset=utf-8"
	Spreadsheet = "text/csv; charset=utf-8"
)

func (d Document) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", d.Kind)
	if d.Name != "" {
		w.Header().Set("Content-Disposition", `attachment; filename="`+d.Name+`"`)
	}
	if w.Header().Get("Cache-Control") == "" {
		w.Header().Set("Cache-Control", "no-store")
	}
	_, _ = w.Write(d.Data)
}

func (l Long) send(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Vary", "Accept-Encoding")
	if takesGzip(r) {
		w.Header().Set("Content-Encoding", "gzip")
		l = compressed(l, gzip.BestSpeed)
	}
	Document{Kind: "application/json; charset=utf-8", Data: l}.send(w)
}

func compressed(data []byte, level int) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, level) // a valid level
	_, _ = w.Write(data)                     // a buffer takes everything
	_ = w.Close()
	return bytes.Clone(out.Bytes())
}

func AsPNG(img image.Image) (Document, error) {
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return Document{Kind: "image/png", Data: b.Bytes()}, err
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

func IsJSON(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == "application/json"
}

// Read returns the body of a request. tooLong is the error of a body that is longer than the
// limit, in bytes.
func Read(w http.ResponseWriter, r *http.Request, limit int64, tooLong error) ([]byte, error) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		return nil, tooLong
	}
	if err != nil {
		return nil, Failf(http.StatusBadRequest, "the request broke off")
	}
	return data, nil
}

func TooLong(limit int64) error {
	return Failf(http.StatusRequestEntityTooLarge, "the request is longer than %d bytes", limit)
}

// Decode reads a body of at most maxBody bytes into a value. The body must be exactly one JSON
// value, without unknown fields.
func Decode(w http.ResponseWriter, r *http.Request, into any) error {
	return DecodeUpTo(w, r, MaxBody, TooLong(MaxBody), into)
}

// DecodeUpTo does the same as decode, but with the limit and the error of the method read.
func DecodeUpTo(w http.ResponseWriter, r *http.Request, limit int64, tooLong error, into any) error {
	data, err := Read(w, r, limit, tooLong)
	if err != nil {
		return err
	}
	if err := engine.DecodeJSON(data, into); err != nil {
		return FailWith(http.StatusBadRequest, err)
	}
	return nil
}

// LangOf returns the language that a request names, as in "?lang=fr". If the request names
// none, LangOf returns "", which stands for the language of the table.
func LangOf(r *http.Request) engine.Lang {
	if lang := r.URL.Query().Get("lang"); lang != "" {
		return engine.ParseLang(lang)
	}
	return ""
}
