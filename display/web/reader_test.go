package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tableside/display/qr"
	"tableside/display/web/core"
	"tableside/engine"
)

// frameWith returns a camera's frame, 640 by 480, with codes of these texts, as a JPEG.
func frameWith(t testing.TB, texts ...string) string {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 640, 480))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	for i, text := range texts {
		code, err := qr.New(text, qr.Medium)
		if err != nil {
			t.Fatal(err)
		}
		at := image.Pt(20+i%2*300, 20+i/2*230)
		draw.Draw(img, img.Rect.Add(at), code.Picture(5), image.Point{}, draw.Src)
	}
	return jpegOf(t, img)
}

func jpegOf(t testing.TB, img image.Image) string {
	t.Helper()
	var file strings.Builder
	if err := jpeg.Encode(&file, img, &jpeg.Options{Quality: 60}); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

func pngOf(t testing.TB, width, height int) string {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// watched returns a table in a match, and the texts that its cameras have seen. A code
// counts at once.
func watched(t testing.TB, words string) (s *Server, seen *[]string) {
	t.Helper()
	tb := newTable(t).begin()
	config := tb.config()
	config.Token = "s3cret"
	seen = &[]string{}
	config.Readers = &Readers{
		Seat: func(place string) (engine.Seat, bool) { return engine.Seat(place), place != "sofa" },
		See: func(_ context.Context, visitor, page, place string, texts []string) []engine.Receipt {
			var receipts []engine.Receipt
			for _, text := range texts {
				*seen = append(*seen, strings.Join(strings.Fields(visitor+" "+page+" "+place+" "+text), " "))
				r := engine.Receipt{Outcome: engine.Accepted}
				if strings.Contains(text, "https:") {
					r = engine.Receipt{Outcome: engine.Malformed, Text: engine.T(words)}
				}
				receipts = append(receipts, r)
			}
			return receipts
		},
	}
	return tb.show(newServer(config)), seen
}

// TestFrames checks what is read from frames, and that every wrong one has a sentence
// and reaches nothing.
func TestFrames(t *testing.T) {
	good := frameWith(t, "tableside:ring/fox.1")
	upright := jpegOf(t, image.NewGray(image.Rect(0, 0, 720, 1280)))
	header := []byte(good) // says 65535 by 65535
	if at := bytes.Index(header, []byte{0xff, 0xc0}); at > 0 {
		copy(header[at+5:], []byte{0xff, 0xff, 0xff, 0xff})
	}
	for name, c := range map[string]struct {
		path, body string
		status     int
		said       string
		seen       []string
	}{
		"a code": {"place=red", good, 200, `"name":"Fox"`, []string{"127.0.0.1/32 red tableside:ring/fox.1"}},
		"a page": {"place=red&page=ab12", good, 200, `"name":"Fox"`,
			[]string{"127.0.0.1/32 ab12 red tableside:ring/fox.1"}},
		"a long page": {"place=red&page=" + strings.Repeat("a", 33), good, 400, `32 characters at most`, []string{}},
		"French":      {"place=red&lang=fr", good, 200, `"name":"Renard"`, []string{"127.0.0.1/32 red tableside:ring/fox.1"}},
		"a key":       {"place=table", frameWith(t, "tableside:key/undo"), 200, `"name":"Undo"`, nil},
		"no card":     {"place=red", frameWith(t, "https://192.168.1.5/?a=b"), 200, `"outcome":"malformed"`, nil},
		"nothing":     {"place=red", frameWith(t), 200, `{"codes":[]}`, []string{}},
		"upright":     {"place=red", upright, 200, `{"codes":[]}`, []string{}},
		"nobody":      {"place=sofa", good, 404, `no reader or seat called sofa`, []string{}},
		"no place":    {"", frameWith(t), 200, "", []string{}},
		"empty":       {"place=red", "", 400, "not a JPEG", []string{}},
		"PNG":         {"place=red", pngOf(t, 640, 480), 400, "not a JPEG", []string{}},
		"text":        {"place=red&lang=fr", "hello", 400, "pas une image JPEG", []string{}},
		"broken off":  {"place=red", good[:len(good)/2], 400, "not a JPEG", []string{}},
		"a bomb":      {"place=red", string(header), 400, "65535 × 65535", []string{}},
		"too wide":    {"place=red", jpegOf(t, image.NewGray(image.Rect(0, 0, 1281, 10))), 400, "1281 × 10", []string{}},
		"too large":   {"place=red", jpegOf(t, image.NewGray(image.Rect(0, 0, 721, 721))), 400, "1280 × 720", []string{}},
		"too long":    {"place=red", strings.Repeat("x", 512<<10+1), 413, "512 KB", []string{}},
		"long enough": {"place=red", good + strings.Repeat("x", 512<<10-len(good)), 200, "Fox", nil},
	} {
		s, seen := watched(t, "receipt.no-card")
		w := post("/api/reader/frame?"+c.path, c.body).send(s)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.said) {
			t.Errorf("%s: got %d %.200s, want %d with %q", name, w.Code, w.Body, c.status, c.said)
		}
		if c.seen != nil && !slices.Equal(*seen, c.seen) {
			t.Errorf("%s: the table saw %q", name, *seen)
		}
		if w.Code != 200 && strings.Count(w.Body.String(), "\n") != 1 {
			t.Errorf("%s: %s is not one line", name, w.Body)
		}
	}
	s, _ := watched(t, "")
	w := post("/api/reader/frame?place=red", frameWith(t, "tableside:ring/fox.1", "tableside:ring/owl.3",
		"tableside:ring/bear.2")).send(s)
	var answer struct{ Codes []seenCode }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || len(answer.Codes) != 3 {
		t.Fatalf("three codes: %s", w.Body)
	}
	for _, code := range answer.Codes {
		if len(code.Corners) < 3 || code.Outcome != engine.Accepted {
			t.Errorf("got %+v", code)
		}
	}
}

// TestFrameWhileAnotherIsRead checks that frames do not queue.
func TestFrameWhileAnotherIsRead(t *testing.T) {
	s, seen := watched(t, "")
	s.scanning.Lock()
	if w := post("/api/reader/frame?place=red", frameWith(t, "tableside:ring/fox.1")).send(s); w.Code != 429 ||
		!strings.Contains(w.Body.String(), "another picture") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	s.scanning.Unlock()
	if w := post("/api/reader/frame?place=red", frameWith(t)).send(s); w.Code != 200 || len(*seen) > 0 {
		t.Errorf("afterwards: got %d %s, seen %q", w.Code, w.Body, *seen)
	}
}

// FuzzFrame checks that no bytes make the server fail.
func FuzzFrame(f *testing.F) {
	good := frameWith(f, "tableside:ring/fox.1")
	f.Add([]byte(good))
	f.Add([]byte(good[:300]))
	f.Add([]byte("\xff\xd8\xff"))
	s, _ := watched(f, "")
	f.Fuzz(func(t *testing.T, body []byte) {
		w := post("/api/reader/frame?place=red", string(body)).send(s)
		if w.Code != 200 && w.Code != 400 && w.Code != 413 {
			t.Errorf("got %d %s", w.Code, w.Body)
		}
	})
}

// TestOnlyTheReaderUsesTheCamera checks which page may ask for the camera, and that a
// code of a seat leads to it.
func TestOnlyTheReaderUsesTheCamera(t *testing.T) {
	_, s := guarded(t, stranger, true)
	for path, want := range map[string]string{"/reader": "camera=(self)", "/": "camera=()", "/overlay": "camera=()"} {
		if got := get(path).send(s).Header().Get("Permissions-Policy"); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, want %s", path, got, want)
		}
	}
	w := get("/reader?lang=fr&token=" + core.SeatCode("s3cret", "red")).as(stranger).send(s)
	if to := w.Header().Get("Location"); to != "/reader?lang=fr&seat=red" || len(w.Result().Cookies()) != 1 {
		t.Errorf("red's code leads to %q", to)
	}
	for _, query := range []string{"reader=1", "reader=1&seat=red"} {
		w := get("/join.png?" + query).as(holder).send(s)
		img, err := png.Decode(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		seen := qr.Read(img)
		if len(seen) != 1 || !strings.HasPrefix(seen[0].Text, "http://192.168.1.2:8080/reader?token=") {
			t.Errorf("%s: got %+v", query, seen)
		}
	}
}

// TestTagTextOnASimulatedTable checks that the text of a real tag goes to the table, and
// a card of the page to its simulated reader.
func TestTagTextOnASimulatedTable(t *testing.T) {
	tb := newTable(t).begin()
	config := tb.config()
	tapped := ""
	config.Readers = &Readers{
		Seat: func(place string) (engine.Seat, bool) { return engine.Seat(place), true },
		Tap: func(_ context.Context, place, read string) engine.Receipt {
			tapped = place + " " + read
			return engine.Receipt{Outcome: engine.Accepted}
		},
	}
	s := tb.show(newServer(config))
	w := post("/api/tap", `{"place":"red","tag":"tableside:ring/fox.1"}`).send(s)
	if w.Code != http.StatusAccepted || tapped != "red tableside:ring/fox.1" || len(tb.laid) > 0 {
		t.Errorf("got %d %s, %q", w.Code, w.Body, tapped)
	}
	if w := post("/api/tap", `{"place":"red","tag":"fox.1"}`).send(s); w.Code != http.StatusAccepted || len(tb.laid) != 1 {
		t.Errorf("got %d %s, laid %v", w.Code, w.Body, tb.laid)
	}
}

func readers(t *testing.T) shown {
	tb := newTable(t).begin()
	tb.status.Address = "http://192.168.1.5:8080/?token=s3cret"
	config := tb.config()
	config.Token = "s3cret"
	return shown{Server: tb.show(newServer(config))}
}

// readsCards lets the page show a code that counts and one that does not.
func (b *tab) readsCards(shown) {
	b.until(`!!document.querySelector("[data-act=camera]")`)
	b.eval(`import("/assets/store.js").then(({ change, state }) => change({ reader: { ...state.reader, camera: "on",
		seen: [{ text: "a", outcome: "accepted", width: 640, height: 480, corners: [[100,300],[100,100],[300,100]] },
			{ text: "b", outcome: "refused", width: 640, height: 480, corners: [[340,400],[330,200],[460,220]] }],
		taken: [{ n: 2, name: "Axolotl Healer", outcome: "refused", said: "It is Max's turn" },
			{ n: 1, name: "Fox", outcome: "accepted" }] } })); ""`)
}

func (b *tab) mayNot(shown) {
	b.until(`!!document.querySelector("[data-act=camera]")`)
	b.eval(`window.NDEFReader = class {}; import("/assets/store.js").then(({ change, state }) => change({ reader: {
		...state.reader, camera: "refused", nfc: "missing", trouble: "unread" } })); ""`)
}

// isNotSecure makes the page what it is over plain HTTP from another machine.
func (b *tab) isNotSecure(shown) {
	b.until(`!!document.querySelector("[data-act=camera]")`)
	b.eval(`Object.defineProperty(window, "isSecureContext", { value: false });
		import("/assets/store.js").then(({ change, state }) => change({ reader: { ...state.reader } })); ""`)
}

// TestTornLabel checks that the page says what may be wrong when the camera sees a torn
// label for a while, and nothing once it reads a code.
func TestTornLabel(t *testing.T) {
	s, seen := watched(t, "")
	b := openTab(t)
	url, _ := listen(t, s, "127.0.0.1:0")
	b.open(url + "/reader?seat=red&lang=en")
	b.until(`!!document.querySelector("[data-act=camera]")`)
	look := func(from int) string { // of the picture from this column on, nothing is left
		img, err := jpeg.Decode(strings.NewReader(frameWith(t, "tableside:ring/fox.1")))
		if err != nil {
			t.Fatal(err)
		}
		torn := image.NewGray(img.Bounds())
		draw.Draw(torn, torn.Rect, img, image.Point{}, draw.Src)
		draw.Draw(torn, image.Rect(from, 0, 640, 480), image.White, image.Point{}, draw.Src)
		return b.awaited(fmt.Sprintf(`(async () => {
			const { camera, look } = await import("/assets/actions/reader.js");
			const { state } = await import("/assets/store.js");
			if (state.reader.camera !== "on") camera("on");
			const later = Date.now() + 9000;
			Date.now = () => later;
			await look(new Blob([Uint8Array.from(atob(%q), c => c.charCodeAt(0))]), 640, 480);
			await new Promise(requestAnimationFrame);
			await new Promise(requestAnimationFrame);
			return document.querySelector("figcaption")?.textContent ?? "";
		})()`, base64.StdEncoding.EncodeToString([]byte(jpegOf(t, torn)))))
	}
	if got := look(60); !strings.Contains(got, "a torn label can be printed again") || len(*seen) > 0 {
		t.Errorf("got %q; the table saw %q", got, *seen)
	}
	if got := look(640); got != "" || len(*seen) != 1 {
		t.Errorf("a whole one: got %q; the table saw %q", got, *seen)
	}
}
