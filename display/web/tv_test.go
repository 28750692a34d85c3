package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/display/displaytest"
	"tableside/engine"
	"tableside/engine/enginetest"
)

// clipped is JavaScript that returns what does not fit on a television, or is too small to be read
// from four metres: below 28 pixels of 1080. What does not fit may be left out, but only whole.
const clipped = `(() => {
  const least = 27.9 * innerHeight / 1080, bad = [], lines = [];
  const walk = document.createTreeWalker(document.getElementById("tv"), NodeFilter.SHOW_TEXT);
  for (let n = walk.nextNode(); n; n = walk.nextNode()) {
    const e = n.parentElement, range = document.createRange();
    if (!n.nodeValue.trim() || e.closest(".unseen") || !e.getClientRects().length) continue;
    if (parseFloat(getComputedStyle(e).fontSize) < least) bad.push("small: " + e.textContent);
    range.selectNodeContents(n);
    for (const r of range.getClientRects()) {
      const boxes = [document.documentElement];
      for (let p = e; p.id !== "tv"; p = p.parentElement) {
        if (getComputedStyle(p).overflowY !== "visible") boxes.unshift(p);
      }
      let out = false;
      for (const box of boxes) {
        const b = box === document.documentElement ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } :
          box.getBoundingClientRect();
        const letters = r.height * .25, gone = r.top >= b.bottom - letters || r.bottom <= b.top + letters;
        if (gone && box.matches("dl, footer, footer .long")) { out = true; break; }
        if (r.left < b.left - 1 || r.right > b.right + 1 || r.top + letters < b.top || r.bottom - letters > b.bottom) {
          bad.push("cut by " + (box.className || box.tagName) + ": " + e.textContent);
          break;
        }
      }
      if (!out) lines.push({ e, r });
    }
  }
  lines.forEach(({ e, r }, i) => lines.slice(0, i).forEach(({ e: o, r: q }) => {
    const below = r => r.top + r.height * .25, above = r => r.bottom - r.height * .25; // letters do not fill their lines
    if (e !== o && Math.min(r.right, q.right) - Math.max(r.left, q.left) > 2 &&
      Math.min(above(r), above(q)) - Math.max(below(r), below(q)) > 2) {
      bad.push(e.textContent + " lies on " + o.textContent);
    }
  }));
  if (document.documentElement.scrollHeight > innerHeight) bad.push("it scrolls");
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

// TestTelevisionShowsAll looks at every game with every number of seats, in the middle of a match: all
// that lies before the seats is shown, large and whole.
func TestTelevisionShowsAll(t *testing.T) {
	b := newTab(t)
	b.do(chromedp.EmulateViewport(1920, 1080))
	for i, p := range []played{
		{"mutants/second-edition", 4, 90}, {"mutants/second-edition", 4, 160}, {"mutants/first-edition", 3, 60},
		{"mutants/second-edition", 2, 40}, {"mutants/uprising", 1, 90}, {"mutants/second-edition", 4, 0},
		{"mindbug/first-contact", 2, 33}, {"mindbug/first-contact", 2, 60}, {"mindbug/king-of-tokyo", 2, 80},
		{"genegrafter/standard", 2, 60}, {"genegrafter/standard", 3, 80}, {"genegrafter/standard", 4, 200},
		{"tally/score", 2, 12}, {"tally/score", 3, 20}, {"tally/score", 4, 30}, {"tally/score", 5, 30},
		{"tally/score", 6, 40}, {"tally/score", 7, 40}, {"tally/score", 8, 40},
	} {
		if i%3 != 0 && !enginetest.Nightly() {
			continue
		}
		tb, _ := p.table(t)
		url, stop := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
		for k, lang := range engine.Languages {
			if k != i%2 && !enginetest.Nightly() {
				continue
			}
			b.open(url + "/tv?lang=" + string(lang))
			b.until(settled(`!!document.querySelector(".seat .score")`))
			if bad := b.eval(clipped); bad != "" {
				t.Errorf("%v in %s:\n%s", p, lang, bad)
			}
			view := tb.picture(nil).In(lang).View
			for _, s := range view.Seats {
				shown := b.eval(fmt.Sprintf(`String(document.querySelectorAll(".seat[data-seat=%s] .sprite").length)`, s.ID))
				var lies int
				for _, z := range s.Zones {
					if slices.Contains([]string{"left", "active", "right", "incubator", "play"}, z.Name) {
						lies += len(z.Cards)
					}
				}
				if shown != fmt.Sprint(lies) {
					t.Errorf("%v in %s: %s has %s cards before it, want %d", p, lang, s.ID, shown, lies)
				}
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
