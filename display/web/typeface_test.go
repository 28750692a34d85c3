package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"tableside/display/web/core"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// transferred is a JavaScript expression for the kilobytes that the page has
// loaded, with its headers.
const transferred = `String(Math.round([...performance.getEntriesByType("navigation"),
	...performance.getEntriesByType("resource")].reduce((sum, e) => sum + e.transferSize, 0) / 1000))`

// typefaceIsUsed is a JavaScript expression: text in the page's typeface is set,
// and its figures are equally wide in both weights.
const typefaceIsUsed = `(() => {
	const c = document.createElement("canvas").getContext("2d");
	const width = (font, text) => { c.font = font; return c.measureText(text).width; };
	return ["500", "800"].every(weight => {
		const font = weight + " 40px Tableside";
		return document.fonts.check(font) && width(font, "1111") === width(font, "4870") &&
			width(font + ", monospace", "Écœurant") !== width(weight + " 40px monospace", "Écœurant");
	});
})()`

func TestPageIsSmallWithItsTypeface(t *testing.T) {
	url, _ := listen(t, exampleServer(exampleFrame(4)), "127.0.0.1:0")
	b := newTab(t)
	// Another test's table may have had the same address, whose files the browser keeps.
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, network.ClearBrowserCache, cdp.Empty{})
		return err
	}))
	b.do(chromedp.Navigate(url + "/")) // with the headers of the table itself
	b.until("document.body.innerText.includes('Alice') && " + typefaceIsUsed)
	got, err := strconv.Atoi(b.eval(transferred))
	if err != nil || got < 90 || got >= 180 { // the typeface alone is 90 KB
		t.Errorf("got %d KB (%v), want under 180", got, err)
	}
	t.Logf("%d KB", got)
	b.do(chromedp.Navigate(url + "/overlay"))
	b.until("document.body.innerText.includes('Alice') && " + typefaceIsUsed)
	if got, err := strconv.Atoi(b.eval(transferred)); err != nil || got >= 90 {
		t.Errorf("the overlay took %d KB (%v): the typeface is not kept", got, err)
	}
}

func TestTypefaceIsServedForAYear(t *testing.T) {
	get := func(path string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
		r.RemoteAddr = "127.0.0.1:1"
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		exampleServer(exampleFrame(2)).Handler().ServeHTTP(w, r)
		return w
	}
	plain := get("/assets/go-bold-latin.ttf", "Accept-Encoding", "gzip;q=0, br")
	if plain.Code != 200 || !bytes.Equal(plain.Body.Bytes(), sharedAssets().Read("go-bold-latin.ttf")) {
		t.Errorf("got %d with %d bytes, want the typeface", plain.Code, plain.Body.Len())
	}
	if got := plain.Header(); got.Get("Content-Type") != "font/ttf" || got.Get("Cache-Control") != core.ForAYear ||
		got.Get("Content-Encoding") != "" || got.Get("Vary") != "Accept-Encoding" {
		t.Errorf("got the header %v", got)
	}
	for _, path := range []string{"/assets/go-bold-latin.ttf", "/assets/app.js", "/", "/overlay"} {
		w := get(path, "Accept-Encoding", "br, gzip;q=0.5")
		unpacked, err := gzip.NewReader(w.Body)
		if err != nil || w.Header().Get("Content-Encoding") != "gzip" {
			t.Errorf("%s: got %v and the header %v, want it packed", path, err, w.Header())
			continue
		}
		got, err := io.ReadAll(unpacked)
		if want := get(path).Body.Bytes(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: unpacked it is %d bytes (%v), want %d", path, len(got), err, len(want))
		}
		tag := w.Header().Get("ETag")
		if again := get(path, "Accept-Encoding", "gzip", "If-None-Match", tag); again.Code != http.StatusNotModified {
			t.Errorf("%s: got %d for a known tag %s, want 304", path, again.Code, tag)
		}
		if other := get(path).Header().Get("ETag"); other == tag {
			t.Errorf("%s has the tag %s packed and not", path, tag)
		}
	}
}
