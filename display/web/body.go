package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"

	"tableside/engine"
)

// failure is the body of every error response.
type failure struct {
	Error   string         `json:"error"`
	Outcome engine.Outcome `json:"outcome,omitempty"`
}

func fail(w http.ResponseWriter, status int, why string) { reply(w, status, failure{Error: why}) }

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

// read returns the request's body. If it cannot, it writes an error response
// and returns false.
func read(w http.ResponseWriter, r *http.Request, most int64) ([]byte, bool) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is longer than %d bytes", most))
	case err != nil:
		fail(w, http.StatusBadRequest, "the request broke off")
	}
	return data, err == nil
}

// decode reads exactly one JSON value without unknown fields. If it cannot, it
// writes an error response and returns false.
func decode(w http.ResponseWriter, r *http.Request, into any) bool {
	return decodeUpTo(w, r, maxBody, into)
}

// decodeUpTo decodes a value of at most so many bytes.
func decodeUpTo(w http.ResponseWriter, r *http.Request, most int64, into any) bool {
	data, ok := read(w, r, most)
	if !ok {
		return false
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something follows it")
		}
	}
	if err != nil {
		fail(w, http.StatusBadRequest, "the JSON cannot be read: "+explainJSON(err))
	}
	return err == nil
}

// explainJSON returns what is wrong with the JSON, without the names of Go types.
func explainJSON(err error) string {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return strings.ReplaceAll(strings.TrimPrefix(err.Error(), "json: "), "\n", " ")
	}
	want := "a number"
	switch kind.Type.Kind() {
	case reflect.String:
		want = "text in quotes"
	case reflect.Bool:
		want = "true or false"
	case reflect.Slice, reflect.Array:
		want = "a list, as [\u2026]"
	case reflect.Struct, reflect.Map:
		want = "an object, as {\u2026}"
	}
	if kind.Type == reflect.TypeFor[engine.Player]() {
		want = `an object, as {"seat":"red","name":"Alice"}`
	}
	where := "the whole of it"
	if kind.Field != "" {
		where = kind.Field
	}
	got, _, _ := strings.Cut(kind.Value, " ") // "number 20"
	return fmt.Sprintf("%s (byte %d): got %s, want %s", where, kind.Offset, got, want)
}

// langOf returns the language in ?lang=, or "" for the table's own.
func langOf(r *http.Request) engine.Lang {
	if lang := r.URL.Query().Get("lang"); lang != "" {
		return engine.ParseLang(lang)
	}
	return ""
}
