package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/skip2/go-qrcode"

	"tableside/engine"
)

type route struct {
	method, path string
	need         need
	handle       http.HandlerFunc
}

// routes returns the whole HTTP interface, each route with the right that it
// needs. What an input or an order needs beyond that depends on what it does:
// mayInput and mayOrder.
func (s *Server) routes() []route {
	glass := toRead
	if s.config.Token != "" {
		glass = toPlay // an idle panel shows the token as a QR code
	}
	return []route{
		{"GET", "/{$}", toRead, s.page},
		{"GET", "/overlay", toRead, s.overlay},
		{"GET", "/overlay/edit", toRead, s.overlayEdit},
		{"GET", "/tv", toRead, s.tv},
		{"GET", "/trust", toRead, s.trust},
		{"GET", "/trust/tableside.crt", toRead, s.authority},
		{"GET", "/assets/{name...}", toRead, s.asset},
		{"GET", "/manifest.webmanifest", toRead, s.manifest},
		{"GET", "/icon-192.png", toRead, icon(192)},
		{"GET", "/icon-512.png", toRead, icon(512)},
		{"GET", "/api/view", toRead, s.view},
		{"GET", "/api/live", toRead, s.live},
		{"GET", "/api/schema", toRead, s.schema},
		{"GET", "/api/games", toRead, s.games},
		{"GET", "/api/cards", toPlay, s.cards},
		{"GET", "/api/matches", toRead, s.matches},
		{"GET", "/api/journal", toRead, s.journal},
		{"GET", "/api/result", toRead, s.result},
		{"GET", "/result.png", toRead, s.resultPicture},
		{"GET", "/api/piles", toPlay, s.piles},
		{"GET", "/api/texts", toRead, s.texts},
		{"POST", "/api/match", toPlay, s.order},
		{"POST", "/api/show", toKeep, s.show},
		{"POST", "/api/input", toPlay, s.input},
		{"POST", "/api/try", toPlay, s.try},
		{"POST", "/api/tap", toPlay, s.tap},
		{"POST", "/api/lift", toPlay, s.lift},
		{"POST", "/api/press", toPlay, s.press},
		{"POST", "/api/pick", toPlay, s.pick},
		{"GET", "/panel.png", glass, s.panel},
		{"GET", "/lights.png", toRead, picture(s.config.Lights)},
		{"GET", "/join.png", toPlay, s.join},
		{"GET", "/healthz", toRead, s.healthz},
		{"GET", "/metrics", toRead, s.metrics},
	}
}

// Handler returns the handler of every route.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	methods := map[string]string{}
	for _, r := range s.routes() {
		mux.HandleFunc(r.method+" "+r.path, s.require(r.need, r.handle))
		methods[strings.TrimSuffix(r.path, "{$}")] = r.method
	}
	notFound := func(w http.ResponseWriter, r *http.Request) {
		if method := methods[r.URL.Path]; method != "" {
			w.Header().Set("Allow", method)
			fail(w, http.StatusMethodNotAllowed, r.URL.Path+" takes "+method)
			return
		}
		fail(w, http.StatusNotFound, "nothing is at this address")
	}
	mux.HandleFunc("/", notFound)
	return s.secure(s.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Clean(r.URL.Path) != r.URL.Path { // the mux would answer with an HTML redirect
			notFound(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})))
}

func (s *Server) view(w http.ResponseWriter, r *http.Request) {
	f, ok := s.current(langOf(r))
	if !ok {
		fail(w, http.StatusServiceUnavailable, "the table is still starting")
		return
	}
	rights, _ := json.Marshal(s.rightsOf(r))
	w.Header().Set("Tableside-Rights", string(rights)) // the body is the same for everybody
	reply(w, http.StatusOK, f.View)
}

func (s *Server) schema(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/schema+json")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = io.WriteString(w, Schema)
}

// input applies one line, sent as plain text or as JSON, as in
// {"input": "red tap zombie.1"}. A time in the line is ignored: the table's
// clock decides.
func (s *Server) input(w http.ResponseWriter, r *http.Request) {
	var line string
	if isJSON(r) {
		var body struct {
			Input string `json:"input"`
		}
		if !decode(w, r, &body) {
			return
		}
		line = body.Input
	} else {
		data, ok := read(w, r)
		if !ok {
			return
		}
		line = strings.TrimSpace(string(data))
	}
	in, err := engine.ParseInput(line)
	if err != nil {
		reply(w, http.StatusBadRequest, failure{Error: err.Error(), Outcome: engine.Malformed})
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
	if !decode(w, r, &order) {
		return
	}
	if !slices.Contains([]string{"begin", "resume", "abandon", "rematch", "learn"}, order.Do) {
		fail(w, http.StatusBadRequest, `"do" is one of begin, resume, abandon, rematch, learn`)
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
		fail(w, http.StatusNotFound, "this table has no match that plays itself")
		return
	}
	if !decode(w, r, &order) {
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
		fail(w, http.StatusBadRequest, `"do" is start or stop`)
	}
}

// showState returns "offered" for an empty table that could play a match by itself,
// "playing" while it does, and "" otherwise.
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

// answer writes a receipt in the requested language.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, receipt engine.Receipt) {
	if f, _ := s.current(""); f.Words != nil {
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

func (s *Server) matches(w http.ResponseWriter, _ *http.Request) {
	matches := []engine.MatchInfo{}
	if s.config.Matches != nil {
		list, err := s.config.Matches()
		if err != nil {
			fail(w, http.StatusInternalServerError, "the matches cannot be listed: "+reason(err))
			return
		}
		matches = append(matches, list...)
	}
	reply(w, http.StatusOK, matches)
}

func (s *Server) journal(w http.ResponseWriter, r *http.Request) {
	if s.config.Journal == nil {
		fail(w, http.StatusNotFound, "this table keeps no journals")
		return
	}
	match := r.URL.Query().Get("match")
	if match != "" && !s.listed(match) {
		fail(w, http.StatusNotFound, "there is no such match")
		return
	}
	data, err := s.config.Journal(match)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fail(w, http.StatusNotFound, "there is no such match")
	case err != nil:
		fail(w, http.StatusInternalServerError, "the journal cannot be read: "+reason(err))
	default:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(data)
	}
}

// listed reports whether the table lists the match. It lists only plain files
// found in its folder, so no other name can reach a file.
func (s *Server) listed(match string) bool {
	if s.config.Matches == nil {
		return false
	}
	matches, err := s.config.Matches()
	return err == nil && slices.ContainsFunc(matches, func(m engine.MatchInfo) bool { return m.ID == match })
}

// reason returns why a file cannot be read, without its folder: clients must
// not learn where the table keeps its files.
func reason(err error) string {
	var file *fs.PathError
	var line *engine.SyntaxError
	switch {
	case errors.As(err, &file):
		return file.Err.Error()
	case errors.As(err, &line):
		return fmt.Sprintf("%s:%d:%d: %s", path.Base(line.File), line.Line, line.Column, line.Reason)
	}
	return err.Error()
}

// join serves the table's address as a QR code, with the token, or with
// ?seat=red that seat's code. Whoever has a seat's code may show that one only.
func (s *Server) join(w http.ResponseWriter, r *http.Request) {
	f, _ := s.current("")
	seat := engine.Seat(r.URL.Query().Get("seat"))
	switch has := s.rightsOf(r); {
	case !has.everySeat() && seat != has.Seat:
		s.forbid(w, r, onlyFor(has.Seat))
		return
	case seat != "" && (!engine.IsWord(string(seat)) || seat == engine.Table):
		fail(w, http.StatusBadRequest, `"seat" names a seat, as in ?seat=red`)
		return
	case f.Status.Address == "":
		fail(w, http.StatusNotFound, "the table listens on this machine only")
		return
	}
	data, err := qrcode.Encode(s.addressFor(f.Status.Address, seat), qrcode.Medium, -8) // 8 pixels for each module
	if err != nil {
		fail(w, http.StatusInternalServerError, "the address does not fit a QR code")
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(data)
}

// panel serves the panel's picture, which may show the token: if there is one, a
// seat's code is not enough.
func (s *Server) panel(w http.ResponseWriter, r *http.Request) {
	if has := s.rightsOf(r); s.config.Token != "" && !has.everySeat() {
		s.forbid(w, r, onlyFor(has.Seat))
		return
	}
	picture(s.config.Panel)(w, r)
}

// picture serves the current image.
func picture(now func() image.Image) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if now == nil {
			fail(w, http.StatusNotFound, "this table has no such part")
			return
		}
		img := now()
		if img == nil {
			fail(w, http.StatusNotFound, "nothing is shown yet")
			return
		}
		w.Header().Set("Content-Type", "image/png")
		_ = png.Encode(w, img) // an error means that the browser has gone
	}
}

func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	f, ok := s.current("")
	if !ok {
		fail(w, http.StatusServiceUnavailable, "the table is still starting")
		return
	}
	status := s.redact(f.Status, Rights{})
	reply(w, http.StatusOK, map[string]any{"status": "ok", "keeping": status.Keeping, "parts": status.Health})
}

func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if s.config.Metrics != nil {
		s.config.Metrics(w)
	}
}

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
func read(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is longer than %d bytes", maxBody))
	case err != nil:
		fail(w, http.StatusBadRequest, "the request broke off")
	}
	return data, err == nil
}

// decode reads exactly one JSON value without unknown fields. If it cannot, it
// writes an error response and returns false.
func decode(w http.ResponseWriter, r *http.Request, into any) bool {
	data, ok := read(w, r)
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
