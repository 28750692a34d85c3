package wled_test

import (
	"context"
	"errors"
	"image"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/drivers/wled"
	"tableside/drivers/wled/wledtest"
)

// TestName checks that an unknown name, or one that takes too long to resolve,
// is an error in time.
func TestName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(10)
		unknown := errors.New("no such host")
		for _, test := range []struct {
			resolve func(context.Context, string) ([]netip.Addr, error)
			want    string
		}{
			{func(context.Context, string) ([]netip.Addr, error) { return nil, unknown },
				"wled: wled-table.local: find its address: no such host"},
			{func(context.Context, string) ([]netip.Addr, error) { return nil, nil },
				"wled: wled-table.local: find its address: no address"},
			{func(ctx context.Context, _ string) ([]netip.Addr, error) { <-ctx.Done(); return nil, ctx.Err() },
				"wled: wled-table.local: find its address: context deadline exceeded"},
		} {
			began := time.Now()
			_, err := dev(t, w, wled.Opts{Count: 10, Resolve: test.resolve}).Connect(t.Context())
			if !errors.Is(err, wled.ErrUnknownName) || err.Error() != test.want || time.Since(began) > 2*time.Second {
				t.Errorf("%v after %v, want %s", err, time.Since(began), test.want)
			}
		}
		over, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		began := time.Now()
		_, err := dev(t, w, wled.Opts{Count: 10, Resolve: func(ctx context.Context, _ string) ([]netip.Addr, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}).Connect(over)
		if err == nil || time.Since(began) != 100*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// TestAsk asks controllers of every kind.
func TestAsk(t *testing.T) {
	says := func(code int, body string) func(*wledtest.WLED) {
		return func(w *wledtest.WLED) {
			w.Answer(func(r http.ResponseWriter) {
				r.Header().Set("Location", "http://192.0.2.8/")
				r.WriteHeader(code)
				io.WriteString(r, body)
			})
		}
	}
	for _, test := range []struct {
		name string
		do   func(*wledtest.WLED)
		want wled.Info
		err  string
	}{
		{"well", func(w *wledtest.WLED) { w.Name = "Bar" }, wled.Info{Name: "Bar", Version: "0.14.4", LEDs: 60}, ""},
		{"busy", (*wledtest.WLED).Busy, wled.Info{Live: true}, ""},
		{"odd name", func(w *wledtest.WLED) { w.Name, w.Version = "\x1b[31m"+strings.Repeat("é", 100), "16.0\n" },
			wled.Info{Name: "[31m" + strings.Repeat("é", 36), Version: "16.0", LEDs: 60}, ""},
		{"commands", func(w *wledtest.WLED) { w.Name, w.Version = "Bar\u009b2J\u202eraB", "16\u0085" },
			wled.Info{Name: "Bar2JraB", Version: "16", LEDs: 60}, ""},
		{"off", (*wledtest.WLED).Kill, wled.Info{}, "wled: wled-table.local does not answer: nothing within 2s"},
		{"no route", (*wledtest.WLED).Refuse, wled.Info{}, "wled: wled-table.local does not answer: no route to host"},
		{"a printer", says(200, "<html>"), wled.Info{}, "wled: wled-table.local answers, but not as a WLED does"},
		{"another API", says(200, `{"leds":[1]}`), wled.Info{}, "wled: wled-table.local answers, but not as a WLED does"},
		{"no version", says(200, `{}`), wled.Info{}, "wled: wled-table.local answers, but not as a WLED does"},
		{"elsewhere", says(302, ""), wled.Info{}, `wled: wled-table.local answers, but not as a WLED does: it says "302 Found"`},
		{"no page", says(404, ""), wled.Info{}, `wled: wled-table.local answers, but not as a WLED does: it says "404 Not Found"`},
		{"endless", says(200, strings.Repeat(" ", 1<<17)), wled.Info{},
			"wled: wled-table.local answers, but not as a WLED does: its answer is longer than 65536 bytes"},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := wledtest.New(60)
			test.do(w)
			began := time.Now()
			got, err := dev(t, w, wled.Opts{Count: 60}).Connect(t.Context())
			if got != test.want || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
				t.Errorf("%s: %+v, %v\nwant %+v, %s", test.name, got, err, test.want, test.err)
			}
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("%s: took %v", test.name, took)
			}
		})
	}
	if got := (wled.Info{Version: "0.14.4", LEDs: 60}).String() + ", " +
		(wled.Info{}).String(); got != "WLED 0.14.4 with 60 LEDs, WLED" {
		t.Error(got)
	}
}

// TestLive checks that a controller says whether pictures arrive.
func TestLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(60)
		d := connected(t, w, wled.Opts{Count: 60})
		for _, want := range []bool{false, true, false} {
			if want {
				show(t, d, image.White)
			}
			if info, err := d.Ask(t.Context()); err != nil || info.Live != want {
				t.Errorf("%+v, %v, want live %v", info, err, want)
			}
			if want {
				time.Sleep(wledtest.Timeout)
			}
		}
	})
}

// FuzzInfo checks that no answer makes the caller panic.
func FuzzInfo(f *testing.F) {
	f.Add([]byte(`{"ver":"0.14.4","leds":{"count":60},"name":"x","live":true}`))
	f.Add([]byte(`{"ver":"0.14.4","leds":{"count":-1}}`))
	f.Add([]byte(`{"ver":"\u0000"}`))
	f.Fuzz(func(t *testing.T, said []byte) {
		synctest.Test(t, func(t *testing.T) {
			w := wledtest.New(1)
			w.Answer(func(r http.ResponseWriter) { r.Write(said) })
			info, err := dev(t, w, wled.Opts{Count: 1}).Connect(t.Context())
			if err == nil && (info.Version == "" && !info.Live || info.LEDs < 0) || err != nil && info != (wled.Info{}) {
				t.Errorf("%+v, %v", info, err)
			}
		})
	})
}
