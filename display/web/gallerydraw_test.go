//go:build pictures

package web

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/display/lights"
	"tableside/display/panel"
	"tableside/engine"
)

var folder = flag.String("pictures", "../../bin/pictures", "the folder of the pictures")

// server returns a server that shows the table, with everything that a table can
// have.
func (tb *table) server() *Server {
	tb.status.Simulated, tb.status.Address = true, "http://192.168.1.20:8080/?token=correct-horse"
	config := tb.config()
	config.Games = func() []engine.Info {
		var all []engine.Info
		for _, g := range everyGame() {
			all = append(all, g.Info())
		}
		return all
	}
	config.ReadMatch = func(string) (engine.Game, *engine.Journal, error) { return tb.played() }
	config.Panel = func() image.Image {
		return panel.NewPainter().Draw(tb.picture(nil).In(engine.English), image.Pt(250, 122))
	}
	config.Lights = func() image.Image { return tb.strip() }
	config.Token, config.Authority = "correct-horse", []byte("the authority")
	config.Show = &Show{Playing: func() bool { return false }}
	return tb.show(newServer(config))
}

func (tb *table) strip() image.Image {
	return lights.Picture(lights.Draw(tb.picture(nil).In(engine.English), lights.Layout{LEDs: 24}, 0))
}

// busy is JavaScript that puts a busy picture behind the overlay, in place of the video.
const busy = `document.body.style.minHeight = "100vh";
	document.body.style.background = "radial-gradient(circle at 22% 34%, #ff9d2e 0 9%, transparent 9.4%)," +
	"radial-gradient(circle at 70% 80%, #fff 0 12%, transparent 12.4%)," +
	"radial-gradient(circle at 45% 90%, #102a12 0 16%, transparent 16.3%)," +
	"repeating-conic-gradient(from 20deg at 60% 40%, #2f7f4f 0 9deg, #e9d7a0 9deg 17deg, #b8322a 17deg 22deg, " +
	"#2b4fae 22deg 31deg)"`

// TestPictures draws everything, and index.html beside it, which shows all pictures.
func TestPictures(t *testing.T) {
	if err := os.MkdirAll(*folder, 0o755); err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	var names []string
	for _, s := range gallery {
		name := strings.Join([]string{s.name, s.query[len("lang="):][:2], s.theme}, "-")
		names = append(names, name)
		t.Run(name, func(t *testing.T) {
			(&tab{t, b.ctx}).draw(s, filepath.Join(*folder, name+".png"))
		})
	}
	for _, d := range drawings {
		name := d.name + "-" + string(d.lang)
		names = append(names, name)
		t.Run(name, func(t *testing.T) {
			tb, _ := d.match.table(t)
			write(t, filepath.Join(*folder, name+".png"), d.draw(t, tb, tb.picture(nil).In(d.lang)))
		})
	}
	index, err := os.Create(filepath.Join(*folder, "index.html"))
	if err == nil {
		err = errors.Join(template.Must(template.New("index").Parse(indexPage)).Execute(index, names), index.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

const indexPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tableside in pictures</title>
<style>
body { margin: 2rem; background: #777; color: #fff; font: 16px sans-serif;
  display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 2rem; align-items: end; }
figure { margin: 0; }
img { max-width: 100%; max-height: 30rem; image-rendering: auto; }
</style>
{{range .}}<figure><a href="{{.}}.png"><img src="{{.}}.png" alt=""></a><figcaption>{{.}}</figcaption></figure>
{{end}}</html>
`

func write(t *testing.T, file string, img image.Image) {
	t.Helper()
	var b bytes.Buffer
	err := png.Encode(&b, img)
	if err == nil {
		err = os.WriteFile(file, b.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// draw opens a page in the state of a shot, and saves what it shows.
func (b *tab) draw(s shot, file string) {
	b.t.Helper()
	page := s.page
	var table shown
	play := func() bool { return false } // the next input of the match
	switch show := s.show.(type) {
	case nil:
		table.Server = newTable(b.t).server()
	case string:
		i := slices.IndexFunc(audits, func(a audit) bool { return a.name == show })
		page = audits[i]
		table = page.table(b.t.(*testing.T))
	case played:
		tb, left := show.table(b.t.(*testing.T))
		table.Server = tb.server()
		play = func() bool {
			if len(left) == 0 {
				return false
			}
			tb.apply("", left[0])
			table.Redrawn("panel") // as a real panel and strip would say
			table.Redrawn("lights")
			left = left[1:]
			return true
		}
	}
	var touch []chromedp.EmulateViewportOption
	if s.width < 900 {
		touch = []chromedp.EmulateViewportOption{chromedp.EmulateMobile, chromedp.EmulateTouch}
	}
	b.do(chromedp.EmulateViewport(s.width, s.height, touch...), still(s.theme))
	until := page.until
	page.until = ""
	b.beforeLoad(countFetches)
	b.walk(page, table, s.query, "")
	if until == appears {
		for b.eval(fmt.Sprintf("String(%s)", until)) != "true" && play() {
			b.awaited(`(async () => {
				const frame = () => new Promise(requestAnimationFrame);
				for (let n = 0; n < 3 || waiting.size; n++) await frame();
				return "";
			})()`)
		}
	}
	b.until(cmp.Or(until, "true"))
	if page.path == "/overlay" {
		b.eval(busy)
	}
	b.until(`document.fonts.status === "loaded" && [...document.images].every(i => i.complete)`)
	if wide := b.eval(tooWide); wide != "" && page.path == "/" {
		b.t.Errorf("wider than the screen: %s", wide)
	}
	b.shoot(file)
}

// countFetches is JavaScript that counts what the page has asked the table for and not got yet.
const countFetches = `{
	const get = fetch, waiting = window.waiting = new Set();
	window.fetch = (...args) => {
		const answer = get(...args), done = () => waiting.delete(answer);
		if (args[0].includes("/live")) return answer; // the stream never ends
		waiting.add(answer);
		answer.then(a => a.clone().text()).then(done, done);
		return answer;
	};
}`
