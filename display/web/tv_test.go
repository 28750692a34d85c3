package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/display/displaytest"
	"tableside/engine"
)

// clipped is JavaScript that returns what does not fit on a television, or is too
// small to be read from four metres: below 1.4rem, which is 34 pixels of 1080.
const clipped = `(() => {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize), bad = [];
  const inside = (e, r) => r.left >= -1 && r.top >= -1 && r.right <= innerWidth + 1 && r.bottom <= innerHeight + 1;
  for (const e of document.querySelectorAll("#tv *")) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.nodeValue.trim());
    if (!own || !e.getClientRects().length) continue;
    const r = e.getBoundingClientRect(), seat = e.closest(".seat")?.getBoundingClientRect();
    if (!inside(e, r)) bad.push("off the screen: " + e.textContent);
    if (seat && (r.bottom > seat.bottom + 1 || r.right > seat.right + 1)) bad.push("out of its seat: " + e.textContent);
    if (parseFloat(getComputedStyle(e).fontSize) < 1.39 * rem && e.tagName !== "I") bad.push("small: " + e.textContent);
  }
  const texts = [...document.querySelectorAll("#tv .seat :is(h2 span, small, b, dt, dd, li span)")];
  texts.forEach((e, i) => texts.slice(0, i).forEach(o => {
    // Letters do not fill their boxes.
    const a = e.getBoundingClientRect(), b = o.getBoundingClientRect(), low = Math.min(a.height, b.height) * .4;
    if (e.parentElement !== o.parentElement && e.closest(".seat") === o.closest(".seat") &&
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > low) bad.push(e.textContent + " lies on " + o.textContent);
  }));
  return bad.join("\n");
})()`

func settled(expression string) string {
	return `(` + expression + `) && document.fonts.status === "loaded" && document.getAnimations().every(a =>
		a.playState !== "running" || a.effect.getTiming().iterations === Infinity)`
}

// eight returns a frame of eight players with long names and scores.
func eight(t *testing.T) engine.Frame {
	t.Helper()
	var seats []string
	for i, seat := range engine.UsualSeats {
		seats = append(seats, fmt.Sprintf(
			`{"id":%q,"name":"Barth\u00e9lemy %d","colour":"#1b6ec2","counters":{"score":%d}}`, seat, i, -120-i))
	}
	f := engine.Frame{Lang: engine.English}
	if err := json.Unmarshal([]byte(`{"match":"1","title":"Tally","game":"tally/score","round":12,"turn":"red","seats":[`+
		strings.Join(seats, ",")+`],"prompts":[{"seat":"red","key":"x","text":"Alice's turn: score"}]}`), &f.View); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestTelevision checks that the view for a television shows who is asked, the names
// and the scores of all games at both sizes, in full and large, and has no controls.
func TestTelevision(t *testing.T) {
	atNight(t)
	b := newTab(t)
	sizes := [][2]int64{{1920, 1080}, {1280, 720}}
	for name, test := range map[string]struct {
		frame engine.Frame
		says  []string
	}{
		"mutants":       {exampleFrame(0), []string{"Alice", "Max", "Round"}},
		"uprising":      {documented(2)(), []string{"Alice", "Power", "39", "Health"}},
		"mindbug":       {documented(3)(), []string{"Alice", "Max", "Mindbugs", "Sea-Rex", "Bullet Train"}},
		"king of tokyo": {documented(4)(), []string{"growth 2", "H.A.D.E.S."}},
		"genegrafter":   {documented(6)(), []string{"Alice", "Character A"}},
		"battle":        {displaytest.Genegrafter(engine.French), []string{"Belladone", "gènes", "santé"}},
		"a die":         {documented(5)(), []string{"Alice", "growth 2"}},
		"tally":         {eight(t), []string{"Barth\u00e9lemy", "-120", "Round 12"}},
	} {
		server := exampleServer(test.frame)
		url, stop := listen(t, server, "127.0.0.1:0")
		for _, size := range sizes {
			b.do(chromedp.EmulateViewport(size[0], size[1]))
			b.open(url + "/tv?lang=en")
			b.until(settled(`!!document.querySelector(".seat .score")`))
			said := strings.ToLower(strings.Join(strings.Fields(b.eval("document.body.innerText")), " "))
			for _, s := range test.says {
				if !strings.Contains(said, strings.ToLower(s)) {
					t.Errorf("%s: got %s, want %q in it", name, said, s)
				}
			}
			if bad := b.eval(clipped); bad != "" {
				t.Errorf("%s at %v:\n%s", name, size, bad)
			}
			if n := b.eval("String(document.querySelectorAll('button, input, a, [data-act]').length)"); n != "0" {
				t.Errorf("%s: %s controls", name, n)
			}
			asked := b.eval("document.querySelector('.is-asked')?.dataset.seat ?? ''")
			if p := test.frame.View.Prompts; len(p) > 0 && p[0].Seat != engine.Table && asked != string(p[0].Seat) {
				t.Errorf("%s: %q is asked, want %q", name, asked, p[0].Seat)
			}
		}
		stop()
	}
}

// TestTelevisionBetweenMatches checks that only a visitor who may play sees the code
// with the token.
func TestTelevisionBetweenMatches(t *testing.T) {
	b := newTab(t)
	for _, askHere := range []bool{false, true} {
		tb := newTable(t)
		config := tb.config()
		config.Token, config.AskHere = "s3cret", askHere
		s := newServer(config)
		frame := engine.Frame{Lang: engine.English}
		frame.Status.Address = "http://192.168.1.5:8080/?token=s3cret"
		if err := s.Show(t.Context(), frame); err != nil {
			t.Fatal(err)
		}
		url, stop := listen(t, s, "127.0.0.1:0")
		b.open(url + "/tv?lang=en")
		b.until("!!document.querySelector('.idle')")
		code := b.eval("String(document.querySelector('.idle img')?.naturalWidth ?? 'none')")
		if !askHere {
			b.until("document.querySelector('.idle img').naturalWidth > 0")
		} else if code != "none" || strings.Contains(b.eval("document.body.innerHTML"), "s3cret") {
			t.Errorf("somebody without the token sees a code: %s", code)
		}
		stop()
	}
	if w := (request{method: "GET", path: "/tv", peer: remotePeer}).send(exampleServer(exampleFrame(0))); w.Code !=
		http.StatusOK || !strings.Contains(fmt.Sprint(w.Header()), "default-src 'none'") {
		t.Errorf("from afar: %d %v", w.Code, w.Header())
	}
}
